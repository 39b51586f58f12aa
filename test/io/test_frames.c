/* SPDX-License-Identifier: MIT */
/* Frames read back are the frames that were written, in id order. */
#include "io/bytes.h"
#include "io/places.h"
#include "model/world_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* Every field of the world, the method's included, is equal bit for bit; vectors in files have three components. */
static void assert_same_as_world(const rill_frame *frame, rill_world *world) {
    assert_int_equal(frame->count, rill_world_particle_count(world));
    assert_int_equal(frame->dim, rill_world_get_def(world)->dim);
    assert_int_equal(frame->step, rill_world_stats(world)->step);
    assert_float_equal(frame->time, rill_world_stats(world)->time, 0.0);
    assert_float_equal(frame->spacing, rill_world_get_def(world)->spacing, 0.0);
    assert_float_equal(frame->support, rill_world_support(world), 0.0);
    assert_float_equal(frame->gravity.y, rill_world_get_def(world)->gravity.y, 0.0);
    assert_int_equal(frame->field_count, rill_world_view_count(world));
    const rill_view *ids = rill_frame_field(frame, "id");
    assert_non_null(ids);
    for (int f = 0; f < frame->field_count; f++) {
        const rill_view field = frame->field[f];
        rill_view view;
        int wrong = 0, disordered = 0;
        assert_int_equal(rill_world_view(world, field.name, &view), RILL_OK);
        assert_int_equal(field.scalar, view.scalar);
        for (int k = 0; k < frame->count; k++) {
            const int i = rill_world_particle_index(world, rill_frame_uint(frame, ids, k));
            disordered += i < 0 || (k > 0 && rill_frame_uint(frame, ids, k - 1) >= rill_frame_uint(frame, ids, k));
            for (int c = 0; i >= 0 && c < field.components; c++) {
                const size_t place = (size_t)i * (size_t)view.stride + (size_t)c;
                const uint64_t expected = c >= view.components                ? 0
                                          : view.scalar == RILL_SCALAR_UINT64 ? ((const uint64_t *)view.data)[place]
                                                                              : ((const uint32_t *)view.data)[place];
                wrong += io_field_bits(frame, &field, k, c) != expected;
            }
        }
        assert_int_equal(wrong + disordered, 0);
    }
}

static void ids_are_out_of_order_in_the_world(void **state) {
    (void)state;
    rill_world *world = make_world(3, 5000);
    assert_non_null(world);
    int falls = 0;
    for (int k = 1; k < rill_world_particle_count(world); k++)
        falls += rill_world_particle_at(world, k) < rill_world_particle_at(world, k - 1);
    assert_true(falls > 100); /* otherwise the tests below would not show that frames are ordered */
    rill_world_destroy(world);
}

static void round_trip(const char *folder, frame_writer *write, int dim, int count) {
    char path[1024];
    rill_error error = {RILL_OK, ""};
    rill_world *world = make_world(dim, count);
    assert_non_null(world);
    assert_int_equal(rill_world_particle_count(world), count);
    in_folder(path, folder, "frame");
    assert_int_equal(write_world_with(write, world, path, &error), RILL_OK);
    rill_frame frame = {0}, copy = {0};
    assert_int_equal(rill_io_read_frame(path, NULL, &frame, &error), RILL_OK);
    assert_same_as_world(&frame, world);
    /* A frame that was read and is written again is the same frame. */
    assert_int_equal(write(&frame, path, &error), RILL_OK);
    assert_int_equal(rill_io_read_frame(path, NULL, &copy, &error), RILL_OK);
    assert_same_as_world(&copy, world);
    rill_frame_free(&frame);
    rill_frame_free(&copy);
    rill_world_destroy(world);
}

static void frames_come_back(void **state) {
    static const int counts[] = {0, 1, 10, 5000}; /* 5000 ids take more than one chunk and more than one byte */
    for (int dim = 2; dim <= 3; dim++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            round_trip(*state, rill_io_write_vtp, dim, counts[k]);
            round_trip(*state, rill_io_write_ply, dim, counts[k]);
        }
    }
}

