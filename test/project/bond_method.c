/* SPDX-License-Identifier: MIT */
/* Bonds: grains joined to their neighbours by damped springs, which break when they are stretched too far. */
#include "model/table.h"
#include "sim/method/method.h"

typedef struct bonds_params {
    float frequency; /* [1/s] */
    float damping;   /* [1/s] */
    float reach, limit;
    int32_t pinned;
} bonds_params;

static const rill_param bonds_rows[] = {
    ROW_NUMBER(bonds_params, frequency, RILL_FREQUENCY, 0, 1e4, 60, "rate at which a grain swings on one bond", NULL),
    ROW_NUMBER(bonds_params, damping, RILL_FREQUENCY, 0, 1e4, 2, "rate at which a bond slows its grains down", NULL),
    ROW_NUMBER(bonds_params, reach, RILL_PURE, 0, 2, 1.5, "grains nearer than this many spacings are joined", NULL),
    ROW_NUMBER(bonds_params, limit, RILL_PURE, 0, 1e3, 100, "stretch at which a bond breaks", NULL),
    ROW_INT(bonds_params, pinned, 0, 1000000, 0, "grains with lower ids stay where they are", NULL),
};
static const rill_table bonds_table = TABLE("bonds", "Grains joined by springs", bonds_params, bonds_rows);

enum { FIELD_JOINED = FIELD_METHOD, FIELD_ACCELERATION };
static const field_def bonds_fields[] = {
    {"joined", "", "1 once its bonds are made", RILL_SCALAR_UINT32, 1, 1, FIELD_SORT},
    {"acceleration", "m/s^2", "of its bonds", RILL_SCALAR_FLOAT, 0, 0, FIELD_SHOW},
};

enum { BOND_REST, BOND_STRETCH };
static const field_def bond_values[] = {
    {"rest", "m", "length at rest", RILL_SCALAR_FLOAT, 1, 1, 0},
    {"stretch", "", "change of length by that at rest", RILL_SCALAR_FLOAT, 1, 1, 0},
};
static const link_set_def bonds_links[] = {
    {"bonds", "springs between grains", 2, bond_values, 2, LINK_SHOW | LINK_SAVE | LINK_TOUCH}};

static rill_status bonds_choose(rill_world *world, double dt) {
    (void)world, (void)dt;
    return RILL_OK;
}

static rill_status bonds_prepare(rill_world *world) {
    (void)world;
    return RILL_OK;
}

/* ---- making and breaking ---- */

static float length_now(const rill_world *world, const int32_t *ends) {
    return vec_length(link_vector(world, ends[0], ends[1]));
}

static bool holds(const link_set *bonds, int link, void *context) {
    const rill_world *world = context;
    const bonds_params *params = method_params(world);
    const float rest = LINK_VALUES(bonds, BOND_REST, float)[link];
    const float stretch = length_now(world, link_ends(bonds, link)) / rest - 1.0f;
    LINK_VALUES(bonds, BOND_STRETCH, float)[link] = stretch;
    return stretch <= params->limit;
}

/* Grains that have come near are joined: each pair once, by the grain that is first in memory. */
static void join_range(int begin, int end, link_writer *writer, void *context) {
    const rill_world *world = context;
    const bonds_params *params = method_params(world);
    const link_set *bonds = links_in(world, 0);
    const uint32_t *joined = FIELD_AS(world, FIELD_JOINED, uint32_t);
    const lists *near = &sim_of(world)->lists;
    for (int i = begin; i < end; i++) {
        for (int n = 0; !joined[i] && n < list_count(near, i); n++) {
            const int32_t ends[2] = {i, halo_owner(world, list_of(near, i)[n])};
            if (ends[1] <= i || joined[ends[1]]) continue;
            const float length = length_now(world, ends);
            const int link = length < params->reach * world->def.spacing ? rill_link_add(writer, ends) : -1;
            if (link >= 0) LINK_VALUES(bonds, BOND_REST, float)[link] = length;
        }
    }
}

/* ---- forces ---- */

typedef struct bonds_loop {
    rill_world *world;
    float dt;
} bonds_loop;

