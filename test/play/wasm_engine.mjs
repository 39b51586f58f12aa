// SPDX-License-Identifier: MIT
// The two engines without a page, for tests and measurements: WebAssembly in node, and the native program run_session.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);

// `name`: rill, or rill_threads.
export async function loadEngine(playground, name, threads) {
    const wasmBinary = gunzipSync(readFileSync(`${playground}/${name}.wasmz`));
    return new Engine(await require(`${playground}/${name}.js`)({ wasmBinary }), threads);
}

class Engine {
    constructor(module, threads) {
        this.module = module;
        if (!module._engine_open(threads)) throw new Error('the engine did not start');
    }

    #replies() {
        const { module } = this, answers = [];
        for (let at = module._engine_reply(); at; at = module._engine_reply())
            answers.push(JSON.parse(Buffer.from(module.HEAPU8.slice(at, at + module._engine_reply_size())).toString()));
        const error = answers.find(({ is }) => is === 'error');
        if (error) throw new Error(error.text);
        return answers;
    }

    // Returns the answers.
    say(message) {
        const { module } = this;
        const bytes = Buffer.from(JSON.stringify(message));
        const place = module._malloc(bytes.length + 1);
        module.HEAPU8.set(bytes, place);
        module._engine_message(place, bytes.length);
        module._free(place);
        return this.#replies();
    }

    #advance(count) {
        const start = performance.now();
        for (let k = 0; k < count; k++) this.module._engine_advance();
        return (performance.now() - start) / 1000;
    }

    numbers() {
        this.module._engine_tell_numbers();
        return this.#replies().find(({ is }) => is === 'numbers');
    }

    // {hash, numbers, seconds} after so many steps; seconds without those of the first `warmUp`. `watch` gets the numbers
    // of every tenth step after those. `method` takes over at the beginning, unless it is "-".
    run(scene, steps, { method = '-', warmUp = 0, watch = null } = {}) {
        this.say({ do: 'open', scene });
        if (method !== '-') this.say({ do: 'method', name: method });
        this.#advance(warmUp);
        this.#replies();
        let seconds = 0;
        for (let k = warmUp; k < steps; k += 10) {
            seconds += this.#advance(Math.min(10, steps - k));
            watch?.(this.numbers());
        }
        const hash = this.say({ do: 'hash' }).find(({ is }) => is === 'hash').value;
        return { hash, numbers: this.numbers(), seconds };
    }
}

// The same of the native engine; `scene` is a text, or 2 or 3 for a scene of its own. Has the scene's text besides.
export function runNative(program, scene, steps, { method = '-', workers = 1, warmUp = 0 } = {}) {
    const folder = mkdtempSync(path.join(tmpdir(), 'rill-session-')), file = path.join(folder, 'scene.json');
    const isOwn = typeof scene === 'number';
    try {
        if (!isOwn) writeFileSync(file, scene);
        const said = execFileSync(program, [isOwn ? scene : file, method, steps, workers, warmUp], { encoding: 'utf8' }).split('\n').filter(Boolean);
        const [hash, numbers, time] = said.slice(-3).map((line) => JSON.parse(line));
        return { scene: said.slice(0, -3).join('\n'), hash: hash.value, numbers, seconds: time.seconds };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

// A scene with some of its settings changed: {world: {simd: "sse"}, method: "pbf"}.
export function changed(scene, changes) {
    const whole = JSON.parse(scene);
    for (const [key, value] of Object.entries(changes)) whole[key] = typeof value === 'object' && !Array.isArray(value) ? { ...whole[key], ...value } : value;
    return JSON.stringify(whole);
}
