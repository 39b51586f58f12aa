// SPDX-License-Identifier: MIT
// Liquids in 3D, in screen space (van der Laan, Green and Sainz 2009): first the surroundings, then the depth of the nearest
// liquid as spheres, smoothed; then the thickness of the liquid; then one pass that refracts, absorbs and reflects.
//   shadow -> back (colour, depth) -> depth -> filter -> thickness -> water -> smooth -> canvas
import { bodyColour, fastFlow, liquidOf, rampColour, idColour, rampTexture } from './colours.js';
import { ClothPart } from './cloth.js';
import { FLUIDS_MAX, Particles, Quad, Target, meshProgram, particleProgram, screenProgram } from './gl.js';
import { meshOf } from './mesh.js';
import * as shaders from './shaders3d.js';

const SPLAT = 0.86, SPRAY = 0.45;        // radius of a sphere [spacings], and the share of it that a lone drop keeps
// Thickness is summed over larger spheres, for smoothness. OVERLAP is the share of a sphere's volume that is the particle's.
const SMOOTH_SPLAT = 1.35, OVERLAP = 3 / (4 * Math.PI * SMOOTH_SPLAT ** 3);
const FILTER_REACH = 4.2, FILTER_RANGE = 3.2, FILTER_PULL = 0.9, FILTER_ROUNDS = 2; // [splat radii]
const ABSORPTION = 9;                    // optical depth of the scene's diagonal, in the units of colours.js
const BEND = 0.26;
const UNMOVED = { position: [0, 0, 0], turn: [0, 0, 0, 1] };
const SHADOW_SIZE = 512, PIXELS_MAX = 1.6e6;

export class Draw3d {
    constructor(gl) {
        this.gl = gl;
        this.quad = new Quad(gl);
        this.particles = new Particles(gl, this.quad);
        this.back = screenProgram(gl, shaders.BACK_FRAGMENT);
        this.mesh = meshProgram(gl, shaders.MESH_VERTEX, shaders.MESH_FRAGMENT);
        this.meshShadow = meshProgram(gl, shaders.SHADOW_MESH_VERTEX, shaders.SHADOW_MESH_FRAGMENT);
        this.shadow = particleProgram(gl, shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT);
        this.depth = particleProgram(gl, shaders.SPHERE_VERTEX, shaders.DEPTH_FRAGMENT);
        this.balls = particleProgram(gl, shaders.SPHERE_VERTEX, shaders.BALL_FRAGMENT);
        this.thickness = particleProgram(gl, shaders.SPHERE_VERTEX, shaders.THICKNESS_FRAGMENT);
        this.filter = screenProgram(gl, shaders.FILTER_FRAGMENT);
        this.water = screenProgram(gl, shaders.WATER_FRAGMENT);
        this.smooth = screenProgram(gl, shaders.SMOOTH_FRAGMENT);
        this.ramps = { value: rampTexture(gl, rampColour), id: rampTexture(gl, idColour) };
        this.shadowTarget = new Target(gl, SHADOW_SIZE, SHADOW_SIZE, [gl.RGBA16F]);
        this.sheets = new ClothPart(gl, 3);
        this.ropes = new ClothPart(gl, 2);
        this.shapes = new Map();
        this.frame = { bodies: [], solids: [], range: [0, 0] };
        this.size = [0, 0];
        this.setFluids([{ name: 'water' }]);
    }

    static pixelsMax = PIXELS_MAX;

    setFluids(fluids) {
        this.liquids = {
            absorbs: new Float32Array(3 * FLUIDS_MAX), cloudy: new Float32Array(FLUIDS_MAX),
            flat_colour: new Float32Array(3 * FLUIDS_MAX),
        };
        fluids.slice(0, FLUIDS_MAX).forEach((fluid, k) => {
            const liquid = liquidOf(fluid, k);
            this.liquids.absorbs.set(liquid.absorbs, 3 * k);
            this.liquids.flat_colour.set(liquid.flat, 3 * k);
            this.liquids.cloudy[k] = liquid.cloudy;
        });
    }

    setShapes(shapes) {
        for (const { solid, lines } of this.shapes.values()) for (const part of [solid, lines]) this.#freePart(part);
        this.shapes = new Map(shapes.map((shape) => {
            const { triangles, edges } = meshOf(shape);
            return [shape.id, { inside: shape.inside, box: boxOf(shape), solid: this.#makePart(triangles), lines: this.#makePart(edges) }];
        }));
    }

    #makePart(data) {
        const { gl } = this, array = gl.createVertexArray(), buffer = gl.createBuffer();
        gl.bindVertexArray(array);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
        for (const place of [0, 1]) {
            gl.enableVertexAttribArray(place);
            gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, 12 * place);
        }
        gl.bindVertexArray(null);
        return { array, buffer, count: data.length / 6 };
    }

