/* SPDX-License-Identifier: MIT */
#include "hosting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

hosting hosting_of(rill_world *world) {
    return (hosting){.world = world};
}

static void note(hosting *h, rill_status status) {
    if (h->status == RILL_OK) h->status = status;
}

/* ---- shapes ---- */

uint64_t hosting_stamp(uint64_t stamp, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t k = 0; k < size; k++) stamp = (stamp ^ at[k]) * UINT64_C(1099511628211);
    return stamp;
}

/* Whether a quadrilateral's edges are alternately parallel to x and y. */
static bool is_box(const rill_vec *corners, int count) {
    if (count != 4) return false;
    for (int k = 0; k < 4; k++) {
        const rill_vec *a = &corners[k], *b = &corners[(k + 1) % 4], *c = &corners[(k + 2) % 4];
        const bool along_x = a->y == b->y && b->x == c->x, along_y = a->x == b->x && b->y == c->y;
        if (along_x == along_y) return false;
    }
    return true;
}

void hosting_polygon(rill_shape *part, const rill_vec *corners, int count) {
    if (is_box(corners, count)) {
        const rill_vec *a = &corners[0], *c = &corners[2];
        part->kind = RILL_BOX;
        part->min = (rill_vec){a->x < c->x ? a->x : c->x, a->y < c->y ? a->y : c->y, 0};
        part->max = (rill_vec){a->x < c->x ? c->x : a->x, a->y < c->y ? c->y : a->y, 0};
    } else {
        part->kind = RILL_POLYGON;
        part->points = (rill_points){corners, count};
    }
}

#define ARC 0.39269908 /* pi / 8 */

/* Twice the area, positive if the corners are in counter-clockwise order. */
static double area_of(const rill_vec *corners, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
        const rill_vec a = corners[k], b = corners[(k + 1) % count];
        sum += (double)a.x * (double)b.y - (double)a.y * (double)b.x;
    }
    return sum;
}

/* Angle of the outward normal of the edge from a to b. */
static double normal_angle(rill_vec a, rill_vec b, double side) {
    return atan2(-side * ((double)b.x - (double)a.x), side * ((double)b.y - (double)a.y));
}

/* Writes the points of the arc around a corner between two normals; returns their number. */
static int add_arc(rill_vec corner, double from, double to, double side, double radius, rill_vec *out) {
    const double turn = side * remainder(to - from, 2 * 3.14159265358979);
    if (!(turn > 0)) return 0; /* not a convex corner */
    const int parts = (int)ceil(turn / ARC);
    for (int k = 0; k <= parts; k++) {
        const double angle = from + side * turn * k / parts;
        out[k] = (rill_vec){corner.x + (float)(radius * cos(angle)), corner.y + (float)(radius * sin(angle)), 0};
    }
    return parts + 1;
}

void hosting_rounded(rill_shape *part, const rill_vec *corners, int count, float radius, float spacing,
                     rill_vec *room) {
    if (count < 3 || !(radius > 0)) {
        hosting_polygon(part, corners, count);
        return;
    }
    if (is_box(corners, count) && radius < 0.25f * spacing) {
        hosting_polygon(part, corners, count);
        part->min.x -= radius, part->min.y -= radius;
        part->max.x += radius, part->max.y += radius;
        return;
    }
    const double side = area_of(corners, count) > 0 ? 1 : -1;
    int total = 0;
    for (int k = 0; k < count; k++) {
        const rill_vec before = corners[(k + count - 1) % count], here = corners[k], after = corners[(k + 1) % count];
        const double from = normal_angle(before, here, side), to = normal_angle(here, after, side);
        total += add_arc(here, from, to, side, (double)radius, room + total);
    }
    hosting_polygon(part, room, total);
}

/* ---- the table of bodies ---- */

