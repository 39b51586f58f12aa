/* SPDX-License-Identifier: MIT */
/* Puts liquids, solids and cloth into Embree's scene, and sets floor and lights. */
#include "core/error.h"
#include "core/hash.h"
#include "picture/draw_cloth.h"
#include "picture/fluid_mesh.h"
#include "picture/pathtrace.h"

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
    /* Embree reads sixteen bytes at a time, past the end of the last vertex. */
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

/* Sets the vertices when the shutter opens and, with motion blur, when it closes. */
static void set_vertices(RTCGeometry geometry, enum RTCFormat format, const void *first, const void *later,
                         size_t stride, int count) {
    rtcSetGeometryTimeStepCount(geometry, later ? 2 : 1);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, format, first, 0, stride, (size_t)count);
    if (later) rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 1, format, later, 0, stride, (size_t)count);
}

static void attach(ray_scene *s, int k) {
    ray_object *o = &s->objects[k];
    const bool drops = o->kind == RAY_DROPS;
    RTCGeometry geometry =
        rtcNewGeometry(s->device, drops ? RTC_GEOMETRY_TYPE_SPHERE_POINT : RTC_GEOMETRY_TYPE_TRIANGLE);
    if (drops) {
        set_vertices(geometry, RTC_FORMAT_FLOAT4, o->ball, o->ball_later, 4 * sizeof *o->ball, o->vertex_count);
    } else {
        set_vertices(geometry, RTC_FORMAT_FLOAT3, o->position, o->later, sizeof *o->position, o->vertex_count);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, o->index, 0,
                                   3 * sizeof *o->index, (size_t)o->triangle_count);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(s->scene, geometry, (unsigned)k);
    rtcReleaseGeometry(geometry);
}

/* ---- motion ---- */
/* The position of a point when the shutter opens (share -0.5) or closes (0.5). */
static rill_vec moved(const ray_scene *s, rill_vec p, rill_vec velocity, float share) {
    const rill_vec at = vec_add(p, vec_scale(velocity, share * s->d->def->shutter));
    return vec_finite(at) ? at : p;
}

/* The vertices when the shutter opens and closes; false if there is no memory. */
static bool blur_vertices(const ray_scene *s, ray_object *o, const rill_vec *velocity) {
    if (!(s->d->def->shutter > 0.0f)) return true;
    o->later = calloc((size_t)o->vertex_count + 2, sizeof *o->later);
    if (!o->later) return false;
    for (int v = 0; v < o->vertex_count; v++) {
        o->later[v] = moved(s, o->position[v], velocity[v], 0.5f);
        o->position[v] = moved(s, o->position[v], velocity[v], -0.5f);
    }
    return true;
}

/* ---- liquids ---- */
/* Clear water absorbs red (R. M. Pope and E. S. Fry, Applied Optics 36, 1997: 0.45, 0.07 and 0.02 1/m or less at 640,
   560 and 480 nm); the numbers of honey and oil are our own. A bucket of water has no visible colour. In scenes smaller
   than WATER_SIZE absorption is scaled up, by WATER_MOST at most, so that depth can be seen. */
#define WATER_SIZE 4.0f /* [m] */
#define WATER_MOST 4.0f
static rgb water_absorption(const ray_scene *s) {
    const float factor = fminf(fmaxf(WATER_SIZE / s->size, 1.0f), WATER_MOST);
    return (rgb){0.45f * factor, 0.07f * factor, 0.02f * factor};
}

static bool is_thick(const ray_scene *s, int fluid) {
    return fluid < s->d->frame->fluid_count && s->d->frame->fluid[fluid].viscosity > 0.5f;
}

static ray_liquid liquid_of(const ray_scene *s, int fluid) {
    static const ray_liquid honey = {{4.0f, 30.0f, 150.0f}, 1.49f}, oil = {{0.8f, 1.8f, 14.0f}, 1.47f};
    ray_liquid liquid = {water_absorption(s), 1.333f};
    if (fluid >= s->d->frame->fluid_count) return liquid;
    const rill_fluid_def *def = &s->d->frame->fluid[fluid];
    if (is_thick(s, fluid))
        liquid = honey;
    else if (def->density < 960.0f)
        liquid = oil;
    const picture_paint *paint = rill_picture_paint_of(s->d->def, def->name);
    if (!paint) return liquid;
    if (paint->refraction >= 1.0f) liquid.refraction = paint->refraction;
    const rill_vec seen = rill_picture_linear(paint->color);
    const float depth = paint->depth > 0.0f ? paint->depth : 0.1f, least = 1e-3f;
    if (paint->color.x >= 0.0f)
        liquid.absorption = (rgb){-logf(fmaxf(seen.x, least)) / depth, -logf(fmaxf(seen.y, least)) / depth,
                                  -logf(fmaxf(seen.z, least)) / depth};
    return liquid;
}

