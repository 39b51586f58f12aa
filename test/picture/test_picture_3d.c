/* SPDX-License-Identifier: MIT */
/* Pictures with depth: near objects hide far ones, and the inside of containers is visible. */
#include "picture/decode.h"

/* A plot area without letters, seen along +y; the target is in the middle of the picture. */
static picture_def plain_def(void) {
    return (picture_def){
        .width = 200, .height = 150, .color_min = 0.0f, .color_max = 1.0f, .eye = {0, -4, 0}, .target = {0, 0, 0}};
}

/* The slow end of the map is deep blue, the fast end pale green: light changes them, but not into each other. */
static bool is_slow(uint32_t color) {
    return channel(color, 2) > 70 && channel(color, 0) < 90 && channel(color, 2) > channel(color, 1) + 20;
}

static bool is_fast(uint32_t color) {
    return channel(color, 1) > 150 && channel(color, 1) > channel(color, 2) && channel(color, 0) > 110;
}

static void near_hides_far(void **state) {
    (void)state;
    rill_vec position[] = {{0, 0, 0}, {0, 1.0f, 0}}, swapped[] = {{0, 1.0f, 0}, {0, 0, 0}};
    rill_vec velocity[] = {{0, 0, 0}, {1, 0, 0}}, exchanged[] = {{1, 0, 0}, {0, 0, 0}};
    particles p = particles_at(3, position, velocity, 2);
    picture_def def = plain_def();
    image slow_in_front = draw(&p, NULL, &def);
    assert_true(is_slow(pixel(slow_in_front, 100, 75)));
    p = particles_at(3, position, exchanged, 2);
    image fast_in_front = draw(&p, NULL, &def);
    assert_true(is_fast(pixel(fast_in_front, 100, 75)));
    /* The order of the arrays does not matter. */
    p = particles_at(3, swapped, exchanged, 2);
    image other_order = draw(&p, NULL, &def);
    assert_memory_equal(slow_in_front.pixels, other_order.pixels, 200 * 150 * 4);
    free(slow_in_front.pixels);
    free(fast_in_front.pixels);
    free(other_order.pixels);
}

static void spheres_stand_where_they_are(void **state) {
    (void)state;
    rill_vec position[] = {{0.5f, 0, 0.3f}, {-0.5f, 0, 0.3f}}, velocity[] = {{0, 0, 0}, {1, 0, 0}};
    particles p = particles_at(3, position, velocity, 2);
    picture_def def = plain_def();
    def.field_of_view = 0.6f;
    image picture = draw(&p, NULL, &def);
    /* Pinhole: half the height over tan(fov / 2) pixels per metre at a distance of one metre. x right, z up. */
    float focal = 75.0f / tanf(0.3f);
    int dx = (int)lrintf(focal * 0.5f / 4.0f), dy = (int)lrintf(focal * 0.3f / 4.0f);
    assert_true(is_slow(pixel(picture, 100 + dx, 75 - dy)));
    assert_true(is_fast(pixel(picture, 100 - dx, 75 - dy)));
    assert_int_equal(pixel(picture, 100, 75 - dy), 0xffffff);
    assert_int_equal(pixel(picture, 100 + dx, 10), 0xffffff);
    free(picture.pixels);
}

/* A world without fluid, in an open box of 1.2 x 1.2 x 1 m. */
static rill_world *tank(void) {
    rill_world_def def = rill_world_def_default(3);
    def.workers = 1;
    rill_world *world = rill_world_create(&def, NULL);
    assert_non_null(world);
    rill_solid_def box = rill_solid_def_default();
    box.shape.kind = RILL_BOX, box.shape.inside = true;
    box.shape.min = (rill_vec){-0.6f, -0.6f, -0.5f}, box.shape.max = (rill_vec){0.6f, 0.6f, 0.5f};
    assert_int_equal(rill_world_add_solid(world, &box, NULL), RILL_OK);
    return world;
}

static void solids_hide_and_containers_do_not(void **state) {
    (void)state;
    rill_vec position[] = {{0, 0, 0}}, velocity[] = {{0, 0, 0}};
    particles p = particles_at(3, position, velocity, 1);
    picture_def def = plain_def();
    rill_world *world = tank();
    image in_tank = draw(&p, world, &def);
    assert_true(is_slow(pixel(in_tank, 100, 75)));
    uint32_t wall = pixel(in_tank, 112, 69);
    assert_in_range(brightness(wall), 560, 750); /* the back wall: light, not the background */

    rill_solid_def solid = rill_solid_def_default();
    solid.shape.kind = RILL_SPHERE, solid.shape.position = (rill_vec){0, -0.4f, 0}, solid.shape.radius = 0.15f;
    assert_int_equal(rill_world_add_solid(world, &solid, NULL), RILL_OK);
    image behind = draw(&p, world, &def);
    assert_false(is_slow(pixel(behind, 100, 75)));
    assert_in_range(brightness(pixel(behind, 100, 75)), 400, 764);

    position[0].y = -0.59f;
    image in_front = draw(&p, world, &def);
    assert_true(is_slow(pixel(in_front, 100, 75)));
    free(in_tank.pixels);
    free(behind.pixels);
    free(in_front.pixels);
    rill_world_destroy(world);
}