static int home_of(const void *body, int capacity) {
    return (int)((uint64_t)((uintptr_t)body >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 33) & (capacity - 1);
}

/* The entry of a body, or the free one where it would be put. */
static hosting_link *place_of(hosting_link *links, int capacity, const void *body) {
    int at = home_of(body, capacity);
    while (links[at].body && links[at].body != body) at = (at + 1) & (capacity - 1);
    return &links[at];
}

static bool grow(hosting *h) {
    const int capacity = h->capacity ? 2 * h->capacity : 64;
    hosting_link *links = calloc((size_t)capacity, sizeof *links);
    if (!links) return false;
    for (int k = 0; k < h->capacity; k++)
        if (h->links[k].body) *place_of(links, capacity, h->links[k].body) = h->links[k];
    free(h->links);
    h->links = links, h->capacity = capacity;
    return true;
}

hosting_link *hosting_find(hosting *h, const void *body) {
    hosting_link *link = h->capacity > 0 ? place_of(h->links, h->capacity, body) : NULL;
    return link && link->body ? link : NULL;
}

/* The shape of several parts together; the parts must exist as long as it is used. */
static rill_shape shape_of(const rill_shape *parts, int count) {
    if (count == 1) return parts[0];
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_COMPOUND;
    shape.parts = (rill_parts){parts, count};
    return shape;
}

hosting_link *hosting_add(hosting *h, void *body, uint64_t stamp, const rill_body_def *surface, const rill_shape *parts,
                          int count, const rill_hosted_state *state) {
    rill_body_id id;
    if (count == 0) return NULL;
    if (2 * (h->count + 1) > h->capacity && !grow(h)) {
        note(h, RILL_MEMORY);
        return NULL;
    }
    rill_body_def def = *surface;
    def.kind = RILL_BODY_DYNAMIC, def.shape = shape_of(parts, count);
    const rill_status status = rill_world_add_hosted(h->world, &def, state, &id);
    note(h, status);
    if (status != RILL_OK) return NULL;
    hosting_link *link = place_of(h->links, h->capacity, body);
    *link = (hosting_link){.body = body, .shape_stamp = stamp, .id = id};
    h->count++;
    return link;
}

/* Reinserts the entries after a removed one, so that searches do not stop at the gap. */
static void close_gap(hosting *h, int gap) {
    for (int at = (gap + 1) & (h->capacity - 1); h->links[at].body; at = (at + 1) & (h->capacity - 1)) {
        const hosting_link moved = h->links[at];
        h->links[at].body = NULL;
        *place_of(h->links, h->capacity, moved.body) = moved;
    }
}

void hosting_remove(hosting *h, const void *body) {
    hosting_link *link = hosting_find(h, body);
    if (!link) return;
    /* The host may have removed Rill's body itself: that is no error. */
    if (rill_world_body_is_valid(h->world, link->id)) note(h, rill_world_remove_body(h->world, link->id));
    link->body = NULL;
    h->count--;
    close_gap(h, (int)(link - h->links));
}

hosting_link *hosting_find_shaped(hosting *h, const void *body, uint64_t stamp) {
    hosting_link *link = hosting_find(h, body);
    if (link && link->shape_stamp == stamp) return link;
    hosting_remove(h, body);
    return NULL;
}

void hosting_free(hosting *h) {
    for (int k = 0; k < h->capacity; k++)
        if (h->links[k].body && rill_world_body_is_valid(h->world, h->links[k].id))
            rill_world_remove_body(h->world, h->links[k].id);
    free(h->links);
    free(h->joints);
    *h = hosting_of(h->world);
}

/* ---- joints ---- */

/* Updates the motor: engines can change it at any time. */
static void follow_motor(hosting *h, hosting_joint *j, const rill_joint_def *def) {
    const rill_ref ref = rill_ref_joint(j->id);
    j->seen = true;
    if (j->motor != def->motor) note(h, rill_world_set_number(h->world, ref, "motor", def->motor));
    if (j->motor_speed != def->motor_speed)
        note(h, rill_world_set_number(h->world, ref, "motor_speed", (double)def->motor_speed));
    if (j->motor_force != def->motor_force)
        note(h, rill_world_set_number(h->world, ref, "motor_force", (double)def->motor_force));
    j->motor = def->motor, j->motor_speed = def->motor_speed, j->motor_force = def->motor_force;
}

void hosting_join(hosting *h, void *joint, const rill_joint_def *def) {
    for (int k = 0; k < h->joint_count; k++)
        if (h->joints[k].joint == joint && rill_world_joint_is_valid(h->world, h->joints[k].id)) {
            follow_motor(h, &h->joints[k], def);
            return;
        }
    if (h->joint_count == h->joint_capacity) {
        const int capacity = h->joint_capacity ? 2 * h->joint_capacity : 16;
        hosting_joint *joints = realloc(h->joints, (size_t)capacity * sizeof *joints);
        if (!joints) {
            note(h, RILL_MEMORY);
            return;
        }
        h->joints = joints, h->joint_capacity = capacity;
    }
    rill_joint_id id;
    const rill_status status = rill_world_add_joint(h->world, def, &id);
    note(h, status);
    if (status == RILL_OK)
        h->joints[h->joint_count++] = (hosting_joint){.joint = joint,
                                                      .id = id,
                                                      .seen = true,
                                                      .motor = def->motor,
                                                      .motor_speed = def->motor_speed,
                                                      .motor_force = def->motor_force};
}

static void end_joints(hosting *h) {
    int kept = 0;
    for (int k = 0; k < h->joint_count; k++) {
        const hosting_joint *j = &h->joints[k];
        const bool there = rill_world_joint_is_valid(h->world, j->id);
        if (there && j->seen)
            h->joints[kept++] = *j;
        else if (there)
            note(h, rill_world_remove_joint(h->world, j->id));
    }
    h->joint_count = kept;
}

/* ---- steps ---- */

rill_status hosting_no_step(double dt) {
    return dt >= 0 ? RILL_OK : RILL_INVALID;
}

void hosting_begin(hosting *h) {
    h->status = RILL_OK;
    for (int k = 0; k < h->capacity; k++) h->links[k].seen = false;
    for (int k = 0; k < h->joint_count; k++) h->joints[k].seen = false;
}

/* A removal may move another body into the same entry, which is therefore checked again. */
void hosting_end(hosting *h) {
    for (int k = 0; k < h->capacity; k++)
        while (h->links[k].body && (!h->links[k].seen || !rill_world_body_is_valid(h->world, h->links[k].id)))
            hosting_remove(h, h->links[k].body);
}

int hosting_substeps(const hosting *h, double dt) {
    const rill_world_def *def = rill_world_get_def(h->world);
    double step = (double)def->dt_max;
    const double stable = (double)def->cfl * rill_world_stats(h->world)->dt_bound;
    if (stable > 0 && stable < step) step = stable;
    const double count = dt / step;
    if (h->most > 0 && count > h->most) return h->most;
    return count > 1000 ? 1000 : count > 1 ? (int)(count + 0.999) : 1;
}

bool hosting_box(const hosting *h, double dt, rill_vec *min, rill_vec *max) {
    bool empty = true;
    if (rill_world_fluid_box(h->world, min, max, &empty) != RILL_OK || empty) return false;
    const float reach = rill_world_support(h->world) + (float)(dt * rill_world_stats(h->world)->max_speed);
    min->x -= reach, min->y -= reach, min->z -= reach;
    max->x += reach, max->y += reach, max->z += reach;
    return true;
}

void hosting_tell(hosting *h, const hosting_calls *calls) {
    for (int k = 0; k < h->capacity; k++) {
        hosting_link *link = &h->links[k];
        if (!link->body) continue;
        rill_hosted_state state = rill_hosted_state_default();
        calls->tell(calls->engine, link, &state);
        note(h, rill_world_host(h->world, link->id, &state));
        memset(link->impulse, 0, sizeof link->impulse);
        memset(link->moment, 0, sizeof link->moment);
        link->wake = false;
    }
}

static void collect(hosting *h) {
    for (int k = 0; k < h->capacity; k++) {
        hosting_link *link = &h->links[k];
        rill_reaction reaction;
        if (!link->body || rill_world_reaction(h->world, link->id, &reaction) != RILL_OK) continue;
        for (int axis = 0; axis < 3; axis++) {
            link->impulse[axis] += reaction.impulse[axis];
            link->moment[axis] += reaction.moment[axis];
        }
        link->wake |= reaction.wake;
    }
}

static void react_all(const hosting *h, const hosting_calls *calls, double dt) {
    for (int k = 0; k < h->capacity; k++)
        if (h->links[k].body) calls->react(calls->engine, &h->links[k], dt);
}

rill_status hosting_step(hosting *h, double dt, const hosting_calls *calls) {
    end_joints(h);
    if (h->status != RILL_OK) return h->status;
    note(h, h->most > 0 ? rill_world_begin_at_most(h->world, dt, h->most) : rill_world_begin(h->world, dt));
    for (double taken = dt; h->status == RILL_OK && taken > 0;) {
        note(h, rill_world_substep(h->world, &taken));
        if (h->status != RILL_OK || !(taken > 0)) break;
        collect(h);
        if (!calls->step) continue;
        react_all(h, calls, taken);
        calls->step(calls->engine, taken);
        hosting_tell(h, calls);
    }
    /* The engine gets the impulses that the fluid has exerted, even if a later substep failed. */
    if (!calls->step) react_all(h, calls, dt);
    if (rill_world_end(h->world) != RILL_OK)
        return h->status; /* fails only if the step never began; the status has the reason */
    return h->status;
}
