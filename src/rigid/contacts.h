/* SPDX-License-Identifier: MIT */
/* Contacts of bodies with each other and with other solids. */
#ifndef RILL_RIGID_CONTACTS_H
#define RILL_RIGID_CONTACTS_H

#include "rigid/rows.h"

/* Wakes bodies that are touched by something awake or moving. */
rill_status rill_contacts_wake(rill_world *world, double dt);
/* Reserves memory for the contacts of a step of dt in so many substeps; false if there is none. */
bool rill_contacts_reserve(rill_world *world, double dt, int substeps);
/* Finds where bodies touch, and adds a normal row and friction rows for each contact point. */
rill_status rill_contacts_add_rows(rill_world *world, rows *r);
/* Keeps the impulses of the rows for the next step. Call it while the rows still exist. */
rill_status rill_contacts_remember(rill_world *world, const rows *r);
/* Forgets the impulses at the solid in this slot and of its body, so that later ones in these slots do not start from
   them. */
void rill_contacts_forget(rill_world *world, int solid_slot);

/* Points of a body's surface that are tested against other shapes, in the frame in which the body was added: a point
   with a radius. Boxes and other shapes have corners and points along edges, spheres and capsules balls. */
typedef struct contact_sample {
    dvec point;
    double radius;
} contact_sample;
#define CONTACT_SAMPLES_MAX 512
/* Writes the samples of a body. Returns their number. */
int rill_contact_samples(const rill_world *world, const body *b, contact_sample samples[CONTACT_SAMPLES_MAX]);
/* Radius of the ball around the centre of mass that contains all samples [m]. */
double rill_contact_reach(const rill_world *world, const body *b);

/* The key of a contact point: slot of the body with the sample, slot of the other solid, number of the sample. */
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
