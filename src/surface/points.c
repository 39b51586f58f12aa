/* SPDX-License-Identifier: MIT */
/* Collects the particles to be meshed with their periodic copies, sorts them into bins, and finds the bins deep
   inside. */
#include "core/wide.h"
#include "surface/surface.h"

#include <string.h>

/* A bin is full if it has this share of the particles it would hold at rest. */
#define FULL_SHARE 0.6f
#define GRAIN      256

size_t rill_point_set_bytes(int count) {
    return (size_t)WIDE_ROUND_UP(count + WIDE) * POINT_ARRAYS * sizeof(float);
}

void rill_point_set_lay(point_set *set, void *data, int count) {
    float **arrays[] = {&set->x,       &set->y,       &set->z,       &set->weight,  &set->form[0],
                        &set->form[1], &set->form[2], &set->form[3], &set->form[4], &set->form[5],
                        &set->vx,      &set->vy,      &set->vz};
    const size_t length = (size_t)WIDE_ROUND_UP(count + WIDE);
    float *next = data;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++, next += length) *arrays[k] = next;
    set->fluid = (uint32_t *)next, set->source = set->fluid + length;
    set->count = 0;
}

/* ---- taking particles ---- */

static float finite_or_zero(float x) {
    return isfinite(x) ? x : 0.0f;
}

static void append(point_set *set, const float at[3], rill_vec velocity, uint32_t fluid, uint32_t source) {
    const int k = set->count++;
    set->x[k] = at[0], set->y[k] = at[1], set->z[k] = at[2];
    set->vx[k] = finite_or_zero(velocity.x), set->vy[k] = finite_or_zero(velocity.y);
    set->vz[k] = finite_or_zero(velocity.z);
    set->fluid[k] = fluid, set->source[k] = source;
}

/* False for positions so far out that floats no longer resolve the bins. */
static bool in_range(const rill_surface *s, const float at[3]) {
    const float most = (float)FARTHEST_BIN * s->bin_edge;
    return fabsf(at[0]) < most && fabsf(at[1]) < most && fabsf(at[2]) < most;
}

static void take_particle(rill_surface *s, int k) {
    const rill_surface_particles *in = s->input;
    const uint32_t fluid = in->fluid ? in->fluid[k] : 0;
    if (fluid >= RILL_PHASE_CLOTH || (s->def.fluid >= 0 && fluid != (uint32_t)s->def.fluid)) return;
    const float at[3] = {in->position[k].x, in->position[k].y, s->recipe.dim == 3 ? in->position[k].z : 0.0f};
    if (!in_range(s, at)) {
        s->left_out++;
        return;
    }
    append(&s->taken, at, in->velocity ? in->velocity[k] : (rill_vec){0, 0, 0}, fluid, (uint32_t)k);
}

/* Copies the particles near each periodic face to the far side of the opposite face. */
static bool copy_across(rill_surface *s, int axis) {
    float *coordinates[3] = {s->taken.x, s->taken.y, s->taken.z};
    const float period = s->box_max[axis] - s->box_min[axis], margin = 2.0f * s->bin_edge;
    const int count = s->taken.count;
    int copies = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < count; k++) {
            const float x = coordinates[axis][k];
            const bool low = x<s->box_min[axis] + margin, high = x> s->box_max[axis] - margin;
            if (pass == 0) copies += low + high;
            for (int side = 0; pass == 1 && side < 2; side++) {
                if (!(side ? high : low)) continue;
                float at[3] = {s->taken.x[k], s->taken.y[k], s->taken.z[k]};
                at[axis] += side ? -period : period;
                append(&s->taken, at, (rill_vec){s->taken.vx[k], s->taken.vy[k], s->taken.vz[k]}, s->taken.fluid[k],
                       s->taken.source[k]);
            }
        }
        if (pass == 1 || copies == 0) break;
        /* All arrays of a set lie in one buffer, which must be larger to hold the copies. */
        buffer larger = {0};
        if (count > INT32_MAX / 4 || !rill_buffer_reserve(&s->memory, &larger, rill_point_set_bytes(count + copies), 0))
            return false;
        point_set moved;
        rill_point_set_lay(&moved, larger.data, count + copies);
        const float *from[] = {s->taken.x, s->taken.y, s->taken.z, s->taken.vx, s->taken.vy, s->taken.vz};
        float *to[] = {moved.x, moved.y, moved.z, moved.vx, moved.vy, moved.vz};
        for (int a = 0; a < 6; a++) memcpy(to[a], from[a], (size_t)count * sizeof(float));
        memcpy(moved.fluid, s->taken.fluid, (size_t)count * sizeof(uint32_t));
        memcpy(moved.source, s->taken.source, (size_t)count * sizeof(uint32_t));
        moved.count = count;
        rill_buffer_free(&s->memory, &s->taken_data);
        s->taken_data = larger;
        s->taken = moved;
        coordinates[0] = moved.x, coordinates[1] = moved.y, coordinates[2] = moved.z;
    }
    return true;
}

