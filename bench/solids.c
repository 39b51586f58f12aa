/* SPDX-License-Identifier: MIT */
/* Many solids in water: the share of a step that finds and touches them, and the other shares. */
#include "bench/bench.h"

#include "core/timer.h"

#include <math.h>
#include <stdio.h>

#define CRATES 121
#define DX     0.05f
#define WIDTH  10.4f
#define DEPTH  1.2f

static bool add_crates(rill_world *w, int count) {
    const int row = 24;
    for (int k = 0; k < count; k++) {
        rill_body_def crate = rill_body_def_default();
        const int above = k / row;
        const float x = 0.5f + 0.4f * (float)(k % row), y = DEPTH + 0.3f + 0.35f * (float)above;
        crate.shape.kind = RILL_BOX;
        crate.shape.min = (rill_vec){x - 0.125f, y - 0.125f, 0};
        crate.shape.max = (rill_vec){x + 0.125f, y + 0.125f, 0};
        crate.density = 300.0f + 100.0f * (float)(k % 8);
        if (rill_world_add_body(w, &crate, NULL) != RILL_OK) return false;
    }
    return true;
}

static rill_world *make_tank(int crates, rill_error *error) {
    rill_world_def def = rill_world_def_default(2);
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = DX;
    def.workers = 1;
    rill_world *w = rill_world_create(&def, error);
    if (!w) return NULL;
    const rill_fluid_def water = rill_fluid_def_default();
    rill_solid_def tank = rill_solid_def_default();
    rill_block_def block = rill_block_def_default();
    tank.shape.kind = block.shape.kind = RILL_BOX;
    tank.shape.inside = true;
    tank.shape.max = (rill_vec){WIDTH, 20, 0};
    block.shape.max = (rill_vec){WIDTH, DEPTH, 0};
    if (rill_world_add_fluid(w, &water, NULL) == RILL_OK && rill_world_add_solid(w, &tank, NULL) == RILL_OK &&
        rill_world_add_block(w, &block, NULL) == RILL_OK && add_crates(w, crates))
        return w;
    snprintf(error->text, sizeof error->text, "%s", rill_world_message(w));
    rill_world_destroy(w);
    return NULL;
}

typedef struct tank_times {
    int particles;
    double phase[RILL_PHASE_COUNT], total; /* seconds per frame */
    double search;                         /* part of it: looking up which solids are near */
    double overlaps;                       /* part of the search: for bodies that overlap others */
    double substeps;                       /* per frame */
} tank_times;

/* ---- the search ---- */

/* Look-ups of a substep in the tree of solids. Each group of particles makes three: to count its contacts, to write
   them, and to collide. Each body that is awake makes four: for its seam, for the room of its contacts, for their rows,
   and for bodies that it overlaps. */
#define GROUP         64
#define GROUP_LOOKUPS 3
#define BODY_LOOKUPS  4

static void look_up(rill_world *w, rill_vec low, rill_vec high, float reach) {
    const rill_filter nothing = {0}; /* nothing matches: only the search is measured */
    int count;
    low.x -= reach, low.y -= reach, high.x += reach, high.y += reach;
    rill_world_query_box(w, low, high, &nothing, NULL, 0, &count);
}

/* Groups end where they would become too wide, as in a step. The arithmetic is the same too: calls of libm would add to
   the time of a search that makes none. */
static void look_around_particles(rill_world *w) {
    rill_view x;
    if (rill_world_view(w, "position", &x) != RILL_OK) return;
    const float *at = x.data, support = rill_world_support(w), widest = 8 * support;
    for (int k = 0; k < x.count;) {
        rill_vec low = {at[k * x.stride], at[k * x.stride + 1], 0}, high = low;
        for (const int first = k++; k < x.count && k < first + GROUP; k++) {
            const float px = at[k * x.stride], py = at[k * x.stride + 1];
            const rill_vec wider_low = {px < low.x ? px : low.x, py < low.y ? py : low.y, 0},
                           wider_high = {px > high.x ? px : high.x, py > high.y ? py : high.y, 0};
            const float dx = wider_high.x - wider_low.x, dy = wider_high.y - wider_low.y;
            if (dx * dx + dy * dy >= widest * widest) break;
            low = wider_low, high = wider_high;
        }
        look_up(w, low, high, support - DX); /* a query extends its box by one spacing itself */
    }
}

