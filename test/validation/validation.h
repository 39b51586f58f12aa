/* SPDX-License-Identifier: MIT */
/* What the validation tests share: building a scene with changed settings, running it, and measuring it through the
   public API. */
#ifndef RILL_TEST_VALIDATION_H
#define RILL_TEST_VALIDATION_H

#include "rill/rill.h"
#include "scene/scene.h"

/* Builds a scene by name with "key=value" settings (NULL ends the list); fails the test with the message. */
rill_world *validation_build(const char *scene, const char *const *settings);
/* The same with another method than the scene's. */
rill_world *validation_build_with(const char *scene, const char *method, const char *const *settings);
/* The same from JSON text, without settings. */
rill_world *validation_build_text(const char *text);
/* Runs to a time [s] in adaptive steps, or in fixed ones; fails the test if a step fails. */
void validation_run_to(rill_world *world, double time);
void validation_run_fixed(rill_world *world, double dt, double time);
/* One component of the reading of the gauge with this name. */
double validation_gauge(rill_world *world, const char *name, int component);
/* Runs for `seconds`; the mean of 20 readings of a gauge's first component. */
double validation_mean(rill_world *world, const char *name, double seconds);
/* The state of the body with this name. */
rill_body_state validation_body(rill_world *world, const char *name);
/* Throws a block into a weightless drop, in adaptive steps (dt 0) or fixed ones, and fails unless the momentum of both
   together is kept to 1e-5 of the block's. */
void validation_collide(const char *method, const char *const *settings, double dt);

#endif
