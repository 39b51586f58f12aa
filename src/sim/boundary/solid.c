/* SPDX-License-Identifier: MIT */
/* Solids with prescribed motion, and impulse-and-projection walls (thesis 4.4.1; Mueller 2003, section 5). */
#include "sim/boundary/boundary.h"

#include "model/motion.h"
#include "rigid/rigid.h"
#include "sim/boundary/samples.h"
#include "sim/boundary/scale_map.h"

/* Times a particle is tested against all solids: pushing out of one may push into another. */
#define COLLIDE_ROUNDS 2

void solid_move(solid *s, double time) {
    motion_at(&s->def.motion, DIM, time, &s->pose);
}

/* Forms of all solid slots, and after them the parts of compounds. */
static rill_status reserve_forms(rill_world *w) {
    size_t count = (size_t)w->solids.count;
    FOR_ALIVE(w, solid, s) count += (size_t)s->def.shape.parts.count;
    if (buffer_reserve(&w->memory, &sim_of(w)->forms, sizeof(form) * count, 0)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for %d solids", w->solids.count);
}

rill_status solids_place(rill_world *w, double time) {
    const rill_status status = reserve_forms(w);
    if (status != RILL_OK) return status;
    form *forms = sim_of(w)->forms.data, *parts = forms ? forms + w->solids.count : NULL;
    rigid_place(w, time);
    w->placed = true;
    w->placed_time = time;
    if (!forms) return RILL_OK; /* no solids */
    FOR_ALIVE(w, solid, s) {
        if (s->body == 0) solid_move(s, time);
        forms[s - POOL_ITEMS(w, solid)] = form_make(&s->def.shape, &s->models, &s->pose, parts);
        parts += s->def.shape.parts.count;
    }
    return RILL_OK;
}

/* What the kind of walls needs of one shape. */
static rill_status prepare_model(rill_world *w, shape_model *model, const form *f, const rill_shape *shape) {
    if (model->support == w->support && model->spacing == w->def.spacing) return RILL_OK;
    shape_model_forget(&w->memory, model);
    rill_status status = RILL_OK;
    if (w->def.walls == RILL_WALLS_MAP) status = scale_map_make(w, model, f);
    if (w->def.walls == RILL_WALLS_SAMPLES) status = samples_make(w, model, shape);
    if (status == RILL_OK) model->support = w->support, model->spacing = w->def.spacing;
    return status;
}

rill_status solids_prepare(rill_world *w) {
    const form *forms = sim_of(w)->forms.data;
    FOR_ALIVE(w, solid, s) {
        const form *f = &forms[s - POOL_ITEMS(w, solid)];
        const rill_shape *shape = &s->def.shape;
        for (int k = 0; k < s->models.count; k++) {
            const bool whole = shape->kind != RILL_COMPOUND;
            const rill_shape part = whole ? *shape : shape_scaled(&shape->parts.data[k], shape->scale);
            const rill_status status = prepare_model(w, s->models.items[k], whole ? f : &f->parts[k], &part);
            if (status != RILL_OK) return status;
        }
    }
    return RILL_OK;
}

vec solid_velocity(const solid *s, vec point, vec n) {
    const vec arm = vec_sub(point, vec_add(vec_of(s->pose.pivot), vec_of(s->pose.offset)));
    vec v = vec_of(s->pose.velocity);
    const rill_vec w = s->pose.angular;
    v.x -= w.z * arm.y;
    v.y += w.z * arm.x;
#if DIM == 3
    v.x += w.y * arm.z;
    v.y -= w.x * arm.z;
    v.z += w.x * arm.y - w.y * arm.x;
#endif
    vec slide = vec_of(s->def.surface_velocity);
    slide = vec_along(slide, -vec_dot(slide, n), n);
    return vec_add(v, slide);
}

/* ---- collision ---- */

typedef struct collide_job {
    rill_world *world;
    float keep_off; /* closest a centre may come to a wall */
    double dt;
    const form *forms;
} collide_job;

/* Impulse on a solid, and its moment about the centre that the solid turns about. */
typedef struct impulse_sum {
    double push[3], twist[3];
} impulse_sum;

static void add_impulse(impulse_sum *sum, const solid *s, vec point, vec impulse) {
    const rill_vec p = vec_out(point), j = vec_out(impulse);
    const double x = (double)p.x - (double)s->pose.pivot.x - (double)s->pose.offset.x;
    const double y = (double)p.y - (double)s->pose.pivot.y - (double)s->pose.offset.y;
    const double z = (double)p.z - (double)s->pose.pivot.z - (double)s->pose.offset.z;
    sum->push[0] += (double)j.x, sum->push[1] += (double)j.y, sum->push[2] += (double)j.z;
    sum->twist[0] += y * (double)j.z - z * (double)j.y;
    sum->twist[1] += z * (double)j.x - x * (double)j.z;
    sum->twist[2] += x * (double)j.y - y * (double)j.x;
}

/* Takes the approaching part of the velocity away, gives `restitution` of it back, and removes the share `friction` of
   what slides. Returns the change. */
static vec bounce(vec *v, vec wall_velocity, vec n, float restitution, float friction) {
    const vec before = *v, relative = vec_sub(*v, wall_velocity);
    const float approach = vec_dot(relative, n);
    if (approach < 0.0f) {
        const vec slide = vec_along(relative, -approach, n);
        *v = vec_add(wall_velocity, vec_along(vec_scale(slide, 1.0f - friction), -restitution * approach, n));
    }
    return vec_sub(*v, before);
}

/* One particle against one solid; the impulse that it got is added to `sum`. */
static bool collide(const solid *s, const form *f, float keep_off, place *p, vec *v, impulse_sum *sum) {
    if (form_is_clear(f, p->x, keep_off)) return false;
    wall walls[FORM_WALLS_MAX];
    const int count = form_walls(f, p->x, keep_off, walls);
    for (int k = 0; k < count; k++) {
        p->x = vec_along(p->x, keep_off - walls[k].distance, walls[k].normal);
        const vec wall_velocity = solid_velocity(s, p->x, walls[k].normal);
        const vec change = bounce(v, wall_velocity, walls[k].normal, s->def.restitution, s->def.friction);
        add_impulse(sum, s, vec_along(p->x, -keep_off, walls[k].normal), vec_scale(change, -p->m));
    }
    return count > 0;
}

/* Walks along the path of a particle that moved farther than a wall may be thick, in steps that are safe because no
   wall is nearer than the distance field says. Where it meets one, what is left of the path goes on along the wall. */
static void stop_at_wall(const form *f, float keep_off, vec from, vec *to) {
    const vec path = vec_sub(*to, from);
    const float length = vec_length(path);
    if (!(length > 0.0f)) return;
    const vec along = vec_scale(path, 1.0f / length);
    float travelled = 0.0f;
    for (int round = 0; round < 64; round++) {
        vec n;
        const float d = form_distance(f, vec_along(from, travelled, along), &n), approach = vec_dot(along, n);
        if (d < keep_off && approach < 0.0f) {
            *to = vec_along(*to, -approach * (length - travelled), n);
            return;
        }
        travelled += fmaxf(d, keep_off) - 0.5f * keep_off;
        if (travelled >= length) return;
    }
    *to = vec_along(from, travelled, along);
}

static void collide_block(int begin, int end, int worker, void *context) {
    (void)worker;
    collide_job *job = context;
    rill_world *w = job->world;
    sim *sim = sim_of(w);
    impulse_sum *sums = sim->block_stats.data;
    sums += (size_t)(begin / REDUCE_BLOCK) * (size_t)w->solids.count;
    for (int k = 0; k < w->solids.count; k++) sums[k] = (impulse_sum){0};
    place *places = places_of(w);
    vec *velocities = velocities_of(w);
    const solid *solids = w->solids.items.data;
    for (int i = begin; i < end; i++) {
        for (int round = 0; round < COLLIDE_ROUNDS; round++) {
            bool any = false;
            for (int k = 0; k < w->solids.count; k++) {
                if (!solids[k].slot.alive) continue;
                const float keep_off = job->keep_off - solid_gap(w, &solids[k]);
                if (round == 0 && !solids[k].def.shape.inside && vec_length(velocities[i]) * (float)job->dt > keep_off)
                    stop_at_wall(&job->forms[k], keep_off, vec_along(places[i].x, -(float)job->dt, velocities[i]),
                                 &places[i].x);
                any |= collide(&solids[k], &job->forms[k], keep_off, &places[i], &velocities[i], &sums[k]);
            }
            if (!any) break;
        }
    }
}

static void give(solid *s, const impulse_sum *sum) {
    for (int axis = 0; axis < 3; axis++) {
        s->impulse[axis] += sum->push[axis];
        s->moment[axis] += sum->twist[axis];
        s->push[axis] += sum->push[axis];
        s->twist[axis] += sum->twist[axis];
    }
}

/* One after the other: contacts are few, and the order of the sum must not depend on threads. */
void contacts_sum_forces(rill_world *w, double dt) {
    const contacts *c = &sim_of(w)->contacts;
    solid *solids = w->solids.items.data;
    for (int i = 0; c->count > 0 && i < w->particles.count; i++) {
        int count;
        const contact *items = contacts_of(c, i, &count);
        for (int k = 0; k < count; k++) {
            impulse_sum sum = {0};
            const vec touch = vec_along(places_of(w)[i].x, -items[k].distance, items[k].normal);
            add_impulse(&sum, &solids[items[k].solid], touch, vec_scale(items[k].force, -(float)dt));
            give(&solids[items[k].solid], &sum);
        }
    }
}

rill_status solids_collide(rill_world *w, double dt) {
    const int blocks = reduce_block_count(w->particles.count), solid_count = w->solids.count;
    if (solid_count == 0 || blocks == 0) return RILL_OK;
    sim *sim = sim_of(w);
    if (!buffer_reserve(&w->memory, &sim->block_stats, sizeof(impulse_sum) * (size_t)blocks * (size_t)solid_count, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the forces on %d solids", solid_count);
    collide_job job = {w, w->def.wall_distance * w->def.spacing, dt, sim->forms.data};
    parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, collide_block, &job);
    const impulse_sum *sums = sim->block_stats.data;
    solid *solids = w->solids.items.data;
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < solid_count; k++) give(&solids[k], &sums[(size_t)b * (size_t)solid_count + (size_t)k]);
    return RILL_OK;
}
