// SPDX-License-Identifier: MIT
// The buttons of "Keep and share": pictures, video, files, links, forks, recordings of the hands.
import { Video, chooseFile, download, packLink, pictureOf } from './share.js';

const at = (id) => document.getElementById(id);
const SNAPSHOT_HEAD = 4; // bytes of the magic before the snapshot itself

export class Keeper {
    constructor(app) {
        this.app = app;
        this.layers = [at('picture'), at('overlay')];
        const press = {
            'share-link': () => this.copyLink(), fork: () => this.#edit(), screenshot: () => this.screenshot(), video: () => this.#toggleVideo(),
            save: () => this.#save(), load: () => this.#openFile(), record: () => this.#toggleRecord(), replay: () => this.replay(this.recording),
            table: () => download(`${app.info.name}.csv`, app.plots.csv(), 'text/csv'),
            'editor-run': () => this.#runEdited(), 'editor-close': () => at('editor').close(),
            'editor-save': () => download(`${app.info.name}.json`, at('editor-text').value, 'application/json'),
        };
        for (const [id, action] of Object.entries(press)) at(id).onclick = () => this.#try(action);
        app.engine.on('snapshot', (bytes) => download(`${app.info.name}.rill`, bytes.slice(SNAPSHOT_HEAD)));
        at('stage').addEventListener('dragover', (event) => event.preventDefault());
        at('stage').addEventListener('drop', (event) => {
            event.preventDefault();
            if (event.dataTransfer.files[0]) this.#try(() => this.#read(event.dataTransfer.files[0]));
        });
    }

    async #try(action) {
        try {
            await action();
        } catch (error) {
            this.app.complain(error.message);
        }
    }

    // ---- links ----
    async copyLink() {
        const { info, changes } = this.app;
        const address = await this.linkTo({ scene: await this.#sceneText(), set: Object.fromEntries(changes), method: info.method });
        history.replaceState(null, '', address);
        await navigator.clipboard?.writeText(address).then(() => this.app.complain('The link is copied; it carries the whole scene.'),
            () => this.app.complain('The link is in the address bar; it carries the whole scene.'));
    }

    async #sceneText() { return (await this.app.engine.ask({ do: 'scene' })).text; }

    // Without the token: the receiver of a link uses an engine of their own.
    async linkTo(carried) {
        const address = new URL(location.href);
        for (const own of ['scene', 'token']) address.searchParams.delete(own);
        address.hash = await packLink(carried);
        return address.href;
    }

    async #edit() {
        at('editor-text').value = await this.#sceneText();
        at('editor-error').textContent = '';
        at('editor').showModal();
    }

    async #runEdited() {
        const scene = at('editor-text').value;
        try {
            await this.app.open({ scene });
        } catch (error) {
            at('editor-error').textContent = error.message;
            return;
        }
        history.replaceState(null, '', await this.linkTo({ scene }));
        at('editor').close();
    }

    // ---- pictures ----
    async screenshot() {
        this.app.drawNow();
        download(`${this.app.info.name}.png`, await pictureOf(this.layers));
    }

    drawn() { this.video?.drawn(); }

    async #toggleVideo() {
        const { video } = this;
        at('video').setAttribute('aria-pressed', String(!video));
        if (!video) {
            this.app.drawNow();
            this.video = new Video(this.layers);
            return;
        }
        this.video = null;
        download(`${this.app.info.name}.webm`, await video.stop());
    }

    // ---- files ----
    #save() { this.app.engine.send({ do: 'save' }); }

    async #openFile() {
        const file = await chooseFile();
        if (file) await this.#read(file);
    }

    async #read(file) {
        if (!file.name.endsWith('.json')) return this.app.engine.sendSnapshot(await file.arrayBuffer());
        const text = await file.text();
        const recording = parsedRecording(text);
        if (recording) return this.replay(recording);
        await this.app.open({ scene: text });
    }

    // ---- recordings ----
    async #toggleRecord() {
        const { engine, info } = this.app;
        if (!this.recordingNow) {
            engine.send({ do: 'record', on: true });
            return this.#showRecording(true, 'All that your hands do from now on is kept.');
        }
        const { recording } = await engine.ask({ do: 'recording' });
        this.recording = recording;
        this.#showRecording(false, `Kept: ${recording.steps - recording.first_step} steps, ${recording.inputs.length} inputs.`);
        download(`${info.name}_recording.json`, JSON.stringify(recording), 'application/json');
    }

    #showRecording(now, text) {
        this.recordingNow = now;
        at('record').setAttribute('aria-pressed', String(now));
        at('record').textContent = now ? 'Stop and keep' : 'Record hands';
        at('replay').disabled = !this.recording;
        at('record-state').textContent = text;
    }

    // The engine repeats all inputs; at the end its state must have the recording's hash.
    async replay(recording) {
        this.recording = recording;
        this.#showRecording(false, 'Replaying …');
        const answer = await this.app.engine.ask({ do: 'replay', recording });
        this.#showRecording(false, answer.same ? `Replayed: the same state, bit for bit (${answer.hash}).`
            : `Replayed, but the state differs: ${answer.hash}, recorded ${answer.recorded}.`);
        return answer;
    }
}

// A file may be a scene (JSON with comments) or a recording (plain JSON).
function parsedRecording(text) {
    try {
        const value = JSON.parse(text);
        return value.inputs ? value : null;
    } catch {
        return null;
    }
}