static void look_around_bodies(rill_world *w) {
    for (int k = 0; k < rill_world_body_count(w); k++) {
        rill_body_state state;
        if (rill_world_body_state(w, rill_world_body_at(w, k), &state) == RILL_OK)
            look_up(w, state.position, state.position, 0.18f);
    }
}

/* Adds the time of the look-ups of some substeps, divided by the number of frames. A step does not time them
   separately, so they are repeated here. */
static void time_search(rill_world *w, double substeps, int frames, tank_times *t) {
    const double begin = rill_timer_now();
    look_around_particles(w);
    const double particles = rill_timer_now();
    look_around_bodies(w);
    const double bodies = rill_timer_now() - particles, share = substeps / frames;
    t->search += share * (GROUP_LOOKUPS * (particles - begin) + BODY_LOOKUPS * bodies);
    t->overlaps += share * bodies;
}

/* ---- frames ---- */

/* Frames of 1/60 s: in the first half the crates fall into the water, the second half is timed. */
static bool time_tank(int crates, int frames, tank_times *t) {
    rill_error error = {0};
    rill_world *w = make_tank(crates, &error);
    bool ok = w != NULL;
    double before[RILL_PHASE_COUNT] = {0};
    *t = (tank_times){0};
    for (int frame = 0; ok && frame < 2 * frames; frame++) {
        const rill_stats *s = rill_world_stats(w);
        for (int p = 0; frame == frames && p < RILL_PHASE_COUNT; p++) before[p] = s->seconds_total[p];
        ok = rill_world_step(w, 1.0 / 60) == RILL_OK;
        if (!ok || frame < frames) continue;
        const double substeps = rill_world_stats(w)->substeps;
        t->substeps += substeps / frames;
        time_search(w, substeps, frames, t);
    }
    if (ok) {
        t->particles = rill_world_particle_count(w);
        for (int p = 0; p < RILL_PHASE_COUNT; p++) {
            t->phase[p] = (rill_world_stats(w)->seconds_total[p] - before[p]) / frames;
            t->total += t->phase[p];
        }
    } else {
        fprintf(stderr, "rill bench: %s\n", w ? rill_world_message(w) : error.text);
    }
    rill_world_destroy(w);
    return ok;
}

bool bench_solids(bool quick, bool json) {
    tank_times none, all;
    const int frames = quick ? 20 : 60;
    if (!time_tank(0, frames, &none) || !time_tank(CRATES, frames, &all)) return false;
    /* The move without crates, scaled to as many substeps, is not a cost of the crates. */
    const double move = none.phase[RILL_PHASE_MOVE] * all.substeps / none.substeps;
    const double touch = all.phase[RILL_PHASE_BOUNDARY] + fmax(all.phase[RILL_PHASE_MOVE] - move, 0),
                 share = 100 * touch / all.total, search = 100 * all.search / all.total,
                 overlaps = 100 * all.overlaps / all.total;
    if (json) {
        printf("{\"particles\": %d, \"crates\": %d, \"frame_ms\": %.2f, \"frame_without_ms\": %.2f, "
               "\"search_percent\": %.1f, \"overlaps_percent\": %.2f, \"search_and_contacts_percent\": %.1f",
               all.particles, CRATES, 1e3 * all.total, 1e3 * none.total, search, overlaps, share);
        for (int p = 0; p < RILL_PHASE_COUNT; p++)
            printf(", \"%s_percent\": %.1f", rill_phase_name((rill_phase)p), 100 * all.phase[p] / all.total);
        printf("}");
        return true;
    }
    printf("%d particles in 2D, method pbf, %d crates, one thread\n", all.particles, CRATES);
    printf("  frame       %6.2f ms in %.1f substeps, without crates %.2f ms in %.1f\n", 1e3 * all.total, all.substeps,
           1e3 * none.total, none.substeps);
    printf("  search      %6.1f %% of it: which solids are near which particles and bodies\n", search);
    printf("  overlaps    %6.2f %% of it: a part of the search, for bodies in each other\n", overlaps);
    printf("  solids      %6.1f %% of it: contacts and collisions of particles, and their search\n", share);
    for (int p = 0; p < RILL_PHASE_COUNT; p++)
        printf("    %-18s %6.2f ms %5.1f %%, without crates %.2f ms\n", rill_phase_name((rill_phase)p),
               1e3 * all.phase[p], 100 * all.phase[p] / all.total, 1e3 * none.phase[p]);
    printf("\n");
    return true;
}
