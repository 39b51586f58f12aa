/* SPDX-License-Identifier: MIT */
/* Surfaces of bodies and solids, and a table of the bodies' motion. */
#include "io/bodies.h"

#include "core/error.h"
#include "io/bytes.h"
#include "io/vtp.h"

#include <stdlib.h>
#include <string.h>

/* ---- surfaces at their present places ---- */

/* The surface of a solid and its motion. */
typedef struct placed_surface {
    rill_shape_surface mesh;
    const rill_transform *at;
    int32_t body;
} placed_surface;

typedef struct surface_set {
    placed_surface *items;
    int count, dim;
    uint32_t points, cells;
} surface_set;

static void set_free(surface_set *set) {
    for (int k = 0; set->items && k < set->count; k++) rill_shape_surface_free(&set->items[k].mesh);
    free(set->items);
}

static rill_status set_make(surface_set *set, const rill_frame *frame, rill_error *error) {
    *set = (surface_set){.count = frame->solid_count, .dim = frame->dim};
    set->items = calloc((size_t)set->count + 1, sizeof *set->items);
    if (!set->items) return rill_fail(error, RILL_MEMORY, "no memory for the surfaces of %d solids", set->count);
    for (int k = 0; k < set->count; k++) {
        placed_surface *item = &set->items[k];
        item->at = &frame->solid[k].transform, item->body = frame->solid[k].body;
        TRY(rill_shape_surface_make(rill_frame_shape(frame, k), set->dim, 0.0, &item->mesh, error));
        set->points += (uint32_t)item->mesh.point_count;
        set->cells += (uint32_t)item->mesh.cell_count;
    }
    return RILL_OK;
}

static rill_vec velocity_at(const rill_transform *t, rill_vec p) {
    const rill_vec w = t->angular_velocity, r = {p.x - t->centre.x, p.y - t->centre.y, p.z - t->centre.z};
    return (rill_vec){t->velocity.x + w.y * r.z - w.z * r.y, t->velocity.y + w.z * r.x - w.x * r.z,
                      t->velocity.z + w.x * r.y - w.y * r.x};
}

/* ---- VTK ---- */

static void put_size(FILE *stream, uint64_t bytes) {
    unsigned char size[8];
    io_put64(size, bytes);
    fwrite(size, 1, sizeof size, stream);
}

static void put_word(FILE *stream, uint32_t word) {
    unsigned char bytes[4];
    io_put32(bytes, word);
    fwrite(bytes, 1, sizeof bytes, stream);
}

static void put_vec(FILE *stream, rill_vec v) {
    uint32_t words[3];
    memcpy(words, &v, sizeof words);
    for (int k = 0; k < 3; k++) put_word(stream, words[k]);
}

static void declare(FILE *stream, const char *type, const char *name, int components, uint64_t count,
                    uint64_t *offset) {
    fprintf(stream,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)*offset);
    *offset += 8 + 4 * count * (uint64_t)components;
}

static void write_head(FILE *stream, const surface_set *set, double time) {
    const char *part = set->dim == 2 ? "Lines" : "Polys";
    uint64_t offset = 0;
    vtp_begin(stream, time);
    vtp_piece(stream, set->points, 0, set->dim == 2 ? set->cells : 0, set->dim == 3 ? set->cells : 0);
    declare(stream, "Float32", "Points", 3, set->points, &offset);
    fputs("</Points>\n<PointData>\n", stream);
    declare(stream, "Float32", "velocity", 3, set->points, &offset);
    fputs("</PointData>\n<CellData>\n", stream);
    declare(stream, "Int32", "solid", 1, set->cells, &offset);
    declare(stream, "Int32", "body", 1, set->cells, &offset);
    fprintf(stream, "</CellData>\n<%s>\n", part);
    declare(stream, "Int32", "connectivity", 1, (uint64_t)set->cells * (uint64_t)set->dim, &offset);
    declare(stream, "Int32", "offsets", 1, set->cells, &offset);
    fprintf(stream, "</%s>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", part);
}

static void write_points(FILE *stream, const surface_set *set, bool velocity) {
    put_size(stream, 12 * (uint64_t)set->points);
    for (int k = 0; k < set->count; k++) {
        const placed_surface *item = &set->items[k];
        for (int n = 0; n < item->mesh.point_count; n++) {
            const rill_vec p = rill_transform_point(item->at, item->mesh.point[n]);
            put_vec(stream, velocity ? velocity_at(item->at, p) : p);
        }
    }
}

static void write_cells(FILE *stream, const surface_set *set) {
    for (int column = 0; column < 2; column++) {
        put_size(stream, 4 * (uint64_t)set->cells);
        for (int k = 0; k < set->count; k++)
            for (int n = 0; n < set->items[k].mesh.cell_count; n++)
                put_word(stream, column == 0 ? (uint32_t)k : (uint32_t)set->items[k].body);
    }
    put_size(stream, 4 * (uint64_t)set->cells * (uint64_t)set->dim);
    uint32_t first = 0;
    for (int k = 0; k < set->count; k++) {
        const rill_shape_surface *mesh = &set->items[k].mesh;
        for (int n = 0; n < mesh->cell_count * mesh->corners; n++) put_word(stream, first + (uint32_t)mesh->cell[n]);
        first += (uint32_t)mesh->point_count;
    }
    put_size(stream, 4 * (uint64_t)set->cells);
    for (uint32_t n = 1; n <= set->cells; n++) put_word(stream, n * (uint32_t)set->dim);
}

