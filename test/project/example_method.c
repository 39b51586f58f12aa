/* SPDX-License-Identifier: MIT */
/* Dust: grains that fall through still air and know nothing of each other. */
#include "model/table.h"
#include "sim/method/method.h"

typedef struct dust_params {
    float drag; /* [1/s] */
} dust_params;

static const rill_param dust_rows[] = {
    ROW_NUMBER(dust_params, drag, RILL_FREQUENCY, 0, 1e3, 0.5, "rate at which the air slows a grain down", "m dv/dt"),
};
static const rill_table dust_table = TABLE("dust", "Grains in still air", dust_params, dust_rows);

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

/* A range of particles, on any thread: write only what belongs to them. */
static void solve_range(int begin, int end, int worker, void *context) {
    (void)worker;
    const dust_loop *loop = context;
    const fluid *kinds = POOL_ITEMS(loop->world, fluid);
    const uint32_t *kind = fluids_of(loop->world);
    float *rho = densities_of(loop->world), *p = pressures_of(loop->world);
    for (int i = begin; i < end; i++) rho[i] = kinds[kind[i]].def.density, p[i] = 0.0f;
}

static rill_status dust_solve(rill_world *world, double dt) {
    dust_loop loop = {world, (float)dt};
    parallel_for(world->workers, world->particles.count, LOOP_GRAIN, solve_range, &loop);
    return RILL_OK;
}

static void move_range(int begin, int end, int worker, void *context) {
    (void)worker;
    const dust_loop *loop = context;
    const dust_params *params = method_params(loop->world);
    const vec g = vec_of(loop->world->def.gravity);
    const float keep = 1.0f / (1.0f + params->drag * loop->dt);
    place *places = places_of(loop->world);
    vec *v = velocities_of(loop->world);
    for (int i = begin; i < end; i++) {
        v[i] = vec_scale(vec_along(v[i], loop->dt, g), keep);
        places[i].x = vec_along(places[i].x, loop->dt, v[i]);
    }
}

/* The walls follow: sim/step.c keeps what was moved out of the solids. */
static void dust_move(rill_world *world, double dt) {
    dust_loop loop = {world, (float)dt};
    parallel_for(world->workers, world->particles.count, LOOP_GRAIN, move_range, &loop);
}

/* A grain should not pass more than its own size at once. */
static double dust_max_dt(rill_world *world) {
    const double speed = world->stats.max_speed;
    return speed > 0 ? (double)world->def.spacing / speed : (double)world->def.dt_max;
}

static double dust_speed_limit(const rill_world *world) {
    (void)world;
    return 1e4;
}

/* Forces that fluids have and dust has not: what a user asks for is refused with this. */
static const char *dust_ignores(const rill_world *world, const char *key) {
    (void)world, (void)key;
    return "grains of dust do not touch each other";
}

static kernel_kind dust_kernel(const rill_world *world) {
    (void)world;
    return KERNEL_CUBIC;
}

const method SIM_NAME(dust_method) = {
    .info = {.name = "dust",
             .title = "Dust",
             .citation = "Newton (1687), Principia",
             .about = "Grains that fall through still air and know nothing of each other.",
             .table = &dust_table},
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
