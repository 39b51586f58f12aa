// SPDX-License-Identifier: MIT
// Surfaces of shapes for the graphics card: triangles with normals that are smooth except at edges, and those edges.
import { vec } from './camera.js';

const CREASE = 0.8; // cosine of the largest angle between faces that look like one smooth surface

const key = (points, k) => [0, 1, 2].map((c) => points[3 * k + c].toPrecision(6)).join();
const corner = (points, k) => [points[3 * k], points[3 * k + 1], points[3 * k + 2]];

function faceNormals({ points = [], cells = [] }) {
    const normals = [];
    for (let c = 0; c < cells.length; c += 3) {
        const [a, b, d] = [0, 1, 2].map((k) => corner(points, cells[c + k]));
        normals.push(vec.cross(vec.sub(b, a), vec.sub(d, a))); // Weighted by the area of the face.
    }
    return normals;
}

// {triangles: Float32Array of point and normal, edges: points and normals in pairs}.
export function meshOf(shape) {
    const { points = [], cells = [] } = shape, faces = faceNormals(shape), units = faces.map(vec.unit);
    const names = Array.from({ length: points.length / 3 }, (_, k) => key(points, k));
    const around = new Map(), sides = new Map();
    for (let c = 0; c < cells.length; ++c) {
        const face = Math.floor(c / 3), here = names[cells[c]];
        if (!around.has(here)) around.set(here, []);
        around.get(here).push(face);
        const next = names[cells[3 * face + (c + 1) % 3]], side = here < next ? `${here}|${next}` : `${next}|${here}`;
        if (!sides.has(side)) sides.set(side, { faces: [], ends: [cells[c], cells[3 * face + (c + 1) % 3]] });
        sides.get(side).faces.push(face);
    }
    const triangles = [];
    for (let c = 0; c < cells.length; ++c) {
        const face = Math.floor(c / 3);
        let normal = [0, 0, 0];
        for (const other of around.get(names[cells[c]])) {
            if (vec.dot(units[face], units[other]) > CREASE) normal = vec.add(normal, faces[other]);
        }
        triangles.push(...corner(points, cells[c]), ...vec.unit(normal));
    }
    const edges = [];
    for (const { faces: pair, ends } of sides.values()) {
        if (pair.length === 2 && vec.dot(units[pair[0]], units[pair[1]]) > CREASE) continue;
        for (const end of ends) edges.push(...corner(points, end), ...units[pair[0]]);
    }
    return { triangles: new Float32Array(triangles), edges: new Float32Array(edges) };
}
