/* SPDX-License-Identifier: MIT */
/* Snapshots: a loaded world continues bit for bit; damaged bytes are refused and never trusted. */
#include "api/snapshot.h"
#include "unit/worlds.h"

/* Steps before and after a save, and strides from one forged byte to the next, near the header and beyond. */
#ifdef RILL_SANITIZED
#define STEPS       2
#define NEAR_STRIDE 4
#define FAR_STRIDE  92
#else
#define STEPS       8
#define NEAR_STRIDE 1
#define FAR_STRIDE  23
#endif

static rill_world *load(const bytes *b, int workers, rill_simd simd) {
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = workers, hooks.simd = (int32_t)simd;
    rill_error error = {0};
    rill_world *w = rill_world_load(b->data, b->size, &hooks, &error);
    if (!w) fail_msg("%s", error.text);
    return w;
}

static void check_same(rill_world *a, rill_world *b) {
    const rill_stats *s = rill_world_stats(a), *t = rill_world_stats(b);
    assert_int_equal(s->particles, t->particles);
    assert_int_equal(s->step, t->step);
    assert_true(s->time == t->time && s->dt == t->dt && s->dt_bound == t->dt_bound);
    assert_int_equal(s->emitted, t->emitted);
    assert_int_equal(s->removed, t->removed);
    assert_true(s->kinetic_energy == t->kinetic_energy && s->density_error_max == t->density_error_max);
    assert_true(rill_world_hash(a) == rill_world_hash(b));
    assert_int_equal(rill_world_view_count(a), rill_world_view_count(b));
    for (int k = 0; k < rill_world_view_count(a); k++) {
        const rill_view x = rill_world_view_at(a, k), y = rill_world_view_at(b, k);
        assert_memory_equal(x.data, y.data, (size_t)x.count * (size_t)x.stride * 4);
    }
}

/* Saves, loads with other workers and another width, and steps all of them. */
static void check_continues(rill_world *w, int steps) {
    bytes b = save(w);
    rill_world *copies[] = {load(&b, 1, RILL_SIMD_AUTO), load(&b, 3, RILL_SIMD_SCALAR)};
    take_steps(w, steps);
    for (int k = 0; k < 2; k++) {
        take_steps(copies[k], steps);
        check_same(w, copies[k]);
        rill_world_destroy(copies[k]);
    }
    free(b.data);
}

static void continues_bit_for_bit(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph", "dfsph", "pcisph"};
    static const char *const integrators[] = {"euler", "leapfrog"};
    for (int s = 0; s < SCENE_COUNT; s++)
        for (int dim = 2; dim <= 3; dim++)
            for (int m = 0; m < 4; m++) {
                if (s == SCENE_DAM && m != 1) continue; /* large: once is enough */
                rill_world *w = make_scene((scene)s, dim, methods[m], 2, RILL_SIMD_AUTO);
                if (m < 2) ok(w, rill_world_set_text(w, rill_ref_method(), "integrator", integrators[(s + m) % 2]));
                check_continues(w, 1 + STEPS / 4); /* before anything has happened */
                take_steps(w, STEPS);
                check_continues(w, STEPS);
                rill_world_destroy(w);
            }
}

static void after_changes(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    take_steps(w, 5);
    ok(w, rill_world_remove_particle(w, 17));
    rill_shape hole = rill_shape_default();
    hole.min = (rill_vec){0.2f, 0.1f, 0}, hole.max = (rill_vec){0.4f, 0.3f, 0};
    ok(w, rill_world_remove_inside(w, &hole, NULL));
    check_continues(w, 5);
    ok(w, rill_world_set_number(w, rill_ref_method(), "artificial_viscosity",
                                0.3)); /* the values that follow from it are not computed yet */
    check_continues(w, 5);
    ok(w,
       rill_world_remove_solid(w, rill_world_find_solid(w, rill_world_solid_def(w, rill_world_solid_at(w, 1))->name)));
    check_continues(w, 5);
    rill_world_destroy(w);
}

/* Forces are means over time: impulses from before the snapshot count after it. */
static void gauges_and_handles_survive(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_DAM, 2, "wcsph", 2, RILL_SIMD_AUTO);
    rill_gauge_def def = rill_gauge_def_default();
    def.kind = RILL_GAUGE_FORCE;
    snprintf(def.solid_name, sizeof def.solid_name, "%s", rill_world_solid_def(w, rill_world_solid_at(w, 0))->name);
    rill_gauge_id removed, force;
    ok(w, rill_world_add_gauge(w, &(rill_gauge_def){.kind = RILL_GAUGE_COUNT, .length = 1}, &removed));
    ok(w, rill_world_add_gauge(w, &def, &force));
    ok(w, rill_world_remove_gauge(w, removed));
    take_steps(w, 4);
    bytes b = save(w);
    rill_world *copy = load(&b, 1, RILL_SIMD_AUTO);
    take_steps(w, 4), take_steps(copy, 4);
    rill_reading x, y;
    ok(w, rill_world_read_gauge(w, force, &x));
    ok(copy, rill_world_read_gauge(copy, force, &y));
    assert_true(x.value[1] != 0);
    assert_true(x.value[0] == y.value[0] && x.value[1] == y.value[1]);
    assert_int_equal(rill_world_read_gauge(copy, removed, &y), RILL_NOT_FOUND);
    assert_string_equal(rill_world_gauge_def(copy, rill_world_gauge_at(copy, 0))->name,
                        rill_world_gauge_def(w, rill_world_gauge_at(w, 0))->name);
    free(b.data);
    rill_world_destroy(w);
    rill_world_destroy(copy);
}

