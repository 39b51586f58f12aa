/* SPDX-License-Identifier: MIT */
/* Flat pictures: discs where the particles are and in their colours, solids, letters. */
#include "picture/decode.h"

/* A picture too small for letters is all plot area: here 100 pixels a metre, origin at the lower left. */
static picture_def plain_def(void) {
    return (picture_def){.width = 200, .height = 150, .color_min = 0.0f, .color_max = 2.0f, .max = {2.0f, 1.5f, 0.0f}};
}

static void discs_have_their_colors(void **state) {
    (void)state;
    rill_vec position[] = {{0.25f, 0.25f, 0}, {1.0f, 0.75f, 0}, {1.75f, 1.25f, 0}, {1.0f, 0.25f, 0}};
    rill_vec velocity[] = {{0, 0, 0}, {0, -1.0f, 0}, {2.0f, 0, 0}, {100.0f, 100.0f, 0}};
    particles p = particles_at(2, position, velocity, 4);
    picture_def def = plain_def();
    image picture = draw(&p, NULL, &def);
    assert_int_equal(picture.width, 200);
    assert_int_equal(picture.height, 150);
    /* Ends of the map, its middle, and a value beyond it. y points up. */
    assert_color(pixel(picture, 25, 125), 10, 49, 124, 3);
    assert_color(pixel(picture, 175, 25), 189, 240, 201, 3);
    assert_color(pixel(picture, 100, 75), 9, 150, 186, 3);
    assert_color(pixel(picture, 100, 125), 189, 240, 201, 3);
    /* A radius of 5 pixels, soft at the rim, nothing outside. */
    assert_true(brightness(pixel(picture, 28, 125)) < 300);
    assert_int_equal(pixel(picture, 32, 125), 0xffffff);
    assert_int_equal(pixel(picture, 25, 133), 0xffffff);
    assert_int_equal(pixel(picture, 60, 60), 0xffffff);
    free(picture.pixels);
}

static void later_particles_lie_on_top(void **state) {
    (void)state;
    rill_vec position[] = {{1.0f, 0.75f, 0}, {1.0f, 0.75f, 0}}, velocity[] = {{0, 0, 0}, {2.0f, 0, 0}};
    particles p = particles_at(2, position, velocity, 2);
    picture_def def = plain_def();
    image picture = draw(&p, NULL, &def);
    assert_color(pixel(picture, 100, 75), 189, 240, 201, 3);
    free(picture.pixels);
}

static void density_and_pressure_color_too(void **state) {
    (void)state;
    rill_vec position[] = {{0.5f, 0.5f, 0}, {1.5f, 0.5f, 0}}, velocity[2] = {{0, 0, 0}};
    float density[] = {990.0f, 1010.0f}, pressure[] = {100.0f, 0.0f};
    particles p = particles_at(2, position, velocity, 2);
    picture_def def = plain_def();
    add_field(&p, "density", 1, density);
    add_field(&p, "pressure", 1, pressure);
    def.color = PICTURE_DENSITY, def.color_min = 990.0f, def.color_max = 1010.0f;
    image picture = draw(&p, NULL, &def);
    assert_color(pixel(picture, 50, 100), 68, 1, 84, 3);
    assert_color(pixel(picture, 150, 100), 253, 231, 37, 3);
    free(picture.pixels);
    def.color = PICTURE_PRESSURE, def.color_min = 0.0f, def.color_max = 100.0f;
    picture = draw(&p, NULL, &def);
    assert_color(pixel(picture, 50, 100), 253, 231, 37, 3);
    assert_color(pixel(picture, 150, 100), 68, 1, 84, 3);
    free(picture.pixels);
}

static rill_world *world_with(int dim, const rill_shape *shape) {
    rill_world_def def = rill_world_def_default(dim);
    def.workers = 1;
    rill_world *world = rill_world_create(&def, NULL);
    assert_non_null(world);
    rill_solid_def solid = rill_solid_def_default();
    solid.shape = *shape;
    assert_int_equal(rill_world_add_solid(world, &solid, NULL), RILL_OK);
    return world;
}

