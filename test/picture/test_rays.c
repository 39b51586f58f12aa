/* SPDX-License-Identifier: MIT */
/* Light through water: none is made and none is lost, depth colours it by Beer and Lambert, honey is amber, spray has
   the volume of its particles, bodies in water have no black patches, shadows on meshes have smooth edges, and filtered
   pictures keep their brightness and edges. */
#include "picture/decode.h"
#include "picture/denoise.h"
#include "picture/pathtrace.h"

/* A world of make_tank (ten by ten spacings wide, filled to some depth, with a ball if its radius is positive), and its
   scene for rays. */
typedef struct stand {
    rill_world *world;
    rill_frame frame;
    picture_def def;
    drawing d;
    ray_scene scene;
} stand;

static rill_world *make_tank(float depth, float spacing, float viscosity, float ball) {
    rill_world_def world_def = rill_world_def_default(3);
    world_def.workers = 1, world_def.spacing = spacing;
    rill_world *world = rill_world_create(&world_def, NULL);
    assert_non_null(world);
    rill_fluid_def fluid = rill_fluid_def_default();
    snprintf(fluid.name, sizeof fluid.name, "liquid");
    fluid.viscosity = viscosity;
    assert_int_equal(rill_world_add_fluid(world, &fluid, NULL), RILL_OK);
    rill_solid_def solid = rill_solid_def_default();
    solid.shape.kind = RILL_BOX, solid.shape.inside = true;
    solid.shape.max = (rill_vec){10.0f * spacing, 10.0f * spacing, 2.0f * depth};
    assert_int_equal(rill_world_add_solid(world, &solid, NULL), RILL_OK);
    if (ball > 0.0f) {
        solid = rill_solid_def_default();
        snprintf(solid.name, sizeof solid.name, "ball");
        solid.shape.kind = RILL_SPHERE, solid.shape.radius = ball;
        solid.shape.position = (rill_vec){5.0f * spacing, 5.0f * spacing, 0.9f * depth};
        assert_int_equal(rill_world_add_solid(world, &solid, NULL), RILL_OK);
    }
    rill_block_def block = rill_block_def_default();
    block.shape.kind = RILL_BOX, block.shape.max = (rill_vec){10.0f * spacing, 10.0f * spacing, depth};
    assert_int_equal(rill_world_add_block(world, &block, NULL), RILL_OK);
    return world;
}

static void stand_open(stand *s, rill_world *world) {
    *s = (stand){.world = world, .def = {.width = 96, .height = 64, .workers = 1, .look = PICTURE_WATER}};
    rill_error error = {RILL_OK, ""};
    assert_int_equal(rill_frame_of_world(&s->frame, world, &error), RILL_OK);
    s->d = rill_picture_begin(&s->frame, &s->def);
    assert_int_equal(rill_picture_choose(&s->d, &error), RILL_OK);
    assert_int_equal(rill_ray_scene_make(&s->scene, &s->d, &error), RILL_OK);
}

static void stand_close(stand *s) {
    rill_ray_scene_free(&s->scene);
    rill_frame_free(&s->frame);
    rill_world_destroy(s->world);
}

/* In a white world without absorption every ray brings the light of the sky, whatever it meets. */
static void white_furnace(void **state) {
    (void)state;
    stand s;
    const rgb white = {1, 1, 1};
    stand_open(&s, make_tank(0.5f, 0.1f, 1e-3f, 0.2f));
    s.scene.lights = (ray_lights){.horizon = white, .zenith = white, .ambient = white};
    s.scene.floor_color = s.scene.joint_color = white;
    for (int k = 0; k < s.scene.count; k++) s.scene.objects[k].color = white;
    for (int k = 0; k < s.scene.liquid_count; k++) s.scene.liquids[k].absorption = (rgb){0, 0, 0};
    const camera c = rill_picture_camera(&s.d, 96, 64);
    for (int k = 0; k < 96 * 64; k += 7) {
        ray_random random = rill_ray_random((uint32_t)k, 3);
        const rgb light = rill_ray_light(&s.scene, c.eye, camera_ray(&c, (float)(k % 96), (float)(k / 96)), &random);
        assert_float_equal(light.r, 1.0f, 2e-3f);
        assert_float_equal(light.g, 1.0f, 2e-3f);
        assert_float_equal(light.b, 1.0f, 2e-3f);
    }
    stand_close(&s);
}

