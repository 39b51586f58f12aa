/* SPDX-License-Identifier: MIT */
/* Rill: fluids simulated as particles, in 2D and 3D. This header includes all of the engine. rill/scene.h, rill/run.h
   and rill/io.h need the full library. */
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
