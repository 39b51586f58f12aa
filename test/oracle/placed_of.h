/* SPDX-License-Identifier: MIT */
/* Placed shapes for tests, with the models that they need. */
#ifndef RILL_TEST_PLACED_OF_H
#define RILL_TEST_PLACED_OF_H

#include "solid/placed_shape.h"

/* Models stay until the program ends: placed shapes point at them. */
static inline placed_shape placed_of(const rill_shape *shape, const pose *pose) {
    static memory m;
    static shape_library library;
    static parallel *workers;
    static placed_shape parts[PLACED_PARTS_MAX];
    if (!workers) {
        rill_memory_init(&m, NULL);
        workers = rill_parallel_create(&m, 1, NULL);
    }
    const shape_context context = {&m, workers, DIM, 0.1f, 0.2f, NULL};
    shape_models models;
    rill_error error;
    if (rill_shape_models_take(&library, &context, shape, &models, &error) != RILL_OK) fail_msg("%s", error.text);
    const placed_shape f = rill_placed_make(shape, &models, pose, parts);
    rill_memory_release(&m, models.items,
                        sizeof *models.items * (size_t)models.count); /* the library keeps the models */
    return f;
}

#endif