/* Straight down: the surface reflects ((n - 1) / (n + 1))^2, the rest goes through a metre of water. */
static void a_metre_of_water(void **state) {
    (void)state;
    stand s;
    stand_open(&s, make_tank(1.0f, 0.1f, 1e-3f, 0.0f));
    const rgb sigma = {0.45f, 0.07f, 0.02f};
    s.scene.liquids[0].absorption = sigma;
    rill_vec at;
    rgb share;
    assert_true(rill_ray_sunbeam(&s.scene, (rill_vec){0.52f, 0.47f, 5.0f}, (rill_vec){0, 0, -1}, &at, &share));
    const float enters = 1.0f - 0.333f * 0.333f / (2.333f * 2.333f);
    assert_float_equal(share.r / (enters * expf(-sigma.r)), 1.0f, 0.02f);
    assert_float_equal(share.g / (enters * expf(-sigma.g)), 1.0f, 0.02f);
    assert_float_equal(share.b / (enters * expf(-sigma.b)), 1.0f, 0.02f);
    assert_float_equal(at.x, 0.52f, 0.03f);
    stand_close(&s);
    /* The default absorption of water: red is lost first, and half a metre of water is far from dark. */
    stand_open(&s, make_tank(0.5f, 0.05f, 1e-3f, 0.0f));
    assert_true(rill_ray_sunbeam(&s.scene, (rill_vec){0.26f, 0.24f, 5.0f}, (rill_vec){0, 0, -1}, &at, &share));
    assert_true(share.r < 0.8f && share.r > 0.25f && share.g > 0.8f && share.b > share.g);
    stand_close(&s);
}

static void two_centimetres_of_honey(void **state) {
    (void)state;
    stand s;
    stand_open(&s, make_tank(0.02f, 0.004f, 10.0f, 0.0f));
    rill_vec at;
    rgb share;
    assert_true(rill_ray_sunbeam(&s.scene, (rill_vec){0.021f, 0.019f, 1.0f}, (rill_vec){0, 0, -1}, &at, &share));
    assert_true(share.r > 0.8f && share.g > 0.4f && share.g < 0.75f && share.b < 0.15f);
    stand_close(&s);
}

/* A paint gives the colour of white light after a depth of the liquid. */
static void paint_colours_a_liquid(void **state) {
    (void)state;
    stand s;
    stand_open(&s, make_tank(0.2f, 0.02f, 1e-3f, 0.0f));
    rill_ray_scene_free(&s.scene);
    s.def.paint_count = 1;
    s.def.paints[0] = (picture_paint){.of = "liquid", .color = {1.0f, 0.5f, 0.25f}, .depth = 0.2f, .refraction = 1.5f};
    assert_int_equal(rill_ray_scene_make(&s.scene, &s.d, NULL), RILL_OK);
    rill_vec at;
    rgb share;
    assert_true(rill_ray_sunbeam(&s.scene, (rill_vec){0.11f, 0.09f, 2.0f}, (rill_vec){0, 0, -1}, &at, &share));
    const rill_vec seen = rill_picture_linear(s.def.paints[0].color);
    assert_float_equal(share.r, 0.96f, 0.01f);
    assert_float_equal(share.g, 0.96f * seen.y, 0.02f);
    assert_float_equal(share.b, 0.96f * seen.z, 0.01f);
    stand_close(&s);
}

static void spray_holds_its_particle(void **state) {
    (void)state;
    const rill_vec position[] = {{0, 0, 0.5f}, {2, 0, 0.5f}}, velocity[] = {{0, 0, 0}, {0, 0, 0}};
    particles p = particles_at(3, position, velocity, 2);
    p.frame.field = p.fields;
    const picture_def def = {.width = 96, .height = 64, .workers = 1, .look = PICTURE_WATER};
    drawing d = rill_picture_begin(&p.frame, &def);
    ray_scene scene;
    assert_int_equal(rill_picture_choose(&d, NULL), RILL_OK);
    assert_int_equal(rill_ray_scene_make(&scene, &d, NULL), RILL_OK);
    assert_int_equal(scene.count, 1);
    assert_int_equal(scene.objects[0].kind, RAY_DROPS);
    double volume = 0.0;
    for (int k = 0; k < scene.objects[0].vertex_count; k++) {
        const double r = (double)scene.objects[0].ball[4 * k + 3];
        volume += 4.18879 * r * r * r;
        assert_true(r < 0.05);
    }
    assert_true(fabs(volume / 2e-3 - 1.0) < 0.01);
    rill_ray_scene_free(&scene);
}

