/* SPDX-License-Identifier: MIT */
/* Path tracing: liquids refract, reflect and absorb, solids and floor scatter, sky and sun are the lights. Sunlight on
   the floor is computed beforehand (pathtrace_floor.c). On solids under water it is tinted, but not refracted. */
#include "core/hash.h"
#include "picture/pathtrace.h"

#include <float.h>

#define CROSSINGS_MAX 64
#define DIFFUSE_MAX   2
#define SUN_RADIUS    0.03f /* [rad], larger than the real one, for soft shadows */
#define FAINT         0.004f
#define AIR           (-1)
#define CREASE        0.8f /* an edge is sharp if a corner's normal has a smaller cosine with the triangle's */

static const rgb black = {0, 0, 0}, white = {1, 1, 1};

/* ---- numbers ---- */
ray_random rill_ray_random(uint32_t pixel, uint32_t sample) {
    return (ray_random){rill_hash_mix(((uint64_t)pixel << 24) + sample), pixel, sample, 0};
}

float rill_ray_random_next(ray_random *r) {
    /* Fractional parts of the square roots of the first primes, times 2^32. */
    static const uint32_t steps[] = {1779033703u, 3144134277u, 1013904242u, 2773480762u, 1359893119u, 2600822924u,
                                     528734635u,  1541459225u, 3418070365u, 1654270250u, 2438529370u, 355462360u};
    uint32_t bits;
    if (r->dimension < sizeof steps / sizeof *steps) {
        const uint32_t shift = (uint32_t)rill_hash_mix(((uint64_t)r->pixel << 8) + r->dimension);
        bits = shift + steps[r->dimension++] * r->sample;
    } else {
        r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bits = (uint32_t)(r->state >> 32);
    }
    return (float)(bits >> 8) * (1.0f / 16777216.0f);
}

/* ---- sky ---- */
/* Bright at the horizon, blue above, with a glow around the sun that water reflects. */
static rgb sky(const ray_scene *s, rill_vec d, bool with_sun) {
    const ray_lights *l = &s->lights;
    const float up = sqrtf(fmaxf(d.z, 0.0f)), to_sun = fmaxf(vec_dot(d, s->sun), 0.0f);
    const float near = to_sun * to_sun, nearer = near * near * near * near;
    rgb color = rgb_add(rgb_mix(l->horizon, l->zenith, up), rgb_scale(l->glow, nearer));
    if (with_sun && to_sun > 0.9985f) color = rgb_add(color, l->disc);
    return color;
}

/* ---- geometry ---- */
typedef enum hit_kind { HIT_NOTHING, HIT_FLOOR, HIT_SOLID, HIT_LIQUID, HIT_WALL } hit_kind;

typedef struct ray_hit {
    hit_kind kind;
    float distance;
    const ray_object *object; /* of liquids and solids */
    rill_vec point;
    rill_vec flat;   /* normal of the triangle, out of liquid or solid; of a wall: out of the tank */
    rill_vec normal; /* the interpolated normal */
    rill_vec lift;   /* of solids: from the triangle to the round surface that it approximates */
    rgb color;       /* reflectance of a solid at the hit */
} ray_hit;

/* A ray and the media that it is in. */
typedef struct ray_path {
    rill_vec from, direction;
    float time;      /* of the shutter, 0 to 1 */
    uint32_t inside; /* meshes that it is in: for each liquid one bit for its mesh and one for its drops */
    bool in_tank;
    rgb share, light;
    bool straight; /* the path from the eye has only been reflected and refracted */
    int scattered;
} ray_path;

/* The liquid that a path is in; where meshes overlap, the first one. */
static int medium(const ray_path *p) {
    if (!p->inside || !p->in_tank) return AIR;
    int k = 0;
    while (!(p->inside >> k & 1u)) k++;
    return k / 2;
}

static float refraction(const ray_scene *s, int m) {
    return m == AIR ? 1.0f : s->liquids[m].refraction;
}

static rgb absorbed(const ray_scene *s, int m, float length) {
    if (m == AIR) return white;
    const rgb sigma = s->liquids[m].absorption;
    return (rgb){expf(-sigma.r * length), expf(-sigma.g * length), expf(-sigma.b * length)};
}

/* The part of a line that is inside all tanks: distances `enter` and `leave`, with the normals of the sides. */
typedef struct tank_span {
    float enter, leave;
    rill_vec enter_normal, leave_normal;
} tank_span;

