/* SPDX-License-Identifier: MIT */
/* The values of named materials. */
#ifndef RILL_MODEL_MATERIALS_H
#define RILL_MODEL_MATERIALS_H

#include "rill/types.h"

/* Whether a fluid has its viscosity, or its surface tension, from a named material or by default: then the user did not
   ask for the force. */
bool rill_material_brings_viscosity(const rill_fluid_def *def);
bool rill_material_brings_tension(const rill_fluid_def *def);

#endif
