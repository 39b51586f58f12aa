/* SPDX-License-Identifier: MIT */
/* Snapshots between builds: the container is edited as another build would have written it, and is read or refused by
   name. Of the snapshots in test/data, format 1 is refused by name and format 2 must stay readable. */
#include "api/chunk.h"
#include "api/snapshot.h"
#include "unit/worlds.h"

#define COLUMNS_MAX 128

/* ---- editing ---- */

/* A chunk with its columns; an edit changes them and returns whether the chunk stays. */
typedef struct open_chunk {
    chunk head;
    column columns[COLUMNS_MAX];
    int count;
} open_chunk;
typedef bool edit_fn(open_chunk *c);

static void put_open(bytes *to, open_chunk *c) {
    archive measure = {.mode = ARCHIVE_MEASURE, .ok = true};
    archive a = {.mode = ARCHIVE_WRITE, .ok = true, .write = append_bytes, .context = to};
    archive *both[] = {&measure, &a};
    c->head.columns = (uint32_t)c->count;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) c->head.bytes = measure.size, rill_archive_chunk(&a, &c->head);
        for (int k = 0; k < c->count; k++) {
            rill_archive_column(both[pass], &c->columns[k], c->head.rows);
            rill_archive_put(both[pass], c->columns[k].data, c->columns[k].bytes);
        }
    }
}

static void finish(bytes *b) {
    const uint64_t size = b->size - sizeof(snapshot_head);
    memcpy(b->data + offsetof(snapshot_head, size), &size, sizeof size);
    const uint64_t sum = rill_archive_checksum(b->data, b->size);
    assert_true(append_bytes(&sum, sizeof sum, b));
}

/* The same snapshot with every chunk edited, and `extra`, if given, at the end. */
static bytes edited(const bytes *b, edit_fn *edit, open_chunk *extra) {
    bytes to = {0};
    assert_true(append_bytes(b->data, sizeof(snapshot_head), &to));
    archive a = rill_archive_of(b->data + sizeof(snapshot_head), b->size - sizeof(snapshot_head) - sizeof(uint64_t));
    while (a.left > 0) {
        open_chunk c = {0};
        rill_archive_chunk(&a, &c.head);
        archive inner = rill_archive_of(c.head.data, (size_t)c.head.bytes);
        assert_true(a.ok && c.head.columns < COLUMNS_MAX);
        for (; inner.left > 0; c.count++) rill_archive_column(&inner, &c.columns[c.count], c.head.rows);
        assert_true(inner.ok);
        if (!edit || edit(&c)) put_open(&to, &c);
    }
    if (extra) put_open(&to, extra);
    finish(&to);
    return to;
}

static bool is(const open_chunk *c, const char *name) {
    return strcmp(c->head.name, name) == 0;
}

static column *column_of(open_chunk *c, const char *name) {
    for (int k = 0; k < c->count; k++)
        if (strcmp(c->columns[k].name, name) == 0) return &c->columns[k];
    fail_msg("%s has no %s", c->head.name, name);
    return NULL;
}

static bool drop(open_chunk *c, const char *name) {
    column *gone = column_of(c, name);
    memmove(gone, gone + 1, sizeof *gone * (size_t)(&c->columns[--c->count] - gone));
    return true;
}

/* Adds a copy of the first column under an unknown name. */
static bool add_unknown(open_chunk *c, const char *name, uint32_t flags) {
    column *more = &c->columns[c->count++];
    *more = c->columns[0];
    snprintf(more->name, sizeof more->name, "%s", name);
    more->flags = (more->flags & COLUMN_LIST) | flags;
    return true;
}

/* Replaces the text in the first row. */
static bool set_text(open_chunk *c, const char *name, const char *text) {
    static unsigned char data[100];
    column *to = column_of(c, name);
    const uint32_t length = (uint32_t)strlen(text);
    assert_true(c->head.rows == 1);
    memcpy(data, &length, 4);
    memcpy(data + 4, text, length);
    to->data = data, to->bytes = 4 + length;
    return true;
}

/* ---- worlds ---- */

