/* SPDX-License-Identifier: MIT */
/* Path tracing: water refracts, reflects and absorbs, solids and floor scatter, sky and sun shine. Water lets the sun's
   light through on straight lines, tinted: caustics are left out, and with them their noise. */
#include "picture/rays.h"

#include <float.h>

#define REFRACTION  1.333f
#define BOUNCES_MAX 16
#define DIFFUSE_MAX 3
#define SUN_RADIUS  0.035f /* [rad], larger than the real one: soft shadows */
/* Light that water scatters: its share under water, and how much water it came through, in sizes of the picture. */
#define MURK_SHARE 0.45f
#define MURK_DEPTH 0.15f

static const rgb sun_light = {4.2f, 3.8f, 3.2f}, sky_mean = {0.50f, 0.60f, 0.76f};
static const rgb black = {0, 0, 0}, white = {1, 1, 1};

static rgb rgb_times(rgb a, rgb b) {
    return (rgb){a.r * b.r, a.g * b.g, a.b * b.b};
}

static rgb rgb_scale(rgb a, float s) {
    return (rgb){a.r * s, a.g * s, a.b * s};
}

static rgb rgb_add(rgb a, rgb b) {
    return (rgb){a.r + b.r, a.g + b.g, a.b + b.b};
}

static rgb absorbed(rgb sigma, float length) {
    return (rgb){expf(-sigma.r * length), expf(-sigma.g * length), expf(-sigma.b * length)};
}

/* Bright at the horizon, blue above, and a large soft window of light behind the viewer for water to mirror. */
static rgb sky(const ray_scene *s, rill_vec d, bool with_sun) {
    const float up = fmaxf(d.z, 0.0f), share = powf(up, 0.45f);
    rgb color = rgb_mix((rgb){0.74f, 0.80f, 0.88f}, (rgb){0.14f, 0.30f, 0.58f}, share);
    const float to_sun = vec_dot(d, s->sun);
    color = rgb_add(color, rgb_scale((rgb){1.0f, 0.9f, 0.75f}, 0.5f * powf(fmaxf(to_sun, 0.0f), 24.0f)));
    if (with_sun && to_sun > 0.9985f) color = rgb_add(color, (rgb){18.0f, 16.5f, 14.0f});
    return color;
}

/* ---- geometry ---- */
typedef struct ray_hit {
    float distance;
    const ray_object *object; /* NULL: the floor */
    rill_vec point, normal;   /* the normal as it was made: out of the water, out of the solid */
    bool there;
} ray_hit;

static rill_vec triangle_normal(const ray_object *o, const struct RTCHit *hit) {
    const rill_vec flat = vec_unit((rill_vec){hit->Ng_x, hit->Ng_y, hit->Ng_z}, (rill_vec){0, 0, 1});
    if (!o->normal) return flat;
    const uint32_t *i = o->index + 3 * (size_t)hit->primID;
    const float w = 1.0f - hit->u - hit->v;
    const rill_vec sum = vec_add(vec_add(vec_scale(o->normal[i[0]], w), vec_scale(o->normal[i[1]], hit->u)),
                                 vec_scale(o->normal[i[2]], hit->v));
    return vec_unit(sum, flat);
}

static ray_hit find_hit(const ray_scene *s, rill_vec from, rill_vec d, float near, float far) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit query = {.ray = {.org_x = from.x,
                                      .org_y = from.y,
                                      .org_z = from.z,
                                      .tnear = near,
                                      .dir_x = d.x,
                                      .dir_y = d.y,
                                      .dir_z = d.z,
                                      .tfar = far,
                                      .mask = UINT32_MAX},
                              .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(s->scene, &context, &query);
    ray_hit hit = {.distance = query.ray.tfar, .there = query.hit.geomID != RTC_INVALID_GEOMETRY_ID};
    const float down = d.z < 0.0f ? (s->floor_z - from.z) / d.z : FLT_MAX;
    if (down > near && down < hit.distance) {
        hit = (ray_hit){.distance = down, .there = true, .normal = {0, 0, 1}};
    } else if (hit.there) {
        hit.object = &s->objects[query.hit.geomID];
        hit.normal = triangle_normal(hit.object, &query.hit);
    }
    hit.point = vec_add(from, vec_scale(d, hit.distance));
    if (hit.object && hit.object->kind == RAY_SOLID) {
        /* Triangles are flat, the solid is not. */
        rill_vec smooth = hit.normal;
        (void)rill_frame_distance(s->d->frame, hit.object->solid, hit.point, &smooth);
        if (vec_dot(smooth, hit.normal) > 0.5f) hit.normal = vec_unit(smooth, hit.normal);
    }
    return hit;
}

/* ---- surfaces ---- */
static rill_vec cosine_direction(rill_vec n, ray_random *random) {
    const float u = ray_random_next(random), angle = 6.2831853f * ray_random_next(random), r = sqrtf(u);
    const rill_vec side = vec_unit(vec_cross(n, fabsf(n.x) < 0.8f ? (rill_vec){1, 0, 0} : (rill_vec){0, 1, 0}), n);
    const rill_vec other = vec_cross(n, side);
    const rill_vec flat = vec_add(vec_scale(side, r * cosf(angle)), vec_scale(other, r * sinf(angle)));
    return vec_unit(vec_add(flat, vec_scale(n, sqrtf(fmaxf(1.0f - u, 0.0f)))), n);
}