static void cut_span(const ray_tank *t, rill_vec from, rill_vec direction, tank_span *span) {
    const rill_vec at = rill_transform_point_back(&t->transform, from);
    const rill_vec to = rill_transform_point_back(&t->transform, vec_add(from, direction));
    const float a[3] = {at.x, at.y, at.z}, d[3] = {to.x - at.x, to.y - at.y, to.z - at.z};
    const float low[3] = {t->min.x, t->min.y, t->min.z}, high[3] = {t->max.x, t->max.y, t->max.z};
    for (int k = 0; k < 3; k++) {
        const float step = fabsf(d[k]) > 1e-12f ? d[k] : 1e-12f, sign = step > 0.0f ? 1.0f : -1.0f;
        const float first = ((sign > 0.0f ? low[k] : high[k]) - a[k]) / step;
        const float last = ((sign > 0.0f ? high[k] : low[k]) - a[k]) / step;
        const rill_vec axis = {k == 0 ? sign : 0.0f, k == 1 ? sign : 0.0f, k == 2 ? sign : 0.0f};
        if (first > span->enter) {
            span->enter = first;
            span->enter_normal = vec_scale(rill_transform_direction(&t->transform, axis), -1.0f);
        }
        if (last < span->leave) {
            span->leave = last;
            span->leave_normal = rill_transform_direction(&t->transform, axis);
        }
    }
}

static tank_span span_of(const ray_scene *s, rill_vec from, rill_vec direction) {
    tank_span span = {.enter = -FLT_MAX, .leave = FLT_MAX};
    for (int k = 0; k < s->tank_count; k++) cut_span(&s->tanks[k], from, direction, &span);
    return span;
}

/* The normal of a corner; at a sharp edge, where the sides share no normal, that of the triangle. */
static rill_vec corner_normal(const ray_object *o, uint32_t corner, rill_vec flat) {
    const rill_vec n = o->normal[corner];
    return o->kind == RAY_SOLID && vec_dot(n, flat) < CREASE ? flat : n;
}

/* Interpolates the normal over a triangle, and finds the offset to the tangent planes of its corners: triangles of a
   round surface lie below it. Without the offset shadows start at the edges of triangles, with a jagged border (Hanika,
   "Hacking the shadow terminator", Ray Tracing Gems II, 2021). */
static void smooth_triangle(const ray_object *o, const struct RTCHit *query, ray_hit *hit) {
    const uint32_t *i = o->index + 3 * (size_t)query->primID;
    const float weights[3] = {1.0f - query->u - query->v, query->u, query->v};
    rill_vec smooth = {0};
    for (int k = 0; k < 3; k++) {
        const rill_vec n = corner_normal(o, i[k], hit->flat);
        const float below = vec_dot(vec_sub(o->position[i[k]], hit->point), n);
        smooth = vec_add(smooth, vec_scale(n, weights[k]));
        if (!o->later) hit->lift = vec_add(hit->lift, vec_scale(n, weights[k] * fmaxf(below, 0.0f)));
    }
    hit->normal = vec_unit(smooth, hit->flat);
}

static void smooth_hit(const ray_scene *s, const ray_object *o, const struct RTCHit *query, ray_hit *hit) {
    hit->normal = hit->flat;
    if (o->solid >= 0) {
        rill_vec smooth = hit->flat;
        const float distance = rill_frame_distance(s->d->frame, o->solid, hit->point, &smooth);
        if (vec_dot(smooth, hit->flat) <= 0.5f) return;
        hit->normal = vec_unit(smooth, hit->flat);
        if (!o->later) hit->lift = vec_scale(hit->normal, fmaxf(-distance, 0.0f));
    } else if (o->normal) {
        smooth_triangle(o, query, hit);
    }
}

static ray_hit find_object(const ray_scene *s, const ray_path *p, float near) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit query = {.ray = {.org_x = p->from.x,
                                      .org_y = p->from.y,
                                      .org_z = p->from.z,
                                      .tnear = near,
                                      .dir_x = p->direction.x,
                                      .dir_y = p->direction.y,
                                      .dir_z = p->direction.z,
                                      .time = p->time,
                                      .tfar = FLT_MAX,
                                      .mask = UINT32_MAX},
                              .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(s->scene, &context, &query);
    ray_hit hit = {.kind = HIT_NOTHING, .distance = query.ray.tfar};
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
    hit.object = &s->objects[query.hit.geomID];
    hit.kind = hit.object->kind == RAY_SOLID ? HIT_SOLID : HIT_LIQUID;
    hit.point = vec_add(p->from, vec_scale(p->direction, hit.distance));
    hit.flat = vec_unit((rill_vec){query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z}, (rill_vec){0, 0, 1});
    smooth_hit(s, hit.object, &query.hit, &hit);
    const bool dark = hit.object->dark && hit.object->dark[query.hit.primID];
    hit.color = dark ? hit.object->other : hit.object->color;
    return hit;
}

