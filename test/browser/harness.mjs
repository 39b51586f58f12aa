// SPDX-License-Identifier: MIT
// What the browser tests stand on: a browser, the two engines, and a few things to ask a page.
// Environment: RILL_TOOL (the tool), RILL_WEB (the page, if not where the tool finds it), RILL_PLAYGROUND (folder that `make playground` wrote), RILL_ARTEFACTS (where
// screenshots go), NODE_MODULES (folder that has playwright-core), CHROMIUM (chromium), RILL_QUIET (the machine has nothing else to
// do: times are asserted too).
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const modules = process.env.NODE_MODULES ?? path.join(import.meta.dirname, 'node_modules');
const { chromium } = createRequire(path.join(modules, 'x'))('playwright-core');
const artefacts = process.env.RILL_ARTEFACTS ?? '/tmp/rill_browser';
const STARTUP = 30000; // [ms]: machines that test are busy

const FLAGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
const SMALL = { width: 480, height: 360 }, QUALITY = 0.5; // pixels are computed one by one here

export function launch() {
    mkdirSync(artefacts, { recursive: true });
    return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

// ---- servers ----
const TYPES = {
    '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml',
    '.jpg': 'image/jpeg',
};

// As plain as static servers are; `headers` for one that isolates. `sent` counts bytes.
function serveFolder(root, query, headers) {
    const server = http.createServer((request, answer) => {
        const name = path.normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)), file = path.join(root, name === '/' ? 'index.html' : name);
        if (!existsSync(file) || !statSync(file).isFile()) return answer.writeHead(404).end();
        answer.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream', ...headers });
        served.sent += statSync(file).size;
        createReadStream(file).pipe(answer);
    });
    const served = { sent: 0, stop: () => server.close() };
    return new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve(Object.assign(served, { address: `http://127.0.0.1:${server.address().port}/${query}` })));
    });
}

const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
export const servePlayground = ({ isolated = false, query = '' } = {}) => serveFolder(process.env.RILL_PLAYGROUND, query, isolated ? ISOLATED : {});

// `rill view` prints the address that it can be reached at.
export function serveNative(scene = 'dam_break_2d') {
    const child = spawn(process.env.RILL_TOOL, ['view', scene, '--port', '0', ...(process.env.RILL_WEB ? ['--folder', process.env.RILL_WEB] : [])], { stdio: ['ignore', 'pipe', 'pipe'] });
    return new Promise((resolve, reject) => {
        let said = '';
        const timer = setTimeout(() => reject(new Error(`rill view said: ${said}`)), STARTUP);
        const hear = (text) => {
            said += text;
            const found = /http:\/\/\S+/.exec(said);
            if (!found) return;
            clearTimeout(timer);
            resolve({ address: found[0], child, stop: () => child.kill('SIGINT') });
        };
        child.stdout.on('data', hear);
        child.stderr.on('data', hear);
        child.on('exit', (code) => reject(new Error(`rill view ended with ${code}: ${said}`)));
    });
}

// ---- pages ----

// A page whose complaints are collected in page.complaints: tests expect none.
export async function openPage(browser, address, { wait = true, ...options } = {}) {
    const context = await browser.newContext({ viewport: SMALL, ...options }), page = await context.newPage();
    page.complaints = [];
    page.on('console', (message) => {
        // A hint of the driver about how tests look at pixels.
        if (['error', 'warning'].includes(message.type()) && !/GPU stall|GroupMarkerNotSet/.test(message.text())) page.complaints.push(message.text());
    });
    page.on('pageerror', (error) => page.complaints.push(error.message));
    const coarse = new URL(address);
    coarse.searchParams.set('quality', QUALITY);
    await page.goto(coarse.href);
    if (wait) await page.waitForFunction(() => window.rill?.frame && window.rill.numbers, null, { timeout: STARTUP });
    return page;
}

// A scene that is small enough for a busy machine: it pours out, a box floats, and all comes to rest in seconds.
export const SCENE = JSON.stringify({
    about: 'A small dam break for tests.', dim: 2, method: 'pbf', world: { spacing: '5 cm' }, run: { time: '5 s', fps: 60 },
    picture: { min: [-0.1, -0.1], max: [2.1, 1.4] }, fluids: [{ name: 'water', material: 'water', surface_tension: 0, viscosity: 0.5 }],
    blocks: [{ fluid: 'water', shape: 'box', min: [0, 0], max: [0.6, 0.9] }],
    solids: [{ name: 'tank', shape: 'box', min: [0, 0], max: [2, 2], inside: true }],
    bodies: [{ name: 'crate', shape: 'box', min: [1.3, 0.1], max: [1.6, 0.4], density: 400 }],
    gauges: [{ name: 'left', kind: 'pressure', position: [0.1, 0.1] }],
});

