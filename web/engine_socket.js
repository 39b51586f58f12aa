// SPDX-License-Identifier: MIT
// The native engine: `rill view`, connected by a WebSocket.
import { EngineLink } from './engine_link.js';

const RETRY_FIRST = 500, RETRY_LAST = 8000; // [ms]
const QUEUE_MAX = 64;                       // messages that may wait for a connection

export class SocketEngine extends EngineLink {
    #token;
    #queue = [];
    #retry = RETRY_FIRST;
    #open = false;

    constructor(token) {
        super();
        this.#token = token;
    }

    start() {
        const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
        this.socket = new WebSocket(`${scheme}://${location.host}/socket`, 'rill');
        this.socket.binaryType = 'arraybuffer';
        this.socket.onopen = () => this.#begin();
        this.socket.onmessage = ({ data }) => this.receive(data);
        this.socket.onclose = () => this.#lost();
    }

    #begin() {
        this.#open = true;
        this.#retry = RETRY_FIRST;
        this.emit('state', '');
        this.socket.send(JSON.stringify({ do: 'hello', token: this.#token }));
        for (const data of this.#queue.splice(0)) this.socket.send(data);
    }

    #lost() {
        this.#open = false;
        this.emit('state', 'The engine does not answer; trying again.');
        setTimeout(() => this.start(), this.#retry);
        this.#retry = Math.min(2 * this.#retry, RETRY_LAST);
    }

    transmit(data) {
        if (this.#open) this.socket.send(data);
        else if (this.#queue.length < QUEUE_MAX) this.#queue.push(data);
    }
}
