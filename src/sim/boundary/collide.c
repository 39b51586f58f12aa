/* SPDX-License-Identifier: MIT */
/* Impulse-and-projection walls (thesis 4.4.1; Mueller 2003, section 5), and the impulses that fluid gives to solids. */
#include "sim/boundary/boundary.h"
#include "sim/boundary/impact.h"

/* Rounds in which a particle is tested against all solids: pushing it out of one may push it into another. */
#define COLLIDE_ROUNDS 2
/* Steps along the path of a fast particle. */
#define PATH_STEPS 64

typedef struct collide_job {
    rill_world *world;
    float keep_off; /* least distance of a particle's centre from a wall */
    double dt;
    const placed_shape *shapes;
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

/* Removes the approaching part of the velocity, returns `restitution` of it, and removes the share `friction` of the
   sliding part. Returns the change of velocity. */
static vec bounce(vec *v, vec wall_velocity, vec n, float restitution, float friction) {
    const vec before = *v, relative = vec_sub(*v, wall_velocity);
    const float approach = vec_dot(relative, n);
    if (approach < 0.0f) {
        const vec slide = vec_along(relative, -approach, n);
        *v = vec_add(wall_velocity, vec_along(vec_scale(slide, 1.0f - friction), -restitution * approach, n));
    }
    return vec_sub(*v, before);
}

/* Share of a collision's impulse that acts on the solid. A particle caught between a body and the floor would carry the
   body like a pebble. Real water is squeezed out from between them and presses no more than the seam does. */
static float felt_share(const rill_world *w, int i, int k, vec normal) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
    float share = 1.0f;
    for (int n = 0; n < count; n++)
        if (c[n].solid == k && vec_dot(c[n].normal, normal) > 0.0f) share = fminf(share, 1.0f - c[n].in_seam);
    return share;
}

/* Collides one particle with one solid; adds the impulse on the solid to `sum`. */
static bool collide(const rill_world *w, int i, int k, const placed_shape *f, float keep_off, impulse_sum *sum) {
    place *p = &places_of(w)[i];
    vec *v = &velocities_of(w)[i];
    const solid *s = &POOL_ITEMS(w, solid)[k];
    if (placed_is_clear(f, p->x, keep_off)) return false;
    wall walls[PLACED_WALLS_MAX];
    const int count = rill_placed_walls(f, p->x, keep_off, walls);
    for (int n = 0; n < count; n++) {
        const vec normal = walls[n].normal;
        p->x = vec_along(p->x, keep_off - walls[n].distance, normal);
        const vec wall_velocity = rill_solid_velocity(s, p->x, normal);
        const vec before = *v, change = bounce(v, wall_velocity, normal, s->def.restitution, s->def.friction);
        const float felt = s->body > 0 ? felt_share(w, i, k, normal) : 1.0f;
        const float acts = s->body > 0 ? impact_share(w, s) : 1.0f;
        if (acts < 1.0f) *v = vec_along(before, 1.0f - felt * (1.0f - acts), change);
        add_impulse(sum, s, vec_along(p->x, -keep_off, normal), vec_scale(change, -p->m * felt * acts));
    }
    return count > 0;
}

/* Follows the path of a particle that moved farther than a wall may be thick, in steps no longer than the distance to
   the solid, so that none is skipped. At a wall the rest of the path continues along the wall. True if the particle
   does not arrive at `to`. */
static bool stop_at_wall(const placed_shape *f, float keep_off, vec from, vec *to) {
    const vec path = vec_sub(*to, from);
    const float length = vec_length(path);
    if (!(length > 0.0f)) return false;
    const vec along = vec_scale(path, 1.0f / length);
    float travelled = 0.0f;
    for (int round = 0; round < PATH_STEPS; round++) {
        vec n;
        const float d = rill_placed_distance(f, vec_along(from, travelled, along), &n), approach = vec_dot(along, n);
        if (d < keep_off && approach < 0.0f) {
            *to = vec_along(*to, -approach * (length - travelled), n);
            return true;
        }
        travelled += fmaxf(d, keep_off) - 0.5f * keep_off;
        if (travelled >= length) return false;
    }
    *to = vec_along(from, travelled, along);
    return true;
}

/* The box around the paths of a group of particles, and the solids that may be in their way. */
typedef struct region {
    vec low, high; /* with a margin for pushes */
    near_solids near;
} region;

static vec path_start(const collide_job *job, int i) {
    return vec_along(places_of(job->world)[i].x, -(float)job->dt, velocities_of(job->world)[i]);
}

static void find_region(const collide_job *job, int begin, const particle_group *group, region *r) {
    r->low = group->low, r->high = group->high;
    for (int i = begin; i < group->end; i++) {
        const vec from = path_start(job, i);
        r->low = vec_min(r->low, from), r->high = vec_max(r->high, from);
    }
    for (int axis = 0; axis < DIM; axis++) (&r->low.x)[axis] -= job->keep_off, (&r->high.x)[axis] += job->keep_off;
    /* No path in the region can meet a solid beyond this reach, nor run out of steps while it passes by. */
    const float longest = vec_length(vec_sub(r->high, r->low));
    const float reach = 2.0f * job->keep_off + 2.0f * longest / PATH_STEPS;
    solids_near_particles(job->world, r->low, r->high, reach, &r->near);
}

static bool in_region(const region *r, vec x) {
    bool in = true;
    for (int axis = 0; axis < DIM; axis++)
        in &= vec_get(x, axis) >= vec_get(r->low, axis) && vec_get(x, axis) <= vec_get(r->high, axis);
    return in;
}