/* A white ball half in water: no pixel is dark, neither on its dry nor on its wet side. */
static void no_black_patches(void **state) {
    (void)state;
    rill_world *world = make_tank(0.5f, 0.05f, 1e-3f, 0.15f);
    rill_frame frame = {0};
    assert_int_equal(rill_frame_of_world(&frame, world, NULL), RILL_OK);
    picture_def def = {.width = 96, .height = 64, .samples = 8, .look = PICTURE_WATER, .plain = true, .paint_count = 1};
    def.paints[0] = (picture_paint){.of = "ball", .color = {1, 1, 1}};
    uint32_t *pixels = calloc(96 * 64, sizeof *pixels);
    assert_non_null(pixels);
    assert_int_equal(rill_picture_paint(&frame, &def, pixels, 96, NULL), RILL_OK);
    for (int k = 0; k < 96 * 64; k++) assert_true(channel(pixels[k], 1) > 50);
    free(pixels);
    rill_frame_free(&frame);
    rill_world_destroy(world);
}

/* Corners of the triangles of a ball, 24 around. */
enum { AROUND = 24, BALL_CORNERS = 3 * 2 * AROUND * (AROUND / 2 - 1) };
static rill_vec ball_corner(int row, int column) {
    const float turn = 6.2831853f / AROUND, a = turn * (float)row, b = turn * (float)(column % AROUND);
    if (2 * row == AROUND) return (rill_vec){0, 0, -1}; /* exactly one point, without rounding */
    return (rill_vec){sinf(a) * cosf(b), sinf(a) * sinf(b), cosf(a)};
}

static int ball_corners(rill_vec *corners) {
    int n = 0;
    for (int row = 0; row < AROUND / 2; row++)
        for (int k = 0; k < AROUND; k++) {
            const rill_vec a = ball_corner(row, k), b = ball_corner(row + 1, k), c = ball_corner(row + 1, k + 1),
                           d = ball_corner(row, k + 1);
            if (row < AROUND / 2 - 1) corners[n++] = a, corners[n++] = b, corners[n++] = c;
            if (row > 0) corners[n++] = a, corners[n++] = c, corners[n++] = d;
        }
    return n;
}

static rill_world *make_mesh_ball(void) {
    static rill_vec corners[BALL_CORNERS];
    rill_world_def world_def = rill_world_def_default(3);
    world_def.workers = 1, world_def.spacing = 0.2f;
    rill_world *world = rill_world_create(&world_def, NULL);
    assert_non_null(world);
    rill_solid_def solid = rill_solid_def_default();
    solid.shape.kind = RILL_MESH, solid.shape.points = (rill_points){corners, ball_corners(corners)};
    assert_int_equal(solid.shape.points.count, BALL_CORNERS);
    assert_int_equal(rill_world_add_solid(world, &solid, NULL), RILL_OK);
    return world;
}

/* A mesh of a ball is lit like the ball: by Lambert's cosine up to the edge of its shadow, which is smooth. */
static void a_mesh_of_a_ball_is_round(void **state) {
    (void)state;
    stand s;
    stand_open(&s, make_mesh_ball());
    s.scene.lights = (ray_lights){.sun = {1, 1, 1}};
    s.scene.floor_color = s.scene.joint_color = (rgb){0, 0, 0};
    for (int k = 0; k < s.scene.count; k++) s.scene.objects[k].color = (rgb){1, 1, 1};
    const rill_vec sun = s.scene.sun, side = vec_unit(vec_cross(sun, (rill_vec){0, 0, 1}), sun),
                   other = vec_cross(sun, side);
    for (int k = 0; k < 360; k++) {
        const float slope = 0.1f + 0.1f * (float)(k % 9), across = sqrtf(1.0f - slope * slope),
                    turn = 0.157f * (float)k;
        const rill_vec n = vec_add(vec_scale(sun, slope), vec_add(vec_scale(side, across * cosf(turn)),
                                                                  vec_scale(other, across * sinf(turn))));
        float light = 0.0f;
        for (uint32_t sample = 0; sample < 8; sample++) {
            ray_random random = rill_ray_random((uint32_t)k, sample);
            light += rill_ray_light(&s.scene, vec_scale(n, 3.0f), vec_scale(n, -1.0f), &random).g / 8.0f;
        }
        assert_float_equal(3.1415927f * light, slope, 0.06f);
    }
    stand_close(&s);
}

