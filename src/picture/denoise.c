/* SPDX-License-Identifier: MIT */
/* Non-local means with the samples' own variance, after F. Rousselle, C. Knaus and M. Zwicker, "Adaptive rendering with
   non-local means filtering", ACM Transactions on Graphics 31(6), 2012: a pixel is averaged with nearby pixels whose
   surroundings differ from its own by no more than noise explains. The weights of one half of the samples come from the
   other half, so that noise does not choose its own weights. Each pixel gathers, so threads do not change bits. */
#include "picture/denoise.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REACH    5     /* pixels */
#define STRENGTH 0.25f /* square of the paper's k */
#define LEAST    2e-5f /* least variance of a pixel */

typedef struct denoise_job {
    const rgb *guide, *guide_variance, *from;
    float *distance, *weight_sum;
    rgb *sum;
    int width, height, dx, dy;
} denoise_job;

/* Squared difference of two numbers in units of their variance, less the part that the variance itself explains. */
static float apart(float a, float b, float va, float vb) {
    return ((a - b) * (a - b) - (va + fminf(va, vb))) / (LEAST + STRENGTH * (va + vb));
}

static float difference(rgb a, rgb b, rgb va, rgb vb) {
    return (apart(a.r, b.r, va.r, vb.r) + apart(a.g, b.g, va.g, vb.g) + apart(a.b, b.b, va.b, vb.b)) * (1.0f / 3.0f);
}

static void measure_rows(int begin, int end, void *context) {
    const denoise_job *job = context;
    for (int y = begin; y < end; y++)
        for (int x = 0; x < job->width; x++) {
            const int ox = x + job->dx, oy = y + job->dy;
            const size_t k = (size_t)y * (size_t)job->width + (size_t)x;
            if (ox < 0 || oy < 0 || ox >= job->width || oy >= job->height) {
                job->distance[k] = 1e3f;
                continue;
            }
            const size_t o = (size_t)oy * (size_t)job->width + (size_t)ox;
            job->distance[k] = difference(job->guide[k], job->guide[o], job->guide_variance[k], job->guide_variance[o]);
        }
}

/* Mean difference over the 3 x 3 pixels around the two pixels. */
static float patch_distance(const denoise_job *job, int x, int y) {
    float sum = 0.0f;
    int count = 0;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < job->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < job->width; i++, count++)
            sum += job->distance[(size_t)j * (size_t)job->width + (size_t)i];
    return sum / (float)count;
}

static void gather_rows(int begin, int end, void *context) {
    const denoise_job *job = context;
    for (int y = begin; y < end; y++)
        for (int x = 0; x < job->width; x++) {
            const int ox = x + job->dx, oy = y + job->dy;
            if (ox < 0 || oy < 0 || ox >= job->width || oy >= job->height) continue;
            /* About exp(-d), and zero for d >= 4. */
            const float t = 1.0f - 0.25f * fmaxf(patch_distance(job, x, y), 0.0f);
            if (t <= 0.0f) continue;
            const float weight = t * t * t * t;
            const size_t k = (size_t)y * (size_t)job->width + (size_t)x;
            const rgb c = job->from[(size_t)oy * (size_t)job->width + (size_t)ox];
            job->weight_sum[k] += weight;
            job->sum[k].r += weight * c.r, job->sum[k].g += weight * c.g, job->sum[k].b += weight * c.b;
        }
}

/* Variances from few samples are uncertain: each becomes the mean over 3 x 3 pixels. */
static void smooth_variance(const rgb *from, rgb *to, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            rgb sum = {0, 0, 0};
            float count = 0.0f;
            for (int k = 0; k < 9; k++) {
                const int ox = x + k % 3 - 1, oy = y + k / 3 - 1;
                if (ox < 0 || oy < 0 || ox >= width || oy >= height) continue;
                const rgb v = from[(size_t)oy * (size_t)width + (size_t)ox];
                sum = (rgb){sum.r + v.r, sum.g + v.g, sum.b + v.b};
                count += 1.0f;
            }
            to[(size_t)y * (size_t)width + (size_t)x] = (rgb){sum.r / count, sum.g / count, sum.b / count};
        }
}

static void filter_half(denoise_job *job, parallel *workers, rgb *to) {
    const size_t pixels = (size_t)job->width * (size_t)job->height;
    memset(job->weight_sum, 0, pixels * sizeof *job->weight_sum);
    memset(job->sum, 0, pixels * sizeof *job->sum);
    for (job->dy = -REACH; job->dy <= REACH; job->dy++)
        for (job->dx = -REACH; job->dx <= REACH; job->dx++) {
            rill_parallel_for(workers, job->height, 8, measure_rows, job);
            rill_parallel_for(workers, job->height, 8, gather_rows, job);
        }
    /* weight_sum is at least one, the weight of the pixel itself. */
    for (size_t k = 0; k < pixels; k++) {
        const float share = 0.5f / job->weight_sum[k];
        to[k].r += job->sum[k].r * share, to[k].g += job->sum[k].g * share, to[k].b += job->sum[k].b * share;
    }
}

rill_status rill_denoise(const half_picture halves[2], rgb *to, int width, int height, parallel *workers,
                         rill_error *error) {
    const size_t pixels = (size_t)width * (size_t)height;
    float *distance = malloc(pixels * sizeof *distance), *weight_sum = malloc(pixels * sizeof *weight_sum);
    rgb *sum = malloc(pixels * sizeof *sum), *variance = malloc(pixels * sizeof *variance);
    const bool fine = distance && weight_sum && sum && variance;
    if (fine) memset(to, 0, pixels * sizeof *to);
    for (int h = 0; fine && h < 2; h++) {
        smooth_variance(halves[1 - h].variance, variance, width, height);
        denoise_job job = {.guide = halves[1 - h].mean,
                           .guide_variance = variance,
                           .from = halves[h].mean,
                           .distance = distance,
                           .weight_sum = weight_sum,
                           .sum = sum,
                           .width = width,
                           .height = height};
        filter_half(&job, workers, to);
    }
    free(distance);
    free(weight_sum);
    free(sum);
    free(variance);
    return fine ? RILL_OK
                : rill_fail(error, RILL_MEMORY, "not enough memory for a picture of %d x %d pixels", width, height);
}
