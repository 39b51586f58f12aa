/* SPDX-License-Identifier: MIT */
/* Bytes that are called OBJ; see mesh_trial.h. */
#include "fuzz/mesh_trial.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return trial("fuzz.obj", data, size);
}