static rill_status no_memory(rill_error *error) {
    return rill_fail(error, RILL_MEMORY, "not enough memory to draw the liquid");
}

static rill_status add_mesh(ray_scene *s, const rill_surface_mesh *shape, int liquid, rill_error *error) {
    if (shape->element_count == 0) return RILL_OK;
    ray_object *o = add_object(s, shape->vertex_count, shape->element_count, true);
    if (!o) return no_memory(error);
    o->kind = RAY_LIQUID, o->liquid = liquid, o->solid = -1;
    memcpy(o->position, shape->position, (size_t)shape->vertex_count * sizeof *o->position);
    memcpy(o->normal, shape->normal, (size_t)shape->vertex_count * sizeof *o->normal);
    for (int k = 0; k < 3 * shape->element_count; k++) o->index[k] = (uint32_t)shape->index[k];
    return blur_vertices(s, o, shape->velocity) ? RILL_OK : no_memory(error);
}

/* A lone particle is drawn as spray: several small drops with its volume. Radii are relative to that of a ball with the
   whole volume; their cubes add up to one. */
#define SPRAY 8
static const float spray_radius[SPRAY] = {0.732f, 0.606f, 0.523f, 0.460f, 0.397f, 0.345f, 0.293f, 0.251f};

static void put_spray(const ray_scene *s, ray_object *o, int first, int particle, uint32_t id) {
    const rill_frame *frame = s->d->frame;
    const rill_vec place = picture_position(s->d, particle);
    const rill_vec velocity = rill_frame_vec(frame, rill_frame_field(frame, "velocity"), particle);
    const float spacing = 2.0f * s->d->radius, ball = 0.6203505f * spacing;
    for (int k = 0; k < SPRAY; k++) {
        const uint32_t item = id * SPRAY + (uint32_t)k;
        float off[3];
        /* The sum of two random numbers favours the middle; larger drops (small k) stay nearer to it. */
        for (int a = 0; a < 3; a++)
            off[a] = (rill_random_unit(1, item, (uint32_t)a) + rill_random_unit(2, item, (uint32_t)a) - 1.0f) *
                     spacing * (0.8f + 0.12f * (float)k);
        rill_vec at = vec_add(place, (rill_vec){off[0], off[1], off[2]});
        const float r = spray_radius[k] * ball;
        at.z = fmaxf(at.z, s->floor_z + 0.8f * r);
        const rill_vec begin = moved(s, at, velocity, -0.5f), end = moved(s, at, velocity, 0.5f);
        memcpy(o->ball + 4 * (first + k), (float[4]){begin.x, begin.y, begin.z, r}, 4 * sizeof(float));
        if (o->ball_later)
            memcpy(o->ball_later + 4 * (first + k), (float[4]){end.x, end.y, end.z, r}, 4 * sizeof(float));
    }
}

static rill_status add_drops(ray_scene *s, const rill_surface_mesh *shape, int liquid, rill_error *error) {
    const rill_view *id = rill_frame_field(s->d->frame, "id");
    if (shape->lone_count == 0) return RILL_OK;
    ray_object *o = add_object(s, 0, 0, false);
    if (!o) return no_memory(error);
    o->kind = RAY_DROPS, o->liquid = liquid, o->solid = -1;
    const size_t numbers = 4 * (size_t)SPRAY * (size_t)shape->lone_count;
    o->ball = malloc(numbers * sizeof *o->ball);
    o->ball_later = s->d->def->shutter > 0.0f ? malloc(numbers * sizeof *o->ball_later) : NULL;
    if (!o->ball || (s->d->def->shutter > 0.0f && !o->ball_later)) return no_memory(error);
    o->vertex_count = SPRAY * shape->lone_count;
    for (int k = 0; k < shape->lone_count; k++) {
        const int particle = shape->lone[k];
        put_spray(s, o, SPRAY * k, particle,
                  id ? (uint32_t)rill_frame_uint(s->d->frame, id, particle) : (uint32_t)particle);
    }
    return RILL_OK;
}

