// SPDX-License-Identifier: MIT
// Gauges as live plots of the last seconds: a line of the value; of vectors, of their length.
import { readable } from './overlay.js';

const SAMPLES = 600;
const SPAN = 10; // [s] shown at most

class Plot {
    constructor(gauge) {
        this.gauge = gauge;
        this.samples = [];
        this.figure = document.createElement('figure');
        this.caption = document.createElement('figcaption');
        this.canvas = Object.assign(document.createElement('canvas'), { width: 428, height: 108 });
        this.name = document.createElement('span');
        this.value = document.createElement('strong');
        this.name.textContent = gauge.name.replaceAll('_', ' ');
        this.figure.title = `${gauge.kind}, ${gauge.unit || 'a number'}`;
        this.caption.append(this.name, this.value);
        this.figure.append(this.caption, this.canvas);
    }

    add(time, values) {
        const value = values.length === 1 ? values[0] : Math.hypot(...values);
        // Time runs backwards after a rewind.
        while (this.samples.length && this.samples.at(-1).time >= time) this.samples.pop();
        this.samples.push({ time, value });
        if (this.samples.length > SAMPLES) this.samples.shift();
        this.value.textContent = Number.isFinite(value) ? `${readable(value)} ${this.gauge.unit}` : '–';
    }

    draw(ink) {
        const c = this.canvas.getContext('2d'), { width, height } = this.canvas, last = this.samples.at(-1);
        c.clearRect(0, 0, width, height);
        if (!last) return;
        const shown = this.samples.filter(({ time, value }) => time >= last.time - SPAN && Number.isFinite(value));
        if (shown.length < 2) return;
        let low = Math.min(...shown.map(({ value }) => value)), high = Math.max(...shown.map(({ value }) => value));
        const margin = 0.08 * (high - low) || 0.5 * Math.abs(high) || 1;
        low -= margin;
        high += margin;
        const first = shown[0].time, span = Math.max(last.time - first, 1e-6);
        c.beginPath();
        shown.forEach(({ time, value }, k) => {
            const x = (time - first) / span * width, y = (1 - (value - low) / (high - low)) * height;
            if (k) c.lineTo(x, y); else c.moveTo(x, y);
        });
        c.lineWidth = 3;
        c.strokeStyle = ink.accent;
        c.stroke();
        c.font = '18px system-ui, sans-serif';
        c.fillStyle = ink.ink;
        c.globalAlpha = 0.6;
        c.fillText(readable(high), 2, 18);
        c.fillText(readable(low), 2, height - 4);
        c.globalAlpha = 1;
    }
}

export class Plots {
    constructor(place) {
        this.place = place;
        this.plots = [];
        this.values = null;
    }

    // Plots of gauges that still exist keep their samples.
    setGauges(gauges) {
        const known = new Map(this.plots.map((plot) => [plot.gauge.name, plot]));
        this.plots = gauges.map((gauge) => known.get(gauge.name) ?? new Plot(gauge));
        this.place.replaceChildren(...this.plots.map(({ figure }) => figure));
    }

    forget() { for (const plot of this.plots) plot.samples = []; }

    add(time, values) {
        this.values = values;
        this.plots.forEach((plot, k) => values[k]?.length && plot.add(time, values[k]));
    }

    draw(theme) { for (const plot of this.plots) plot.draw(theme); }

    // All samples as a table.
    csv() {
        const times = [...new Set(this.plots.flatMap(({ samples }) => samples.map(({ time }) => time)))].sort((a, b) => a - b);
        const columns = this.plots.map(({ samples }) => new Map(samples.map(({ time, value }) => [time, value])));
        const head = ['time [s]', ...this.plots.map(({ gauge }) => `${gauge.name} [${gauge.unit}]`)];
        return [head, ...times.map((time) => [time, ...columns.map((column) => column.get(time) ?? '')])].map((row) => row.join()).join('\n');
    }
}
