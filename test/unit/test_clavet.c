/* SPDX-License-Identifier: MIT */
/* Clavet's method, part by part: what pairs conserve, how rest lengths change, and the effects of near pressure and
   stickiness. */
#include "oracle/widths.h"
#include "unit/worlds.h"

static void set(rill_world *w, const char *key, double value) {
    ok(w, rill_world_set_number(w, rill_ref_method(), key, value));
}

static void choose(rill_world *w, const char *key, const char *value) {
    ok(w, rill_world_set_text(w, rill_ref_method(), key, value));
}

/* A fluid without effect: negligible stiffness, no springs, no viscosity. */
static void add_idle_fluid(rill_world *w, const char *name, rill_fluid_id *fluid) {
    rill_fluid_def f = rill_fluid_def_default();
    snprintf(f.name, sizeof f.name, "%s", name);
    f.viscosity = 0;
    ok(w, rill_world_add_fluid(w, &f, fluid));
    const rill_ref ref = rill_ref_fluid(*fluid);
    ok(w, rill_world_set_number(w, ref, "clavet.stiffness", 1e-12));
    ok(w, rill_world_set_number(w, ref, "clavet.quadratic_viscosity", 0));
}

static rill_world *make_idle_in(int dim, float period, rill_fluid_id *fluid) {
    rill_world_def def = small_def(dim, "clavet");
    def.gravity = (rill_vec){0}, def.support_ratio = 2.4f;
    def.periodic = (rill_vec){period, period, dim == 3 ? period : 0};
    rill_world *w = create(&def);
    add_idle_fluid(w, "goo", fluid);
    set(w, "substeps", 1);
    return w;
}

static rill_world *make_idle(int dim, rill_fluid_id *fluid) {
    return make_idle_in(dim, 0, fluid);
}

/* A disordered square or cube, 5 % too close, with velocities of up to `speed` along each axis. */
static void add_lump(rill_world *w, rill_fluid_id fluid, float speed) {
    const int dim = rill_world_get_def(w)->dim, side = dim == 2 ? 20 : 9;
    const float pitch = 0.0475f;
    uint32_t random = 7;
    for (int k = 0; k < (dim == 2 ? side * side : side * side * side); k++) {
        float x[3] = {0};
        const int at[] = {k % side, k / side % side, k / side / side};
        for (int axis = 0; axis < dim; axis++)
            x[axis] = pitch * ((float)at[axis] - 0.5f * (float)(side - 1)) + random_in(&random, -0.01f, 0.01f);
        const rill_vec v = {random_in(&random, -speed, speed), random_in(&random, -speed, speed),
                            dim == 3 ? random_in(&random, -speed, speed) : 0};
        ok(w, rill_world_add_particle(w, fluid, (rill_vec){x[0], x[1], x[2]}, v, NULL));
    }
}

/* Sums over all particles, of equal mass. */
typedef struct motion {
    double push[3], spin[3]; /* of v, and of x times v */
    double size, lever;      /* of |v|, and of |x| |v| */
} motion;

static motion motion_of(const rill_world *w) {
    rill_view x, v;
    ok(w, rill_world_view(w, "position", &x));
    ok(w, rill_world_view(w, "velocity", &v));
    motion m = {0};
    for (int i = 0; i < x.count; i++) {
        double a[3] = {0}, b[3] = {0};
        for (int axis = 0; axis < x.components; axis++) {
            a[axis] = (double)((const float *)x.data)[(size_t)i * (size_t)x.stride + (size_t)axis];
            b[axis] = (double)((const float *)v.data)[(size_t)i * (size_t)v.stride + (size_t)axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            const int next = (axis + 1) % 3, last = (axis + 2) % 3;
            m.push[axis] += b[axis];
            m.spin[axis] += a[next] * b[last] - a[last] * b[next];
        }
        const double speed = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
        m.size += speed, m.lever += speed * sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    return m;
}

/* One step keeps momentum up to rounding. Each displacement is along its pair where the pair is at that moment, so that
   the spin it leaves, about the final places, is of second order in the displacements. */
static void check_kept(rill_world *w, double dt, double spin_tolerance) {
    const motion before = motion_of(w);
    ok(w, rill_world_step(w, dt));
    const motion after = motion_of(w);
    assert_true(after.size > 0 && after.lever > 0);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(after.push[axis], before.push[axis], 1e-6 * after.size);
        assert_near(after.spin[axis], before.spin[axis], spin_tolerance * after.lever);
    }
}

static void relaxation_keeps_momentum(void **state) {
    (void)state;
    static const char *const kernels[] = {"normal", "hybrid", "squared"}, *const sweeps[] = {"coloured", "sequential"};
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 3; k++)
            for (int s = 0; s < 2; s++) {
                rill_fluid_id fluid;
                rill_world *w = make_idle(dim, &fluid);
                choose(w, "kernels", kernels[k]);
                choose(w, "sweep", sweeps[s]);
                ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.stiffness", 0.01));
                add_lump(w, fluid, 0);
                check_kept(w, 1e-3, 1e-5);
                rill_world_destroy(w);
            }
}

