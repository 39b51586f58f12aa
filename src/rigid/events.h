/* SPDX-License-Identifier: MIT */
/* Contact events: which pairs of surfaces began, continued or ceased to touch in a call of the host. */
#ifndef RILL_RIGID_EVENTS_H
#define RILL_RIGID_EVENTS_H

#include "core/dvec.h"
#include "model/world_state.h"

/* A contact point after the solve. */
typedef struct contact_mark {
    uint64_t pair;      /* body slot of a, solid slot of b */
    int32_t order;      /* in which it was found */
    dvec point, normal; /* normal out of b */
    dvec impulse;       /* on a, friction included [N s] */
    double pressing;    /* its normal part [N s] */
    double approach;    /* speed of approach of the surfaces before the step [m/s] */
    double gap;
} contact_mark;

/* Reserves memory for so many contact points in so many pairs; false if there is none. */
bool rill_events_reserve(rill_world *world, size_t points, size_t pairs);
/* At the start of a step: no marks. */
void rill_events_begin(rill_world *world);
/* Notes a point where body slot `a` touches solid slot `other`; the sample may belong to either of them. */
rill_status rill_events_mark(rill_world *world, int a, int other, contact_mark mark);
/* Merges the marks of a step of dt into the events of the host's call. */
rill_status rill_events_end(rill_world *world, double dt);
/* At the start of a call of the host: drops all events but those of pairs that still touch. */
void rill_events_call_begin(rill_world *world);

#endif
