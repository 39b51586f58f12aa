// SPDX-License-Identifier: MIT
// Hands: the pointer acts on the fluid, on bodies and on the camera. One finger uses the tool, two move the camera. A tool
// is an object with begin, move, hold (called for each picture while the pointer is down) and end.

const BOX_LEAST = 2; // sides of a drawn box [spacings]
const POINT_STEP = 1.5, POINTS_MAX = 256; // distance of the points of a drawn wall [spacings], and their largest number
const SPEED_MAX = 20; // of a push [m/s]

export const TOOLS = [
    { name: 'hand', title: 'Grab bodies and nozzles; stir where there is none' },
    { name: 'push', title: 'Push and pull the fluid' },
    { name: 'pour', title: 'Pour' },
    { name: 'erase', title: 'Cut and erase fluid; take away bodies and walls' },
    { name: 'wall', title: 'Draw a wall', flat: true },
    { name: 'box', title: 'Put in a box' },
    { name: 'gauge', title: 'Measure at a point' },
];

export class Hands {
    // `app`: engine, info, frame, camera, overlay, drawer, redraw(), touchUp(), complain(text), options (of the tools).
    constructor(app, canvas) {
        this.app = app;
        this.canvas = canvas;
        this.tool = 'hand';
        this.pointers = new Map();
        this.action = null;
        this.hover = null;
        canvas.addEventListener('pointerdown', (event) => this.#down(event));
        canvas.addEventListener('pointermove', (event) => this.#move(event));
        canvas.addEventListener('pointerleave', () => { this.hover = null; app.touchUp(); });
        for (const kind of ['pointerup', 'pointercancel']) canvas.addEventListener(kind, (event) => this.#up(event));
        canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
        canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    }

    // ---- pointers ----
    #place(event) {
        const frame = this.canvas.getBoundingClientRect();
        return [event.clientX - frame.left, event.clientY - frame.top];
    }

    #down(event) {
        this.canvas.setPointerCapture(event.pointerId);
        this.canvas.focus({ preventScroll: true });
        const page = this.#place(event);
        this.pointers.set(event.pointerId, page);
        if (!this.app.info) return;
        if (this.pointers.size === 2) {
            this.action?.end?.(this.last, true);
            this.action = null;
            this.pinch = this.#pinchOf();
        } else if (event.button !== 0 || event.shiftKey) {
            this.action = this.#cameraAction(event.button === 2 && !event.shiftKey);
        } else {
            this.action = this.#toolAction();
        }
        this.last = this.#point(page, true);
        this.action?.begin?.(this.last);
        this.app.touchUp();
    }

    #move(event) {
        const page = this.#place(event);
        if (event.pointerType === 'mouse') this.hover = page;
        if (this.pointers.has(event.pointerId)) {
            this.pointers.set(event.pointerId, page);
            if (this.pointers.size === 2) this.#pinchMove();
            else if (this.action) {
                this.last = this.#point(page, false);
                this.action.move?.(this.last);
            }
        }
        this.app.touchUp();
    }

