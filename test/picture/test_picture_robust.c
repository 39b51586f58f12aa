/* SPDX-License-Identifier: MIT */
/* Odd data and bad requests: a sensible picture or a clear message, never a crash. */
#include "picture/decode.h"

#include <float.h>

static int count_colored(image picture) {
    int count = 0;
    for (int k = 0; k < picture.width * picture.height; k++) {
        uint32_t c = picture.pixels[k];
        int most = channel(c, 0), least = most;
        for (int i = 1; i < 3; i++) {
            most = channel(c, i) > most ? channel(c, i) : most;
            least = channel(c, i) < least ? channel(c, i) : least;
        }
        count += most - least > 40;
    }
    return count;
}

/* Draws without letters, so that all colour comes from particles. */
static int colored_pixels(particles p, picture_def def) {
    def.width = 200, def.height = 150;
    image picture = draw(&p, NULL, &def);
    int count = count_colored(picture);
    free(picture.pixels);
    return count;
}

static void few_particles_are_fine(void **state) {
    (void)state;
    rill_vec position[50], velocity[50];
    for (int k = 0; k < 50; k++) position[k] = (rill_vec){3.0f, 4.0f, 0}, velocity[k] = (rill_vec){0, 0, 0};
    for (int dim = 2; dim <= 3; dim++) {
        picture_def def = {.color = PICTURE_SPEED};
        assert_int_equal(colored_pixels(particles_at(dim, position, velocity, 0), def), 0);
        int one = colored_pixels(particles_at(dim, position, velocity, 1), def);
        int all_in_one = colored_pixels(particles_at(dim, position, velocity, 50), def);
        assert_in_range(one, 10, 3000);
        assert_in_range(abs(one - all_in_one), 0, one / 2);
        particles unknown = particles_at(dim, position, velocity, 50);
        unknown.frame.spacing = 0.0f, unknown.frame.time = -1.0;
        assert_in_range(colored_pixels(unknown, def), 10, 3000);
        for (int k = 0; k < 50; k++) position[k].x = 1e6f;
        assert_in_range(colored_pixels(particles_at(dim, position, velocity, 50), def), 1, 3000);
        for (int k = 0; k < 50; k++) position[k].x = 3.0f;
    }
}

static void what_is_no_number_is_skipped(void **state) {
    (void)state;
    static const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e30f, FLT_MIN, 0.0f};
    rill_vec position[8 * 8 + 400], velocity[8 * 8 + 400];
    float density[8 * 8 + 400];
    for (int k = 0; k < 64; k++) {
        position[k] = (rill_vec){odd[k % 8], odd[k / 8], k % 3 ? 0.0f : odd[k % 8]};
        velocity[k] = (rill_vec){odd[k / 8], odd[k % 8], 0};
        density[k] = odd[k % 8];
    }
    for (int k = 0; k < 400; k++) {
        position[64 + k] = (rill_vec){0.1f * (float)(k % 20), 0.1f * (float)(k / 20), 0};
        velocity[64 + k] = (rill_vec){0, 0, 0};
        density[64 + k] = 1000.0f;
    }
    for (int dim = 2; dim <= 3; dim++) {
        particles p = particles_at(dim, position, velocity, 464);
        add_field(&p, "density", 1, density);
        add_field(&p, "pressure", 1, density);
        for (int color = PICTURE_SPEED; color <= PICTURE_PRESSURE; color++)
            assert_true(colored_pixels(p, (picture_def){.color = color}) > 1000);
        assert_int_equal(colored_pixels(particles_at(dim, position, velocity, 1), (picture_def){.color = 0}), 0);
        image whole = draw(&p, NULL, &(picture_def){.title = "odd \xff \xc3\xa4 \xe2\x82 title\n"});
        assert_int_equal(whole.width, 960);
        free(whole.pixels);
    }
}