bool rill_surface_take(rill_surface *s) {
    const int count = s->input->count;
    if (!rill_buffer_reserve(&s->memory, &s->taken_data, rill_point_set_bytes(count), 0)) return false;
    rill_point_set_lay(&s->taken, s->taken_data.data, count);
    s->left_out = 0;
    for (int k = 0; k < count; k++) take_particle(s, k);
    for (int axis = 0; axis < s->recipe.dim; axis++)
        if (isfinite(s->box_max[axis]) && !copy_across(s, axis)) return false;
    return true;
}

/* ---- sorting ---- */

static void bin_place(const rill_surface *s, const float at[3], int32_t place[3]) {
    for (int a = 0; a < 3; a++) place[a] = floor_place(at[a], s->bin_edge);
}

int rill_surface_bin_at(const rill_surface *s, const float point[3]) {
    int32_t place[3];
    bin_place(s, point, place);
    return cell_box_has(&s->bin_box, place) ? rill_cell_map_find(&s->bins, cell_key(&s->bin_box, place)) : -1;
}

static void find_bin_box(rill_surface *s) {
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (int k = 0; k < s->taken.count; k++) {
        const float at[3] = {s->taken.x[k], s->taken.y[k], s->taken.z[k]};
        int32_t place[3];
        bin_place(s, at, place);
        for (int a = 0; a < 3; a++) {
            if (place[a] < low[a]) low[a] = place[a];
            if (place[a] > high[a]) high[a] = place[a];
        }
    }
    for (int a = 0; a < 3; a++) s->bin_box.low[a] = low[a], s->bin_box.size[a] = (int64_t)high[a] - low[a] + 1;
}

static void permute(rill_surface *s, const int32_t *order) {
    point_set *to = &s->points, *from = &s->taken;
    const float *source[] = {from->x, from->y, from->z, from->vx, from->vy, from->vz};
    float *target[] = {to->x, to->y, to->z, to->vx, to->vy, to->vz};
    for (int a = 0; a < 6; a++)
        for (int k = 0; k < from->count; k++) target[a][k] = source[a][order[k]];
    for (int k = 0; k < from->count; k++) to->fluid[k] = from->fluid[order[k]], to->source[k] = from->source[order[k]];
    to->count = from->count;
}

bool rill_surface_sort(rill_surface *s) {
    const int count = s->taken.count;
    const size_t n = (size_t)count;
    if (!rill_buffer_reserve(&s->memory, &s->points_data, rill_point_set_bytes(count), 0) ||
        !rill_buffer_reserve(&s->memory, &s->sort_data, n * 2 * (sizeof(uint64_t) + sizeof(int32_t)), 0) ||
        !rill_cell_map_clear(&s->memory, &s->bins, count / 8))
        return false;
    rill_point_set_lay(&s->points, s->points_data.data, count);
    uint64_t *keys = s->sort_data.data;
    int32_t *order = (int32_t *)(keys + 2 * n);
    find_bin_box(s);
    uint64_t greatest = 0;
    for (int k = 0; k < count; k++) {
        const float at[3] = {s->taken.x[k], s->taken.y[k], s->taken.z[k]};
        int32_t place[3];
        bin_place(s, at, place);
        keys[k] = cell_key(&s->bin_box, place), order[k] = k;
        greatest = keys[k] > greatest ? keys[k] : greatest;
    }
    rill_cells_sort(keys, order, keys + n, order + n, count, greatest);
    permute(s, order);
    int bins = 0;
    for (int k = 0; k < count; k++) bins += k == 0 || keys[k] != keys[k - 1];
    if (!rill_buffer_reserve(&s->memory, &s->bin_first, ((size_t)bins + 1) * sizeof(int32_t), 0)) return false;
    int32_t *first = s->bin_first.data;
    for (int k = 0; k < count; k++)
        if (k == 0 || keys[k] != keys[k - 1]) {
            const int bin = rill_cell_map_put(&s->memory, &s->bins, keys[k]);
            if (bin < 0) return false;
            first[bin] = k;
        }
    first[bins] = count;
    return true;
}

