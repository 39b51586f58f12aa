// SPDX-License-Identifier: MIT
// The page's view of an engine: it sends messages and receives events. engine_socket.js and engine_worker.js transport them;
// the rest of the page cannot tell the two apart.
import { FRAME_MAGIC, SNAPSHOT_MAGIC, readFrame } from './frame.js';

// The kind of answer to each question; an error that names the question is an answer too.
const ANSWERS = {
    open: 'info', method: 'info', set: 'info', grab: 'held', hash: 'hash', recording: 'recording', replay: 'replayed', scene: 'scene',
};
const ANSWER_TIMEOUT = 20000, REPLAY_TIMEOUT = 3600000; // [ms]

export class EngineLink {
    #listeners = new Map();
    #waiting = [];

    // Events: the kinds of messages (info, shapes, numbers, error, hands, ...), frame, snapshot, and state: a sentence about
    // the connection, or ''.
    on(event, listener) {
        if (!this.#listeners.has(event)) this.#listeners.set(event, []);
        this.#listeners.get(event).push(listener);
    }

    emit(event, value) {
        for (const listener of this.#listeners.get(event) ?? []) listener(value);
    }

    send(message) { this.transmit(JSON.stringify(message)); }

    // Sends a question and waits for the answer. Answers come in the order of the questions; an error of the engine rejects.
    ask(message) {
        return new Promise((resolve, reject) => {
            const question = { word: message.do, resolve, reject };
            question.timer = setTimeout(() => {
                this.#waiting.splice(this.#waiting.indexOf(question), 1);
                reject(new Error(`no answer to '${message.do}'`));
            }, message.do === 'replay' ? REPLAY_TIMEOUT : ANSWER_TIMEOUT);
            this.#waiting.push(question);
            this.send(message);
        });
    }

    // True if an error was the answer to a question: then the asker handles it.
    #settle(message) {
        const isError = message.is === 'error';
        const k = this.#waiting.findIndex(({ word }) => (isError ? word === message.of : ANSWERS[word] === message.is));
        if (k < 0) return false;
        const [{ resolve, reject, timer }] = this.#waiting.splice(k, 1);
        clearTimeout(timer);
        if (isError) reject(new Error(message.text));
        else resolve(message);
        return isError;
    }

    // Receives text or bytes. Events are emitted before answers, so that the page is up to date when a question is answered.
    receive(data) {
        if (typeof data === 'string') {
            const message = JSON.parse(data);
            if (message.is !== 'error') this.emit(message.is, message);
            if (!this.#settle(message) && message.is === 'error') this.emit('error', message);
            return;
        }
        const magic = data.byteLength >= 4 ? new DataView(data).getUint32(0, true) : 0;
        if (magic === SNAPSHOT_MAGIC) this.emit('snapshot', data);
        if (magic === FRAME_MAGIC) this.emit('frame', readFrame(data));
    }

    // Acknowledges a frame, which was drawn or replaced by a newer one. The engine sends only a few frames ahead, so that
    // none pile up on a slow page.
    got() { this.send({ do: 'got' }); }

    // Sends a snapshot in the form in which it was saved, without the magic.
    sendSnapshot(bytes) {
        const message = new Uint8Array(4 + bytes.byteLength);
        new DataView(message.buffer).setUint32(0, SNAPSHOT_MAGIC, true);
        message.set(new Uint8Array(bytes), 4);
        this.transmit(message.buffer);
    }
}
