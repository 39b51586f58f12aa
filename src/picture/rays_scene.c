/* SPDX-License-Identifier: MIT */
/* Puts water, solids and floor together for the rays. */
#include "core/error.h"
#include "picture/fluid_mesh.h"
#include "picture/rays.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static ray_object *add_object(ray_scene *s, int vertices, int triangles, bool normals) {
    if (s->count == s->room) {
        const int room = s->room ? 2 * s->room : 16;
        ray_object *objects = realloc(s->objects, (size_t)room * sizeof *objects);
        if (!objects) return NULL;
        s->objects = objects, s->room = room;
    }
    ray_object *o = &s->objects[s->count];
    *o = (ray_object){.vertex_count = vertices, .triangle_count = triangles};
    /* Embree reads sixteen bytes at a time: one vertex more. */
    o->position = calloc((size_t)vertices + 2, sizeof *o->position);
    o->normal = normals ? calloc((size_t)vertices + 1, sizeof *o->normal) : NULL;
    o->index = calloc(3 * (size_t)triangles + 1, sizeof *o->index);
    if (!o->position || !o->index || (normals && !o->normal)) {
        free(o->position);
        free(o->normal);
        free(o->index);
        return NULL;
    }
    s->count++;
    return o;
}

static void attach(ray_scene *s, int k) {
    ray_object *o = &s->objects[k];
    RTCGeometry geometry = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, o->position, 0,
                               sizeof *o->position, (size_t)o->vertex_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, o->index, 0, 3 * sizeof *o->index,
                               (size_t)o->triangle_count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(s->scene, geometry, (unsigned)k);
    rtcReleaseGeometry(geometry);
}

/* ---- water ---- */

/* How a liquid absorbs light; at a third of the picture's depth it has its colour. */
static rgb tint_of(const ray_scene *s, int fluid) {
    static const rgb water = {4.6f, 1.25f, 0.60f}, amber = {0.25f, 1.1f, 4.5f}, oil = {0.35f, 0.6f, 3.0f};
    rgb sigma = water;
    if (fluid < s->d->frame->fluid_count) {
        const rill_fluid_def *def = &s->d->frame->fluid[fluid];
        if (def->viscosity > 0.5f)
            sigma = amber;
        else if (def->density < 960.0f)
            sigma = oil;
    }
    const float length = 0.6f * s->size;
    return (rgb){sigma.r / length, sigma.g / length, sigma.b / length};
}

static rill_status add_fluid(ray_scene *s, int fluid, rill_error *error) {
    fluid_mesh mesh;
    const rill_surface_mesh *shape = &mesh.shape;
    rill_status status = rill_fluid_mesh_make(&mesh, s->d, fluid, NULL, error);
    ray_object *o = NULL;
    if (status == RILL_OK && shape->element_count > 0) {
        o = add_object(s, shape->vertex_count, shape->element_count, true);
        if (!o) status = rill_fail(error, RILL_MEMORY, "not enough memory to draw %d triangles", shape->element_count);
    }
    if (o) {
        o->kind = RAY_WATER, o->color = tint_of(s, fluid > 0 ? fluid : 0);
        memcpy(o->position, shape->position, (size_t)shape->vertex_count * sizeof *o->position);
        memcpy(o->normal, shape->normal, (size_t)shape->vertex_count * sizeof *o->normal);
        for (int k = 0; k < 3 * shape->element_count; k++) o->index[k] = (uint32_t)shape->index[k];
    }
    rill_fluid_mesh_free(&mesh);
    return status;
}

static rill_status add_water(ray_scene *s, rill_error *error) {
    const int fluids = rill_fluid_mesh_count(s->d);
    if (fluids == 1) return add_fluid(s, -1, error);
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && k < fluids; k++) status = add_fluid(s, k, error);
    return status;
}

/* ---- solids ---- */
/* Bodies in warm colours that differ, what stands still in grey. */
static rgb solid_color(const rill_frame_solid *solid) {
    static const rgb bodies[] = {{0.80f, 0.36f, 0.14f}, {0.78f, 0.60f, 0.18f}, {0.62f, 0.18f, 0.16f},
                                 {0.30f, 0.45f, 0.22f}, {0.55f, 0.38f, 0.24f}, {0.68f, 0.66f, 0.60f}};
    if (solid->body < 0) return (rgb){0.30f, 0.32f, 0.36f};
    return bodies[solid->body % (int)(sizeof bodies / sizeof *bodies)];
}

static rill_status add_solid(ray_scene *s, int number, rill_error *error) {
    const rill_frame_solid *solid = &s->d->frame->solid[number];
    rill_shape_surface mesh;
    rill_status status =
        rill_shape_surface_make(rill_frame_shape(s->d->frame, number), 3, 0.02 * (double)s->size, &mesh, error);
    ray_object *o = NULL;
    if (status == RILL_OK && mesh.cell_count > 0) {
        o = add_object(s, mesh.point_count, mesh.cell_count, false);
        if (!o) status = rill_fail(error, RILL_MEMORY, "not enough memory to draw the solids");
    }
    if (o) {
        o->kind = RAY_SOLID, o->solid = number, o->color = solid_color(solid);
        for (int v = 0; v < mesh.point_count; v++)
            o->position[v] = rill_transform_point(&solid->transform, mesh.point[v]);
        for (int k = 0; k < 3 * mesh.cell_count; k++) o->index[k] = (uint32_t)mesh.cell[k];
    }
    rill_shape_surface_free(&mesh);
    return status;
}

