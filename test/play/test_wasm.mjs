// SPDX-License-Identifier: MIT
// test_wasm.mjs PLAYGROUND RUN_HASH: the WebAssembly builds, plain and with threads, against the native one. Every
// method in 2D and 3D, with bodies, must have the same state hash after 37 sixtieths of a second, which are 309 steps.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

const [playground, runHash] = process.argv.slice(2).map((path) => resolve(path));
const STEPS = 37;
const require = createRequire(import.meta.url);

class Engine {
    constructor(module, threads) {
        this.module = module;
        if (!module._engine_open(threads)) throw new Error('the engine did not start');
    }

    // Returns the answers.
    say(message) {
        const { module } = this;
        const bytes = Buffer.from(JSON.stringify(message));
        const place = module._malloc(bytes.length + 1);
        module.HEAPU8.set(bytes, place);
        module._engine_message(place, bytes.length);
        module._free(place);
        const answers = [];
        for (let at = module._engine_reply(); at; at = module._engine_reply())
            answers.push(JSON.parse(Buffer.from(module.HEAPU8.slice(at, at + module._engine_reply_size())).toString()));
        const error = answers.find(({ is }) => is === 'error');
        if (error) throw new Error(error.text);
        return answers;
    }

    hashAfter(scene, method, steps) {
        this.say({ do: 'open', scene });
        this.say({ do: 'method', name: method });
        for (let k = 0; k < steps; k++) this.module._engine_advance();
        return this.say({ do: 'hash' }).find(({ is }) => is === 'hash').value;
    }
}

function native(dim, method) {
    const [scene, answer] = execFileSync(runHash, [dim, method, STEPS], { encoding: 'utf8' }).trim().split('\n');
    return { scene, hash: JSON.parse(answer).value };
}

const engines = [];
for (const [name, threads] of [['rill', 1], ['rill_threads', 2]])
    engines.push({ name, engine: new Engine(await require(`${playground}/${name}.js`)({ wasmBinary: gunzipSync(readFileSync(`${playground}/${name}.wasmz`)) }), threads) });

const { scene } = native(2, 'pbf');
const { methods, simd } = engines[0].engine.say({ do: 'open', scene }).find(({ is }) => is === 'info');
let failures = 0;
if (simd !== 'wasm') failures++, console.error(`the width is ${simd}`);
if (methods.length < 6) failures++, console.error('methods are missing');
for (const { name: method } of methods)
    for (const dim of [2, 3]) {
        const expected = native(dim, method);
        for (const { name, engine } of engines) {
            const hash = engine.hashAfter(expected.scene, method, STEPS);
            console.log(`${method} ${dim}D ${name}: ${hash}`);
            if (hash !== expected.hash) failures++, console.error(`  native has ${expected.hash}`);
        }
    }
process.exit(failures ? 1 : 0);
