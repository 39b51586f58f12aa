/* SPDX-License-Identifier: MIT */
/* Queries: points, boxes and rays against solids and bodies at their present places. */
#include "unit/worlds.h"

/* A container, a fixed post, a ball body in layer 2 and a turned box body in layer 4. */
static rill_world *make_place(int dim) {
    rill_world_def def = small_def(dim, "wcsph");
    def.gravity = (rill_vec){0};
    rill_world *w = create(&def);
    add_container(w, up2(w, 0, 0, 0), up2(w, 4, 3, 2));
    rill_solid_def post = rill_solid_def_default();
    snprintf(post.name, sizeof post.name, "post");
    post.shape = box_shape(up2(w, 1, 0, 0.5f), up2(w, 1.2f, 1, 1.5f));
    ok(w, rill_world_add_solid(w, &post, NULL));
    rill_body_def body = rill_body_def_default();
    snprintf(body.name, sizeof body.name, "ball");
    body.shape = ball_shape(up2(w, 2, 1, 1), 0.25f), body.layer = 2;
    ok(w, rill_world_add_body(w, &body, NULL));
    snprintf(body.name, sizeof body.name, "brick");
    body.shape = box_shape(up2(w, 2.8f, 0.8f, 0.6f), up2(w, 3.2f, 1.2f, 1.4f)), body.layer = 4;
    body.shape.angle = 0.78539816f, body.shape.axis = (rill_vec){0, 1, 0};
    ok(w, rill_world_add_body(w, &body, NULL));
    return w;
}

static const char *name_of(rill_world *w, rill_hit hit) {
    for (int k = 0; k < rill_world_solid_count(w); k++) {
        const rill_solid_id id = rill_world_find_solid(w, rill_world_solid_def(w, rill_world_solid_at(w, k))->name);
        if (id.index1 == hit.solid.index1 && id.age == hit.solid.age)
            return rill_world_solid_def(w, rill_world_solid_at(w, k))->name;
    }
    return "nobody";
}

static const char *who_has(rill_world *w, rill_vec p, const rill_filter *filter) {
    rill_hit hits[8];
    int count;
    ok(w, rill_world_query_point(w, p, filter, hits, 8, &count));
    assert_in_range(count, 0, 1);
    return count ? name_of(w, hits[0]) : "";
}

static void points_know_who_holds_them(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_place(dim);
        assert_string_equal(who_has(w, up2(w, 1.1f, 0.5f, 1), NULL), "post");
        assert_string_equal(who_has(w, up2(w, 2.1f, 1.1f, 1), NULL), "ball");
        assert_string_equal(who_has(w, up2(w, 3, 1.25f, 1), NULL), "brick"); /* its corner points up */
        assert_string_equal(who_has(w, up2(w, 3.18f, 1.18f, 1), NULL), "");
        assert_string_equal(who_has(w, up2(w, 0.5f, 0.5f, 1), NULL), "");
        assert_string_equal(who_has(w, up2(w, -1, 0.5f, 1), NULL), "solid1"); /* the container's outside */
        rill_filter filter = rill_filter_default();
        filter.mask = 4;
        assert_string_equal(who_has(w, up2(w, 2.1f, 1.1f, 1), &filter), "");
        assert_string_equal(who_has(w, up2(w, 3, 1, 1), &filter), "brick");
        filter.solids = false;
        assert_string_equal(who_has(w, up2(w, 1.1f, 0.5f, 1), &filter), "");
        filter = rill_filter_default(), filter.bodies = false;
        assert_string_equal(who_has(w, up2(w, 2, 1, 1), &filter), "");
        rill_world_destroy(w);
    }
}

static void expect_ray(rill_world *w, rill_vec from, rill_vec along, const rill_filter *filter, const char *who,
                       double distance) {
    rill_hit hit;
    bool found;
    ok(w, rill_world_query_ray(w, from, along, 100, filter, &hit, &found));
    assert_true(found);
    assert_string_equal(name_of(w, hit), who);
    assert_near(hit.distance, distance, 1e-5);
    rill_hit nothing;
    ok(w, rill_world_query_ray(w, from, along, (float)distance - 1e-3f, filter, &nothing, &found));
    assert_false(found);
}

