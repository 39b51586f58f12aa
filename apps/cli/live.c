/* SPDX-License-Identifier: MIT */
/* Stepping for its own sake. */
#include "live.h"

#include "core/error.h"
#include "interrupt.h"

rill_status live_advance(rill_world *world, const run_plan *plan, double time, progress *shown, rill_error *error) {
    for (double now = rill_world_stats(world)->time; now < time - plan->end_tolerance;) {
        if (interrupt_asked()) return rill_fail(error, RILL_LIMIT, "interrupted at t = %g s", now);
        const rill_status status =
            plan->dt > 0 ? rill_world_step(world, plan->dt) : rill_world_step_adaptive(world, time - now);
        if (status != RILL_OK) return rill_fail(error, status, "%s", rill_world_message(world));
        const double after = rill_world_stats(world)->time;
        if (!(after > now)) return rill_fail(error, RILL_BLOW_UP, "time stands still at t = %g s", now);
        now = after;
        progress_show(shown, rill_world_stats(world), false);
    }
    return RILL_OK;
}
