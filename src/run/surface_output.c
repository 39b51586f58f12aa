/* SPDX-License-Identifier: MIT */
/* Writes surface meshes into a folder, with a series of the .vtp files for ParaView. */
#include "run/surface_output.h"

#include "core/error.h"
#include "run/manifest.h"

#include <string.h>

rill_status rill_surface_output_formats(surface_output *output, const char *list, rill_error *error) {
    while (list) {
        const size_t length = strcspn(list, ",");
        int format = 0;
        for (; format < RILL_SURFACE_FORMATS; format++) {
            const char *ending = rill_io_surface_ending((rill_surface_format)format);
            if (strlen(ending) == length && strncmp(ending, list, length) == 0) break;
        }
        if (format == RILL_SURFACE_FORMATS)
            return rill_fail(error, RILL_INVALID, "'%.*s' is not one of ply, obj, vtp, glb", (int)length, list);
        output->formats[format] = true;
        list = list[length] ? list + length + 1 : NULL;
    }
    return RILL_OK;
}

rill_status rill_surface_output_open(surface_output *output, const char *folder, const rill_surface_def *def,
                                     rill_error *error) {
    if (strlen(folder) > 900) return rill_fail(error, RILL_INVALID, "the path of the folder is longer than 900 bytes");
    snprintf(output->folder, sizeof output->folder, "%s", folder);
    snprintf(output->series.path, sizeof output->series.path, "%s/surface.pvd", folder);
    if (output->formats[RILL_SURFACE_VTP]) TRY(rill_run_check_target(output->series.path, error));
    TRY(rill_run_claim_take(&output->claim, folder, error));
    rill_io_remove_stale(folder);
    output->surface = rill_surface_create(def, error);
    return output->surface ? RILL_OK : RILL_INVALID;
}

/* Adds each frame to the series at once, so that it can be viewed during a run. */
static rill_status add_to_series(surface_output *output, const char *name, double time, rill_error *error) {
    char file[256];
    snprintf(file, sizeof file, "%.200s.vtp", name);
    return rill_io_series_add(&output->series, time < 0.0 ? (double)output->series.count : time, file, error);
}

rill_status rill_surface_output_write(surface_output *output, const char *name, double time, rill_error *error) {
    rill_status status = RILL_OK;
    for (int f = 0; status == RILL_OK && f < RILL_SURFACE_FORMATS; f++) {
        char path[1400];
        if (!output->formats[f]) continue;
        snprintf(path, sizeof path, "%s/%.300s.%s", output->folder, name,
                 rill_io_surface_ending((rill_surface_format)f));
        status = rill_run_check_target(path, error);
        if (status == RILL_OK) status = rill_io_write_surface(&output->mesh, time, (rill_surface_format)f, path, error);
        if (status == RILL_OK && f == RILL_SURFACE_VTP) status = add_to_series(output, name, time, error);
    }
    return status;
}

rill_status rill_surface_output_close(surface_output *output, rill_error *error) {
    rill_surface_destroy(output->surface);
    const rill_status status = rill_io_series_close(&output->series, error);
    rill_run_claim_release(&output->claim);
    *output = (surface_output){0};
    return status;
}
