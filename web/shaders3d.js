// SPDX-License-Identifier: MIT
// Shaders of the 3D picture (draw3d.js has the order of the passes). Depth is always the distance along the camera's axis in
// metres. It is 0 where there is no liquid, and negative for drops of spray: these stay unfiltered, as round as they are.
import { FLUIDS_MAX } from './gl.js';

// Sky and floor: everything that water reflects and lets through. On a grey background water looks dull.
const SURROUNDINGS = `
uniform vec3 sky_high, sky_low, floor_light, floor_dark, to_light;
uniform float floor_height, tile;
float chance(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float noise(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(chance(i), chance(i + vec2(1, 0)), f.x), mix(chance(i + vec2(0, 1)), chance(i + vec2(1, 1)), f.x), f.y);
}
// Clouds, so that reflections have something to show.
vec3 sky(vec3 along) {
    float up = clamp(along.z, 0.0, 1.0);
    vec3 colour = mix(sky_low, sky_high, pow(up, 0.55));
    vec2 p = 1.3 * along.xy / (up + 0.15) + 3.7;
    float cover = 0.5 * noise(p) + 0.3 * noise(2.3 * p) + 0.2 * noise(5.1 * p);
    colour = mix(colour, 0.25 + 0.8 * sky_low, 0.85 * smoothstep(0.42, 0.72, cover) * smoothstep(0.0, 0.3, up));
    float sun = max(dot(along, to_light), 0.0);
    // A broad, bright patch of light, for reflections on glossy water.
    return colour + vec3(1.0, 0.97, 0.9) * (0.25 * pow(sun, 6.0) + 0.9 * smoothstep(0.975, 0.99, sun));
}
`;

export const BACK_FRAGMENT = `
${SURROUNDINGS}
uniform sampler2D shadow;
uniform vec3 eye, right, up, forward;
uniform vec2 slope;
uniform vec4 shadow_box; // lower corner and size on the floor
uniform mat4 projection;
uniform float far_away;
layout(location = 0) out vec4 result;
layout(location = 1) out vec4 depth;

vec3 floor_colour(vec2 at, float away) {
    vec2 grid = at / tile, width = fwidth(grid) + 1e-5;
    vec2 cell = abs(fract(grid) - 0.5);
    vec2 joint = smoothstep(0.5 - 0.012 - width, vec2(0.5 - 0.006), cell);
    float checker = mod(floor(grid.x) + floor(grid.y), 2.0);
    float blur = clamp(2.0 * max(width.x, width.y) - 0.3, 0.0, 1.0);
    vec3 colour = mix(floor_light, floor_dark, mix(checker, 0.5, blur) * 0.55);
    colour = mix(colour, floor_dark * 0.86, max(joint.x, joint.y) * (1.0 - blur));
    vec2 s = (at - shadow_box.xy) / shadow_box.zw;
    if (all(greaterThan(s, vec2(0.0))) && all(lessThan(s, vec2(1.0)))) {
        vec4 shade = texture(shadow, s);
        colour *= mix(vec3(1), exp(-0.55 * shade.rgb), 0.8) * (1.0 - 0.45 * clamp(shade.a, 0.0, 1.0));
    }
    return mix(colour, sky_low, 1.0 - exp(-away * away));
}

void main() {
    vec3 along = forward + right * slope.x * (2.0 * uv.x - 1.0) + up * slope.y * (2.0 * uv.y - 1.0);
    float reach = (floor_height - eye.z) / along.z;
    result = vec4(sky(normalize(along)), 1);
    float d = far_away;
    vec2 at = eye.xy + along.xy * reach;
    if (reach > 0.0) {
        result.rgb = floor_colour(at, reach / (28.0 * tile));
        d = min(reach, far_away);
    }
    depth = vec4(d);
    vec4 clip = projection * vec4(0, 0, -d, 1);
    gl_FragDepth = clamp(0.5 * clip.z / clip.w + 0.5, 0.0, 1.0);
}`;