static bytes snapshot_of_bodies(void) {
    rill_world *w = make_scene(SCENE_BODIES, 2, "wcsph", 1, RILL_SIMD_AUTO);
    rill_gauge_def gauge = rill_gauge_def_default();
    ok(w, rill_world_add_gauge(w, &gauge, NULL));
    take_steps(w, 10);
    const bytes b = save(w);
    rill_world_destroy(w);
    return b;
}

static rill_world *load(const bytes *b, rill_error *error) {
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = 1;
    *error = (rill_error){0};
    return rill_world_load(b->data, b->size, &hooks, error);
}

static uint64_t hash_later(const bytes *b) {
    rill_error error;
    rill_world *w = load(b, &error);
    if (!w) fail_msg("%s", error.text);
    take_steps(w, 10);
    const uint64_t hash = rill_world_hash(w);
    rill_world_destroy(w);
    return hash;
}

/* The edited snapshot must continue as before. */
static void goes_on(edit_fn *edit, open_chunk *extra) {
    bytes b = snapshot_of_bodies(), other = edited(&b, edit, extra);
    assert_true(hash_later(&other) == hash_later(&b));
    free(b.data), free(other.data);
}

/* The edited snapshot must be refused with this name. */
static void is_refused(edit_fn *edit, open_chunk *extra, const char *name) {
    bytes b = snapshot_of_bodies(), other = edited(&b, edit, extra);
    rill_error error;
    rill_world *w = load(&other, &error);
    if (w) fail_msg("a snapshot was loaded that should be refused for '%s'", name);
    assert_int_equal(error.status, RILL_FORMAT);
    if (!strstr(error.text, name)) fail_msg("no '%s' in: %s", name, error.text);
    free(b.data), free(other.data);
}

/* ---- edits and their results ---- */

static bool without_tension(open_chunk *c) {
    return !is(c, "fluids") || drop(c, "surface_tension");
}

static bool without_viscosity(open_chunk *c) {
    return !is(c, "fluids") || drop(c, "viscosity");
}

static void a_missing_parameter_has_its_default(void **state) {
    (void)state;
    goes_on(without_tension, NULL);
    rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    bytes b = save(w), other = edited(&b, without_viscosity, NULL);
    rill_error error;
    rill_world *copy = load(&other, &error);
    assert_non_null(copy);
    assert_string_equal(rill_world_fluid_def(copy, rill_world_fluid_at(copy, 1))->name, "oil");
    assert_true(rill_world_fluid_def(w, rill_world_fluid_at(w, 1))->viscosity != rill_fluid_def_default().viscosity);
    assert_true(rill_world_fluid_def(copy, rill_world_fluid_at(copy, 1))->viscosity ==
                rill_fluid_def_default().viscosity);
    rill_world_destroy(w), rill_world_destroy(copy);
    free(b.data), free(other.data);
}

static bool with_usual_parameter(open_chunk *c) {
    return !is(c, "fluids") || add_unknown(c, "stickiness", COLUMN_OPTIONAL);
}

static bool with_set_parameter(open_chunk *c) {
    return !is(c, "fluids") || add_unknown(c, "clavet.spring", 0);
}

static bool with_method_parameter(open_chunk *c) {
    return !is(c, "method") || add_unknown(c, "magic", 0);
}

static void an_unknown_parameter_is_refused_unless_nobody_set_it(void **state) {
    (void)state;
    goes_on(with_usual_parameter, NULL);
    is_refused(with_set_parameter, NULL, "'fluids.clavet.spring'");
    is_refused(with_method_parameter, NULL, "'method.magic'");
}

/* Only the build that writes a snapshot knows which parameters were set. */
static void only_usual_values_may_be_dropped(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    bytes b = save(w);
    chunk fluids, method;
    column found;
    const unsigned char *chunks = b.data + sizeof(snapshot_head);
    const size_t size = b.size - sizeof(snapshot_head) - sizeof(uint64_t);
    assert_true(rill_chunk_find(chunks, size, "fluids", &fluids) && rill_chunk_find(chunks, size, "method", &method));
    assert_true(rill_column_find(&fluids, "particle_mass", &found) && (found.flags & COLUMN_OPTIONAL));
    assert_true(rill_column_find(&fluids, "surface_tension", &found) && !(found.flags & COLUMN_OPTIONAL));
    assert_true(rill_column_find(&fluids, "name", &found) && !(found.flags & COLUMN_OPTIONAL));
    assert_true(rill_column_find(&method, "integrator", &found) && (found.flags & COLUMN_OPTIONAL));
    rill_world_destroy(w);
    free(b.data);
}