static rill_vec toward_sun(const ray_scene *s, ray_random *random) {
    const float r = SUN_RADIUS * sqrtf(ray_random_next(random)), angle = 6.2831853f * ray_random_next(random);
    const rill_vec side = vec_unit(vec_cross(s->sun, (rill_vec){0, 1, 0}), (rill_vec){1, 0, 0});
    const rill_vec other = vec_cross(s->sun, side);
    const rill_vec off = vec_add(vec_scale(side, r * cosf(angle)), vec_scale(other, r * sinf(angle)));
    return vec_unit(vec_add(s->sun, off), s->sun);
}

/* Pale tiles with fine joints: something straight for the water to bend. */
static rgb floor_color(const ray_scene *s, rill_vec p, float distance) {
    const float x = p.x / s->tile, y = p.y / s->tile;
    const float dx = fabsf(x - floorf(x) - 0.5f), dy = fabsf(y - floorf(y) - 0.5f);
    const float blur = 0.012f + 0.004f * distance / s->size;
    const float joint = fmaxf(fmaxf(dx, dy) - (0.5f - blur), 0.0f) / blur;
    const bool odd = ((int)floorf(x) + (int)floorf(y)) & 1;
    const rgb tile = odd ? (rgb){0.50f, 0.50f, 0.50f} : (rgb){0.56f, 0.56f, 0.55f};
    return rgb_mix(tile, (rgb){0.36f, 0.37f, 0.38f}, 0.7f * fminf(joint, 1.0f));
}

static float fresnel(float cosine, float eta) {
    const float k = 1.0f - eta * eta * (1.0f - cosine * cosine);
    if (k <= 0.0f) return 1.0f;
    const float through = sqrtf(k);
    const float a = (eta * cosine - through) / (eta * cosine + through);
    const float b = (cosine - eta * through) / (cosine + eta * through);
    return 0.5f * (a * a + b * b);
}

/* Share of the sun's light that comes through to a point. */
static rgb sun_share(const ray_scene *s, rill_vec point, rill_vec d, const ray_object *water) {
    rgb share = white;
    rill_vec from = point;
    const float step = 1e-4f * s->size;
    for (int k = 0; k < 12; k++) {
        const ray_hit hit = find_hit(s, from, d, step, FLT_MAX);
        if (water && hit.there) share = rgb_times(share, absorbed(water->color, 0.6f * hit.distance));
        if (!hit.there) return share;
        if (!hit.object || hit.object->kind != RAY_WATER) return black;
        const float slope = vec_dot(hit.normal, d);
        /* Into water from water: the gap at a wet solid, which is none. */
        const bool wet = water && slope < 0.0f;
        if (!wet) share = rgb_scale(share, 1.0f - fresnel(fabsf(slope), slope < 0.0f ? 1.0f / REFRACTION : 1.0f));
        water = slope < 0.0f ? hit.object : NULL;
        from = hit.point;
    }
    return share;
}

/* ---- paths ---- */
typedef struct ray_path {
    rill_vec from, direction;
    rgb share, light;
    const ray_object *water; /* that the path is in, or NULL */
    bool straight;           /* only mirrors and lenses so far */
    int scattered;
} ray_path;

/* Mirrors the path if `chance` is below the mirrored share, which it returns, and else bends it. */
static float pass_water(ray_path *p, const ray_hit *hit, float chance) {
    rill_vec n = hit->normal;
    const bool entering = vec_dot(n, p->direction) < 0.0f;
    if (!entering) n = vec_scale(n, -1.0f);
    const float eta = entering ? 1.0f / REFRACTION : REFRACTION, cosine = -vec_dot(n, p->direction);
    const float share = fresnel(cosine, eta);
    p->from = hit->point;
    if (chance < share) {
        p->direction = vec_add(p->direction, vec_scale(n, 2.0f * cosine));
    } else {
        const float k = sqrtf(fmaxf(1.0f - eta * eta * (1.0f - cosine * cosine), 0.0f));
        p->direction = vec_add(vec_scale(p->direction, eta), vec_scale(n, eta * cosine - k));
        p->water = entering ? hit->object : NULL;
    }
    p->direction = vec_unit(p->direction, n);
    return share;
}

/* The sky's light under water. It comes out of the cone that a flat surface leaves of the sky: paths that look for it
   would bounce about under the surface, some for long, and make grain. What the water itself scatters reaches every
   corner. */
static rgb sky_below(const ray_scene *s, rill_vec point, const ray_object *water, ray_random *random) {
    const rill_vec up = {0, 0, 1}, sky = cosine_direction(up, random);
    const rill_vec bent = {sky.x / REFRACTION, sky.y / REFRACTION, 0.0f};
    const rill_vec direction = {bent.x, bent.y, sqrtf(1.0f - bent.x * bent.x - bent.y * bent.y)};
    const rgb through = sun_share(s, point, direction, water), murk = absorbed(water->color, MURK_DEPTH * s->size);
    return rgb_times(sky_mean, rgb_mix(through, murk, MURK_SHARE));
}

