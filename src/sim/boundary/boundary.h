/* SPDX-License-Identifier: MIT */
/* How solids act on the fluid. A method sees contacts (walls near a particle) and tabulated integrals over walls,
   whatever the kind of solid behind a contact. */
#ifndef RILL_SIM_BOUNDARY_BOUNDARY_H
#define RILL_SIM_BOUNDARY_BOUNDARY_H

#include "sim/kernel.h"
#include "sim/sim.h"
#include "solid/placed_solids.h"

/* By how much a solid appears smaller to particles than it is [m]: only for bodies, if the method wants a gap. */
static inline float solid_gap(const rill_world *world, const solid *s) {
    return s->body > 0 ? world->body_gap : 0.0f;
}

/* Notes whether some fluid or group does not collide with everything. */
static inline void find_filters(rill_world *w) {
    w->filtered = false;
    FOR_ALIVE(w, fluid, f) w->filtered |= f->def.mask != ALL_LAYERS;
    FOR_ALIVE(w, group, g) w->filtered |= g->def.mask != ALL_LAYERS;
}

/* Whether particle i collides with the solid in slot k, by the filters noted last. */
static inline bool collides(const rill_world *world, int i, int k) {
    if (!world->filtered || !is_fluid(world, i)) return true;
    const solid *s = &POOL_ITEMS(world, solid)[k];
    const int32_t layer = s->body > 0 ? POOL_ITEMS(world, body)[s->body - 1].def.layer : s->def.layer;
    const group *g = group_of(world, i);
    const int32_t mask = POOL_ITEMS(world, fluid)[fluids_of(world)[i]].def.mask & (g ? g->def.mask : ALL_LAYERS);
    return (mask & layer) != 0;
}

/* Consecutive particles that lie close together, for which nearby solids are searched once. */
#define GROUP_MAX  64
#define GROUP_STEP 8
typedef struct particle_group {
    int end;
    vec low, high; /* around the particles */
} particle_group;

static inline vec vec_of_quad(quad q) {
#if DIM == 2
    return (vec){q[0], q[1]};
#else
    return (vec){q[0], q[1], q[2]};
#endif
}

/* The group that begins with particle `begin`. It grows by several particles at a time, and by single ones where
   several would lie too far apart. */
static inline particle_group group_from(const rill_world *world, int begin, int end) {
    const place *places = places_of(world);
    const float widest = 8.0f * world->support;
    quad low = quad_load(&places[begin].x.x), high = low;
    int done = begin + 1;
    if (end - begin > GROUP_MAX) end = begin + GROUP_MAX;
    for (int step = GROUP_STEP; done < end;) {
        const int next = end - done > step ? done + step : end;
        quad wider_low = low, wider_high = high;
        for (int i = done; i < next; i++) {
            const quad x = quad_load(&places[i].x.x);
            wider_low = quad_min(x, wider_low), wider_high = quad_max(x, wider_high);
        }
        const vec size = vec_of_quad(wider_high - wider_low);
        if (vec_dot(size, size) < widest * widest)
            low = wider_low, high = wider_high, done = next;
        else if (next - done > 1)
            step = 1;
        else
            break;
    }
    return (particle_group){done, vec_of_quad(low), vec_of_quad(high)};
}

/* Whether the box low-high lies in an upright container, and all its points are clear of the walls. */
static inline bool box_is_clear(const placed_shape *f, vec low, vec high, float reach) {
    return f->inside && placed_is_clear(f, low, reach) && placed_is_clear(f, high, reach);
}

/* The solids that may be nearer than `reach` to particles in the box low-high. */
static inline void solids_near_particles(const rill_world *world, vec low, vec high, float reach, near_solids *near) {
    solids_near_box(world, low, high, reach, near);
    if (near->slots != near->found) return;
    int count = 0;
    for (int n = 0; n < near->count; n++)
        if (!box_is_clear(&placed_shapes_of(world)[near->found[n]], low, high, reach))
            near->found[count++] = near->found[n];
    near->count = count;
}

/* Finds the walls within the support of each particle, as they will be after `ahead` seconds; none if the world has
   impulse walls only. */
rill_status rill_contacts_build(rill_world *world, double ahead);
/* Gives the solids the reaction to the forces that the method wrote into the contacts, over dt. Called before anything
   moves. */
