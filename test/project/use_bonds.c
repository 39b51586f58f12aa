/* SPDX-License-Identifier: MIT */
/* Uses the method with links that test_recipe.py added. Bonds stay with their grains while these are sorted, added and
   removed, compared by ids with a plain list; they are saved, they break, and they keep momentum. */
#include "api/chunk.h"
#include "api/snapshot.h"
#include "rill/rill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPACING 0.05f
#define DT      1e-3

static int failures;

static void expect(bool holds, const char *what) {
    if (holds) return;
    if (failures < 20) fprintf(stderr, "does not hold: %s\n", what);
    failures++;
}

static void ok(const rill_world *world, rill_status status, const char *what) {
    if (status) fprintf(stderr, "%s\n", rill_world_message(world));
    expect(status == RILL_OK, what);
}

/* ---- worlds ---- */

static rill_world_def definition(int dim, int workers) {
    rill_world_def def = rill_world_def_default(dim);
    strcpy(def.method, "bonds");
    def.spacing = SPACING, def.workers = workers;
    def.gravity = (rill_vec){0.0f, -9.81f, 0.0f};
    return def;
}

static rill_world *create(const rill_world_def *def) {
    rill_error error = {0};
    rill_world *world = rill_world_create(def, &error);
    rill_fluid_def sand = rill_fluid_def_default();
    if (!world) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    ok(world, rill_world_add_fluid(world, &sand, NULL), "the fluid is added");
    return world;
}

static void add_sheet(rill_world *world, rill_vec min, rill_vec max, rill_vec velocity, float spin) {
    rill_block_def block = rill_block_def_default();
    block.shape.min = min, block.shape.max = max;
    block.velocity = velocity, block.spin = spin;
    ok(world, rill_world_add_block(world, &block, NULL), "a sheet is added");
}

/* A sheet that is held by its lowest row, whose grains come first, and falls over, through a drain. */
static rill_world *hanging_sheet(int workers, int columns) {
    const rill_world_def def = definition(2, workers);
    rill_world *world = create(&def);
    add_sheet(world, (rill_vec){0, 1, 0}, (rill_vec){SPACING * (float)columns, 2.5f, 0}, (rill_vec){3, 0, 0}, 0);
    ok(world, rill_world_set_number(world, rill_ref_method(), "pinned", columns), "some grains are pinned");
    rill_sink_def drain = rill_sink_def_default();
    drain.shape.min = (rill_vec){-5, -5, 0}, drain.shape.max = (rill_vec){5, 0.95f, 0};
    ok(world, rill_world_add_sink(world, &drain, NULL), "a drain is added");
    return world;
}

static void step(rill_world *world) {
    ok(world, rill_world_step(world, DT), "a step is taken");
}

/* ---- the plain list ---- */

typedef struct bond {
    rill_particle_id a, b; /* ids, the lower one first: a spring has no direction */
    float rest;
} bond;

typedef struct bond_list {
    bond *items;
    int count;
} bond_list;

