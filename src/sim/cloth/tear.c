/* SPDX-License-Identifier: MIT */
/* Removes pieces that are strained too far, and the bends at their edges. Their particles stay: no mass is lost.
   Strains are those at the beginning of a step, before particles are predicted: predictions that rows have not
   corrected yet would tear any stiff cloth that falls. */
#include "sim/cloth/cloth.h"

#include "core/error.h"

typedef struct tear_job {
    const rill_world *world;
    float dt;
} tear_job;

static vec start_of(const tear_job *job, int32_t i) {
    return vec_along(places_of(job->world)[i].x, -job->dt, velocities_of(job->world)[i]);
}

static bool segment_holds(const link_set *s, int link, void *context) {
    const tear_job *job = context;
    const int32_t *e = link_ends(s, link);
    const float tear = cloth_of(job->world, e[0])->def.tear, rest = LINK_VALUES(s, SEGMENT_LENGTH, float)[link];
    return !(tear > 0.0f) || vec_length(vec_sub(start_of(job, e[1]), start_of(job, e[0]))) <= (1.0f + tear) * rest;
}

static bool triangle_holds(const link_set *s, int link, void *context) {
    const tear_job *job = context;
    const int32_t *e = link_ends(s, link);
    const float tear = cloth_of(job->world, e[0])->def.tear;
    if (!(tear > 0.0f)) return true;
    const vec x[3] = {start_of(job, e[0]), start_of(job, e[1]), start_of(job, e[2])};
    return cloth_strain(LINK_VALUES(s, TRIANGLE_SHAPE, float) + 3 * (size_t)link, x) <= tear;
}

/* Whether the piece with these three corners still exists. */
static bool has_triangle(const link_set *s, int32_t a, int32_t b, int32_t c) {
    int count;
    const int32_t *links = links_of(s, a, &count);
    for (int k = 0; k < count; k++) {
        const int32_t *e = link_ends(s, links[k]);
        if ((e[0] == b || e[1] == b || e[2] == b) && (e[0] == c || e[1] == c || e[2] == c)) return true;
    }
    return false;
}

static bool hinge_holds(const link_set *s, int link, void *context) {
    const tear_job *job = context;
    const int32_t *e = link_ends(s, link);
    const link_set *triangles = links_in(job->world, CLOTH_TRIANGLES);
    return has_triangle(triangles, e[0], e[1], e[2]) && has_triangle(triangles, e[0], e[1], e[3]);
}

static bool curve_holds(const link_set *s, int link, void *context) {
    const tear_job *job = context;
    const int32_t *e = link_ends(s, link);
    const link_set *segments = links_in(job->world, CLOTH_SEGMENTS);
    return links_find(segments, e[0], e[1]) >= 0 && links_find(segments, e[1], e[2]) >= 0;
}

/* Removes pieces first, then the bends that have lost a piece: matrix.c relies on every bend lying on existing
   pieces. */
rill_status rill_cloth_tear(rill_world *w, double dt) {
    bool any = false;
    FOR_ALIVE(w, cloth, c) any |= c->def.tear > 0.0f;
    if (!any) return RILL_OK;
    tear_job job = {w, (float)dt};
    const int before = cloth_element_count(w);
    TRY(world_change_links(w, CLOTH_SEGMENTS, segment_holds, NULL, &job));
    TRY(world_change_links(w, CLOTH_TRIANGLES, triangle_holds, NULL, &job));
    if (cloth_element_count(w) == before) return RILL_OK;
    TRY(world_change_links(w, CLOTH_HINGES, hinge_holds, NULL, &job));
    return world_change_links(w, CLOTH_CURVES, curve_holds, NULL, &job);
}