static bool reversed(open_chunk *c) {
    for (int k = 0; k < c->count / 2; k++) {
        const column other = c->columns[k];
        c->columns[k] = c->columns[c->count - 1 - k];
        c->columns[c->count - 1 - k] = other;
    }
    return true;
}

static void the_order_of_columns_is_free(void **state) {
    (void)state;
    goes_on(reversed, NULL);
}

static bool without_lag(open_chunk *c) {
    return !is(c, "particles") || drop(c, "lag");
}

static bool without_density(open_chunk *c) {
    return !is(c, "particles") || drop(c, "density");
}

static bool with_bond(open_chunk *c) {
    return !is(c, "particles") || add_unknown(c, "bond", 0);
}

static bool with_foam(open_chunk *c) {
    return !is(c, "particles") || add_unknown(c, "foam", COLUMN_OPTIONAL);
}

static bool with_swapped_names(open_chunk *c) {
    if (!is(c, "particles")) return true;
    snprintf(column_of(c, "acceleration")->name, CHUNK_NAME_SIZE, "other");
    snprintf(column_of(c, "lag")->name, CHUNK_NAME_SIZE, "acceleration");
    snprintf(column_of(c, "other")->name, CHUNK_NAME_SIZE, "lag");
    return true;
}

static bool with_whole_lag(open_chunk *c) {
    if (is(c, "particles")) column_of(c, "lag")->type = COLUMN_I32;
    return true;
}

/* As builds with ids of 32 bits wrote it. */
static bool with_narrow(open_chunk *c, const char *name) {
    static uint32_t data[100000];
    column *to = column_of(c, name);
    const size_t count = (size_t)to->bytes / 8;
    assert_true(to->type == COLUMN_U64 && count <= sizeof data / sizeof *data);
    for (size_t k = 0; k < count; k++) memcpy(&data[k], to->data + 8 * k, 4);
    to->type = COLUMN_U32, to->bytes = 4 * count, to->data = (const unsigned char *)data;
    return true;
}

static bool with_narrow_ids(open_chunk *c) {
    return !is(c, "particles") || with_narrow(c, "id");
}

static bool with_narrow_next_id(open_chunk *c) {
    return !is(c, "state") || with_narrow(c, "next_particle_id");
}

static bool with_narrow_digest(open_chunk *c) {
    return !is(c, "state") || with_narrow(c, "blocks_digest");
}

static bool without_beginning(open_chunk *c) {
    return !is(c, "state") || drop(c, "method_since");
}

static void ids_are_widened_and_nothing_else(void **state) {
    (void)state;
    goes_on(with_narrow_ids, NULL);
    goes_on(with_narrow_next_id, NULL);
    is_refused(with_narrow_digest, NULL, "'state.blocks_digest' holds 1 x u32");
    goes_on(without_beginning, NULL);
}

static void fields_are_known_by_name_type_and_width(void **state) {
    (void)state;
    is_refused(without_lag, NULL, "'particles.lag'");
    goes_on(without_density, NULL);
    is_refused(with_bond, NULL, "'particles.bond'");
    goes_on(with_foam, NULL);
    is_refused(with_swapped_names, NULL, "'particles.acceleration' holds 1 x f32");
    is_refused(with_whole_lag, NULL, "'particles.lag' holds 1 x i32");
}

static bool without_spin(open_chunk *c) {
    return !is(c, "bodies") || drop(c, "state.w");
}

static bool with_heat(open_chunk *c) {
    return !is(c, "bodies") || add_unknown(c, "state.heat", 0);
}