static void rays_find_the_nearest(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_place(dim);
        const rill_vec right = {3, 0, 0}, left = {-1, 0, 0};
        expect_ray(w, up2(w, 0.2f, 1.5f, 1), right, NULL, "solid1", 3.8);
        expect_ray(w, up2(w, 0.2f, 0.5f, 1), right, NULL, "post", 0.8);
        expect_ray(w, up2(w, 1.5f, 1, 1), right, NULL, "ball", 0.25);
        expect_ray(w, up2(w, 2.5f, 1, 1), right, NULL, "brick", 0.5 - 0.2 * sqrt(2));
        expect_ray(w, up2(w, 2.5f, 1, 1), left, NULL, "ball", 0.25);
        /* A ray that grazes the ball. */
        expect_ray(w, up2(w, 1.5f, 1.2499f, 1), right, NULL, "ball", 0.5 - sqrt(0.25 * 0.25 - 0.2499 * 0.2499));
        rill_filter filter = rill_filter_default();
        filter.mask = 4;
        expect_ray(w, up2(w, 1.5f, 1, 1), right, &filter, "brick", 1.5 - 0.2 * sqrt(2));
        rill_hit hit;
        bool found;
        ok(w, rill_world_query_ray(w, up2(w, 2, 2, 1), up2(w, 0, -1, 0), 9, NULL, &hit, &found));
        assert_near(dim == 2 ? hit.normal.y : hit.normal.z, 1, 1e-5);
        assert_near(dim == 2 ? hit.point.y : hit.point.z, 1.25, 1e-5);
        assert_true(hit.body.index1 == rill_world_find_body(w, "ball").index1);
        ok(w, rill_world_query_ray(w, up2(w, 2.1f, 1, 1), right, 9, NULL, &hit, &found));
        assert_true(found && hit.distance == 0.0f); /* begins inside */
        rill_world_destroy(w);
    }
}

static int overlaps(rill_world *w, rill_vec min, rill_vec max, const char *who) {
    rill_hit hits[8];
    int count, mine = 0;
    ok(w, rill_world_query_box(w, min, max, NULL, hits, 8, &count));
    for (int k = 0; k < count; k++) {
        mine += strcmp(name_of(w, hits[k]), who) == 0;
        assert_true(hits[k].distance <= 0.0f);
    }
    return mine;
}

static void boxes_find_what_reaches_into_them(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_place(dim);
        assert_int_equal(overlaps(w, up2(w, 1.7f, 0.7f, 0.7f), up2(w, 2.3f, 1.3f, 1.3f), "ball"), 1);
        assert_int_equal(overlaps(w, up2(w, 1.99f, 0.99f, 0.99f), up2(w, 2.01f, 1.01f, 1.01f), "ball"), 1);
        /* Near the ball's corner: the boxes overlap, the ball does not. */
        assert_int_equal(overlaps(w, up2(w, 2.18f, 1.18f, 0.9f), up2(w, 2.5f, 1.5f, 1.1f), "ball"), 0);
        assert_int_equal(overlaps(w, up2(w, 2.17f, 1.17f, 0.9f), up2(w, 2.5f, 1.5f, 1.1f), "ball"), 1);
        /* Just above the brick's tip, and touching it. */
        assert_int_equal(overlaps(w, up2(w, 2.9f, 1.284f, 0.9f), up2(w, 3.1f, 1.4f, 1.1f), "brick"), 0);
        assert_int_equal(overlaps(w, up2(w, 2.9f, 1.281f, 0.9f), up2(w, 3.1f, 1.4f, 1.1f), "brick"), 1);
        assert_int_equal(overlaps(w, up2(w, 3.5f, 1, 0.9f), up2(w, 4.5f, 2, 1.1f), "solid1"), 1);
        assert_int_equal(overlaps(w, up2(w, 3.5f, 1, 0.9f), up2(w, 3.9f, 2, 1.1f), "solid1"), 0);
        int count;
        ok(w, rill_world_query_box(w, up2(w, -9, -9, -9), up2(w, 9, 9, 9), NULL, NULL, 0, &count));
        assert_int_equal(count, 4);
        rill_world_destroy(w);
    }
}

