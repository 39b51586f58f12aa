// SPDX-License-Identifier: MIT
// The engine as WebAssembly: worker.js runs it in a worker.
import { EngineLink } from './engine_link.js';

export class WorkerEngine extends EngineLink {
    #worker;

    start() {
        this.#worker = new Worker(new URL('./worker.js', import.meta.url));
        this.#worker.onmessage = ({ data }) => this.receive(data);
        this.#worker.onerror = (event) => this.emit('state', `The engine stopped: ${event.message ?? 'it could not be loaded'}`);
        this.send({ do: 'hello' });
    }

    transmit(data) {
        if (typeof data === 'string') this.#worker.postMessage(data);
        else this.#worker.postMessage(data, [data]);
    }
}