export const MESH_VERTEX = `
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
uniform mat4 view, projection;
uniform vec3 position;
uniform vec4 turn;
out vec3 place, facing;
out float away;
vec3 turned(vec3 v) { vec3 t = 2.0 * cross(turn.xyz, v); return v + turn.w * t + cross(turn.xyz, t); }
void main() {
    place = position + turned(point);
    facing = turned(normal);
    vec4 seen = view * vec4(place, 1);
    away = -seen.z;
    gl_Position = projection * seen;
}`;

export const MESH_FRAGMENT = `
${SURROUNDINGS}
in vec3 place, facing;
in float away;
uniform vec3 eye, colour;
uniform float opacity;
uniform bool plain; // without lighting, for lines
layout(location = 0) out vec4 result;
layout(location = 1) out vec4 depth;
void main() {
    vec3 to_eye = normalize(eye - place);
    vec3 n = normalize(facing);
    if (dot(n, to_eye) < 0.0) n = -n;
    float light = max(dot(n, to_light), 0.0), ambient = 0.5 + 0.5 * n.z;
    vec3 lit = colour * (0.30 + 0.28 * ambient + 0.62 * light);
    float edge = pow(1.0 - max(dot(n, to_eye), 0.0), 5.0);
    lit += 0.25 * edge * sky(reflect(-to_eye, n)) + 0.12 * pow(max(dot(reflect(-to_eye, n), to_light), 0.0), 24.0);
    result = vec4(plain ? colour : lit, opacity);
    depth = vec4(away);
}`;

export const SHADOW_MESH_VERTEX = `
layout(location = 0) in vec3 point;
uniform vec3 position, to_light;
uniform vec4 turn, shadow_box;
uniform float floor_height;
vec3 turned(vec3 v) { vec3 t = 2.0 * cross(turn.xyz, v); return v + turn.w * t + cross(turn.xyz, t); }
void main() {
    vec3 at = position + turned(point);
    vec2 on_floor = at.xy - to_light.xy / to_light.z * (at.z - floor_height);
    gl_Position = vec4(2.0 * (on_floor - shadow_box.xy) / shadow_box.zw - 1.0, 0, 1);
}`;
export const SHADOW_MESH_FRAGMENT = 'out vec4 result;\nvoid main() { result = vec4(0, 0, 0, 1); }';

export const SHADOW_VERTEX = `
uniform vec4 shadow_box;
uniform vec3 to_light;
uniform float floor_height, radius;
uniform vec3 absorbs[${FLUIDS_MAX}];
out vec2 offset;
out vec3 loss;
void main() {
    if (is_cloth()) { gl_Position = NOWHERE; return; }
    vec3 at = particle_position();
    vec2 on_floor = at.xy - to_light.xy / to_light.z * (at.z - floor_height) + corner * 2.0 * radius;
    offset = corner;
    loss = (absorbs[liquid()] + 0.25) * radius;
    gl_Position = vec4(2.0 * (on_floor - shadow_box.xy) / shadow_box.zw - 1.0, 0, 1);
}`;
export const SHADOW_FRAGMENT = `
in vec2 offset;
in vec3 loss;
out vec4 result;
void main() {
    float s = max(1.0 - dot(offset, offset), 0.0);
    result = vec4(loss * s * s, 0);
}`;

// A sphere for each particle. It shrinks where the density is low, so that spray becomes drops.
export const SPHERE_VERTEX = `
uniform mat4 view, projection;
uniform float radius, least;
uniform vec3 absorbs[${FLUIDS_MAX}], flat_colour[${FLUIDS_MAX}];
uniform float cloudy[${FLUIDS_MAX}];
out vec2 offset;
out vec3 centre, loss, tint;
out float size, cloud, spray, value, held;
uniform vec3 tank_min, tank_max;
void main() {
    if (is_cloth()) { gl_Position = NOWHERE; return; }
    float whole = smoothstep(0.25, 0.85, density);
    size = radius * mix(least, 1.0, whole);
    spray = 1.0 - whole;
    value = colour;
    loss = absorbs[liquid()];
    cloud = cloudy[liquid()];
    tint = flat_colour[liquid()];
    offset = corner;
    vec3 at = particle_position();
    held = all(greaterThan(at, tank_min)) && all(lessThan(at, tank_max)) ? 1.0 : 0.0;
    centre = (view * vec4(at, 1)).xyz;
    gl_Position = projection * vec4(centre + vec3(corner * size, 0), 1);
}`;

