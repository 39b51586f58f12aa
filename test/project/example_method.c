/* SPDX-License-Identifier: MIT */
/* Dust: grains that fall through still air and do not act on each other. */
#include "model/table.h"
#include "sim/method/method.h"

typedef struct dust_params {
    float drag; /* [1/s] */
} dust_params;

static const rill_param dust_rows[] = {
    ROW_NUMBER(dust_params, drag, RILL_FREQUENCY, 0, 1e3, 0.5, "rate at which the air slows a grain down", "m dv/dt"),
};
static const rill_table dust_table = TABLE("dust", "Grains in still air", dust_params, dust_rows);

/* Parameters that the method adds to fluids, and to solids and bodies. */
typedef struct dust_fluid {
    float lightness;
} dust_fluid;

static const rill_param dust_fluid_rows[] = {
    ROW_NUMBER(dust_fluid, lightness, RILL_PURE, 0, 1e3, 1, "how much stronger the drag is for this dust", NULL),
};
static const rill_table dust_fluid_table = TABLE("dust_fluid", "A kind of dust", dust_fluid, dust_fluid_rows);

typedef struct dust_solid {
    float grip; /* [1/s] */
} dust_solid;

static const rill_param dust_solid_rows[] = {
    ROW_NUMBER(dust_solid, grip, RILL_FREQUENCY, 0, 1e6, 0, "rate at which it slows the grains near it down", NULL),
};
static const rill_table dust_solid_table = TABLE("dust_solid", "A surface in dust", dust_solid, dust_solid_rows);

/* Nothing to choose and nothing to derive: the parameter is used as it is. */
static rill_status dust_choose(rill_world *world, double dt) {
    (void)world, (void)dt;
    return RILL_OK;
}

static rill_status dust_prepare(rill_world *world) {
    (void)world;
    return RILL_OK;
}

typedef struct dust_loop {
    rill_world *world;
    float dt;
} dust_loop;

/* Works on a range of particles, on any thread, and must write only values of these particles. */
static void solve_range(int begin, int end, void *context) {
    const dust_loop *loop = context;
    const fluid *kinds = POOL_ITEMS(loop->world, fluid);
    const uint32_t *kind = fluids_of(loop->world);
    float *rho = densities_of(loop->world), *p = pressures_of(loop->world);
    for (int i = begin; i < end; i++) rho[i] = kinds[kind[i]].def.density, p[i] = 0.0f;
}

static rill_status dust_solve(rill_world *world, double dt) {
    dust_loop loop = {world, (float)dt};
    rill_parallel_for(world->workers, world->particles.count, LOOP_GRAIN, solve_range, &loop);
    return RILL_OK;
}

/* Rate at which air and walls slow a grain down. */
static float slowing_rate(const rill_world *world, int i) {
    const dust_params *params = method_params(world);
    const dust_fluid *kind = method_fluid(world, fluids_of(world)[i]);
    float rate = params->drag * kind->lightness;
    int count;
    const wall_contact *walls = contacts_of(&sim_of(world)->contacts, i, &count);
    for (int k = 0; k < count; k++) {
        const dust_solid *wall = method_solid(world, walls[k].solid);
        rate += wall->grip;
    }
    return rate;
}

static void move_range(int begin, int end, void *context) {
    const dust_loop *loop = context;
    const vec g = vec_of(loop->world->def.gravity);
    place *places = places_of(loop->world);
    vec *v = velocities_of(loop->world);
    for (int i = begin; i < end; i++) {
        const float keep = 1.0f / (1.0f + slowing_rate(loop->world, i) * loop->dt);
        v[i] = vec_scale(vec_along(v[i], loop->dt, g), keep);
        places[i].x = vec_along(places[i].x, loop->dt, v[i]);
    }
}

/* Walls come afterwards: sim/step.c keeps the moved particles out of the solids. */
static void dust_move(rill_world *world, double dt) {
    dust_loop loop = {world, (float)dt};
    rill_parallel_for(world->workers, world->particles.count, LOOP_GRAIN, move_range, &loop);
}

/* A grain should not move farther than its own size in a step. */
static double dust_max_dt(rill_world *world) {
    const double speed = world->stats.max_speed;
    return speed > 0 ? (double)world->def.spacing / speed : (double)world->def.dt_max;
}

static double dust_speed_limit(const rill_world *world) {
    (void)world;
    return 1e4;
}

/* Dust has neither viscosity nor surface tension: a user who sets them gets this message. */
static const char *dust_ignores(const rill_world *world, const char *key) {
    (void)world, (void)key;
    return "grains of dust do not touch each other";
}

static kernel_kind dust_kernel(const rill_world *world) {
    (void)world;
    return KERNEL_CUBIC;
}

const method SIM_NAME(rill_dust_method) = {
    .info = {.name = "dust",
             .title = "Dust",
             .citation = "Newton (1687), Principia",
             .about = "Grains that fall through still air and know nothing of each other.",
             .table = &dust_table,
             .fluid_table = &dust_fluid_table,
             .solid_table = &dust_solid_table},
    .density_kernel = dust_kernel,
    .choose = dust_choose,
    .prepare = dust_prepare,
    .solve = dust_solve,
    .max_dt = dust_max_dt,
    .move = dust_move,
    .speed_limit = dust_speed_limit,
    .blow_up_advice = "take shorter steps",
    .ignores = dust_ignores,
};