    #up(event) {
        if (!this.pointers.delete(event.pointerId)) return;
        if (this.pointers.size === 0) {
            this.action?.end?.(this.last, event.type === 'pointercancel');
            this.action = null;
        }
        this.app.touchUp();
    }

    #wheel(event) {
        event.preventDefault();
        this.app.camera?.zoom(Math.exp(-0.0015 * event.deltaY), ...this.#place(event));
        this.app.redraw();
    }

    #pinchOf() {
        const [a, b] = [...this.pointers.values()];
        return { middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], apart: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1 };
    }

    #pinchMove() {
        const now = this.#pinchOf(), { camera } = this.app;
        const dx = now.middle[0] - this.pinch.middle[0], dy = now.middle[1] - this.pinch.middle[1];
        if (camera.orbit) camera.orbit(dx, dy);
        else camera.pan(dx, dy);
        camera.zoom(now.apart / this.pinch.apart, ...now.middle);
        this.pinch = now;
        this.app.redraw();
    }

    // A point on the page and in the world. In 3D the first touch of an action determines the depth, and later ones keep it.
    #point(page, first) {
        const { camera, info } = this.app;
        if (info.dim === 2) return { page, at: camera.toWorld(...page) };
        if (first) {
            const depth = this.app.drawer.depthAt(page[0] / camera.width, 1 - page[1] / camera.height);
            const { from, along } = camera.ray(...page), { forward } = camera.axes();
            const ahead = along.reduce((sum, v, k) => sum + v * forward[k], 0);
            const seen = depth > 0 && depth < 5 * camera.size ? from.map((v, k) => v + along[k] * depth / ahead) : camera.target;
            this.anchor = seen;
        }
        return { page, at: camera.toWorld(...page, this.anchor), ray: camera.ray(...page).along };
    }

    // Called for each picture, for actions that last as long as the pointer is held.
    hold() { if (this.pointers.size === 1) this.action?.hold?.(this.last); }

    // ---- camera ----
    #cameraAction(turn) {
        const { camera } = this.app;
        let before;
        return {
            begin: ({ page }) => { before = page; },
            move: ({ page }) => {
                const by = [page[0] - before[0], page[1] - before[1]];
                if (turn && camera.orbit) camera.orbit(...by);
                else camera.pan(...by);
                this.app.redraw();
                before = page;
            },
        };
    }

    // ---- tools ----
    #toolAction() {
        switch (this.tool) {
        case 'push': return this.#push();
        case 'pour': return this.#pour();
        case 'erase': return this.#erase();
        case 'wall': return this.#wall();
        case 'box': return this.#box();
        case 'gauge': return { end: ({ at }, cancelled) => cancelled || this.app.engine.send({ do: 'gauge', kind: this.app.options.gauge, at }) };
        default: return this.#grab();
        }
    }

    get radius() { return this.app.options.size * this.app.info.spacing; }

    // Bodies follow the pointer. Where there is none, the fluid is stirred (2D) or the camera turned (3D).
    #grab() {
        const { engine, info, camera } = this.app;
        const held = { kind: null }, instead = info.dim === 2 ? this.#push() : this.#cameraAction(true);
        let moved = false;
        return {
            begin: async (point) => {
                instead.begin?.(point);
                const message = info.dim === 2 ? { do: 'grab', at: point.at } : { do: 'grab', at: camera.eye, ray: point.ray };
                const answer = await engine.ask(message).catch((error) => this.app.complain(error.message));
                held.kind = answer?.body || answer?.emitter ? 'held' : 'none';
                if (held.kind === 'none') return;
                // In 3D the body is dragged in the plane that faces the eye.
                if (info.dim === 3) this.anchor = answer.at;
                if (held.ended) engine.send({ do: 'drop' });
            },
            move: (point) => {
                moved = true;
                if (held.kind === 'none') instead.move?.(point);
            },
            hold: (point) => {
                if (held.kind === 'none') instead.hold?.(point);
                else if (held.kind && moved) engine.send({ do: 'drag', to: point.at });
                moved = false;
            },
            end: (point) => {
                held.ended = true;
                if (held.kind === 'held') {
                    if (moved) engine.send({ do: 'drag', to: point.at });
                    engine.send({ do: 'drop' });
                }
            },
        };
    }

    #push() {
        const { engine } = this.app;
        let before, when;
        return {
            begin: ({ at }) => { before = at; when = performance.now(); },
            hold: ({ at }) => {
                const now = performance.now(), seconds = Math.max((now - when) / 1000, 1e-3);
                const velocity = at.map((v, k) => Math.min(Math.max((v - before[k]) / seconds, -SPEED_MAX), SPEED_MAX));
                if (velocity.some((v) => v !== 0)) engine.send({ do: 'push', at, velocity, radius: this.radius });
                before = at;
                when = now;
            },
        };
    }

    #pour() {
        const { engine, options } = this.app;
        return { hold: ({ at }) => engine.send({ do: 'pour', at, fluid: options.fluid, radius: this.radius, velocity: [0, 0, 0] }) };
    }

    #erase() {
        const { engine, info, frame, overlay } = this.app;
        let taken = false;
        return {
            begin: ({ at }) => {
                const hit = info.dim === 2 ? overlay.pick(frame, at) : null;
                if (!hit) return;
                taken = true;
                engine.send({ do: 'remove', [hit.kind]: hit.id });
            },
            hold: ({ at }) => taken || engine.send({ do: 'erase', at, radius: this.radius }),
        };
    }

    #wall() {
        const { engine, info } = this.app, points = [], step = POINT_STEP * info.spacing;
        this.drawn = { kind: 'wall', points };
        const take = ({ at }) => {
            const last = points.at(-1);
            const far = !last || Math.hypot(at[0] - last[0], at[1] - last[1]) >= step;
            if (far && points.length < POINTS_MAX) points.push(at.slice(0, 2));
        };
        return {
            begin: take,
            move: take,
            end: (_, cancelled) => {
                this.drawn = null;
                if (!cancelled && points.length > 1) engine.send({ do: 'wall', points, thickness: this.app.options.thickness * info.spacing });
            },
        };
    }

    #box() {
        const { engine, info, options } = this.app;
        let from;
        return {
            begin: ({ at }) => { from = at; this.drawn = { kind: 'box', from, to: at }; },
            move: ({ at }) => { this.drawn = { kind: 'box', from, to: at }; },
            end: ({ at }, cancelled) => {
                this.drawn = null;
                if (!cancelled) engine.send({ do: 'box', ...this.#boxBetween(from, at, info), density: options.density });
            },
        };
    }

    // A click adds a box of the tool's size.
    #boxBetween(a, b, info) {
        const least = BOX_LEAST * info.spacing, usual = 2 * this.radius;
        if (info.dim === 3) return { at: b, size: [usual, usual, usual] };
        const size = [0, 1].map((k) => Math.abs(a[k] - b[k])), drawn = size.every((side) => side >= least);
        return drawn ? { at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0], size: [...size, 0] } : { at: b, size: [usual, usual, 0] };
    }

    // ---- drawing the tool ----
    drawTool(c, camera, theme) {
        c.strokeStyle = theme.accent;
        c.lineWidth = 1.5;
        if (this.drawn) this.#drawDrawn(c, camera);
        const page = this.pointers.size === 1 ? this.last?.page : this.hover;
        if (!page || !['push', 'pour', 'erase'].includes(this.tool)) return;
        const near = camera.toPage(this.#reach(camera, page));
        if (!near) return;
        c.beginPath();
        c.arc(page[0], page[1], Math.hypot(near[0] - page[0], near[1] - page[1]), 0, 2 * Math.PI);
        c.stroke();
    }

    // A point of the world at the tool's radius from the pointer.
    #reach(camera, page) {
        const at = camera.toWorld(...page, ...(this.anchor ? [this.anchor] : [])), across = camera.axes?.().right ?? [1, 0, 0];
        return at.map((v, k) => v + this.radius * across[k]);
    }

    #drawDrawn(c, camera) {
        c.beginPath();
        if (this.drawn.kind === 'box') {
            const a = camera.toPage(this.drawn.from), b = camera.toPage(this.drawn.to);
            if (a && b) c.rect(Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));
        } else {
            this.drawn.points.map((point) => camera.toPage(point)).forEach(([x, y], k) => (k ? c.lineTo(x, y) : c.moveTo(x, y)));
        }
        c.stroke();
    }
}
