/* SPDX-License-Identifier: MIT */
/* Contact events: which pairs of surfaces began, went on or ceased to touch in a call of the host. */
#ifndef RILL_RIGID_EVENTS_H
#define RILL_RIGID_EVENTS_H

#include "core/dvec.h"
#include "model/world_state.h"

/* A point of contact as it was solved. */
typedef struct contact_mark {
    uint64_t pair; /* body slot of a, solid slot of b */
    int32_t order;
    dvec point, normal; /* out of b */
    dvec impulse;       /* on a, friction included */
    double pressing;    /* its part along the normal */
    double approach;    /* speed of the surfaces towards each other before the step */
    double gap;
} contact_mark;

/* Memory for so many points in so many pairs; false if there is none. */
bool rill_events_reserve(rill_world *world, size_t points, size_t pairs);
void rill_events_begin(rill_world *world);
/* Tells of a point where body slot `a` touches solid slot `other`, whichever of both the sample belongs to. */
rill_status rill_events_mark(rill_world *world, int a, int other, contact_mark mark);
/* Adds what the marks of a step of dt tell to the events of the host's call. */
rill_status rill_events_end(rill_world *world, double dt);
/* Only pairs that touch are known when the next call of the host begins. */
void rill_events_call_begin(rill_world *world);

#endif
