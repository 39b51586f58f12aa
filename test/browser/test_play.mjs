// SPDX-License-Identifier: MIT
// The page in a real browser, with each engine: what it shows, what hands do, what is kept and shared.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
    CLOTHS, SCENE, SOLID_SCENE, difference, hash, keepPicture, launch, look, openPage, openScene, pause, pixels, serveNative, servePlayground, state, steps,
    stepsFromStart, toPage, until,
} from './harness.mjs';

const HASH_STEPS = 60;
const LOAD_MOST = 1.5e6; // [bytes] for the playground
const hashes = {};
let browser;
const serve = (engine) => (engine === 'native' ? serveNative() : servePlayground({ query: '?threads=1' }));

// How long after a page was opened its water moves [ms], with nothing else under way: only a quiet machine can tell.
async function timeToWater(engine) {
    const server = await serve(engine), opened = Date.now();
    const page = await openPage(browser, server.address);
    const moved = await until(page, 'rill.movedAt');
    await page.context().close();
    server.stop();
    return moved - opened;
}

const alone = {};
before(async () => {
    browser = await launch();
    if (process.env.RILL_QUIET) for (const engine of ['native', 'wasm']) alone[engine] = await timeToWater(engine);
});
after(() => browser.close());

const chooseTool = (page, name) => page.click(`[data-tool="${name}"]`);
const played = (page, seconds) => until(page, `rill.frame?.time > ${seconds}`, 60000);
const linkTo = async (page, scene) => new URL(await page.evaluate((text) => window.rill.keeper.linkTo({ scene: text }), scene)).hash;
// Buttons of the panel, which need not be open.
const press = (page, id) => page.evaluate((name) => document.getElementById(name).click(), id);
const particles = (page) => look(page, 'rill.frame.particles');
const SPREAD = 'rill.frame.origin[0] + rill.frame.scale[0] * Math.max(...rill.frame.x)'; // how far the water has run [m]
const VISCOSITY = 'rill.info.rows.find(({ path }) => path === "fluids.water.viscosity").value';

// Holds the pointer at a place of the world until something holds.
async function holdUntil(page, point, condition) {
    await page.mouse.move(...await toPage(page, point));
    await page.mouse.down();
    try {
        await until(page, condition);
    } finally {
        await page.mouse.up();
    }
}

async function drag(page, from, to, { hold = 0 } = {}) {
    const [a, b] = [await toPage(page, from), await toPage(page, to)];
    await page.mouse.move(...a);
    await page.mouse.down();
    await page.waitForTimeout(100);
    for (let k = 1; k <= 10; ++k) await page.mouse.move(a[0] + (b[0] - a[0]) * k / 10, a[1] + (b[1] - a[1]) * k / 10);
    await page.waitForTimeout(hold);
    await page.mouse.up();
}