/* ---- collecting points ---- */

static void copy_points(const point_set *from, int first, int count, point_set *to) {
    const float *const source[] = {from->x,       from->y,       from->z,       from->weight,  from->form[0],
                                   from->form[1], from->form[2], from->form[3], from->form[4], from->form[5],
                                   from->vx,      from->vy,      from->vz};
    float *const target[] = {to->x,       to->y,       to->z,       to->weight, to->form[0], to->form[1], to->form[2],
                             to->form[3], to->form[4], to->form[5], to->vx,     to->vy,      to->vz};
    for (size_t a = 0; a < sizeof source / sizeof *source; a++)
        memcpy(target[a] + to->count, source[a] + first, (size_t)count * sizeof(float));
    memcpy(to->fluid + to->count, from->fluid + first, (size_t)count * sizeof(uint32_t));
    memcpy(to->source + to->count, from->source + first, (size_t)count * sizeof(uint32_t));
    to->count += count;
}

/* Wide loops read past the end, so the points there must be far away and have no weight. */
static void pad(point_set *set) {
    for (int k = set->count; k < WIDE_ROUND_UP(set->count); k++) {
        set->x[k] = set->y[k] = set->z[k] = 1e18f;
        set->weight[k] = set->vx[k] = set->vy[k] = set->vz[k] = 0.0f;
        for (int a = 0; a < 6; a++) set->form[a][k] = a < 3 ? 1.0f : 0.0f;
    }
}

int rill_surface_collect(const rill_surface *s, const float low[3], const float high[3], point_set *into) {
    int32_t from[3], to[3], place[3];
    bin_place(s, low, from), bin_place(s, high, to);
    for (int a = 0; a < 3; a++) {
        const int64_t last = s->bin_box.low[a] + s->bin_box.size[a] - 1;
        if (from[a] < s->bin_box.low[a]) from[a] = s->bin_box.low[a];
        if (to[a] > last) to[a] = (int32_t)last;
    }
    const int32_t *first = s->bin_first.data;
    int count = 0;
    if (into) into->count = 0;
    for (place[2] = from[2]; place[2] <= to[2]; place[2]++)
        for (place[1] = from[1]; place[1] <= to[1]; place[1]++)
            for (place[0] = from[0]; place[0] <= to[0]; place[0]++) {
                const int bin = rill_cell_map_find(&s->bins, cell_key(&s->bin_box, place));
                if (bin < 0) continue;
                count += first[bin + 1] - first[bin];
                if (into) copy_points(&s->points, first[bin], first[bin + 1] - first[bin], into);
            }
    if (into) pad(into);
    return count;
}

bool rill_surface_reserve_scratch(rill_surface *s, int room) {
    const size_t each = rill_point_set_bytes(room) + 2 * BLOCK_NODES * sizeof(float);
    if (!rill_buffer_reserve(&s->memory, &s->scratch, each * (size_t)rill_parallel_workers(s->workers), 0))
        return false;
    s->room = room;
    return true;
}

point_set rill_surface_scratch(const rill_surface *s, int worker) {
    point_set set;
    const size_t each = rill_point_set_bytes(s->room) + 2 * BLOCK_NODES * sizeof(float);
    rill_point_set_lay(&set, (char *)s->scratch.data + (size_t)worker * each, s->room);
    return set;
}

/* ---- looking around ---- */

