/* SPDX-License-Identifier: MIT */
/* The tree of solids against a loop over every solid: the same solids are near, and particles get the same bits. */
#include "oracle/check.h"
#include "oracle/sim_main.h"
#include "oracle/water_world.h"
#include "sim/boundary/boundary.h"

#include <string.h>

#define DX       0.1f
#define KEEP_OFF 0.05f
/* Everything lies between -EDGE and EDGE along each axis. */
#define EDGE (DIM == 2 ? 4.0f : 2.0f)

static vec random_vec(uint32_t *random, float from, float to) {
    vec v = {0};
    for (int axis = 0; axis < DIM; axis++) (&v.x)[axis] = random_in(random, from, to);
    return v;
}

static rill_solid_id add_box(rill_world *w, vec low, vec high, float angle) {
    rill_solid_def def = rill_solid_def_default();
    def.shape.kind = RILL_BOX, def.shape.min = vec_out(low), def.shape.max = vec_out(high), def.shape.angle = angle;
    rill_solid_id id;
    assert_int_equal(rill_world_add_solid(w, &def, &id), RILL_OK);
    return id;
}

/* Boxes of all sizes, some inside others; every fifth is removed again. */
static void add_boxes(rill_world *w, uint32_t *random, int count) {
    for (int k = 0; k < count; k++) {
        const vec centre = random_vec(random, -EDGE, EDGE), half = random_vec(random, 0.02f, 0.4f);
        const rill_solid_id id = add_box(w, vec_sub(centre, half), vec_add(centre, half), random_in(random, 0, 1.5f));
        if (k % 5 == 4) assert_int_equal(rill_world_remove_solid(w, id), RILL_OK);
    }
}

static void add_floor(rill_world *w) {
    rill_solid_def def = rill_solid_def_default();
    def.shape.kind = RILL_HALF_SPACE, def.shape.normal = (rill_vec){0, 1, 0},
    def.shape.position = (rill_vec){0, -EDGE, 0};
    assert_int_equal(rill_world_add_solid(w, &def, NULL), RILL_OK);
}

/* Random particles in runs that lie close together, like sorted ones. */
static void add_particles(rill_world *w, uint32_t *random, float speed) {
    const rill_fluid_id fluid = {1, 1};
    for (int run = 0; run < 120; run++) {
        const vec centre = random_vec(random, -EDGE, EDGE);
        for (int k = 0; k < 20; k++) {
            const vec x = vec_add(centre, random_vec(random, -0.4f, 0.4f)), v = random_vec(random, -speed, speed);
            assert_int_equal(rill_world_add_particle(w, fluid, vec_out(x), vec_out(v), NULL), RILL_OK);
        }
    }
}

/* Until the next placing every solid counts as near. */
static void forget_tree(rill_world *w) {
    w->solid_tree.node_count = 0;
    w->solid_tree.open_count = NEAR_SOLIDS_MAX + 1;
}

static bool is_near(const placed_shape *f, vec low, vec high, float reach) {
    for (int axis = 0; axis < DIM; axis++)
        if (vec_get(high, axis) < vec_get(f->low, axis) - reach || vec_get(low, axis) > vec_get(f->high, axis) + reach)
            return false;
    return true;
}

static void the_tree_finds_what_is_near(void **state) {
    (void)state;
    uint32_t random = 51;
    rill_world *w = wall_test_world(DIM, DX);
    add_floor(w);
    add_boxes(w, &random, 400);
    assert_int_equal(rill_solids_place(w, 0), RILL_OK);
    int found_few = 0, found_all = 0;
    for (int k = 0; k < 2000; k++) {
        const float size = random_in(&random, 0, k % 10 == 0 ? 2 * EDGE : 0.5f), reach = random_in(&random, 0, 0.3f);
        const vec low = random_vec(&random, -EDGE, EDGE), high = vec_add(low, random_vec(&random, 0, size));
        near_solids near;
        solids_near_box(w, low, high, reach, &near);
        int wanted = 0;
        for (int s = 0; s < w->solids.count; s++) {
            if (!POOL_ITEMS(w, solid)[s].slot.alive) continue;
            if (near.slots == near.found && !is_near(&placed_shapes_of(w)[s], low, high, reach)) continue;
            assert_in_range(wanted, 0, near.count - 1);
            assert_int_equal(near.slots[wanted++], s);
        }
        assert_int_equal(near.count, wanted);
        found_few += near.slots == near.found && near.count > 1, found_all += near.slots != near.found;
    }
    assert_true(found_few > 500 && found_all > 0);
    rill_world_destroy(w);
}