static void springs_keep_momentum(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        rill_fluid_id fluid;
        rill_world *w = make_idle(2 + k % 2, &fluid);
        ok(w, rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.springs", "fixed"));
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.spring_reach", k < 2 ? 1 : 2));
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.spring_stiffness", 1e-9));
        add_lump(w, fluid, 0.2f);
        for (int n = 0; n < 10; n++)
            ok(w, rill_world_step(w, 2e-3)); /* springs without strength, stretched by the motion */
        const motion free = motion_of(w);
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.spring_stiffness", 1));
        ok(w, rill_world_step(w, 2e-3));
        const motion pulled = motion_of(w);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(pulled.push[axis], free.push[axis], 1e-6 * pulled.size);
            assert_near(pulled.spin[axis], free.spin[axis], 1e-4 * pulled.lever);
        }
        assert_true(fabs(pulled.size - free.size) > 1e-4 * free.size); /* they did pull */
        rill_world_destroy(w);
    }
}

/* Springs that have next to no effect in so short a step, with dashpots that stop nearly all motion along them. */
static void dashpots_keep_momentum(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        rill_fluid_id fluid;
        rill_world *w = make_idle(2 + k % 2, &fluid);
        const rill_ref ref = rill_ref_fluid(fluid);
        ok(w, rill_world_set_text(w, ref, "clavet.springs", "fixed"));
        ok(w, rill_world_set_number(w, ref, "clavet.spring_reach", k < 2 ? 1 : 2));
        ok(w, rill_world_set_number(w, ref, "clavet.spring_stiffness", 1));
        ok(w, rill_world_set_number(w, ref, "clavet.spring_damping", 1e3));
        add_lump(w, fluid, 1);
        const motion before = motion_of(w);
        check_kept(w, 1e-4, 1e-5);
        assert_true(motion_of(w).size < 0.5 * before.size);
        rill_world_destroy(w);
    }
}

static void viscosity_keeps_momentum(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_fluid_id fluid;
        rill_world *w = make_idle(dim, &fluid);
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.linear_viscosity", 2000));
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.quadratic_viscosity", 1));
        add_lump(w, fluid, 1);
        const motion before = motion_of(w);
        check_kept(w, 1e-4, 1e-5);
        assert_true(motion_of(w).size < 0.98 * before.size);
        rill_world_destroy(w);
    }
}

/* ---- rest lengths ---- */

static int spring_count(const rill_world *w) {
    rill_frame frame = {0};
    assert_int_equal(rill_frame_of_world(&frame, w, NULL), RILL_OK);
    const int count = frame.links_count > 0 ? frame.links[0].count : 0;
    rill_frame_free(&frame);
    return count;
}

static float rest_of(const rill_world *w) {
    rill_frame frame = {0};
    rill_error error = {0};
    assert_int_equal(rill_frame_of_world(&frame, w, &error), RILL_OK);
    assert_int_equal(frame.links_count, 1);
    assert_int_equal(frame.links[0].count, 1);
    const float rest = *(const float *)frame.links[0].value[0].data;
    rill_frame_free(&frame);
    return rest;
}

/* Figure 4: within the yield ratio nothing changes; beyond it, the rest length follows at the rate alpha. Two particles
   fly apart, or together, with a spring of no strength. */