/* Number of columns from the first to the last in which drops show. */
static int columns_with(const particles *p, float shutter) {
    enum { WIDTH = 160, HEIGHT = 64 };
    picture_def def = {.width = WIDTH,
                       .height = HEIGHT,
                       .samples = 16,
                       .look = PICTURE_WATER,
                       .plain = true,
                       .shutter = shutter,
                       .eye = {0, -4, 0.6f},
                       .target = {0, 0, 0.5f},
                       .view_min = {-2, -1, 0},
                       .view_max = {2, 1, 1}};
    const rill_vec nowhere = {0, 0, 0};
    const particles none = particles_at(3, &nowhere, &nowhere, 0);
    image with = draw(p, NULL, &def), without = draw(&none, NULL, &def);
    int first = WIDTH, last = -1;
    /* Shadows of the drops fall on lower rows. */
    for (int k = 16 * WIDTH; k < 34 * WIDTH; k++) {
        if (abs(brightness(with.pixels[k]) - brightness(without.pixels[k])) < 5) continue;
        first = k % WIDTH < first ? k % WIDTH : first, last = k % WIDTH > last ? k % WIDTH : last;
    }
    free(with.pixels);
    free(without.pixels);
    return last - first + 1;
}

/* Flying drops are streaks while the shutter is open: 0.8 m is 20 pixels. */
static void a_shutter_blurs(void **state) {
    (void)state;
    rill_vec position[8], velocity[8];
    for (int k = 0; k < 8; k++) position[k] = (rill_vec){0, 0.08f * (float)k, 0.8f}, velocity[k] = (rill_vec){10, 0, 0};
    const particles p = particles_at(3, position, velocity, 8);
    const int sharp = columns_with(&p, 0.0f), blurred = columns_with(&p, 0.08f);
    if (sharp < 2 || blurred < sharp + 6) fail_msg("%d columns, blurred %d", sharp, blurred);
}

/* Half of the picture is 0.25, half 0.75, with grain on the left side only. */
static void grain_goes_and_edges_stay(void **state) {
    (void)state;
    enum { WIDTH = 64, HEIGHT = 32 };
    half_picture halves[2];
    memory m;
    rill_memory_init(&m, NULL);
    parallel *workers = rill_parallel_create(&m, 1, NULL);
    rgb *to = calloc(WIDTH * HEIGHT, sizeof *to);
    uint32_t random = 1;
    for (int h = 0; h < 2; h++) {
        halves[h] = (half_picture){calloc(WIDTH * HEIGHT, sizeof(rgb)), calloc(WIDTH * HEIGHT, sizeof(rgb))};
        assert_true(halves[h].mean && halves[h].variance && to && workers);
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            const bool left = k % WIDTH < WIDTH / 2;
            random = random * 1664525u + 1013904223u;
            const float grain = left ? 0.2f * ((float)(random >> 8) / 16777216.0f - 0.5f) : 0.0f;
            const float value = (left ? 0.25f : 0.75f) + grain, variance = left ? 0.04f / 12.0f : 0.0f;
            halves[h].mean[k] = (rgb){value, value, value};
            halves[h].variance[k] = (rgb){variance, variance, variance};
        }
    }
    assert_int_equal(rill_denoise(halves, to, WIDTH, HEIGHT, workers, NULL), RILL_OK);
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        if (k % WIDTH >= WIDTH / 2) {
            assert_float_equal(to[k].g, 0.75f, 1e-4f);
            continue;
        }
        mean += (double)to[k].g / (WIDTH * HEIGHT / 2);
        square += (double)to[k].g * (double)to[k].g / (WIDTH * HEIGHT / 2);
    }
    assert_true(fabs(mean - 0.25) < 0.005);
    /* The mean of two halves has a variance of 0.04 / 24. */
    assert_true(square - mean * mean < 0.04 / 24.0 / 6.0);
    for (int h = 0; h < 2; h++) {
        free(halves[h].mean);
        free(halves[h].variance);
    }
    free(to);
    rill_parallel_destroy(&m, workers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_furnace),
        cmocka_unit_test(a_metre_of_water),
        cmocka_unit_test(two_centimetres_of_honey),
        cmocka_unit_test(paint_colours_a_liquid),
        cmocka_unit_test(spray_holds_its_particle),
        cmocka_unit_test(no_black_patches),
        cmocka_unit_test(a_mesh_of_a_ball_is_round),
        cmocka_unit_test(a_shutter_blurs),
        cmocka_unit_test(grain_goes_and_edges_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
