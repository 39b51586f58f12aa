/* SPDX-License-Identifier: MIT */
/* Numbers and vectors as text, the same in every locale. */
#ifndef RILL_MODEL_UNITS_H
#define RILL_MODEL_UNITS_H

#include "rill/param.h"

/* Bytes that hold any float as text. */
#define NUMBER_TEXT_SIZE 32

/* Writes the shortest decimal text that reads back to the same float, as valid JSON; "null" if it is not finite.
   Returns `buffer`. */
const char *rill_number_text(float value, char buffer[NUMBER_TEXT_SIZE]);

/* The name of a quantity for messages, with article: "a length". */
const char *rill_quantity_phrase(rill_quantity quantity);

/* For a quantity of joints, the one for hinges (`turns`) or for sliders; any other quantity is returned as it is. */
rill_quantity rill_quantity_of_freedom(rill_quantity quantity, bool turns);

/* Components of a vector in text: `dim`, but three for angular velocities, which are about z in 2D. */
static inline int rill_param_components(const rill_param *param, int dim) {
    return param->type == RILL_TYPE_VEC && param->quantity == RILL_ANGULAR_SPEED ? 3 : dim;
}

/* Reads "[0, 1 cm]" or "0, 1 cm" in the unit and range of a row, in double precision. A third component that is not
   given is 0. */
rill_status rill_param_parse_vec(const rill_param *param, const char *text, double parts[3], rill_error *error);

#endif
