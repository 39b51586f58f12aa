/* SPDX-License-Identifier: MIT */
/* The prediction: particles move as if gravity alone acted on them. */
#include "sim/method/predict.h"

#include "sim/cloth/cloth.h"
#include "sim/force/field.h"

typedef struct predict_job {
    rill_world *world;
    float dt;
} predict_job;

static void predict_block(int begin, int end, void *context) {
    const predict_job *job = context;
    const vec gravity = field_acceleration(job->world);
    place *places = places_of(job->world);
    vec *v = velocities_of(job->world);
    for (int i = begin; i < end; i++) {
        v[i] = vec_along(v[i], job->dt, gravity);
        places[i].x = vec_along(places[i].x, job->dt, v[i]);
    }
}

void rill_predict(rill_world *w, double dt) {
    predict_job job = {w, (float)dt};
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, predict_block, &job);
    rill_cloth_predict(w, dt);
}
