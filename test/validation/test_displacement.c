/* SPDX-License-Identifier: MIT */
/* A body added into a tank of still water that pushes the water out of its way: every particle stays, the level rises
   by the volume of the body over the area of the tank, and the water stays calm. */
#include "unit/worlds.h"

#define SPACING 0.05f

/* The tank is 1.2 m long and in 3D 0.4 m wide, water 0.6 m deep. */
typedef struct tank {
    rill_world *world;
    double area;         /* of its floor; its length in 2D */
    double volume, rise; /* of the body, and what it lifts the level by */
    double body_height;  /* of its centre */
} tank;

static rill_vec at(const tank *t, double x, double up, double deep) {
    return up2(t->world, (float)x, (float)up, (float)deep);
}

static tank make_tank(int dim, const char *method) {
    rill_world_def def = small_def(dim, method);
    def.spacing = SPACING;
    tank t = {.world = create(&def), .area = dim == 2 ? 1.2 : 1.2 * 0.4};
    add_water(t.world);
    add_container(t.world, at(&t, 0, 0, 0), at(&t, 1.2, 2, 0.4));
    add_box(t.world, at(&t, 0, 0, 0), at(&t, 1.2, 0.6, 0.4));
    return t;
}

/* The level of water at rest, from its centre of mass and that of the body in it: level^2 area / 2 is the moment of
   both. A gauge would count layers. */
static double level_of(const tank *t, bool with_body) {
    rill_view x;
    ok(t->world, rill_world_view(t->world, "position", &x));
    const int up = x.components - 1;
    double sum = 0;
    for (int i = 0; i < x.count; i++) sum += (double)((const float *)x.data)[i * x.stride + up];
    sum *= pow((double)SPACING, x.components);
    if (with_body) sum += t->volume * t->body_height;
    return sqrt(2 * sum / t->area);
}

/* The least distance between two particles, in spacings, by brute force. */
static double least_distance(const rill_world *w) {
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    double least = HUGE_VAL;
    for (int i = 0; i < x.count; i++)
        for (int j = 0; j < i; j++) {
            double d2 = 0;
            for (int c = 0; c < x.components; c++) {
                const double d =
                    (double)(((const float *)x.data)[i * x.stride + c] - ((const float *)x.data)[j * x.stride + c]);
                d2 += d * d;
            }
            least = fmin(least, d2);
        }
    return sqrt(least) / (double)SPACING;
}

static void add_pushing(tank *t, bool ball) {
    const int dim = rill_world_get_def(t->world)->dim;
    rill_body_def def = rill_body_def_default();
    def.kind = RILL_BODY_FIXED, def.displacement = RILL_DISPLACE_PUSH;
    t->body_height = 0.3;
    def.shape =
        ball ? ball_shape(at(t, 0.6, 0.3, 0.2), 0.15f) : box_shape(at(t, 0.4, 0.15, 0.1), at(t, 0.8, 0.45, 0.3));
    const double pi = 3.14159265358979, r = 0.15;
    t->volume = ball ? (dim == 2 ? pi * r * r : 4.0 / 3 * pi * r * r * r) : 0.4 * 0.3 * (dim == 2 ? 1 : 0.2);
    t->rise = t->volume / t->area;
    ok(t->world, rill_world_add_body(t->world, &def, NULL));
}

static void check_push(int dim, const char *method, bool ball) {
    tank t = make_tank(dim, method);
    rill_world *w = t.world;
    const int count = rill_world_particle_count(w);
    if (strcmp(method, "constraint") == 0)
        ok(w, rill_world_set_number(w, rill_ref_method(), "body_gap", 0)); /* or it displaces less */
    ok(w, rill_world_advance(w, 0.5));
    const double before = level_of(&t, false), apart = least_distance(w);
    add_pushing(&t, ball);
    assert_int_equal(rill_world_particle_count(w), count);
    assert_int_equal(rill_world_stats(w)->left_out, 0);
    /* No nearer than particles were before, or than a free place is to the next particle. */
    assert_at_most(fmin(apart, 0.89), least_distance(w));
    /* What lifting the displaced water to the top costs. */
    const double work = 1000 * t.volume * 9.81 * (before - t.body_height + 0.5 * t.rise);
    double energy = 0;
    for (int k = 0; k < 40; k++) {
        ok(w, rill_world_advance(w, 0.05));
        energy = fmax(energy, rill_world_stats(w)->kinetic_energy);
    }
    const double rise = level_of(&t, true) - before;
    print_message("%dD %s, %s: the level rises by %.4f m of %.4f m, %.3g J of %.3g J\n", dim, method,
                  ball ? "ball" : "box", rise, t.rise, energy, work);
    assert_at_most(fabs(rise / t.rise - 1), 0.03);
    assert_at_most(energy, 0.2 * work);
    assert_int_equal(rill_world_particle_count(w), count);
    rill_world_destroy(w);
}

static void water_makes_way(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "dfsph", "constraint", "wcsph"};
    for (int m = 0; m < 4; m++)
        for (int dim = 2; dim <= 3; dim++) check_push(dim, methods[m], (m + dim) % 2 == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_makes_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