static void rest_lengths_follow(void **state) {
    (void)state;
    const double start = 0.06, alpha = 6, beta = 3, stretch = 0.1, compress = 0.05, dt = 1e-3;
    for (int k = 0; k < 2; k++) {
        const double speed = k == 0 ? 0.5 : -0.5;
        rill_fluid_id fluid;
        rill_world *w = make_idle(2, &fluid);
        const rill_ref ref = rill_ref_fluid(fluid);
        ok(w, rill_world_set_text(w, ref, "clavet.springs", "fixed"));
        ok(w, rill_world_set_number(w, ref, "clavet.spring_stiffness", 1e-12));
        ok(w, rill_world_set_number(w, ref, "clavet.stretch_rate", alpha));
        ok(w, rill_world_set_number(w, ref, "clavet.compress_rate", beta));
        ok(w, rill_world_set_number(w, ref, "clavet.stretch_yield", stretch));
        ok(w, rill_world_set_number(w, ref, "clavet.compress_yield", compress));
        ok(w, rill_world_add_particle(w, fluid, (rill_vec){0, 0, 0}, (rill_vec){0}, NULL));
        ok(w, rill_world_add_particle(w, fluid, (rill_vec){(float)start, 0, 0}, (rill_vec){(float)speed, 0, 0}, NULL));
        double rest = start + speed * dt; /* the distance at which it is made */
        ok(w, rill_world_step(w, dt));
        bool flowed = false;
        for (int n = 2; n <= 40; n++) {
            const double r = start + speed * dt * n, longest = rest * (1 + stretch), shortest = rest * (1 - compress);
            if (r > longest) rest += alpha * dt * (r - longest), flowed = true;
            if (r < shortest) rest -= beta * dt * (shortest - r), flowed = true;
            ok(w, rill_world_step(w, dt));
            assert_near(rest_of(w), rest, 1e-6);
        }
        assert_true(flowed);
        rill_world_destroy(w);
    }
}

/* Algorithm 4, lines 5 and 14: a spring is made at rest length h and removed when it would be longer. */
static void springs_come_and_go(void **state) {
    (void)state;
    rill_fluid_id fluid;
    rill_world *w = make_idle(2, &fluid);
    const rill_ref ref = rill_ref_fluid(fluid);
    const double h = 0.05 * 2.4;
    ok(w, rill_world_set_text(w, ref, "clavet.springs", "flowing"));
    ok(w, rill_world_set_number(w, ref, "clavet.spring_stiffness", 1e-12));
    ok(w, rill_world_set_number(w, ref, "clavet.stretch_rate", 30));
    ok(w, rill_world_set_number(w, ref, "clavet.stretch_yield", 0.1));
    ok(w, rill_world_add_particle(w, fluid, (rill_vec){0, 0, 0}, (rill_vec){0}, NULL));
    ok(w, rill_world_add_particle(w, fluid, (rill_vec){0.1f, 0, 0}, (rill_vec){1, 0, 0}, NULL));
    ok(w, rill_world_step(w, 1e-3));
    assert_near(rest_of(w), h, 1e-7);
    for (int n = 0; n < 30; n++) ok(w, rill_world_step(w, 1e-3)); /* 0.131 m: within the yield ratio of 0.1 */
    assert_near(rest_of(w), h, 1e-7);
    for (int n = 0; n < 10; n++) ok(w, rill_world_step(w, 1e-3));
    assert_int_equal(spring_count(w), 0);
    rill_world_destroy(w);
}

/* Distance of the second of two particles to the right of the first, and the rate at which it grows. */
static void read_pair(const rill_world *w, double *distance, double *speed) {
    rill_view x, v;
    ok(w, rill_world_view(w, "position", &x));
    ok(w, rill_world_view(w, "velocity", &v));
    assert_int_equal(x.count, 2);
    const float *at = x.data, *go = v.data;
    const double side = at[x.stride] > at[0] ? 1 : -1; /* sorting may have swapped them */
    *distance = side * ((double)at[x.stride] - (double)at[0]);
    *speed = side * ((double)go[v.stride] - (double)go[0]);
}

/* Between two fluids a spring has the harmonic mean of both stiffnesses and the means of rates and yield ratios. */
static void springs_between_fluids_take_means(void **state) {
    (void)state;
    const double dt = 1e-3, h = 0.05 * 2.4, stiffness[] = {0.2, 0.6}, rate[] = {60, 0}, yield[] = {0.1, 0.2};
    rill_fluid_id fluids[2];
    rill_world *w = make_idle(2, &fluids[0]);
    add_idle_fluid(w, "other goo", &fluids[1]);
    for (int k = 0; k < 2; k++) {
        const rill_ref ref = rill_ref_fluid(fluids[k]);
        ok(w, rill_world_set_text(w, ref, "clavet.springs", "fixed"));
        ok(w, rill_world_set_number(w, ref, "clavet.spring_stiffness", 1e-12));
        ok(w, rill_world_set_number(w, ref, "clavet.stretch_rate", rate[k]));
        ok(w, rill_world_set_number(w, ref, "clavet.stretch_yield", yield[k]));
        const rill_vec x = {k == 0 ? 0 : 0.06f, 0, 0}, v = {k == 0 ? 0 : 0.5f, 0, 0};
        ok(w, rill_world_add_particle(w, fluids[k], x, v, NULL));
    }
    double rest = 0.06 + 0.5 * dt, distance, speed;
    ok(w, rill_world_step(w, dt));
    for (int n = 2; n <= 40; n++) {
        const double r = 0.06 + 0.5 * dt * n;
        rest += fmax(30 * dt * (r - 1.15 * rest), 0);
        ok(w, rill_world_step(w, dt));
        assert_near(rest_of(w), rest, 1e-6);
    }
    assert_true(rest > 1.02 * 0.06);
    for (int k = 0; k < 2; k++)
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluids[k]), "clavet.spring_stiffness", stiffness[k]));
    ok(w, rill_world_step(w, dt));
    read_pair(w, &distance, &speed);
    const double free = 0.06 + 0.5 * dt * 41, pulled = (double)rest_of(w);
    const double wanted = 30 * 30 * dt * 0.3 * (1 - pulled / h) * (free - pulled);
    assert_near(0.5 - speed, wanted, 1e-3 * wanted);
    rill_world_destroy(w);
}