// The part of a sphere's depth that lies inside its tank: water ends flat at the glass, and not half a sphere behind it.
const IN_TANK = `
uniform vec3 eye, right, up, forward, tank_min, tank_max;
in float held;
vec2 depths(vec3 centre, vec2 offset, float size, float half_way) {
    vec2 ends = vec2(-half_way, half_way) - centre.z;
    vec2 across = (centre.xy + offset * size) / -centre.z;
    vec3 along = right * across.x + up * across.y + forward;
    along += vec3(lessThan(abs(along), vec3(1e-6))) * 1e-6;
    vec3 low = (tank_min - eye) / along, high = (tank_max - eye) / along, first = min(low, high), last = max(low, high);
    vec2 inside = vec2(max(first.x, max(first.y, first.z)), min(last.x, min(last.y, last.z)));
    return held > 0.5 ? vec2(max(ends.x, inside.x), min(ends.y, inside.y)) : ends;
}
`;

export const DEPTH_FRAGMENT = `
in vec2 offset;
in vec3 centre;
in float size, spray;
uniform sampler2D behind;
uniform mat4 projection;
out vec4 result;
${IN_TANK}
void main() {
    float s = 1.0 - dot(offset, offset);
    if (s <= 0.0) discard;
    vec2 ends = depths(centre, offset, size, size * sqrt(s));
    if (ends.x >= ends.y) discard;
    float d = ends.x;
    if (d > texelFetch(behind, ivec2(gl_FragCoord.xy), 0).r) discard;
    result = vec4(spray > 0.6 ? -d : d, 0, 0, 1);
    vec4 clip = projection * vec4(0, 0, -d, 1);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
}`;

export const BALL_FRAGMENT = `
in vec2 offset;
in vec3 centre, tint;
in float size, value;
uniform mat4 projection;
uniform sampler2D ramp;
uniform bool by_value;
uniform vec2 speeds; // the values 0 and 1 as shares of the speed of a fast flow
uniform vec3 right, up, forward, to_light;
layout(location = 0) out vec4 result;
layout(location = 1) out vec4 depth;
void main() {
    float s = 1.0 - dot(offset, offset);
    if (s <= 0.0) discard;
    float z = sqrt(s), d = -(centre.z + size * z);
    vec3 n = right * offset.x + up * offset.y - forward * z;
    vec3 colour = by_value ? texture(ramp, vec2(value, 0.5)).rgb : mix(tint, vec3(1), 0.7 * smoothstep(0.2, 1.0, mix(speeds.x, speeds.y, value)));
    result = vec4(colour * (0.45 + 0.15 * n.z + 0.5 * max(dot(n, to_light), 0.0)), 1);
    depth = vec4(d);
    vec4 clip = projection * vec4(0, 0, -d, 1);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
}`;

// The light lost on the way through the liquid, summed over all particles; and the value near the front.
export const THICKNESS_FRAGMENT = `
in vec2 offset;
in vec3 centre, loss;
in float size, cloud, spray, value;
uniform sampler2D behind, front;
uniform vec2 texel;
uniform float overlap, radius;
${IN_TANK}
layout(location = 0) out vec4 through; // optical depth, length [m]
layout(location = 1) out vec4 near;    // cloudy length, spray by weight, value by weight, weight
void main() {
    float s = 1.0 - dot(offset, offset);
    if (s <= 0.0) discard;
    float d = -centre.z;
    vec2 at = gl_FragCoord.xy * texel;
    if (d - size > texture(behind, at).r) discard;
    vec2 ends = depths(centre, offset, size, size * sqrt(s));
    float way = max(ends.y - ends.x, 0.0) * overlap;
    float weight = exp(-max(d - abs(texture(front, at).r), 0.0) / (1.5 * radius)) * s;
    through = vec4(loss * way, way);
    near = vec4(cloud * way, spray * weight, value * weight, weight);
}`;

