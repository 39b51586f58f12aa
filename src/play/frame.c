/* SPDX-License-Identifier: MIT */
/* The bytes of a frame: a header, particles as 16-bit positions in their box, poses of solids, joints, links and cloth.
   Little endian, every array padded to a multiple of four bytes; docs/play_engine.md has the layout. */
#include "play/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLAG_3D      1u
#define FLAG_COLOR   2u
#define FLAG_PLAYING 4u
#define LARGEST      65535.0f
#define HAND_KIND    255u
#define LINKS_MAX    400000

const char *const rill_play_colors[PLAY_COLOR_COUNT] = {"none", "speed", "density", "pressure", "id"};

typedef struct head {
    char magic[4];
    uint32_t flags, step;
    float time, origin[3], scale[3];
    uint32_t particles, bodies, solids, joints, links, shapes_version;
    float range[2];
    uint32_t segments, triangles;
} head;
_Static_assert(sizeof(head) == 20 * 4, "the page reads 20 words");

typedef struct pose {
    float position[3], quaternion[4];
    uint32_t shape, id, kind;
} pose;

typedef struct joint_ends {
    float a[3], b[3];
    uint32_t kind;
} joint_ends;

/* ---- bytes ---- */

/* Appends room for an array, padded with zeros; NULL if there is no memory. */
static void *room_for(play_bytes *b, size_t size) {
    const size_t padded = (size + 3) & ~(size_t)3;
    if (b->size + padded > b->capacity) {
        const size_t capacity = b->size + padded + b->capacity / 2 + 4096;
        char *grown = realloc(b->data, capacity);
        if (!grown) return NULL;
        b->data = grown, b->capacity = capacity;
    }
    char *room = b->data + b->size;
    memset(room + size, 0, padded - size);
    b->size += padded;
    return room;
}

static const float *floats_of(const rill_view *view, int k) {
    return (const float *)view->data + (size_t)k * (size_t)view->stride;
}

/* ---- particles ---- */

static void find_box(const rill_view *position, int dim, head *h) {
    float low[3] = {0}, high[3] = {0};
    for (int k = 0; k < position->count; k++) {
        const float *x = floats_of(position, k);
        for (int axis = 0; axis < dim; axis++) {
            if (k == 0 || x[axis] < low[axis]) low[axis] = x[axis];
            if (k == 0 || x[axis] > high[axis]) high[axis] = x[axis];
        }
    }
    for (int axis = 0; axis < dim; axis++) {
        h->origin[axis] = low[axis];
        h->scale[axis] = (high[axis] - low[axis]) / LARGEST;
    }
}

/* The nearest of 65536 positions along one axis. */
static void put_axis(const rill_view *position, int axis, const head *h, uint16_t *out) {
    const float origin = h->origin[axis], per = h->scale[axis] > 0 ? 1 / h->scale[axis] : 0;
    for (int k = 0; k < position->count; k++) {
        const float place = (floats_of(position, k)[axis] - origin) * per + 0.5f;
        out[k] = place >= LARGEST ? 65535 : place > 0 ? (uint16_t)place : 0; /* NaN becomes 0 */
    }
}

static void put_fluids(const rill_view *fluid, uint8_t *out) {
    for (int k = 0; k < fluid->count; k++) {
        const uint32_t number = ((const uint32_t *)fluid->data)[(size_t)k * (size_t)fluid->stride];
        out[k] = number < 255 ? (uint8_t)number : 255;
    }
}

/* Density as a share of the rest density: spray has few neighbours, so its value is small. */
static void put_densities(const rill_frame *f, const rill_view *density, const uint8_t *fluid, uint8_t *out) {
    float per[256];
    for (int k = 0; k < 256; k++) {
        const float rest = k < f->fluid_count ? f->fluid[k].density : 1000;
        per[k] = rest > 0 ? 255 / rest : 0;
    }
    for (int k = 0; k < density->count; k++) {
        const float value = *floats_of(density, k) * per[fluid[k]];
        out[k] = value >= 255 ? 255 : value > 0 ? (uint8_t)value : 0;
    }
}

static float color_value(const rill_view *view, int color, int k) {
    const float *x = floats_of(view, k);
    if (color != PLAY_COLOR_SPEED) return *x;
    const float z = view->components > 2 ? x[2] : 0;
    return sqrtf(x[0] * x[0] + x[1] * x[1] + z * z);
}