rill_status rill_io_write_surfaces_vtp(const rill_frame *frame, const char *path, rill_error *error) {
    surface_set set;
    io_file file;
    rill_status status = set_make(&set, frame, error);
    if (status == RILL_OK) status = rill_io_open(&file, path, error);
    if (status == RILL_OK) {
        write_head(file.stream, &set, frame->time);
        write_points(file.stream, &set, false);
        write_points(file.stream, &set, true);
        write_cells(file.stream, &set);
        vtp_end(file.stream);
        status = rill_io_commit(&file, error);
    }
    set_free(&set);
    return status;
}

/* ---- OBJ ---- */

rill_status rill_io_write_body_obj(const rill_frame *frame, int body, const char *path, rill_error *error) {
    if (body < 0 || body >= frame->body_count)
        return rill_fail(error, RILL_NOT_FOUND, "%s: there is no body number %d", path, body);
    const rill_frame_body *b = &frame->body[body];
    const rill_vec centre = b->state.centre;
    rill_shape_surface mesh;
    io_file file;
    rill_status status = rill_shape_surface_make(rill_frame_shape(frame, b->solid), frame->dim, 0.0, &mesh, error);
    if (status == RILL_OK) status = rill_io_open(&file, path, error);
    if (status == RILL_OK) {
        fprintf(file.stream, "# A body in its own frame: the centre of mass is at the origin.\no ");
        for (const char *c = b->name; *c; c++) fputc(*c > ' ' ? *c : '_', file.stream);
        fputc('\n', file.stream);
        for (int k = 0; k < mesh.point_count; k++)
            fprintf(file.stream, "v %.9g %.9g %.9g\n", (double)(mesh.point[k].x - centre.x),
                    (double)(mesh.point[k].y - centre.y), (double)(mesh.point[k].z - centre.z));
        for (int k = 0; k < mesh.cell_count; k++) {
            const int32_t *cell = mesh.cell + (size_t)k * (size_t)mesh.corners;
            if (mesh.corners == 2)
                fprintf(file.stream, "l %d %d\n", (int)cell[0] + 1, (int)cell[1] + 1);
            else
                fprintf(file.stream, "f %d %d %d\n", (int)cell[0] + 1, (int)cell[1] + 1, (int)cell[2] + 1);
        }
        status = rill_io_commit(&file, error);
    }
    rill_shape_surface_free(&mesh);
    return status;
}

/* ---- motion ---- */

static const char *const flat_columns[] = {"time", "x",  "y",  "angle",  "vx",     "vy",
                                           "spin", "fx", "fy", "torque", "asleep", "body"};
static const char *const space_columns[] = {"time", "x",  "y",  "z",  "qx", "qy", "qz", "qw", "vx", "vy",     "vz",
                                            "wx",   "wy", "wz", "fx", "fy", "fz", "tx", "ty", "tz", "asleep", "body"};
enum { MOTION_MAX = sizeof space_columns / sizeof *space_columns };

io_csv *rill_io_motion_open(const char *path, int dim, double keep_until, rill_error *error) {
    return dim == 2
               ? rill_io_csv_open(path, flat_columns, sizeof flat_columns / sizeof *flat_columns, keep_until, error)
               : rill_io_csv_open(path, space_columns, MOTION_MAX, keep_until, error);
}

static int put_components(double *out, rill_vec v, int count) {
    const float parts[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3 && k < count; k++) out[k] = (double)parts[k];
    return count;
}

/* A place in the coordinates of the scene. */
static int put_place(double *out, rill_vec place, rill_vec origin, int count) {
    const float parts[3] = {place.x, place.y, place.z}, from[3] = {origin.x, origin.y, origin.z};
    for (int k = 0; k < 3 && k < count; k++) out[k] = (double)from[k] + (double)parts[k];
    return count;
}

static void motion_row(double *values, const rill_frame *frame, const rill_body_state *s) {
    const int dim = frame->dim;
    int n = 0;
    values[n++] = frame->time;
    n += put_place(values + n, s->position, frame->origin, dim);
    if (dim == 2) values[n++] = (double)s->angle;
    for (int k = 0; dim == 3 && k < 4; k++) values[n++] = (double)s->quaternion[k];
    n += put_components(values + n, s->velocity, dim);
    if (dim == 2) values[n++] = (double)s->angular_velocity.z;
    if (dim == 3) n += put_components(values + n, s->angular_velocity, 3);
    n += put_components(values + n, s->force, dim);
    if (dim == 2) values[n++] = (double)s->torque.z;
    if (dim == 3) n += put_components(values + n, s->torque, 3);
    values[n] = s->asleep;
}

rill_status rill_io_motion_rows(io_csv *csv, const rill_frame *frame, rill_error *error) {
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && k < frame->body_count; k++) {
        double values[MOTION_MAX];
        motion_row(values, frame, &frame->body[k].state);
        status = rill_io_csv_row_named(csv, values, frame->body[k].name, error);
    }
    return status;
}
