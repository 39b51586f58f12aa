/* SPDX-License-Identifier: MIT */
/* Impulse-and-projection walls: single particles against single solids, where the right answer is known. */
#include "oracle/check.h"
#include "oracle/sim_main.h"
#include "oracle/water_world.h"
#include "sim/boundary/boundary.h"

#define DX       0.1f
#define KEEP_OFF 0.05f

static void add_solid(rill_world *w, const rill_solid_def *def) {
    assert_int_equal(rill_world_add_solid(w, def, NULL), RILL_OK);
}

static void add_particle(rill_world *w, vec x, vec v) {
    const rill_fluid_id fluid = {1, 1};
    assert_int_equal(rill_world_add_particle(w, fluid, vec_out(x), vec_out(v), NULL), RILL_OK);
}

/* Moves every particle by v dt, as semi-implicit Euler does, and collides. */
static void move_and_collide(rill_world *w, double dt) {
    for (int i = 0; i < w->particles.count; i++)
        places_of(w)[i].x = vec_along(places_of(w)[i].x, (float)dt, velocities_of(w)[i]);
    assert_int_equal(rill_solids_place(w, w->stats.time + dt), RILL_OK);
    assert_int_equal(rill_solids_collide(w, dt, false), RILL_OK);
    w->stats.time += dt;
}

static rill_solid_def a_floor(void) {
    rill_solid_def def = rill_solid_def_default();
    def.shape.kind = RILL_HALF_SPACE;
    def.shape.normal = (rill_vec){0, 1, 0};
    return def;
}

static vec of(float x, float y, float z) {
    return vec_of((rill_vec){x, y, z});
}

static void stops_at_the_wall_distance(void **state) {
    (void)state;
    rill_world *w = wall_test_world(DIM, DX);
    const rill_solid_def floor = a_floor();
    add_solid(w, &floor);
    add_particle(w, of(0.3f, 0.06f, 0.2f), of(2.0f, -1.0f, 0.5f));
    move_and_collide(w, 0.05);
    const vec x = places_of(w)[0].x, v = velocities_of(w)[0];
    assert_near(x.y, KEEP_OFF, 1e-6);
    assert_near(v.y, 0, 1e-6);
    assert_near(v.x, 2, 1e-6); /* without friction it slides on */
    assert_near(x.x, 0.4, 1e-6);
    rill_world_destroy(w);
}

static void leaves_distant_and_departing_particles_alone(void **state) {
    (void)state;
    rill_world *w = wall_test_world(DIM, DX);
    const rill_solid_def floor = a_floor();
    add_solid(w, &floor);
    add_particle(w, of(0, 0.5f, 0), of(1, -1, 0));
    add_particle(w, of(0, 0.04f, 0), of(1, 3, 0)); /* too near, but on its way out */
    move_and_collide(w, 0.001);
    assert_near(velocities_of(w)[0].y, -1, 0);
    assert_near(velocities_of(w)[1].y, 3, 0);
    assert_near(places_of(w)[0].x.y, 0.499, 1e-6);
    assert_near(places_of(w)[1].x.y, KEEP_OFF, 1e-6);
    assert_near(POOL_ITEMS(w, solid)[0].impulse[1], 0, 0);
    rill_world_destroy(w);
}

static void restitution_and_friction(void **state) {
    (void)state;
    const float restitution[] = {0.0f, 0.5f, 1.0f}, friction[] = {0.0f, 0.25f, 1.0f};
    for (int r = 0; r < 3; r++)
        for (int f = 0; f < 3; f++) {
            rill_world *w = wall_test_world(DIM, DX);
            rill_solid_def floor = a_floor();
            floor.restitution = restitution[r], floor.friction = friction[f];
            add_solid(w, &floor);
            add_particle(w, of(0, 0.06f, 0), of(2, -4, 0));
            move_and_collide(w, 0.01);
            assert_near(velocities_of(w)[0].y, 4.0f * restitution[r], 1e-5);
            assert_near(velocities_of(w)[0].x, 2.0f * (1.0f - friction[f]), 1e-5);
            rill_world_destroy(w);
        }
}

static void a_moving_wall_takes_particles_along(void **state) {
    (void)state;
    rill_world *w = wall_test_world(DIM, DX);
    rill_solid_def piston = a_floor();
    piston.motion.velocity = (rill_vec){0, 2, 0};
    piston.friction = 1.0f;
    piston.surface_velocity = (rill_vec){3, 9, 0}; /* only its part along the wall counts */
    add_solid(w, &piston);
    add_particle(w, of(0, 0.06f, 0), of(0, 0, 0));
    move_and_collide(w, 0.1);
    assert_near(places_of(w)[0].x.y, 0.2 + (double)KEEP_OFF, 1e-5);
    assert_near(velocities_of(w)[0].y, 2, 1e-5);
    assert_near(velocities_of(w)[0].x, 3, 1e-5);
    rill_world_destroy(w);
}