/* The first hit of a path. The walls of a tank count as hits too, because liquids end at them. */
static ray_hit find_hit(const ray_scene *s, const ray_path *p) {
    const float near = 2e-5f * s->size,
                down = p->direction.z < 0.0f ? (s->floor_z - p->from.z) / p->direction.z : -1.0f;
    ray_hit hit = find_object(s, p, near);
    if (down > near && down < hit.distance)
        hit = (ray_hit){.kind = HIT_FLOOR, .distance = down, .flat = {0, 0, 1}, .normal = {0, 0, 1}};
    if (s->tank_count > 0) {
        const tank_span span = span_of(s, p->from, p->direction);
        const float wall = p->in_tank ? span.leave : span.enter < span.leave ? span.enter : -1.0f;
        if (wall < hit.distance && (p->in_tank || wall > near)) {
            hit = (ray_hit){.kind = HIT_WALL, .distance = fmaxf(wall, 0.0f)};
            hit.flat = hit.normal = p->in_tank ? span.leave_normal : span.enter_normal;
        }
    }
    hit.point = vec_add(p->from, vec_scale(p->direction, hit.distance));
    return hit;
}

static ray_path path_from(const ray_scene *s, rill_vec from, rill_vec direction, float time) {
    ray_path p = {.from = from, .direction = direction, .time = time, .share = white, .light = black, .straight = true};
    const tank_span span = span_of(s, from, direction);
    p.in_tank = span.enter <= 0.0f && span.leave > 0.0f;
    return p;
}

/* ---- surfaces ---- */
static rill_vec around(rill_vec axis, float across, float along, float angle) {
    const rill_vec side =
        vec_unit(vec_cross(axis, fabsf(axis.x) < 0.8f ? (rill_vec){1, 0, 0} : (rill_vec){0, 1, 0}), axis);
    const rill_vec other = vec_cross(axis, side);
    const rill_vec off = vec_add(vec_scale(side, across * cosf(angle)), vec_scale(other, across * sinf(angle)));
    return vec_unit(vec_add(off, vec_scale(axis, along)), axis);
}

static rill_vec cosine_direction(rill_vec n, ray_random *random) {
    const float u = rill_ray_random_next(random), angle = 6.2831853f * rill_ray_random_next(random);
    return around(n, sqrtf(u), sqrtf(fmaxf(1.0f - u, 0.0f)), angle);
}

static rill_vec toward_sun(const ray_scene *s, ray_random *random) {
    const float r = SUN_RADIUS * sqrtf(rill_ray_random_next(random));
    return around(s->sun, r, 1.0f, 6.2831853f * rill_ray_random_next(random));
}

/* Pale tiles with thin joints: straight lines show the refraction of the water. */
static rgb floor_color(const ray_scene *s, rill_vec p, float distance) {
    const float x = p.x / s->tile, y = p.y / s->tile;
    const float dx = fabsf(x - floorf(x) - 0.5f), dy = fabsf(y - floorf(y) - 0.5f);
    const float blur = 0.010f + 0.004f * distance / s->size;
    const float joint = fmaxf(fmaxf(dx, dy) - (0.5f - blur), 0.0f) / blur;
    const bool odd = ((int)floorf(x) + (int)floorf(y)) & 1;
    const rgb tile = rgb_mix(s->floor_color, s->joint_color, odd ? 0.22f : 0.0f);
    return rgb_mix(tile, s->joint_color, 0.8f * fminf(joint, 1.0f));
}

/* The reflected share (Fresnel); `eta` is the refractive index on this side divided by that on the other. */
static float fresnel(float cosine, float eta) {
    const float k = 1.0f - eta * eta * (1.0f - cosine * cosine);
    if (k <= 0.0f) return 1.0f;
    const float through = sqrtf(k);
    const float a = (eta * cosine - through) / (eta * cosine + through);
    const float b = (cosine - eta * through) / (cosine + eta * through);
    return 0.5f * (a * a + b * b);
}

