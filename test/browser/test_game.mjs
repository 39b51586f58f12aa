// SPDX-License-Identifier: MIT
// The sample game as WebAssembly, played by itself without a page as `game --frames` does: the wheel turns and the pump fills the
// cistern. Environment: RILL_PLAYGROUND.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import test from 'node:test';

const RATE = 60, FRAMES = 150;

test('the game plays', async () => {
    const folder = process.env.RILL_PLAYGROUND;
    const createGame = createRequire(import.meta.url)(`${folder}/game.js`);
    const game = await createGame({wasmBinary: readFileSync(`${folder}/game.wasm`)}); // node's fetch takes no files
    assert.ok(game._web_begin(), game.UTF8ToString(game._web_message()));
    const start = process.cpuUsage();
    for (let frame = 0; frame < FRAMES; frame++) {
        game._web_controls(-1, frame % RATE < 30);
        assert.ok(game._web_step(), game.UTF8ToString(game._web_message()));
        game._web_draw();
    }
    const {user, system} = process.cpuUsage(start);
    console.log(`${game._web_particles()} particles, ${game._web_saved()} in the cistern, the wheel turns at ${game._web_turning().toFixed(1)} rad/s, ` +
        `${((user + system) / 1000 / FRAMES).toFixed(1)} ms of processor time a frame`);
    assert.ok(game._web_saved() > 0);
    assert.ok(game._web_turning() < -1);
    const pixels = new Uint32Array(game.HEAPU8.buffer, game._web_pixels(), game._web_width() * game._web_height());
    assert.ok(new Set(pixels).size > 100, 'a picture has many colours');
});
