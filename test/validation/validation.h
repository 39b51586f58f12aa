/* SPDX-License-Identifier: MIT */
/* What the validation tests share: a scene, changed where a case asks for it, run and measured through the public API.
 */
#ifndef RILL_TEST_VALIDATION_H
#define RILL_TEST_VALIDATION_H

#include "rill/rill.h"
#include "scene/scene.h"

/* Builds a scene by name with "key=value" settings (NULL ends the list); fails the test with the message. */
rill_world *validation_build(const char *scene, const char *const *settings);
/* The same with another method than the scene's. */
rill_world *validation_build_with(const char *scene, const char *method, const char *const *settings);
/* The same from JSON text. */
rill_world *validation_build_text(const char *text);
/* Adaptive steps up to a time, or fixed ones; fails the test on a blow-up. */
void validation_run_to(rill_world *world, double time);
void validation_run_fixed(rill_world *world, double dt, double time);
/* A reading of the gauge with this name. */
double validation_gauge(rill_world *world, const char *name, int component);
/* Mean of a gauge's first component over `seconds` from now on. */
double validation_mean(rill_world *world, const char *name, double seconds);
/* Where the body with this name is. */
rill_body_state validation_body(rill_world *world, const char *name);
/* Throws a block into a weightless drop, in adaptive steps (dt 0) or fixed ones, and fails unless the momentum of both
   together is kept to rounding. */
void validation_collide(const char *method, const char *const *settings, double dt);

#endif
