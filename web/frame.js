// SPDX-License-Identifier: MIT
// Binary frames of the engines ("RLF2"): the header as plain numbers, the arrays as views into the received bytes.

export const FRAME_MAGIC = 0x32464c52, SNAPSHOT_MAGIC = 0x31534c52; // "RLF2", "RLS1"
const HEAD_BYTES = 80, PLACED_BYTES = 40, JOINT_BYTES = 28, LINK_BYTES = 8;
const HAS_Z = 1, HAS_COLOUR = 2;
export const CLOTH_FLUID = 64; // particles of the n-th cloth have this plus n as their fluid
const HAND_JOINT = 255; // not a joint of the scene: the spring of the hand

const padded = (bytes) => (bytes + 3) & ~3;

// Bodies and solids: the shape, and its present pose.
function readPlaced(view, at, count) {
    const number = (offset) => view.getFloat32(offset, true);
    return Array.from({ length: count }, (_, k) => {
        const p = at + k * PLACED_BYTES;
        return {
            position: [number(p), number(p + 4), number(p + 8)],
            turn: [number(p + 12), number(p + 16), number(p + 20), number(p + 24)],
            shape: view.getUint32(p + 28, true), id: view.getUint32(p + 32, true), kind: view.getUint32(p + 36, true),
        };
    });
}

function readJoints(view, at, count) {
    return Array.from({ length: count }, (_, k) => {
        const p = at + k * JOINT_BYTES, number = (i) => view.getFloat32(p + 4 * i, true);
        return { a: [number(0), number(1), number(2)], b: [number(3), number(4), number(5)], isHand: view.getUint32(p + 24, true) === HAND_JOINT };
    });
}

export function readFrame(buffer) {
    const view = new DataView(buffer), whole = (k) => view.getUint32(4 * k, true), real = (k) => view.getFloat32(4 * k, true);
    if (buffer.byteLength < HEAD_BYTES || whole(0) !== FRAME_MAGIC) throw new Error('not a frame');
    const flags = whole(1), n = whole(10);
    const frame = {
        bytes: buffer.byteLength, step: whole(2), time: real(3), origin: [real(4), real(5), real(6)],
        scale: [real(7), real(8), real(9)], particles: n, range: [real(16), real(17)],
        z: null, colour: null,
    };
    let at = HEAD_BYTES;
    const take = (Kind, count) => {
        const array = new Kind(buffer, at, count);
        at += padded(array.byteLength);
        return array;
    };
    frame.x = take(Uint16Array, n);
    frame.y = take(Uint16Array, n);
    if (flags & HAS_Z) frame.z = take(Uint16Array, n);
    frame.fluid = take(Uint8Array, n);
    frame.density = take(Uint8Array, n);
    if (flags & HAS_COLOUR) frame.colour = take(Uint8Array, n);
    frame.particleBytes = new Uint8Array(buffer, HEAD_BYTES, at - HEAD_BYTES);
    frame.bodies = readPlaced(view, at, whole(11));
    at += frame.bodies.length * PLACED_BYTES;
    frame.solids = readPlaced(view, at, whole(12));
    at += frame.solids.length * PLACED_BYTES;
    frame.joints = readJoints(view, at, whole(13));
    at += frame.joints.length * JOINT_BYTES;
    frame.links = take(Uint32Array, whole(14) * LINK_BYTES / 4);
    frame.segments = take(Uint32Array, 2 * whole(18));
    frame.triangles = take(Uint32Array, 3 * whole(19));
    return frame;
}

// A point of a shape, moved to where the solid is now.
export function moved({ position, turn }, [x, y, z = 0]) {
    const [a, b, c, w] = turn;
    const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
    return [
        position[0] + x + w * tx + (b * tz - c * ty),
        position[1] + y + w * ty + (c * tx - a * tz),
        position[2] + z + w * tz + (a * ty - b * tx),
    ];
}

// The inverse: from the world to the shape's own coordinates.
export function movedBack({ position, turn }, point) {
    const back = { position: [0, 0, 0], turn: [-turn[0], -turn[1], -turn[2], turn[3]] };
    return moved(back, point.map((value, k) => value - position[k]));
}

export function particleAt(frame, k) {
    return [
        frame.origin[0] + frame.scale[0] * frame.x[k], frame.origin[1] + frame.scale[1] * frame.y[k],
        frame.z ? frame.origin[2] + frame.scale[2] * frame.z[k] : 0,
    ];
}
