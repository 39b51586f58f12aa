/* SPDX-License-Identifier: MIT */
/* A body added to a tank of still water, or put into it, that pushes the water out of its way: every particle stays,
   the level rises by the volume of the body over the area of the tank, and the water stays calm. */
#include "unit/worlds.h"

#define SPACING 0.05f

/* The tank is 1.2 m long and in 3D 0.4 m wide, water 0.6 m deep. */
typedef struct tank {
    rill_world *world;
    double area;         /* of its floor; its length in 2D */
    double volume, rise; /* of the body, and how far it raises the level */
    double body_height;  /* height of its centre */
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

/* The level of water at rest, from the first moments of height of the water and the body in it, which together are
   level^2 area / 2. A gauge would see the level in whole layers. */
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

/* Work that lifts the displaced water to the surface [J]. */
static double work_of(const tank *t, double level) {
    return 1000 * t->volume * 9.81 * (level - t->body_height + 0.5 * t->rise);
}

static void check_push(int dim, const char *method, bool ball) {
    tank t = make_tank(dim, method);
    rill_world *w = t.world;
    const int count = rill_world_particle_count(w);
    if (strcmp(method, "constraint") == 0)
        ok(w, rill_world_set_number(w, rill_ref_method(), "body_gap", 0)); /* with a gap it displaces less */
    ok(w, rill_world_advance(w, 0.5));
    const double before = level_of(&t, false), apart = least_distance(w);
    add_pushing(&t, ball);
    assert_int_equal(rill_world_particle_count(w), count);
    assert_int_equal(rill_world_stats(w)->left_out, 0);
    /* No two particles are nearer than before, or than a free place is to the next particle (0.9 spacings). */
    assert_at_most(fmin(apart, 0.89), least_distance(w));
    const double work = work_of(&t, before);
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

/* ---- put into the water ---- */

/* A box as dense as water, above it. */
static rill_body_id add_above(tank *t, rill_body_kind kind) {
    rill_body_def def = rill_body_def_default();
    def.kind = (int32_t)kind, def.density = 1000;
    def.shape = box_shape(at(t, 0.4, 1.6, 0.1), at(t, 0.8, 1.9, 0.3));
    t->body_height = 0.3, t->volume = 0.4 * 0.3 * (t->area < 1 ? 0.2 : 1), t->rise = t->volume / t->area;
    rill_body_id id;
    ok(t->world, rill_world_add_body(t->world, &def, &id));
    return id;
}

static void put(const tank *t, rill_body_id id, double x, double up) {
    const rill_pose pose = {.position = at(t, x, up, 0.2)};
    ok(t->world, rill_world_body_set_pose(t->world, id, &pose));
    if (rill_world_body_def(t->world, id)->kind == RILL_BODY_DYNAMIC)
        ok(t->world, rill_world_body_set_velocity(t->world, id, (rill_vec){0}, (rill_vec){0}));
}

static void expect_all(const rill_world *w, int count) {
    const rill_stats *s = rill_world_stats(w);
    assert_int_equal(rill_world_particle_count(w), count);
    assert_int_equal(s->left_out + s->removed + s->strayed + s->runaways, 0);
}

/* Fluid must make way for a body that is put into it, or every method but constraint blows up. */
static void check_put(int dim, const char *method, rill_body_kind kind) {
    tank t = make_tank(dim, method);
    rill_world *w = t.world;
    const int count = rill_world_particle_count(w);
    const rill_body_id id = add_above(&t, kind);
    ok(w, rill_world_advance(w, 0.3));
    const double before = level_of(&t, false), work = work_of(&t, before);
    put(&t, id, 0.6, 0.3);
    double energy = 0, gain = 0;
    for (int k = 0; k < 10; k++) {
        ok(w, rill_world_advance(w, 0.05));
        energy = fmax(energy, rill_world_stats(w)->kinetic_energy);
        gain = fmax(gain, rill_world_stats(w)->energy_gain);
    }
    print_message("%dD %s, body of kind %d put into it: %.3g J of %.3g J, gain %.3f\n", dim, method, (int)kind, energy,
                  work, gain);
    /* clavet is soft: water that is put on top sinks in and bounces. */
    assert_at_most(energy, (strcmp(method, "clavet") == 0 ? 0.3 : 0.1) * work);
    assert_at_most(gain, 0.05);
    expect_all(w, count);
    rill_world_destroy(w);
}

static void water_makes_way_for_what_is_put_into_it(void **state) {
    (void)state;
    for (int m = 0; m < rill_method_count(); m++)
        for (int dim = 2; dim <= 3; dim++) {
            check_put(dim, rill_method(m)->name, RILL_BODY_DYNAMIC);
            if (dim == 2) check_put(dim, rill_method(m)->name, m % 2 ? RILL_BODY_KINEMATIC : RILL_BODY_FIXED);
        }
}

/* A body squeezes no water, wherever its faces lie between the layers of particles. Particles 0.25 to 0.4 spacings from
   the faces must make way too, or wcsph gains 0.17 of all energy in play. */
static void it_is_squeezed_nowhere(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "muller", "dfsph"};
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < (m == 0 ? 8 : 4); k++) {
            tank t = make_tank(k < 4 ? 2 : 3, methods[m]);
            ok(t.world, rill_world_advance(t.world, 0.3));
            const double off = (k % 4 + 0.5) / 4 * (double)SPACING, before = rill_world_stats(t.world)->energy_gain;
            rill_body_def def = rill_body_def_default();
            def.displacement = k % 2 ? RILL_DISPLACE_PUSH : RILL_DISPLACE_REMOVE;
            def.shape = box_shape(at(&t, 0.3 + off, 0.1 + off, 0.1 + off), at(&t, 0.8 + off, 0.4 + off, 0.2 + off));
            ok(t.world, rill_world_add_body(t.world, &def, NULL));
            double gain = 0;
            for (int f = 0; f < 6; f++) {
                ok(t.world, rill_world_advance(t.world, 1.0 / 60));
                gain = fmax(gain, rill_world_stats(t.world)->energy_gain);
            }
            print_message("%s, faces %.3f spacings off the layers: gain %.4f\n", methods[m], (k + 0.5) / 4,
                          gain - before);
            assert_at_most(gain - before, k < 4 ? 0.01 : 0.03);
            rill_world_destroy(t.world);
        }
}