/* Adds the sun's light and goes on in a chosen direction; false when enough was scattered. */
static bool scatter(const ray_scene *s, ray_path *p, const ray_hit *hit, ray_random *random) {
    const float facing = vec_dot(hit->normal, p->direction);
    const rill_vec n = facing < 0.0f ? hit->normal : vec_scale(hit->normal, -1.0f);
    const rgb albedo = hit->object ? hit->object->color : floor_color(s, hit->point, hit->distance);
    const rill_vec sun = toward_sun(s, random);
    const float slope = vec_dot(n, sun);
    p->share = rgb_times(p->share, albedo);
    if (slope > 0.0f) {
        const rgb through = rgb_times(sun_light, sun_share(s, hit->point, sun, p->water));
        p->light = rgb_add(p->light, rgb_scale(rgb_times(p->share, through), 0.3183f * slope));
    }
    if (p->water) {
        p->light = rgb_add(p->light, rgb_scale(rgb_times(p->share, sky_below(s, hit->point, p->water, random)),
                                               0.65f + 0.25f * fmaxf(n.z, 0.0f)));
        return false;
    }
    p->from = hit->point;
    p->direction = cosine_direction(n, random);
    p->straight = false;
    if (++p->scattered < DIFFUSE_MAX) return true;
    /* What is not followed any more is lit as the open sky would light it. */
    p->light = rgb_add(p->light, rgb_scale(rgb_times(p->share, sky_mean), 0.5f));
    return false;
}

/* The floor has no end: far away it dissolves into the horizon. */
static bool fade(const ray_scene *s, ray_path *p, const ray_hit *hit) {
    if (hit->object || p->scattered) return false;
    const float away = vec_length(vec_sub(hit->point, s->middle)) / s->size;
    const float haze = 1.0f - expf(-fmaxf(away - 1.0f, 0.0f) * 0.45f);
    const rill_vec level = vec_unit((rill_vec){p->direction.x, p->direction.y, 0.0f}, (rill_vec){1, 0, 0});
    p->light = rgb_add(p->light, rgb_scale(rgb_times(p->share, sky(s, level, false)), haze));
    p->share = rgb_scale(p->share, 1.0f - haze);
    return haze > 0.995f;
}

/* Water lies on a solid without a gap: where the path would leave it a hair before a solid, it meets the solid. The
   surface may be met several times on the way: it has the grain of its cells. */
static ray_hit wetted(const ray_scene *s, const ray_path *p, ray_hit hit) {
    const float slope = fmaxf(vec_dot(hit.normal, p->direction), 0.2f), step = 1e-5f * s->size;
    float gap = 1.8f * s->d->radius / slope;
    rill_vec from = hit.point;
    for (int k = 0; k < 4 && gap > 0.0f; k++) {
        const ray_hit behind = find_hit(s, from, p->direction, step, gap);
        if (!behind.there || !behind.object) return hit;
        if (behind.object->kind == RAY_SOLID) return behind;
        from = behind.point, gap -= behind.distance;
    }
    return hit;
}

static rgb follow(const ray_scene *s, ray_path p, ray_random *random) {
    const float step = 1e-4f * s->size;
    for (int bounce = 0; bounce < BOUNCES_MAX; bounce++) {
        ray_hit hit = find_hit(s, p.from, p.direction, step, FLT_MAX);
        if (!hit.there) return rgb_add(p.light, rgb_times(p.share, sky(s, p.direction, p.straight)));
        if (p.water) p.share = rgb_times(p.share, absorbed(p.water->color, hit.distance));
        if (p.water && hit.object && hit.object->kind == RAY_WATER) hit = wetted(s, &p, hit);
        if (hit.object && hit.object->kind == RAY_WATER)
            pass_water(&p, &hit, ray_random_next(random));
        else if (fade(s, &p, &hit) || !scatter(s, &p, &hit, random))
            return p.light;
    }
    /* Caught between drops: it would come out somewhere. */
    return rgb_add(p.light, rgb_scale(rgb_times(p.share, sky_mean), 0.5f));
}

/* Where the eye meets water, both ways are followed: the mirrored one is rare, and grain if left to chance. */
rgb rill_ray_light(const ray_scene *s, rill_vec from, rill_vec direction, ray_random *random) {
    const ray_path start = {.from = from, .direction = direction, .share = white, .light = black, .straight = true};
    const ray_hit hit = find_hit(s, from, direction, 0.0f, FLT_MAX);
    if (!hit.there || !hit.object || hit.object->kind != RAY_WATER) return follow(s, start, random);
    ray_path mirrored = start, through = start;
    const float share = pass_water(&mirrored, &hit, 0.0f);
    pass_water(&through, &hit, 1.0f);
    return rgb_add(rgb_scale(follow(s, mirrored, random), share), rgb_scale(follow(s, through, random), 1.0f - share));
}