function describePage(engine) {
    describe(`the page with the ${engine} engine`, { concurrency: 1 }, () => {
        const servers = [];
        let page;
        // Another page with an engine of its own: of several viewers of one engine only the first has the hands.
        const anew = async (address, options) => {
            servers.push(await serve(engine));
            return openPage(browser, address(servers.at(-1).address), options);
        };
        before(async () => {
            page = await anew((address) => address);
            await until(page, 'rill.movedAt');
        });
        after(async () => {
            await page?.context().close();
            for (const server of servers) server.stop();
        });

        test('water moves a moment after the page was opened', async () => {
            if (engine in alone) console.log(`${engine}: moving water after ${alone[engine]} ms`);
            if (engine in alone) assert.ok(alone[engine] < 2000);
            const first = await pixels(page);
            await played(page, 0.5);
            assert.ok(difference(first, await pixels(page)) > 1, 'the picture changes');
            assert.equal(await look(page, 'rill.info.engine'), engine);
            assert.equal(await look(page, 'rill.info.dim'), 2);
        });

        test('a dam breaks and comes to rest', async () => {
            await openScene(page);
            await stepsFromStart(page, 1);
            const start = await pixels(page);
            await steps(page, 29);
            const moving = await pixels(page);
            assert.ok(difference(start, moving) > 3, 'it flows');
            await steps(page, 450);
            const late = await pixels(page);
            await steps(page, 15);
            const later = await pixels(page);
            assert.ok(difference(late, later) < 0.25 * difference(start, moving), 'it rests');
            await keepPicture(page, `rest_${engine}`);
        });

        test('steps are the same as with the other engine', async () => {
            await stepsFromStart(page, HASH_STEPS);
            hashes[engine] = await hash(page);
            if (hashes.native && hashes.wasm) assert.equal(hashes.native, hashes.wasm);
        });

        test('a click pours', async () => {
            const count = await particles(page);
            await look(page, 'rill.play()');
            await chooseTool(page, 'pour');
            await holdUntil(page, [1, 0.9, 0], `rill.frame.particles > ${count + 5}`);
        });

        test('gel is poured with the method that has it, and its springs are shown', async () => {
            await look(page, 'rill.play()');
            await chooseTool(page, 'pour');
            await page.selectOption('[data-option="fluid"]', 'gel');
            await until(page, 'rill.info.method === "clavet"');
            await holdUntil(page, [1.6, 0.9, 0], 'rill.info.fluids.some(({ name }) => name === "gel")');
            await page.locator('#overlay').focus();
            await page.keyboard.press('l');
            await until(page, 'rill.frame.links.length > 0');
            await pause(page);
            const shown = await pixels(page);
            await keepPicture(page, `springs_${engine}`);
            await page.keyboard.press('l');
            assert.ok(difference(shown, await pixels(page)) > 0.02, 'springs are drawn');
            await page.selectOption('#method', 'pbf');
            await until(page, 'rill.info.method === "pbf"');
            await look(page, 'rill.play()');
        });

        test('another liquid can be poured', async () => {
            await chooseTool(page, 'pour');
            await page.selectOption('[data-option="fluid"]', 'honey');
            await holdUntil(page, [0.6, 0.9, 0], 'rill.info.fluids.some(({ name }) => name === "honey")');
        });

        test('erasing takes water away', async () => {
            await chooseTool(page, 'erase');
            const count = await particles(page);
            await drag(page, [0.2, 0.1, 0], [0.9, 0.1, 0], { hold: 200 });
            await until(page, `rill.frame.particles < ${count}`);
        });

        test('a drag moves a body', async () => {
            await chooseTool(page, 'hand');
            const from = await look(page, `(() => { const { bodies, } = rill.frame, shape = rill.shapes.find(({ id }) => id === bodies[0].shape);
                const middle = [0, 1].map((k) => shape.points.filter((_, i) => i % 2 === k).reduce((a, b) => a + b) / (shape.points.length / 2));
                const { position: p, turn: q } = bodies[0], angle = 2 * Math.atan2(q[2], q[3]), [c, s] = [Math.cos(angle), Math.sin(angle)];
                return [p[0] + c * middle[0] - s * middle[1], p[1] + s * middle[0] + c * middle[1], 0]; })()`);
            const before = await look(page, 'rill.frame.bodies[0].position');
            await drag(page, from, [0.4, 0.9, 0], { hold: 600 });
            await until(page, `Math.hypot(...rill.frame.bodies[0].position.map((v, k) => v - ${JSON.stringify(before)}[k])) > 0.2`);
        });

        test('walls and boxes are drawn', async () => {
            const solids = await look(page, 'rill.frame.solids.length'), bodies = await look(page, 'rill.frame.bodies.length');
            await chooseTool(page, 'wall');
            await drag(page, [0.3, 1.1, 0], [0.9, 1.2, 0]);
            await until(page, `rill.frame.solids.length > ${solids}`);
            await chooseTool(page, 'box');
            await drag(page, [1.2, 1.0, 0], [1.4, 1.2, 0]);
            await until(page, `rill.frame.bodies.length > ${bodies}`);
        });

        test('a gauge is put in by a click and plotted', async () => {
            const count = await page.locator('#plots figure').count();
            await chooseTool(page, 'gauge');
            await page.mouse.click(...await toPage(page, [0.5, 0.1, 0]));
            await until(page, `document.querySelectorAll('#plots figure').length > ${count}`);
            await keepPicture(page, `hands_${engine}`);
        });

        test('the method is switched while it runs', async () => {
            for (const method of ['dfsph', 'pbf']) {
                await page.selectOption('#method', method);
                await until(page, `rill.info.method === '${method}'`);
                await played(page, await look(page, 'rill.frame.time + 0.05'));
            }
        });

        test('a slider changes the flow', async () => {
            await openScene(page);
            await stepsFromStart(page, 20);
            const usual = await hash(page), spread = await look(page, SPREAD);
            await stepsFromStart(page, 0);
            await page.keyboard.press('Tab');
            const slider = page.locator('[data-path="fluids.water.viscosity"]');
            await slider.locator('xpath=ancestor::details').evaluate((group) => { group.open = true; });
            await slider.locator('input[type="number"]').fill('200');
            await slider.locator('input[type="number"]').press('Enter');
            await until(page, `${VISCOSITY} === 200`);
            await page.locator('#overlay').focus();
            await page.keyboard.press('Tab');
            await steps(page, 20);
            assert.notEqual(await hash(page), usual);
            assert.ok(await look(page, SPREAD) < spread - 0.05, 'thick water runs less far');
        });

        test('time goes back', async () => {
            await openScene(page);
            await played(page, 1);
            await pause(page);
            const now = await look(page, 'rill.frame.time');
            await page.click('#rewind');
            await until(page, `rill.frame?.time < ${now - 0.2}`);
        });

        test('keys play, step, turn gravity and show help', async () => {
            await openScene(page);
            await page.locator('#overlay').focus();
            await page.keyboard.press(' ');
            await until(page, '!rill.playing');
            const { step } = await state(page);
            await page.keyboard.press('.');
            await until(page, `rill.frame?.step === ${step + 1}`);
            await page.keyboard.press('ArrowLeft');
            await until(page, 'rill.info.gravity[0] < -9');
            await page.keyboard.press('ArrowLeft');
            await until(page, 'rill.info.gravity[0] === 0');
            await press(page, 'tilt');
            await until(page, 'document.getElementById("tilt").getAttribute("aria-pressed") === "true"');
            await page.evaluate(() => dispatchEvent(new DeviceOrientationEvent('deviceorientation', { alpha: 0, beta: 0, gamma: 30 })));
            await until(page, 'Math.abs(rill.info.gravity[0] - 4.905) < 0.01 && Math.abs(rill.info.gravity[1]) < 0.01');
            await press(page, 'tilt');
            await until(page, 'rill.info.gravity[0] === 0');
            await page.keyboard.press('?');
            assert.ok(await page.locator('#help').isVisible());
            await page.keyboard.press('Escape');
        });

        test('a recording replays to the same state', async () => {
            await openScene(page);
            await chooseTool(page, 'pour');
            await press(page, 'record');
            await look(page, 'rill.play()');
            await holdUntil(page, [1, 0.9, 0], `rill.frame.particles > ${await particles(page)}`);
            await played(page, await look(page, 'rill.frame.time + 0.2'));
            await pause(page);
            const [kept] = await Promise.all([page.waitForEvent('download'), press(page, 'record')]);
            assert.match(kept.suggestedFilename(), /recording\.json$/);
            assert.ok(await look(page, 'rill.keeper.recording.inputs.length > 0'));
            await press(page, 'replay');
            await until(page, '/bit for bit/.test(document.getElementById("record-state").textContent)');
        });

        test('a snapshot that was saved loads again', async () => {
            await pause(page);
            const kept = await hash(page);
            const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'save')]);
            await steps(page, 3);
            assert.notEqual(await hash(page), kept);
            const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'load')]);
            await chooser.setFiles({ name: 'kept.rill', mimeType: 'application/octet-stream', buffer: await bytesOf(file) });
            for (let k = 0; k < 50 && await hash(page) !== kept; ++k) await page.waitForTimeout(100);
            assert.equal(await hash(page), kept);
        });

        test('a screenshot and a video are kept', async () => {
            const [picture] = await Promise.all([page.waitForEvent('download'), look(page, 'rill.keeper.screenshot()')]);
            assert.equal((await bytesOf(picture)).subarray(1, 4).toString(), 'PNG');
            await look(page, 'rill.play()');
            await press(page, 'video');
            await until(page, 'rill.keeper.video.parts.some(({ size }) => size > 0)');
            const [video] = await Promise.all([page.waitForEvent('download'), press(page, 'video')]);
            assert.equal((await bytesOf(video)).readUInt32BE(0), 0x1a45dfa3, 'WebM begins so');
        });

        test('a link carries the scene and what was set', async () => {
            await openScene(page);
            await look(page, 'rill.set("fluids.water.viscosity", 3)');
            await until(page, `${VISCOSITY} === 3`);
            const link = new URL(await page.evaluate(async (scene) => window.rill.keeper.linkTo({ scene, set: { 'fluids.water.viscosity': 3 }, method: 'dfsph' }), SCENE));
            // Whoever gets the link has an engine of their own.
            const other = await anew((address) => Object.assign(new URL(address), { hash: link.hash }).href);
            await until(other, `rill.info.method === 'dfsph' && ${VISCOSITY} === 3`);
            assert.deepEqual(other.complaints, []);
            await other.context().close();
        });

        test('a fork with a mistake is told of, and runs without it', async () => {
            await press(page, 'fork');
            await page.waitForSelector('#editor[open]');
            await page.fill('#editor-text', SCENE.replace('"spacing"', '"spasing"'));
            await page.click('#editor-run');
            await until(page, '/spac?s?ing/.test(document.getElementById("editor-error").textContent)');
            await page.fill('#editor-text', SCENE.replace('5 cm', '6 cm'));
            await page.click('#editor-run');
            await until(page, 'Math.abs(rill.info.spacing - 0.06) < 1e-6 && !document.getElementById("editor").open');
        });

        test('3D is drawn, and the camera turns', async () => {
            const link = await linkTo(page, SOLID_SCENE), solid = await anew((address) => address + link);
            assert.equal(await look(solid, 'rill.info.dim'), 3);
            await pause(solid);
            const first = await pixels(solid);
            await solid.mouse.move(240, 180);
            await solid.mouse.down({ button: 'right' });
            await solid.mouse.move(320, 160, { steps: 4 });
            await solid.mouse.up({ button: 'right' });
            assert.ok(difference(first, await pixels(solid)) > 2, 'another side is seen');
            await keepPicture(solid, `solid_${engine}`);
            assert.deepEqual(solid.complaints, []);
            await solid.context().close();
        });

        test('cloth is drawn in 2D and 3D, and moves', async () => {
            for (const [k, pieces] of ['segments', 'triangles'].entries()) {
                await openScene(page, CLOTHS[k]);
                await until(page, `rill.frame?.${pieces}.length > 0`);
                await stepsFromStart(page, 1);
                const start = await pixels(page);
                await steps(page, 24);
                const later = await pixels(page);
                assert.ok(difference(start, later) > 0.1, `${pieces} move`);
                await keepPicture(page, `cloth_${pieces}_${engine}`);
                await page.evaluate((list) => { const { frame } = window.rill; frame[list] = new Uint32Array(0); window.rill.drawer.upload(frame); }, pieces);
                assert.ok(difference(later, await pixels(page)) > 0.1, `${pieces} are seen`);
            }
        });

        test('the gallery leads to scenes', async () => {
            const gallery = await anew((address) => Object.assign(new URL(address), { pathname: '/gallery.html' }).href, { wait: false });
            await gallery.waitForSelector('.card');
            assert.ok(await gallery.locator('.card').count() > 10);
            await gallery.click('.card:has-text("still tank 2d")');
            await until(gallery, 'window.rill?.info?.name === "still_tank_2d"');
            assert.deepEqual(gallery.complaints, []);
            await gallery.context().close();
        });

        test('fingers pour, and a small dark window has all it needs', async () => {
            const small = await linkTo(page, SCENE);
            const phone = await anew((address) => address + small, { viewport: { width: 360, height: 560 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
            await chooseTool(phone, 'pour');
            const count = await particles(phone);
            const [x, y] = await toPage(phone, [1.2, 0.9, 0]);
            const touch = await phone.context().newCDPSession(phone);
            await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
            await until(phone, `rill.frame.particles > ${count}`);
            await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
            await keepPicture(phone, `phone_${engine}`);
            assert.deepEqual(phone.complaints, []);
            await phone.context().close();
        });

        test('nobody complained', () => assert.deepEqual(page.complaints, []));
    });
}

// Side by side: each waits for its own engine most of the time.
describe('the page', { concurrency: 2 }, () => { for (const engine of ['native', 'wasm']) describePage(engine); });

describe('the playground', () => {
    const opened = async (options) => {
        const server = await servePlayground(options), page = await openPage(browser, server.address);
        const facts = await page.evaluate(() => ({ isolated: crossOriginIsolated, threads: window.rill.info.threads }));
        assert.deepEqual(page.complaints, []);
        console.log(`the playground loaded ${server.sent} bytes`);
        assert.ok(server.sent < LOAD_MOST, `${server.sent} bytes`);
        await page.context().close();
        server.stop();
        return facts;
    };

    test('runs on one thread where the page is not isolated', async () => {
        assert.deepEqual(await opened({ query: '?threads=1' }), { isolated: false, threads: 1 });
    });

    test('isolates itself behind a plain server', async () => {
        assert.equal((await opened({})).isolated, true);
    });

    test('takes the isolation that a server offers', async () => {
        assert.equal((await opened({ isolated: true })).isolated, true);
    });
});

async function bytesOf(file) {
    const parts = [];
    for await (const part of await file.createReadStream()) parts.push(part);
    return Buffer.concat(parts);
}
