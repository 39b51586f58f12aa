// SPDX-License-Identifier: MIT
// Liquids in 2D: a smooth surface in screen space. Each pixel computes the mean position of the particles around it,
// weighted by distance (Zhu and Bridson 2005), and is inside if that mean is near. Single drops keep their size, which they
// lose with a plain sum of weights. Bodies, walls and everything thin are lines of the overlay (overlay.js).
import { fastFlow, liquidOf, rampColour, idColour, rampTexture } from './colours.js';
import { FLUIDS_MAX, Particles, Quad, Target, particleProgram, screenProgram } from './gl.js';

const SUPPORT = 2.3;         // of the weights [spacings]
const SURFACE = 0.72;       // distance from the mean position at which the liquid ends [spacings]
const FIELD_SPACING = 5;    // pixels of the field per spacing: it is smooth, so more would show nothing new
const RIM = 2.2;            // [pixels of the page]
const PIXELS_MAX = 2.6e6;   // of the picture

const FIELD_VERTEX = `
uniform vec2 centre, to_clip;
uniform float radius;
uniform vec3 fluid_colour[${FLUIDS_MAX}];
out vec2 offset;
out float value;
out vec3 tint;
void main() {
    if (is_cloth()) { gl_Position = NOWHERE; return; }
    vec2 at = particle_position().xy;
    offset = corner;
    value = colour;
    tint = fluid_colour[liquid()];
    gl_Position = vec4((at + corner * radius - centre) * to_clip, 0, 1);
}`;

const FIELD_FRAGMENT = `
in vec2 offset;
in float value;
in vec3 tint;
layout(location = 0) out vec4 mean;   // weighted offset to the particle [spacings], weight, weighted value
layout(location = 1) out vec4 paint;  // sharper, so that two liquids meet in a line
void main() {
    float s = 1.0 - dot(offset, offset);
    if (s <= 0.0) discard;
    float weight = s * s * s, sharp = weight * weight;
    mean = vec4(-offset * ${SUPPORT.toFixed(2)} * weight, weight, value * weight);
    paint = vec4(tint * sharp, sharp);
}`;

const WATER_FRAGMENT = `
uniform sampler2D field, paint, ramp;
uniform vec2 field_texel;
uniform float pixel, coarse, fine; // size of a pixel [spacings]; mip levels of the broad and the narrow shading
uniform vec3 back_low, back_high;
uniform bool by_value;
uniform float froth;
uniform vec2 speeds; // the values 0 and 1 as shares of the speed of a fast flow
out vec4 result;

const float FULL = ${(Math.PI / 4 * SUPPORT ** 2).toFixed(4)}; // sum of weights deep inside

float cover(vec2 at, float level) { return textureLod(field, at, level).z / FULL; }

void main() {
    vec3 back = mix(back_low, back_high, uv.y);
    vec4 f = textureLod(field, uv, 0.0);
    float distance = f.z > 1e-4 ? length(f.xy) / f.z - ${SURFACE.toFixed(3)} : 2.0;
    // Between two drops the mean is near although neither drop is: inside, the weight is at least that at a drop's edge.
    distance = max(distance, 2.0 * (${((1 - (SURFACE / SUPPORT) ** 2) ** 3).toFixed(4)} - f.z));
    float inside = clamp(0.5 - distance / pixel, 0.0, 1.0);
    if (inside <= 0.0) {
        // A soft shadow on the paper.
        float shade = cover(uv + vec2(-1.5, 2.5) * field_texel * exp2(fine), fine + 0.5);
        result = vec4(back * (1.0 - 0.16 * clamp(shade, 0.0, 1.0)), 1);
        return;
    }
    vec4 p = textureLod(paint, uv, 0.0);
    vec3 tint = p.rgb / max(p.a, 1e-6);
    float value = f.w / f.z;
    if (by_value) tint = texture(ramp, vec2(value, 0.5)).rgb;

    vec2 step = field_texel * exp2(fine);
    vec2 slope = vec2(cover(uv - vec2(step.x, 0), fine) - cover(uv + vec2(step.x, 0), fine),
                      cover(uv - vec2(0, step.y), fine) - cover(uv + vec2(0, step.y), fine));
    float deep = smoothstep(0.45, 1.02, cover(uv, coarse));
    vec3 colour = tint * mix(1.22, 0.82, deep);
    // Light from above: surfaces that face up are bright, those that face down are dark.
    colour += (by_value ? 0.12 : 0.22) * (dot(slope, vec2(-0.35, 1.0)) * vec3(0.9, 1.0, 1.0)) * (1.0 - 0.5 * deep);
    if (!by_value) colour = mix(colour, vec3(0.93, 0.97, 1.0), froth * smoothstep(0.25, 1.0, mix(speeds.x, speeds.y, value)));
    float rim = smoothstep(-${RIM.toFixed(1)} * 1.6 * pixel, -0.3 * pixel, distance);
    colour = mix(colour, tint * (by_value ? 0.45 : 0.36), 0.85 * rim);
    // A bright line just inside the upper rim.
    float glint = smoothstep(-9.0 * pixel, -4.5 * pixel, distance) * (1.0 - smoothstep(-4.5 * pixel, -2.5 * pixel, distance));
    colour += glint * 0.20 * clamp(slope.y * 1.6, 0.0, 1.0);
    result = vec4(mix(back, colour, inside), 1);
}`;

