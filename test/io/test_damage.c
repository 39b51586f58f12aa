/* SPDX-License-Identifier: MIT */
/* Damaged frames: cut short, changed, or with wrong sizes. Every copy lies in memory of its exact size, so that the
   sanitizers see any read past its end. */
#include "io/bytes.h"
#include "io/parse.h"
#include "io/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

typedef rill_status parser(const void *data, size_t size, const char *path, const io_run *run, rill_frame *frame,
                           rill_error *error);

typedef struct frame_bytes {
    unsigned char *bytes;
    size_t size, needed; /* a .vtp may lack its last newline */
    parser *parse;
    const io_run *run;
} frame_bytes;

/* Two solids away from all particles; one of them is a body that hangs from the world. */
static void add_machine(rill_world *world) {
    rill_solid_def post = rill_solid_def_default();
    rill_body_def ball = rill_body_def_default();
    rill_joint_def joint = rill_joint_def_default();
    post.shape.min = (rill_vec){50, 50, 0}, post.shape.max = (rill_vec){51, 51, 0};
    ball.shape.kind = RILL_SPHERE, ball.shape.radius = 1, ball.shape.position = (rill_vec){60, 50, 0};
    snprintf(ball.name, sizeof ball.name, "ball");
    snprintf(joint.a_name, sizeof joint.a_name, "ball");
    joint.kind = RILL_JOINT_BALL, joint.anchor = ball.shape.position;
    assert_int_equal(rill_world_add_solid(world, &post, NULL), RILL_OK);
    assert_int_equal(rill_world_add_body(world, &ball, NULL), RILL_OK);
    assert_int_equal(rill_world_add_joint(world, &joint, NULL), RILL_OK);
}

/* A rope of two segments. */
static void add_rope(rill_world *world) {
    rill_cloth_def rope = rill_cloth_def_default();
    rope.position = (rill_vec){70, 50, 0}, rope.edge_a = (rill_vec){0.25f, 0, 0};
    assert_int_equal(rill_world_set_method(world, "projective"), RILL_OK);
    assert_int_equal(rill_world_add_cloth(world, &rope, NULL), RILL_OK);
}

/* A run with as many shapes as the machine. */
static const io_run *machine_run(void) {
    static io_run run;
    static const rill_solid_def solids[2];
    if (run.shapes) return &run;
    const rill_shape shape = rill_shape_default(), *const shapes[] = {&shape, &shape};
    run = (io_run){.shapes = rill_shape_set_create(2, 0.125f, shapes, 2, NULL, NULL), .solids = solids};
    assert_non_null(run.shapes);
    return &run;
}

static frame_bytes make_frame(const char *folder, bool ply) {
    char path[1024];
    void *data;
    frame_bytes frame = {.parse = ply ? rill_io_parse_ply : rill_io_parse_vtp, .run = machine_run()};
    rill_world *world = make_world(2, 30);
    assert_non_null(world);
    add_machine(world);
    add_rope(world);
    in_folder(path, folder, "frame");
    assert_int_equal(write_world_with(ply ? rill_io_write_ply : rill_io_write_vtp, world, path, NULL), RILL_OK);
    rill_world_destroy(world);
    assert_int_equal(rill_io_read_whole(path, &data, &frame.size, NULL), RILL_OK);
    frame.bytes = data;
    frame.needed = ply ? frame.size : frame.size - 1;
    return frame;
}

static rill_status parse_copy(const frame_bytes *frame, const unsigned char *bytes, size_t size) {
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    rill_frame read = {0};
    rill_error error = {RILL_OK, ""};
    rill_status status = frame->parse(copy, size, "damaged", frame->run, &read, &error);
    if (status == RILL_OK) {
        assert_non_null(rill_frame_field(&read, "position"));
        assert_true(read.dim == 2 || read.dim == 3);
        for (int k = 0; k < read.solid_count; k++) assert_non_null(rill_frame_shape(&read, k));
        for (int k = 0; k < read.body_count; k++) assert_in_range(read.body[k].solid, 0, read.solid_count - 1);
        for (int k = 0; k < read.joint_count; k++) assert_in_range(read.joint[k].a, 0, read.body_count - 1);
        for (int k = 0; k < read.links_count; k++)
            for (int n = 0; n < read.links[k].ends * read.links[k].count; n++)
                assert_in_range(read.links[k].particle[n], 0, read.count - 1);
    } else {
        assert_int_equal(error.status, status);
        assert_non_null(strstr(error.text, "damaged"));
        assert_int_equal(read.count + read.field_count + read.solid_count, 0);
        assert_null(read.room);
    }
    rill_frame_free(&read);
    free(copy);
    return status;
}

static void cut_frames_are_refused(void **state) {
    for (int ply = 0; ply < 2; ply++) {
        frame_bytes frame = make_frame(*state, ply);
        assert_int_equal(parse_copy(&frame, frame.bytes, frame.size), RILL_OK);
        assert_int_equal(parse_copy(&frame, frame.bytes, frame.needed), RILL_OK);
        for (size_t size = 0; size < frame.needed; size++)
            assert_int_equal(parse_copy(&frame, frame.bytes, size), RILL_FORMAT);
        free(frame.bytes);
    }
}

