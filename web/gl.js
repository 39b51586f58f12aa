// SPDX-License-Identifier: MIT
// The parts of WebGL2 that the pictures need: programs, textures to draw into, a quad over the whole target, particles.

import { CLOTH_FLUID } from './frame.js';

export const FLUIDS_MAX = 16; // fluids with colours of their own
export const CORNER = 0, X = 1, Y = 2, Z = 3, FLUID = 4, DENSITY = 5, COLOUR = 6;

const PARTICLE_HEAD = `#version 300 es
precision highp float;
precision highp int;
layout(location = ${CORNER}) in vec2 corner;
layout(location = ${X}) in float quantised_x;
layout(location = ${Y}) in float quantised_y;
layout(location = ${Z}) in float quantised_z;
layout(location = ${FLUID}) in float fluid;
layout(location = ${DENSITY}) in float density;
layout(location = ${COLOUR}) in float colour;
uniform vec3 frame_origin, frame_scale;
vec3 particle_position() { return frame_origin + frame_scale * vec3(quantised_x, quantised_y, quantised_z); }
int liquid() { return int(min(fluid, ${FLUIDS_MAX - 1}.0)); }
// Particles of cloth are drawn as cloth (cloth.js): here their quads are moved out of sight.
bool is_cloth() { return fluid >= ${CLOTH_FLUID}.0; }
const vec4 NOWHERE = vec4(0, 0, 2, 1);
`;
const SCREEN_VERTEX = `#version 300 es
layout(location = ${CORNER}) in vec2 corner;
out vec2 uv;
void main() { uv = 0.5 * corner + 0.5; gl_Position = vec4(corner, 0, 1); }
`;
const FRAGMENT_HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
`;

function compile(gl, kind, text) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
        throw new Error(`shader: ${gl.getShaderInfoLog(shader)}\n${text}`);
    }
    return shader;
}

// A program whose uniforms are set by name: p.set({radius: 0.1, target: [1, 2, 3], image: texture}).
export class Program {
    constructor(gl, vertex, fragment) {
        this.gl = gl;
        this.handle = gl.createProgram();
        gl.attachShader(this.handle, compile(gl, gl.VERTEX_SHADER, vertex));
        gl.attachShader(this.handle, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT_HEAD + fragment));
        gl.linkProgram(this.handle);
        if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost()) {
            throw new Error(`program: ${gl.getProgramInfoLog(this.handle)}`);
        }
        this.uniforms = new Map();
        let unit = 0;
        const count = gl.getProgramParameter(this.handle, gl.ACTIVE_UNIFORMS) ?? 0;
        for (let i = 0; i < count; ++i) {
            const { name, type } = gl.getActiveUniform(this.handle, i);
            const place = { at: gl.getUniformLocation(this.handle, name), type };
            if (type === gl.SAMPLER_2D) place.unit = unit++;
            this.uniforms.set(name.replace('[0]', ''), place);
        }
    }

    use(values) {
        this.gl.useProgram(this.handle);
        for (const [name, value] of Object.entries(values)) this.#set(name, value);
        return this;
    }

    #set(name, value) {
        const { gl } = this, place = this.uniforms.get(name);
        if (!place) return; // The compiler removes uniforms that the shader does not use.
        switch (place.type) {
        case gl.SAMPLER_2D:
            gl.activeTexture(gl.TEXTURE0 + place.unit);
            gl.bindTexture(gl.TEXTURE_2D, value.texture ?? value);
            gl.uniform1i(place.at, place.unit);
            break;
        case gl.FLOAT: gl.uniform1fv(place.at, typeof value === 'number' ? [value] : value); break;
        case gl.INT: case gl.BOOL: gl.uniform1i(place.at, value); break;
        case gl.INT_VEC2: gl.uniform2iv(place.at, value); break;
        case gl.FLOAT_VEC2: gl.uniform2fv(place.at, value); break;
        case gl.FLOAT_VEC3: gl.uniform3fv(place.at, value); break;
        case gl.FLOAT_VEC4: gl.uniform4fv(place.at, value); break;
        case gl.FLOAT_MAT4: gl.uniformMatrix4fv(place.at, false, value); break;
        default: throw new Error(`uniform ${name}: a type nobody has asked for yet`);
        }
    }
}

export const particleProgram = (gl, vertex, fragment) => new Program(gl, PARTICLE_HEAD + vertex, fragment);
export const screenProgram = (gl, fragment) => new Program(gl, SCREEN_VERTEX, 'in vec2 uv;\n' + fragment);
export const meshProgram = (gl, vertex, fragment) =>
    new Program(gl, '#version 300 es\nprecision highp float;\n' + vertex, fragment);

// A texture: {texture, width, height}.
export function makeTexture(gl, width, height, format, { filter = gl.LINEAR, data = null, mipmaps = false } = {}) {
    const kinds = {
        [gl.RGBA8]: [gl.RGBA, gl.UNSIGNED_BYTE], [gl.RGBA16F]: [gl.RGBA, gl.HALF_FLOAT],
        [gl.R32F]: [gl.RED, gl.FLOAT], [gl.R16F]: [gl.RED, gl.HALF_FLOAT],
        [gl.DEPTH_COMPONENT24]: [gl.DEPTH_COMPONENT, gl.UNSIGNED_INT],
    };
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, ...kinds[format], data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, mipmaps ? gl.LINEAR_MIPMAP_LINEAR : filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return { texture, width, height };
}

// A target to draw into: `colours` and optionally a depth buffer, all of one size.
export class Target {
    // The first `mipmapped` colours have mipmaps, which the caller generates after drawing.
    constructor(gl, width, height, formats, { depth = false, mipmapped = 0 } = {}) {
        this.gl = gl;
        this.width = width;
        this.height = height;
        this.handle = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.handle);
        this.colours = formats.map((format, i) => {
            const filter = format === gl.R32F ? gl.NEAREST : gl.LINEAR;
            const image = makeTexture(gl, width, height, format, { filter, mipmaps: i < mipmapped });
            gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, image.texture, 0);
            return image;
        });
        gl.drawBuffers(formats.map((_, i) => gl.COLOR_ATTACHMENT0 + i));
        if (depth) {
            this.depth = makeTexture(gl, width, height, gl.DEPTH_COMPONENT24, { filter: gl.NEAREST });
            gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.depth.texture, 0);
        }
        const status = gl.checkFramebufferStatus(gl.FRAMEBUFFER);
        if (status !== gl.FRAMEBUFFER_COMPLETE && !gl.isContextLost()) throw new Error(`cannot draw into this (${status})`);
    }

    bind() {
        this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, this.handle);
        this.gl.viewport(0, 0, this.width, this.height);
        return this;
    }

    clear(...values) {
        this.bind();
        values.forEach((value, i) => this.gl.clearBufferfv(this.gl.COLOR, i, value));
        if (this.depth) this.gl.clearBufferfv(this.gl.DEPTH, 0, [1]);
        return this;
    }

    free() {
        for (const image of [...this.colours, this.depth]) if (image) this.gl.deleteTexture(image.texture);
        this.gl.deleteFramebuffer(this.handle);
    }
}

// A quad over the whole target.
export class Quad {
    constructor(gl) {
        this.gl = gl;
        this.corners = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
        this.array = gl.createVertexArray();
        gl.bindVertexArray(this.array);
        gl.enableVertexAttribArray(CORNER);
        gl.vertexAttribPointer(CORNER, 2, gl.FLOAT, false, 0, 0);
        gl.bindVertexArray(null);
    }

    draw() {
        this.gl.bindVertexArray(this.array);
        this.gl.drawArrays(this.gl.TRIANGLE_STRIP, 0, 4);
    }
}

// The particles of a frame, uploaded as received and drawn as quads.
export class Particles {
    constructor(gl, quad) {
        this.gl = gl;
        this.buffer = gl.createBuffer();
        this.array = gl.createVertexArray();
        this.count = 0;
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, quad.corners);
        gl.enableVertexAttribArray(CORNER);
        gl.vertexAttribPointer(CORNER, 2, gl.FLOAT, false, 0, 0);
        gl.bindVertexArray(null);
        this.uniforms = { frame_origin: [0, 0, 0], frame_scale: [1, 1, 1] };
    }

    upload(frame) {
        const { gl } = this;
        this.count = frame.particles;
        this.uniforms = { frame_origin: frame.origin, frame_scale: frame.scale };
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        gl.bufferData(gl.ARRAY_BUFFER, frame.particleBytes, gl.STREAM_DRAW);
        const fields = [
            [X, frame.x, gl.UNSIGNED_SHORT, false], [Y, frame.y, gl.UNSIGNED_SHORT, false],
            [Z, frame.z, gl.UNSIGNED_SHORT, false], [FLUID, frame.fluid, gl.UNSIGNED_BYTE, false],
            [DENSITY, frame.density, gl.UNSIGNED_BYTE, true], [COLOUR, frame.colour, gl.UNSIGNED_BYTE, true],
        ];
        for (const [place, array, type, normalised] of fields) {
            if (!array) {
                gl.disableVertexAttribArray(place);
                gl.vertexAttrib1f(place, 0);
                continue;
            }
            gl.enableVertexAttribArray(place);
            gl.vertexAttribPointer(place, 1, type, normalised, 0, array.byteOffset - frame.particleBytes.byteOffset);
            gl.vertexAttribDivisor(place, 1);
        }
        gl.bindVertexArray(null);
    }

    draw() {
        if (this.count === 0) return;
        this.gl.bindVertexArray(this.array);
        this.gl.drawArraysInstanced(this.gl.TRIANGLE_STRIP, 0, 4, this.count);
    }
}

// The WebGL2 context for both kinds of picture; throws a sentence for the user if something is missing.
export function openGl(canvas) {
    const gl = canvas.getContext('webgl2', { antialias: false, alpha: false, powerPreference: 'high-performance' });
    if (!gl) throw new Error('This browser has no WebGL2, which the pictures need.');
    if (!gl.getExtension('EXT_color_buffer_float') && !gl.getExtension('EXT_color_buffer_half_float')) {
        throw new Error('This graphics card cannot draw into float textures, which the pictures need.');
    }
    return gl;
}
