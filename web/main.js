// SPDX-License-Identifier: MIT
// The page: connects an engine, a picture, hands, and the panel.
import { Camera2d, Camera3d } from './camera.js';
import { Draw2d } from './draw2d.js';
import { Draw3d } from './draw3d.js';
import { SocketEngine } from './engine_socket.js';
import { WorkerEngine } from './engine_worker.js';
import { openGl } from './gl.js';
import { Gravity } from './gravity.js';
import { Hands } from './hands.js';
import { icon, placeIcons } from './icons.js';
import { isolate } from './isolation.js';
import { Keeper } from './keeper.js';
import { Keys } from './keys.js';
import { Overlay } from './overlay.js';
import { Sliders, ToolBar, showLegend, showNumbers } from './panel.js';
import { Plots } from './plots.js';
import { unpackLink } from './share.js';
import { Theme } from './theme.js';

const RATES = [1, 0.5, 0.25, 0.1];
const REWIND = 0.5; // [s] per press
const RATIO_MAX = 2;
const SLOW_PICTURE = 60, QUALITIES = [1, 0.7, 0.5]; // [ms] per picture above which the picture gets coarser
const LIVE_FIELDS = { natural: 'speed', speed: 'speed', density: 'density', pressure: 'pressure', id: 'id' };

const at = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);

class App {
    // `native`: the engine is at the other end of a socket.
    constructor(native) {
        this.look = { colour: 'natural', particles: false, links: false };
        this.options = { size: 4, fluid: 'water', density: 700, gauge: 'pressure', thickness: 2 };
        this.changes = new Map(); // the user's settings by path, for links
        this.playing = true;
        this.rate = 1;
        this.info = this.frame = this.numbers = null;
        this.drawn = { count: 0, since: performance.now(), perSecond: 0 };
        this.quality = { level: 0, slow: 0, fixed: Number(query.get('quality')) };
        this.dirty = true;
        this.movedAt = null; // when moving water was first drawn [ms]
        this.theme = new Theme(() => this.redraw());
        this.gl = openGl(at('picture'));
        this.overlay = new Overlay(at('overlay'));
        this.engine = native ? new SocketEngine(query.get('token')) : new WorkerEngine();
        this.native = native;
        this.hands = new Hands(this, at('overlay'));
        this.tools = new ToolBar(this, this.hands);
        this.sliders = new Sliders(at('sliders'), (row, value) => this.set(row.path, value));
        this.plots = new Plots(at('plots'));
        this.gravity = new Gravity(this);
        this.keeper = new Keeper(this);
        this.#listen();
        this.#wire();
        new ResizeObserver(() => this.#resize()).observe(at('stage'));
    }

    // ---- the engine ----
    #listen() {
        const { engine } = this;
        engine.on('state', (text) => this.#showState(text));
        engine.on('info', (info) => this.#meet(info));
        engine.on('shapes', ({ shapes }) => { this.shapes = shapes; this.#showShapes(); });
        engine.on('frame', (frame) => this.#take(frame));
        engine.on('numbers', (numbers) => this.#count(numbers));
        engine.on('error', ({ text, of }) => this.#showError(text, of));
        engine.on('hands', ({ yours }) => this.#showHands(yours));
    }

    #showError(text, of) {
        if (of === 'load') this.#showState(text);
        else this.complain(of === 'step' ? `${text}\nPlay continues from half a second earlier.` : text);
    }

    // One viewer has the hands; the others are told, and may ask for them.
    #showHands(yours) {
        if (this.hasHands === false && yours) this.complain('You have the hands now.');
        if (this.hasHands === undefined && yours && this.native && !this.isOpening) this.play();
        if (!yours && this.hasHands !== false) this.complain('Another viewer has the hands; you are watching. Press H to ask for them.');
        this.hasHands = yours;
    }

    // The scene of the address takes precedence over the one that the engine was started with.
    async start(scene) {
        const carried = await unpackLink(location.hash).catch((error) => this.complain(`The link cannot be read: ${error.message}`));
        const wanted = query.get('scene');
        this.isOpening = Boolean(carried || wanted);
        this.engine.start();
        if (carried) await this.#try(() => this.open(carried));
        else if (wanted || !this.native) await this.#try(() => this.openNamed(wanted ?? scene));
    }

    async #try(action) {
        try {
            await action();
        } catch (error) {
            this.#showState(`The scene could not be opened: ${error.message}`);
        }
    }

    async openNamed(name) {
        await this.engine.ask({ do: 'open', name });
        this.play();
    }

    // Opens the contents of a link or a file, and applies the user's changes.
    async open({ scene, set = {}, method, recording }) {
        if (recording) return this.keeper.replay(recording);
        await this.engine.ask({ do: 'open', scene });
        this.changes = new Map(Object.entries(set));
        if (method && method !== this.info.method) await this.engine.ask({ do: 'method', name: method });
        for (const [path, value] of this.changes) await this.engine.ask({ do: 'set', path, value });
        this.play();
    }

    // Only the newest frame counts; an older one that has not been drawn yet is dropped.
    #take(frame) {
        if (this.fresh) this.engine.got();
        this.frame = frame;
        this.fresh = true;
        this.redraw();
    }

    #meet(info) {
        const view = { ...info.view, ...info.camera }, other = JSON.stringify([info.name, info.dim, info.spacing]);
        this.info = { ...info, view };
        this.tools.build();
        if (this.met !== other) this.#showScene(this.info);
        this.met = other;
        this.drawer.setFluids(info.fluids);
        this.sliders.show(info.rows);
        this.plots.setGauges(info.gauges);
        this.#showMethods(info);
        this.#showPlaying(info.playing);
        this.redraw();
    }

    #showScene(info) {
        document.title = `${info.name} · Rill`;
        at('about').textContent = `${info.name}. ${info.about ?? ''} Engine: ${info.engine}, ${info.threads} thread${info.threads === 1 ? '' : 's'}, ${info.simd}.`;
        this.camera = info.dim === 2 ? new Camera2d(info.view) : new Camera3d(info.view);
        this.drawers ??= {};
        this.drawer = this.drawers[info.dim] ??= info.dim === 2 ? new Draw2d(this.gl) : new Draw3d(this.gl);
        if (this.fresh) this.engine.got(); // a frame of the other scene, which will not be drawn
        this.frame = null;
        this.fresh = false;
        this.plots.forget();
        this.gravity.meet(info);
        this.#resize();
        if (this.shapes) this.#showShapes();
        this.engine.send({ do: 'frame', fields: [LIVE_FIELDS[this.look.colour]] });
        this.#showState('');
    }

    #showShapes() {
        if (!this.info) return;
        this.overlay.setShapes(this.shapes, this.info.dim);
        this.drawer.setShapes?.(this.shapes);
        this.redraw();
    }

    #showMethods({ method, methods }) {
        const box = at('method');
        if (box.options.length !== methods.length) {
            box.replaceChildren(...methods.map(({ name, title }) => Object.assign(document.createElement('option'), { value: name, textContent: name, title })));
        }
        box.value = method;
    }

