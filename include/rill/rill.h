/* SPDX-License-Identifier: MIT */
/* Rill: particle fluids in 2D and 3D. Include this. */
#ifndef RILL_H
#define RILL_H

#include "rill/base.h"
#include "rill/frame.h"
#include "rill/game.h"
#include "rill/hosted.h"
#include "rill/param.h"
#include "rill/surface.h"
#include "rill/types.h"
#include "rill/world.h"

#endif
