/* SPDX-License-Identifier: MIT */
/* Contacts: the pieces of solids near each particle. They are counted, the counts are summed up, then contacts are
   written in the order of the particles. */
#include "sim/boundary/contact_body.h"
#include "solid/samples.h"

/* Distance within which particles have contacts. Planes stand for all that lies behind them, so they serve forces with
   a larger reach too; points are made for the method's kernel. */
static float contact_reach(const rill_world *w) {
    const float reach = sim_of(w)->reach;
    return w->def.walls == RILL_WALLS_MAP && reach > w->support ? reach : w->support;
}

/* Distance within which solids are searched, in their present places. Those of prescribed motion may come nearer by up
   to a support until the end of a step; faster ones are treated as free bodies (view_of). */
static float search_reach(const rill_world *w) {
    return contact_reach(w) + sim_of(w)->contacts.slack;
}

/* Whether forces of this step will change the solid's motion. */
static bool is_free(const rill_world *w, const solid *s) {
    return s->body > 0 && body_moves_freely(&POOL_ITEMS(w, body)[s->body - 1]);
}

static float slack_of(const rill_world *w, double ahead) {
    if (!(ahead > 0)) return 0.0f;
    FOR_ALIVE(w, solid, s) {
        const vec v = vec_of(s->pose.velocity);
        if (!is_free(w, s) && (solid_turns(s) || vec_dot(v, v) > 0.0f)) return w->support;
    }
    return 0.0f;
}

/* A solid as one particle meets it: where it will be after `ahead`, which is the end of the step for methods that have
   moved their particles there. A solid of prescribed motion stays where it is placed; instead the particle is moved
   back by the solid's motion, and normals are turned forward. A normal that was not turned would push along a turning
   wall: water in a bucket would overtake it. A free body only comes nearer: its turn is decided in this step, and
   guessing it would shake light bodies. */
typedef struct view {
    const rill_world *world;
    int slot;
    float ahead;    /* time by which normals are turned */
    float approach; /* time over which the wall approaches at its velocity */
    vec x;          /* the particle, moved back by the solid's translation */
    vec seen;       /* the particle as the solid sees it: also turned back */
} view;

static view view_of(const rill_world *w, int k, vec x) {
    const contacts *c = &sim_of(w)->contacts;
    const solid *s = &POOL_ITEMS(w, solid)[k];
    const view now = {w, k, 0.0f, c->ahead, x, x};
    if (!(c->slack > 0.0f) || is_free(w, s)) return now;
    const vec moved = vec_along(x, -c->ahead, vec_of(s->pose.velocity));
    vec seen = moved;
    if (solid_turns(s)) {
        const vec pivot = vec_add(vec_of(s->pose.pivot), vec_of(s->pose.offset));
        seen = vec_add(pivot, solid_turned(s, -c->ahead, vec_sub(moved, pivot)));
    }
    const vec way = vec_sub(seen, x);
    return vec_dot(way, way) < c->slack * c->slack ? (view){w, k, c->ahead, 0.0f, moved, seen} : now;
}

static wall_contact contact_with(const view *v, float distance, float scale, vec normal) {
    const solid *s = &POOL_ITEMS(v->world, solid)[v->slot];
    if (v->ahead > 0.0f && solid_turns(s)) normal = solid_turned(s, v->ahead, normal);
    wall_contact c = {.solid = v->slot,
                      .distance = distance + solid_gap(v->world, s),
                      .scale = scale,
                      .normal = normal,
                      .velocity = rill_solid_velocity(s, vec_along(v->x, -distance, normal), normal),
                      .no_slip = s->def.no_slip};
    c.distance -= v->approach * vec_dot(c.velocity, normal);
    return c;
}

static int add_walls(const view *v, const placed_shape *f, wall_contact *found, int room) {
    const rill_world *w = v->world;
    wall walls[PLACED_WALLS_MAX];
    const float reach = contact_reach(w);
    int count = found ? rill_placed_walls(f, v->seen, reach, walls) : rill_placed_wall_count(f, v->seen, reach);
    if (count > room) count = room;
    /* Bodin's field: the mass of one particle at the nearest point. */
    const bool field = w->def.walls == RILL_WALLS_FIELD;
    for (int n = 0; found && n < count; n++)
        found[n] = contact_with(v, walls[n].distance, field ? dim_power(w->def.spacing) : walls[n].scale,
                                field ? walls[n].normal : walls[n].lean);
    return count;
}

static int add_samples(const view *v, const placed_shape *f, wall_contact *found, int room) {
    const rill_world *w = v->world;
    near_sample samples[CONTACTS_MAX];
    const int count =
        rill_samples_near(f, w->def.spacing, w->def.quality, v->seen, contact_reach(w), found ? samples : NULL, room);
    for (int n = 0; found && n < count; n++)
        found[n] = contact_with(v, samples[n].distance, samples[n].volume, samples[n].normal);
    return count;
}

/* ---- overlapping solids ---- */

/* Whether two walls of different solids, neither of them a body, are the same wall: a level may contain a solid
   twice. */
static bool is_twin(const rill_world *w, const wall_contact *c, const wall_contact *other) {
    const solid *solids = POOL_ITEMS(w, solid);
    return c->solid != other->solid && solids[c->solid].body == 0 && solids[other->solid].body == 0 &&
           c->distance == other->distance && c->scale == other->scale &&
           memcmp(&c->normal, &other->normal, sizeof c->normal) == 0;
}