/* Updates the media of a path for the far side of the hit. */
static void cross(ray_path *p, const ray_hit *hit) {
    const bool outwards = vec_dot(hit->flat, p->direction) > 0.0f;
    if (hit->kind == HIT_WALL) {
        p->in_tank = !outwards;
        return;
    }
    const uint32_t bit = 1u << (2 * hit->object->liquid + (hit->object->kind == RAY_DROPS));
    p->inside = outwards ? p->inside & ~bit : p->inside | bit;
}

/* An interface as seen from the side of the ray. */
typedef struct interface {
    float mirrored; /* share */
    rill_vec normal, flat;
    float eta;
    bool optical; /* false: both sides are the same liquid, or both air */
} interface;

static interface interface_at(const ray_scene *s, const ray_path *p, const ray_hit *hit) {
    ray_path behind = *p;
    cross(&behind, hit);
    const int here = medium(p), there = medium(&behind);
    interface i = {.optical = here != there, .normal = hit->normal, .flat = hit->flat};
    if (!i.optical) return i;
    if (vec_dot(i.flat, p->direction) > 0.0f) i.flat = vec_scale(i.flat, -1.0f);
    if (vec_dot(i.normal, i.flat) < 0.0f) i.normal = vec_scale(i.normal, -1.0f);
    if (vec_dot(i.normal, p->direction) > -1e-3f) i.normal = i.flat;
    i.eta = refraction(s, here) / refraction(s, there);
    i.mirrored = fresnel(-vec_dot(i.normal, p->direction), i.eta);
    return i;
}

static void mirror(ray_path *p, const ray_hit *hit, const interface *i) {
    const float cosine = -vec_dot(i->normal, p->direction);
    rill_vec d = vec_add(p->direction, vec_scale(i->normal, 2.0f * cosine));
    if (vec_dot(d, i->flat) <= 0.0f)
        d = vec_add(p->direction, vec_scale(i->flat, -2.0f * vec_dot(i->flat, p->direction)));
    p->direction = vec_unit(d, i->flat);
    p->from = hit->point;
}

static void pass(ray_path *p, const ray_hit *hit, const interface *i) {
    if (i->optical) {
        const float cosine = -vec_dot(i->normal, p->direction);
        const float k = sqrtf(fmaxf(1.0f - i->eta * i->eta * (1.0f - cosine * cosine), 0.0f));
        const rill_vec d = vec_add(vec_scale(p->direction, i->eta), vec_scale(i->normal, i->eta * cosine - k));
        cross(p, hit);
        if (vec_dot(d, i->flat) < 0.0f) p->direction = vec_unit(d, p->direction);
    } else {
        cross(p, hit);
    }
    p->from = hit->point;
}

/* Share of the sun's light that reaches a point along a straight line. */
static rgb sun_share(const ray_scene *s, ray_path p, rill_vec d) {
    p.direction = d, p.share = white;
    for (int k = 0; k < 24; k++) {
        const ray_hit hit = find_hit(s, &p);
        p.share = rgb_times(p.share, absorbed(s, medium(&p), hit.kind == HIT_NOTHING ? 0.0f : hit.distance));
        if (hit.kind == HIT_NOTHING) return p.share;
        if (hit.kind == HIT_FLOOR || hit.kind == HIT_SOLID) return black;
        const interface i = interface_at(s, &p, &hit);
        /* Steep faces of waves and drops would reflect nearly all light. In reality light then arrives from other
           directions, so the loss is limited. */
        if (i.optical) p.share = rgb_scale(p.share, 1.0f - fminf(i.mirrored, 0.35f));
        cross(&p, &hit);
        p.from = hit.point;
    }
    return p.share;
}

bool rill_ray_sunbeam(const ray_scene *s, rill_vec from, rill_vec direction, rill_vec *point, rgb *share) {
    ray_path p = path_from(s, from, direction, 0.5f);
    for (int k = 0; k < 24; k++) {
        const ray_hit hit = find_hit(s, &p);
        if (hit.kind == HIT_NOTHING || hit.kind == HIT_SOLID) return false;
        p.share = rgb_times(p.share, absorbed(s, medium(&p), hit.distance));
        if (hit.kind == HIT_FLOOR) {
            *point = hit.point, *share = p.share;
            return true;
        }
        const interface i = interface_at(s, &p, &hit);
        if (i.optical && i.mirrored > 0.99f) {
            mirror(&p, &hit, &i);
        } else {
            if (i.optical) p.share = rgb_scale(p.share, 1.0f - i.mirrored);
            pass(&p, &hit, &i);
        }
    }
    return false;
}