/* In the corner of a container all faces act. */
static void corner_of_a_container(void **state) {
    (void)state;
    rill_world *w = wall_test_world(DIM, DX);
    rill_solid_def box = rill_solid_def_default();
    box.shape.inside = true;
    add_solid(w, &box);
    add_particle(w, of(0.06f, 0.07f, 0.06f), of(-3, -3, -3));
    move_and_collide(w, 0.1);
    for (int axis = 0; axis < DIM; axis++) {
        assert_near(vec_get(places_of(w)[0].x, axis), KEEP_OFF, 1e-6);
        assert_near(vec_get(velocities_of(w)[0], axis), 0, 1e-6);
    }
    rill_world_destroy(w);
}

static void impulse_is_minus_the_momentum_change(void **state) {
    (void)state;
    rill_world *w = wall_test_world(DIM, DX);
    rill_solid_def box = rill_solid_def_default(), ball = rill_solid_def_default();
    box.shape.inside = true, box.restitution = 0.3f, box.friction = 0.2f;
    ball.shape.kind = RILL_SPHERE, ball.shape.position = (rill_vec){0.5f, 0.5f, 0.5f}, ball.shape.radius = 0.2f;
    ball.friction = 0.7f;
    add_solid(w, &box), add_solid(w, &ball);
    uint32_t random = 41;
    for (int k = 0; k < 3000; k++) {
        const vec x =
            of(random_in(&random, 0.06f, 0.94f), random_in(&random, 0.06f, 0.94f), random_in(&random, 0.06f, 0.94f));
        add_particle(w, x, of(random_in(&random, -5, 5), random_in(&random, -5, 5), random_in(&random, -5, 5)));
    }
    double before[3] = {0}, after[3] = {0};
    for (int i = 0; i < w->particles.count; i++)
        for (int axis = 0; axis < DIM; axis++)
            before[axis] += (double)places_of(w)[i].m * (double)vec_get(velocities_of(w)[i], axis);
    move_and_collide(w, 0.05);
    for (int i = 0; i < w->particles.count; i++)
        for (int axis = 0; axis < DIM; axis++)
            after[axis] += (double)places_of(w)[i].m * (double)vec_get(velocities_of(w)[i], axis);
    const solid *s = POOL_ITEMS(w, solid);
    double size = 0;
    for (int axis = 0; axis < DIM; axis++) size += fabs(s[1].impulse[axis]);
    assert_true(size > 0);
    for (int axis = 0; axis < DIM; axis++)
        assert_near(s[0].impulse[axis] + s[1].impulse[axis], before[axis] - after[axis], 1e-4);
    for (int i = 0; i < w->particles.count; i++)
        assert_true(rill_placed_distance(&placed_shapes_of(w)[1], places_of(w)[i].x, NULL) > KEEP_OFF - 1e-5f);
    rill_world_destroy(w);
}

/* A particle that would pass a thin plate within one step is stopped in front of it. */
static void check_plate(const rill_shape *shape, float thickness) {
    const float speeds[] = {1.0f, 7.0f, 33.0f, 400.0f};
    for (int k = 0; k < 4; k++) {
        rill_world *w = wall_test_world(DIM, DX);
        rill_solid_def plate = rill_solid_def_default();
        plate.shape = *shape;
        add_solid(w, &plate);
        add_particle(w, of(0.013f, 0.9f, 0.021f), of(0, -speeds[k], 0));
        for (double t = 0; t < 2.0 / (double)speeds[k] + 0.2; t += 0.05) move_and_collide(w, 0.05);
        assert_near(places_of(w)[0].x.y, thickness + KEEP_OFF, 2e-3);
        assert_near(velocities_of(w)[0].y, 0, 1e-4 * (double)speeds[k]);
        rill_world_destroy(w);
    }
}

static void thin_plates_hold(void **state) {
    (void)state;
    rill_shape capsule = rill_shape_default();
    capsule.kind = RILL_CAPSULE, capsule.radius = 0.005f;
    capsule.position = (rill_vec){-1, 0, 0.021f}, capsule.end = (rill_vec){1, 0, 0.021f};
    check_plate(&capsule, 0.005f);
    rill_shape slab = rill_shape_default();
    slab.min = (rill_vec){-1, -0.004f, -1}, slab.max = (rill_vec){1, 0.004f, 1};
    check_plate(&slab, 0.004f);
#if DIM == 2
    static const rill_vec chain[] = {{-1, 0, 0}, {0.5f, 0, 0}, {1, 0, 0}};
    rill_shape segments = rill_shape_default();
    segments.kind = RILL_SEGMENTS, segments.points = (rill_points){chain, 3}, segments.radius = 0.002f;
    check_plate(&segments, 0.002f);
#endif
}

