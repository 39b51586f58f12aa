// SPDX-License-Identifier: MIT
// The cloth of a frame: triangles with smooth normals for the graphics card, segments as lines.
import { CLOTH_FLUID, particleAt } from './frame.js';

const COLOURS = [[0.72, 0.26, 0.22], [0.80, 0.77, 0.69], [0.30, 0.52, 0.55], [0.91, 0.72, 0.30], [0.52, 0.36, 0.56]];
export const clothColour = (cloth) => COLOURS[cloth % COLOURS.length];

const clothOf = (frame, particle) => frame.fluid[particle] - CLOTH_FLUID;

// Sorts `ends` (`corners` particles for each piece) by cloth; parts: [{cloth, first, count}], in places of the sorted list.
function sortByCloth(frame, ends, corners) {
    const byCloth = new Map();
    for (let k = 0; k < ends.length; k += corners) {
        const cloth = clothOf(frame, ends[k]);
        if (!byCloth.has(cloth)) byCloth.set(cloth, []);
        for (let c = 0; c < corners; ++c) byCloth.get(cloth).push(ends[k + c]);
    }
    const sorted = [], parts = [];
    for (const [cloth, list] of byCloth) {
        parts.push({ cloth, first: sorted.length, count: list.length });
        for (const end of list) sorted.push(end);
    }
    return { sorted, parts };
}

function addNormal(data, [a, b, c]) {
    const at = (k, axis) => data[6 * k + axis], side = (k, axis) => at(k, axis) - at(a, axis);
    const normal = [0, 1, 2].map((x) => {
        const [y, z] = [(x + 1) % 3, (x + 2) % 3];
        return side(b, y) * side(c, z) - side(b, z) * side(c, y); // Weighted by the area of the piece.
    });
    for (const k of [a, b, c]) for (let axis = 0; axis < 3; ++axis) data[6 * k + 3 + axis] += normal[axis];
}

// {data: point and normal of each particle, elements: particles of the pieces, parts: [{cloth, first, count}]}. Pieces have
// three corners, or two: those are lines without normals.
export function clothMesh(frame, ends, corners) {
    const { sorted, parts } = sortByCloth(frame, ends, corners), numbers = new Map();
    const elements = Uint32Array.from(sorted, (particle) => {
        if (!numbers.has(particle)) numbers.set(particle, numbers.size);
        return numbers.get(particle);
    });
    const data = new Float32Array(6 * numbers.size);
    for (const [particle, k] of numbers) data.set(particleAt(frame, particle), 6 * k);
    if (corners === 3) for (let k = 0; k < elements.length; k += 3) addNormal(data, elements.subarray(k, k + 3));
    return { data, elements, parts };
}

// Draws a mesh of clothMesh on the graphics card.
export class ClothPart {
    constructor(gl, corners) {
        this.gl = gl;
        this.corners = corners;
        this.parts = [];
        this.array = gl.createVertexArray();
        this.buffer = gl.createBuffer();
        this.elements = gl.createBuffer();
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.elements);
        for (const place of [0, 1]) {
            gl.enableVertexAttribArray(place);
            gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, 12 * place);
        }
        gl.bindVertexArray(null);
    }

    upload(frame, ends) {
        const { gl } = this, { data, elements, parts } = clothMesh(frame, ends, this.corners);
        this.parts = parts;
        if (parts.length === 0) return;
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, elements, gl.STREAM_DRAW);
        gl.bindVertexArray(null);
    }

    // `use` gets the colour of each cloth, and sets up a program.
    draw(use) {
        const { gl } = this;
        for (const { cloth, first, count } of this.parts) {
            use(clothColour(cloth));
            gl.bindVertexArray(this.array);
            gl.drawElements(this.corners === 3 ? gl.TRIANGLES : gl.LINES, count, gl.UNSIGNED_INT, 4 * first);
        }
    }
}
