// SPDX-License-Identifier: MIT
// play.mjs speed|factor [SCENE[:SPACING:SUBSTEPSxITERATIONS]...]: how fast the browser's engine is. Run it alone, as
//     node --no-experimental-fetch bench/play.mjs speed
// after `make playground` and with the tests built in build/gcc (PLAYGROUND and RUN_SESSION name others).
// speed: WebAssembly compared with the native engine, on one thread and two. factor: simulated seconds per real second, per
// second of processor time, which other programs do not change, and the density error meanwhile.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEngine, runNative, changed } from '../test/play/wasm_engine.mjs';

const root = resolve(import.meta.dirname, '..');
const playground = resolve(process.env.PLAYGROUND ?? `${root}/build/playground`);
const program = resolve(process.env.RUN_SESSION ?? `${root}/build/gcc/test/play/run_session`);
const FRAME = 60; // steps of a session in a second

// ---- speed ----

// A column that collapses in a tank twice as wide, with `n` particles along its sides. It is large, so that particles move
// by less than a spacing in one substep of a sixtieth of a second; the time of a step does not depend on the size.
function dam(dim, method, n, settings) {
    const spacing = 0.5, side = (k) => n[k] * spacing, zero = n.map(() => 0);
    return JSON.stringify({
        dim, method, world: { spacing }, run: { time: 10, ...(method === 'pbf' ? { dt: 1 / FRAME } : {}) }, methods: settings, fluids: [{ name: 'water', material: 'water', surface_tension: 0 }],
        blocks: [{ shape: 'box', min: zero, max: n.map((_, k) => side(k)) }],
        solids: [{ name: 'tank', shape: 'box', min: zero, max: n.map((_, k) => (k === 0 ? 2 : k === dim - 1 ? 1.5 : 1) * side(k)), inside: true }],
    });
}

const ONE_SUBSTEP = { pbf: { substeps: 1, iterations: 3 } };
const CASES = [
    ['pbf 3D, 25,000, 1 x 3 iterations', dam(3, 'pbf', [25, 25, 40], ONE_SUBSTEP), 60],
    ['pbf 2D, 10,000, 1 x 3 iterations', dam(2, 'pbf', [100, 100], ONE_SUBSTEP), 90],
    ['wcsph 3D, 8,000', dam(3, 'wcsph', [20, 20, 20], {}), 60],
    ['dfsph 2D, 10,000', dam(2, 'dfsph', [100, 100], {}), 20],
];

async function speed() {
    const plain = await loadEngine(playground, 'rill', 1), threaded = await loadEngine(playground, 'rill_threads', 2);
    console.log('| case | native AVX2, 1 thread | native SSE | WebAssembly, 1 thread | of AVX2 | of SSE | WebAssembly, 2 threads |\n|---|---|---|---|---|---|---|');
    for (const [name, scene, steps] of CASES) {
        const warmUp = Math.ceil(steps / 6), options = { warmUp };
        const best = async (run) => Math.min((await run()).seconds, (await run()).seconds) * 1000 / (steps - warmUp);
        const native = (simd) => best(() => runNative(program, changed(scene, { world: { simd } }), steps, options));
        const avx2 = await native('avx2'), sse = await native('sse');
        const one = await best(() => plain.run(scene, steps, options)), two = await best(() => threaded.run(scene, steps, options));
        const ms = (value) => `${value.toFixed(2)} ms`, share = (value) => `${(100 * value).toFixed(0)} %`;
        console.log(`| ${name} | ${ms(avx2)} | ${ms(sse)} | ${ms(one)} | ${share(avx2 / one)} | ${share(sse / one)} | ${ms(two)}, ${(1000 / two).toFixed(0)} steps/s |`);
    }
}

// ---- time factor ----

// Scenes are JSON with comments.
const sceneText = (name) => readFileSync(`${root}/scenes/${name}.json`, 'utf8').replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (all, text) => text ?? ' ');
const SECONDS = Number(process.env.SECONDS ?? 3);

// "NAME", or "NAME:SPACING:SUBSTEPSxITERATIONS" for the scene with another spacing, and other substeps and iterations of
// PBF.
function sceneOf(asked) {
    const [name, spacing, solver] = asked.split(':'), scene = sceneText(name);
    if (!spacing) return scene;
    const [substeps, iterations] = solver.split('x').map(Number);
    return changed(scene, { world: { spacing }, methods: { pbf: { substeps, iterations } } });
}

async function factor(names) {
    const engines = { 1: await loadEngine(playground, 'rill', 1), 2: await loadEngine(playground, 'rill_threads', 2) };
    console.log('| scene | method | particles | threads | time factor | least in a sixth of a second | by processor time | density error, mean and worst moment |\n|---|---|---|---|---|---|---|---|');
    for (const name of names) {
        const scene = sceneOf(name), steps = Math.round(SECONDS * FRAME);
        for (const [threads, engine] of Object.entries(engines)) {
            const errors = [], factors = [];
            const used = process.cpuUsage();
            let before = 0, time = 0;
            const { numbers, seconds } = await engine.run(scene, steps, { watch: (n) => {
                const now = performance.now();
                errors.push(n.density_error_mean);
                if (before > 0) factors.push(1000 * (n.time - time) / (now - before));
                [before, time] = [now, n.time];
            } });
            const { user, system } = process.cpuUsage(used), ofProcessor = numbers.time / ((user + system) / 1e6);
            const percent = (value) => `${(100 * value).toFixed(2)} %`, mean = errors.reduce((a, b) => a + b) / errors.length;
            console.log(`| ${name} | ${JSON.parse(scene).method} | ${numbers.particles} | ${threads} | ${(numbers.time / seconds).toFixed(2)} | ${Math.min(...factors).toFixed(2)} | ${ofProcessor.toFixed(2)} | ${percent(mean)}, ${percent(Math.max(...errors))} |`);
        }
    }
}

const [what, ...names] = process.argv.slice(2);
if (what === 'speed') await speed();
else if (what === 'factor') await factor(names.length ? names : ['room_2d', 'room_3d', 'room_2d:14.4 mm:5x5', 'room_3d:25.5 mm:3x3', 'game_level_2d']);
else {
    console.error('usage: play.mjs speed|factor [SCENE...]');
    process.exit(2);
}
process.exit(0);
