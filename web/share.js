// SPDX-License-Identifier: MIT
// Keep and share: pictures, video, files, and links that carry a scene in their fragment. Nothing leaves the browser.

// ---- links ----
async function through(stream, bytes) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const toBase64 = (bytes) => {
    let text = '';
    for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

const UNPACKED_MAX = 1 << 20; // the largest scene that an engine accepts

// `carried`: {scene: text, set: {path: value}, method} or {recording}.
export async function packLink(carried) {
    const bytes = new TextEncoder().encode(JSON.stringify(carried));
    return `s=${toBase64(await through(new CompressionStream('deflate-raw'), bytes))}`;
}

export async function unpackLink(fragment) {
    const found = /^#?s=([A-Za-z0-9_-]+)$/.exec(fragment);
    if (!found) return null;
    const bytes = await through(new DecompressionStream('deflate-raw'), fromBase64(found[1]));
    if (bytes.length > UNPACKED_MAX) throw new Error('the scene of this link is too large');
    const carried = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof carried.scene !== 'string' && typeof carried.recording !== 'object') throw new Error('this link carries no scene');
    return carried;
}

// ---- files ----
export function download(name, content, type = 'application/octet-stream') {
    const link = document.createElement('a'), address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    Object.assign(link, { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export function chooseFile() {
    const input = document.getElementById('file');
    return new Promise((resolve) => {
        input.value = '';
        input.onchange = () => resolve(input.files[0] ?? null);
        input.click();
    });
}

// ---- pictures ----

// Liquid and overlay as one picture, optionally with the measured values below.
export function compose(layers, target = document.createElement('canvas')) {
    const [bottom] = layers;
    if (target.width !== bottom.width || target.height !== bottom.height) {
        target.width = bottom.width;
        target.height = bottom.height;
    }
    const c = target.getContext('2d');
    for (const layer of layers) c.drawImage(layer, 0, 0, target.width, target.height);
    return target;
}

export const pictureOf = (layers) => new Promise((resolve) => { compose(layers).toBlob(resolve, 'image/png'); });

// A WebM video of everything drawn between start and stop; `drawn` is called after each picture.
export class Video {
    constructor(layers, framesPerSecond = 30) {
        this.layers = layers;
        this.canvas = compose(layers);
        const kind = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((type) => MediaRecorder.isTypeSupported(type));
        this.recorder = new MediaRecorder(this.canvas.captureStream(framesPerSecond), { mimeType: kind, videoBitsPerSecond: 8e6 });
        this.parts = [];
        this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
        this.recorder.start(1000);
    }

    drawn() { compose(this.layers, this.canvas); }

    stop() {
        return new Promise((resolve) => {
            this.recorder.onstop = () => resolve(new Blob(this.parts, { type: 'video/webm' }));
            this.recorder.stop();
        });
    }
}