/* A dashpot beside a spring (Kelvin and Voigt): two particles that fly apart, or together, are slowed as in its
   implicit step, then the spring acts. Between two fluids it has the mean of both damping times. */
static void dashpots_slow_pairs_down(void **state) {
    (void)state;
    const double dt = 1e-3, h = 0.05 * 2.4, start = 0.06, stiffness = 0.5, tau = 0.04, ticks = 30 * dt;
    for (int k = 0; k < 4; k++) {
        const double speed = k % 2 == 0 ? 0.5 : -0.5;
        rill_fluid_id fluids[2];
        rill_world *w = make_idle(2, &fluids[0]);
        fluids[1] = fluids[0];
        if (k >= 2) add_idle_fluid(w, "other goo", &fluids[1]);
        for (int n = 0; n < 2; n++) {
            const rill_ref ref = rill_ref_fluid(fluids[n]);
            ok(w, rill_world_set_text(w, ref, "clavet.springs", "fixed"));
            ok(w, rill_world_set_number(w, ref, "clavet.spring_stiffness", stiffness));
            ok(w, rill_world_set_number(w, ref, "clavet.spring_damping", k < 2 ? tau : n * 2 * tau));
            const rill_vec x = {(float)(n * start), 0, 0}, v = {(float)(n * speed), 0, 0};
            ok(w, rill_world_add_particle(w, fluids[n], x, v, NULL));
        }
        const double rest = start + speed * dt, strength = ticks * ticks * stiffness * (1 - rest / h);
        double r = start, u = speed, distance, now;
        for (int n = 0; n < 20; n++) {
            double grown = u * dt / (1 + strength * tau / dt);
            grown += strength * (rest - (r + grown));
            r += grown, u = grown / dt;
            ok(w, rill_world_step(w, dt));
            read_pair(w, &distance, &now);
            assert_near(distance, r, 1e-6);
            assert_near(now, u, 1e-3 * fabs(speed));
        }
        assert_true(fabs(u) < 0.9 * fabs(speed));
        rill_world_destroy(w);
    }
}

/* The numbers of the thesis are those of its Table 6.2, with lengths in metres and time scaled by the root of 9820, for
   each of its kernels: two particles push each other twice, once for the density of each. Springs and viscosity are
   left out. */