static void put_ids(const rill_view *id, uint8_t *out) {
    for (int k = 0; k < id->count; k++)
        out[k] = (uint8_t)(((const uint64_t *)id->data)[(size_t)k * (size_t)id->stride] * 0x9E3779B97F4A7C15u >> 56);
}

static void put_colors(const rill_view *view, int color, head *h, uint8_t *out) {
    float low = 0, high = 0;
    for (int k = 0; k < view->count; k++) {
        const float value = color_value(view, color, k);
        if (k == 0 || value < low) low = value;
        if (k == 0 || value > high) high = value;
    }
    if (color == PLAY_COLOR_SPEED) low = 0;
    const float per = high > low ? 255 / (high - low) : 0;
    for (int k = 0; k < view->count; k++) {
        const float value = (color_value(view, color, k) - low) * per;
        out[k] = value >= 255 ? 255 : value > 0 ? (uint8_t)value : 0;
    }
    h->range[0] = low, h->range[1] = high;
}

static bool put_color_array(play_session *s, const rill_frame *f, head *h) {
    static const char *const fields[PLAY_COLOR_COUNT] = {NULL, "velocity", "density", "pressure", "id"};
    const rill_view *view = s->color == PLAY_COLOR_NONE ? NULL : rill_frame_field(f, fields[s->color]);
    if (!view) return true;
    uint8_t *out = room_for(&s->bytes, (size_t)f->count);
    if (!out) return false;
    h->flags |= FLAG_COLOR;
    if (s->color == PLAY_COLOR_ID)
        put_ids(view, out);
    else
        put_colors(view, s->color, h, out);
    return true;
}

static bool put_particles(play_session *s, const rill_frame *f, head *h) {
    const size_t n = (size_t)f->count;
    const rill_view *position = rill_frame_field(f, "position"), *fluid = rill_frame_field(f, "fluid");
    const rill_view *density = rill_frame_field(f, "density");
    if (!position || !fluid || !density) return false;
    find_box(position, f->dim, h);
    for (int axis = 0; axis < f->dim; axis++) {
        uint16_t *out = room_for(&s->bytes, 2 * n);
        if (!out) return false;
        put_axis(position, axis, h, out);
    }
    const size_t at = s->bytes.size;
    uint8_t *fluids = room_for(&s->bytes, n);
    if (!fluids) return false;
    put_fluids(fluid, fluids);
    uint8_t *densities = room_for(&s->bytes, n);
    if (!densities) return false;
    put_densities(f, density, (const uint8_t *)s->bytes.data + at, densities); /* room_for may have moved the bytes */
    return put_color_array(s, f, h);
}

/* ---- solids ---- */

static void copy_vec(float out[3], rill_vec v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

/* The quaternion of a rotation matrix, computed from its largest component (Shepperd). */
static void to_quaternion(const float m[3][3], float q[4]) {
    const float trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > 0) {
        const float r = 2 * sqrtf(1 + trace);
        q[3] = r / 4, q[0] = (m[2][1] - m[1][2]) / r, q[1] = (m[0][2] - m[2][0]) / r, q[2] = (m[1][0] - m[0][1]) / r;
        return;
    }
    const int i = m[0][0] > m[1][1] ? (m[0][0] > m[2][2] ? 0 : 2) : (m[1][1] > m[2][2] ? 1 : 2);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const float r = 2 * sqrtf(fmaxf(1 + m[i][i] - m[j][j] - m[k][k], 1e-12f));
    q[i] = r / 4, q[j] = (m[j][i] + m[i][j]) / r, q[k] = (m[k][i] + m[i][k]) / r, q[3] = (m[k][j] - m[j][k]) / r;
}

/* The poses of bodies, or of the solids that belong to no body. */
static bool put_solids(play_session *s, const rill_frame *f, bool of_bodies, uint32_t *count) {
    for (int k = 0; k < f->solid_count; k++) {
        const rill_frame_solid *solid = &f->solid[k];
        if ((solid->body >= 0) != of_bodies) continue;
        pose *p = room_for(&s->bytes, sizeof *p);
        if (!p) return false;
        *p = (pose){.shape = (uint32_t)solid->shape};
        copy_vec(p->position, solid->transform.shift);
        to_quaternion(solid->transform.turn, p->quaternion);
        if (of_bodies) {
            p->id = rill_world_body_at(s->world, solid->body).index1;
            p->kind = (uint32_t)f->body[solid->body].kind + 1;
        } else {
            p->id = rill_world_solid_at(s->world, k).index1;
        }
        (*count)++;
    }
    return true;
}

