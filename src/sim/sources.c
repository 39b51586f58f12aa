/* SPDX-License-Identifier: MIT */
/* Emitters add sheets of particles, one spacing apart at full flow: the jet leaves as a lattice at rest density and
   does not explode. Sheet k is due at first_due + k period and is placed as far along the jet as it has travelled
   since, whatever the step.

   Emitters and sinks may ride on a body. Emitted fluid starts with the body's velocity, and the body gets the recoil of
   the jet. Swallowed fluid gives the body its momentum relative to it. */
#include "sim/sources.h"

#include "model/groups.h"
#include "rigid/rigid.h"
#include "sim/method/method.h"
#include "sim/upkeep.h"
#include "solid/placed_shape.h"

/* Two unit vectors perpendicular to the jet; the second is zero in 2D. */
static void across(vec direction, vec *u, vec *v) {
#if DIM == 2
    *u = (vec){-direction.y, direction.x};
    *v = (vec){0};
#else
    const vec helper = fabsf(direction.z) < 0.9f ? (vec){0, 0, 1} : (vec){1, 0, 0};
    *u = (vec){helper.y * direction.z - helper.z * direction.y, helper.z * direction.x - helper.x * direction.z,
               helper.x * direction.y - helper.y * direction.x};
    *u = vec_direction(*u);
    *v = (vec){direction.y * u->z - direction.z * u->y, direction.z * u->x - direction.x * u->z,
               direction.x * u->y - direction.y * u->x};
#endif
}

static int points_along(float length, float dx) {
    const int n = (int)(length / dx + 1e-3f);
    return n > 1 ? n : 1;
}

int rill_emitter_sheet(const rill_world *w, const rill_emitter_def *def, vec *points, int capacity) {
    const float dx = w->def.spacing;
    const bool round = def->nozzle == RILL_NOZZLE_ROUND;
    const float width = round ? 2.0f * def->radius : def->width, height = round ? 2.0f * def->radius : def->height;
    const int columns = points_along(width, dx), lines = DIM == 3 ? points_along(height, dx) : 1;
    vec u, v;
    across(vec_direction(vec_of(def->direction)), &u, &v);
    int n = 0;
    for (int j = 0; j < lines; j++) {
        for (int i = 0; i < columns; i++) {
            const float a = ((float)i - 0.5f * (float)(columns - 1)) * dx,
                        b = ((float)j - 0.5f * (float)(lines - 1)) * dx;
            if (DIM == 3 && round && columns > 1 && a * a + b * b > def->radius * def->radius) continue;
            if (n < capacity) points[n] = vec_along(vec_along(vec_of(def->position), a, u), b, v);
            n++;
        }
    }
    return n;
}

double rill_emitter_period(const rill_world *w, const rill_emitter_def *def) {
    const double full = (double)w->def.spacing / (double)def->speed;
    if (!(def->rate > 0.0f)) return full;
    const int sheet = rill_emitter_sheet(w, def, NULL, 0);
    return (double)sheet * (double)dim_power(w->def.spacing) / (double)def->rate;
}

/* ---- riding on bodies ---- */

/* The pose of the body that an emitter or sink rides on; NULL if there is none. */
static const pose *ridden(const rill_world *w, rill_body_id id) {
    const body *b = POOL_GET(w, body, id);
    return b ? &POOL_ITEMS(w, solid)[b->solid].pose : NULL;
}

static vec carried_direction(const pose *p, vec a) {
    vec b = {0};
    for (int row = 0; row < DIM; row++)
        for (int c = 0; c < DIM; c++) (&b.x)[row] += p->turn[row][c] * vec_get(a, c);
    return b;
}

static vec carried_point(const pose *p, vec x) {
    const vec pivot = vec_of(p->pivot);
    return vec_add(vec_add(pivot, vec_of(p->offset)), carried_direction(p, vec_sub(x, pivot)));
}

static vec carried_velocity(const pose *p, vec x) {
    const vec r = vec_sub(x, vec_add(vec_of(p->pivot), vec_of(p->offset)));
    const rill_vec turn = p->angular;
#if DIM == 2
    return vec_add(vec_of(p->velocity), (vec){-turn.z * r.y, turn.z * r.x});
#else
    return vec_add(vec_of(p->velocity),
                   (vec){turn.y * r.z - turn.z * r.y, turn.z * r.x - turn.x * r.z, turn.x * r.y - turn.y * r.x});
#endif
}

