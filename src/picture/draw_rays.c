/* SPDX-License-Identifier: MIT */
/* Ray traced pictures in 3D: passes with one ray through every pixel, then noise is removed. */
#include "core/error.h"
#include "picture/denoise.h"
#include "picture/pathtrace.h"

#include <stdlib.h>

typedef struct ray_job {
    const ray_scene *scene;
    camera camera;
    int width, height, pass;
    half_picture
        halves[2]; /* sums and sums of squares of even and odd passes; make_means turns them into means and variances */
    rgb *picture;
} ray_job;

/* Samples are clamped to this: a glint that one path in a thousand finds would be a bright speck. */
#define BRIGHTEST 4.0f
#define EXPOSURE  0.60f
/* Fewer samples than this give no estimate of their variance, and are not denoised. */
#define CALM_SAMPLES 4

static void trace_rows(int begin, int end, void *context) {
    ray_job *job = context;
    const half_picture *half = &job->halves[job->pass & 1];
    for (int y = begin; y < end; y++)
        for (int x = 0; x < job->width; x++) {
            const size_t k = (size_t)y * (size_t)job->width + (size_t)x;
            ray_random random = rill_ray_random((uint32_t)k, (uint32_t)job->pass);
            const float px = (float)x + rill_ray_random_next(&random), py = (float)y + rill_ray_random_next(&random);
            rgb c = rill_ray_light(job->scene, job->camera.eye, camera_ray(&job->camera, px, py), &random);
            c = (rgb){fminf(c.r, BRIGHTEST), fminf(c.g, BRIGHTEST), fminf(c.b, BRIGHTEST)};
            half->mean[k] = rgb_add(half->mean[k], c);
            half->variance[k] = rgb_add(half->variance[k], rgb_times(c, c));
        }
}

/* Turns sums of `count` samples into their mean and the variance of that mean. */
static void make_means(const half_picture *half, size_t pixels, int count) {
    const float share = 1.0f / (float)(count > 0 ? count : 1), least = 1.0f / (float)(count > 1 ? count - 1 : 1);
    for (size_t k = 0; k < pixels; k++) {
        const rgb mean = rgb_scale(half->mean[k], share), square = rgb_scale(half->variance[k], share);
        half->mean[k] = mean;
        half->variance[k] =
            (rgb){fmaxf(square.r - mean.r * mean.r, 0.0f) * least, fmaxf(square.g - mean.g * mean.g, 0.0f) * least,
                  fmaxf(square.b - mean.b * mean.b, 0.0f) * least};
    }
}

/* Tone curve: highlights roll off as on film (Narkowicz's fit to ACES), then sRGB. */
static float develop(float x) {
    const float linear = fminf(fmaxf(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0.0f), 1.0f);
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
}

static void put_pixels(const drawing *d, const ray_job *job) {
    for (int y = 0; y < job->height; y++)
        for (int x = 0; x < job->width; x++) {
            const rgb c = rgb_scale(job->picture[(size_t)y * (size_t)job->width + (size_t)x], EXPOSURE);
            d->pixels[(size_t)(y + d->top) * (size_t)d->stride + (size_t)(x + d->left)] =
                rgb_pack((rgb){develop(c.r), develop(c.g), develop(c.b)});
        }
}

static rill_status finish(const drawing *d, ray_job *job, int passes, parallel *workers, rill_error *error) {
    const size_t pixels = (size_t)job->width * (size_t)job->height;
    const int odd = passes / 2, even = passes - odd;
    make_means(&job->halves[0], pixels, even), make_means(&job->halves[1], pixels, odd);
    if (passes >= CALM_SAMPLES) {
        TRY(rill_denoise(job->halves, job->picture, job->width, job->height, workers, error));
    } else {
        for (size_t k = 0; k < pixels; k++)
            job->picture[k] = rgb_mix(job->halves[0].mean[k], job->halves[1].mean[k], (float)odd / (float)passes);
    }
    put_pixels(d, job);
    return RILL_OK;
}

static rill_status trace_passes(const drawing *d, ray_job *job, parallel *workers, rill_error *error) {
    const int passes = d->def->samples > 0 ? d->def->samples : 64;
    for (job->pass = 0; job->pass < passes; job->pass++) {
        rill_parallel_for(workers, job->height, 4, trace_rows, job);
        if (d->def->progress && !d->def->progress(job->pass + 1, passes, d->def->progress_context))
            return rill_fail(error, RILL_LIMIT, "interrupted after %d of %d samples", job->pass + 1, passes);
    }
    return finish(d, job, passes, workers, error);
}

static bool reserve(ray_job *job) {
    const size_t pixels = (size_t)job->width * (size_t)job->height;
    bool fine = true;
    for (int h = 0; h < 2; h++) {
        job->halves[h] = (half_picture){calloc(pixels, sizeof(rgb)), calloc(pixels, sizeof(rgb))};
        fine = fine && job->halves[h].mean && job->halves[h].variance;
    }
    job->picture = calloc(pixels, sizeof *job->picture);
    return fine && job->picture;
}

static void release(ray_job *job) {
    for (int h = 0; h < 2; h++) {
        free(job->halves[h].mean);
        free(job->halves[h].variance);
    }
    free(job->picture);
}

rill_status rill_picture_draw_rays(drawing *d, rill_error *error) {
    ray_scene scene;
    memory m;
    rill_memory_init(&m, NULL);
    rill_status status = rill_ray_scene_make(&scene, d, error);
    ray_job job = {.scene = &scene, .width = d->right - d->left, .height = d->bottom - d->top};
    parallel *workers = status == RILL_OK ? rill_parallel_create(&m, d->def->workers, NULL) : NULL;
    if (status == RILL_OK && (!workers || !reserve(&job)))
        status =
            rill_fail(error, RILL_MEMORY, "not enough memory for a picture of %d x %d pixels", d->width, d->height);
    if (status == RILL_OK) {
        const int longer = job.width > job.height ? job.width : job.height;
        job.camera = rill_picture_camera(d, job.width, job.height);
        status = rill_ray_floor_make(&scene, longer < 1000 ? longer : 1000, workers, error);
    }
    if (status == RILL_OK) status = trace_passes(d, &job, workers, error);
    release(&job);
    rill_parallel_destroy(&m, workers);
    rill_ray_scene_free(&scene);
    return status;
}