/* `fluid` -1: all fluids together. Thick fluids are drawn with droplets instead of spray. */
static rill_status add_fluid(ray_scene *s, int fluid, bool drops, rill_error *error) {
    fluid_mesh mesh;
    const int liquid = s->liquid_count;
    const bool drips = is_thick(s, fluid > 0 ? fluid : 0);
    if (liquid == RAY_LIQUIDS_MAX)
        return rill_fail(error, RILL_LIMIT, "at most %d liquids can be drawn", RAY_LIQUIDS_MAX - 1);
    rill_status status = rill_fluid_mesh_for_rays(&mesh, s->d, fluid, drips, error);
    s->liquids[s->liquid_count++] = liquid_of(s, fluid > 0 ? fluid : 0);
    if (status == RILL_OK) status = add_mesh(s, &mesh.shape, liquid, error);
    if (status == RILL_OK && drops && !drips) status = add_drops(s, &mesh.shape, liquid, error);
    rill_fluid_mesh_free(&mesh);
    return status;
}

static rill_status add_liquids(ray_scene *s, rill_error *error) {
    const int fluids = rill_fluid_mesh_count(s->d);
    rill_status status = RILL_OK;
    for (int k = 0; fluids > 1 && status == RILL_OK && k < fluids; k++) status = add_fluid(s, k, true, error);
    /* All fluids together come last, as the medium where no other mesh is: they close the gaps between two fluids. */
    return status == RILL_OK ? add_fluid(s, -1, fluids == 1, error) : status;
}

/* ---- solids ---- */
/* Bodies get colours that differ, solids that are no bodies pale stone. */
static rgb solid_color(const ray_scene *s, int number) {
    const rill_frame_solid *solid = &s->d->frame->solid[number];
    static const rgb bodies[] = {{0.80f, 0.30f, 0.10f}, {0.85f, 0.58f, 0.12f}, {0.60f, 0.10f, 0.09f},
                                 {0.16f, 0.38f, 0.30f}, {0.48f, 0.28f, 0.15f}, {0.75f, 0.72f, 0.66f}};
    const picture_paint *paint = rill_picture_paint_of_solid(s->d->def, s->d->frame, number);
    if (paint && paint->color.x >= 0.0f) {
        const rill_vec c = rill_picture_linear(paint->color);
        return (rgb){c.x, c.y, c.z};
    }
    if (solid->body < 0) return (rgb){0.56f, 0.55f, 0.53f};
    return bodies[solid->body % (int)(sizeof bodies / sizeof *bodies)];
}

/* A vertex and its position. Meshes repeat a vertex in each of its triangles; sorting by position finds the copies. */
typedef struct corner {
    rill_vec at;
    int vertex;
} corner;

static int by_place(const void *first, const void *second) {
    const rill_vec a = ((const corner *)first)->at, b = ((const corner *)second)->at;
    if (a.x != b.x) return a.x < b.x ? -1 : 1;
    if (a.y != b.y) return a.y < b.y ? -1 : 1;
    return a.z < b.z ? -1 : a.z > b.z;
}

/* Vertex normals of a mesh, weighted by the areas of the triangles at each position; false if there is no memory. */
static bool find_normals(ray_object *o) {
    corner *corners = malloc(((size_t)o->vertex_count + 1) * sizeof *corners);
    if (!corners) return false;
    for (int v = 0; v < o->vertex_count; v++) corners[v] = (corner){o->position[v], v};
    qsort(corners, (size_t)o->vertex_count, sizeof *corners, by_place);
    for (int t = 0; t < o->triangle_count; t++) {
        const uint32_t *i = o->index + 3 * (size_t)t;
        const rill_vec a = o->position[i[0]];
        const rill_vec area = vec_cross(vec_sub(o->position[i[1]], a), vec_sub(o->position[i[2]], a));
        for (int k = 0; k < 3; k++) o->normal[i[k]] = vec_add(o->normal[i[k]], area);
    }
    for (int first = 0, end; first < o->vertex_count; first = end) {
        rill_vec sum = {0};
        end = first;
        do sum = vec_add(sum, o->normal[corners[end].vertex]);
        while (++end < o->vertex_count && by_place(&corners[first], &corners[end]) == 0);
        for (int k = first; k < end; k++) o->normal[corners[k].vertex] = vec_unit(sum, (rill_vec){0, 0, 1});
    }
    free(corners);
    return true;
}

