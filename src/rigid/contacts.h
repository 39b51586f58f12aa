/* SPDX-License-Identifier: MIT */
/* Contacts between bodies and with other solids. */
#ifndef RILL_RIGID_TOUCHES_H
#define RILL_RIGID_TOUCHES_H

#include "rigid/rows.h"

/* Wakes bodies that something awake or moving touches. */
rill_status rill_contacts_wake(rill_world *world, double dt);
/* Memory for all that touch in a step of dt in so many parts; false if there is none. */
bool rill_contacts_reserve(rill_world *world, double dt, int substeps);
/* Finds where bodies touch and adds a row that presses and rows that rub for each point. */
rill_status rill_contacts_add_rows(rill_world *world, rows *r);
/* Keeps the impulses for the next step; call before the rows are gone. */
rill_status rill_contacts_remember(rill_world *world, const rows *r);

/* Points of a body's surface that are tested against other shapes: a point with a radius, in the frame of the body as
   it was added. Corners and edges of boxes and other shapes, the round parts of spheres and capsules. */
typedef struct contact_sample {
    dvec point;
    double radius;
} contact_sample;
#define CONTACT_SAMPLES_MAX 512
int rill_contact_samples(const rill_world *world, const body *b, contact_sample samples[CONTACT_SAMPLES_MAX]);
/* Radius of a ball around the centre of mass that holds all samples. */
double rill_contact_reach(const rill_world *world, const body *b);

/* A touch is known by the slot of its body, that of the other's surface, and the sample. */
static inline uint64_t contact_key(int body_slot, int solid_slot, int sample) {
    return (uint64_t)(uint32_t)body_slot << 40 | (uint64_t)(uint32_t)solid_slot << 16 | (uint64_t)(uint32_t)sample;
}
static inline int contact_body(uint64_t key) {
    return (int)(key >> 40);
}
static inline int contact_solid(uint64_t key) {
    return (int)(key >> 16 & 0xffffff);
}

#endif