/* Near walls are transparent, but their edges are drawn. Seen from above, the upper edge in front (y = -0.6 m, z = 0.5
   m) crosses the plain back wall at row 63: 3.71 m along the axis of view and 0.18 m above it. */
static void near_walls_leave_their_outline(void **state) {
    (void)state;
    rill_vec position[] = {{0, 0, 0}}, velocity[] = {{0, 0, 0}};
    particles p = particles_at(3, position, velocity, 1);
    picture_def def = plain_def();
    def.eye = (rill_vec){0, -4, 2};
    rill_world *world = tank();
    image picture = draw(&p, world, &def);
    int darkest = 765;
    for (int y = 61; y <= 65; y++)
        darkest = brightness(pixel(picture, 120, y)) < darkest ? brightness(pixel(picture, 120, y)) : darkest;
    assert_true(darkest + 15 < brightness(pixel(picture, 120, 56)));
    assert_true(darkest + 15 < brightness(pixel(picture, 120, 70)));
    free(picture.pixels);
    rill_world_destroy(world);
}

/* The camera that is chosen from the data sees all of it, wherever and however large it is. */
static void the_chosen_camera_sees_everything(void **state) {
    (void)state;
    static const float scales[] = {1e-3f, 1.0f, 1e4f};
    for (int k = 0; k < 3; k++) {
        float s = scales[k];
        rill_vec position[8], velocity[8];
        for (int c = 0; c < 8; c++) {
            position[c] = (rill_vec){s * (float)(10 + (c & 1) * 2), s * (float)(c >> 1 & 1), s * (float)(c >> 2)};
            velocity[c] = (rill_vec){0, 0, 0};
        }
        particles p = particles_at(3, position, velocity, 8);
        p.frame.spacing = 0.2f * s;
        picture_def def = {.width = 200, .height = 150, .color_max = 1.0f};
        image picture = draw(&p, NULL, &def);
        int left = 200, right = 0, top = 150, bottom = 0;
        for (int y = 0; y < 150; y++)
            for (int x = 0; x < 200; x++)
                if (is_slow(pixel(picture, x, y))) {
                    left = x < left ? x : left, right = x > right ? x : right;
                    top = y < top ? y : top, bottom = y > bottom ? y : bottom;
                }
        assert_in_range(left, 1, 40);
        assert_in_range(right, 160, 198);
        assert_in_range(top, 1, 60);
        assert_in_range(bottom, 90, 148);
        free(picture.pixels);
    }
}

/* Twenty by ten balls side by side: each is drawn at its place. */
static void two_hundred_solids_are_drawn(void **state) {
    (void)state;
    rill_vec position[] = {{0, 0, 0}}, velocity[] = {{0, 0, 0}};
    particles p = particles_at(3, position, velocity, 0);
    picture_def def = plain_def();
    def.width = 400, def.height = 300, def.plain = true;
    rill_world_def world_def = rill_world_def_default(3);
    world_def.workers = 1;
    rill_world *world = rill_world_create(&world_def, NULL);
    assert_non_null(world);
    rill_solid_def solid = rill_solid_def_default();
    solid.shape.kind = RILL_SPHERE, solid.shape.radius = 0.03f;
    for (int k = 0; k < 200; k++) {
        solid.shape.position = (rill_vec){0.1f * (float)(k % 20) - 0.95f, 0, 0.1f * (float)(k / 20) - 0.45f};
        assert_int_equal(rill_world_add_solid(world, &solid, NULL), RILL_OK);
    }
    image picture = draw(&p, world, &def);
    const float focal = 150.0f / tanf(0.3f) / 4.0f;
    for (int k = 0; k < 200; k++) {
        const float x = 0.1f * (float)(k % 20) - 0.95f, z = 0.1f * (float)(k / 20) - 0.45f;
        const int px = (int)(200.0f + focal * x), py = (int)(150.0f - focal * z);
        assert_in_range(brightness(pixel(picture, px, py)), 300, 745); /* white is 765 */
        assert_int_equal(pixel(picture, (int)(200.0f + focal * (x + 0.05f)), (int)(150.0f - focal * (z + 0.05f))),
                         0xffffff);
    }
    free(picture.pixels);
    rill_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_hides_far),
        cmocka_unit_test(spheres_stand_where_they_are),
        cmocka_unit_test(solids_hide_and_containers_do_not),
        cmocka_unit_test(near_walls_leave_their_outline),
        cmocka_unit_test(the_chosen_camera_sees_everything),
        cmocka_unit_test(two_hundred_solids_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, forget_caches);
}
