// SPDX-License-Identifier: MIT
// Sliders from the parameter tables, the tools' buttons and options, the numbers and the legend.
import { idColour, css, liquidNames, rampColour } from './colours.js';
import { TOOLS } from './hands.js';
import { icon } from './icons.js';
import { readable } from './overlay.js';

const STEPS = 1000; // of a slider
const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
};

// ---- sliders ----

// Maps a slider's position to a value: linearly, or logarithmically where the range spans orders of magnitude.
export function scaleOf({ min, max, default: usual, type }) {
    const positive = typeof usual === 'number' && usual > 0;
    const low = Number.isFinite(min) ? min : positive ? 0 : -10, high = Number.isFinite(max) ? max : positive ? 100 * usual : 10;
    if (positive && high > 50 * usual && type !== 'int') {
        const first = Math.max(low, usual / 1000), last = Math.min(high, usual * 1000), span = Math.log(last / first);
        return { value: (t) => first * Math.exp(t * span), travel: (v) => (v <= first ? 0 : Math.log(v / first) / span) };
    }
    const last = type === 'int' ? Math.min(high, Math.max(10, 5 * usual)) : positive ? Math.min(high, 10 * usual) : Math.min(high, 1);
    return { value: (t) => low + t * (last - low), travel: (v) => (v - low) / (last - low) };
}