/* A body that is put a little farther in every frame: water moves to where the body was, and is not thrown about. */
static void check_drag(int dim, const char *method, double spacings) {
    tank t = make_tank(dim, method);
    rill_world *w = t.world;
    const int count = rill_world_particle_count(w);
    const rill_body_id id = add_above(&t, RILL_BODY_KINEMATIC);
    ok(w, rill_world_advance(w, 0.3));
    const double work = work_of(&t, level_of(&t, false));
    double x = 0.3, way = spacings * (double)SPACING, energy = 0, gain = 0;
    for (int k = 0; k < 60; k++) {
        put(&t, id, x, 0.3);
        if (x + way < 0.3 || x + way > 0.9) way = -way;
        x += way;
        ok(w, rill_world_advance(w, 1.0 / 60));
        energy = fmax(energy, rill_world_stats(w)->kinetic_energy);
        gain = fmax(gain, rill_world_stats(w)->energy_gain);
    }
    print_message("%dD %s, dragged by %.1f spacings a frame: %.3g J of %.3g J, gain %.3f\n", dim, method, spacings,
                  energy, work, gain);
    assert_at_most(energy, 1.5 * work);
    assert_at_most(gain, 0.25);
    expect_all(w, count);
    rill_world_destroy(w);
}

static void water_makes_way_for_what_is_dragged(void **state) {
    (void)state;
    static const double ways[] = {0.2, 0.7, 2.5};
    for (int m = 0; m < rill_method_count(); m++)
        for (int k = 0; k < 3; k++) check_drag(2, rill_method(m)->name, ways[k]);
    check_drag(3, "pbf", ways[1]);
    check_drag(3, "dfsph", ways[2]);
}

/* ---- where the water goes ---- */

/* Number of particles in a box of 0.4 by 0.3 (by 0.2) m around a centre, turned by an angle from x to up. */
static int count_in_box(const tank *t, double x, double up, double angle) {
    rill_view places;
    ok(t->world, rill_world_view(t->world, "position", &places));
    int count = 0;
    for (int i = 0; i < places.count; i++) {
        const float *p = (const float *)places.data + i * places.stride;
        const double a = (double)p[0] - x, b = (double)p[places.components - 1] - up;
        const bool deep = places.components == 3 && fabs((double)p[1] - 0.2) >= 0.1;
        count += fabs(cos(angle) * a + sin(angle) * b) < 0.2 && fabs(cos(angle) * b - sin(angle) * a) < 0.15 && !deep;
    }
    return count;
}

static rill_body_def pushing_box(const tank *t, double x, double up) {
    rill_body_def def = rill_body_def_default();
    def.displacement = RILL_DISPLACE_PUSH;
    def.shape = box_shape(at(t, x - 0.2, up - 0.15, 0.1), at(t, x + 0.2, up + 0.15, 0.3));
    return def;
}

/* A hosted body is where its engine has it, not where its shape was defined. Otherwise water would be put into bodies
   that have an edge in the water, and pbf would throw it about. */