// Narrow-range filter (Truong and Yuksel 2018), one direction at a time. Samples far in front belong to other water: they
// are left out together with the opposite sample. Samples far behind are pulled near. Edges stay, ripples go.
export const FILTER_FRAGMENT = `
uniform sampler2D depth;
uniform ivec2 along;
uniform float reach, narrow, step_back; // reach [pixels at 1 m]; range and pull [m]
out vec4 result;
const int MOST = 28;
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(depth, 0) - 1;
    float d = texelFetch(depth, here, 0).r;
    if (d <= 0.0) { result = vec4(d, 0, 0, 1); return; }
    float radius = clamp(reach / d, 2.0, float(MOST));
    int n = int(radius);
    float spread = 0.55 * radius, sum = d, weights = 1.0, low = d - narrow, high = d + narrow;
    for (int k = 1; k <= MOST; ++k) {
        if (k > n) break;
        float a = texelFetch(depth, clamp(here + k * along, ivec2(0), last), 0).r;
        float b = texelFetch(depth, clamp(here - k * along, ivec2(0), last), 0).r;
        if (a == 0.0) a = 1e9;
        if (b == 0.0) b = 1e9;
        if (a < low || b < low) continue; // this leaves out drops too
        float w = exp(-0.5 * float(k * k) / (spread * spread));
        if (a > high) a = d + step_back; else { low = min(low, a - narrow); high = max(high, a + narrow); }
        if (b > high) b = d + step_back; else { low = min(low, b - narrow); high = max(high, b + narrow); }
        sum += w * (a + b);
        weights += 2.0 * w;
    }
    result = vec4(sum / weights, 0, 0, 1);
}`;