static bool put_joints(play_session *s, const rill_frame *f, head *h) {
    rill_vec from, to;
    for (int k = 0; k < f->joint_count; k++) {
        if (f->joint[k].broken) continue;
        joint_ends *j = room_for(&s->bytes, sizeof *j);
        if (!j) return false;
        copy_vec(j->a, f->joint[k].anchor_a), copy_vec(j->b, f->joint[k].anchor_b);
        j->kind = (uint32_t)f->joint[k].kind;
        h->joints++;
    }
    if (!rill_play_hand_ends(s, &from, &to)) return true;
    joint_ends *hand = room_for(&s->bytes, sizeof *hand);
    if (!hand) return false;
    copy_vec(hand->a, from), copy_vec(hand->b, to);
    hand->kind = HAND_KIND;
    h->joints++;
    return true;
}

/* The names of the links that are pieces of cloth; they are always shown. */
static const char SEGMENTS[] = "segments", TRIANGLES[] = "triangles";

static bool is_cloth(const rill_frame_links *links) {
    return !strcmp(links->name, SEGMENTS) || !strcmp(links->name, TRIANGLES);
}

static bool put_cloth(play_session *s, const rill_frame *f, const char *name, uint32_t *count) {
    for (int set = 0; set < f->links_count; set++) {
        const rill_frame_links *links = &f->links[set];
        const size_t ends = (size_t)links->ends * (size_t)links->count;
        if (strcmp(links->name, name) != 0 || ends == 0) continue;
        uint32_t *out = room_for(&s->bytes, ends * sizeof *out);
        if (!out) return false;
        for (size_t k = 0; k < ends; k++) out[k] = (uint32_t)links->particle[k];
        *count += (uint32_t)links->count;
    }
    return true;
}

/* Lines between particles: a link of three particles is drawn as the three sides of a triangle. */
static bool put_links(play_session *s, const rill_frame *f, head *h) {
    for (int set = 0; s->with_links && set < f->links_count; set++) {
        const rill_frame_links *links = &f->links[set];
        if (is_cloth(links)) continue;
        const int lines = links->ends == 2 ? 1 : links->ends;
        for (int k = 0; k < links->count && h->links + 4 < LINKS_MAX; k++) {
            const int32_t *end = links->particle + (size_t)k * (size_t)links->ends;
            uint32_t *out = room_for(&s->bytes, 8 * (size_t)lines);
            if (!out) return false;
            for (int e = 0; e < lines; e++)
                out[2 * e] = (uint32_t)end[e], out[2 * e + 1] = (uint32_t)end[(e + 1) % links->ends];
            h->links += (uint32_t)lines;
        }
    }
    return true;
}

/* The time that is shown lies within the world's last step, where the frame is interpolated. A world that was just
   loaded has no last step. */
static bool take_frame(play_session *s) {
    if (!s->world) return false;
    const bool ahead = rill_world_stats(s->world)->time > s->time;
    if (ahead && rill_frame_of_world_at(&s->frame, s->world, s->time, NULL) == RILL_OK) return true;
    return rill_frame_of_world(&s->frame, s->world, NULL) == RILL_OK;
}

const void *rill_play_frame(play_session *s, size_t *size) {
    if (!take_frame(s)) return NULL;
    const rill_frame *f = &s->frame;
    head h = {.magic = {'R', 'L', 'F', '2'}, .step = (uint32_t)s->step, .time = (float)s->time};
    h.flags = (f->dim == 3 ? FLAG_3D : 0) | (s->playing ? FLAG_PLAYING : 0);
    h.particles = (uint32_t)f->count;
    h.shapes_version = s->shapes_version;
    s->bytes.size = 0;
    if (!room_for(&s->bytes, sizeof h) || !put_particles(s, f, &h)) return NULL;
    if (!put_solids(s, f, true, &h.bodies) || !put_solids(s, f, false, &h.solids)) return NULL;
    if (!put_joints(s, f, &h) || !put_links(s, f, &h)) return NULL;
    if (!put_cloth(s, f, SEGMENTS, &h.segments) || !put_cloth(s, f, TRIANGLES, &h.triangles)) return NULL;
    memcpy(s->bytes.data, &h, sizeof h);
    *size = s->bytes.size;
    return s->bytes.data;
}
