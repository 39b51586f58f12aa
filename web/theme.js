// SPDX-License-Identifier: MIT
// Light and dark: the colours of painted things (style.css has those of the page around them).

export const THEMES = {
    light: {
        paperLow: [0.90, 0.93, 0.96], paperHigh: [0.98, 0.985, 0.99], wall: '#8b97a3', wallEdge: '#4d5a66', ink: '#12222f',
        accent: '#1769c6',
        surroundings: {
            sky_high: [0.42, 0.66, 0.93], sky_low: [0.93, 0.96, 0.985], floor_light: [0.93, 0.94, 0.945],
            floor_dark: [0.72, 0.79, 0.84], wall: [0.75, 0.77, 0.80], glass_edge: [0.45, 0.55, 0.62],
            to_light: [-0.38, -0.32, 0.868],
        },
    },
    dark: {
        paperLow: [0.035, 0.055, 0.075], paperHigh: [0.075, 0.11, 0.145], wall: '#4a5763', wallEdge: '#8394a3', ink: '#e8f0f6',
        accent: '#6db3ff',
        surroundings: {
            sky_high: [0.10, 0.19, 0.33], sky_low: [0.30, 0.40, 0.50], floor_light: [0.52, 0.57, 0.61],
            floor_dark: [0.33, 0.39, 0.44], wall: [0.52, 0.55, 0.58], glass_edge: [0.68, 0.78, 0.85],
            to_light: [-0.38, -0.32, 0.868],
        },
    },
};

const system = matchMedia('(prefers-color-scheme: dark)');

function remembered() {
    try {
        return localStorage.getItem('rill-theme') ?? 'auto';
    } catch {
        return 'auto'; // A browser may refuse to store the choice; then the system decides.
    }
}

export class Theme {
    constructor(changed) {
        this.choice = remembered();
        this.changed = changed;
        system.addEventListener('change', () => this.#apply());
        this.#apply();
    }

    choose(choice) {
        this.choice = choice;
        try {
            localStorage.setItem('rill-theme', choice);
        } catch { /* see above */ }
        this.#apply();
    }

    get name() { return this.choice === 'auto' ? (system.matches ? 'dark' : 'light') : this.choice; }
    get colours() { return THEMES[this.name]; }

    #apply() {
        document.documentElement.dataset.theme = this.name;
        this.changed?.();
    }
}