/* Ids of a world that has run for long: 2^32 and more, for which PLY has no integer type. */
static void long_ids_come_back(void **state) {
    frame_writer *const writers[] = {rill_io_write_vtp, rill_io_write_ply};
    for (int k = 0; k < 2; k++) {
        char path[1024];
        rill_error error = {RILL_OK, ""};
        rill_world *world = make_world(3, 200);
        assert_non_null(world);
        rill_particle_id *ids = world->particles.fields[FIELD_ID].data;
        for (int i = 0; i < world->particles.count; i++) ids[i] += (UINT64_C(1) << 32) - 100;
        world->particles.by_id_valid = false;
        rill_frame frame = {0};
        assert_int_equal(write_world_with(writers[k], world, in_folder(path, *state, "long"), &error), RILL_OK);
        assert_int_equal(rill_io_read_frame(path, NULL, &frame, &error), RILL_OK);
        assert_same_as_world(&frame, world);
        rill_frame_free(&frame);
        rill_world_destroy(world);
    }
}

/* A PLY file of another program: other types, other properties, no comments, an unknown element. */
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
    rill_frame frame = {0};
    assert_int_equal(rill_io_read_frame(path, NULL, &frame, NULL), RILL_OK);
    assert_int_equal(frame.count, 2);
    assert_int_equal(frame.dim, 3);
    assert_true(frame.time < 0.0);
    assert_null(rill_frame_field(&frame, "density"));
    assert_null(rill_frame_field(&frame, "id"));
    assert_float_equal(frame.spacing, 0.0, 0.0);
    const rill_view *position = rill_frame_field(&frame, "position"), *red = rill_frame_field(&frame, "red");
    assert_non_null(red);
    for (int k = 0; k < 2; k++) {
        const rill_vec p = rill_frame_vec(&frame, position, k);
        assert_float_equal(p.x, x[k], 0.0);
        assert_float_equal(p.y, y[k], 0.0);
        assert_float_equal(p.z, z[k], 0.0);
        assert_int_equal(rill_frame_uint(&frame, red, k), 255);
    }
    rill_frame_free(&frame);
}

/* ---- solids, bodies and joints ---- */

/* A tank, a gate that rises and turns, and two balls: a ball joint hangs one from the world, a distance joint connects
   them. */
static rill_world *make_machine(int dim) {
    rill_world *world = make_world(dim, 0);
    rill_solid_def tank = rill_solid_def_default(), gate = rill_solid_def_default();
    rill_body_def ball = rill_body_def_default();
    rill_joint_def joint = rill_joint_def_default();
    assert_non_null(world);
    tank.shape.inside = true, tank.shape.max = (rill_vec){2, 3, 4};
    gate.shape.min = (rill_vec){0.5f, 0.2f, 0.2f}, gate.shape.max = (rill_vec){0.7f, 1.0f, 0.9f};
    gate.motion.velocity = (rill_vec){0, 1, 0}, gate.motion.spin = 2, gate.motion.pivot = (rill_vec){0.6f, 0.2f, 0.3f};
    assert_int_equal(rill_world_add_solid(world, &tank, NULL), RILL_OK);
    assert_int_equal(rill_world_add_solid(world, &gate, NULL), RILL_OK);
    for (int k = 0; k < 2; k++) {
        snprintf(ball.name, sizeof ball.name, "ball %d", k);
        ball.shape.kind = RILL_SPHERE, ball.shape.radius = 0.1f;
        ball.shape.position = (rill_vec){1.2f + 0.4f * (float)k, 1, dim == 3 ? 1 : 0};
        ball.velocity = (rill_vec){1, 0, 0}, ball.angular_velocity = (rill_vec){0, 0, 3};
        assert_int_equal(rill_world_add_body(world, &ball, NULL), RILL_OK);
        joint.kind = k ? RILL_JOINT_DISTANCE : RILL_JOINT_BALL;
        snprintf(joint.name, sizeof joint.name, "joint %d", k);
        snprintf(joint.a_name, sizeof joint.a_name, "ball 0");
        snprintf(joint.b_name, sizeof joint.b_name, "%s", k ? "ball 1" : "");
        joint.anchor = (rill_vec){1.2f, 1.1f, dim == 3 ? 1 : 0}, joint.anchor_b = ball.shape.position;
        assert_int_equal(rill_world_add_joint(world, &joint, NULL), RILL_OK);
    }
    for (int k = 0; k < 20; k++) assert_int_equal(rill_world_step(world, 0.01), RILL_OK);
    return world;
}