void rill_contacts_sum_forces(rill_world *world, double dt);

/* Keeps particles out of solids after a move of dt: projection to the wall distance, and an impulse with restitution
   and friction. Fast particles are followed along their path, so that they do not jump over thin walls. Solids get the
   momentum that particles lose, except bodies if `paid`: these had it before. */
rill_status rill_solids_collide(rill_world *world, double dt, bool paid);

/* Makes the tables for the world's kind of walls. */
void rill_wall_integrals_make(wall_integrals *map, const kernel *value, const kernel *gradient,
                              const laplacian *viscous, float spacing, rill_walls walls);
/* Makes the tables for the colour field of surface tension: value, gradient and exact Laplacian of poly6. */
void rill_wall_integrals_make_colour(wall_integrals *map, const kernel *poly6, float spacing, rill_walls walls);
/* Makes the tables for surface tension: value, gradient, and `adhesion`, the slope of the kernel's integral over the
   wall's plane [1/m^2]. It is calibrated with `along`: for each layer of particles, how far a pressure pushes along the
   wall, as a share of what it does inside the fluid. Only for planes (RILL_WALLS_MAP). */
void rill_wall_integrals_make_surface(wall_integrals *map, float adhesion[WALL_INTEGRALS_SIZE + 1], const kernel *value,
                                      float spacing, const double *along, int layers);

/* Place of a distance in the tables; a particle behind the wall counts as on it. */
typedef struct wall_entry {
    int cell;
    float part;
} wall_entry;

static inline wall_entry wall_integral_find(const wall_integrals *map, float distance) {
    const float k = distance > 0.0f ? distance / map->h * (float)WALL_INTEGRALS_SIZE : 0.0f;
    if (!(k < (float)WALL_INTEGRALS_SIZE))
        return (wall_entry){WALL_INTEGRALS_SIZE - 1, 1.0f}; /* all tables end with 0 */
    return (wall_entry){(int)k, k - (float)(int)k};
}

/* Linear interpolation. */
static inline float wall_entry_of(const float *table, wall_entry at) {
    return table[at.cell] + at.part * (table[at.cell + 1] - table[at.cell]);
}

static inline float wall_integral_at(const wall_integrals *map, const float *table, float distance) {
    return wall_entry_of(table, wall_integral_find(map, distance));
}

/* What one contact adds to the sum that `table` integrates. */
static inline float contact_at(const wall_integrals *map, const float *table, const wall_contact *c) {
    return c->scale * wall_integral_at(map, table, c->distance);
}

/* Share of the kernel that lies in solids. Where planes intersect, the part behind several counts once: 1 - product(1 -
   share of each), exact for one wall and close at the edges and corners of boxes. */
static inline float wall_share(const wall_integrals *map, const wall_contact *c, int count) {
    float open = 1.0f, sum = 0.0f;
    for (int k = 0; k < count; k++) {
        const float share = contact_at(map, map->value, &c[k]);
        open *= 1.0f - share;
        sum += share;
    }
    return map->additive ? sum : 1.0f - open;
}

/* Share of contact k that no other contact covers. The gradient of wall_share is the sum of wall_uncovered times
   contact_at(gradient) along the normal. */
static inline float wall_uncovered(const wall_integrals *map, const wall_contact *c, int count, int k) {
    float open = 1.0f;
    for (int j = 0; j < count && !map->additive; j++)
        if (j != k) open *= 1.0f - contact_at(map, map->value, &c[j]);
    return open;
}

/* The acceleration by pressure of a particle beside a wall. Pressure changes across the solid in proportion to that
   acceleration: P' = P - M P', M the wall's part of int (W'/r) x x^T. Without it, fluid at rest slides down the walls
   of its tank, and waves are slowed at walls. */
static inline vec wall_corrected(const wall_integrals *map, const wall_contact *c, vec pressure) {
    const float along = 1.0f / (1.0f + contact_at(map, map->moment_tangent, c));
    const float across = 1.0f / (1.0f + contact_at(map, map->moment_normal, c));
    return vec_along(vec_scale(pressure, along), (across - along) * vec_dot(pressure, c->normal), c->normal);
}

#endif