/* Stops a particle on its way at a solid, or collides it with the solid; true if it was moved. */
static bool meet(const collide_job *job, int k, int i, bool first_round, impulse_sum *sum, bool *touched) {
    const rill_world *w = job->world;
    if (!collides(w, i, k)) return false;
    const solid *s = &POOL_ITEMS(w, solid)[k];
    place *p = &places_of(w)[i];
    vec *v = &velocities_of(w)[i];
    const float keep_off =
        (is_fluid(w, i) ? job->keep_off : 0.5f * cloth_thickness(w, cloth_of(w, i))) - solid_gap(w, s);
    bool stopped = false;
    if (first_round && !s->def.shape.inside && vec_length(*v) * (float)job->dt > keep_off)
        stopped = stop_at_wall(&job->shapes[k], keep_off, path_start(job, i), &p->x);
    const bool hit = collide(w, i, k, &job->shapes[k], keep_off, sum);
    *touched |= hit;
    return stopped || hit;
}

/* Whether a particle is too slow to be followed along its path. It then meets no solid that it is clear of. */
static bool is_slow(const collide_job *job, int i) {
    const vec v = velocities_of(job->world)[i];
    const float least = job->keep_off - job->world->body_gap, dt = (float)job->dt;
    return is_fluid(job->world, i) && least > 0.0f && vec_dot(v, v) * dt * dt < 0.999f * least * least;
}

/* Collides a particle with the solids near its region. If it is pushed out of the region, it is tested against all
   solids whose turn is still to come. */
static void collide_particle(const collide_job *job, const region *r, int i, impulse_sum *sums) {
    const rill_world *w = job->world;
    const int32_t *slots = r->near.slots, *all = w->solids.living.data;
    int count = r->near.count;
    bool slow = is_slow(job, i);
    for (int round = 0; round < COLLIDE_ROUNDS; round++) {
        bool touched = false;
        for (int n = 0; n < count; n++) {
            const int k = slots[n];
            if (slow && placed_is_clear(&job->shapes[k], places_of(w)[i].x, job->keep_off)) continue;
            const bool moved = meet(job, k, i, round == 0, &sums[k], &touched);
            slow = slow && (!moved || is_slow(job, i));
            if (!moved || slots == all || (in_region(r, places_of(w)[i].x) && in_region(r, path_start(job, i))))
                continue;
            slots = all, count = w->solids.living_count;
            for (n = 0; all[n] < k;) n++;
        }
        if (!touched) break;
    }
}

static void collide_block(int begin, int end, void *context) {
    const collide_job *job = context;
    const rill_world *w = job->world;
    impulse_sum *sums = sim_of(w)->block_stats.data;
    sums += (size_t)(begin / REDUCE_BLOCK) * (size_t)w->solids.count;
    for (int k = 0; k < w->solids.count; k++) sums[k] = (impulse_sum){0};
    for (int i = begin; i < end;) {
        const particle_group group = group_from(w, i, end);
        region r;
        find_region(job, i, &group, &r);
        for (; i < group.end && r.near.count > 0; i++) collide_particle(job, &r, i, sums);
        i = group.end;
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

typedef struct reaction_job {
    const rill_world *world;
    double dt;
    impulse_sum *sums; /* for each contact */
} reaction_job;

/* The impulses that the contacts of a block of particles give to their solids. */
static void react_block(int begin, int end, void *context) {
    const reaction_job *job = context;
    const rill_world *w = job->world;
    const contacts *c = &sim_of(w)->contacts;
    const int32_t *first = c->first.data;
    const wall_contact *items = c->items.data;
    if (first[begin] == first[end]) return; /* no contacts, as in most blocks of a large fluid */
    for (int i = begin; i < end; i++) {
        for (int k = first[i]; k < first[i + 1]; k++) {
            const vec touch = vec_along(places_of(w)[i].x, -items[k].distance, items[k].normal);
            job->sums[k] = (impulse_sum){0};
            add_impulse(&job->sums[k], &POOL_ITEMS(w, solid)[items[k].solid], touch,
                        vec_scale(items[k].force, -(float)job->dt));
        }
    }
}

/* Impulses are added to the solids one after the other: the order of the sums must not depend on threads. */
void rill_contacts_sum_forces(rill_world *w, double dt) {
    const contacts *c = &sim_of(w)->contacts;
    if (c->count == 0) return;
    reaction_job job = {w, dt, sim_of(w)->block_stats.data};
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, react_block, &job);
    const wall_contact *items = c->items.data;
    solid *solids = w->solids.items.data;
    for (int k = 0; k < c->count; k++) give(&solids[items[k].solid], &job.sums[k]);
}

rill_status rill_solids_collide(rill_world *w, double dt, bool paid) {
    const int blocks = reduce_block_count(w->particles.count), solid_count = w->solids.count;
    if (solid_count == 0 || blocks == 0) return RILL_OK;
    sim *sim = sim_of(w);
    if (!rill_buffer_reserve(&w->memory, &sim->block_stats, sizeof(impulse_sum) * (size_t)blocks * (size_t)solid_count,
                             0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the forces on %d solids", solid_count);
    rill_impacts_find(w, paid);
    collide_job job = {w, w->wall_distance, dt, placed_shapes_of(w)};
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, collide_block, &job);
    const impulse_sum *sums = sim->block_stats.data;
    solid *solids = w->solids.items.data;
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < solid_count; k++)
            if (!(paid && solids[k].body > 0)) give(&solids[k], &sums[(size_t)b * (size_t)solid_count + (size_t)k]);
    return RILL_OK;
}