export const SOLID_SCENE = JSON.stringify({
    dim: 3, method: 'pbf', world: { spacing: '10 cm' }, run: { time: '5 s', fps: 60 }, picture: { eye: [3, -3, 2.2], target: [0.6, 0.6, 0.4] },
    fluids: [{ name: 'water', material: 'water', surface_tension: 0 }],
    blocks: [{ fluid: 'water', shape: 'box', min: [0, 0, 0], max: [0.6, 1.2, 0.8] }],
    solids: [{ name: 'tank', shape: 'box', min: [0, 0, 0], max: [1.2, 1.2, 1.2], inside: true }],
    bodies: [{ name: 'crate', shape: 'box', min: [0.8, 0.4, 0.1], max: [1.1, 0.7, 0.4], density: 400 }],
});

// A line and a sheet of cloth, held at two ends, with a drop of water.
export const CLOTHS = [2, 3].map((dim) => JSON.stringify({
    dim, method: 'projective', world: { spacing: '10 cm' }, run: { time: '5 s', fps: 60 }, fluids: [{ name: 'water', material: 'water', surface_tension: 0 }],
    picture: dim === 2 ? { min: [-0.1, -1], max: [1.1, 0.6] } : { eye: [1.9, -1.2, 0.5], target: [0.5, 0.45, -0.25] },
    solids: [{ name: 'room', shape: 'box', min: dim === 2 ? [-0.2, -0.9] : [-0.2, -0.2, -0.8], max: dim === 2 ? [1.2, 0.6] : [1.2, 1.2, 0.6], inside: true }],
    blocks: [{ fluid: 'water', shape: 'box', min: [0.4, 0.2, 0.2].slice(0, dim), max: [0.6, 0.4, 0.4].slice(0, dim) }],
    cloths: [{ name: 'sheet', kind: 'sheet', position: [0, 0, 0].slice(0, dim), edge_a: [1, 0, 0].slice(0, dim), ...(dim === 3 ? { edge_b: [0, 1, 0] } : {}), mass: '500 g/m^2', stretch: '500 N/m' }],
    pins: [0, 1].map((x) => ({ name: `pin${x}`, min: [x, 0, 0].slice(0, dim), max: [x, 0, 0].slice(0, dim) })),
}));

export const openScene = (page, scene = SCENE) => page.evaluate((text) => window.rill.open({ scene: text }), scene);

// Asks again and again until the expression holds. (The page's own rules forbid playwright's way of doing so with texts.)
export async function until(page, expression, patience = 30000) {
    for (const end = Date.now() + patience; ;) {
        const value = await page.evaluate(expression);
        if (value) return value;
        if (Date.now() > end) throw new Error(`waited in vain for: ${expression}`);
        await page.waitForTimeout(40);
    }
}

// The state as the engine has it; frames may be on their way.
export const state = (page) => page.evaluate(() => window.rill.engine.ask({ do: 'hash' }));
export const hash = async (page) => (await state(page)).value;

export async function pause(page) {
    await page.evaluate(() => window.rill.pause());
    const { step } = await state(page);
    await until(page, `!rill.playing && rill.frame?.step === ${step}`);
}

const BATCH = 100; // more messages at once might be refused

// The same steps on every machine.
export async function steps(page, count) {
    const first = (await state(page)).step;
    for (let done = 0; done < count; done += BATCH) {
        const now = Math.min(BATCH, count - done);
        await page.evaluate((k) => { for (; k > 0; --k) window.rill.engine.send({ do: 'step' }); }, now);
        await until(page, `rill.frame?.step === ${first + done + now}`);
    }
}

export async function stepsFromStart(page, count) {
    await pause(page);
    await page.evaluate(() => window.rill.reset());
    await until(page, 'rill.frame?.step === 0');
    await steps(page, count);
}

// The picture, small: red, green and blue of 48 x 36 pixels.
export const pixels = (page) => page.evaluate(() => {
    const small = Object.assign(document.createElement('canvas'), { width: 48, height: 36 }), c = small.getContext('2d');
    window.rill.drawNow();
    for (const layer of window.rill.keeper.layers) c.drawImage(layer, 0, 0, 48, 36);
    return Array.from(c.getImageData(0, 0, 48, 36).data);
});

// Mean difference of two such pictures, 0 to 255.
export const difference = (a, b) => a.reduce((sum, value, k) => sum + Math.abs(value - b[k]), 0) / a.length;

// Where a point of the world is on the page.
export const toPage = (page, point) => page.evaluate((p) => window.rill.camera.toPage(p), point);

export const look = (page, expression) => page.evaluate(expression);

export async function keepPicture(page, name) {
    await page.evaluate(() => window.rill.setQuality(1));
    await page.screenshot({ path: path.join(artefacts, `${name}.png`) });
    await page.evaluate((share) => window.rill.setQuality(share), QUALITY);
}