static void solids_are_grey_with_a_line(void **state) {
    (void)state;
    rill_vec position[] = {{0.25f, 0.25f, 0}}, velocity[] = {{0, 0, 0}};
    particles p = particles_at(2, position, velocity, 1);
    picture_def def = plain_def();
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_SPHERE, shape.position = (rill_vec){1.0f, 0.75f, 0}, shape.radius = 0.3f;
    for (int inside = 0; inside < 2; inside++) {
        shape.inside = inside;
        rill_world *world = world_with(2, &shape);
        image picture = draw(&p, world, &def);
        uint32_t middle = pixel(picture, 100, 75), far = pixel(picture, 180, 20), line = pixel(picture, 70, 75);
        assert_int_equal(inside ? middle : far, 0xffffff);
        uint32_t solid = inside ? pixel(picture, 67, 75) : middle; /* a container fades with depth */
        assert_in_range(brightness(solid), 450, 740);
        assert_in_range(abs(channel(solid, 0) - channel(solid, 2)), 0, 12);
        assert_true(brightness(line) + 100 < brightness(solid));
        assert_color(pixel(picture, 25, 125), 10, 49, 124, 3); /* particles are drawn over solids */
        free(picture.pixels);
        rill_world_destroy(world);
    }
}

/* A container belongs to the view that is chosen from the data: its walls are at the left and the right edge. */
static void the_view_includes_the_container(void **state) {
    (void)state;
    rill_vec position[] = {{0.5f, 0.5f, 0}}, velocity[] = {{0, 0, 0}};
    particles p = particles_at(2, position, velocity, 1);
    picture_def def = {.width = 200, .height = 150};
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_BOX, shape.inside = true, shape.min = (rill_vec){0, 0, 0}, shape.max = (rill_vec){4, 1, 0};
    rill_world *world = world_with(2, &shape);
    image picture = draw(&p, world, &def);
    assert_true(brightness(pixel(picture, 0, 75)) < 700);
    assert_true(brightness(pixel(picture, 199, 75)) < 700);
    assert_int_equal(pixel(picture, 100, 75), 0xffffff);
    free(picture.pixels);
    rill_world_destroy(world);
}

static int count_dark(image picture, int left, int top, int right, int bottom) {
    int count = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) count += brightness(pixel(picture, x, y)) < 300;
    return count;
}

static void letters_and_colour_bar_are_there(void **state) {
    (void)state;
    rill_vec position[] = {{0.0f, 0.0f, 0}, {1.0f, 0.5f, 0}}, velocity[] = {{0, 0, 0}, {1, 0, 0}};
    particles p = particles_at(2, position, velocity, 2);
    picture_def def = {.title = NULL};
    image without = draw(&p, NULL, &def);
    def.title = "Title";
    image with = draw(&p, NULL, &def);
    assert_int_equal(with.width, 960);
    assert_int_equal(with.height, 600);
    assert_int_equal(count_dark(without, 20, 12, 300, 40), 0);
    assert_true(count_dark(with, 20, 12, 300, 40) > 50);
    assert_true(count_dark(with, 800, 12, 950, 40) > 30); /* the time */
    p.frame.time = -1.0;
    image timeless = draw(&p, NULL, &def);
    assert_int_equal(count_dark(timeless, 800, 12, 950, 40), 0);
    /* Both ends of the map appear in one column of the margin. */
    bool top = false, bottom = false;
    for (int y = 50; y < 300; y++)
        top = top || pixel(with, 880, y) == rgb_pack(rill_picture_map(PICTURE_SPEED, 1)) - 0xff000000u;
    for (int y = 300; y < 580; y++)
        bottom = bottom || pixel(with, 880, y) == rgb_pack(rill_picture_map(PICTURE_SPEED, 0)) - 0xff000000u;
    assert_true(top);
    assert_true(bottom);
    free(with.pixels);
    free(without.pixels);
    free(timeless.pixels);
}

