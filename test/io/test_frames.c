/* SPDX-License-Identifier: MIT */
/* Frames read back are the frames that were written, in id order. */
#include "io/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static float scalar(const rill_world *world, const char *name, int index, int component) {
    rill_view view;
    assert_int_equal(rill_world_view(world, name, &view), RILL_OK);
    return component < view.components ? ((const float *)view.data)[(size_t)index * view.stride + component] : 0.0f;
}

static void assert_same_as_world(const io_particles *particles, rill_world *world) {
    assert_int_equal(particles->count, rill_world_particle_count(world));
    assert_int_equal(particles->dim, rill_world_get_def(world)->dim);
    assert_float_equal(particles->time, rill_world_stats(world)->time, 0.0);
    assert_float_equal(particles->spacing, rill_world_get_def(world)->spacing, 0.0);
    rill_view view;
    assert_int_equal(particles->density != NULL, rill_world_view(world, "density", &view) == RILL_OK);
    assert_int_equal(particles->pressure != NULL, rill_world_view(world, "pressure", &view) == RILL_OK);
    for (int k = 0; k < particles->count; k++) {
        if (k > 0) assert_true(particles->id[k - 1] < particles->id[k]);
        int i = rill_world_particle_index(world, particles->id[k]);
        assert_true(i >= 0);
        const rill_vec position = particles->position[k], velocity = particles->velocity[k];
        const float x[3] = {position.x, position.y, position.z}, v[3] = {velocity.x, velocity.y, velocity.z};
        for (int c = 0; c < 3; c++) {
            assert_float_equal(x[c], scalar(world, "position", i, c), 0.0f);
            assert_float_equal(v[c], scalar(world, "velocity", i, c), 0.0f);
        }
        if (particles->density) assert_float_equal(particles->density[k], scalar(world, "density", i, 0), 0.0f);
        if (particles->pressure) assert_float_equal(particles->pressure[k], scalar(world, "pressure", i, 0), 0.0f);
    }
}

static void ids_are_out_of_order_in_the_world(void **state) {
    (void)state;
    rill_world *world = make_world(3, 5000);
    assert_non_null(world);
    rill_view ids;
    assert_int_equal(rill_world_view(world, "id", &ids), RILL_OK);
    int falls = 0;
    for (int k = 1; k < ids.count; k++)
        falls += ((const uint32_t *)ids.data)[k * ids.stride] < ((const uint32_t *)ids.data)[(k - 1) * ids.stride];
    assert_true(falls > 100); /* else the tests below would not show that frames are ordered */
    rill_world_destroy(world);
}

typedef rill_status writer(const rill_world *world, const char *path, rill_error *error);

static void round_trip(const char *folder, writer *write, int dim, int count) {
    char path[1024];
    rill_error error = {RILL_OK, ""};
    rill_world *world = make_world(dim, count);
    assert_non_null(world);
    assert_int_equal(rill_world_particle_count(world), count);
    in_folder(path, folder, "frame");
    assert_int_equal(write(world, path, &error), RILL_OK);
    io_particles particles;
    assert_int_equal(io_read_particles(path, &particles, &error), RILL_OK);
    assert_same_as_world(&particles, world);
    io_particles_free(&particles);
    assert_int_equal(io_particles_from_world(world, &particles, &error), RILL_OK);
    assert_same_as_world(&particles, world);
    io_particles_free(&particles);
    rill_world_destroy(world);
}

static void frames_come_back(void **state) {
    static const int counts[] = {0, 1, 10, 5000}; /* the last is more than one chunk and one byte of ids */
    for (int dim = 2; dim <= 3; dim++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            round_trip(*state, io_write_vtp, dim, counts[k]);
            round_trip(*state, io_write_ply, dim, counts[k]);
        }
    }
}

/* What another program may write: other types, other properties, no comments, an element that we do not know. */
static void foreign_ply_is_read(void **state) {
    char path[1024];
    FILE *stream = fopen(in_folder(path, *state, "foreign.ply"), "wb");
    assert_non_null(stream);
    fputs("ply\r\nformat binary_little_endian 1.0\r\nelement vertex 2\r\nproperty uchar red\r\nproperty double x\r\n"
          "property float y\r\nproperty short z\r\nelement face 0\r\nproperty list uchar int vertex_indices\r\n"
          "end_header\r\n",
          stream);
    const double x[2] = {1.5, -2.25};
    const float y[2] = {4.0f, 0.5f};
    const int16_t z[2] = {-3, 7};
    for (int k = 0; k < 2; k++) {
        fputc(255, stream);
        fwrite(&x[k], 8, 1, stream);
        fwrite(&y[k], 4, 1, stream);
        fwrite(&z[k], 2, 1, stream);
    }
    fclose(stream);
    io_particles particles;
    assert_int_equal(io_read_particles(path, &particles, NULL), RILL_OK);
    assert_int_equal(particles.count, 2);
    assert_int_equal(particles.dim, 3);
    assert_true(particles.time < 0.0);
    assert_null(particles.density);
    assert_float_equal(particles.spacing, 0.0, 0.0);
    for (int k = 0; k < 2; k++) {
        assert_float_equal(particles.position[k].x, x[k], 0.0);
        assert_float_equal(particles.position[k].y, y[k], 0.0);
        assert_float_equal(particles.position[k].z, z[k], 0.0);
        assert_int_equal(particles.id[k], k);
    }
    io_particles_free(&particles);
}

static int set_up(void **state) {
    *state = make_folder();
    return *state ? 0 : -1;
}

static int tear_down(void **state) {
    remove_folder(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_out_of_order_in_the_world),
        cmocka_unit_test_setup_teardown(frames_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(foreign_ply_is_read, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