static void thesis_has_its_table(void **state) {
    (void)state;
    static const char *const kernels[] = {"normal", "hybrid", "squared"};
    for (int k = 0; k < 3; k++) {
        const double dt = 1e-5, r = 0.05, q = r / (0.05 * 2.4), u = k == 0 ? 1 - q : 1 - q * q, way = k == 2 ? q : 1;
        rill_fluid_id fluid;
        rill_world *w = make_idle(2, &fluid);
        choose(w, "numbers", "thesis");
        choose(w, "kernels", kernels[k]);
        ok(w, rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.springs", "fixed"));
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.linear_viscosity", 1000));
        ok(w, rill_world_add_particle(w, fluid, (rill_vec){0}, (rill_vec){0}, NULL));
        ok(w, rill_world_add_particle(w, fluid, (rill_vec){(float)r, 0, 0}, (rill_vec){0}, NULL));
        ok(w, rill_world_step(w, dt));
        double distance, speed;
        read_pair(w, &distance, &speed);
        const double push = 0.0004 * (u * u - 5) * u + 0.05 * u * u * u * u * u;
        assert_near(speed, 2 * dt * 9820 * push * way, 1e-3 * fabs(speed));
        assert_int_equal(spring_count(w), 0);
        rill_world_destroy(w);
    }
}

static double apart(const rill_view *x, int i, int j, double period) {
    double r2 = 0;
    for (int axis = 0; axis < x->components; axis++) {
        const float *at = (const float *)x->data + axis;
        double d = (double)at[(size_t)i * (size_t)x->stride] - (double)at[(size_t)j * (size_t)x->stride];
        if (period > 0) d -= period * round(d / period);
        r2 += d * d;
    }
    return sqrt(r2);
}

/* Every pair nearer than h has one spring, across periodic faces too, while particles move and change cells. */
static void every_pair_has_a_spring(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        rill_fluid_id fluid;
        const int dim = 2 + k % 2;
        const double h = 0.05 * 2.4, period = k < 2 ? 0 : 0.625;
        rill_world *w = make_idle_in(dim, (float)period, &fluid);
        ok(w, rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.springs", "flowing"));
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.spring_stiffness", 1e-12));
        add_lump(w, fluid, 1);
        for (int n = 0; n < 12; n++) ok(w, rill_world_step(w, 4e-3));
        rill_frame frame = {0};
        rill_view x;
        assert_int_equal(rill_frame_of_world(&frame, w, NULL), RILL_OK);
        ok(w, rill_world_view(w, "position", &x));
        int pairs = 0, near = 0;
        for (int i = 0; i < x.count; i++)
            for (int j = 0; j < i; j++) pairs += apart(&x, i, j, period) < h;
        for (int n = 0; n < frame.links[0].count; n++) {
            const int32_t *ends = frame.links[0].particle + 2 * (size_t)n;
            near += apart(&x, ends[0], ends[1], period) < h;
        }
        assert_true(pairs > 1000);
        assert_int_equal(near, pairs); /* no pair has two (test_links) */
        rill_frame_free(&frame);
        rill_world_destroy(w);
    }
}

/* Fixed springs join all particles nearer than their reach, later particles with earlier ones too, and each pair
   once. */
static void fixed_springs_have_their_reach(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        rill_fluid_id fluid;
        const int dim = 2 + k % 2;
        const double reach = 1.7 * 0.05 * 2.4, period = k < 2 ? 0 : 0.95;
        rill_world *w = make_idle_in(dim, (float)period, &fluid);
        ok(w, rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.springs", "fixed"));
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.spring_reach", 1.7));
        ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.spring_stiffness", 1e-12));
        add_lump(w, fluid, 0);
        ok(w, rill_world_step(w, 1e-6));
        const float edge = dim == 2 ? 0.47f : 0.22f;
        ok(w, rill_world_add_particle(w, fluid, (rill_vec){edge, 0.01f, 0}, (rill_vec){0}, NULL));
        for (int n = 0; n < 3; n++) ok(w, rill_world_step(w, 1e-6));
        rill_view x;
        ok(w, rill_world_view(w, "position", &x));
        int pairs = 0;
        for (int i = 0; i < x.count; i++)
            for (int j = 0; j < i; j++) pairs += apart(&x, i, j, period) < reach;
        assert_true(pairs > 3000);
        assert_int_equal(spring_count(w), pairs);
        rill_world_destroy(w);
    }
}

/* Springs that reach farther than a cell are coloured in larger blocks: bits do not depend on the threads. */
static void far_springs_do_not_depend_on_threads(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int reach = 2; reach <= 4; reach++) {
            uint64_t first = 0;
            for (int workers = 1; workers <= 4; workers += 3) {
                rill_world_def def = small_def(dim, "clavet");
                def.support_ratio = 2.4f, def.workers = workers;
                rill_world *w = create(&def);
                const rill_fluid_id fluid = add_water(w);
                ok(w, rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.springs", "fixed"));
                ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.spring_reach", reach));
                ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.spring_damping", 0.01));
                add_lump(w, fluid, 1);
                for (int n = 0; n < 5; n++) ok(w, rill_world_step(w, 1e-3));
                if (workers == 1) first = rill_world_hash(w);
                assert_true(rill_world_hash(w) == first);
                rill_world_destroy(w);
            }
        }
}

/* ---- whole lumps ---- */

/* Mean distance to the nearest particle, in spacings. */
static double nearest_mean(const rill_world *w) {
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    const float *at = x.data;
    double sum = 0;
    for (int i = 0; i < x.count; i++) {
        double least = 1e9;
        for (int j = 0; j < x.count; j++) {
            double r2 = 0;
            for (int axis = 0; axis < x.components; axis++) {
                const double d = (double)at[(size_t)i * (size_t)x.stride + (size_t)axis] -
                                 (double)at[(size_t)j * (size_t)x.stride + (size_t)axis];
                r2 += d * d;
            }
            if (j != i && r2 < least) least = r2;
        }
        sum += sqrt(least);
    }
    return sum / x.count / 0.05;
}

/* Section 4.3: without near pressure a particle reaches its density by pulling a few neighbours close. */
static void near_pressure_prevents_clusters(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double apart[2];
        for (int k = 0; k < 2; k++) {
            rill_fluid_id fluid;
            rill_world *w = make_idle(dim, &fluid);
            ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.stiffness", 0.05));
            ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.near_ratio", k == 0 ? 0 : 2.5));
            ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.linear_viscosity", 20));
            ok(w, rill_world_set_number(w, rill_ref_fluid(fluid), "clavet.rest_density", dim == 2 ? 3.2 : 6.8));
            add_lump(w, fluid, 0.1f);
            for (int n = 0; n < 150; n++) ok(w, rill_world_step(w, 1.0 / 120));
            apart[k] = nearest_mean(w);
            rill_world_destroy(w);
        }
        assert_true(apart[0] < 0.65); /* clusters: 0.54 and 0.43 */
        assert_true(apart[1] > 0.85);
    }
}

