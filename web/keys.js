// SPDX-License-Identifier: MIT
// Keyboard shortcuts, and the list of them for the help.

const typing = (target) => target.closest?.('input:not([type="range"]):not([type="checkbox"]), textarea, select, dialog[open]');

// `table`: [[keys, words, action], ...]; keys are values of KeyboardEvent.key.
export class Keys {
    constructor(table) {
        this.actions = new Map();
        this.table = table;
        for (const [keys, , action] of table) for (const key of keys) this.actions.set(key, action);
        addEventListener('keydown', (event) => this.#pressed(event));
    }

    #pressed(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
        const action = this.actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
        if (!action) return;
        // Otherwise a focused button would be pressed too.
        event.preventDefault();
        action(event.key);
    }

    list(place) {
        const names = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };
        place.replaceChildren(...this.table.flatMap(([keys, words]) => {
            const left = document.createElement('span'), right = document.createElement('span');
            for (const key of keys) left.append(Object.assign(document.createElement('kbd'), { textContent: names[key] ?? key }), ' ');
            right.textContent = words;
            return [left, right];
        }));
    }
}