static void assert_same_vec(rill_vec a, rill_vec b) {
    assert_float_equal(a.x, b.x, 0.0f);
    assert_float_equal(a.y, b.y, 0.0f);
    assert_float_equal(a.z, b.z, 0.0f);
}

static void assert_same_machine(const rill_frame *read, const rill_frame *live) {
    assert_int_equal(read->solid_count, live->solid_count);
    assert_int_equal(read->body_count, 2);
    assert_int_equal(read->joint_count, 2);
    for (int k = 0; k < live->solid_count; k++) {
        assert_int_equal(read->solid[k].body, live->solid[k].body);
        assert_memory_equal(&read->solid[k].transform, &live->solid[k].transform, sizeof(rill_transform));
        assert_int_equal(rill_frame_shape(read, k)->kind, rill_frame_shape(live, k)->kind);
        for (int p = 0; p < 20; p++) {
            const rill_vec point = {0.1f * (float)p, 0.07f * (float)p, live->dim == 3 ? 0.05f * (float)p : 0};
            rill_vec a, b;
            assert_float_equal(rill_frame_distance(read, k, point, &a), rill_frame_distance(live, k, point, &b), 1e-5f);
            assert_true(fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z) < 1e-4f);
        }
    }
    for (int k = 0; k < 2; k++) {
        assert_string_equal(read->body[k].name, live->body[k].name);
        assert_int_equal(read->body[k].solid, live->body[k].solid);
        assert_memory_equal(&read->body[k].state, &live->body[k].state, offsetof(rill_body_state, asleep));
        assert_int_equal(read->joint[k].kind, live->joint[k].kind);
        assert_int_equal(read->joint[k].a, live->joint[k].a);
        assert_int_equal(read->joint[k].b, live->joint[k].b);
        assert_same_vec(read->joint[k].anchor_a, live->joint[k].anchor_a);
        assert_same_vec(read->joint[k].anchor_b, live->joint[k].anchor_b);
    }
}

static void machines_come_back(void **state) {
    for (int dim = 2; dim <= 3; dim++)
        for (int ply = 0; ply < 2; ply++) {
            char path[1024];
            rill_error error = {RILL_OK, ""};
            rill_world *world = make_machine(dim);
            rill_frame live = {0}, read = {0};
            assert_int_equal(rill_frame_of_world(&live, world, &error), RILL_OK);
            assert_int_equal(
                (ply ? rill_io_write_ply : rill_io_write_vtp)(&live, in_folder(path, *state, "frame"), &error),
                RILL_OK);
            rill_shape_set *all = rill_shape_set_create(dim, live.spacing, live.shape, live.shape_count, NULL, &error);
            rill_shape_set *some = rill_shape_set_create(dim, live.spacing, live.shape, 2, NULL, &error);
            assert_non_null(all);
            assert_non_null(some);
            rill_solid_def names[4] = {0};
            for (int k = 0; k < 4; k++) memcpy(names[k].name, live.solid[k].name, sizeof names[k].name);
            assert_int_equal(rill_io_read_frame(path, &(io_run){.shapes = all, .solids = names}, &read, &error),
                             RILL_OK);
            assert_same_machine(&read, &live);
            assert_int_equal(rill_io_read_frame(path, NULL, &read, &error), RILL_OK);
            assert_int_equal(read.solid_count + read.body_count + read.joint_count, 0);
            assert_int_equal(rill_io_read_frame(path, &(io_run){.shapes = some, .solids = names}, &read, &error),
                             RILL_FORMAT);
            assert_non_null(strstr(error.text, "not those of the run"));
            rill_frame_free(&live);
            rill_frame_free(&read);
            rill_shape_set_destroy(all);
            rill_shape_set_destroy(some);
            rill_world_destroy(world);
        }
}