class Slider {
    constructor(row, change) {
        this.row = row;
        this.change = change;
        const name = row.key.replaceAll('_', ' ');
        this.box = element('div', { className: 'slider', title: row.doc ?? '' });
        this.box.dataset.path = row.path;
        this.reset = element('button', { textContent: '↺', title: 'Back to the default', ariaLabel: `reset ${name}` });
        this.reset.onclick = () => this.#put(row.default);
        this.box.append(element('span', { className: 'name', textContent: name }), this.#entry(name), this.reset);
        this.show(row.value);
    }

    #entry(name) {
        const { row } = this;
        if (row.type === 'bool') {
            this.input = element('input', { type: 'checkbox', ariaLabel: name, onchange: () => this.#put(this.input.checked) });
            return this.input;
        }
        if (row.type === 'choice') {
            this.input = element('select', { ariaLabel: name, onchange: () => this.#put(this.input.value) });
            this.input.append(...row.choices.split('|').map((choice) => element('option', { value: choice, textContent: choice })));
            return this.input;
        }
        this.scale = scaleOf(row);
        this.input = element('input', { type: 'number', step: 'any', ariaLabel: name, onchange: () => this.#put(Number(this.input.value)) });
        this.range = element('input', { type: 'range', min: 0, max: STEPS, ariaLabel: name });
        this.range.oninput = () => this.#put(this.#rounded(this.scale.value(this.range.value / STEPS)));
        queueMicrotask(() => this.box.append(this.range));
        return element('span', {}, this.input, element('span', { className: 'unit', textContent: row.unit ?? '' }));
    }

    #rounded(value) { return this.row.type === 'int' ? Math.round(value) : Number(value.toPrecision(3)); }

    #put(value) {
        this.show(value);
        this.change(this.row, value);
    }

    show(value) {
        this.row.value = value;
        if (this.row.type === 'bool') this.input.checked = Boolean(value);
        else if (document.activeElement !== this.input) this.input.value = typeof value === 'number' ? +value.toPrecision(5) : value;
        if (this.range && document.activeElement !== this.range) this.range.value = STEPS * this.scale.travel(value);
        this.box.classList.toggle('changed', value !== this.row.default);
    }
}

// Settings in groups that open; open groups stay open when the engine sends its rows again.
export class Sliders {
    constructor(place, change) {
        this.place = place;
        this.change = change;
        this.sliders = new Map();
        this.names = '';
    }

    show(rows) {
        const wanted = rows.filter(({ type }) => ['number', 'int', 'bool', 'choice'].includes(type));
        const names = wanted.map(({ path }) => path).join();
        if (names === this.names) {
            for (const row of wanted) this.sliders.get(row.path).show(row.value);
            return;
        }
        this.names = names;
        this.sliders.clear();
        const groups = new Map();
        for (const row of wanted) {
            const title = row.group.replaceAll('_', ' ');
            if (!groups.has(title)) groups.set(title, element('details', { open: groups.size < 2 }, element('summary', { textContent: title })));
            const slider = new Slider(row, this.change);
            this.sliders.set(row.path, slider);
            groups.get(title).append(slider.box);
        }
        this.place.replaceChildren(element('h2', { textContent: 'Settings' }), ...groups.values());
    }
}

// ---- tools ----
export class ToolBar {
    constructor(app, hands) {
        this.app = app;
        this.hands = hands;
        this.buttons = document.getElementById('tool-buttons');
        this.choices = document.getElementById('tool-options');
    }

    build() {
        const tools = TOOLS.filter(({ flat }) => !flat || this.app.info.dim === 2);
        if (!tools.some(({ name }) => name === this.hands.tool)) this.hands.tool = 'hand';
        this.buttons.replaceChildren(...tools.map(({ name, title }, k) => {
            const button = element('button', { title: `${title} (${k + 1})`, ariaLabel: name, onclick: () => this.choose(name) });
            button.setAttribute('role', 'radio');
            button.dataset.tool = name;
            button.append(icon(name), element('span', { className: 'name', textContent: ` ${name}` }));
            return button;
        }));
        this.names = tools.map(({ name }) => name);
        this.choose(this.hands.tool);
    }

    choose(name) {
        if (!this.names?.includes(name)) return;
        this.hands.tool = name;
        for (const button of this.buttons.children) button.setAttribute('aria-checked', String(button.dataset.tool === name));
        this.choices.replaceChildren(...this.#optionsOf(name));
        this.app.redraw();
    }

    #optionsOf(tool) {
        switch (tool) {
        case 'pour': return [this.#select('fluid', this.#fluids()), this.#size()];
        case 'push': case 'erase': case 'hand': return [this.#size()];
        case 'box': return [this.#select('density', [[300, 'cork'], [700, 'wood'], [1000, 'as water'], [2500, 'stone'], [7800, 'iron']]), this.#size()];
        case 'gauge': return [this.#select('gauge', this.#gauges())];
        default: return [];
        }
    }

    #fluids() {
        const { info } = this.app, here = info.fluids.map(({ name }) => name);
        const others = (info.materials ?? liquidNames).filter((name) => !here.includes(name));
        const looks = (info.looks ?? []).filter(({ name }) => !here.includes(name));
        return [
            ...[...here, ...others].map((name) => [name, name.replaceAll('_', ' ')]),
            ...looks.map(({ name, method }) => [name, method === info.method ? name : `${name} (${method})`]),
        ];
    }

    // Gel, clay and paint need a method that supports them.
    #takeMethodOf(fluid) {
        const { info } = this.app, look = info.looks?.find(({ name }) => name === fluid);
        if (!look || look.method === info.method || info.fluids.some(({ name }) => name === fluid)) return;
        this.app.complain(`${fluid} needs the method ${look.method}; the simulation continues with it.`);
        this.app.chooseMethod(look.method);
    }

    #gauges() {
        return this.app.info.gauge_kinds.map((name) => [name, name.replaceAll('_', ' ')]);
    }

    #select(option, choices) {
        const { options } = this.app;
        if (!choices.some(([value]) => value === options[option])) [[options[option]]] = choices;
        const box = element('select', { ariaLabel: option });
        box.dataset.option = option;
        box.append(...choices.map(([value, text]) => element('option', { value, textContent: text, selected: value === options[option] })));
        box.onchange = () => {
            options[option] = choices[box.selectedIndex][0];
            if (option === 'fluid') this.#takeMethodOf(options.fluid);
        };
        return box;
    }

    #size() {
        const { options } = this.app, range = element('input', { type: 'range', min: 1, max: 12, step: 0.5, value: options.size, ariaLabel: 'size' });
        range.oninput = () => { options.size = Number(range.value); this.app.touchUp(); };
        return range;
    }
}

// ---- numbers ----
const NAMED_PHASES = 4;
const PHASES = ['#4e79a7', '#f28e2b', '#59a14f', '#e15759', '#b07aa1', '#edc948', '#76b7b2', '#9c755f', '#bab0ac', '#ff9da7'];

export function showNumbers(place, numbers, playing, drawn) {
    // The engine measures its speed over a second; before that it is unknown.
    const known = playing && numbers.factor > 0, late = known && numbers.factor < 0.95 * numbers.rate;
    const factor = known ? `${readable(numbers.factor)} × real time${late ? ' (cannot keep up)' : ''}` : playing ? '… × real time' : 'paused';
    const { total, ...phases } = numbers.ms;
    const items = [
        [`${numbers.particles.toLocaleString('en')} particles`], [`${numbers.time.toFixed(2)} s`], [factor, late], [`${drawn.perSecond.toFixed(0)} pictures/s`],
        [`${readable(total)} ms/step, ${readable(numbers.substeps)} substeps${numbers.capped ? ' (no more allowed)' : ''}`, numbers.capped, true],
        [`density error ${readable(100 * numbers.density_error_mean)} % (max ${readable(100 * numbers.density_error_max)} %)`, false, true],
        [`energy ${readable(numbers.kinetic)} + ${readable(numbers.potential)} J`, false, true],
    ];
    if (numbers.viewers > 1) items.push([`${numbers.viewers} viewers`, false, true]);
    const words = element('p');
    for (const [text, alarm, extra] of items) {
        words.append(element('span', { textContent: text, className: `${alarm ? 'late' : ''} ${extra ? 'extra' : ''}` }));
    }
    place.replaceChildren(words, ...phaseBar(phases));
}

// The shares of a step's time, as a bar with a legend.
function phaseBar(phases) {
    const entries = Object.entries(phases).filter(([, ms]) => ms > 0).sort((a, b) => b[1] - a[1]);
    const total = entries.reduce((sum, [, ms]) => sum + ms, 0);
    if (total <= 0) return [];
    const strip = element('div', { className: 'strip' }), bar = element('div', { className: 'phases extra' }, strip);
    entries.forEach(([name, ms], k) => {
        const part = element('span'), colour = PHASES[k % PHASES.length];
        Object.assign(part.style, { width: `${100 * ms / total}%`, background: colour });
        strip.append(part);
        if (k >= NAMED_PHASES) return;
        const key = element('span', { className: 'key', textContent: `${name.replaceAll('_', ' ')} ${readable(ms)} ms` });
        key.style.setProperty('--colour', colour);
        bar.append(key);
    });
    return [bar];
}

// ---- legend ----
const UNITS = { speed: 'm/s', density: 'kg/m³', pressure: 'Pa', id: '' };

export function showLegend(colour, frame) {
    const place = document.getElementById('legend');
    place.hidden = colour === 'natural' || !frame?.colour;
    if (place.hidden) return;
    document.getElementById('legend-low').textContent = readable(frame.range[0]);
    document.getElementById('legend-high').textContent = `${readable(frame.range[1])} ${UNITS[colour]}`;
    document.getElementById('legend-name').textContent = colour;
    if (place.dataset.colour === colour) return;
    place.dataset.colour = colour;
    const ramp = document.getElementById('legend-ramp'), c = ramp.getContext('2d');
    for (let x = 0; x < ramp.width; ++x) {
        c.fillStyle = css((colour === 'id' ? idColour : rampColour)(x / (ramp.width - 1)));
        c.fillRect(x, 0, 1, ramp.height);
    }
}