static void polygons_survive(void **state) {
    (void)state;
    static const rill_vec corners[] = {{0.2f, -0.5f, 0}, {0.9f, -0.4f, 0}, {0.5f, -0.2f, 0}};
    const rill_world_def wd = small_def(2, "muller");
    rill_world *w = create(&wd);
    add_water(w);
    rill_solid_def rock = rill_solid_def_default();
    rock.shape.kind = RILL_POLYGON, rock.shape.points = (rill_points){corners, 3};
    rock.motion.spin = 1.0f;
    ok(w, rill_world_add_solid(w, &rock, NULL));
    add_box(w, (rill_vec){0.3f, -0.1f, 0}, (rill_vec){0.6f, 0.2f, 0});
    take_steps(w, 5);
    check_continues(w, 30);
    rill_world_destroy(w);
}

/* Parts with points of their own, on a solid, a body and a sink; and slots of removed bodies. */
static void compounds_and_free_slots_survive(void **state) {
    (void)state;
    static const rill_vec corners[] = {{-0.1f, 0, 0}, {0.1f, 0, 0}, {0, 0.15f, 0}};
    const rill_world_def wd = small_def(2, "wcsph");
    rill_world *w = create(&wd);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1.5f, 1.5f, 0});
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){0.6f, 0.4f, 0});
    rill_shape parts[2] = {ball_shape((rill_vec){0.1f, 0, 0}, 0.1f), rill_shape_default()}, both = rill_shape_default();
    parts[1].kind = RILL_POLYGON, parts[1].points = (rill_points){corners, 3};
    both.kind = RILL_COMPOUND, both.parts = (rill_parts){parts, 2};
    both.position = (rill_vec){0.8f, 0.2f, 0};
    add_body(w, "first", both, 700);
    both.position = (rill_vec){1.2f, 0.2f, 0};
    add_body(w, "second", both, 700);
    both.position = (rill_vec){0.3f, 0.6f, 0};
    add_body(w, "third", both, 700);
    ok(w, rill_world_remove_body(w, rill_world_find_body(w, "second")));
    rill_sink_def sink = rill_sink_def_default();
    sink.shape = both, sink.shape.position = (rill_vec){0.6f, 0.05f, 0};
    ok(w, rill_world_add_sink(w, &sink, NULL));
    rill_solid_def rock = rill_solid_def_default();
    rock.shape = both, rock.shape.position = (rill_vec){1.0f, 0.7f, 0}, rock.motion.spin = 2.0f;
    ok(w, rill_world_add_solid(w, &rock, NULL));
    take_steps(w, 5);
    check_continues(w, 40);
    assert_true(rill_world_stats(w)->removed > 0);
    rill_world_destroy(w);
}

/* ---- damage ---- */

static bytes small_snapshot(void) {
    const rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
    add_box(w, (rill_vec){0.2f, 0.2f, 0}, (rill_vec){0.6f, 0.5f, 0});
    rill_gauge_def gauge = rill_gauge_def_default();
    ok(w, rill_world_add_gauge(w, &gauge, NULL));
    take_steps(w, 3);
    const bytes b = save(w);
    rill_world_destroy(w);
    return b;
}

/* The handle of a removed object stays invalid in a loaded world too, when another one has taken its slot. */
static void old_handles_stay_invalid(void **state) {
    (void)state;
    const rill_world_def wd = small_def(2, "wcsph");
    rill_world *w = create(&wd);
    add_body(w, "gone", ball_shape((rill_vec){0, 0, 0}, 0.1f), 700);
    add_body(w, "left", ball_shape((rill_vec){1, 0, 0}, 0.1f), 700);
    const rill_body_id gone = rill_world_find_body(w, "gone"), left = rill_world_find_body(w, "left");
    const rill_solid_id surface = rill_world_find_solid(w, "gone");
    ok(w, rill_world_remove_body(w, gone));
    bytes b = save(w);
    rill_world *loaded = load(&b, 1, RILL_SIMD_AUTO);
    free(b.data);
    add_body(loaded, "other", ball_shape((rill_vec){0, 0, 0}, 0.1f), 700);
    const rill_body_id other = rill_world_find_body(loaded, "other");
    assert_true(other.index1 == gone.index1 && other.age != gone.age);
    assert_false(rill_world_body_is_valid(loaded, gone));
    assert_false(rill_world_solid_is_valid(loaded, surface));
    assert_true(rill_world_body_is_valid(loaded, left));
    rill_world_destroy(loaded);
    rill_world_destroy(w);
}

