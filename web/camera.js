// SPDX-License-Identifier: MIT
// The camera: a window on the plane (Camera2d), or an eye that circles a point (Camera3d). Both convert points on the page
// (CSS pixels) into points of the world, and back.

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const sub = (a, b) => a.map((v, k) => v - b[k]);
const add = (a, b, s = 1) => a.map((v, k) => v + s * b[k]);
const dot = (a, b) => a.reduce((sum, v, k) => sum + v * b[k], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.sqrt(dot(a, a));
const unit = (a) => a.map((v) => v / (length(a) || 1));

export const vec = { add, sub, dot, cross, length, unit };

const NO_MARGINS = [0, 0, 0, 0];

// Shows the whole view until the user moves the camera. Subclasses do that in fit(), which the constructor calls before
// their private members exist.
class Camera {
    constructor(view) {
        this.width = this.height = 1;
        this.margins = NO_MARGINS;
        this.show(view);
    }

    show(view) {
        this.view = view;
        this.touched = false;
        this.fit();
    }

    // `margins`: covered parts of the page on the left, top, right and bottom; the view is fitted into the rest.
    resize(width, height, margins = NO_MARGINS) {
        Object.assign(this, { width, height, margins });
        if (!this.touched) this.fit();
    }
}

// `scale`: CSS pixels per metre.
export class Camera2d extends Camera {
    fit() {
        const { min, max } = this.view, [left, top, right, bottom] = this.margins;
        const wide = Math.max(this.width - left - right, 1), high = Math.max(this.height - top - bottom, 1);
        this.scale = Math.min(wide / (max[0] - min[0]), high / (max[1] - min[1]));
        this.centre = [
            0.5 * (min[0] + max[0]) + 0.5 * (right - left) / this.scale, 0.5 * (min[1] + max[1]) + 0.5 * (top - bottom) / this.scale,
        ];
    }

    pan(dx, dy) {
        this.touched = true;
        this.centre = [this.centre[0] - dx / this.scale, this.centre[1] + dy / this.scale];
    }

    zoom(factor, x, y) {
        this.touched = true;
        const before = this.toWorld(x, y);
        this.scale = clamp(this.scale * factor, 1e-3, 1e9);
        const after = this.toWorld(x, y);
        this.centre = [this.centre[0] + before[0] - after[0], this.centre[1] + before[1] - after[1]];
    }

    toWorld(x, y) {
        return [this.centre[0] + (x - 0.5 * this.width) / this.scale, this.centre[1] - (y - 0.5 * this.height) / this.scale, 0];
    }

    toPage([x, y]) {
        return [0.5 * this.width + (x - this.centre[0]) * this.scale, 0.5 * this.height - (y - this.centre[1]) * this.scale];
    }
}

const FIELD_OF_VIEW = 0.72; // [rad], of the shorter side

export class Camera3d extends Camera {
    fit() {
        const { min, max } = this.view, middle = min.map((v, k) => 0.5 * (v + max[k]));
        this.target = [...(this.view.target ?? middle)];
        const from = this.view.eye ? sub(this.view.eye, this.target) : [0.45, -1, 0.45];
        this.yaw = Math.atan2(from[1], from[0]);
        this.pitch = clamp(Math.asin(from[2] / length(from)), 0.05, 1.5);
        this.size = length(sub(max, min));
        // Far enough for the box to fit into a window of any shape.
        this.distance = this.distanceToFit(min, max) * this.height / Math.max(this.height - this.margins[1] - this.margins[3], 1);
    }

    distanceToFit(min, max) {
        this.distance = 1;
        const { right, up, forward } = this.axes(), [wide, high] = this.halfAngles().map(Math.tan);
        let needed = 0;
        for (let corner = 0; corner < 8; ++corner) {
            const p = sub([0, 1, 2].map((k) => ((corner >> k) & 1 ? max[k] : min[k])), this.target);
            const nearer = dot(p, forward);
            needed = Math.max(needed, Math.abs(dot(p, right)) / wide - nearer, Math.abs(dot(p, up)) / high - nearer);
        }
        return needed;
    }

    halfAngles() {
        const shape = this.width / this.height;
        return shape > 1 ? [Math.atan(shape * Math.tan(FIELD_OF_VIEW / 2)), FIELD_OF_VIEW / 2]
            : [FIELD_OF_VIEW / 2, Math.atan(Math.tan(FIELD_OF_VIEW / 2) / shape)];
    }

    axes() {
        const { yaw, pitch } = this, back = [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch)];
        const right = unit(cross([0, 0, 1], back));
        return { right, up: cross(back, right), forward: back.map((v) => -v) };
    }

    get eye() { return add(this.target, this.axes().forward, -this.distance); }

    orbit(dx, dy) {
        this.touched = true;
        this.yaw -= 0.006 * dx;
        this.pitch = clamp(this.pitch + 0.006 * dy, -0.1, 1.55);
    }

    pan(dx, dy) {
        this.touched = true;
        const { right, up } = this.axes(), metre = this.metresForPixel();
        this.target = add(add(this.target, right, -dx * metre), up, dy * metre);
    }

    zoom(factor) {
        this.touched = true;
        this.distance = clamp(this.distance / factor, 0.05 * this.size, 20 * this.size);
    }

    metresForPixel() { return 2 * this.distance * Math.tan(this.halfAngles()[1]) / this.height; }

    // Everything that a shader needs. Depth is the distance along the axis, between near and far.
    matrices() {
        const { right, up, forward } = this.axes(), { eye } = this, near = 0.02 * this.size, far = 60 * this.size;
        const view = [
            right[0], up[0], -forward[0], 0, right[1], up[1], -forward[1], 0, right[2], up[2], -forward[2], 0,
            -dot(right, eye), -dot(up, eye), dot(forward, eye), 1,
        ];
        const [wide, high] = this.halfAngles().map(Math.tan);
        const projection = [
            1 / wide, 0, 0, 0, 0, 1 / high, 0, 0, 0, 0, -(far + near) / (far - near), -1, 0, 0, -2 * far * near / (far - near), 0,
        ];
        return { view, projection, slope: [wide, high], eye, right, up, forward, near, far };
    }

    ray(x, y) {
        const { right, up, forward } = this.axes(), [wide, high] = this.halfAngles().map(Math.tan);
        const sx = 2 * x / this.width - 1, sy = 1 - 2 * y / this.height;
        return { from: this.eye, along: unit(add(add(forward, right, sx * wide), up, sy * high)) };
    }

    // Where the ray through a point on the page meets the plane through `through` that faces the eye.
    toWorld(x, y, through = this.target) {
        const { from, along } = this.ray(x, y), { forward } = this.axes();
        return add(from, along, dot(sub(through, from), forward) / dot(along, forward));
    }

    toPage(point) {
        const { right, up, forward } = this.axes(), p = sub(point, this.eye), depth = dot(p, forward);
        if (depth <= 0) return null;
        const [wide, high] = this.halfAngles().map(Math.tan);
        return [0.5 * this.width * (1 + dot(p, right) / (depth * wide)), 0.5 * this.height * (1 - dot(p, up) / (depth * high))];
    }
}