/* Force on the first grain of a bond, towards the second. */
static vec pull(const rill_world *world, const link_set *bonds, int link) {
    const bonds_params *params = method_params(world);
    const int32_t *ends = link_ends(bonds, link);
    const place *places = places_of(world);
    const vec d = link_vector(world, ends[0], ends[1]), along = vec_direction(d);
    const vec slip = vec_sub(velocities_of(world)[ends[1]], velocities_of(world)[ends[0]]);
    const float mass = 0.5f * (places[ends[0]].m + places[ends[1]].m);
    const float longer = vec_length(d) - LINK_VALUES(bonds, BOND_REST, float)[link];
    const float force = params->frequency * params->frequency * longer + params->damping * vec_dot(slip, along);
    return vec_scale(along, mass * force);
}

/* Each grain sums the forces of its bonds, whichever end of them it is. */
static void solve_range(int begin, int end, void *context) {
    const bonds_loop *loop = context;
    const rill_world *world = loop->world;
    const link_set *bonds = links_in(world, 0);
    const fluid *kinds = POOL_ITEMS(world, fluid);
    for (int i = begin; i < end; i++) {
        int count;
        vec sum = vec_zero();
        const int32_t *mine = links_of(bonds, i, &count);
        for (int n = 0; n < count; n++) {
            const float sign = link_ends(bonds, mine[n])[0] == i ? 1.0f : -1.0f;
            sum = vec_along(sum, sign, pull(world, bonds, mine[n]));
        }
        FIELD_AS(world, FIELD_ACCELERATION, vec)[i] = vec_scale(sum, 1.0f / places_of(world)[i].m);
        FIELD_AS(world, FIELD_JOINED, uint32_t)[i] = 1;
        densities_of(world)[i] = kinds[fluids_of(world)[i]].def.density, pressures_of(world)[i] = 0.0f;
    }
}

static rill_status bonds_solve(rill_world *world, double dt) {
    bonds_loop loop = {world, (float)dt};
    const rill_status status = world_change_links(world, 0, holds, join_range, world);
    if (status != RILL_OK) return status;
    rill_parallel_for(world->workers, world->particles.count, LOOP_GRAIN, solve_range, &loop);
    return RILL_OK;
}

static void move_range(int begin, int end, void *context) {
    const bonds_loop *loop = context;
    const bonds_params *params = method_params(loop->world);
    const vec g = vec_of(loop->world->def.gravity), *a = FIELD_AS(loop->world, FIELD_ACCELERATION, vec);
    const rill_particle_id *id = ids_of(loop->world);
    place *places = places_of(loop->world);
    vec *v = velocities_of(loop->world);
    for (int i = begin; i < end; i++) {
        v[i] = vec_along(v[i], loop->dt, vec_add(g, a[i]));
        if (id[i] < (rill_particle_id)params->pinned) v[i] = vec_zero();
        places[i].x = vec_along(places[i].x, loop->dt, v[i]);
    }
}

static void bonds_move(rill_world *world, double dt) {
    bonds_loop loop = {world, (float)dt};
    rill_parallel_for(world->workers, world->particles.count, LOOP_GRAIN, move_range, &loop);
}

/* A grain has about eight bonds in 2D, more in 3D. */
static double bonds_max_dt(rill_world *world) {
    const bonds_params *params = method_params(world);
    return fmin((double)world->def.dt_max, 0.1 / fmax((double)params->frequency, 1e-3));
}

static double bonds_speed_limit(const rill_world *world) {
    (void)world;
    return 1e4;
}

static kernel_kind bonds_kernel(const rill_world *world) {
    (void)world;
    return KERNEL_CUBIC;
}

const method SIM_NAME(rill_bonds_method) = {
    .info = {.name = "bonds",
             .title = "Bonds",
             .citation = "Hooke (1678), De Potentia Restitutiva",
             .about = "Grains joined by damped springs that break.",
             .table = &bonds_table},
    .fields = bonds_fields,
    .field_count = 2,
    .links = bonds_links,
    .link_set_count = 1,
    .density_kernel = bonds_kernel,
    .choose = bonds_choose,
    .prepare = bonds_prepare,
    .solve = bonds_solve,
    .max_dt = bonds_max_dt,
    .move = bonds_move,
    .speed_limit = bonds_speed_limit,
    .blow_up_advice = "take shorter steps",
};
