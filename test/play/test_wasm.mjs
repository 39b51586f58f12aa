// SPDX-License-Identifier: MIT
// test_wasm.mjs PLAYGROUND RUN_SESSION: the WebAssembly builds, plain and with threads, against the native one. Every
// method in 2D and 3D, with bodies, must have the same state hash after 37 sixtieths of a second, which are 309 steps.
import { resolve } from 'node:path';
import { loadEngine, runNative } from './wasm_engine.mjs';

const [playground, program] = process.argv.slice(2).map((path) => resolve(path));
const STEPS = 37;
const METHODS = ['muller', 'wcsph', 'pbf', 'projective', 'dfsph', 'pcisph', 'constraint', 'clavet'];

const engines = [];
for (const [name, threads] of [['rill', 1], ['rill_threads', 2]]) engines.push({ name, engine: await loadEngine(playground, name, threads) });

let failures = 0;
const complain = (text) => { failures++; console.error(text); };
const scenes = { 2: runNative(program, 2, 0).scene, 3: runNative(program, 3, 0).scene };
const { methods, simd } = engines[0].engine.say({ do: 'open', scene: scenes[2] }).find(({ is }) => is === 'info');
if (simd !== 'wasm') complain(`the width is ${simd}`);
for (const method of METHODS) if (!methods.some(({ name }) => name === method)) complain(`${method} is missing`);
for (const { name: method } of methods) {
    for (const dim of [2, 3]) {
        const scene = scenes[dim], expected = runNative(program, scene, STEPS, { method });
        for (const { name, engine } of engines) {
            const { hash } = engine.run(scene, STEPS, { method });
            console.log(`${method} ${dim}D ${name}: ${hash}`);
            if (hash !== expected.hash) complain(`  native has ${expected.hash}`);
        }
    }
}
process.exit(failures ? 1 : 0);