/* A field of nine components, as a method may have, goes through both formats. */
static void wide_fields_come_back(void **state) {
    static const float position[2][2] = {{1, 2}, {3, 4}};
    static const int32_t wide[2][9] = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {-1, -2, -3, -4, -5, -6, -7, -8, -9}};
    const rill_view fields[] = {
        {.name = "position", .unit = "m", .components = 2, .stride = 2, .count = 2, .data = position},
        {.name = "nine_x",
         .unit = "J",
         .scalar = RILL_SCALAR_INT32,
         .components = 9,
         .stride = 9,
         .count = 2,
         .data = wide}};
    const rill_frame frame = {.dim = 2, .time = 1, .count = 2, .field = fields, .field_count = 2};
    for (int ply = 0; ply < 2; ply++) {
        char path[1024];
        rill_frame read = {0};
        rill_error error = {RILL_OK, ""};
        assert_int_equal(
            (ply ? rill_io_write_ply : rill_io_write_vtp)(&frame, in_folder(path, *state, "frame"), &error), RILL_OK);
        assert_int_equal(rill_io_read_frame(path, NULL, &read, &error), RILL_OK);
        const rill_view *nine = rill_frame_field(&read, "nine_x");
        assert_non_null(nine);
        assert_int_equal(nine->components, 9);
        assert_string_equal(nine->unit, ply ? "" : "J");
        assert_memory_equal(nine->data, wide, sizeof wide);
        rill_frame_free(&read);
    }
}

/* The pieces of both frames name particles of the same ids, in the same order. */
static void assert_same_pieces(const rill_frame *a, const rill_frame *b, const char *name, int count) {
    const rill_frame_links *links[2] = {NULL, NULL};
    const rill_frame *frames[2] = {a, b};
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < frames[f]->links_count; k++)
            if (strcmp(frames[f]->links[k].name, name) == 0) links[f] = &frames[f]->links[k];
    assert_non_null(links[0]);
    assert_non_null(links[1]);
    assert_int_equal(links[0]->count, count);
    assert_int_equal(links[1]->count, count);
    for (int n = 0; n < count * links[0]->ends; n++) {
        uint64_t ids[2];
        for (int f = 0; f < 2; f++)
            ids[f] = ((const uint64_t *)rill_frame_field(frames[f], "id")->data)[links[f]->particle[n]];
        assert_int_equal(ids[0], ids[1]);
    }
}

/* Pieces of cloth refer to particles by their index in the file. */
static void cloth_comes_back(void **state) {
    frame_writer *const writers[] = {rill_io_write_vtp, rill_io_write_ply};
    for (int k = 0; k < 2; k++) {
        char path[1024];
        rill_error error = {RILL_OK, ""};
        rill_world *world = make_world(3, 200);
        assert_non_null(world);
        rill_cloth_def sheet = rill_cloth_def_default(), rope = sheet;
        sheet.position = (rill_vec){9, 9, 9}, sheet.edge_a = (rill_vec){0.5f, 0, 0},
        sheet.edge_b = (rill_vec){0, 0.25f, 0};
        rope.kind = RILL_CLOTH_ROPE, rope.position = (rill_vec){7, 7, 7}, rope.edge_a = (rill_vec){0.5f, 0, 0};
        assert_int_equal(rill_world_set_method(world, "pbf"), RILL_OK);
        assert_int_equal(rill_world_add_cloth(world, &sheet, NULL), RILL_OK);
        assert_int_equal(rill_world_add_cloth(world, &rope, NULL), RILL_OK);
        assert_int_equal(rill_world_step(world, STEP), RILL_OK);
        rill_frame frame = {0}, read = {0};
        assert_int_equal(rill_frame_of_world(&frame, world, &error), RILL_OK);
        assert_int_equal(write_world_with(writers[k], world, in_folder(path, *state, "cloth"), &error), RILL_OK);
        assert_int_equal(rill_io_read_frame(path, NULL, &read, &error), RILL_OK);
        assert_same_as_world(&read, world);
        assert_same_pieces(&frame, &read, "triangles", 16);
        assert_same_pieces(&frame, &read, "segments", 4);
        rill_frame_free(&frame);
        rill_frame_free(&read);
        rill_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_out_of_order_in_the_world),
        IN_A_FOLDER(frames_come_back),
        IN_A_FOLDER(long_ids_come_back),
        IN_A_FOLDER(foreign_ply_is_read),
        IN_A_FOLDER(machines_come_back),
        IN_A_FOLDER(wide_fields_come_back),
        IN_A_FOLDER(cloth_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