/* A thin bar between two corners of a tank, along an axis. */
static void add_rod(ray_scene *s, rill_vec a, rill_vec b) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    ray_object *o = add_object(s, 8, 12, false);
    const float r = 0.0012f * s->size;
    if (!o) return;
    o->kind = RAY_ROD, o->color = (rgb){0.25f, 0.27f, 0.30f};
    const rill_vec low = {fminf(a.x, b.x) - r, fminf(a.y, b.y) - r, fminf(a.z, b.z) - r};
    const rill_vec high = {fmaxf(a.x, b.x) + r, fmaxf(a.y, b.y) + r, fmaxf(a.z, b.z) + r};
    for (int k = 0; k < 8; k++)
        o->position[k] = (rill_vec){k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
    memcpy(o->index, faces, sizeof faces);
}

/* Of a tank only floor and edges are seen: its walls are glass of the best kind. */
static void add_tank(ray_scene *s, const rill_shape *shape, rill_vec offset) {
    const rill_vec low = vec_add(shape->min, offset), high = vec_add(shape->max, offset);
    const float x[2] = {low.x, high.x}, y[2] = {low.y, high.y};
    if (high.x - low.x > 4.0f * s->size || high.y - low.y > 4.0f * s->size) return;
    const float top = fminf(high.z, s->d->bounds.max.z + 0.25f * s->size);
    for (int k = 0; k < 4; k++)
        add_rod(s, (rill_vec){x[k & 1], y[k >> 1], low.z}, (rill_vec){x[k & 1], y[k >> 1], top});
    for (int k = 0; k < 2; k++) {
        add_rod(s, (rill_vec){x[0], y[k], top}, (rill_vec){x[1], y[k], top});
        add_rod(s, (rill_vec){x[k], y[0], top}, (rill_vec){x[k], y[1], top});
    }
}

static rill_status add_solids(ray_scene *s, rill_error *error) {
    const rill_frame *frame = s->d->frame;
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && k < frame->solid_count; k++) {
        const rill_shape *shape = rill_frame_shape(frame, k);
        if (shape->inside && shape->kind == RILL_BOX) add_tank(s, shape, rill_picture_offset(frame, k));
        if (!shape->inside && shape->kind != RILL_HALF_SPACE) status = add_solid(s, k, error);
    }
    return status;
}

/* Where things stand: on the highest level ground that lies below the fluid, or else just under everything. */
static float find_floor(const ray_scene *s) {
    const rill_frame *frame = s->d->frame;
    float floor_z = -FLT_MAX;
    const float highest = s->d->bounds.min.z + 0.5f * (s->d->bounds.max.z - s->d->bounds.min.z);
    for (int k = 0; k < frame->solid_count; k++) {
        const rill_shape *shape = rill_frame_shape(frame, k);
        const float rise = rill_picture_offset(frame, k).z;
        float z = -FLT_MAX;
        if (shape->kind == RILL_HALF_SPACE && shape->normal.z > 0.99f * vec_length(shape->normal))
            z = shape->position.z + rise;
        if (shape->kind == RILL_BOX && shape->inside) z = shape->min.z + rise;
        if (z < highest) floor_z = fmaxf(floor_z, z);
    }
    return floor_z > -FLT_MAX ? floor_z : s->d->bounds.min.z;
}

rill_status rill_ray_scene_make(ray_scene *s, drawing *d, rill_error *error) {
    *s = (ray_scene){.d = d};
    const rill_vec extent = vec_sub(d->bounds.max, d->bounds.min);
    s->size = vec_length(extent);
    s->middle = vec_scale(vec_add(d->bounds.min, d->bounds.max), 0.5f);
    s->tile = d->grid = (float)rill_picture_nice((double)fmaxf(extent.x, extent.y) / 6.0);
    s->sun = vec_unit((rill_vec){0.42f, -0.38f, 0.82f}, (rill_vec){0, 0, 1});
    /* A hair above the water's lowest face, or there would be air between water and floor. */
    s->floor_z = find_floor(s) + 0.02f * d->radius;
    s->device = rtcNewDevice("threads=1,set_affinity=0");
    if (!s->device)
        return rill_fail(error, RILL_MEMORY, "Embree cannot be started (error %d)", rtcGetDeviceError(NULL));
    s->scene = rtcNewScene(s->device);
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST);
    rill_status status = add_water(s, error);
    if (status == RILL_OK) status = add_solids(s, error);
    for (int k = 0; status == RILL_OK && k < s->count; k++) attach(s, k);
    if (status == RILL_OK) rtcCommitScene(s->scene);
    if (status == RILL_OK && rtcGetDeviceError(s->device) != RTC_ERROR_NONE)
        status = rill_fail(error, RILL_MEMORY, "Embree found no memory for the scene");
    return status;
}

void rill_ray_scene_free(ray_scene *s) {
    if (s->scene) rtcReleaseScene(s->scene);
    if (s->device) rtcReleaseDevice(s->device);
    for (int k = 0; k < s->count; k++) {
        free(s->objects[k].position);
        free(s->objects[k].normal);
        free(s->objects[k].index);
    }
    free(s->objects);
}