static void maps_grow_lighter_all_the_way(void **state) {
    (void)state;
    for (int color = PICTURE_SPEED; color <= PICTURE_PRESSURE; color++) {
        float before = -1.0f;
        for (int k = 0; k <= 100; k++) {
            rgb c = rill_picture_map((picture_color)color, (float)k / 100.0f);
            float luma = 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b;
            assert_true(c.r >= 0 && c.r <= 1 && c.g >= 0 && c.g <= 1 && c.b >= 0 && c.b <= 1);
            assert_true(luma > before);
            before = luma;
        }
        assert_int_equal(rgb_pack(rill_picture_map((picture_color)color, -5.0f)),
                         rgb_pack(rill_picture_map((picture_color)color, 0.0f)));
        assert_int_equal(rgb_pack(rill_picture_map((picture_color)color, INFINITY)),
                         rgb_pack(rill_picture_map((picture_color)color, 1.0f)));
        rgb nothing = rill_picture_map((picture_color)color, NAN);
        assert_true(nothing.r == nothing.g && nothing.g == nothing.b);
    }
}

/* Two particles with a spring, 20 pixels apart: with links there is a line between them, and discs are smaller. */
static void springs_are_drawn_on_demand(void **state) {
    (void)state;
    rill_world_def def = rill_world_def_default(2);
    snprintf(def.method, sizeof def.method, "clavet");
    def.spacing = 0.1f, def.support_ratio = 2.4f, def.workers = 1, def.gravity = (rill_vec){0};
    rill_world *w = rill_world_create(&def, NULL);
    assert_non_null(w);
    rill_fluid_id gel;
    const rill_fluid_def fluid = rill_fluid_def_default();
    assert_int_equal(rill_world_add_fluid(w, &fluid, &gel), RILL_OK);
    assert_int_equal(rill_world_set_text(w, rill_ref_fluid(gel), "clavet.springs", "fixed"), RILL_OK);
    for (int k = 0; k < 2; k++) {
        const rill_vec at = {0.9f + 0.2f * (float)k, 0.75f, 0};
        assert_int_equal(rill_world_add_particle(w, gel, at, (rill_vec){0}, NULL), RILL_OK);
    }
    assert_int_equal(rill_world_step(w, 1e-4), RILL_OK);
    rill_frame frame = {0};
    assert_int_equal(rill_frame_of_world(&frame, w, NULL), RILL_OK);
    static uint32_t pixels[200 * 150];
    picture_def plain = plain_def();
    assert_int_equal(rill_picture_paint(&frame, &plain, pixels, 200, NULL), RILL_OK);
    assert_int_equal(pixels[75 * 200 + 100] & 0xffffff, 0xffffff);
    assert_true((pixels[75 * 200 + 93] & 0xffffff) != 0xffffff);
    snprintf(plain.links, sizeof plain.links, "springs");
    assert_int_equal(rill_picture_paint(&frame, &plain, pixels, 200, NULL), RILL_OK);
    assert_true((pixels[75 * 200 + 100] & 0xffffff) != 0xffffff);
    assert_int_equal(pixels[71 * 200 + 90] & 0xffffff, 0xffffff); /* inside the larger disc */
    snprintf(plain.links, sizeof plain.links, "nothing");
    assert_int_equal(rill_picture_paint(&frame, &plain, pixels, 200, NULL), RILL_OK);
    assert_int_equal(pixels[75 * 200 + 100] & 0xffffff, 0xffffff);
    rill_frame_free(&frame);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_have_their_colors),         cmocka_unit_test(later_particles_lie_on_top),
        cmocka_unit_test(density_and_pressure_color_too),  cmocka_unit_test(solids_are_grey_with_a_line),
        cmocka_unit_test(the_view_includes_the_container), cmocka_unit_test(letters_and_colour_bar_are_there),
        cmocka_unit_test(maps_grow_lighter_all_the_way),   cmocka_unit_test(springs_are_drawn_on_demand),
    };
    return cmocka_run_group_tests(tests, NULL, forget_caches);
}