/* Size, spin and density of a spinning lump at the end. */
typedef struct lump {
    double radius, spin, density;
} lump;

static lump spin_lump(int dim, const char *sweep) {
    rill_world_def def = small_def(dim, "clavet");
    def.gravity = (rill_vec){0}, def.support_ratio = 2.4f;
    rill_world *w = create(&def);
    add_water(w);
    choose(w, "sweep", sweep);
    rill_block_def block = rill_block_def_default();
    block.shape.min = (rill_vec){-0.5f, -0.3f, -0.3f}, block.shape.max = (rill_vec){0.5f, 0.3f, 0.3f};
    block.spin = 2;
    ok(w, rill_world_add_block(w, &block, NULL));
    for (int n = 0; n < 60; n++) ok(w, rill_world_step(w, 1.0 / 120));
    rill_view x, rho;
    ok(w, rill_world_view(w, "position", &x));
    ok(w, rill_world_view(w, "density", &rho));
    lump l = {.spin = motion_of(w).spin[2] / x.count};
    for (int i = 0; i < x.count; i++) {
        for (int axis = 0; axis < x.components; axis++) {
            const double a = (double)((const float *)x.data)[(size_t)i * (size_t)x.stride + (size_t)axis];
            l.radius += a * a / x.count;
        }
        l.density += (double)((const float *)rho.data)[(size_t)i * (size_t)rho.stride] / x.count;
    }
    l.radius = sqrt(l.radius);
    rill_world_destroy(w);
    return l;
}

static void sweeps_agree(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        const lump a = spin_lump(dim, "coloured"), b = spin_lump(dim, "sequential");
        assert_near(a.radius, b.radius, 0.01 * b.radius);
        assert_near(a.spin, b.spin, 0.01 * fabs(b.spin));
        assert_near(a.density, b.density, 0.01 * b.density);
    }
}

/* ---- walls and bodies ---- */

/* Height that a drop under a ceiling has lost after half a second. */
static double drop_falls(double wetting, double stickiness) {
    rill_fluid_id fluid;
    rill_world_def def = small_def(2, "clavet");
    def.support_ratio = 2.4f;
    rill_world *w = create(&def);
    fluid = add_water(w);
    (void)fluid;
    rill_solid_def ceiling = rill_solid_def_default();
    ceiling.shape.kind = RILL_HALF_SPACE, ceiling.shape.normal = (rill_vec){0, -1, 0};
    rill_solid_id id;
    ok(w, rill_world_add_solid(w, &ceiling, &id));
    ok(w, rill_world_set_number(w, rill_ref_solid(id), "clavet.wetting", wetting));
    ok(w, rill_world_set_number(w, rill_ref_solid(id), "clavet.stickiness", stickiness));
    add_box(w, (rill_vec){-0.2f, -0.1f, 0}, (rill_vec){0.2f, 0, 0});
    for (int n = 0; n < 60; n++) ok(w, rill_world_step(w, 1.0 / 120));
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    double mean = 0;
    for (int i = 0; i < x.count; i++)
        mean += (double)((const float *)x.data)[(size_t)i * (size_t)x.stride + 1] / x.count;
    rill_world_destroy(w);
    return -0.05 - mean;
}