/* A nozzle in its present place. */
typedef struct nozzle {
    const pose *pose;
    vec position, direction;
    vec velocity; /* of the jet */
} nozzle;

static nozzle nozzle_now(const rill_world *w, const rill_emitter_def *def) {
    nozzle n = {.pose = ridden(w, def->body),
                .position = vec_of(def->position),
                .direction = vec_direction(vec_of(def->direction))};
    if (n.pose) {
        n.position = carried_point(n.pose, n.position);
        n.direction = carried_direction(n.pose, n.direction);
    }
    n.velocity = vec_scale(n.direction, def->speed);
    if (n.pose) n.velocity = vec_add(n.velocity, carried_velocity(n.pose, n.position));
    return n;
}

/* ---- emitters ---- */

static rill_status put_sheet(rill_world *w, emitter *e, int fluid_slot, double travelled, int wanted) {
    const rill_emitter_def *def = &e->def;
    const int sheet = rill_emitter_sheet(w, def, NULL, 0), n = sheet < wanted ? sheet : wanted;
    buffer *scratch = &sim_of(w)->scratch;
    if (!rill_particles_grow(&w->memory, &w->particles, w->particles.count + n) ||
        !rill_buffer_reserve(&w->memory, scratch, sizeof(vec) * (size_t)sheet, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the particles of emitter '%s'", def->name);
    vec *points = scratch->data;
    rill_emitter_sheet(w, def, points, sheet);
    const nozzle nozzle = nozzle_now(w, def);
    for (int k = 0; k < n && nozzle.pose; k++) points[k] = carried_point(nozzle.pose, points[k]);
    const int first = rill_particles_append(&w->particles, n);
    const fluid *f = &POOL_ITEMS(w, fluid)[fluid_slot];
    for (int k = 0; k < n; k++) {
        places_of(w)[first + k] = (place){.x = vec_along(points[k], (float)travelled, nozzle.direction), .m = f->mass};
        velocities_of(w)[first + k] = nozzle.velocity;
        fluids_of(w)[first + k] = (uint32_t)fluid_slot;
        densities_of(w)[first + k] = f->def.density;
    }
    rill_groups_admit(w, def->group, first, n);
    const vec recoil = vec_scale(nozzle.direction, -(float)n * f->mass * def->speed);
    rill_rigid_push(w, def->body, vec_out(recoil), vec_out(nozzle.position));
    e->emitted += n;
    w->stats.emitted += n;
    return RILL_OK;
}

rill_status rill_sources_emit(rill_world *w) {
    const double now = w->stats.time;
    FOR_ALIVE(w, emitter, e) {
        const rill_emitter_def *def = &e->def;
        const double period = rill_emitter_period(w, def);
        for (;;) {
            const double due = e->first_due + (double)e->layers * period;
            const int64_t left = def->limit > 0 ? def->limit - e->emitted : INT32_MAX;
            if (due > now || due >= (double)def->end_time || left <= 0) break;
            const rill_status status = put_sheet(w, e, (int)def->fluid.index1 - 1, (now - due) * (double)def->speed,
                                                 left < INT32_MAX ? (int)left : INT32_MAX);
            if (status != RILL_OK) return status;
            e->layers++;
        }
    }
    return RILL_OK;
}

static bool is_open(const rill_world *w, const emitter *e) {
    const double now = w->stats.time;
    return now >= (double)e->def.start_time && now < (double)e->def.end_time &&
           (e->def.limit == 0 || e->emitted < e->def.limit);
}

/* Whether a point lies in the nozzle: a pipe from the emitter's position along the jet, one support long. */
static bool in_nozzle(const rill_world *w, const nozzle *nozzle, float radius, vec x) {
    const vec d = vec_sub(x, nozzle->position);
    const float s = vec_dot(d, nozzle->direction);
    return s > -0.5f * w->def.spacing && s < w->support && vec_dot(d, d) - s * s < radius * radius;
}

static float nozzle_radius(const rill_world *w, const rill_emitter_def *def) {
    const float half = 0.5f * w->def.spacing;
    if (def->nozzle == RILL_NOZZLE_ROUND) return def->radius + half;
    return (DIM == 3 ? 0.5f * sqrtf(def->width * def->width + def->height * def->height) : 0.5f * def->width) + half;
}

typedef struct nozzle_job {
    const rill_world *world;
    const rill_emitter_def *def;
    nozzle nozzle;
    float radius, ahead;
} nozzle_job;

/* Whether the jet drives particle i against a wall in the first layer before it. Held there, it would be pressed into
   the wall and the others into it. */
static bool meets_wall(const nozzle_job *job, int i) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    for (int k = 0; k < count; k++)
        if (c[k].distance < job->world->def.spacing && vec_dot(c[k].normal, job->nozzle.direction) < -0.5f) return true;
    return false;
}

/* Finds where particle i was before it was moved ahead; returns whether that lies in the nozzle, with no wall ahead. */
static bool is_held(const nozzle_job *job, int i, vec *x) {
    *x = vec_along(places_of(job->world)[i].x, -job->ahead, velocities_of(job->world)[i]);
    return is_fluid(job->world, i) && in_nozzle(job->world, &job->nozzle, job->radius, *x) && !meets_wall(job, i);
}

static double count_held(int begin, int end, void *context) {
    int count = 0;
    vec x;
    for (int i = begin; i < end; i++) count += is_held(context, i, &x);
    return count;
}

static void hold_block(int begin, int end, void *context) {
    const nozzle_job *job = context;
    const sim *s = sim_of(job->world);
    held_particle *held = s->held.data; /* NULL as long as nothing was ever held */
    int at = s->held_count + ((const int32_t *)s->starts.data)[begin / REDUCE_BLOCK];
    vec x;
    for (int i = begin; i < end; i++)
        if (is_held(job, i, &x)) held[at++] = (held_particle){i, x, job->nozzle.velocity, job->def->body};
}

/* Appends held particles: `count` counts those of a block, `write` writes them. */
static bool hold_all(rill_world *w, part_fn *count, parallel_fn *write, void *job) {
    sim *s = sim_of(w);
    const int n = w->particles.count;
    if (!rill_buffer_grow(&w->memory, &s->starts, sizeof(int32_t) * ((size_t)reduce_block_count(n) + 1), 0))
        return false;
    const int64_t more = rill_reduce_starts(w->workers, n, REDUCE_BLOCK, count, job, s->starts.data);
    const size_t used = sizeof(held_particle) * (size_t)s->held_count;
    if (!rill_buffer_grow(&w->memory, &s->held, used + sizeof(held_particle) * (size_t)more, used)) return false;
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, write, job);
    s->held_count += (int)more;
    return true;
}