static int32_t pile_of(const rill_world *w, const wall_contact *c) {
    const int owner = POOL_ITEMS(w, solid)[c->solid].body;
    return owner > 0 ? POOL_ITEMS(w, body)[owner - 1].pile : 0;
}

/* Share of what a wall covers that another body of its pile covers too: all of it if the wall lies inside that body and
   faces the same way, none if that body begins a spacing behind the wall. */
static float covered_by(const rill_world *w, vec x, const wall_contact *c, const wall_contact *other) {
    const float alike = vec_dot(c->normal, other->normal), dx = w->def.spacing;
    if (c->solid == other->solid || pile_of(w, c) != pile_of(w, other) || !(alike > 0.0f)) return 0.0f;
    const vec point = vec_along(x, -c->distance, c->normal);
    const float distance = rill_placed_distance(&placed_shapes_of(w)[other->solid], point, NULL);
    return distance < 0.0f ? alike : distance < dx ? alike * (1.0f - distance / dx) : 0.0f;
}

/* Coinciding walls of solids, and walls of overlapping bodies, share what they cover. Methods take walls for
   intersecting planes: forty walls in one place would push as one, but each would double the acceleration along them,
   2^40 times in all. */
static void share_covered(const rill_world *w, vec x, wall_contact *found, int count) {
    float owners[CONTACTS_MAX];
    for (int k = 0; k < count; k++) {
        const bool piled = pile_of(w, &found[k]) > 0;
        owners[k] = 1.0f;
        for (int j = 0; j < count; j++)
            owners[k] += piled ? covered_by(w, x, &found[k], &found[j]) : (float)is_twin(w, &found[k], &found[j]);
    }
    for (int k = 0; k < count; k++) found[k].scale /= owners[k];
}

/* Finds the contacts of particle i with the solids in `near`. With `found` NULL they are only counted. */
static int find_contacts(const rill_world *w, const near_solids *near, int i, wall_contact *found) {
    const placed_shape *shapes = placed_shapes_of(w);
    const vec x = places_of(w)[i].x;
    const bool sampled = w->def.walls == RILL_WALLS_SAMPLES;
    int count = 0;
    for (int n = 0; n < near->count; n++) {
        const int k = near->slots[n];
        if (placed_is_clear(&shapes[k], x, search_reach(w)) || !collides(w, i, k)) continue;
        const view v = view_of(w, k, x);
        if (placed_is_clear(&shapes[k], v.seen, contact_reach(w))) continue;
        wall_contact *at = found ? found + count : NULL;
        count += (sampled ? add_samples : add_walls)(&v, &shapes[k], at, CONTACTS_MAX - count);
    }
    if (found && count > 1) share_covered(w, x, found, count);
    return count;
}

static void count_block(int begin, int end, void *context) {
    const rill_world *w = context;
    const contacts *c = &sim_of(w)->contacts;
    int32_t *first = c->first.data, *block_sum = c->block_sum.data;
    int sum = 0;
    for (int i = begin; i < end;) {
        const particle_group group = group_from(w, i, end);
        near_solids near;
        solids_near_particles(w, group.low, group.high, search_reach(w), &near);
        for (; i < group.end; i++) {
            first[i] = sum; /* within the block, for now */
            sum += find_contacts(w, &near, i, NULL);
        }
    }
    block_sum[begin / REDUCE_BLOCK] = sum;
}

static void write_block(int begin, int end, void *context) {
    const rill_world *w = context;
    const contacts *c = &sim_of(w)->contacts;
    int32_t *first = c->first.data;
    const int32_t offset = ((const int32_t *)c->block_sum.data)[begin / REDUCE_BLOCK];
    const int32_t block_end = ((const int32_t *)c->block_sum.data)[begin / REDUCE_BLOCK + 1];
    particle_group group = {.end = begin}; /* so that the first particle begins a new group */
    near_solids near;
    near.count = 0;
    for (int i = begin; i < end; i++) {
        const int32_t next = i + 1 < end ? first[i + 1] + offset : block_end;
        first[i] += offset;
        if (next == first[i]) continue;
        if (i >= group.end) {
            group = group_from(w, i, end);
            solids_near_particles(w, group.low, group.high, search_reach(w), &near);
        }
        find_contacts(w, &near, i, (wall_contact *)c->items.data + first[i]);
    }
}

rill_status rill_contacts_build(rill_world *w, double ahead) {
    contacts *c = &sim_of(w)->contacts;
    c->ahead = (float)ahead;
    c->slack = slack_of(w, ahead);
    const int n = w->particles.count, blocks = reduce_block_count(n);
    c->count = 0;
    const size_t room = (size_t)w->particles.capacity;
    if (!rill_buffer_reserve(&w->memory, &c->first, sizeof(int32_t) * (room + 1), 0) ||
        !rill_buffer_reserve(&w->memory, &c->block_sum, sizeof(int32_t) * (room / REDUCE_BLOCK + 2), 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the wall contacts of %d particles", n);
    int32_t *first = c->first.data, *block_sum = c->block_sum.data;
    if (w->def.walls == RILL_WALLS_IMPULSE || w->solids.count == 0) {
        memset(first, 0, sizeof(int32_t) * ((size_t)n + 1));
        return RILL_OK;
    }
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, count_block, w);
    for (int b = 0; b < blocks; b++) {
        const int32_t here = block_sum[b];
        block_sum[b] = c->count;
        c->count += here;
    }
    block_sum[blocks] = first[n] = c->count;
    if (!rill_buffer_grow(&w->memory, &c->items, sizeof(wall_contact) * (size_t)c->count, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %d wall contacts", c->count);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, write_block, w);
    return RILL_OK;
}