    #freePart({ array, buffer }) {
        this.gl.deleteVertexArray(array);
        this.gl.deleteBuffer(buffer);
    }

    upload(frame) {
        this.frame = frame;
        this.particles.upload(frame);
        this.sheets.upload(frame, frame.triangles);
        this.ropes.upload(frame, frame.segments);
    }

    #resize(width, height) {
        if (this.size[0] === width && this.size[1] === height) return;
        const { gl } = this, half = [Math.ceil(width / 2), Math.ceil(height / 2)];
        for (const target of Object.values(this.targets ?? {})) target.free();
        this.size = [width, height];
        this.targets = {
            back: new Target(gl, width, height, [gl.RGBA8, gl.R32F], { depth: true }),
            depth: new Target(gl, width, height, [gl.R32F], { depth: true }),
            other: new Target(gl, width, height, [gl.R32F]),
            through: new Target(gl, ...half, [gl.RGBA16F, gl.RGBA16F]),
            picture: new Target(gl, width, height, [gl.RGBA8]),
        };
    }

    draw({ camera, look, view, spacing, width, height, theme }) {
        this.#resize(width, height);
        const lens = camera.matrices(), radius = SPLAT * spacing;
        this.lens = lens;
        const scale = ABSORPTION / Math.hypot(...view.max.map((v, k) => v - view.min[k]));
        const uniforms = {
            ...this.particles.uniforms, ...lens, ...this.liquids, ...theme.surroundings, radius, least: SPRAY, spacing,
            absorbs: this.liquids.absorbs.map((v) => v * scale), floor_height: view.min[2] - 0.01 * spacing,
            tile: niceLength(0.16 * Math.hypot(view.max[0] - view.min[0], view.max[1] - view.min[1])), far_away: lens.far * 0.99,
            shadow_box: shadowBox(view, theme.surroundings.to_light), shadow: this.shadowTarget.colours[0],
            ...this.#tank(), speeds: this.frame.range.map((speed) => speed / fastFlow(view)),
            ramp: look.colour === 'id' ? this.ramps.id : this.ramps.value, by_value: look.colour !== 'natural' ? 1 : 0,
        };
        this.#drawShadow(uniforms);
        this.#drawBack(uniforms, look, spacing);
        if (!look.particles) {
            this.#drawDepth(uniforms);
            this.#filterDepth(lens, radius, height);
            this.#drawThickness(uniforms);
            this.#drawWater(uniforms);
        }
        this.#putOnPage(look.particles ? this.targets.back : this.targets.picture, width, height);
    }

    // The box that contains the water, if there is one and it is not turned.
    #tank() {
        const tank = this.frame.solids.map((solid) => ({ solid, shape: this.shapes.get(solid.shape) }))
            .find(({ solid, shape }) => shape?.inside && shape.box && Math.abs(solid.turn[3]) > 0.999999);
        if (!tank) return { tank_min: [-1e6, -1e6, -1e6], tank_max: [1e6, 1e6, 1e6] };
        const moved = (corner) => corner.map((v, k) => v + tank.solid.position[k]);
        return { tank_min: moved(tank.shape.box.min), tank_max: moved(tank.shape.box.max) };
    }

    #placed(visit) {
        for (const [kind, list] of [['body', this.frame.bodies], ['solid', this.frame.solids]]) {
            for (const placed of list) {
                const shape = this.shapes.get(placed.shape);
                if (shape) visit(placed, shape, kind);
            }
        }
    }

    #drawShadow(uniforms) {
        const { gl } = this;
        gl.disable(gl.DEPTH_TEST);
        this.shadowTarget.clear([0, 0, 0, 0]);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE);
        this.shadow.use(uniforms);
        this.particles.draw();
        this.#placed((placed, shape) => {
            if (shape.inside) return;
            this.meshShadow.use({ ...uniforms, position: placed.position, turn: placed.turn });
            gl.bindVertexArray(shape.solid.array);
            gl.drawArrays(gl.TRIANGLES, 0, shape.solid.count);
        });
        this.sheets.draw(() => this.meshShadow.use({ ...uniforms, ...UNMOVED }));
        gl.disable(gl.BLEND);
    }

    #drawBack(uniforms, look) {
        const { gl } = this;
        this.targets.back.clear([0, 0, 0, 1], [uniforms.far_away, 0, 0, 1]);
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LEQUAL);
        this.back.use(uniforms);
        this.quad.draw();
        this.#placed((placed, shape, kind) => {
            if (shape.inside) return;
            const colour = kind === 'body' ? bodyColour(placed.id) : uniforms.wall;
            this.#drawPart(uniforms, placed, shape.solid, gl.TRIANGLES, { colour, opacity: 1, plain: 0 });
        });
        for (const [part, plain] of [[this.sheets, 0], [this.ropes, 1]]) {
            part.draw((colour) => this.mesh.use({ ...uniforms, ...UNMOVED, colour, opacity: 1, plain }));
        }
        if (look.particles) {
            this.balls.use({ ...uniforms, radius: 0.5 * uniforms.spacing, least: 1 });
            this.particles.draw();
        }
        this.#placed((placed, shape) => {
            if (!shape.inside) return;
            this.#drawPart(uniforms, placed, shape.lines, gl.LINES, { colour: uniforms.glass_edge, opacity: 1, plain: 1 });
        });
        gl.disable(gl.DEPTH_TEST);
    }

    #drawPart(uniforms, placed, part, kind, paint) {
        this.mesh.use({ ...uniforms, ...paint, position: placed.position, turn: placed.turn });
        this.gl.bindVertexArray(part.array);
        this.gl.drawArrays(kind, 0, part.count);
    }

    #drawDepth(uniforms) {
        const { gl } = this;
        this.targets.depth.clear([0, 0, 0, 0]);
        gl.enable(gl.DEPTH_TEST);
        this.depth.use({ ...uniforms, behind: this.targets.back.colours[1] });
        this.particles.draw();
        gl.disable(gl.DEPTH_TEST);
    }

    #filterDepth(lens, radius, height) {
        const shared = {
            reach: FILTER_REACH * radius * 0.5 * height / lens.slope[1], narrow: FILTER_RANGE * radius,
            step_back: FILTER_PULL * radius,
        };
        for (let round = 0; round < FILTER_ROUNDS; ++round) {
            for (const [from, to, along] of [['depth', 'other', [1, 0]], ['other', 'depth', [0, 1]]]) {
                this.targets[to].bind();
                this.gl.disable(this.gl.DEPTH_TEST);
                this.filter.use({ ...shared, depth: this.targets[from].colours[0], along });
                this.quad.draw();
            }
        }
    }

    #drawThickness(uniforms) {
        const { gl } = this, target = this.targets.through.clear([0, 0, 0, 0], [0, 0, 0, 0]);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE);
        this.thickness.use({
            ...uniforms, behind: this.targets.back.colours[1], front: this.targets.depth.colours[0], overlap: OVERLAP,
            radius: SMOOTH_SPLAT * uniforms.spacing,
            texel: [1 / target.width, 1 / target.height],
        });
        this.particles.draw();
        gl.disable(gl.BLEND);
    }

    #drawWater(uniforms) {
        const { back, depth, through, picture } = this.targets;
        picture.bind();
        this.water.use({
            ...uniforms, depth: depth.colours[0], through: through.colours[0], near: through.colours[1],
            back: back.colours[0], behind: back.colours[1], bend: BEND,
        });
        this.quad.draw();
    }

    #putOnPage(picture, width, height) {
        const { gl } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        this.smooth.use({ image: picture.colours[0], texel: [1 / width, 1 / height] });
        this.quad.draw();
    }

    // Depth of the liquid or solid at a point, given as shares of the picture's width and height (from below); for hands.
    depthAt(shareX, shareY) {
        const { gl } = this, pixel = new Float32Array(4), [width, height] = this.size;
        if (!this.targets) return 0;
        const read = (target, attachment) => {
            target.bind();
            gl.readBuffer(gl.COLOR_ATTACHMENT0 + attachment);
            gl.readPixels(Math.floor(shareX * width), Math.floor(shareY * height), 1, 1, gl.RGBA, gl.FLOAT, pixel);
            gl.readBuffer(gl.COLOR_ATTACHMENT0);
            return pixel[0];
        };
        return Math.abs(read(this.targets.depth, 0)) || read(this.targets.back, 1); // drops have a negative depth
    }
}