static void refused(const void *data, size_t size, const char *word) {
    rill_error error = {0};
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = 1;
    rill_world *w = rill_world_load(data, size, &hooks, &error);
    if (w) {
        rill_world_destroy(w);
        fail_msg("%zu bytes were taken for a snapshot", size);
    }
    assert_int_equal(error.status, RILL_FORMAT);
    if (word && !strstr(error.text, word)) fail_msg("no '%s' in: %s", word, error.text);
}

static void truncated(void **state) {
    (void)state;
    bytes b = small_snapshot();
    for (size_t size = 0; size < b.size; size += size < 200 ? 1 : 37) {
        unsigned char *part = malloc(size + 1); /* of its exact size, so that reading past it is seen */
        memcpy(part, b.data, size);
        unsigned char *exact = realloc(part, size ? size : 1);
        refused(exact, size, NULL);
        free(exact);
    }
    refused(b.data, b.size - 1, "truncated or too long");
    b.data = realloc(b.data, b.size + 8);
    memset(b.data + b.size, 0, 8);
    refused(b.data, b.size + 8, "truncated or too long");
    free(b.data);
    rill_error error = {0};
    assert_null(rill_world_load(NULL, 100, NULL, &error));
    assert_int_equal(error.status, RILL_INVALID);
}

static void flipped_bytes(void **state) {
    (void)state;
    bytes b = small_snapshot();
    for (size_t k = 0; k < b.size; k += k < 1200 ? 1 : 13) {
        b.data[k] ^= (unsigned char)(1u << k % 8);
        refused(b.data, b.size, NULL);
        b.data[k] ^= (unsigned char)(1u << k % 8);
    }
    rill_world *w = load(&b, 1, RILL_SIMD_AUTO); /* undamaged it loads */
    rill_world_destroy(w);
    free(b.data);
}

static void other_versions_and_files(void **state) {
    (void)state;
    bytes b = small_snapshot();
    b.data[0] = 'X';
    refused(b.data, b.size, "not a Rill snapshot");
    b.data[0] = 'R';
    b.data[8]++;
    refused(b.data, b.size, "version");
    b.data[8]--;
    b.data[12] = 0, b.data[15] = 1; /* the other byte order */
    refused(b.data, b.size, "another byte order");
    b.data[12] = 1, b.data[15] = 0;
    free(b.data);
    static const char text[] = "{ \"world\": { \"dim\": 2 } } and so on, long enough to be a head of its own";
    refused(text, sizeof text, "not a Rill snapshot");
}

/* Forged bytes with a correct checksum: the worst result is an error or a blow-up. */
static void forged(void **state) {
    (void)state;
    bytes b = small_snapshot();
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = 1;
    int loaded = 0;
    for (size_t k = SNAPSHOT_HEAD_SIZE; k + 8 < b.size; k += k < 1800 ? NEAR_STRIDE : FAR_STRIDE) {
        static const unsigned char masks[] = {0x01, 0x80, 0xff};
        const unsigned char mask = masks[k % 3];
        b.data[k] ^= mask;
        const uint64_t sum = rill_archive_checksum(b.data, b.size - 8);
        memcpy(b.data + b.size - 8, &sum, 8);
        rill_error error = {0};
        rill_world *w = rill_world_load(b.data, b.size, &hooks, &error);
        if (w) {
            loaded++;
            rill_reading reading;
            rill_world_read_gauge(w, rill_world_gauge_at(w, 0), &reading);
            rill_world_step(w, 1e-4);
            rill_world_step_adaptive(w, 1e-4);
        } else {
            assert_int_not_equal(error.status, RILL_OK);
            assert_true(error.text[0] != 0);
        }
        rill_world_destroy(w);
        b.data[k] ^= mask;
    }
    assert_true(loaded > 0);
    free(b.data);
}

typedef struct short_disk {
    int64_t left;
} short_disk;

static bool write_until_full(const void *data, size_t size, void *context) {
    (void)data;
    short_disk *d = context;
    d->left -= (int64_t)size;
    return d->left >= 0;
}

static void a_full_disk_is_an_error(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_JET, 2, "wcsph", 1, RILL_SIMD_AUTO);
    const uint64_t hash = rill_world_hash(w);
    for (int64_t room = 0; room < 3000; room += 100) {
        short_disk disk = {room};
        assert_int_equal(rill_world_save(w, write_until_full, &disk), RILL_IO);
        assert_true(rill_world_hash(w) == hash);
    }
    short_disk disk = {1 << 30};
    ok(w, rill_world_save(w, write_until_full, &disk));
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(continues_bit_for_bit),
        cmocka_unit_test(after_changes),
        cmocka_unit_test(gauges_and_handles_survive),
        cmocka_unit_test(polygons_survive),
        cmocka_unit_test(compounds_and_free_slots_survive),
        cmocka_unit_test(old_handles_stay_invalid),
        cmocka_unit_test(truncated),
        cmocka_unit_test(flipped_bytes),
        cmocka_unit_test(other_versions_and_files),
        cmocka_unit_test(forged),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
