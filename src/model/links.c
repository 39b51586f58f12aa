/* SPDX-License-Identifier: MIT */
/* Sorting links. They are grouped by their first particle with atomic counters. Threads decide the order within a
   group; so each group, which is small, is sorted afterwards. */
#include "model/links.h"

#include "core/arena.h"
#include "core/reduce.h"

#include <stdatomic.h>
#include <string.h>

/* ---- fields ---- */

bool rill_links_init(memory *m, link_set *s, const link_set_def *def, int dim) {
    const field_def ends = {"particles", "", "indices of its particles", RILL_SCALAR_INT32, def->ends, def->ends, 0};
    *s = (link_set){.def = *def};
    s->fields = rill_memory_get(m, sizeof(field) * (size_t)(1 + def->value_count));
    if (!s->fields) return false;
    for (int k = 0; k < 1 + def->value_count; k++) {
        field_def d = field_resolve(k == LINK_FIELD_ENDS ? ends : def->values[k - 1], dim);
        d.flags = FIELD_SORT; /* required in snapshots */
        s->fields[k] = (field){.def = d, .size = rill_scalar_size(d.scalar) * (size_t)d.width, .spare_owner = k};
    }
    s->field_count = 1 + def->value_count;
    return true;
}

static void release_fields(memory *m, field *fields, int count, int capacity) {
    for (int k = 0; k < count; k++) {
        rill_memory_release(m, fields[k].data, (size_t)capacity * fields[k].size);
        rill_memory_release(m, fields[k].spare, (size_t)capacity * fields[k].size);
    }
    rill_memory_release(m, fields, sizeof(field) * (size_t)count);
}

void rill_links_free(memory *m, link_set *s) {
    release_fields(m, s->fields, s->field_count, s->capacity);
    buffer *all[] = {&s->first, &s->touch, &s->touch_first, &s->scratch};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rill_buffer_free(m, all[k]);
    *s = (link_set){0};
}

bool rill_links_reserve(memory *m, link_set *s, int count) {
    if (count <= s->capacity) return true;
    field *fresh = rill_memory_get(m, sizeof(field) * (size_t)s->field_count);
    if (!fresh) return false;
    bool whole = true;
    for (int k = 0; k < s->field_count; k++) {
        const size_t bytes = (size_t)count * s->fields[k].size;
        fresh[k] = s->fields[k];
        fresh[k].data = rill_memory_get(m, bytes), fresh[k].spare = rill_memory_get(m, bytes);
        whole = whole && fresh[k].data && fresh[k].spare;
    }
    for (int k = 0; whole && s->count > 0 && k < s->field_count; k++)
        memcpy(fresh[k].data, s->fields[k].data, (size_t)s->count * fresh[k].size);
    release_fields(m, whole ? s->fields : fresh, s->field_count, whole ? s->capacity : count);
    if (whole) s->fields = fresh, s->capacity = count;
    return whole;
}

/* ---- groups ---- */

/* A grouping of links by the particles at some of their ends; the links of a particle are its members. */
typedef struct grouping {
    parallel *workers;
    bool alone; /* one worker: counters need no atomic operations */
    const link_set *set;
    int from;             /* first link to group */
    int rows;             /* number of links from there on; removed ones are left out */
    int end_begin;        /* first end to group by */
    int end_stop;         /* and the end after the last */
    const int32_t *owned; /* first link of each particle: its own links become members too, after the others; or NULL */
    int particles;
    atomic_int *counts; /* members of each particle, without its own links */
    int32_t *rank;      /* of each link in its group, end by end */
    int32_t *starts;    /* first member of each block of particles */
    int32_t *first;     /* first member of each particle */
    int32_t *members;
} grouping;

static void clear_counts(int begin, int end, void *context) {
    const grouping *g = context;
    for (int i = begin; i < end; i++) atomic_store_explicit(&g->counts[i], 0, memory_order_relaxed);
}

static int member_count(const grouping *g, int i) {
    const int owned = g->owned ? g->owned[i + 1] - g->owned[i] : 0;
    return owned + atomic_load_explicit(&g->counts[i], memory_order_relaxed);
}

/* Takes the next `run` ranks in a group. Returns the first. */
static int32_t take_ranks(const grouping *g, int32_t key, int run) {
    atomic_int *count = &g->counts[key];
    if (!g->alone) return atomic_fetch_add_explicit(count, run, memory_order_relaxed);
    const int rank = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, rank + run, memory_order_relaxed);
    return rank;
}