static void sticky_walls_hold(void **state) {
    (void)state;
    assert_true(drop_falls(0, 0) > 1); /* 1.2 m in free fall */
    assert_true(drop_falls(0.5, 0) > 0.5);
    assert_true(drop_falls(0, 60) < 0.05);
    assert_true(drop_falls(0.5, 60) < 0.05);
}

/* Momentum of fluid and a light body after they have met, over that of the fluid before. */
static double momentum_kept(const char *bodies) {
    rill_fluid_id fluid;
    rill_world_def def = small_def(2, "clavet");
    def.gravity = (rill_vec){0}, def.support_ratio = 2.4f;
    rill_world *w = create(&def);
    fluid = add_water(w);
    (void)fluid;
    choose(w, "bodies", bodies);
    choose(w, "wall_density", "false");
    rill_block_def block = rill_block_def_default();
    block.shape.min = (rill_vec){-0.8f, -0.2f, 0}, block.shape.max = (rill_vec){0, 0.2f, 0};
    block.velocity = (rill_vec){2, 0, 0};
    int count;
    ok(w, rill_world_add_block(w, &block, &count));
    rill_body_def body = rill_body_def_default();
    body.shape = box_shape((rill_vec){0.05f, -0.3f, 0}, (rill_vec){0.35f, 0.3f, 0}), body.density = 300;
    rill_body_id id;
    ok(w, rill_world_add_body(w, &body, &id));
    const double mass = 1000 * 0.05 * 0.05, before = 2 * mass * count;
    for (int n = 0; n < 40; n++) ok(w, rill_world_step(w, 1.0 / 120));
    rill_body_state s;
    ok(w, rill_world_body_state(w, id, &s));
    assert_true((double)s.velocity.x > 0.1);
    const double after = mass * motion_of(w).push[0] + 300 * 0.3 * 0.6 * (double)s.velocity.x;
    rill_world_destroy(w);
    return after / before;
}

static void bodies_get_what_particles_lose(void **state) {
    (void)state;
    const double conserving = momentum_kept("conserving"), printed = momentum_kept("printed");
    print_message("momentum kept: %.4f; %.4f by Algorithm 6 as printed\n", conserving, printed);
    assert_near(conserving, 1, 2e-3);
    assert_true(fabs(printed - 1) > 0.02); /* Algorithm 6 does not keep it */
}

/* ---- groups of LiquidFun ---- */

/* Height over width of a square of half a metre that stood on a rough floor for two seconds. */
static double stands(const char *look) {
    rill_world_def def = small_def(2, "clavet");
    def.support_ratio = 2.4f;
    rill_world *w = create(&def);
    const rill_fluid_id fluid = add_water(w);
    ok(w, rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.look", look));
    const rill_solid_id tank = add_container(w, (rill_vec){0, 0, 0}, (rill_vec){3, 3, 0});
    ok(w, rill_world_set_number(w, rill_ref_solid(tank), "clavet.wet_friction", 1));
    add_box(w, (rill_vec){1.25f, 0, 0}, (rill_vec){1.75f, 0.5f, 0});
    ok(w, rill_world_advance(w, 2));
    rill_vec min, max;
    bool empty;
    ok(w, rill_world_fluid_box(w, &min, &max, &empty));
    rill_world_destroy(w);
    return (double)((max.y + 0.025f) / (max.x - min.x + 0.05f));
}

/* One row gives a fluid the behaviour of LiquidFun's elastic or powder groups; methods without springs refuse it. */
static void looks_stand_for_groups(void **state) {
    (void)state;
    const double elastic = stands("gel"), powder = stands("mud"), water = stands("water");
    print_message("height over width: gel %.2f, mud %.2f, water %.2f\n", elastic, powder, water);
    assert_true(elastic > 0.6);
    assert_true(powder > 0.1 && powder < 0.5); /* a heap */
    assert_true(water < 0.07);                 /* from wall to wall */
    const rill_world_def def = small_def(2, "pbf");
    rill_world *w = create(&def);
    const rill_fluid_id fluid = add_water(w);
    assert_int_equal(rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.look", "gel"), RILL_NOT_FOUND);
    assert_non_null(strstr(rill_world_message(w), "clavet.look"));
    rill_world_destroy(w);
}

/* ---- what is refused ---- */

static void rows_that_would_not_act_are_refused(void **state) {
    (void)state;
    rill_fluid_id fluid;
    rill_world *w = make_idle(2, &fluid);
    add_lump(w, fluid, 0);
    ok(w, rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.look", "gel"));
    assert_int_equal(rill_world_step(w, 1e-3), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "look"));
    rill_world_destroy(w);
}

/* ---- energy ---- */

/* A tank 15 layers deep: rms speed of its last half second over sqrt(g H). */
static double unrest(int dim, float support) {
    rill_world_def def = small_def(dim, "clavet");
    def.support_ratio = support;
    rill_world *w = create(&def);
    add_water(w);
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.max = (rill_vec){0.75f, dim == 2 ? 2 : 0.3f, dim == 2 ? 0 : 2}, tank.shape.inside = true;
    ok(w, rill_world_add_solid(w, &tank, NULL));
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){0.75f, dim == 2 ? 0.75f : 0.3f, dim == 2 ? 0 : 0.75f});
    const double mass = 1000 * 0.75 * (dim == 2 ? 0.75 : 0.3 * 0.75);
    ok(w, rill_world_advance(w, 6));
    double sum = 0;
    for (int k = 0; k < 25; k++) {
        ok(w, rill_world_advance(w, 0.02));
        sum += 2 * rill_world_stats(w)->kinetic_energy / mass / 25;
    }
    rill_world_destroy(w);
    return sqrt(sum / (9.81 * 0.75));
}

