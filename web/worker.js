// SPDX-License-Identifier: MIT
// The engine as WebAssembly, in a worker of its own. It takes and gives what the WebSocket of `rill view` does: strings
// of JSON, and ArrayBuffers for frames and snapshots. Steps come by the clock; a page that is slow gets fewer frames.
'use strict';

const FRAMES_AHEAD = 2;     // frames under way before the first is acknowledged
const NUMBERS_PERIOD = 250; // [ms]
const THREADS_MAX = 3;      // what the pool of the build with threads is made for
const encoder = new TextEncoder();
const decoder = new TextDecoder();

let engine = null;          // functions and memory of the module
let early = [];             // messages that came before it was there
let shown = -1;             // version of the last frame
let ahead = 0;
let numbersDue = 0;
let timer = 0;

// ---- memory ----

// Views of a memory that has grown are stale, so each use makes its own.
const bytesAt = (place, size) => new Uint8Array(engine.HEAPU8.buffer, place, size);

// Calls `use` with a copy of the bytes inside the module.
function lend(bytes, use) {
    const place = engine._malloc(bytes.length + 1);
    if (!place) return tell({ is: 'error', text: 'There is no memory left.' });
    bytesAt(place, bytes.length).set(bytes);
    use(place, bytes.length);
    engine._free(place);
}

// ---- to the page ----

const tell = (message) => postMessage(JSON.stringify(message));

// A shared memory cannot be decoded or sent: slice copies.
function sendReplies() {
    for (let place = engine._engine_reply(); place; place = engine._engine_reply()) {
        const bytes = bytesAt(place, engine._engine_reply_size()).slice();
        if (engine._engine_reply_is_binary()) postMessage(bytes.buffer, [bytes.buffer]);
        else postMessage(decoder.decode(bytes));
    }
}

function sendFrame() {
    const version = engine._engine_version();
    if (version === shown || ahead >= FRAMES_AHEAD) return;
    const place = engine._engine_frame();
    if (!place) return;
    const bytes = bytesAt(place, engine._engine_frame_size()).slice();
    postMessage(bytes.buffer, [bytes.buffer]);
    shown = version;
    ahead++;
}

function sendAll() {
    sendReplies();
    sendFrame();
}

// ---- the clock ----

// One step at a time: between two of them messages are read.
function tick() {
    timer = 0;
    const wait = engine._engine_due(performance.now() / 1000);
    if (wait === 0) {
        engine._engine_advance();
        if (performance.now() >= numbersDue) {
            engine._engine_tell_numbers();
            numbersDue = performance.now() + NUMBERS_PERIOD;
        }
        sendAll();
    }
    schedule(wait);
}

// Timers are cut to several milliseconds; a message to oneself comes at once.
const now = new MessageChannel();
now.port1.onmessage = tick;

function schedule(wait) {
    if (timer) clearTimeout(timer);
    timer = 0;
    if (wait > 0.004) timer = setTimeout(tick, 1000 * wait - 2);
    else now.port2.postMessage(0);
}

// ---- from the page ----

async function openByName(name) {
    const answer = await fetch(new URL(`scenes/${encodeURIComponent(name)}.json`, self.location));
    if (!answer.ok) throw new Error(`there is no scene '${name}'`);
    receive(JSON.stringify({ do: 'open', name, scene: await answer.text() }));
}

function receive(data) {
    if (typeof data !== 'string') {
        lend(new Uint8Array(data), engine._engine_binary);
        return wake();
    }
    const message = JSON.parse(data);
    if (message.do === 'hello') return tell({ is: 'hands', yours: true, viewers: 1 });
    if (message.do === 'got') ahead = Math.max(0, ahead - 1);
    else if (message.do === 'open' && typeof message.name === 'string' && message.scene === undefined)
        return openByName(message.name).catch((error) => tell({ is: 'error', of: 'open', text: error.message }));
    else if (message.do !== 'hands') lend(encoder.encode(data), engine._engine_message);
    wake();
}

// Something may be due now that was not before.
function wake() {
    sendAll();
    if (timer) schedule(0.001);
}

onmessage = ({ data }) => (engine ? receive(data) : early.push(data));

// ---- loading ----

// A small module that uses one instruction of SIMD128: browsers without it refuse it.
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

// The module is stored compressed: it loads as quickly from servers that do not compress. No server knows the ending,
// so none takes the compression off on its way.
async function compile(name) {
    const answer = await fetch(new URL(`${name}.wasmz`, self.location));
    if (!answer.ok) throw new Error(`${name}.wasmz cannot be read: ${answer.status}`);
    const plain = answer.body.pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compileStreaming(new Response(plain, { headers: { 'Content-Type': 'application/wasm' } }));
}

async function load() {
    if (!WebAssembly.validate(SIMD_PROBE)) throw new Error('This browser has no SIMD in WebAssembly, without which the simulation is too slow.');
    const threads = self.crossOriginIsolated ? Math.min(THREADS_MAX, navigator.hardwareConcurrency || 1) : 1;
    const name = threads > 1 ? 'rill_threads' : 'rill';
    const compiling = compile(name);
    importScripts(`${name}.js`);
    const compiled = await compiling;
    const module = await createRill({
        mainScriptUrlOrBlob: new URL(`${name}.js`, self.location).href,
        instantiateWasm(imports, done) {
            WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled));
            return {};
        },
    });
    if (!module._engine_open(threads)) throw new Error('There is no memory for the engine.');
    engine = module;
    early.splice(0).forEach(receive);
    schedule(0.05);
}

load().catch((error) => tell({ is: 'error', of: 'load', text: error.message }));