/* ---- paths ---- */
/* Adds the sun's light and picks a new direction; false when the path has scattered often enough. */
static bool scatter(const ray_scene *s, ray_path *p, const ray_hit *hit, ray_random *random) {
    const rill_vec n = vec_dot(hit->normal, p->direction) < 0.0f ? hit->normal : vec_scale(hit->normal, -1.0f);
    const rgb albedo = hit->kind == HIT_SOLID ? hit->color : floor_color(s, hit->point, hit->distance);
    p->share = rgb_times(p->share, albedo);
    p->from = hit->point;
    rgb sun = black;
    if (hit->kind == HIT_FLOOR) {
        sun = rgb_scale(rill_ray_floor_at(s, hit->point), s->sun.z);
    } else {
        const rill_vec d = toward_sun(s, random);
        const float slope = vec_dot(n, d);
        ray_path seen = *p;
        if (vec_dot(n, hit->normal) > 0.0f) seen.from = vec_add(seen.from, hit->lift);
        if (slope > 0.0f && s->lights.sun.g > 0.0f) sun = rgb_scale(sun_share(s, seen, d), slope);
    }
    p->light = rgb_add(p->light, rgb_scale(rgb_times(p->share, rgb_times(sun, s->lights.sun)), 0.31830989f));
    p->straight = false;
    if (++p->scattered < DIFFUSE_MAX) {
        p->direction = cosine_direction(n, random);
        return true;
    }
    p->light = rgb_add(p->light, rgb_times(p->share, s->lights.ambient));
    return false;
}

/* The floor is infinite: far away it fades into the horizon. */
static bool fade(const ray_scene *s, ray_path *p, const ray_hit *hit) {
    if (hit->kind != HIT_FLOOR || p->scattered) return false;
    const float away = vec_length(vec_sub(hit->point, s->middle)) / s->size;
    const float haze = 1.0f - expf(-fmaxf(away - 1.2f, 0.0f) * 0.4f);
    const rill_vec level = vec_unit((rill_vec){p->direction.x, p->direction.y, 0.0f}, (rill_vec){1, 0, 0});
    p->light = rgb_add(p->light, rgb_scale(rgb_times(p->share, sky(s, level, false)), haze));
    p->share = rgb_scale(p->share, 1.0f - haze);
    return haze > 0.995f;
}

static rgb follow(const ray_scene *s, ray_path p, ray_random *random) {
    for (int k = 0; k < CROSSINGS_MAX; k++) {
        const ray_hit hit = find_hit(s, &p);
        if (hit.kind == HIT_NOTHING) return rgb_add(p.light, rgb_times(p.share, sky(s, p.direction, p.straight)));
        p.share = rgb_times(p.share, absorbed(s, medium(&p), hit.distance));
        if (fmaxf(fmaxf(p.share.r, p.share.g), p.share.b) < FAINT) return p.light;
        if (hit.kind == HIT_FLOOR || hit.kind == HIT_SOLID) {
            if (fade(s, &p, &hit) || !scatter(s, &p, &hit, random)) return p.light;
            continue;
        }
        const interface i = interface_at(s, &p, &hit);
        if (i.optical && rill_ray_random_next(random) < i.mirrored)
            mirror(&p, &hit, &i);
        else
            pass(&p, &hit, &i);
    }
    /* The path is trapped between drops; it gets ambient light instead. */
    return rgb_add(p.light, rgb_times(p.share, s->lights.ambient));
}

/* Where the eye's ray meets a liquid, both the reflected and the refracted path are followed: choosing one at random
   would make the rare reflections noisy. */
rgb rill_ray_light(const ray_scene *s, rill_vec from, rill_vec direction, ray_random *random) {
    ray_path start = path_from(s, from, direction, rill_ray_random_next(random));
    for (int k = 0; k < CROSSINGS_MAX; k++) {
        const ray_hit hit = find_hit(s, &start);
        if (hit.kind != HIT_LIQUID && hit.kind != HIT_WALL) return follow(s, start, random);
        const interface i = interface_at(s, &start, &hit);
        if (i.optical) {
            ray_path mirrored = start, through = start;
            mirror(&mirrored, &hit, &i), pass(&through, &hit, &i);
            const rgb above = i.mirrored > 0.0f ? follow(s, mirrored, random) : black;
            const rgb below = i.mirrored < 1.0f ? follow(s, through, random) : black;
            return rgb_add(rgb_scale(above, i.mirrored), rgb_scale(below, 1.0f - i.mirrored));
        }
        pass(&start, &hit, &i);
    }
    return follow(s, start, random);
}
