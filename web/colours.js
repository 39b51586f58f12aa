// SPDX-License-Identifier: MIT
// Colours of fluids, bodies and fields. Shaders get them as textures and uniforms, so a legend shows what is drawn.
import { makeTexture } from './gl.js';

// For each liquid the light that a metre of it absorbs (red, green, blue; scaled later by the size of the scene), and its
// colour in 2D. A colour given by the scene takes precedence.
const LIQUIDS = {
    water: { absorbs: [0.92, 0.30, 0.10], flat: [0.10, 0.44, 0.86] },
    sea_water: { absorbs: [0.95, 0.24, 0.20], flat: [0.04, 0.48, 0.66] },
    oil: { absorbs: [0.12, 0.30, 1.50], flat: [0.86, 0.70, 0.16] },
    honey: { absorbs: [0.10, 0.55, 2.60], flat: [0.90, 0.54, 0.08] },
    glycerol: { absorbs: [0.30, 0.22, 0.20], flat: [0.55, 0.68, 0.72] },
    milk: { absorbs: [0.10, 0.11, 0.16], flat: [0.93, 0.92, 0.88], cloudy: 1 },
    mercury: { absorbs: [3, 3, 2.9], flat: [0.58, 0.60, 0.64], cloudy: 1 },
    ethanol: { absorbs: [0.45, 0.12, 0.55], flat: [0.34, 0.72, 0.50] },
    paint: { absorbs: [0.10, 2.20, 2.40], flat: [0.84, 0.16, 0.14], cloudy: 1 },
    mud: { absorbs: [0.70, 1.10, 1.70], flat: [0.45, 0.33, 0.22], cloudy: 1 },
    gel: { absorbs: [0.80, 0.10, 0.60], flat: [0.24, 0.74, 0.42] },
    clay: { absorbs: [0.30, 0.80, 1.30], flat: [0.76, 0.50, 0.34], cloudy: 1 },
    rubber: { absorbs: [2.0, 1.9, 1.8], flat: [0.30, 0.30, 0.34], cloudy: 1 },
    acetone: { absorbs: [0.30, 0.65, 0.25], flat: [0.68, 0.42, 0.80] },
};
const SPARE = ['water', 'oil', 'acetone', 'ethanol', 'honey', 'sea_water'];

export function liquidOf(fluid, index = 0) {
    const named = LIQUIDS[fluid.material] ?? LIQUIDS[fluid.name] ?? LIQUIDS[SPARE[index % SPARE.length]];
    const chosen = fluid.color && parsed(fluid.color);
    if (!chosen) return { cloudy: 0, ...named };
    // The liquid absorbs what is missing in the colour.
    return { cloudy: 0, ...named, absorbs: chosen.map((c) => 0.1 + 2 * (1 - c) * (1 - c)), flat: chosen };
}

// A colour as scenes write it: '#rrggbb', or three numbers from 0 to 1.
function parsed(text) {
    const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(text);
    if (hex) return hex.slice(1).map((pair) => parseInt(pair, 16) / 255);
    const numbers = String(text).split(/[\s,[\]]+/).filter(Boolean).map(Number);
    return numbers.length >= 3 && numbers.every(Number.isFinite) ? numbers.slice(0, 3) : null;
}

// The speed at which a liquid is drawn palest [m/s]: that of a fall through the scene. The range of a frame's values would
// not do: it is filled even when everything is nearly at rest.
export function fastFlow({ min, max }) {
    const up = min.length - 1;
    return Math.sqrt(2 * 9.81 * (max[up] - min[up])) || 1;
}

export const liquidNames = Object.keys(LIQUIDS);

const BODIES = [
    [0.80, 0.52, 0.25], [0.78, 0.27, 0.22], [0.93, 0.76, 0.28], [0.36, 0.60, 0.36], [0.55, 0.42, 0.68], [0.87, 0.56, 0.55],
    [0.42, 0.52, 0.60],
];
export const bodyColour = (id) => BODIES[id % BODIES.length];
export const css = (rgb, alpha = 1) => `rgb(${rgb.map((c) => Math.round(255 * c)).join(' ')} / ${alpha})`;

// Viridis, at nine points; for ids, colours that differ from their neighbours'.
const RAMP = [
    [68, 1, 84], [71, 45, 123], [59, 82, 139], [44, 114, 142], [33, 145, 140], [40, 174, 128], [94, 201, 98], [173, 220, 48],
    [253, 231, 37],
];
const RAMP_SIZE = 256;

export function rampColour(share) {
    const at = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1), k = Math.min(Math.floor(at), RAMP.length - 2), t = at - k;
    return RAMP[k].map((c, i) => (c + (RAMP[k + 1][i] - c) * t) / 255);
}

export function idColour(share) {
    const hue = (share * 255 * 0.61803) % 1;
    return [0, 2 / 3, 1 / 3].map((shift) => 0.25 + 0.65 * Math.min(Math.max(Math.abs(((hue + shift) % 1) * 6 - 3) - 1, 0), 1));
}

export function rampTexture(gl, colour) {
    const data = new Uint8Array(4 * RAMP_SIZE);
    for (let k = 0; k < RAMP_SIZE; ++k) {
        data.set([...colour(k / (RAMP_SIZE - 1)).map((c) => Math.round(255 * c)), 255], 4 * k);
    }
    return makeTexture(gl, RAMP_SIZE, 1, gl.RGBA8, { data });
}
