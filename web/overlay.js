// SPDX-License-Identifier: MIT
// Everything made of lines: walls, bodies, cloth, joints and links of 2D, and in both dimensions gauges, nozzles, the tool
// in the hand, the scale. It is a separate canvas on top of the liquid.
import { bodyColour, css } from './colours.js';
import { clothColour, clothMesh } from './cloth.js';
import { movedBack, particleAt } from './frame.js';
import { niceLength } from './draw3d.js';

const PLACED_KINDS = ['height', 'front', 'density', 'pressure', 'velocity'];
const LINKS_MAX = 20000; // drawn at most: more look like a grey cloud, and cost frames

const WELD = 1e-4; // ends nearer than this are one point, as a share of the shape's size

// The longer side of the bounding box of some points.
function sizeOf(points) {
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    points.forEach((value, k) => {
        low[k % 2] = Math.min(low[k % 2], value);
        high[k % 2] = Math.max(high[k % 2], value);
    });
    return Math.max(high[0] - low[0], high[1] - low[1]);
}

// The line pieces of a 2D shape, joined end to end: [{points: [[x, y], ...], closed}]. A piece extends the last chain if it
// begins where that chain ends; chains that are still open are then joined where one begins at another's end. Outlines that
// only touch stay separate.
export function chains({ points, cells }) {
    const near = WELD * sizeOf(points), at = (k) => [points[2 * k], points[2 * k + 1]], result = [];
    const meet = (a, b) => Math.abs(a[0] - b[0]) <= near && Math.abs(a[1] - b[1]) <= near;
    const lengthen = (chain, more) => {
        chain.points.push(...more);
        chain.closed = meet(chain.points[0], chain.points.at(-1));
        if (chain.closed) chain.points.pop();
    };
    for (let c = 0; c < cells.length; c += 2) {
        const [from, to] = [at(cells[c]), at(cells[c + 1])], last = result.at(-1);
        if (last && !last.closed && meet(last.points.at(-1), from)) lengthen(last, [to]);
        else result.push({ points: [from, to], closed: false });
    }
    for (let k = 0; k < result.length; ++k) {
        for (let other; !result[k].closed && (other = result.findIndex((chain, n) => n !== k && !chain.closed && meet(result[k].points.at(-1), chain.points[0]))) >= 0;) {
            lengthen(result[k], result[other].points.slice(1));
            result.splice(other, 1);
            if (other < k) --k;
        }
    }
    return result;
}

const FAR = 1e3; // [m]: drawn extent of a half-space

// A half-space: everything behind its plane.
function planePath({ position: [x, y], normal: [nx, ny] }) {
    const path = new Path2D(), corner = (along, back) => [x - ny * along * FAR - nx * back * FAR, y + nx * along * FAR - ny * back * FAR];
    path.moveTo(...corner(-1, 0));
    for (const place of [[1, 0], [1, 1], [-1, 1]]) path.lineTo(...corner(...place));
    path.closePath();
    return { path, parts: [path], closed: true, inside: false, radius: 0 };
}

function pathOf(shape) {
    if (shape.plane) return planePath(shape.plane);
    const path = new Path2D(), parts = [];
    let closed = true;
    for (const chain of chains(shape)) {
        const part = new Path2D();
        chain.points.forEach(([x, y], k) => (k ? part.lineTo(x, y) : part.moveTo(x, y)));
        if (chain.closed) part.closePath();
        closed &&= chain.closed;
        path.addPath(part);
        parts.push(part);
    }
    return { path, parts, closed, inside: shape.inside, radius: shape.radius ?? 0 };
}

