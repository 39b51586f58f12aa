/* SPDX-License-Identifier: MIT */
/* Builds a scene's world, checks it against the rules and runs a trial. */
#include "apps/cli/check/examine.h"

#include "apps/cli/run/emission.h"

#include <stdlib.h>

/* Blocks are added here and not by rill_scene_build, to note which particle ids belong to which block. */
static bool add_blocks(check_world *check, findings *f) {
    const scene *s = check->scene;
    int end = 0, added = 0;
    check->block_end = calloc((size_t)s->block_count + 1, sizeof *check->block_end);
    if (!check->block_end) return false;
    for (int b = 0; b < s->block_count; b++) {
        rill_error error = {RILL_OK, ""};
        const int64_t left_before = rill_world_stats(check->world)->left_out;
        if (rill_scene_add_block(s, check->world, b, &added, &error) != RILL_OK) {
            findings_error(f, "blocks.%d: %s", b, error.text);
            return false;
        }
        const int64_t left_out = rill_world_stats(check->world)->left_out - left_before;
        if (left_out > added)
            findings_warn(
                f,
                "%lld particles of blocks.%d, most of it, would start inside a solid or outside its container, "
                "and are left out",
                (long long)left_out, b);
        if (added == 0 && left_out == 0)
            findings_warn(f, "blocks.%d holds no particle: it is smaller than the spacing", b);
        check_volume(check, b, added + left_out, f);
        check->block_end[b] = end += added;
    }
    return true;
}

static bool build(check_world *check, findings *f) {
    rill_error error = {RILL_OK, ""};
    scene empty = *check->scene;
    empty.block_count = 0;
    check->world = rill_scene_build(&empty, -1, -1, &error);
    if (!check->world) {
        findings_error(f, "%s", error.text);
        return false;
    }
    return add_blocks(check, f);
}

check_estimate check_examine(check_world *check, double limit, findings *f) {
    check_estimate estimate = {.frames = rill_run_plan_frame_count(check->plan)};
    check_times(check, f);
    if (!build(check, f)) return estimate;
    estimate.particles = rill_world_particle_count(check->world);
    estimate.particles_end = emission_particles(check->scene, estimate.particles, 0, check->plan->end);
    estimate.support = (double)rill_world_support(check->world);
    estimate.threads = rill_world_workers(check->world);
    check_objects(check, f);
    check_overlaps(check, f);
    check_idle(check, f);
    estimate_run(check, limit, &estimate, f);
    return estimate;
}

void check_world_free(check_world *check) {
    free(check->block_end);
    rill_world_destroy(check->world);
    check->block_end = NULL, check->world = NULL;
}