/* Appends the particles in the nozzle of one emitter. */
static bool hold(rill_world *w, const rill_emitter_def *def, double ahead) {
    nozzle_job job = {w, def, nozzle_now(w, def), nozzle_radius(w, def), (float)ahead};
    return hold_all(w, count_held, hold_block, &job);
}

/* ---- walls made of particles ---- */

typedef struct wall_job {
    const rill_world *world;
    float ahead;
} wall_job;

static bool is_wall(const rill_world *w, int i) {
    const group *g = group_of(w, i);
    return g && g->def.kind == RILL_GROUP_WALL;
}

static double count_walls(int begin, int end, void *context) {
    const wall_job *job = context;
    int count = 0;
    for (int i = begin; i < end; i++) count += is_wall(job->world, i);
    return count;
}

static void hold_walls_block(int begin, int end, void *context) {
    const wall_job *job = context;
    const rill_world *w = job->world;
    held_particle *held = sim_of(w)->held.data;
    int at = sim_of(w)->held_count + ((const int32_t *)sim_of(w)->starts.data)[begin / REDUCE_BLOCK];
    for (int i = begin; i < end; i++)
        if (is_wall(w, i))
            held[at++] = (held_particle){.index = i,
                                         .x = vec_along(places_of(w)[i].x, -job->ahead, velocities_of(w)[i]),
                                         .v = vec_of(group_of(w, i)->def.velocity)};
}

static const group *find_wall(const rill_world *w) {
    FOR_ALIVE(w, group, g) if (g->def.kind == RILL_GROUP_WALL) return g;
    return NULL;
}

rill_status rill_sources_check_walls(rill_world *w) {
    const group *wall = sim_of(w)->method->holds_walls ? NULL : find_wall(w);
    if (!wall) return RILL_OK;
    return rill_fail(&w->error, RILL_INVALID,
                     "groups.%s.kind = wall: fluid of method '%s' seeps through walls made of particles; use a solid, "
                     "or a method that docs/liquidfun.md names",
                     wall->def.name, w->def.method);
}