export class Overlay {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext('2d');
        this.shapes = new Map();
        this.probe = document.createElement('canvas').getContext('2d');
    }

    setShapes(shapes, dim) {
        this.shapes = dim === 2 ? new Map(shapes.map((shape) => [shape.id, pathOf(shape)])) : new Map();
    }

    resize(width, height, ratio) {
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
        this.ratio = ratio;
    }

    draw({ camera, info, frame, look, theme, hands, gaugeValues }) {
        const { context: c } = this;
        c.setTransform(1, 0, 0, 1, 0, 0);
        c.clearRect(0, 0, this.canvas.width, this.canvas.height);
        if (!info || !frame) return;
        this.camera = camera;
        this.theme = theme;
        if (info.dim === 2) this.#drawSolids(frame, info);
        c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        if (info.dim === 2) this.#drawCloth(frame);
        if (look.links) this.#drawLinks(frame);
        this.#drawJoints(frame.joints);
        this.#drawNozzles(info.emitters ?? []);
        this.#drawGauges(info.gauges ?? [], gaugeValues);
        if (info.dim === 2) this.#drawScale();
        hands.drawTool(c, camera, theme);
    }

    // Sets the canvas's axes to the solid's own.
    #placeAs({ position, turn }) {
        const { camera, ratio } = this, angle = 2 * Math.atan2(turn[2], turn[3]), s = camera.scale * ratio;
        const [x, y] = camera.toPage(position);
        this.context.setTransform(s * Math.cos(angle), -s * Math.sin(angle), -s * Math.sin(angle), -s * Math.cos(angle), x * ratio, y * ratio);
        return s;
    }

    #drawSolids(frame, info) {
        for (const solid of frame.solids) this.#drawSolid(solid, this.theme.wall, this.theme.wallEdge, info);
        for (const body of frame.bodies) {
            const colour = bodyColour(body.id);
            this.#drawSolid(body, css(colour), css(colour.map((v) => 0.45 * v)), info);
        }
    }

    #drawSolid(placed, fill, edge, info) {
        const shape = this.shapes.get(placed.shape);
        if (!shape) return;
        const { context: c } = this, scale = this.#placeAs(placed);
        c.lineJoin = c.lineCap = 'round';
        if (shape.inside) {
            // Containers are solid outside: everything in view except the hole is filled.
            const { min, max } = info.view, far = 20 * Math.max(max[0] - min[0], max[1] - min[1]), around = new Path2D();
            around.rect(min[0] - far, min[1] - far, max[0] - min[0] + 2 * far, max[1] - min[1] + 2 * far);
            around.addPath(shape.path);
            c.fillStyle = fill;
            c.fill(around, 'evenodd');
        } else if (!shape.closed) {
            c.lineWidth = Math.max(2 * shape.radius, 3 / scale);
            c.strokeStyle = fill;
            c.stroke(shape.path);
            return;
        }
        // The edge comes first: where parts overlap, such as those of a drawn wall, the filling covers the edges inside.
        c.lineWidth = (shape.inside ? 1.6 : 3) * this.ratio / scale;
        c.strokeStyle = edge;
        c.stroke(shape.path);
        if (shape.inside) return;
        c.fillStyle = fill;
        // Parts are filled one by one: in a common path, overlaps of opposite orientation would be holes.
        for (const part of shape.parts) c.fill(part, 'nonzero');
    }

    #drawCloth(frame) {
        const { context: c, camera } = this, { data, elements, parts } = clothMesh(frame, frame.segments, 2);
        for (const { cloth, first, count } of parts) {
            const colour = clothColour(cloth), line = new Path2D();
            for (let k = first; k < first + count; ++k) {
                const point = camera.toPage(data.subarray(6 * elements[k], 6 * elements[k] + 2));
                if ((k - first) % 2) line.lineTo(...point);
                else line.moveTo(...point);
            }
            c.lineCap = 'round';
            for (const [width, paint] of [[5, colour.map((v) => 0.45 * v)], [3, colour]]) {
                c.lineWidth = width;
                c.strokeStyle = css(paint);
                c.stroke(line);
            }
        }
    }

    #drawLinks(frame) {
        const { context: c, camera } = this, count = Math.min(frame.links.length, 2 * LINKS_MAX);
        c.beginPath();
        for (let k = 0; k < count; k += 2) {
            const a = camera.toPage(particleAt(frame, frame.links[k])), b = camera.toPage(particleAt(frame, frame.links[k + 1]));
            if (!a || !b) continue;
            c.moveTo(...a);
            c.lineTo(...b);
        }
        c.lineWidth = 0.8;
        c.strokeStyle = this.theme.ink;
        c.globalAlpha = 0.55;
        c.stroke();
        c.globalAlpha = 1;
    }

    #drawJoints(joints) {
        const { context: c, camera } = this;
        for (const joint of joints) {
            const a = camera.toPage(joint.a), b = camera.toPage(joint.b), colour = joint.isHand ? this.theme.accent : this.theme.ink;
            if (!a || !b) continue;
            c.strokeStyle = colour;
            c.lineWidth = joint.isHand ? 2.5 : 1.5;
            c.beginPath();
            c.moveTo(...a);
            c.lineTo(...b);
            c.stroke();
            for (const end of [a, b]) this.#dot(end, 3.5, colour);
        }
    }

    #dot([x, y], radius, colour) {
        const { context: c } = this;
        c.beginPath();
        c.arc(x, y, radius, 0, 2 * Math.PI);
        c.fillStyle = colour;
        c.fill();
    }

    #drawNozzles(emitters) {
        const { context: c, camera } = this;
        for (const { position, direction } of emitters) {
            const from = camera.toPage(position), to = camera.toPage(position.map((v, k) => v + 1e-3 * (direction[k] ?? 0)));
            if (!from || !to) continue;
            c.save();
            c.translate(...from);
            c.rotate(Math.atan2(to[1] - from[1], to[0] - from[0]));
            c.beginPath();
            c.moveTo(-10, -7);
            c.lineTo(2, -5);
            c.lineTo(2, 5);
            c.lineTo(-10, 7);
            c.closePath();
            c.fillStyle = this.theme.wall;
            c.strokeStyle = this.theme.ink;
            c.fill();
            c.stroke();
            c.restore();
        }
    }

    #drawGauges(gauges, values) {
        const { context: c, camera } = this;
        c.font = '11px system-ui, sans-serif';
        gauges.forEach((gauge, k) => {
            const place = PLACED_KINDS.includes(gauge.kind) && camera.toPage(gauge.position);
            if (!place) return;
            this.#dot(place, 4, this.theme.accent);
            const value = values?.[k]?.[0];
            this.#label(`${gauge.name}${value === undefined ? '' : ` ${readable(value)} ${gauge.unit}`}`, place[0] + 8, place[1] - 6);
        });
    }

    #label(text, x, y) {
        const { context: c } = this;
        c.lineWidth = 3;
        c.strokeStyle = css(this.theme.paperHigh, 0.8);
        c.strokeText(text, x, y);
        c.fillStyle = this.theme.ink;
        c.fillText(text, x, y);
    }

    #drawScale() {
        const { context: c, camera } = this, length = niceLength(90 / camera.scale), x = camera.width - camera.margins[2] - 20, y = camera.height - camera.margins[3] - 10;
        c.beginPath();
        c.moveTo(x - length * camera.scale, y - 4);
        c.lineTo(x - length * camera.scale, y);
        c.lineTo(x, y);
        c.lineTo(x, y - 4);
        c.lineWidth = 1.5;
        c.strokeStyle = this.theme.ink;
        c.stroke();
        c.font = '11px system-ui, sans-serif';
        c.textAlign = 'right';
        this.#label(length >= 1 ? `${length} m` : length >= 0.01 ? `${+(100 * length).toFixed(3)} cm` : `${+(1000 * length).toFixed(3)} mm`, x - 4, y - 6);
        c.textAlign = 'left';
    }

    // The body or solid at a point of the world (2D): {kind, id} or null.
    pick(frame, point) {
        const hit = (placed) => {
            const shape = this.shapes.get(placed.shape);
            if (!shape || shape.inside) return false;
            const [x, y] = movedBack(placed, point);
            this.probe.lineWidth = Math.max(2 * shape.radius, 8 / this.camera.scale);
            return (shape.closed && this.probe.isPointInPath(shape.path, x, y)) || this.probe.isPointInStroke(shape.path, x, y);
        };
        const body = frame.bodies.findLast(hit);
        if (body) return { kind: 'body', id: body.id };
        const solid = frame.solids.findLast(hit);
        return solid ? { kind: 'solid', id: solid.id } : null;
    }
}

// Three significant digits, without trailing zeros.
export function readable(value) {
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
    return size >= 1000 ? value.toFixed(0) : String(+value.toPrecision(3));
}
