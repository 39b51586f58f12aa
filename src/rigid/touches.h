/* SPDX-License-Identifier: MIT */
/* Contacts between bodies and with other solids. */
#ifndef RILL_RIGID_TOUCHES_H
#define RILL_RIGID_TOUCHES_H

#include "rigid/rows.h"

/* Finds where bodies touch and adds a row that presses and rows that rub for each point. */
rill_status touches_add_rows(rill_world *world, rows *r);
/* Keeps the impulses for the next step; call before the rows are gone. */
rill_status touches_remember(rill_world *world, const rows *r);

/* Points of a body's surface that are tested against other shapes: a point with a radius, in the frame of the body as
   it was added. Corners and edges of boxes and other shapes, the round parts of spheres and capsules. */
typedef struct touch_sample {
    dvec point;
    double radius;
} touch_sample;
#define TOUCH_SAMPLES_MAX 512
int touch_samples(const rill_world *world, const body *b, touch_sample samples[TOUCH_SAMPLES_MAX]);

#endif