/* Random rays: no solid lies before the hit. */
static void random_rays_jump_over_nothing(void **state) {
    (void)state;
    uint32_t seed = 7;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_place(dim);
        for (int k = 0; k < 300; k++) {
            const rill_vec from =
                up2(w, random_in(&seed, 0.1f, 3.9f), random_in(&seed, 0.1f, 2.9f), random_in(&seed, 0.1f, 1.9f));
            rill_vec along = up2(w, random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1));
            if (dim == 2) along.z = 0;
            const float length = sqrtf(along.x * along.x + along.y * along.y + along.z * along.z);
            rill_hit hit;
            bool found;
            ok(w, rill_world_query_ray(w, from, along, 50, NULL, &hit, &found));
            assert_true(found);                 /* at least the container's wall */
            if (hit.distance == 0.0f) continue; /* began inside */
            for (int n = 0; n < 200; n++) {
                const float t = hit.distance * (float)n / 200 * 0.999f / length;
                int inside;
                const rill_vec p = {from.x + t * along.x, from.y + t * along.y, from.z + t * along.z};
                ok(w, rill_world_query_point(w, p, NULL, NULL, 0, &inside));
                assert_int_equal(inside, 0);
            }
        }
        rill_world_destroy(w);
    }
}

static void bodies_are_found_where_they_went(void **state) {
    (void)state;
    rill_world *w = make_place(2);
    const rill_body_id ball = rill_world_find_body(w, "ball");
    ok(w, rill_world_body_set_velocity(w, ball, (rill_vec){0, 1, 0}, (rill_vec){0}));
    for (int k = 0; k < 100; k++) ok(w, rill_world_step(w, 0.01));
    assert_string_equal(who_has(w, (rill_vec){2, 1, 0}, NULL), "");
    assert_string_equal(who_has(w, (rill_vec){2, 2, 0}, NULL), "ball");
    /* Queries follow at once when a body is added or removed. */
    add_body(w, "new", ball_shape((rill_vec){2, 1, 0}, 0.1f), 1000);
    assert_string_equal(who_has(w, (rill_vec){2, 1, 0}, NULL), "new");
    ok(w, rill_world_remove_body(w, ball));
    assert_string_equal(who_has(w, (rill_vec){2, 2, 0}, NULL), "");
    rill_world_destroy(w);
}

static void misuse_is_refused(void **state) {
    (void)state;
    rill_world *w = make_place(2);
    rill_hit hit;
    bool found;
    int count;
    const rill_vec x = {1, 0, 0}, none = {0}, wild = {HUGE_VALF, 0, 0};
    assert_int_equal(rill_world_query_point(NULL, x, NULL, &hit, 1, &count), RILL_INVALID);
    assert_int_equal(rill_world_query_point(w, x, NULL, &hit, 1, NULL), RILL_INVALID);
    assert_int_equal(rill_world_query_point(w, wild, NULL, &hit, 1, &count), RILL_INVALID);
    assert_int_equal(rill_world_query_box(w, x, none, NULL, &hit, 1, &count), RILL_INVALID);
    assert_int_equal(rill_world_query_ray(w, none, none, 1, NULL, &hit, &found), RILL_INVALID);
    assert_int_equal(rill_world_query_ray(w, none, x, 0, NULL, &hit, &found), RILL_INVALID);
    assert_int_equal(rill_world_query_ray(w, none, x, HUGE_VALF, NULL, &hit, &found), RILL_INVALID);
    assert_int_equal(rill_world_query_ray(w, none, x, 1, NULL, &hit, NULL), RILL_INVALID);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_know_who_holds_them),        cmocka_unit_test(rays_find_the_nearest),
        cmocka_unit_test(boxes_find_what_reaches_into_them), cmocka_unit_test(random_rays_jump_over_nothing),
        cmocka_unit_test(bodies_are_found_where_they_went),  cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
