/* SPDX-License-Identifier: MIT */
/* Writes frames of small worlds into a folder, and their values as plain text, for open_frames.py to compare. */
#include "io/bodies.h"
#include "io/places.h"

static rill_status write_expected(const rill_frame *frame, const char *path, rill_error *error) {
    io_file file;
    const rill_status status = rill_io_open(&file, path, error);
    if (status != RILL_OK) return status;
    const rill_view *ids = rill_frame_field(frame, "id"), *position = rill_frame_field(frame, "position");
    for (int k = 0; k < frame->count; k++) {
        const rill_vec x = rill_frame_vec(frame, position, k);
        const rill_vec v = rill_frame_vec(frame, rill_frame_field(frame, "velocity"), k);
        fprintf(file.stream, "%llu %.9g %.9g %.9g %.9g %.9g %.9g\n", (unsigned long long)rill_frame_uint(frame, ids, k),
                (double)x.x, (double)x.y, (double)x.z, (double)v.x, (double)v.y, (double)v.z);
    }
    return rill_io_commit(&file, error);
}

static rill_status write_world(const char *folder, const char *name, int dim, int count, rill_error *error) {
    char path[1024], file[64];
    rill_world *world = make_world(dim, count);
    if (!world) return RILL_INVALID;
    snprintf(file, sizeof file, "%s.vtp", name);
    rill_status status = write_world_with(rill_io_write_vtp, world, in_folder(path, folder, file), error);
    snprintf(file, sizeof file, "%s.ply", name);
    if (status == RILL_OK) status = write_world_with(rill_io_write_ply, world, in_folder(path, folder, file), error);
    snprintf(file, sizeof file, "%s.txt", name);
    if (status == RILL_OK) status = write_world_with(write_expected, world, in_folder(path, folder, file), error);
    rill_world_destroy(world);
    return status;
}

/* A tank, and a ball that falls in it, as surfaces. */
static rill_status write_bodies(const char *folder, const char *name, int dim, rill_error *error) {
    char path[1024];
    rill_world *world = make_world(dim, 0);
    if (!world) return RILL_INVALID;
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.inside = true, tank.shape.max = (rill_vec){2, 3, 4};
    rill_body_def ball = rill_body_def_default();
    ball.shape.kind = RILL_SPHERE, ball.shape.radius = 0.5f, ball.shape.position = (rill_vec){1, 1, dim == 3 ? 1 : 0};
    ball.velocity = (rill_vec){1, 0, 0};
    rill_status status = rill_world_add_solid(world, &tank, NULL);
    if (status == RILL_OK) status = rill_world_add_body(world, &ball, NULL);
    if (status == RILL_OK)
        status = write_world_with(rill_io_write_surfaces_vtp, world, in_folder(path, folder, name), error);
    rill_world_destroy(world);
    return status;
}

static rill_status write_series(const char *folder, rill_error *error) {
    static const io_series_entry entries[] = {{0.0, "flat.vtp"}, {0.1, "solid.vtp"}, {0.2, "a \"<b>\" & c.vtp"}};
    io_series series = {0};
    in_folder(series.path, folder, "series.pvd");
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && k < 3; k++)
        status = rill_io_series_add(&series, entries[k].time, entries[k].file, error);
    return status == RILL_OK ? rill_io_series_close(&series, error) : status;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    rill_error error = {RILL_OK, "the world could not be made"};
    if (rill_io_make_directory(argv[1], &error) != RILL_OK ||
        write_world(argv[1], "flat", 2, 5000, &error) != RILL_OK ||
        write_world(argv[1], "solid", 3, 100, &error) != RILL_OK ||
        write_world(argv[1], "empty", 3, 0, &error) != RILL_OK ||
        write_bodies(argv[1], "bodies_2d.vtp", 2, &error) != RILL_OK ||
        write_bodies(argv[1], "bodies_3d.vtp", 3, &error) != RILL_OK || write_series(argv[1], &error) != RILL_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    return 0;
}