static bool is_round(const rill_shape *shape) {
    return shape->kind == RILL_SPHERE || shape->kind == RILL_CAPSULE || shape->kind == RILL_CYLINDER ||
           shape->kind == RILL_TORUS;
}

/* Blurs the surface of a body by the body's motion. */
static bool blur_body(const ray_scene *s, ray_object *o, int body) {
    if (!(s->d->def->shutter > 0.0f) || body < 0 || body >= s->d->frame->body_count) return true;
    const rill_body_state *state = &s->d->frame->body[body].state;
    rill_vec *velocity = malloc(((size_t)o->vertex_count + 1) * sizeof *velocity);
    if (!velocity) return false;
    for (int v = 0; v < o->vertex_count; v++)
        velocity[v] =
            vec_add(state->velocity, vec_cross(state->angular_velocity, vec_sub(o->position[v], state->position)));
    const bool fine = blur_vertices(s, o, velocity);
    free(velocity);
    return fine;
}

static rill_status add_solid(ray_scene *s, int number, rill_error *error) {
    const rill_frame_solid *solid = &s->d->frame->solid[number];
    const rill_shape *shape = rill_frame_shape(s->d->frame, number);
    rill_shape_surface mesh;
    rill_status status = rill_shape_surface_make(shape, 3, 0.006 * (double)s->size, &mesh, error);
    ray_object *o = NULL;
    if (status == RILL_OK && mesh.cell_count > 0) {
        o = add_object(s, mesh.point_count, mesh.cell_count, shape->kind == RILL_MESH);
        if (!o) status = rill_fail(error, RILL_MEMORY, "not enough memory to draw the solids");
    }
    if (o) {
        o->kind = RAY_SOLID, o->solid = is_round(shape) ? number : -1, o->color = solid_color(s, number);
        for (int v = 0; v < mesh.point_count; v++)
            o->position[v] = rill_transform_point(&solid->transform, mesh.point[v]);
        for (int k = 0; k < 3 * mesh.cell_count; k++) o->index[k] = (uint32_t)mesh.cell[k];
        if ((o->normal && !find_normals(o)) || !blur_body(s, o, solid->body))
            status = rill_fail(error, RILL_MEMORY, "not enough memory to draw the solids");
    }
    rill_shape_surface_free(&mesh);
    return status;
}

/* A thin bar between two corners of a tank, parallel to an axis. */
static void add_rod(ray_scene *s, rill_vec a, rill_vec b) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    ray_object *o = add_object(s, 8, 12, false);
    const float r = 0.0011f * s->size;
    if (!o) return;
    o->kind = RAY_SOLID, o->solid = -1, o->color = (rgb){0.34f, 0.36f, 0.38f};
    const rill_vec low = {fminf(a.x, b.x) - r, fminf(a.y, b.y) - r, fminf(a.z, b.z) - r};
    const rill_vec high = {fmaxf(a.x, b.x) + r, fmaxf(a.y, b.y) + r, fmaxf(a.z, b.z) + r};
    for (int k = 0; k < 8; k++)
        o->position[k] = (rill_vec){k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
    memcpy(o->index, faces, sizeof faces);
}

/* Of a tank only the floor and the edges are drawn; its walls are perfectly clear. */
static void add_edges(ray_scene *s, rill_vec low, rill_vec high) {
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

/* Beyond RAY_TANKS_MAX tanks, liquids end where their meshes end. */
static void add_tank(ray_scene *s, int number) {
    const rill_frame_solid *solid = &s->d->frame->solid[number];
    const rill_shape *shape = rill_frame_shape(s->d->frame, number);
    const rill_vec offset = rill_picture_offset(s->d->frame, number);
    if (s->tank_count < RAY_TANKS_MAX) {
        ray_tank *t = &s->tanks[s->tank_count++];
        *t = (ray_tank){shape->min, shape->max, solid->transform};
        /* A tank that stands on the floor is extended downwards, so that rays hit the floor before its bottom. */
        if (fabsf(shape->min.z + offset.z - s->floor_z) < 1e-3f * s->size) t->min.z -= s->size;
    }
    add_edges(s, vec_add(shape->min, offset), vec_add(shape->max, offset));
}

static rill_status add_solids(ray_scene *s, rill_error *error) {
    const rill_frame *frame = s->d->frame;
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && k < frame->solid_count; k++) {
        const rill_shape *shape = rill_frame_shape(frame, k);
        if (rill_picture_hides(s->d->def, frame, k)) continue;
        if (shape->inside && shape->kind == RILL_BOX) add_tank(s, k);
        if (!shape->inside && shape->kind != RILL_HALF_SPACE) status = add_solid(s, k, error);
    }
    return status;
}

