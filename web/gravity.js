// SPDX-License-Identifier: MIT
// Gravity by arrow keys, by buttons, or by tilting a phone.

const STANDARD = 9.81;       // [m/s^2], in a scene without gravity
const TILT_STEP = 0.25;      // [m/s^2]: smaller changes are the trembling of the hand that holds the phone
const NAMES = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };

export class Gravity {
    constructor(app) {
        this.app = app;
        this.own = [0, -STANDARD, 0];
        this.towards = 'reset';
        for (const button of document.querySelectorAll('[data-gravity]')) button.onclick = () => this.point(button.dataset.gravity);
        this.tiltButton = document.getElementById('tilt');
        this.tiltButton.onclick = () => this.#toggleTilt();
        this.tilted = (event) => this.#tilt(event);
    }

    meet(info) {
        this.own = info.gravity;
        this.forget();
    }

    forget() { this.towards = 'reset'; }

    arrow(key) { this.point(this.towards === NAMES[key] ? 'reset' : NAMES[key]); }

    // In 2D along the axes. In 3D left and right are the camera's, and horizontal.
    point(towards) {
        this.towards = towards;
        const size = Math.hypot(...this.own) || STANDARD;
        const flat = { left: [-1, 0, 0], right: [1, 0, 0], up: [0, 1, 0], down: [0, -1, 0], none: [0, 0, 0] };
        if (towards === 'reset') return this.#set(this.own);
        if (this.app.info.dim === 2) return this.#set(flat[towards].map((v) => v * size));
        const { right } = this.app.camera.axes();
        const solid = { left: right.map((v) => -v), right, up: [0, 0, 1], down: [0, 0, -1], none: [0, 0, 0] };
        this.#set(solid[towards].map((v) => v * size));
    }

    #set(value) { this.app.engine.send({ do: 'gravity', value }); }

    async #toggleTilt() {
        const on = this.tiltButton.getAttribute('aria-pressed') !== 'true';
        removeEventListener('deviceorientation', this.tilted);
        if (on) {
            const asked = await globalThis.DeviceOrientationEvent?.requestPermission?.().catch(() => 'denied');
            if (asked === 'denied') return this.app.complain('The phone does not report its orientation.');
            addEventListener('deviceorientation', this.tilted);
        } else {
            this.point('reset');
        }
        this.tiltButton.setAttribute('aria-pressed', String(on));
    }

    #tilt({ beta, gamma }) {
        if (beta === null) return;
        const radians = Math.PI / 180, size = Math.hypot(...this.own) || STANDARD;
        let across = Math.sin(gamma * radians) * Math.cos(beta * radians), down = Math.sin(beta * radians);
        const turn = -(screen.orientation?.angle ?? 0) * radians;
        [across, down] = [across * Math.cos(turn) - down * Math.sin(turn), across * Math.sin(turn) + down * Math.cos(turn)];
        const value = this.app.info.dim === 2 ? [across * size, -down * size, 0] : this.#tilted3d(across, down, size);
        if (this.last && Math.hypot(...value.map((v, k) => v - this.last[k])) < TILT_STEP) return;
        this.last = value;
        this.#set(value);
    }

    #tilted3d(across, down, size) {
        const { right, up, forward } = this.app.camera.axes(), rest = Math.sqrt(Math.max(0, 1 - across * across - down * down));
        return right.map((v, k) => size * (across * v - down * up[k] + rest * forward[k]));
    }
}
