/* SPDX-License-Identifier: MIT */
/* Removes the noise that few samples leave in a picture. */
#ifndef RILL_PICTURE_DENOISE_H
#define RILL_PICTURE_DENOISE_H

#include "core/parallel.h"
#include "picture/colormap.h"

/* Half of a picture's samples: their mean, and the variance of that mean. */
typedef struct half_picture {
    rgb *mean, *variance;
} half_picture;

/* Writes the denoised picture to `to`. Both halves have the same number of samples, at least two. */
rill_status rill_denoise(const half_picture halves[2], rgb *to, int width, int height, parallel *workers,
                         rill_error *error);

#endif