// The corners of a shape that is a box along the axes; null for others.
function boxOf({ kind, points = [] }) {
    if (kind !== 'box' || points.length === 0) return null;
    const along = (k) => points.filter((_, i) => i % 3 === k), ends = [0, 1, 2].map((k) => [Math.min(...along(k)), Math.max(...along(k))]);
    const isCorner = (v, i) => ends[i % 3].some((end) => Math.abs(v - end) < 1e-6 * (1 + Math.abs(end)));
    return points.every(isCorner) ? { min: ends.map(([low]) => low), max: ends.map(([, high]) => high) } : null;
}

// 1, 2 or 5 times a power of ten, near `length`.
export function niceLength(length) {
    const power = 10 ** Math.floor(Math.log10(length));
    return power * [1, 2, 5, 10].find((k) => k * power >= length * 0.7);
}

// Where shadows can fall: the box of the view, projected on the floor.
function shadowBox({ min, max }, light) {
    const shift = [0, 1].map((k) => -light[k] / light[2] * (max[2] - min[2]));
    const low = [0, 1].map((k) => min[k] + Math.min(0, shift[k])), high = [0, 1].map((k) => max[k] + Math.max(0, shift[k]));
    const margin = 0.1 * Math.max(high[0] - low[0], high[1] - low[1]);
    return [low[0] - margin, low[1] - margin, high[0] - low[0] + 2 * margin, high[1] - low[1] + 2 * margin];
}