    #count(numbers) {
        this.numbers = numbers;
        const now = performance.now();
        this.drawn.perSecond = 1000 * this.drawn.count / Math.max(now - this.drawn.since, 1);
        Object.assign(this.drawn, { count: 0, since: now });
        this.#showNumbers();
        this.plots.add(numbers.time, numbers.gauges);
        this.plots.draw(this.theme.colours);
        this.touchUp();
    }

    #showNumbers() {
        if (this.numbers && at('show-numbers').checked) showNumbers(at('numbers'), this.numbers, this.playing, this.drawn);
    }

    // ---- time ----
    play() {
        this.#showPlaying(true);
        this.engine.send({ do: 'play', rate: this.rate });
    }

    pause() {
        this.#showPlaying(false);
        this.engine.send({ do: 'pause' });
    }

    toggle() { if (this.playing) this.pause(); else this.play(); }

    step() {
        if (this.playing) this.pause();
        this.engine.send({ do: 'step' });
    }

    reset() {
        this.engine.send({ do: 'reset' });
        this.plots.forget();
        this.gravity.forget();
    }

    rewind() { this.engine.send({ do: 'rewind', seconds: REWIND }); }

    slower() {
        this.rate = RATES[(RATES.indexOf(this.rate) + 1) % RATES.length];
        at('slow').textContent = this.rate === 1 ? '1×' : `1/${Math.round(1 / this.rate)}×`;
        at('slow').setAttribute('aria-pressed', String(this.rate !== 1));
        this.engine.send({ do: 'rate', rate: this.rate });
    }

    #showPlaying(playing) {
        if (this.playing === playing && at('play').firstChild) return;
        this.playing = playing;
        at('play').replaceChildren(icon(playing ? 'pause' : 'play'));
        at('play').setAttribute('aria-pressed', String(playing));
        this.#showNumbers();
    }

    // ---- settings ----
    set(path, value) {
        this.changes.set(path, value);
        this.engine.ask({ do: 'set', path, value }).catch((error) => this.complain(error.message));
    }

    async chooseMethod(name) {
        try {
            await this.engine.ask({ do: 'method', name });
        } catch (error) {
            this.complain(error.message);
            at('method').value = this.info.method;
        }
    }

    chooseColour(colour) {
        this.look.colour = colour;
        at('colour').value = colour;
        this.engine.send({ do: 'frame', fields: [LIVE_FIELDS[colour]] });
        this.redraw();
    }

    // ---- the picture ----
    redraw() { this.dirty = true; }
    touchUp() { this.dirtyLines = true; } // redraws only the overlay

    #resize() {
        const { clientWidth: width, clientHeight: height } = at('stage'), ratio = Math.min(devicePixelRatio || 1, RATIO_MAX);
        if (!width || !height) return;
        this.overlay.resize(width, height, ratio);
        this.camera?.resize(width, height, this.#margins());
        const most = (this.info?.dim === 3 ? Draw3d : Draw2d).pixelsMax;
        const scale = Math.min(ratio, Math.sqrt(most / (width * height))) * (this.quality.fixed || QUALITIES[this.quality.level]);
        at('picture').width = Math.max(1, Math.round(width * scale));
        at('picture').height = Math.max(1, Math.round(height * scale));
        this.#draw(); // A canvas that was resized is empty until it is drawn: waiting would flicker.
    }

    // The parts of the page that the bars cover on the left, top, right and bottom: the scene is shown beside them. Small
    // windows have tools and numbers elsewhere (style.css).
    #margins() {
        const edge = (id, side) => at(id).getBoundingClientRect()[side], { clientHeight: height } = at('stage');
        const isSmall = edge('tools', 'top') > 0.4 * height;
        return !isSmall ? [edge('tools', 'right'), edge('top', 'bottom'), 0, height - (at('numbers').hidden ? height : edge('numbers', 'top'))]
            : [0, Math.max(edge('top', 'bottom'), edge('numbers', 'bottom')), 0, height - edge('tools', 'top')];
    }

    #draw() {
        if (!this.info || !this.frame) return;
        const { width, height } = at('picture'), { camera, look, info } = this, theme = this.theme.colours;
        if (this.fresh) {
            this.drawer.upload(this.frame);
            this.fresh = false;
            this.drawn.count++;
            this.engine.got();
            if (this.frame.step > 0) this.movedAt ??= Date.now();
        }
        this.drawer.draw({ camera, look, view: info.view, spacing: info.spacing, width, height, theme });
        showLegend(look.colour, this.frame);
        this.#drawLines();
        this.keeper.drawn();
    }

    #drawLines() {
        const { camera, look, info, frame, hands } = this;
        this.overlay.draw({ camera, info, frame, look, theme: this.theme.colours, hands, gaugeValues: this.plots.values });
    }

    // For pictures that are kept: a WebGL canvas is empty once the browser has shown it.
    drawNow() { this.#draw(); }

    // The picture's pixels as a share of the window's, in each direction; 0: by the speed of the graphics card.
    setQuality(share) {
        this.quality.fixed = share;
        this.#resize();
    }

    // Reduces the pixels if the graphics card is too slow.
    #watchSpeed(interval) {
        const { quality } = this;
        if (quality.fixed || interval > 1000) return;
        quality.slow = interval > SLOW_PICTURE ? quality.slow + 1 : Math.max(0, quality.slow - 1);
        if (quality.slow < 12 || quality.level === QUALITIES.length - 1) return;
        quality.level++;
        quality.slow = 0;
        this.#resize();
    }

    run() {
        let before = performance.now(), drew = false;
        const turn = (now) => {
            if (drew) this.#watchSpeed(now - before);
            before = now;
            this.hands.hold();
            drew = this.dirty;
            if (this.dirty) this.#draw();
            else if (this.dirtyLines) this.#drawLines();
            this.dirty = this.dirtyLines = false;
            requestAnimationFrame(turn);
        };
        requestAnimationFrame(turn);
    }

    // ---- words ----
    #showState(text) {
        at('state').textContent = text;
        at('state').hidden = !text;
    }

    complain(text) {
        const toast = Object.assign(document.createElement('p'), { className: 'toast', textContent: text });
        at('toasts').append(toast);
        setTimeout(() => toast.remove(), 6000);
    }

    togglePanel() {
        const panel = at('panel');
        panel.hidden = !panel.hidden;
        document.body.classList.toggle('panel-open', !panel.hidden);
        at('panel-open').setAttribute('aria-expanded', String(!panel.hidden));
    }

    toggleLook(id, key) {
        this.look[key] = !this.look[key];
        at(id).checked = this.look[key];
        if (key === 'links') this.engine.send({ do: 'links', on: this.look.links });
        this.redraw();
    }

    // ---- buttons and keys ----
    #wire() {
        placeIcons();
        this.#showPlaying(this.playing);
        const press = {
            play: () => this.toggle(), step: () => this.step(), reset: () => this.reset(), rewind: () => this.rewind(),
            slow: () => this.slower(), 'panel-open': () => this.togglePanel(), 'help-open': () => at('help').showModal(),
        };
        for (const [id, action] of Object.entries(press)) at(id).onclick = action;
        at('method').onchange = () => this.chooseMethod(at('method').value);
        at('colour').onchange = () => this.chooseColour(at('colour').value);
        at('show-particles').onchange = () => this.toggleLook('show-particles', 'particles');
        at('show-links').onchange = () => this.toggleLook('show-links', 'links');
        at('show-numbers').onchange = () => { at('numbers').hidden = !at('show-numbers').checked; };
        at('theme').value = this.theme.choice;
        at('theme').onchange = () => this.theme.choose(at('theme').value);
        const rest = new URLSearchParams(query);
        rest.delete('scene');
        at('to-gallery').href = `gallery.html?${rest}`;
        new Keys(this.#keys()).list(at('keys'));
    }

    #keys() {
        const next = (list, current) => list[(list.indexOf(current) + 1) % list.length];
        const methods = () => this.info.methods.map(({ name }) => name);
        return [
            [[' '], 'play or pause', () => this.toggle()],
            [['.'], 'one step', () => this.step()],
            [['r'], 'back to the start', () => this.reset()],
            [['Backspace', ','], 'rewind half a second', () => this.rewind()],
            [['s'], 'slow motion', () => this.slower()],
            [['1', '2', '3', '4', '5', '6', '7'], 'tools', (key) => this.tools.choose(this.tools.names[Number(key) - 1])],
            [['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], 'gravity, the same again: as the scene', (key) => this.gravity.arrow(key)],
            [['m'], 'next method', () => this.chooseMethod(next(methods(), this.info.method))],
            [['c'], 'colour by the next field', () => this.chooseColour(next(Object.keys(LIVE_FIELDS), this.look.colour))],
            [['p'], 'particles', () => this.toggleLook('show-particles', 'particles')],
            [['l'], 'links between particles', () => this.toggleLook('show-links', 'links')],
            [['v'], 'look at the whole scene', () => { this.camera.show(this.info.view); this.redraw(); }],
            [['h'], 'ask for the hands (of several viewers one has them)', () => this.engine.send({ do: 'hands' })],
            [['k'], 'screenshot', () => this.keeper.screenshot()],
            [['Tab'], 'panel', () => this.togglePanel()],
            [['?'], 'this help', () => at('help').showModal()],
        ];
    }
}

// The server of the page says which engine there is, and which scene comes first.
async function served() {
    const answer = await fetch('engine.json');
    if (!answer.ok) throw new Error('The server of this page has no engine.json: it is neither `rill view` nor a playground.');
    return answer.json();
}

try {
    const { engine, scene } = await served(), native = engine === 'native', wantsThreads = !native && query.get('threads') !== '1';
    if (!(wantsThreads && await isolate())) {
        const app = new App(native);
        window.rill = app; // For the console, and for tests.
        app.run();
        await app.start(scene);
    }
} catch (error) {
    at('state').textContent = error.message;
    at('state').hidden = false;
    throw error;
}