/* Walls that push like fluid behind them would store no energy: the tank would then boil at 6 to 9 %. */
static void still_fluid_comes_to_rest(void **state) {
    (void)state;
    static const struct {
        int dim;
        float support;
    } cases[] = {{2, 2}, {2, 2.4f}, {2, 3}, {3, 2.4f}};
    for (int k = 0; k < 4; k++) {
        const double speed = unrest(cases[k].dim, cases[k].support);
        print_message("%dD, h = %g dx: rms speed %.4f of sqrt(g H)\n", cases[k].dim, (double)cases[k].support, speed);
        assert_true(speed < 0.01);
    }
}

/* A lump of rubber falls and bounces: its springs store energy, which the energy watch counts. */
static void rubber_gains_nothing(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = small_def(dim, "clavet");
        def.support_ratio = 2.4f;
        rill_world *w = create(&def);
        const rill_fluid_id fluid = add_water(w);
        ok(w, rill_world_set_text(w, rill_ref_fluid(fluid), "clavet.look", "rubber"));
        rill_solid_def floor = rill_solid_def_default();
        floor.shape.kind = RILL_HALF_SPACE;
        floor.shape.normal = (rill_vec){0, dim == 2 ? 1 : 0, dim == 2 ? 0 : 1};
        ok(w, rill_world_add_solid(w, &floor, NULL));
        add_box(w, dim == 2 ? (rill_vec){-0.2f, 0.5f, 0} : (rill_vec){-0.2f, -0.2f, 0.5f},
                dim == 2 ? (rill_vec){0.2f, 0.9f, 0} : (rill_vec){0.2f, 0.2f, 0.9f});
        double most = 0, lowest = HUGE_VAL, highest = 0;
        for (int k = 0; k < 80; k++) {
            ok(w, rill_world_advance(w, 0.01));
            const rill_stats *s = rill_world_stats(w);
            if (s->potential_energy < lowest) lowest = highest = s->potential_energy;
            highest = fmax(highest, s->potential_energy), most = fmax(most, s->energy_gain);
        }
        print_message("%dD: bounced up to %.2f of where it was lowest; gained %.4f\n", dim, highest / lowest, most);
        assert_true(highest > 1.3 * lowest && most < 0.05);
        rill_world_destroy(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relaxation_keeps_momentum),
        cmocka_unit_test(springs_keep_momentum),
        cmocka_unit_test(dashpots_keep_momentum),
        cmocka_unit_test(viscosity_keeps_momentum),
        cmocka_unit_test(rest_lengths_follow),
        cmocka_unit_test(springs_come_and_go),
        cmocka_unit_test(springs_between_fluids_take_means),
        cmocka_unit_test(dashpots_slow_pairs_down),
        cmocka_unit_test(thesis_has_its_table),
        cmocka_unit_test(every_pair_has_a_spring),
        cmocka_unit_test(fixed_springs_have_their_reach),
        cmocka_unit_test(far_springs_do_not_depend_on_threads),
        cmocka_unit_test(near_pressure_prevents_clusters),
        cmocka_unit_test(sweeps_agree),
        cmocka_unit_test(sticky_walls_hold),
        cmocka_unit_test(bodies_get_what_particles_lose),
        cmocka_unit_test(looks_stand_for_groups),
        cmocka_unit_test(rows_that_would_not_act_are_refused),
        cmocka_unit_test(still_fluid_comes_to_rest),
        cmocka_unit_test(rubber_gains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