/* A particle that rests on a wall and slides fast is not held up, however its distance was rounded. */
static void fast_sliding_is_not_held_up(void **state) {
    (void)state;
    uint32_t random = 42;
    for (int k = 0; k < 50; k++) {
        rill_world *w = wall_test_world(DIM, DX);
        rill_solid_def floor = a_floor();
        floor.shape.normal = (rill_vec){random_in(&random, -1, 1), 1, 0};
        add_solid(w, &floor);
        assert_int_equal(rill_solids_place(w, 0), RILL_OK);
        const placed_shape *f = placed_shapes_of(w);
        vec n;
        rill_placed_distance(f, of(0, 0, 0), &n);
        vec along = {0};
        along.x = n.y, along.y = -n.x;
        add_particle(w, vec_scale(n, KEEP_OFF), vec_scale(along, 10.0f));
        for (int step = 0; step < 20; step++) {
            velocities_of(w)[0] = vec_along(velocities_of(w)[0], -0.1f, n); /* a force presses it down */
            move_and_collide(w, 0.02);
        }
        assert_near(vec_dot(places_of(w)[0].x, along), 4, 0.01);
        assert_near(vec_dot(velocities_of(w)[0], along), 10, 1e-3);
        assert_near(vec_dot(places_of(w)[0].x, n), KEEP_OFF, 1e-5);
        rill_world_destroy(w);
    }
}

/* A particle that leaves a wall fast is not held up either. */
static void fast_departure_is_not_held_up(void **state) {
    (void)state;
    rill_world *w = wall_test_world(DIM, DX);
    const rill_solid_def floor = a_floor();
    add_solid(w, &floor);
    add_particle(w, of(0, KEEP_OFF - 1e-4f, 0), of(0, 10, 0));
    move_and_collide(w, 0.1);
    assert_near(places_of(w)[0].x.y, 1.05, 1e-3);
    assert_near(velocities_of(w)[0].y, 10, 1e-5);
    rill_world_destroy(w);
}

/* ---- contacts ---- */

static void contacts_lie_in_particle_order(void **state) {
    (void)state;
    rill_world *w = wall_test_world(DIM, DX);
    rill_solid_def box = rill_solid_def_default();
    box.shape.inside = true;
    add_solid(w, &box);
    rill_solid_def ball = rill_solid_def_default();
    ball.shape.kind = RILL_SPHERE, ball.shape.position = (rill_vec){0.5f, 0.5f, 0.5f}, ball.shape.radius = 0.2f;
    add_solid(w, &ball);
    uint32_t random = 43;
    for (int k = 0; k < 2500; k++)
        add_particle(w, of(random_in(&random, 0, 1), random_in(&random, 0, 1), random_in(&random, 0, 1)), (vec){0});
    assert_int_equal(rill_solids_place(w, 0), RILL_OK);
    assert_int_equal(rill_contacts_build(w, 0), RILL_OK);
    const contacts *c = &sim_of(w)->contacts;
    const placed_shape *shapes = placed_shapes_of(w);
    int total = 0;
    for (int i = 0; i < w->particles.count; i++) {
        int count, wanted = 0;
        const wall_contact *mine = contacts_of(c, i, &count);
        for (int s = 0; s < 2; s++) {
            wall walls[PLACED_WALLS_MAX];
            const int n = rill_placed_walls(&shapes[s], places_of(w)[i].x, w->support, walls);
            for (int k = 0; k < n; k++, wanted++) {
                assert_in_range(wanted, 0, count - 1);
                assert_int_equal(mine[wanted].solid, s);
                assert_near(mine[wanted].distance, walls[k].distance, 0);
            }
        }
        assert_int_equal(count, wanted);
        total += count;
    }
    assert_int_equal(total, c->count);
    assert_true(total > 2500 / 4);
    rill_world_destroy(w);
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_at_the_wall_distance),
        cmocka_unit_test(leaves_distant_and_departing_particles_alone),
        cmocka_unit_test(restitution_and_friction),
        cmocka_unit_test(a_moving_wall_takes_particles_along),
        cmocka_unit_test(corner_of_a_container),
        cmocka_unit_test(impulse_is_minus_the_momentum_change),
        cmocka_unit_test(thin_plates_hold),
        cmocka_unit_test(fast_sliding_is_not_held_up),
        cmocka_unit_test(fast_departure_is_not_held_up),
        cmocka_unit_test(contacts_lie_in_particle_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