static void state_that_is_missing_or_unknown_is_named(void **state) {
    (void)state;
    is_refused(without_spin, NULL, "'bodies.state.w'");
    is_refused(with_heat, NULL, "'bodies.state.heat'");
}

static bool with_other_method(open_chunk *c) {
    return !is(c, "world") || set_text(c, "method", "hocus");
}

static bool with_other_word(open_chunk *c) {
    return !is(c, "gauges") || set_text(c, "kind", "smell");
}

static bool with_later_word(open_chunk *c) {
    return !is(c, "gauges") || set_text(c, "kind", "count");
}

static void methods_and_choices_are_words(void **state) {
    (void)state;
    is_refused(with_other_method, NULL, "'hocus'");
    is_refused(with_other_word, NULL, "'gauges.kind' is 'smell'");
    bytes b = snapshot_of_bodies(), other = edited(&b, with_later_word, NULL);
    rill_error error;
    rill_world *w = load(&other, &error);
    assert_non_null(w);
    assert_int_equal(rill_world_gauge_def(w, rill_world_gauge_at(w, 0))->kind, RILL_GAUGE_COUNT);
    rill_world_destroy(w);
    free(b.data), free(other.data);
}

static bool without_joints(open_chunk *c) {
    return !is(c, "joints");
}

static void chunks_say_whether_they_matter(void **state) {
    (void)state;
    static const unsigned char pairs[2 * 8];
    open_chunk links = {.head = {.name = "links", .flags = CHUNK_REQUIRED, .rows = 2}, .count = 1};
    links.columns[0] = (column){.name = "pair", .type = COLUMN_U32, .width = 2, .bytes = sizeof pairs, .data = pairs};
    is_refused(NULL, &links, "'links'");
    links.head.flags = 0;
    links.columns[0].type = COLUMN_TYPE('q', 4); /* an unknown type does not matter either */
    goes_on(NULL, &links);
    is_refused(without_joints, NULL, "'joints'");
}

/* ---- stored snapshots ---- */

static bytes stored(const char *name) {
    char path[1000];
    bytes b = {0};
    unsigned char part[4096];
    snprintf(path, sizeof path, "%s/test/data/%s", RILL_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;) assert_true(append_bytes(part, got, &b));
    fclose(file);
    return b;
}

static void format_1_is_refused_by_name(void **state) {
    (void)state;
    bytes b = stored("tank_v1.rill");
    rill_error error;
    assert_null(load(&b, &error));
    assert_int_equal(error.status, RILL_FORMAT);
    assert_non_null(strstr(error.text, "format version 1"));
    free(b.data);
}

/* After a change that is meant to alter results, renew the hash (RILL_PRINT_HASHES=1 prints it), never the file. */
static void format_2_goes_on_to_the_same_state(void **state) {
    (void)state;
    bytes b = stored("tank_v2.rill");
    rill_error error;
    rill_world *w = load(&b, &error);
    if (!w) fail_msg("%s", error.text);
    assert_int_equal(rill_world_body_count(w), 2);
    assert_int_equal(rill_world_joint_count(w), 1);
    take_steps(w, 100);
    const uint64_t hash = rill_world_hash(w);
    if (getenv("RILL_PRINT_HASHES")) print_message("0x%016llx\n", (unsigned long long)hash);
    assert_true(hash == UINT64_C(0xbb2d456d08f40c2c));
    rill_world_destroy(w);
    free(b.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_parameter_has_its_default),
        cmocka_unit_test(an_unknown_parameter_is_refused_unless_nobody_set_it),
        cmocka_unit_test(only_usual_values_may_be_dropped),
        cmocka_unit_test(the_order_of_columns_is_free),
        cmocka_unit_test(fields_are_known_by_name_type_and_width),
        cmocka_unit_test(ids_are_widened_and_nothing_else),
        cmocka_unit_test(state_that_is_missing_or_unknown_is_named),
        cmocka_unit_test(methods_and_choices_are_words),
        cmocka_unit_test(chunks_say_whether_they_matter),
        cmocka_unit_test(format_1_is_refused_by_name),
        cmocka_unit_test(format_2_goes_on_to_the_same_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