/* ---- cloth ---- */
/* Each triangle has corners of its own; find_normals then gives corners at one position a common normal. */
static void add_piece(const rill_vec corner[3], bool dark, void *context) {
    ray_object *o = context;
    const int first = 3 * o->triangle_count;
    for (int k = 0; k < 3; k++) {
        o->position[first + k] = corner[k];
        o->index[first + k] = (uint32_t)(first + k);
    }
    o->dark[o->triangle_count++] = dark;
}

static rgb thread_color(bool dark) {
    const rgb stored = rill_picture_thread(dark);
    const rill_vec c = rill_picture_linear((rill_vec){stored.r, stored.g, stored.b});
    return (rgb){c.x, c.y, c.z};
}

/* Cloth is a sheet without an inside: it scatters light and separates no liquids. */
static rill_status add_cloth(ray_scene *s, rill_error *error) {
    const int count = rill_picture_cloth_count(s->d);
    if (count == 0) return RILL_OK;
    ray_object *o = add_object(s, 3 * count, count, true);
    if (o) o->dark = calloc((size_t)count, sizeof *o->dark);
    if (!o || !o->dark) return no_memory(error);
    o->kind = RAY_SOLID, o->solid = -1;
    o->color = thread_color(false), o->other = thread_color(true);
    o->triangle_count = 0;
    rill_picture_cloth_pieces(s->d, add_piece, o);
    return find_normals(o) ? RILL_OK : no_memory(error);
}

/* Height of the floor: the highest level ground below the middle of the bounds, or else their lower end. */
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

/* A clear day: warm sunlight, blue shadows. */
static void put_lights(ray_scene *s) {
    s->sun = vec_unit((rill_vec){0.45f, 0.30f, 0.84f}, (rill_vec){0, 0, 1});
    s->lights = (ray_lights){.horizon = {0.56f, 0.68f, 0.84f},
                             .zenith = {0.06f, 0.16f, 0.44f},
                             .glow = {0.90f, 0.78f, 0.60f},
                             .sun = {5.4f, 4.8f, 4.0f},
                             .disc = {40.0f, 36.0f, 30.0f},
                             .ambient = {0.24f, 0.28f, 0.35f}};
    s->floor_color = (rgb){0.44f, 0.42f, 0.39f};
    s->joint_color = (rgb){0.22f, 0.22f, 0.23f};
}

static rill_status start_embree(ray_scene *s, rill_error *error) {
    s->device = rtcNewDevice("threads=1,set_affinity=0");
    if (!s->device)
        return rill_fail(error, RILL_MEMORY, "Embree cannot be started (error %d)", rtcGetDeviceError(NULL));
    s->scene = rtcNewScene(s->device);
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST);
    return RILL_OK;
}

rill_status rill_ray_scene_make(ray_scene *s, drawing *d, rill_error *error) {
    *s = (ray_scene){.d = d};
    const rill_vec extent = vec_sub(d->bounds.max, d->bounds.min);
    s->size = vec_length(extent);
    s->middle = vec_scale(vec_add(d->bounds.min, d->bounds.max), 0.5f);
    s->tile = d->grid = (float)rill_picture_nice((double)fmaxf(extent.x, extent.y) / 6.0);
    s->floor_z = find_floor(s);
    put_lights(s);
    TRY(start_embree(s, error));
    TRY(add_liquids(s, error));
    TRY(add_solids(s, error));
    TRY(add_cloth(s, error));
    for (int k = 0; k < s->count; k++) attach(s, k);
    rtcCommitScene(s->scene);
    if (rtcGetDeviceError(s->device) != RTC_ERROR_NONE)
        return rill_fail(error, RILL_MEMORY, "Embree found no memory for the scene");
    return RILL_OK;
}

void rill_ray_scene_free(ray_scene *s) {
    if (s->scene) rtcReleaseScene(s->scene);
    if (s->device) rtcReleaseDevice(s->device);
    for (int k = 0; k < s->count; k++) {
        free(s->objects[k].position);
        free(s->objects[k].later);
        free(s->objects[k].normal);
        free(s->objects[k].index);
        free(s->objects[k].dark);
        free(s->objects[k].ball);
        free(s->objects[k].ball_later);
    }
    free(s->objects);
    free(s->floor_light.map);
}