static inline int32_t key_of(const grouping *g, int end, int row) {
    const int32_t *ends = link_ends(g->set, row);
    return ends[0] < 0 ? -1 : ends[end];
}

/* Links with the same first particle are mostly consecutive; a run of them takes all of its ranks at once. */
static void rank_rows(int begin, int end, void *context) {
    const grouping *g = context;
    for (int which = g->end_begin; which < g->end_stop; which++) {
        int32_t *rank = g->rank + (size_t)(which - g->end_begin) * (size_t)g->rows;
        for (int row = begin, run; row < end; row += run) {
            const int32_t key = key_of(g, which, g->from + row);
            for (run = 1; row + run < end && key_of(g, which, g->from + row + run) == key;) run++;
            const int32_t first = key >= 0 ? take_ranks(g, key, run) : 0;
            for (int n = 0; n < run; n++) rank[row + n] = first + n;
        }
    }
}

static double count_members(int begin, int end, void *context) {
    const grouping *g = context;
    int sum = 0;
    for (int i = begin; i < end; i++) sum += member_count(g, i);
    return sum;
}

static void write_first(int begin, int end, void *context) {
    const grouping *g = context;
    int32_t at = g->starts[begin / REDUCE_BLOCK];
    for (int i = begin; i < end; i++) {
        g->first[i] = at;
        at += member_count(g, i);
    }
}

static void put_rows(int begin, int end, void *context) {
    const grouping *g = context;
    for (int which = g->end_begin; which < g->end_stop; which++) {
        const int32_t *rank = g->rank + (size_t)(which - g->end_begin) * (size_t)g->rows;
        for (int row = begin; row < end; row++) {
            const int32_t key = key_of(g, which, g->from + row);
            if (key >= 0) g->members[g->first[key] + rank[row]] = g->from + row;
        }
    }
}

/* Groups the links. Returns the number of members. A particle's own links are counted but not written. */
static int group_rows(grouping *g) {
    rill_parallel_for(g->workers, g->particles, LINK_GRAIN, clear_counts, g);
    rill_parallel_for(g->workers, g->rows, LINK_GRAIN, rank_rows, g);
    const int64_t members = rill_reduce_starts(g->workers, g->particles, REDUCE_BLOCK, count_members, g, g->starts);
    rill_parallel_for(g->workers, g->particles, REDUCE_BLOCK, write_first, g);
    g->first[g->particles] = (int32_t)members;
    rill_parallel_for(g->workers, g->rows, LINK_GRAIN, put_rows, g);
    return (int)members;
}

/* ---- order ---- */

typedef struct ordering {
    link_set *set;
    const int32_t *moved_to;
    int old_rows; /* number of links before the change; new ones follow */
    int32_t *source;
    int32_t *fresh_first, *next_first; /* of a merge: for each particle the first new link, and the first of all */
    grouping group;
} ordering;

/* Gaps of Shell's sort: long groups are rare, and short ones are nearly sorted. */
static const int gaps[] = {4193, 1577, 568, 208, 77, 23};

typedef bool before_fn(const ordering *o, int32_t a, int32_t b);

/* Shell's sort: insertion with decreasing gaps. */
static inline void sort_group(const ordering *o, int32_t *members, int count, before_fn *before) {
    for (size_t pass = 0; pass <= sizeof gaps / sizeof *gaps; pass++) {
        const int gap = pass < sizeof gaps / sizeof *gaps ? gaps[pass] : 1;
        if (gap > 1 && 3 * gap > count) continue;
        for (int k = gap; k < count; k++) {
            const int32_t member = members[k];
            int at = k;
            for (; at >= gap && before(o, member, members[at - gap]); at -= gap) members[at] = members[at - gap];
            members[at] = member;
        }
    }
}

