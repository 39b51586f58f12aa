/* SPDX-License-Identifier: MIT */
/* 3D as it would look to an eye: rays through every pixel, pass after pass, until there are enough of them. */
#include "core/error.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "picture/rays.h"

#include <stdlib.h>

typedef struct ray_job {
    const ray_scene *scene;
    camera camera;
    int width, height, pass;
    rgb *sums; /* of all passes so far */
} ray_job;

/* No sample counts for more than this: a glint that one path in a thousand finds would be a speck. */
#define BRIGHTEST 6.0f
#define EXPOSURE  0.58f

static void trace_rows(int begin, int end, void *context) {
    ray_job *job = context;
    for (int y = begin; y < end; y++)
        for (int x = 0; x < job->width; x++) {
            const size_t k = (size_t)y * (size_t)job->width + (size_t)x;
            ray_random random = {rill_hash_mix(k * 4096u + (unsigned)job->pass)};
            const float px = (float)x + ray_random_next(&random), py = (float)y + ray_random_next(&random);
            const rgb c = rill_ray_light(job->scene, job->camera.eye, camera_ray(&job->camera, px, py), &random);
            job->sums[k].r += fminf(c.r, BRIGHTEST), job->sums[k].g += fminf(c.g, BRIGHTEST);
            job->sums[k].b += fminf(c.b, BRIGHTEST);
        }
}

/* Bright parts roll off as on film (the curve that Narkowicz fitted to ACES), then sRGB. */
static float develop(float x) {
    const float linear = fminf(fmaxf(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0.0f), 1.0f);
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
}

static void put_pixels(const drawing *d, const ray_job *job, int passes) {
    const float share = EXPOSURE / (float)passes;
    for (int y = 0; y < job->height; y++)
        for (int x = 0; x < job->width; x++) {
            const rgb sum = job->sums[(size_t)y * (size_t)job->width + (size_t)x];
            const rgb c = {develop(sum.r * share), develop(sum.g * share), develop(sum.b * share)};
            d->pixels[(size_t)(y + d->top) * (size_t)d->stride + (size_t)(x + d->left)] = rgb_pack(c);
        }
}

static rill_status trace_passes(drawing *d, ray_job *job, parallel *workers, rill_error *error) {
    const int passes = d->def->samples > 0 ? d->def->samples : 64;
    for (job->pass = 0; job->pass < passes; job->pass++) {
        rill_parallel_for(workers, job->height, 4, trace_rows, job);
        if (d->def->progress && !d->def->progress(job->pass + 1, passes, d->def->progress_context))
            return rill_fail(error, RILL_LIMIT, "interrupted after %d of %d samples", job->pass + 1, passes);
    }
    put_pixels(d, job, passes);
    return RILL_OK;
}

rill_status rill_picture_draw_rays(drawing *d, rill_error *error) {
    ray_scene scene;
    memory m;
    rill_memory_init(&m, NULL);
    rill_status status = rill_ray_scene_make(&scene, d, error);
    ray_job job = {.scene = &scene, .width = d->right - d->left, .height = d->bottom - d->top};
    parallel *workers = status == RILL_OK ? rill_parallel_create(&m, d->def->workers, NULL) : NULL;
    if (status == RILL_OK) {
        job.camera = rill_picture_camera(d, job.width, job.height);
        job.sums = calloc((size_t)job.width * (size_t)job.height, sizeof *job.sums);
        status = workers && job.sums
                     ? trace_passes(d, &job, workers, error)
                     : rill_fail(error, RILL_MEMORY, "not enough memory for a picture of %d x %d pixels", d->width,
                                 d->height);
    }
    free(job.sums);
    rill_parallel_destroy(&m, workers);
    rill_ray_scene_free(&scene);
    return status;
}