static void odd_requests_are_fine(void **state) {
    (void)state;
    rill_vec position[] = {{0, 0, 0}, {1, 1, 1}}, velocity[] = {{0, 0, 0}, {1, 0, 0}};
    const picture_def defs[] = {
        {.color_min = NAN, .color_max = 1.0f},
        {.color_min = 1.0f, .color_max = 0.0f},
        {.min = {5, 5, 0}, .max = {-5, -5, 0}},
        {.min = {NAN, 0, 0}, .max = {1, 1, 0}},
        {.eye = {0, 0, 5}},
        {.eye = {0, 0, 5}, .up = {0, 0, 1}},
        {.eye = {NAN, 0, 5}},
        {.eye = {0, 0, 0.0001f}},
        {.eye = {1e30f, 0, 0}},
        {.field_of_view = -1.0f},
        {.field_of_view = 3.1f},
        {.field_of_view = NAN},
    };
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++)
        for (int dim = 2; dim <= 3; dim++) (void)colored_pixels(particles_at(dim, position, velocity, 2), defs[k]);
    for (int side = 64; side < 700; side += 210) {
        picture_def def = {
            .width = side, .height = 800 - side, .title = "A title that is far too long for this picture"};
        particles p = particles_at(2, position, velocity, 2);
        image picture = draw(&p, NULL, &def);
        assert_int_equal(picture.width, side);
        assert_int_equal(picture.height, 800 - side);
        free(picture.pixels);
    }
}

/* Over the middle rows of the columns from left to right. */
static int mean_brightness(image picture, int left, int right) {
    int sum = 0, count = 0;
    for (int y = 50; y < 100; y++)
        for (int x = left; x < right; x++, count++) sum += brightness(pixel(picture, x, y));
    return sum / count;
}

/* One runaway particle must neither compress the colours nor shrink the view. */
static void strays_spoil_nothing(void **state) {
    (void)state;
    enum { COUNT = 2500 };
    static rill_vec position[COUNT + 1], velocity[COUNT + 1];
    for (int k = 0; k < COUNT; k++) {
        position[k] = (rill_vec){0.1f * (float)(k % 50), 0.1f * (float)(k / 50), 0};
        velocity[k] = (rill_vec){(float)(k % 50) / 49.0f, 0, 0};
    }
    position[COUNT] = (rill_vec){1e5f, -1e5f, 0}, velocity[COUNT] = (rill_vec){1e6f, 0, 0};
    particles p = particles_at(2, position, velocity, COUNT + 1);
    image picture = draw(&p, NULL, &(picture_def){.width = 200, .height = 150});
    assert_true(count_colored(picture) > 15000); /* the block of 5 m fills the height: 150 x 150 pixels */
    assert_true(mean_brightness(picture, 35, 45) < 350);
    assert_true(mean_brightness(picture, 155, 165) > 500);
    free(picture.pixels);
}

static void bad_requests_are_refused(void **state) {
    (void)state;
    rill_vec position[] = {{0, 0, 0}}, velocity[] = {{0, 0, 0}};
    particles p = particles_at(2, position, velocity, 1);
    rill_error error;
    const char *path = "/nonexistent-folder/picture.png";
    static const struct {
        picture_def def;
        rill_status status;
        const char *text;
    } bad[] = {
        {{.width = 10}, RILL_INVALID, "10 x 600"},
        {{.height = 100000}, RILL_INVALID, "960 x 100000"},
        {{.width = -1}, RILL_INVALID, "-1"},
        {{.color = 7}, RILL_INVALID, "colour 7"},
        {{.color = PICTURE_DENSITY}, RILL_NOT_FOUND, "no density"},
        {{.color = PICTURE_PRESSURE}, RILL_NOT_FOUND, "no pressure"},
        {{.color = PICTURE_SPEED}, RILL_IO, "/nonexistent-folder/picture.png"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(write_picture(&p, NULL, &bad[k].def, path, &error), bad[k].status);
        assert_non_null(strstr(error.text, bad[k].text));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_particles_are_fine),   cmocka_unit_test(what_is_no_number_is_skipped),
        cmocka_unit_test(odd_requests_are_fine),    cmocka_unit_test(strays_spoil_nothing),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, forget_caches);
}