static int by_ids(const void *x, const void *y) {
    const bond *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static rill_frame frame_of(const rill_world *world) {
    rill_frame frame = {0};
    rill_error error = {0};
    expect(rill_frame_of_world(&frame, world, &error) == RILL_OK, "there is a frame");
    expect(frame.links_count == 1 && strcmp(frame.links->name, "bonds") == 0 && frame.links->ends == 2 &&
               frame.links->value_count == 2,
           "the frame shows the bonds");
    return frame;
}

static bond_list bonds_in(const rill_frame *frame) {
    const rill_frame_links *links = frame->links;
    const rill_particle_id *id = rill_frame_field(frame, "id")->data;
    bond_list list = {calloc((size_t)links->count + 1, sizeof(bond)), links->count};
    const float *rest = links->value[0].data;
    for (int k = 0; k < links->count; k++) {
        const rill_particle_id a = id[links->particle[2 * k]], b = id[links->particle[2 * k + 1]];
        list.items[k] = (bond){a < b ? a : b, a < b ? b : a, rest[k * links->value[0].stride]};
    }
    qsort(list.items, (size_t)list.count, sizeof(bond), by_ids);
    return list;
}

static bond_list bonds_of(const rill_world *world) {
    rill_frame frame = frame_of(world);
    const bond_list list = bonds_in(&frame);
    rill_frame_free(&frame);
    return list;
}

static bool same_bonds(const bond_list *x, const bond_list *y) {
    bool same = x->count == y->count;
    for (int k = 0; same && k < x->count; k++)
        same = x->items[k].a == y->items[k].a && x->items[k].b == y->items[k].b && x->items[k].rest == y->items[k].rest;
    return same;
}

static void forget_lost(bond_list *list, rill_world *world) {
    int kept = 0;
    for (int k = 0; k < list->count; k++) {
        const bond b = list->items[k];
        if (rill_world_particle_index(world, b.a) >= 0 && rill_world_particle_index(world, b.b) >= 0)
            list->items[kept++] = b;
    }
    list->count = kept;
}

static void check_bonds(bond_list *list, rill_world *world, const char *what) {
    bond_list now = bonds_of(world);
    forget_lost(list, world);
    expect(same_bonds(list, &now), what);
    free(now.items);
}

static const float *position(const rill_frame *frame, int k) {
    const rill_view *x = rill_frame_field(frame, "position");
    return (const float *)x->data + (size_t)k * (size_t)x->stride;
}

static float length_between(const float *a, const float *b) {
    const float x = b[0] - a[0], y = b[1] - a[1];
    return sqrtf(x * x + y * y);
}

/* Adds every pair of grains with ids from `first` on that are near enough, by brute force. */
static void add_expected(bond_list *list, const rill_world *world, rill_particle_id first) {
    rill_frame frame = frame_of(world);
    const rill_particle_id *id = rill_frame_field(&frame, "id")->data;
    for (int i = 0; i < frame.count; i++) {
        for (int j = 0; j < frame.count; j++) {
            const float length = length_between(position(&frame, i), position(&frame, j));
            if (id[i] < first || id[j] <= id[i] || !(length < 1.5f * SPACING)) continue;
            list->items = realloc(list->items, sizeof(bond) * (size_t)(list->count + 1));
            list->items[list->count++] = (bond){id[i], id[j], length};
        }
    }
    rill_frame_free(&frame);
    qsort(list->items, (size_t)list->count, sizeof(bond), by_ids);
}

/* Before a step, particles that were added come last. */
static rill_particle_id newest_id(const rill_world *world) {
    rill_view id;
    ok(world, rill_world_view(world, "id", &id), "grains have ids");
    return ((const rill_particle_id *)id.data)[id.count - 1];
}

/* ---- saving ---- */

typedef struct bytes {
    unsigned char *data;
    size_t size, room;
} bytes;

static bool append(const void *data, size_t size, void *context) {
    bytes *b = context;
    if (b->size + size > b->room) b->data = realloc(b->data, b->room = 2 * (b->size + size));
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

static bytes save(rill_world *world) {
    bytes b = {0};
    ok(world, rill_world_save(world, append, &b), "the world is saved");
    return b;
}

static rill_world *load(const bytes *b, int workers, rill_error *error) {
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = workers;
    return rill_world_load(b->data, b->size, &hooks, error);
}

/* ---- tests ---- */

/* Changes the sheet from outside before step k; the same for every world. */
static void disturb(rill_world *world, int k) {
    static const rill_vec away = {0.3f, 0, 0};
    if (k % 40 == 20)
        for (uint32_t id = (uint32_t)k; id < 1000; id += 37) (void)rill_world_remove_particle(world, id);
    if (k % 100 == 70) {
        rill_shape hole = rill_shape_default();
        hole.min = (rill_vec){0.3f, 1.5f + 0.003f * (float)k, 0}, hole.max = (rill_vec){0.5f, hole.min.y + 0.3f, 0};
        ok(world, rill_world_remove_inside(world, &hole, NULL), "a hole is cut");
    }
    if (k % 100 == 50) {
        const rill_vec low = {4 + 0.01f * (float)k, 1, 0}, high = {low.x + 0.4f, 1.3f, 0};
        add_sheet(world, low, high, away, 1);
    }
}

/* 300 steps, compared by ids after every change. */
static void bonds_follow(void) {
    rill_world *world = hanging_sheet(2, 30);
    bond_list list = {0};
    int made = 0;
    const int grains = rill_world_particle_count(world);
    for (int k = 0; k < 300; k++) {
        disturb(world, k);
        if (k > 0) check_bonds(&list, world, "bonds go with the grains that are removed");
        if (k == 0) add_expected(&list, world, 0);
        if (k % 100 == 50) add_expected(&list, world, newest_id(world) - 47); /* 8 x 6 grains were added */
        step(world);
        check_bonds(&list, world, "bonds are as they were, and new ones are as they should be");
        if (k == 0) made = list.count;
    }
    printf("a sheet of %d grains and %d bonds; at the end %d and %d\n", grains, made, rill_world_particle_count(world),
           list.count);
    expect(made > 2000 && list.count < made - 300 && list.count > 500, "much was removed and much is left");
    free(list.items);
    rill_world_destroy(world);
}

/* The same bits on 1, 2 and 3 workers, and after saving in the middle of a run, with and without removals that the
   links have yet to follow. */
static void same_bits(void) {
    uint64_t hash[3];
    for (int workers = 1; workers <= 3; workers++) {
        rill_world *world = hanging_sheet(workers, 100);
        rill_world *resumed[2] = {0};
        for (int k = 0; k < 90; k++) {
            for (int n = 0; n < 2; n++)
                if (resumed[n]) disturb(resumed[n], k), step(resumed[n]);
            disturb(world, k);
            if (workers == 2 && (k == 55 || k == 70)) { /* at 70 a hole was cut, and no step taken since */
                const uint64_t before = rill_world_hash(world);
                bytes b = save(world);
                rill_error error = {0};
                resumed[k == 70] = load(&b, 3, &error);
                expect(resumed[k == 70] != NULL, error.text);
                expect(before == rill_world_hash(resumed[k == 70]), "what is loaded is what was saved");
                step(resumed[k == 70]);
                free(b.data);
            }
            step(world);
        }
        hash[workers - 1] = rill_world_hash(world);
        for (int n = 0; n < 2; n++) {
            if (!resumed[n]) continue;
            bond_list x = bonds_of(world), y = bonds_of(resumed[n]);
            expect(rill_world_hash(resumed[n]) == hash[workers - 1], "a resumed run has the same bits");
            expect(x.count > 5000 && same_bonds(&x, &y), "and the same bonds");
            free(x.items), free(y.items);
            rill_world_destroy(resumed[n]);
        }
        rill_world_destroy(world);
    }
    expect(hash[0] == hash[1] && hash[1] == hash[2], "the number of workers does not matter");
}

/* The same bits with every width of this build that the processor has. */
static void widths_agree(void) {
    uint64_t scalar = 0;
    int found = 0;
    for (int simd = RILL_SIMD_SCALAR; simd <= RILL_SIMD_NEON; simd++) {
        rill_world_def def = definition(3, 2);
        def.simd = simd;
        rill_error error = {0};
        rill_world *probe = rill_world_create(&def, &error);
        if (!probe) continue;
        rill_world_destroy(probe);
        rill_world *world = create(&def);
        add_sheet(world, (rill_vec){0, 0, 0}, (rill_vec){1, 0.5f, 0.3f}, (rill_vec){1, 2, 3}, 5);
        for (int k = 0; k < 30; k++) step(world);
        if (found++ == 0) scalar = rill_world_hash(world);
        expect(rill_world_hash(world) == scalar, "the width does not matter");
        rill_world_destroy(world);
    }
    printf("%d widths\n", found);
    expect(found > 0, "there is a width");
}

static void momentum_of(const rill_world *world, double p[3]) {
    rill_frame frame = frame_of(world);
    const rill_view *v = rill_frame_field(&frame, "velocity");
    p[0] = p[1] = p[2] = 0;
    for (int k = 0; k < frame.count; k++)
        for (int axis = 0; axis < frame.dim; axis++)
            p[axis] += (double)((const float *)v->data)[k * v->stride + axis] / frame.count;
    rill_frame_free(&frame);
}

/* A spinning block crosses the faces of a periodic box again and again: no bond is lost or overlong, momentum is
   kept. */
static void momentum_is_kept(int dim) {
    rill_world_def def = definition(dim, 2);
    def.gravity = (rill_vec){0};
    def.periodic = (rill_vec){1, 1, dim == 3 ? 1 : 0};
    rill_world *world = create(&def);
    add_sheet(world, (rill_vec){0.7f, 0.6f, 0.4f}, (rill_vec){0.95f, 0.8f, 0.6f}, (rill_vec){5, -3, 1}, 4);
    step(world);
    double before[3], after[3];
    bond_list list = bonds_of(world);
    momentum_of(world, before);
    for (int k = 0; k < 500; k++) step(world);
    momentum_of(world, after);
    check_bonds(&list, world, "no bond is lost at the faces");
    rill_frame frame = frame_of(world);
    const float *stretch = frame.links->value[1].data;
    float most = 0;
    for (int k = 0; k < frame.links->count; k++) most = fmaxf(most, fabsf(stretch[k]));
    const double drift = fmax(fabs(after[0] - before[0]), fmax(fabs(after[1] - before[1]), fabs(after[2] - before[2])));
    printf("%dD: %d bonds, stretched by %.3f at most, momentum %.2g m/s off\n", dim, list.count, (double)most, drift);
    expect(list.count > 50 && most > 1e-4f && most < 0.2f, "bonds are as long as they should be");
    expect(drift < 2e-5, "momentum is kept");
    rill_frame_free(&frame);
    free(list.items);
    rill_world_destroy(world);
}

/* Exactly the bonds that are too long at the start of a step break in it. */
static void bonds_break(void) {
    rill_world_def def = definition(2, 3);
    def.gravity = (rill_vec){0};
    rill_world *world = create(&def);
    add_sheet(world, (rill_vec){0, 0, 0}, (rill_vec){2, 1, 0}, (rill_vec){0}, 6);
    ok(world, rill_world_set_number(world, rill_ref_method(), "limit", 0.05), "the limit is set");
    step(world);
    int made = 0, broken = 0;
    for (int k = 0; k < 200; k++) {
        rill_frame frame = frame_of(world);
        bond_list list = bonds_in(&frame);
        int kept = 0;
        if (k == 0) made = list.count;
        for (int n = 0; n < list.count; n++) {
            const int a = rill_world_particle_index(world, list.items[n].a),
                      b = rill_world_particle_index(world, list.items[n].b);
            const float length = length_between(position(&frame, a), position(&frame, b));
            if (length / list.items[n].rest - 1.0f <= 0.05f) list.items[kept++] = list.items[n];
        }
        broken += list.count - kept;
        list.count = kept;
        step(world);
        check_bonds(&list, world, "bonds break when they are too long, and only then");
        free(list.items);
        rill_frame_free(&frame);
    }
    printf("%d of %d bonds broke\n", broken, made);
    expect(broken > 100 && broken < made - 100, "some broke and some did not");
    rill_world_destroy(world);
}

/* ---- damage ---- */

static void set_checksum(bytes *b) {
    const uint64_t sum = rill_archive_checksum(b->data, b->size - 8);
    memcpy(b->data + b->size - 8, &sum, sizeof sum);
}

/* The values of a column, to be damaged. */
static void *column_of(const bytes *b, const char *name) {
    chunk c;
    column found;
    const bool there =
        rill_chunk_find(b->data + SNAPSHOT_HEAD_SIZE, b->size - SNAPSHOT_HEAD_SIZE - 8, "links.bonds", &c) &&
        rill_column_find(&c, name, &found);
    expect(there, "the bonds are in the snapshot");
    return there ? b->data + (found.data - b->data) : b->data;
}

static void expect_refused(bytes *b, const char *word) {
    rill_error error = {0};
    set_checksum(b);
    rill_world *world = load(b, 1, &error);
    expect(!world && strstr(error.text, word), "damage is refused by name");
    if (world || !strstr(error.text, word)) fprintf(stderr, "found '%s', expected '%s'\n", error.text, word);
    rill_world_destroy(world);
}

static void damage_is_refused(void) {
    rill_world *world = hanging_sheet(1, 30);
    step(world), step(world);
    const bytes good = save(world);
    for (int what = 0; what < 7; what++) {
        bytes b = {malloc(good.size), good.size, good.size};
        memcpy(b.data, good.data, good.size);
        int32_t *ends = column_of(&b, "particles");
        float *rest = column_of(&b, "rest");
        char *name = NULL;
        for (size_t at = 0; at + 11 < b.size; at++)
            if (memcmp(b.data + at, "links.bonds", 11) == 0) name = (char *)b.data + at;
        const int32_t first[2] = {ends[0], ends[1]}, count = rill_world_particle_count(world);
        if (what == 0) ends[1] = count;
        if (what == 1) ends[0] = -1;
        if (what == 2) ends[1] = ends[0];
        if (what == 3) ends[2] = first[0], ends[3] = first[1]; /* twins */
        if (what == 4) ends[0] = ends[2], ends[1] = ends[3], ends[2] = first[0], ends[3] = first[1];
        if (what == 5) rest[3] = NAN;
        if (what == 6 && name) name[10] = 'x';
        expect_refused(&b, what == 6 ? "links.bondx" : "links.bonds");
        free(b.data);
    }
    free(good.data);
    rill_world_destroy(world);
}

/* Another rest length is no damage, but another state. */
static void hash_sees_bonds(void) {
    rill_world *world = hanging_sheet(1, 30);
    step(world);
    bytes b = save(world);
    float *rest = column_of(&b, "rest");
    rest[3] *= 2;
    set_checksum(&b);
    rill_error error = {0};
    rill_world *other = load(&b, 1, &error);
    expect(other && rill_world_hash(other) != rill_world_hash(world), "the hash sees the bonds");
    free(b.data);
    rill_world_destroy(other);
    rill_world_destroy(world);
}

/* ---- memory ---- */

typedef struct hooks {
    int left; /* allocations until one fails; negative: no limit */
} hooks;

static void *allocate(size_t size, size_t alignment, void *context) {
    hooks *h = context;
    if (h->left == 0) return NULL;
    if (h->left > 0) h->left--;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *memory, size_t size, void *context) {
    (void)size, (void)context;
    free(memory);
}

/* A step that runs out of memory leaves the world unchanged, whichever request fails; the next one continues as if
   nothing had happened. */
static void without_memory(void) {
    hooks h = {-1};
    rill_world_def def = definition(2, 2);
    def.allocator = (rill_allocator){allocate, release, &h};
    rill_world *world = create(&def);
    def.allocator = (rill_allocator){0};
    rill_world *other = create(&def);
    int failed = 0;
    for (int k = 0; k < 40; k++) {
        if (k % 13 == 0) {
            const float x = 0.3f * (float)k;
            add_sheet(world, (rill_vec){x, 0, 0}, (rill_vec){x + 2, 2, 0}, (rill_vec){0}, 1);
            add_sheet(other, (rill_vec){x, 0, 0}, (rill_vec){x + 2, 2, 0}, (rill_vec){0}, 1);
        }
        const uint64_t before = rill_world_hash(world);
        rill_status status = RILL_MEMORY;
        for (int n = 0; status == RILL_MEMORY; n++) {
            h.left = n;
            status = rill_world_step(world, DT);
            h.left = -1;
            if (status != RILL_MEMORY) break;
            expect(rill_world_hash(world) == before, "a step without memory has not happened");
            failed++;
        }
        ok(world, status, "with memory it goes on");
        step(other);
        expect(rill_world_hash(world) == rill_world_hash(other), "nothing is left of steps that failed");
    }
    printf("%d steps failed for want of memory\n", failed);
    expect(failed > 10, "steps failed");
    rill_world_destroy(world);
    rill_world_destroy(other);
}

/* A copy of a frame in the order of ids has the same bonds. */
static void copies_agree(void) {
    rill_world *world = hanging_sheet(1, 30);
    for (int k = 0; k < 30; k++) step(world);
    for (rill_particle_id id = 100; id < 120; id++)
        ok(world, rill_world_remove_particle(world, id), "a grain is removed");
    rill_frame frame = frame_of(world), copy = {0};
    rill_error error = {0};
    expect(rill_frame_order_by_id(&frame, &error) == RILL_OK, "grains are ordered");
    expect(rill_frame_copy(&copy, &frame, NULL, &error) == RILL_OK, "the frame is copied");
    bond_list x = bonds_in(&frame), y = bonds_in(&copy);
    const rill_particle_id *id = rill_frame_field(&copy, "id")->data;
    for (int k = 1; k < copy.count; k++) expect(id[k - 1] < id[k], "the copy is in order");
    expect(x.count > 1000 && same_bonds(&x, &y), "the copy has the same bonds");
    free(x.items), free(y.items);
    rill_frame_free(&frame), rill_frame_free(&copy);
    rill_world_destroy(world);
}

int main(void) {
    bonds_follow();
    same_bits();
    widths_agree();
    momentum_is_kept(2);
    momentum_is_kept(3);
    bonds_break();
    damage_is_refused();
    hash_sees_bonds();
    without_memory();
    copies_agree();
    return failures == 0 ? 0 : 1;
}