export const WATER_FRAGMENT = `
${SURROUNDINGS}
uniform sampler2D depth, through, near, back, behind, ramp;
uniform vec3 eye, right, up, forward;
uniform vec2 slope;
uniform float bend, spacing;
uniform bool by_value;
out vec4 result;

vec3 seen_at(ivec2 pixel, float d) {
    vec2 at = (vec2(pixel) + 0.5) / vec2(textureSize(depth, 0));
    return vec3((2.0 * at - 1.0) * slope * d, -d);
}
float depth_at(ivec2 pixel) { return abs(texelFetch(depth, clamp(pixel, ivec2(0), textureSize(depth, 0) - 1), 0).r); }

// The smaller of the one-sided differences: the other one may cross an edge. If both do, the surface faces the eye.
vec3 difference(ivec2 here, float d, ivec2 along) {
    float ahead = depth_at(here + along), back = depth_at(here - along);
    vec3 p = seen_at(here, d);
    bool forwards = ahead > 0.0 && (back <= 0.0 || abs(ahead - d) < abs(d - back));
    float other = forwards ? ahead : back;
    if (other <= 0.0 || abs(other - d) > 1.5 * spacing) return vec3(along, 0) * 1e-3;
    return forwards ? seen_at(here + along, ahead) - p : p - seen_at(here - along, back);
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float d = depth_at(here);
    vec3 clear = texture(back, uv).rgb;
    if (d <= 0.0) { result = vec4(clear, 1); return; }
    vec3 n_seen = normalize(cross(difference(here, d, ivec2(1, 0)), difference(here, d, ivec2(0, 1))));
    vec3 n = right * n_seen.x + up * n_seen.y - forward * n_seen.z;
    vec3 seen = seen_at(here, d);
    vec3 along = normalize(right * seen.x + up * seen.y + forward * d);
    vec4 t = texture(through, uv), m = texture(near, uv);

    // Light from behind, refracted. If something in front of the liquid would be seen, the view is not refracted.
    vec2 shift = -n_seen.xy * bend * min(t.a, 14.0 * spacing) / d / slope * 0.5;
    vec2 at = uv + shift;
    float opaque = texture(behind, at).r;
    if (opaque < d) at = uv;
    // A body in the water hides what is behind it: only the water in front of it absorbs.
    float way = max(t.a, 0.3 * spacing), share = clamp((texture(behind, at).r - d) / way, 0.0, 1.0);
    // Thin edges absorb as if they were a little thicker, which makes the outline visible.
    vec3 body = t.rgb / max(t.a, 1e-5);
    vec3 left = exp(-(mix(t.rgb, texture(through, at).rgb, 0.5) + 2.6 * spacing * body) * share);
    vec3 colour = texture(back, at).rgb * left;
    // Little scattering: deep water glows in its own colour, most where it faces the sky, unlike the sides.
    vec3 own = exp(-1.6 * body / max(length(body), 1e-3));
    colour += own * (1.0 - left) * mix(0.04, 0.30, smoothstep(-0.1, 1.0, n.z)) * sky_low;
    float cloudy = 1.0 - exp(-30.0 * m.r / (way + 1e-5) * min(way / (4.0 * spacing), 1.0));
    float light = 0.55 + 0.2 * n.z + 0.35 * max(dot(n, to_light), 0.0);
    colour = mix(colour, own * light, cloudy * step(1e-6, m.r));
    if (by_value) colour = mix(colour, texture(ramp, vec2(m.b / max(m.a, 1e-6), 0.5)).rgb * light * 1.15, 0.86);

    vec3 mirrored = reflect(along, n);
    float facing = clamp(dot(-along, n), 0.0, 1.0), fresnel = 0.03 + 0.97 * pow(1.0 - facing, 4.0);
    // Below the horizon the water reflects the floor, which gets pale with distance.
    vec3 mirror = mirrored.z > 0.0 ? sky(mirrored) : mix(sky_low, floor_light * 0.8, clamp(-3.0 * mirrored.z, 0.0, 1.0));
    colour = mix(colour, mirror, (by_value ? 0.5 : 0.9) * fresnel);
    colour += vec3(1.0, 0.98, 0.94) * 0.75 * pow(max(dot(mirrored, to_light), 0.0), 160.0);
    float foam = clamp(m.g / max(m.a, 1e-6), 0.0, 1.0);
    if (!by_value) colour = mix(colour, vec3(0.93, 0.96, 0.98) * light * 1.1, 0.55 * smoothstep(0.25, 1.0, foam));
    result = vec4(colour, 1);
}`;

// Smooths edges by contrast (after Lottes, FXAA 2009, the simple form), and puts the picture on the page.
export const SMOOTH_FRAGMENT = `
uniform sampler2D image;
uniform vec2 texel;
out vec4 result;
float light(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }
vec3 at(vec2 by) { return texture(image, uv + by * texel).rgb; }
void main() {
    vec3 middle = at(vec2(0));
    float nw = light(at(vec2(-1, 1))), ne = light(at(vec2(1, 1))), sw = light(at(vec2(-1, -1))), se = light(at(vec2(1, -1)));
    float m = light(middle), least = min(m, min(min(nw, ne), min(sw, se))), most = max(m, max(max(nw, ne), max(sw, se)));
    if (most - least < 0.03) { result = vec4(middle, 1); return; }
    vec2 way = vec2(sw + se - nw - ne, nw + sw - ne - se);
    float soft = max((nw + ne + sw + se) * 0.03125, 0.0078125);
    way = clamp(way / (min(abs(way.x), abs(way.y)) + soft), -8.0, 8.0);
    vec3 inner = 0.5 * (at(way * -0.16667) + at(way * 0.16667));
    vec3 outer = 0.5 * inner + 0.25 * (at(way * -0.5) + at(way * 0.5));
    float l = light(outer);
    result = vec4(l < least || l > most ? inner : outer, 1);
}`;