static void no_place_is_in_the_body_of_an_engine(void **state) {
    (void)state;
    const double x = 0.6, up = 0.72, angle = 0.3;
    for (int dim = 2; dim <= 3; dim++) {
        tank t = make_tank(dim, "pbf");
        const rill_body_def def = pushing_box(&t, 0, 0);
        rill_hosted_state where = rill_hosted_state_default();
        where.position = at(&t, x, up, 0);
        where.angle = (float)angle, where.quaternion[1] = (float)-sin(angle / 2);
        where.quaternion[3] = (float)cos(angle / 2);
        assert_true(count_in_box(&t, x, up, angle) > 0);
        const int count = rill_world_particle_count(t.world);
        ok(t.world, rill_world_add_hosted(t.world, &def, &where, NULL));
        assert_int_equal(count_in_box(&t, x, up, angle), 0);
        expect_all(t.world, count);
        rill_world_destroy(t.world);
    }
}

/* Water is not put into another body, which is the first solid of the world and has moved since it was added. */
static void no_place_is_in_another_body(void **state) {
    (void)state;
    rill_world_def world = small_def(2, "pbf");
    world.gravity = (rill_vec){0};
    tank t = {.world = create(&world)};
    add_water(t.world);
    rill_body_def def = pushing_box(&t, 3, 0.4);
    rill_body_id id;
    ok(t.world, rill_world_add_body(t.world, &def, &id));
    put(&t, id, 0.8, 0.4);
    add_box(t.world, at(&t, 0, 0, 0), at(&t, 1.1, 0.8, 0));
    def = pushing_box(&t, 0.35, 0.4);
    ok(t.world, rill_world_add_body(t.world, &def, NULL));
    assert_int_equal(count_in_box(&t, 0.8, 0.4, 0), 0);
    assert_int_equal(count_in_box(&t, 0.35, 0.4, 0), 0);
    rill_world_destroy(t.world);
}

/* A body that the fluid does not collide with displaces none of it. */
static void what_it_does_not_meet_displaces_nothing(void **state) {
    (void)state;
    rill_world_def world = small_def(2, "pbf");
    tank t = {.world = create(&world)};
    rill_fluid_def water = rill_fluid_def_default();
    water.mask = 1;
    ok(t.world, rill_world_add_fluid(t.world, &water, NULL));
    const int count = add_box(t.world, at(&t, 0, 0, 0), at(&t, 1, 0.8, 0));
    for (int layer = 2; layer >= 1; layer--) {
        rill_body_def def = rill_body_def_default();
        def.shape = box_shape(at(&t, 0.4, 0.3, 0), at(&t, 0.8, 0.6, 0));
        def.layer = layer;
        ok(t.world, rill_world_add_body(t.world, &def, NULL));
        assert_int_equal(rill_world_particle_count(t.world) < count, layer == 1);
    }
    rill_world_destroy(t.world);
}

/* A body is put into a full tank: water in its place is removed if its `displacement` is `remove` and stays otherwise,
   and the call has no message. */
static void without_room_it_goes_or_stays(void **state) {
    (void)state;
    for (int fate = RILL_DISPLACE_REMOVE; fate <= RILL_DISPLACE_PUSH; fate++) {
        rill_world_def world = small_def(2, "pbf");
        tank t = {.world = create(&world)};
        add_water(t.world);
        add_container(t.world, at(&t, 0, 0, 0), at(&t, 1, 0.5, 0));
        const int count = add_box(t.world, at(&t, 0, 0, 0), at(&t, 1, 0.5, 0));
        rill_body_def def = rill_body_def_default();
        def.kind = RILL_BODY_FIXED, def.displacement = fate;
        def.shape = box_shape(at(&t, 3, 0, 0), at(&t, 3.2, 0.2, 0));
        rill_body_id id;
        ok(t.world, rill_world_add_body(t.world, &def, &id));
        put(&t, id, 0.5, 0.25);
        assert_string_equal(rill_world_message(t.world), "");
        const int64_t gone = rill_world_stats(t.world)->left_out;
        assert_int_equal(rill_world_particle_count(t.world) + gone, count);
        assert_int_equal(gone > 0, fate == RILL_DISPLACE_REMOVE);
        rill_world_destroy(t.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_makes_way),
        cmocka_unit_test(water_makes_way_for_what_is_put_into_it),
        cmocka_unit_test(it_is_squeezed_nowhere),
        cmocka_unit_test(water_makes_way_for_what_is_dragged),
        cmocka_unit_test(no_place_is_in_the_body_of_an_engine),
        cmocka_unit_test(no_place_is_in_another_body),
        cmocka_unit_test(what_it_does_not_meet_displaces_nothing),
        cmocka_unit_test(without_room_it_goes_or_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
