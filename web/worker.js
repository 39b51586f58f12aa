// SPDX-License-Identifier: MIT
// The engine as WebAssembly, in a worker. It receives and sends the same as the WebSocket of `rill view`: strings of JSON,
// and ArrayBuffers for frames and snapshots. The clock decides when steps are due; a slow page gets fewer frames.
'use strict';

const FRAMES_AHEAD = 2;     // frames sent but not yet acknowledged, at most
const NUMBERS_PERIOD = 250; // [ms]
const THREADS_MAX = 3;      // the thread pool of the build with threads is made for this many
const encoder = new TextEncoder();
const decoder = new TextDecoder();

let engine = null;          // functions and memory of the module
let early = [];             // messages that came before the engine was loaded
let shown = -1;             // version of the last frame sent
let ahead = 0;
let numbersDue = 0;
let timer = 0;

// ---- memory ----

// Views of a memory become invalid when it grows, so each use makes a new one.
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

// A shared memory cannot be decoded or sent, so slice makes a copy.
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

// One step at a time: messages are read between steps.
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

// Browsers round timers up to several milliseconds; a message to oneself arrives at once.
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

// Called when something may have become due.
function wake() {
    sendAll();
    if (timer) schedule(0.001);
}

onmessage = ({ data }) => (engine ? receive(data) : early.push(data));

// ---- loading ----

// A small module with one SIMD128 instruction: browsers without SIMD reject it.
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

// The module is stored compressed: it loads fast even from servers that do not compress. Servers do not know its ending, so
// none of them declares the compression, and the browser does not undo it on the way.
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