static inline int compare_ends(const link_set *s, int a, int b) {
    const int32_t *x = link_ends(s, a), *y = link_ends(s, b);
    for (int k = 1; k < s->def.ends; k++) /* the first end is the same within a group */
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Of two links with the same particles the older one comes first. Of two new ones it is that with the lower bytes, so
   that the order does not depend on which thread wrote which. */
static inline bool comes_before(const ordering *o, int32_t a, int32_t b) {
    const link_set *s = o->set;
    int order = compare_ends(s, a, b);
    if (order == 0) order = (a >= o->old_rows) - (b >= o->old_rows);
    for (int k = 1; order == 0 && k < s->field_count; k++) {
        const size_t size = s->fields[k].size;
        const char *data = s->fields[k].data;
        order = memcmp(data + (size_t)a * size, data + (size_t)b * size, size);
    }
    return order < 0;
}

static inline bool is_lower(const ordering *o, int32_t a, int32_t b) {
    (void)o;
    return a < b;
}

static inline bool names_twice(const int32_t *ends, int count) {
    bool twice = false;
    for (int a = 1; a < count; a++)
        for (int b = 0; b < a; b++) twice = twice || ends[a] == ends[b];
    return twice;
}

static inline void lower_first(int32_t *ends, int count) {
    for (int a = 1; a < count; a++)
        for (int b = a; b > 0; b--) {
            const int32_t x = ends[b - 1], y = ends[b];
            ends[b - 1] = x < y ? x : y, ends[b] = x < y ? y : x;
        }
}

/* Updates the ends of a link. A removed link has -1 as first particle. */
static inline void move_row(int32_t *ends, int count, const int32_t *moved_to, bool mutual) {
    bool gone = ends[0] < 0 || names_twice(ends, count);
    for (int k = 0; k < count && !gone && moved_to; k++) {
        ends[k] = moved_to[ends[k]];
        gone = ends[k] < 0;
    }
    if (gone)
        ends[0] = -1;
    else if (mutual)
        lower_first(ends, count);
}

static void move_rows(int begin, int end, void *context) {
    const ordering *o = context;
    if (!o->moved_to && begin < o->old_rows)
        begin = end < o->old_rows ? end : o->old_rows; /* old links have not changed */
    const int count = o->set->def.ends;
    const bool mutual = o->set->def.flags & LINK_MUTUAL;
    for (int row = begin; row < end; row++)
        if (count == 2) /* most sets are pairs: loops over ends unroll */
            move_row(link_ends(o->set, row), 2, o->moved_to, mutual);
        else
            move_row(link_ends(o->set, row), count, o->moved_to, mutual);
}

/* Whether links are in strictly rising order. */
static bool is_sorted(const link_set *s, const int32_t *members, int count) {
    for (int k = 1; k < count; k++)
        if (compare_ends(s, members[k - 1], members[k]) >= 0) return false;
    return true;
}

/* Sorts the links of the particles [begin, end) and removes duplicates. Returns the number of these. */
static double sort_rows(int begin, int end, void *context) {
    const ordering *o = context;
    const int32_t *first = o->group.first;
    int twins = 0;
    for (int i = begin; i < end; i++) {
        if (is_sorted(o->set, o->source + first[i], first[i + 1] - first[i])) continue;
        sort_group(o, o->source + first[i], first[i + 1] - first[i], comes_before);
        for (int n = first[i + 1] - 1; n > first[i]; n--) {
            if (compare_ends(o->set, o->source[n], o->source[n - 1]) != 0) continue;
            link_ends(o->set, o->source[n])[0] = -1;
            twins++;
        }
    }
    return twins;
}

static void sort_touches(int begin, int end, void *context) {
    const grouping *g = context;
    for (int i = begin; i < end; i++) {
        if (member_count(g, i) == 0) continue;
        int32_t *members = g->members + g->first[i];
        int count = member_count(g, i) - (g->owned[i + 1] - g->owned[i]);
        for (int link = g->owned[i]; link < g->owned[i + 1]; link++) members[count++] = link;
        sort_group(NULL, members, count, is_lower);
    }
}

/* Lists the links of each particle, at any end. */
static void list_touches(const ordering *o) {
    const link_set *s = o->set;
    grouping g = o->group;
    g.from = 0, g.rows = s->count;
    g.end_begin = 1, g.end_stop = s->def.ends;
    g.owned = s->first.data;
    g.first = s->touch_first.data, g.members = s->touch.data;
    group_rows(&g);
    rill_parallel_for(g.workers, g.particles, REDUCE_BLOCK, sort_touches, &g);
}

static void ask_order(arena *a, ordering *o, int rows, int particles) {
    ARENA_ASK(a, o->source, rows);
    ARENA_ASK(a, o->group.rank,
              (size_t)rows * (size_t)(o->set->def.ends - 1)); /* also enough for one end, when grouping by the first */
    ARENA_ASK(a, o->group.counts, particles);
    ARENA_ASK(a, o->group.starts, reduce_block_count(particles) + 1);
    ARENA_ASK(a, o->fresh_first, particles + 1);
    ARENA_ASK(a, o->next_first, particles + 1);
}

bool rill_links_reserve_order(memory *m, link_set *s, int rows, int particles) {
    arena a = {0};
    ordering o = {.set = s};
    const size_t ends = (size_t)rows * (size_t)s->def.ends, all = (size_t)particles + 1;
    ask_order(&a, &o, rows, particles);
    if (ends > INT32_MAX || !rill_arena_give(&a, m, &s->scratch) ||
        !rill_buffer_reserve(m, &s->first, sizeof(int32_t) * all, 0))
        return false;
    return !(s->def.flags & LINK_TOUCH) || (rill_buffer_reserve(m, &s->touch_first, sizeof(int32_t) * all, 0) &&
                                            rill_buffer_grow(m, &s->touch, sizeof(int32_t) * ends, 0));
}

static ordering begin_order(link_set *s, parallel *workers, int rows, int particles) {
    arena a = {0};
    ordering o = {.set = s, .old_rows = s->count};
    ask_order(&a, &o, rows, particles);
    rill_arena_place(&a, &s->scratch);
    grouping *g = &o.group;
    g->workers = workers, g->alone = rill_parallel_workers(workers) == 1;
    g->set = s, g->rows = rows, g->end_begin = 0, g->end_stop = 1;
    g->particles = particles, g->members = o.source;
    return o;
}

/* Permutes the links into the order `source`. */
static void end_order(const ordering *o, const int32_t *source) {
    link_set *s = o->set;
    for (int k = 0; k < s->field_count; k++) {
        field *f = &s->fields[k];
        rill_field_permute(o->group.workers, f->spare, f->data, f->size, source, s->count);
        void *data = f->spare;
        f->spare = f->data, f->data = data;
    }
    if (s->def.flags & LINK_TOUCH) list_touches(o);
}

void rill_links_order(link_set *s, parallel *workers, int rows, const int32_t *moved_to, int particles) {
    ordering o = begin_order(s, workers, rows, particles);
    o.moved_to = moved_to;
    o.group.first = s->first.data;
    rill_parallel_for(workers, rows, LINK_GRAIN, move_rows, &o);
    do {
        s->count = group_rows(&o.group);
    } while (rill_reduce_sum(workers, particles, REDUCE_BLOCK, sort_rows, &o) > 0);
    s->grouped = particles;
    end_order(&o, o.source);
}

/* ---- merging new links into sorted ones ---- */

static inline bool is_gone(const link_set *s, int link) {
    return link_ends(s, link)[0] < 0;
}

/* Merges the old and new links of particle i into `out` unless it is NULL. Returns their number. */
static inline int merge_links(const ordering *o, int i, int32_t *out) {
    const link_set *s = o->set;
    const int32_t *first = s->first.data, *fresh = o->source + o->fresh_first[i];
    const int32_t *stop = o->source + o->fresh_first[i + 1];
    int count = 0;
    for (int link = first[i]; link < first[i + 1]; link++) {
        if (is_gone(s, link)) continue;
        for (; fresh < stop; fresh++) {
            const int order = is_gone(s, *fresh) ? 0 : compare_ends(s, *fresh, link);
            if (order > 0) break;
            if (order == 0) continue; /* exists already */
            if (out) out[count] = *fresh;
            count++;
        }
        if (out) out[count] = link;
        count++;
    }
    for (; fresh < stop; fresh++) {
        if (is_gone(s, *fresh)) continue;
        if (out) out[count] = *fresh;
        count++;
    }
    return count;
}

static double count_merged(int begin, int end, void *context) {
    int sum = 0;
    for (int i = begin; i < end; i++) sum += merge_links(context, i, NULL);
    return sum;
}

static void write_merged(int begin, int end, void *context) {
    const ordering *o = context;
    int32_t at = o->group.starts[begin / REDUCE_BLOCK];
    for (int i = begin; i < end; i++) {
        o->next_first[i] = at;
        at += merge_links(o, i, o->group.rank + at);
    }
}

/* Sorts links whose old ones are sorted, except that some were removed, with new ones behind them. Only new links are
   grouped and sorted; then those of each particle are merged with its old ones. The array of ranks receives the
   resulting order. */
static void merge_new(link_set *s, parallel *workers, int rows, int particles) {
    ordering o = begin_order(s, workers, rows, particles);
    grouping *g = &o.group;
    g->from = s->count, g->rows = rows - s->count, g->first = o.fresh_first;
    rill_parallel_for(workers, rows, LINK_GRAIN, move_rows, &o);
    group_rows(g);
    rill_reduce_sum(workers, particles, REDUCE_BLOCK, sort_rows, &o);
    s->count = (int)rill_reduce_starts(workers, particles, REDUCE_BLOCK, count_merged, &o, g->starts);
    rill_parallel_for(workers, particles, REDUCE_BLOCK, write_merged, &o);
    o.next_first[particles] = s->count;
    memcpy(s->first.data, o.next_first, sizeof(int32_t) * ((size_t)particles + 1));
    end_order(&o, g->rank);
}

bool rill_links_are_sound(const link_set *s, int particles) {
    for (int link = 0; link < s->count; link++) {
        const int32_t *ends = link_ends(s, link);
        for (int k = 0; k < s->def.ends; k++)
            if (ends[k] < 0 || ends[k] >= particles) return false;
        if (names_twice(ends, s->def.ends)) return false;
        if (link == 0 || link_ends(s, link - 1)[0] < ends[0]) continue;
        if (link_ends(s, link - 1)[0] > ends[0] || compare_ends(s, link - 1, link) >= 0) return false;
    }
    return true;
}

/* ---- changing ---- */

/* Rows for new links that a block of particles takes at a time. */
#define ROWS_TAKEN 16
/* Particles of a block. */
#define ADD_GRAIN 256

typedef struct change_job {
    link_set *set;
    link_keep_fn *keep;
    link_add_fn *add;
    void *context;
    atomic_llong used; /* rows that blocks have taken; may exceed the capacity */
} change_job;

struct link_writer {
    change_job *job;
    int64_t at, end; /* the rest of the rows taken last */
};

static bool has_room(const link_writer *w) {
    return w->end <= w->job->set->capacity;
}

int rill_link_add(link_writer *w, const int32_t *ends) {
    const link_set *s = w->job->set;
    if (w->at == w->end) {
        w->at = atomic_fetch_add_explicit(&w->job->used, ROWS_TAKEN, memory_order_relaxed);
        w->end = w->at + ROWS_TAKEN;
    }
    const int64_t row = w->at++;
    if (!has_room(w)) return -1;
    for (int k = 0; k < s->field_count; k++)
        memset((char *)s->fields[k].data + (size_t)row * s->fields[k].size, 0, s->fields[k].size);
    memcpy(link_ends(s, (int)row), ends, sizeof(int32_t) * (size_t)s->def.ends);
    return (int)row;
}

static void add_block(int begin, int end, void *context) {
    link_writer w = {.job = context};
    w.job->add(begin, end, &w, w.job->context);
    for (; has_room(&w) && w.at < w.end; w.at++) link_ends(w.job->set, (int)w.at)[0] = -1;
}

/* Marks the links that `keep` refuses. Returns their number. */
static double keep_block(int begin, int end, void *context) {
    const change_job *job = context;
    int gone = 0;
    for (int link = begin; link < end; link++) {
        if (job->keep(job->set, link, job->context)) continue;
        link_ends(job->set, link)[0] = -1;
        gone++;
    }
    return gone;
}

/* Adds the new links. Returns the number of rows, or -1 if there is no memory. How many rows a block takes depends only
   on what it adds. */
static int add_rows(change_job *job, memory *m, parallel *workers, int particles) {
    link_set *s = job->set;
    for (;;) {
        atomic_store(&job->used, s->count);
        rill_parallel_for(workers, particles, ADD_GRAIN, add_block, job);
        const int64_t used = atomic_load(&job->used), roomy = used + used / 2;
        if (used <= s->capacity) return (int)used;
        if (roomy > INT32_MAX || !rill_links_reserve(m, s, (int)roomy)) return -1;
    }
}

bool rill_links_change(link_set *s, memory *m, parallel *workers, int particles, link_keep_fn *keep, link_add_fn *add,
                       void *context) {
    change_job job = {.set = s, .keep = keep, .add = add, .context = context};
    const bool lost = keep && rill_reduce_sum(workers, s->count, LINK_GRAIN, keep_block, &job) > 0;
    const int rows = add ? add_rows(&job, m, workers, particles) : s->count;
    if (rows == s->count && !lost) return true;
    if (rows < 0 || !rill_links_reserve_order(m, s, rows, particles)) return false;
    if (s->grouped == particles)
        merge_new(s, workers, rows, particles);
    else
        rill_links_order(s, workers, rows, NULL, particles);
    return true;
}