/* Whether all bins that the particles of a bin reach are full. */
static bool full_around(const rill_surface *s, int bin) {
    const uint8_t *states = s->bin_states.data;
    int32_t centre[3], place[3];
    cell_place(&s->bin_box, ((const uint64_t *)s->bins.keys.data)[bin], centre);
    const int far = s->bins_around, deep = s->recipe.dim == 3 ? far : 0;
    for (place[2] = centre[2] - deep; place[2] <= centre[2] + deep; place[2]++)
        for (place[1] = centre[1] - far; place[1] <= centre[1] + far; place[1]++)
            for (place[0] = centre[0] - far; place[0] <= centre[0] + far; place[0]++) {
                if (!cell_box_has(&s->bin_box, place)) return false;
                const int other = rill_cell_map_find(&s->bins, cell_key(&s->bin_box, place));
                if (other < 0 || !(states[other] & BIN_FULL)) return false;
            }
    return true;
}

/* Whether a wall may pass through a bin. It may be full all the same: a body or a plate can be thinner than a bin. */
static bool has_wall(const rill_surface *s, int bin) {
    int32_t place[3];
    near_wall nearest;
    if (!surface_has_walls(s)) return false;
    cell_place(&s->bin_box, ((const uint64_t *)s->bins.keys.data)[bin], place);
    const float centre[3] = {((float)place[0] + 0.5f) * s->bin_edge, ((float)place[1] + 0.5f) * s->bin_edge,
                             s->recipe.dim == 3 ? ((float)place[2] + 0.5f) * s->bin_edge : 0.0f};
    return rill_surface_walls_near(s, centre, 0.87f * s->bin_edge, &nearest, 1) > 0;
}

static void find_deep(int begin, int end, void *context) {
    rill_surface *s = context;
    uint8_t *deep = (uint8_t *)s->bin_states.data + s->bins.count;
    for (int b = begin; b < end; b++) deep[b] = full_around(s, b) && !has_wall(s, b);
}

/* A bin is deep if all bins within its reach are full and no wall passes through it. Particles farther away do not
   affect it, so no visible surface passes through it, and its particles have the surroundings they have at rest. All
   other bins are near the surface. */
static bool classify(rill_surface *s) {
    const int bins = s->bins.count;
    if (!rill_buffer_reserve(&s->memory, &s->bin_states, 2 * (size_t)bins, 0) ||
        !rill_buffer_reserve(&s->memory, &s->near_bins, (size_t)bins * sizeof(int32_t), 0))
        return false;
    uint8_t *states = s->bin_states.data;
    const int32_t *first = s->bin_first.data;
    const float side = s->bin_edge / s->recipe.spacing;
    const float full = FULL_SHARE * (s->recipe.dim == 3 ? side * side * side : side * side);
    for (int b = 0; b < bins; b++) states[b] = (float)(first[b + 1] - first[b]) >= full ? BIN_FULL : 0;
    rill_parallel_for(s->workers, bins, GRAIN, find_deep, s);
    s->near_count = 0;
    for (int b = 0; b < bins; b++) {
        if (states[bins + b])
            states[b] |= BIN_DEEP;
        else
            ((int32_t *)s->near_bins.data)[s->near_count++] = b;
    }
    return true;
}

static void bin_bounds(const rill_surface *s, int bin, float margin, float low[3], float high[3]) {
    int32_t place[3];
    cell_place(&s->bin_box, ((const uint64_t *)s->bins.keys.data)[bin], place);
    for (int a = 0; a < 3; a++) {
        low[a] = (float)place[a] * s->bin_edge - margin;
        high[a] = (float)(place[a] + 1) * s->bin_edge + margin;
    }
}

