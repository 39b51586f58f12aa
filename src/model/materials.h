/* SPDX-License-Identifier: MIT */
/* Named materials. */
#ifndef RILL_MODEL_MATERIALS_H
#define RILL_MODEL_MATERIALS_H

#include "rill/types.h"

/* Whether a fluid's viscosity, or surface tension, is that of a named material or the default. Then the user did not
   ask for the force, and a method without it need not refuse it. */
bool rill_material_brings_viscosity(const rill_fluid_def *def);
bool rill_material_brings_tension(const rill_fluid_def *def);

#endif