/* Holds particles of wall groups at the velocity of their group, as if they were in a nozzle. */
static rill_status hold_walls(rill_world *w, double ahead) {
    wall_job job = {w, (float)ahead};
    TRY(rill_sources_check_walls(w));
    if (!find_wall(w)) return RILL_OK;
    if (hold_all(w, count_walls, hold_walls_block, &job)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for walls made of particles");
}

rill_status rill_sources_hold(rill_world *w, double ahead) {
    sim_of(w)->held_count = 0;
    TRY(hold_walls(w, ahead));
    FOR_ALIVE(w, emitter, e) {
        if (is_open(w, e) && !hold(w, &e->def, ahead))
            return rill_fail(&w->error, RILL_MEMORY, "no memory for the nozzle of emitter '%s'", e->def.name);
    }
    return RILL_OK;
}

void rill_sources_guide(rill_world *w, double dt) {
    const sim *s = sim_of(w);
    const held_particle *held = s->held.data;
    for (int k = 0; k < s->held_count; k++) {
        place *p = &places_of(w)[held[k].index];
        vec *v = &velocities_of(w)[held[k].index];
        p->x = vec_along(held[k].x, (float)dt, held[k].v);
        if (held[k].body.index1 > 0)
            rill_rigid_push(w, held[k].body, vec_out(vec_scale(vec_sub(*v, held[k].v), p->m)), vec_out(p->x));
        *v = held[k].v;
    }
}

typedef struct drain_job {
    const rill_world *world;
    placed_shape shape;
    uint8_t *keep;
} drain_job;

static void drain_block(int begin, int end, void *context) {
    const drain_job *job = context;
    const place *places = places_of(job->world);
    for (int i = begin; i < end; i++)
        job->keep[i] =
            (uint8_t)(!is_fluid(job->world, i) || rill_placed_distance(&job->shape, places[i].x, NULL) >= 0.0f);
}

/* ---- sinks ---- */

/* Gives a body the momentum, relative to it, of the particles that its sink swallows. */
static void take_momentum(rill_world *w, rill_body_id id, const pose *pose, const uint8_t *keep) {
    for (int i = 0; i < w->particles.count; i++) {
        if (keep[i]) continue;
        const place p = places_of(w)[i];
        const vec against = vec_sub(velocities_of(w)[i], carried_velocity(pose, p.x));
        rill_rigid_push(w, id, vec_out(vec_scale(against, p.m)), vec_out(p.x));
    }
}

/* Removes the particles inside a shape, which may ride on a body. */
static rill_status remove_inside(rill_world *w, const rill_shape *shape, const shape_models *models, rill_body_id body,
                                 rill_removal_reason reason, int64_t *removed) {
    const int n = w->particles.count;
    if (n == 0) return RILL_OK;
    TRY(rill_upkeep_reserve(w));
    placed_shape parts[PLACED_PARTS_MAX];
    const pose *pose = ridden(w, body);
    drain_job job = {w, rill_placed_make(shape, models, pose, parts), sim_of(w)->keep.data};
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, drain_block, &job);
    if (pose) take_momentum(w, body, pose, job.keep);
    int gone;
    TRY(rill_upkeep_remove(w, job.keep, reason, &gone));
    if (removed) *removed += gone;
    return RILL_OK;
}

rill_status rill_sources_remove_inside(rill_world *w, const rill_shape *shape, const shape_models *models,
                                       int64_t *removed) {
    return remove_inside(w, shape, models, (rill_body_id){0}, RILL_REMOVAL_REASONS, removed);
}

rill_status rill_sources_drain(rill_world *w) {
    const double now = w->stats.time;
    FOR_ALIVE(w, sink, s) {
        if (now < (double)s->def.start_time || now >= (double)s->def.end_time) continue;
        TRY(remove_inside(w, &s->def.shape, &s->models, s->def.body, RILL_REMOVED_BY_SINK, &s->removed));
    }
    return RILL_OK;
}

int rill_sources_push_inside(rill_world *w, const rill_shape *shape, const shape_models *models, vec velocity,
                             float share) {
    placed_shape parts[PLACED_PARTS_MAX];
    const placed_shape placed = rill_placed_make(shape, models, NULL, parts);
    int pushed = 0;
    for (int i = 0; i < w->particles.count; i++) {
        if (rill_placed_distance(&placed, places_of(w)[i].x, NULL) >= 0.0f) continue;
        vec *v = &velocities_of(w)[i];
        *v = vec_along(*v, share, vec_sub(velocity, *v));
        pushed++;
    }
    return pushed;
}