static void look_from_bins(int begin, int end, int worker, void *context) {
    rill_surface *s = context;
    const int32_t *first = s->bin_first.data, *near = s->near_bins.data;
    point_set all = rill_surface_scratch(s, worker);
    for (int n = begin; n < end; n++) {
        float low[3], high[3];
        bin_bounds(s, near[n], s->recipe.around, low, high);
        rill_surface_collect(s, low, high, &all);
        near_wall list[NEAR_WALLS], walls[4];
        const float centre[3] = {0.5f * (low[0] + high[0]), 0.5f * (low[1] + high[1]), 0.5f * (low[2] + high[2])};
        const float half = 0.87f * s->bin_edge + s->recipe.around;
        const int listed = rill_surface_walls_near(s, centre, half, list, NEAR_WALLS);
        for (int k = first[near[n]]; k < first[near[n] + 1]; k++) {
            const float at[3] = {s->points.x[k], s->points.y[k], s->points.z[k]};
            surroundings seen;
            rill_surroundings_of(&s->recipe, &all, at, &seen);
            const int count = rill_surface_walls_of(s, list, listed, at, s->recipe.around, walls, 4);
            /* stored in `taken`, since neighbours still need the original position */
            ((uint8_t *)s->lone.data)[k] = rill_shape_point(&s->recipe, &seen, walls, count, &s->taken, k);
        }
    }
}

static void rest_points(int begin, int end, void *context) {
    rill_surface *s = context;
    const surroundings rest = {.sum = s->recipe.rest_sum, .count = HUGE_VALF, .weight = HUGE_VALF};
    for (int k = begin; k < end; k++) {
        s->taken.x[k] = s->points.x[k], s->taken.y[k] = s->points.y[k], s->taken.z[k] = s->points.z[k];
        surroundings seen = rest;
        for (int a = 0; a < 3; a++) seen.covariance[a] = 1.0f / s->recipe.stretch;
        rill_shape_point(&s->recipe, &seen, NULL, 0, &s->taken, k);
    }
}

static bool reserve_lone(rill_surface *s) {
    const size_t count = (size_t)s->points.count;
    if (!rill_buffer_reserve(&s->memory, &s->lone, (count + 4) * (sizeof(uint8_t) + sizeof(int32_t)), 0)) return false;
    memset(s->lone.data, 0, count);
    return true;
}

/* The list follows the flags. */
int32_t *rill_surface_lone_list(const rill_surface *s) {
    return (int32_t *)(void *)((char *)s->lone.data + (((size_t)s->points.count + 3) & ~(size_t)3));
}

static void list_lone(rill_surface *s) {
    int32_t *list = rill_surface_lone_list(s);
    s->lone_count = 0;
    for (int k = 0; k < s->points.count; k++)
        if (((const uint8_t *)s->lone.data)[k]) list[s->lone_count++] = (int32_t)s->points.source[k];
}

bool rill_surface_look_around(rill_surface *s) {
    if (!classify(s)) return false;
    int most = 0;
    for (int n = 0; n < s->near_count; n++) {
        float low[3], high[3];
        bin_bounds(s, ((const int32_t *)s->near_bins.data)[n], s->recipe.around, low, high);
        const int count = rill_surface_collect(s, low, high, NULL);
        most = count > most ? count : most;
    }
    if (!rill_surface_reserve_scratch(s, most) || !reserve_lone(s)) return false;
    /* Weights and forms are copied, though not used, before they are computed. Avoid reading uninitialised memory. */
    float *const unset[] = {s->points.weight,  s->points.form[0], s->points.form[1], s->points.form[2],
                            s->points.form[3], s->points.form[4], s->points.form[5]};
    for (size_t a = 0; a < sizeof unset / sizeof *unset; a++)
        memset(unset[a], 0, (size_t)s->points.count * sizeof(float));
    rill_parallel_for(s->workers, s->points.count, GRAIN * 16, rest_points, s);
    rill_parallel_for_workers(s->workers, s->near_count, 16, look_from_bins, s);
    list_lone(s);
    /* A point stays in its bin when its centre is shifted; callers of rill_surface_collect allow for the shift. */
    const point_set *t = &s->taken;
    float *to[] = {s->points.x,       s->points.y,       s->points.z,       s->points.weight,  s->points.form[0],
                   s->points.form[1], s->points.form[2], s->points.form[3], s->points.form[4], s->points.form[5]};
    const float *from[] = {t->x,       t->y,       t->z,       t->weight,  t->form[0],
                           t->form[1], t->form[2], t->form[3], t->form[4], t->form[5]};
    for (size_t a = 0; a < sizeof to / sizeof *to; a++) memcpy(to[a], from[a], (size_t)s->points.count * sizeof(float));
    return true;
}
