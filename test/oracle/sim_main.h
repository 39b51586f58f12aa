/* SPDX-License-Identifier: MIT */
/* For tests that are compiled once for each dimension and SIMD width (see CMakeLists.txt). */
#ifndef RILL_TEST_SIM_MAIN_H
#define RILL_TEST_SIM_MAIN_H

#include "oracle/widths.h"
#include "sim/dim.h"

#define TEST_STRING_(x) #x
#define TEST_STRING(x)  TEST_STRING_(x)
#define TEST_WIDTH      TEST_STRING(RILL_WIDTH_NAME)

/* Returns from main if this machine cannot run the width; ctest counts the exit code as a skipped test. */
#define SKIP_IF_NOT_RUNNABLE()                  \
    do {                                        \
        if (!width_runs(TEST_WIDTH)) return 77; \
    } while (0)

#endif
