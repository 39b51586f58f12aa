/* SPDX-License-Identifier: MIT */
/* Numbers and vectors as text, the same in every locale. */
#ifndef RILL_MODEL_UNITS_H
#define RILL_MODEL_UNITS_H

#include "rill/param.h"

/* Room for any float as text. */
#define NUMBER_TEXT_SIZE 32

/* Shortest decimal text that reads back to the same float, valid JSON; "null" if it is not finite. Returns `buffer`. */
const char *rill_number_text(float value, char buffer[NUMBER_TEXT_SIZE]);

/* The name of a quantity in a message, article included: "a length". */
const char *rill_quantity_phrase(rill_quantity quantity);

/* The quantity of a joint's freedom for a hinge, and for a slider; any other quantity is itself. */
rill_quantity rill_quantity_of_freedom(rill_quantity quantity, bool turns);

/* Components of a vector as text: an angular velocity has three in 2D too, where it is about z. */
static inline int rill_param_components(const rill_param *param, int dim) {
    return param->type == RILL_TYPE_VEC && param->quantity == RILL_ANGULAR_SPEED ? 3 : dim;
}

#endif