static void changed_bytes_never_crash(void **state) {
    uint32_t random = 12345;
    for (int ply = 0; ply < 2; ply++) {
        frame_bytes frame = make_frame(*state, ply);
        unsigned char *bytes = malloc(frame.size);
        assert_non_null(bytes);
        int refused = 0;
        for (int round = 0; round < 6000; round++) {
            memcpy(bytes, frame.bytes, frame.size);
            for (int k = 0; k <= round % 4; k++) {
                random = random * 1664525u + 1013904223u;
                size_t place = (random >> 8) % (round % 2 ? frame.size : 1500);
                random = random * 1664525u + 1013904223u;
                bytes[place] =
                    (unsigned char)(round % 3 ? (uint32_t) "0123456789\"<> -_\n"[random >> 24 & 15] : random >> 24);
            }
            refused += parse_copy(&frame, bytes, frame.size) != RILL_OK;
        }
        assert_true(refused > 500);
        free(bytes);
        free(frame.bytes);
    }
}

static void replace(frame_bytes *frame, const char *old, const char *new) {
    io_span all = {(const char *)frame->bytes, (const char *)frame->bytes + frame->size};
    const char *at = rill_io_span_find(all, old);
    assert_non_null(at);
    assert_int_equal(strlen(old), strlen(new));
    memcpy(frame->bytes + (at - all.begin), new, strlen(new));
}

static void lying_sizes_are_refused(void **state) {
    static const struct {
        bool ply;
        const char *old, *new;
    } lies[] = {
        {false, "NumberOfPoints=\"33\" NumberOfVerts=\"33\" ", "NumberOfPoints=\"4000000000000000000000\""},
        {false, "NumberOfPoints=\"33\" NumberOfVerts=\"33\" ", "NumberOfPoints=\"18446744073709551615\"  "},
        {false, "NumberOfPoints=\"33\" NumberOfVerts=\"33\" ", "NumberOfPoints=\"2147483646\"            "},
        {false, "NumberOfPoints=\"33\"", "NumberOfPoints=\"34\""},
        {false, "NumberOfPoints=\"33\"", "NumberOfPoints=\"-1\""},
        {false, "offset=\"404\"", "offset=\"999\""},
        {false, "offset=\"404\"", "offset=\"403\""},
        {false, "encoding=\"raw\"", "encoding=\"rav\""},
        {false, "\"UInt64\"", "\"UInt32\""},
        {false, "LittleEndian", "BigEndian   "},
        {false, "Name=\"Points\"", "Name=\"Pionts\""},
        {false, "\n0 -1 1 0 0 0 1 0", "\n2 -1 1 0 0 0 1 0"}, /* a shape that the run does not have */
        {false, "\n0 -1 1 0 0 0 1 0", "\n0  9 1 0 0 0 1 0"}, /* a body that does not exist */
        {false, "\n0 -1 1 0 0 0 1 0", "\n0 -1 1 x 0 0 1 0"},
        {false, "NumberOfLines=\"2\"", "NumberOfLines=\"3\""},
        {true, "edge 2", "edge 9"},
        {true, "vertex 33", "vertex 99"},
        {true, "vertex 33", "vertex -1"},
        {true, "float x", "flaot x"},
        {true, "float x", "float y"},
        {true, "float x", "list  x"},
        {true, "binary_little_endian", "binary_big_endian   "},
        {true, "end_header", "end_haeder"},
        {true, "solids 0 -1 1 0", "solids 7 -1 1 0"},
        {true, "joints 0 0 -1 0", "joints 0 8 -1 0"},
    };
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        frame_bytes frame = make_frame(*state, lies[k].ply);
        replace(&frame, lies[k].old, lies[k].new);
        assert_int_equal(parse_copy(&frame, frame.bytes, frame.size), RILL_FORMAT);
        free(frame.bytes);
    }
}

/* An array of the right size that starts so late that it would end past the file. */
static void arrays_past_the_end_are_refused(void **state) {
    frame_bytes frame = make_frame(*state, false);
    io_span all = {(const char *)frame.bytes, (const char *)frame.bytes + frame.size};
    const char *number = rill_io_span_find(all, "offset=\"0\""), *raw = rill_io_span_find(all, "\"raw\">\n_");
    assert_non_null(number);
    assert_non_null(raw);
    size_t data = (size_t)(raw - all.begin) + strlen("\"raw\">\n_"), late = frame.size - 100 - data;
    io_put64(frame.bytes + data + late, 33 * 3 * 4);
    char text[32];
    int grown = snprintf(text, sizeof text, "offset=\"%zu\"", late) - (int)strlen("offset=\"0\"");
    size_t head = (size_t)(number - all.begin), rest = head + strlen("offset=\"0\"");
    unsigned char *bytes = malloc(frame.size + (size_t)grown);
    assert_non_null(bytes);
    memcpy(bytes, frame.bytes, head);
    memcpy(bytes + head, text, strlen(text));
    memcpy(bytes + head + strlen(text), frame.bytes + rest, frame.size - rest);
    assert_int_equal(parse_copy(&frame, bytes, frame.size + (size_t)grown), RILL_FORMAT);
    free(bytes);
    free(frame.bytes);
}

static void other_files_are_named(void **state) {
    char path[1024];
    rill_error error;
    rill_frame frame = {0};
    static const char *const texts[] = {"", "p", "hello", "RILLSNAP", "RILLSNAPrubbish that is no snapshot", "<?xml"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        FILE *stream = fopen(in_folder(path, *state, "other"), "wb");
        assert_non_null(stream);
        fputs(texts[k], stream);
        fclose(stream);
        assert_int_equal(rill_io_read_frame(path, NULL, &frame, &error), RILL_FORMAT);
        assert_non_null(strstr(error.text, path));
        assert_null(frame.room);
    }
    assert_int_equal(rill_io_read_frame(in_folder(path, *state, "none"), NULL, &frame, &error), RILL_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(cut_frames_are_refused),  IN_A_FOLDER(changed_bytes_never_crash),
        IN_A_FOLDER(lying_sizes_are_refused), IN_A_FOLDER(arrays_past_the_end_are_refused),
        IN_A_FOLDER(other_files_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