const DISC_FRAGMENT = `
in vec2 offset;
in float value;
in vec3 tint;
uniform sampler2D ramp;
uniform bool by_value;
uniform vec2 speeds;
uniform float pixel; // size of a pixel, as a share of the disc's radius
out vec4 result;
void main() {
    float r = length(offset);
    vec3 colour = by_value ? texture(ramp, vec2(value, 0.5)).rgb : mix(tint, vec3(1), 0.75 * smoothstep(0.2, 1.0, mix(speeds.x, speeds.y, value)));
    result = vec4(colour * (1.0 - 0.35 * r * r), clamp((1.0 - r) / pixel, 0.0, 1.0));
}`;

const PAPER_FRAGMENT = `
uniform vec3 back_low, back_high;
out vec4 result;
void main() { result = vec4(mix(back_low, back_high, uv.y), 1); }`;

export class Draw2d {
    constructor(gl) {
        this.gl = gl;
        this.quad = new Quad(gl);
        this.particles = new Particles(gl, this.quad);
        this.splat = particleProgram(gl, FIELD_VERTEX, FIELD_FRAGMENT);
        this.disc = particleProgram(gl, FIELD_VERTEX, DISC_FRAGMENT);
        this.water = screenProgram(gl, WATER_FRAGMENT);
        this.paper = screenProgram(gl, PAPER_FRAGMENT);
        this.ramps = { value: rampTexture(gl, rampColour), id: rampTexture(gl, idColour) };
        this.field = null;
        this.setFluids([{ name: 'water' }]);
    }

    static pixelsMax = PIXELS_MAX;

    setFluids(fluids) {
        this.colours = new Float32Array(3 * FLUIDS_MAX);
        fluids.slice(0, FLUIDS_MAX).forEach((fluid, k) => this.colours.set(liquidOf(fluid, k).flat, 3 * k));
    }

    upload(frame) {
        this.particles.upload(frame);
        this.range = frame.range;
    }

    // `camera` is a Camera2d (camera.js), `look` is the user's choice, `width` and `height` are those of the canvas.
    draw({ camera, look, view, spacing, width, height, theme }) {
        const { gl } = this;
        const scale = camera.scale * width / camera.width; // pixels of the canvas per metre
        const shared = {
            ...this.particles.uniforms, fluid_colour: this.colours, centre: camera.centre,
            to_clip: [2 * scale / width, 2 * scale / height],
            ramp: look.colour === 'id' ? this.ramps.id : this.ramps.value, by_value: look.colour !== 'natural' ? 1 : 0,
            speeds: this.range.map((speed) => speed / fastFlow(view)), back_low: theme.paperLow, back_high: theme.paperHigh,
        };
        gl.disable(gl.DEPTH_TEST);
        if (look.particles) return this.#drawDiscs(shared, scale * spacing, width, height);
        this.#drawField(shared, scale * spacing, spacing, width, height);
        this.#drawWater(shared, scale * spacing, width, height);
    }

    #drawField(shared, spacingPixels, spacing, width, height) {
        const { gl } = this, share = Math.min(1, FIELD_SPACING / spacingPixels);
        const w = Math.max(16, Math.round(width * share)), h = Math.max(16, Math.round(height * share));
        if (this.field?.width !== w || this.field?.height !== h) {
            this.field?.free();
            this.field = new Target(gl, w, h, [gl.RGBA16F, gl.RGBA16F], { mipmapped: 1 });
        }
        this.field.clear([0, 0, 0, 0], [0, 0, 0, 0]);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE);
        this.splat.use({ ...shared, radius: SUPPORT * spacing });
        this.particles.draw();
        gl.disable(gl.BLEND);
        this.fieldSpacing = spacingPixels * w / width;
        gl.bindTexture(gl.TEXTURE_2D, this.field.colours[0].texture);
        gl.generateMipmap(gl.TEXTURE_2D);
    }

    #drawWater(shared, spacingPixels, width, height) {
        const { gl } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        const [field, paint] = this.field.colours;
        this.water.use({
            ...shared, field, paint, field_texel: [1 / field.width, 1 / field.height], pixel: 1 / spacingPixels,
            froth: 0.62, fine: Math.max(0, Math.log2(1.3 * this.fieldSpacing)),
            coarse: Math.max(0, Math.log2(7 * this.fieldSpacing)),
        });
        this.quad.draw();
    }

    #drawDiscs(shared, spacingPixels, width, height) {
        const { gl } = this, radius = Math.max(0.5, 0.5 * spacingPixels);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        this.paper.use(shared);
        this.quad.draw();
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        this.disc.use({ ...shared, radius: radius / (0.5 * shared.to_clip[0] * width), pixel: 1 / radius });
        this.particles.draw();
        gl.disable(gl.BLEND);
    }
}