static void contacts_are_those_with_every_solid(void **state) {
    (void)state;
    uint32_t random = 52;
    rill_world *w = wall_test_world(DIM, DX);
    add_floor(w);
    add_boxes(w, &random, 200);
    add_particles(w, &random, 0);
    contacts *c = &sim_of(w)->contacts;
    wall_contact *kept = NULL;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(rill_solids_place(w, 0), RILL_OK);
        if (pass == 1) forget_tree(w);
        assert_int_equal(rill_contacts_build(w, 0), RILL_OK);
        if (pass == 1) break;
        count = c->count;
        kept = test_malloc(sizeof *kept * (size_t)count);
        memcpy(kept, c->items.data, sizeof *kept * (size_t)count);
    }
    assert_true(count > 500);
    assert_int_equal(c->count, count);
    for (int k = 0; k < count; k++) {
        const wall_contact *a = &kept[k], *b = (const wall_contact *)c->items.data + k;
        assert_int_equal(a->solid, b->solid);
        assert_memory_equal(&a->distance, &b->distance, sizeof a->distance);
        assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
    }
    test_free(kept);
    rill_world_destroy(w);
}

/* The state after a move of dt in a crowd of solids. */
static uint64_t collided(float speed, double dt, bool with_tree) {
    uint32_t random = 53;
    rill_world *w = wall_test_world(DIM, DX);
    add_particles(w, &random, speed);
    add_floor(w);
    add_boxes(w, &random, 100);
    add_box(w, random_vec(&random, -0.7f * EDGE, -0.5f * EDGE), random_vec(&random, 0.5f * EDGE, 0.7f * EDGE),
            0.2f); /* particles inside are pushed far away */
    for (int i = 0; i < w->particles.count; i++) places_of(w)[i].x = random_vec(&random, -EDGE, EDGE);
    assert_int_equal(rill_solids_place(w, 0), RILL_OK);
    if (!with_tree) forget_tree(w);
    assert_int_equal(rill_solids_collide(w, dt, false), RILL_OK);
    const uint64_t hash = rill_world_hash(w);
    rill_world_destroy(w);
    return hash;
}

static void collisions_are_those_with_every_solid(void **state) {
    (void)state;
    for (float speed = 0; speed < 200; speed = 4 * speed + 1) {
        const uint64_t with_tree = collided(speed, 0.01, true), without = collided(speed, 0.01, false);
        assert_true(with_tree == without);
    }
}

/* Pushed out of the middle of a box, a particle meets a plate that was far from where it began. */
static void a_particle_that_is_pushed_far_meets_what_is_there(void **state) {
    (void)state;
    rill_world *w = wall_test_world(DIM, DX);
    add_box(w, vec_of((rill_vec){-1, -3, -3}), vec_of((rill_vec){1, 3, 3}), 0);
    add_box(w, vec_of((rill_vec){1.01f, -0.03f, -3}), vec_of((rill_vec){1.5f, 0.01f, 3}), 0);
    const rill_fluid_id fluid = {1, 1};
    assert_int_equal(rill_world_add_particle(w, fluid, (rill_vec){0.5f, 0, 0}, (rill_vec){0}, NULL), RILL_OK);
    assert_int_equal(rill_solids_place(w, 0), RILL_OK);
    assert_int_equal(rill_solids_collide(w, 0.01, false), RILL_OK);
    assert_near(places_of(w)[0].x.x, 1 + KEEP_OFF, 1e-5);
    assert_near(places_of(w)[0].x.y, 0.01f + KEEP_OFF, 1e-5);
    rill_world_destroy(w);
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_finds_what_is_near),
        cmocka_unit_test(contacts_are_those_with_every_solid),
        cmocka_unit_test(collisions_are_those_with_every_solid),
        cmocka_unit_test(a_particle_that_is_pushed_far_meets_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
