/* SPDX-License-Identifier: MIT */
/* The host's allocator: calls are balanced, may fail at any time, and stop once a scene has settled. */
#include "unit/worlds.h"

/* Counts calls, remembers sizes, and fails when told. */
typedef struct ledger {
    int64_t calls, live, fail_at; /* fail_at: number of the first call that fails, as do all after it; 0: none */
    size_t bytes;
    bool wrong; /* a wrong size or alignment was given */
} ledger;

/* The size is kept in front of the memory, in a room as wide as the alignment. */
static void *ledger_allocate(size_t size, size_t alignment, void *context) {
    ledger *l = context;
    l->calls++;
    if (l->fail_at > 0 && l->calls >= l->fail_at) return NULL;
    if (alignment < 16 || (alignment & (alignment - 1)) != 0 || size == 0) l->wrong = true;
    const size_t whole = (size + 2 * alignment - 1) / alignment * alignment;
    unsigned char *base = aligned_alloc(alignment, whole);
    if (!base) return NULL;
    /* fresh memory is not zero */
    memset(base, 0xa5, whole);
    memcpy(base, &size, sizeof size);
    memcpy(base + sizeof size, &alignment, sizeof alignment);
    l->live++;
    l->bytes += size;
    return base + alignment;
}

static void ledger_release(void *memory, size_t size, void *context) {
    ledger *l = context;
    const size_t alignment = 64; /* the alignment that the library asks for; checked below */
    unsigned char *base = (unsigned char *)memory - alignment;
    size_t given, kept;
    memcpy(&given, base, sizeof given);
    memcpy(&kept, base + sizeof given, sizeof kept);
    if (given != size || kept != alignment) l->wrong = true;
    l->live--;
    l->bytes -= size;
    free(base);
}

static rill_world_def hooked(int dim, const char *method, ledger *l) {
    rill_world_def def = small_def(dim, method);
    def.allocator = (rill_allocator){ledger_allocate, ledger_release, l};
    return def;
}

static void balanced(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph", "dfsph", "pcisph"};
    for (int dim = 2; dim <= 3; dim++)
        for (int s = 0; s < SCENE_COUNT; s++) {
            ledger l = {0};
            const rill_world_def def = hooked(dim, methods[s % 4], &l);
            rill_world *w = make_scene_with((scene)s, def);
            take_steps(w, 8);
            assert_true(rill_world_particle_index(w, 0) >= -1);
            rill_world_remove_particle(w, 3);
            take_steps(w, 1);
            assert_true(l.bytes == rill_world_stats(w)->bytes);
            bytes snapshot = save(w);
            rill_world *copy = rill_world_load(snapshot.data, snapshot.size, &def, NULL);
            assert_non_null(copy);
            take_steps(copy, 2);
            rill_world_destroy(w);
            rill_world_destroy(copy);
            free(snapshot.data);
            assert_int_equal(l.live, 0);
            assert_int_equal(l.bytes, 0);
            assert_false(l.wrong);
        }
}

/* ---- failure at every call ---- */

#define NEED(call)                                      \
    do {                                                \
        const rill_status need_status = (call);         \
        if (need_status != RILL_OK) return need_status; \
    } while (0)

/* A life with a bit of everything; any failure ends it. */
static rill_status live(rill_world *w, bytes *snapshot) {
    static const rill_vec corners[] = {{0.6f, 0.1f, 0}, {0.8f, 0.1f, 0}, {0.7f, 0.3f, 0}};
    rill_fluid_def fluid = rill_fluid_def_default();
    NEED(rill_world_add_fluid(w, &fluid, NULL));
    rill_solid_def solid = rill_solid_def_default();
    solid.shape.inside = true;
    NEED(rill_world_add_solid(w, &solid, NULL));
    if (rill_world_get_def(w)->dim == 2) {
        solid.shape.inside = false, solid.shape.kind = RILL_POLYGON, solid.shape.points = (rill_points){corners, 3};
        NEED(rill_world_add_solid(w, &solid, NULL));
    }
    rill_block_def block = rill_block_def_default();
    block.shape.max = (rill_vec){0.4f, 0.4f, 0.2f};
    NEED(rill_world_add_block(w, &block, NULL));
    rill_emitter_def jet = rill_emitter_def_default();
    jet.position = (rill_vec){0.2f, 0.7f, 0.5f}, jet.radius = 0.06f;
    NEED(rill_world_add_emitter(w, &jet, NULL));
    rill_sink_def sink = rill_sink_def_default();
    sink.shape.min.x = 0.9f;
    NEED(rill_world_add_sink(w, &sink, NULL));
    rill_gauge_def gauge = rill_gauge_def_default();
    NEED(rill_world_add_gauge(w, &gauge, NULL));
    for (int k = 0; k < 3; k++) NEED(rill_world_step(w, 0.0005));
    rill_reading reading;
    NEED(rill_world_read_gauge(w, rill_world_gauge_at(w, 0), &reading));
    NEED(rill_world_remove_particle(w, 5));
    NEED(rill_world_add_particle(w, (rill_fluid_id){1, 1}, (rill_vec){0.5f, 0.8f, 0.5f}, (rill_vec){0}, NULL));
    NEED(rill_world_step(w, 0.0005));
    return rill_world_save(w, append_bytes, snapshot);
}

/* One life in which the k-th allocation fails. Returns false when k is beyond the last. */
static bool fail_once(int dim, const char *method, int64_t k) {
    ledger l = {.fail_at = k};
    rill_world_def def = hooked(dim, method, &l);
    if (k % 2) def.periodic = (rill_vec){0, dim == 3 ? 2.0f : 0, 0};
    rill_error error = {0};
    bytes snapshot = {0};
    rill_world *w = rill_world_create(&def, &error);
    const rill_status status = w ? live(w, &snapshot) : error.status;
    const bool failed = l.calls >= k;
    if (status != (failed ? RILL_MEMORY : RILL_OK))
        fail_msg("%dD, allocation %lld fails: %s (%s)", dim, (long long)k, rill_status_name(status),
                 w ? rill_world_message(w) : error.text);
    rill_world_destroy(w);
    free(snapshot.data);
    assert_int_equal(l.live, 0);
    assert_false(l.wrong);
    return failed;
}

static void any_allocation_may_fail(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int64_t k = 1;
        while (fail_once(dim, dim == 2 ? "wcsph" : "muller", k)) k++;
        assert_true(k > 20);
    }
}

static void loading_may_fail(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    take_steps(w, 3);
    bytes snapshot = save(w);
    rill_world_destroy(w);
    for (int64_t k = 1;; k++) {
        ledger l = {.fail_at = k};
        const rill_world_def def = hooked(2, "wcsph", &l);
        rill_error error = {0};
        rill_world *copy = rill_world_load(snapshot.data, snapshot.size, &def, &error);
        if (copy) {
            assert_true(l.calls < k);
            rill_world_destroy(copy);
            break;
        }
        if (error.status != RILL_MEMORY) fail_msg("allocation %lld fails: %s", (long long)k, error.text);
        assert_int_equal(l.live, 0);
    }
    free(snapshot.data);
}

/* After a call that ran out of memory the world is unchanged, and continues when there is some. */
static void a_world_survives_want(void **state) {
    (void)state;
    ledger l = {0};
    const rill_world_def def = hooked(2, "wcsph", &l);
    rill_world *w = make_scene_with(SCENE_STIRRED, def);
    rill_block_def block = rill_block_def_default();
    block.shape.min = (rill_vec){0.1f, 0.7f, 0}, block.shape.max = (rill_vec){0.3f, 0.9f, 0};
    const uint64_t hash = rill_world_hash(w);
    const int count = rill_world_particle_count(w);
    for (int k = 1;; k++) {
        l.fail_at = l.calls + k;
        const rill_status status = rill_world_add_block(w, &block, NULL);
        l.fail_at = 0;
        if (status == RILL_OK) break;
        assert_int_equal(status, RILL_MEMORY);
        assert_true(rill_world_hash(w) == hash);
        assert_int_equal(rill_world_particle_count(w), count);
    }
    assert_true(rill_world_particle_count(w) > count);
    take_steps(w, 2);
    rill_world_destroy(w);
    assert_int_equal(l.live, 0);
}

/* Without memory for another method the world keeps its own; without memory to move fluid no body is added. */
static void changes_may_want(void **state) {
    (void)state;
    ledger l = {0};
    const rill_world_def def = hooked(2, "constraint", &l);
    rill_world *w = make_scene_with(SCENE_BODIES, def);
    take_steps(w, 3);
    const uint64_t hash = rill_world_hash(w);
    rill_body_def block = rill_body_def_default();
    block.shape = box_shape((rill_vec){0.2f, 0.05f, 0}, (rill_vec){0.4f, 0.2f, 0});
    block.displacement = RILL_DISPLACE_PUSH;
    const int count = rill_world_particle_count(w), bodies = rill_world_body_count(w);
    for (int what = 0; what < 2; what++)
        for (int k = 1;; k++) {
            l.fail_at = l.calls + k;
            const rill_status status = what ? rill_world_add_body(w, &block, NULL) : rill_world_set_method(w, "dfsph");
            l.fail_at = 0;
            if (status == RILL_OK) {
                assert_true(k > 5);
                break;
            }
            assert_int_equal(status, RILL_MEMORY);
            assert_string_equal(rill_world_get_def(w)->method, what ? "dfsph" : "constraint");
            if (what == 0) assert_true(rill_world_hash(w) == hash);
            assert_int_equal(rill_world_body_count(w), bodies);
        }
    assert_int_equal(rill_world_particle_count(w), count);
    assert_int_equal(rill_world_body_count(w), bodies + 1);
    take_steps(w, 2);
    rill_world_destroy(w);
    assert_int_equal(l.live, 0);
    assert_false(l.wrong);
}

/* After rill_world_reserve and a step with half of the particles, the other half is added without another
   allocation. */
static void no_allocation_within_a_reserve(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "dfsph", "constraint", "wcsph", "pcisph", "muller"};
    for (int m = 0; m < 6; m++) {
        const int dim = 2 + m % 2;
        ledger l = {0};
        const rill_world_def def = hooked(dim, methods[m], &l);
        rill_world *w = create(&def);
        const rill_fluid_id water = add_water(w);
        add_container(w, up2(w, 0, 0, 0), up2(w, 1, 1, 0.4f));
        ok(w, rill_world_reserve(w, 2000));
        rill_vec x[1000];
        int n = 0;
        for (int k = 0; k < 1000; k++) { /* a lattice, layer by layer */
            const int i = k % 20, j = dim == 3 ? k / 20 % 8 : 0, up = dim == 3 ? k / 160 : k / 20;
            if (up < 20)
                x[n++] = up2(w, 0.025f + 0.05f * (float)i, 0.025f + 0.05f * (float)up, 0.025f + 0.05f * (float)j);
        }
        ok(w, rill_world_add_particles(w, water, x, NULL, n / 2, NULL));
        ok(w, rill_world_step_adaptive(w, 1e-3));
        assert_true(rill_world_particle_index(w, 0) >= 0);
        const int64_t before = l.calls;
        for (int from = n / 2; from < n; from += 100) {
            ok(w, rill_world_add_particles(w, water, x + from, NULL, n - from < 100 ? n - from : 100, NULL));
            ok(w, rill_world_step_adaptive(w, 1e-3));
            assert_true(rill_world_particle_index(w, 0) >= 0);
        }
        take_steps(w, 5);
        if (l.calls != before)
            fail_msg("%s in %dD: %d allocations within the reserve", methods[m], dim, (int)(l.calls - before));
        assert_int_equal(rill_world_reserve(w, -1), RILL_INVALID);
        l.fail_at = l.calls + 1;
        assert_int_equal(rill_world_reserve(w, 100000), RILL_MEMORY);
        l.fail_at = 0;
        take_steps(w, 1);
        rill_world_destroy(w);
        assert_int_equal(l.live, 0);
    }
}

/* Positions, velocities and ids in any order, and the counts of the statistics. */
static uint64_t state_of(rill_world *w) {
    rill_view x, v, id;
    ok(w, rill_world_view(w, "position", &x));
    ok(w, rill_world_view(w, "velocity", &v));
    ok(w, rill_world_view(w, "id", &id));
    const rill_stats *stats = rill_world_stats(w);
    uint64_t sum = (uint64_t)stats->step * 31 + (uint64_t)stats->emitted * 37 + (uint64_t)stats->removed * 41;
    for (int i = 0; i < x.count; i++) {
        uint64_t h = ((const rill_particle_id *)id.data)[i] + 1;
        for (int axis = 0; axis < x.components; axis++) {
            uint32_t bits[2];
            memcpy(&bits[0], (const float *)x.data + i * x.stride + axis, sizeof bits[0]);
            memcpy(&bits[1], (const float *)v.data + i * v.stride + axis, sizeof bits[1]);
            h = (h ^ bits[0]) * 0x100000001b3u, h = (h ^ bits[1]) * 0x100000001b3u;
        }
        sum += h * h;
    }
    return sum;
}

/* A jet whose next sheet is due, and a particle in the sink: the next step adds, removes and moves particles. */
static rill_world *make_flow(const char *method, bool periodic, ledger *l) {
    rill_world_def def = hooked(2, method, l);
    if (periodic) def.periodic = (rill_vec){0, 2, 0};
    rill_world *w = make_scene_with(SCENE_JET, def);
    ok(w, rill_world_advance(w, 6 * 0.05 / 3 + 1e-5));
    ok(w, rill_world_add_particle(w, (rill_fluid_id){1, 1}, (rill_vec){0.5f, 0.5f, 0}, (rill_vec){0}, NULL));
    return w;
}

/* A step that ran out of memory leaves the world as it was, however far it had come. */
static void a_failed_step_changes_nothing(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "pbf", "pcisph", "dfsph", "constraint"};
    for (int m = 0; m < 5; m++)
        for (int periodic = 0; periodic < 2; periodic++) {
            ledger plenty = {0};
            rill_world *unbroken = make_flow(methods[m], periodic, &plenty);
            const rill_stats *stats = rill_world_stats(unbroken);
            const int64_t emitted = stats->emitted, removed = stats->removed;
            const bool cuts_steps = strcmp(methods[m], "pbf") == 0 || strcmp(methods[m], "constraint") == 0;
            const double dt = cuts_steps ? 0.02 : 0.0005;
            const uint64_t before = state_of(unbroken);
            bytes snapshot = save(unbroken);
            ok(unbroken, rill_world_step(unbroken, dt));
            assert_true(stats->emitted > emitted && stats->removed > removed);
            for (int64_t k = 1, failures = 0;; k++) {
                ledger l = {0};
                const rill_world_def hooks = hooked(2, methods[m], &l);
                rill_world *w = rill_world_load(snapshot.data, snapshot.size, &hooks, NULL);
                assert_non_null(w);
                l.fail_at = l.calls + k;
                const rill_status status = rill_world_step(w, dt);
                l.fail_at = 0;
                if (status != RILL_OK) {
                    assert_int_equal(status, RILL_MEMORY);
                    if (state_of(w) != before) fail_msg("%s: allocation %d changes the world", methods[m], (int)k);
                    ok(w, rill_world_step(w, dt));
                    failures++;
                }
                if (rill_world_hash(w) != rill_world_hash(unbroken))
                    fail_msg("%s: allocation %d leaves traces", methods[m], (int)k);
                rill_world_destroy(w);
                if (status == RILL_OK) {
                    assert_true(failures > 5);
                    break;
                }
            }
            free(snapshot.data);
            rill_world_destroy(unbroken);
        }
}

/* The same for a step that begins with the removal of a particle out of bounds, in arrays that must grow. */
static void a_failed_step_keeps_strays(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "dfsph"};
    for (int m = 0; m < 2; m++)
        for (int k = 1, failures = 0;; k++) {
            ledger l = {0};
            rill_world_def def = hooked(2, methods[m], &l);
            def.bounds = RILL_BOUNDS_REMOVE;
            def.bounds_min = (rill_vec){-1, -1, 0}, def.bounds_max = (rill_vec){2, 2, 0};
            rill_world *w = create(&def);
            const rill_fluid_id water = add_water(w);
            add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
            ok(w, rill_world_add_particle(w, water, (rill_vec){0.025f, 0.025f, 0}, (rill_vec){0}, NULL));
            take_steps(w, 2);
            for (int n = 0; n < 380; n++) {
                const float x = 0.025f + 0.05f * (float)(n % 20), y = 0.075f + 0.05f * (float)(n / 20);
                ok(w, rill_world_add_particle(w, water, (rill_vec){x, y, 0}, (rill_vec){0}, NULL));
            }
            ok(w, rill_world_add_particle(w, water, (rill_vec){5, 0, 0}, (rill_vec){0}, NULL));
            const uint64_t before = state_of(w);
            l.fail_at = l.calls + k;
            const rill_status status = rill_world_step(w, 0.0005);
            l.fail_at = 0;
            if (status != RILL_OK) {
                assert_int_equal(status, RILL_MEMORY);
                if (state_of(w) != before) fail_msg("%s: allocation %d changes the world", methods[m], k);
                ok(w, rill_world_step(w, 0.0005));
                failures++;
            }
            assert_int_equal(rill_world_particle_count(w), 381);
            assert_true(rill_world_stats(w)->strayed == 1);
            rill_world_destroy(w);
            if (status == RILL_OK) {
                assert_true(failures > 5);
                break;
            }
        }
}

/* A step that ran out of memory gives its usual result when it is repeated with memory. */
static void a_step_may_be_repeated(void **state) {
    (void)state;
    for (int s = 0; s < SCENE_COUNT; s++) {
        ledger plenty = {0};
        const rill_world_def rich = hooked(2, "wcsph", &plenty);
        rill_world *unbroken = make_scene_with((scene)s, rich);
        ok(unbroken, rill_world_step(unbroken, 1e-4));
        bool failed = true;
        for (int k = 1; failed; k++) {
            ledger l = {0};
            const rill_world_def def = hooked(2, "wcsph", &l);
            rill_world *w = make_scene_with((scene)s, def);
            l.fail_at = l.calls + k;
            const rill_status status = rill_world_step(w, 1e-4);
            l.fail_at = 0;
            failed = status != RILL_OK;
            if (failed) {
                assert_int_equal(status, RILL_MEMORY);
                assert_int_equal(rill_world_stats(w)->step, 0);
                ok(w, rill_world_step(w, 1e-4));
            }
            if (rill_world_hash(w) != rill_world_hash(unbroken) || rill_world_stats(w)->step != 1)
                fail_msg("%s: allocation %d of a step leaves traces", scene_name((scene)s), k);
            rill_world_destroy(w);
        }
        rill_world_destroy(unbroken);
    }
}

/* ---- steady state ---- */

static void no_allocation_in_steady_state(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph", "dfsph", "pcisph"};
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 4; m++) {
            ledger l = {0};
            rill_world_def def = hooked(dim, methods[m], &l);
            def.workers = 2;
            rill_world *w = create(&def);
            add_water(w);
            add_container(w, up2(w, 0, 0, 0), up2(w, 1.0f, 1.0f, 0.3f));
            add_box(w, up2(w, 0, 0, 0), up2(w, 1.0f, 0.4f, 0.3f));
            take_steps(w, 300);
            const int64_t before = l.calls;
            take_steps(w, 200);
            assert_int_equal(l.calls - before, 0);
            rill_world_destroy(w);
        }
}

static void no_allocation_in_a_periodic_flow(void **state) {
    (void)state;
    ledger l = {0};
    const rill_world_def def = hooked(2, "wcsph", &l);
    rill_world *w = make_scene_with(SCENE_PERIODIC, def);
    take_steps(w, 300);
    const int64_t before = l.calls;
    take_steps(w, 200);
    assert_int_equal(l.calls - before, 0);
    rill_world_destroy(w);
}

/* Frames of 1/60 s from `first` to `last` in which the host was asked for memory. */
static int allocating_frames(rill_world *w, const ledger *l, int first, int last) {
    int frames = 0;
    for (int k = 0; k < last; k++) {
        const int64_t before = l->calls;
        ok(w, rill_world_step(w, 1.0 / 60));
        frames += k >= first && l->calls > before;
    }
    return frames;
}

/* A tank that is being filled: buffers grow rarely, and together. */
static void no_allocation_with_an_emitter_but_rarely(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "dfsph", "constraint"};
    for (int m = 0; m < 3; m++)
        for (int drained = 0; drained < 2; drained++) {
            ledger l = {0};
            rill_world_def def = hooked(2, methods[m], &l);
            rill_world *w = create(&def);
            add_water(w);
            add_container(w, (rill_vec){0, 0, 0}, (rill_vec){2, 3, 0});
            rill_emitter_def jet = rill_emitter_def_default();
            jet.position = (rill_vec){0.3f, 1, 0}, jet.direction = (rill_vec){1, 0, 0};
            jet.radius = 0.05f, jet.speed = 1;
            ok(w, rill_world_add_emitter(w, &jet, NULL));
            rill_sink_def sink = rill_sink_def_default();
            sink.shape = box_shape((rill_vec){1.8f, 0, 0}, (rill_vec){2, 0.2f, 0});
            if (drained) ok(w, rill_world_add_sink(w, &sink, NULL));
            assert_at_most(allocating_frames(w, &l, 600, 1200), 5);
            assert_true(rill_world_stats(w)->emitted > 700);
            rill_world_destroy(w);
        }
}

/* Balls that lie, touch and roll, with events in every step; none of them is asleep. */
static void no_allocation_with_bodies(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        ledger l = {0};
        rill_world_def def = hooked(dim, "wcsph", &l);
        def.sleep_time = 0;
        rill_world *w = create(&def);
        add_container(w, up2(w, 0, 0, 0), up2(w, 1.0f, 2.0f, 1.0f));
        for (int k = 0; k < 12; k++) {
            char name[16];
            snprintf(name, sizeof name, "ball %d", k);
            const float x = 0.15f + 0.22f * (float)(k % 4), y = 0.15f + 0.25f * (float)(k / 4);
            add_body(w, name, ball_shape(up2(w, x, y, 0.5f + 0.01f * (float)k), 0.1f), 1000);
        }
        for (int k = 0; k < 300; k++) ok(w, rill_world_step(w, 1.0 / 120));
        assert_true(rill_world_contact_count(w) > 8);
        const int64_t before = l.calls;
        for (int k = 0; k < 200; k++) ok(w, rill_world_step(w, 1.0 / 120));
        assert_int_equal(l.calls - before, 0);
        rill_world_destroy(w);
    }
}

/* Crates of a host with the preset for games, updated in every step. */
static void no_allocation_with_hosted_bodies(void **state) {
    (void)state;
    enum { CRATES = 4 };
    ledger l = {0};
    rill_world_def def = rill_world_def_game(2);
    def.spacing = 0.05f, def.workers = 1;
    def.allocator = hooked(2, "pbf", &l).allocator;
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){4, 3, 0});
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){4, 0.8f, 0});
    rill_body_def crate = rill_body_def_default();
    crate.shape = box_shape((rill_vec){-0.2f, -0.2f, 0}, (rill_vec){0.2f, 0.2f, 0});
    rill_body_id ids[CRATES];
    rill_hosted_state states[CRATES];
    for (int k = 0; k < CRATES; k++) {
        states[k] = rill_hosted_state_default();
        states[k].position = (rill_vec){0.5f + (float)k, 0.9f, 0};
        states[k].inverse_mass = (rill_vec){1 / 80.0f, 1 / 80.0f, 0}, states[k].inverse_inertia[2][2] = 1 / 2.1f;
        ok(w, rill_world_add_hosted(w, &crate, &states[k], &ids[k]));
    }
    int64_t before = 0;
    for (int frame = 0; frame < 400; frame++) {
        if (frame == 240) before = l.calls;
        ok(w, rill_world_begin_at_most(w, 1.0 / 60, 2));
        for (double dt = 1; dt > 0;) {
            for (int k = 0; k < CRATES; k++) ok(w, rill_world_host(w, ids[k], &states[k]));
            ok(w, rill_world_substep(w, &dt));
            for (int k = 0; k < CRATES; k++) {
                rill_reaction r;
                ok(w, rill_world_reaction(w, ids[k], &r));
                states[k].velocity = r.velocity, states[k].angular_velocity = r.angular_velocity;
                states[k].position.x += (float)dt * r.velocity.x, states[k].position.y += (float)dt * r.velocity.y;
                states[k].angle += (float)dt * r.angular_velocity.z;
            }
        }
        ok(w, rill_world_end(w));
    }
    assert_int_equal(l.calls - before, 0);
    for (int k = 0; k < CRATES; k++) assert_true(states[k].position.y > 0.6f && states[k].position.y < 1.1f);
    rill_world_destroy(w);
}

/* 400 bytes for each particle, neighbour lists included. */
static void bytes_per_particle(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "muller");
    def.spacing = 0.1f, def.workers = 1;
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, up2(w, 0, 0, 0), up2(w, 10, 5, 4));
    const int n = add_box(w, up2(w, 0, 0, 0), up2(w, 5, 5, 4));
    assert_int_equal(n, 100000);
    take_steps(w, 3);
    assert_true(rill_world_stats(w)->neighbours_mean > 25);
    assert_at_most((double)rill_world_stats(w)->bytes / n, 400);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balanced),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(loading_may_fail),
        cmocka_unit_test(a_world_survives_want),
        cmocka_unit_test(changes_may_want),
        cmocka_unit_test(no_allocation_within_a_reserve),
        cmocka_unit_test(a_failed_step_changes_nothing),
        cmocka_unit_test(a_failed_step_keeps_strays),
        cmocka_unit_test(a_step_may_be_repeated),
        cmocka_unit_test(no_allocation_in_steady_state),
        cmocka_unit_test(no_allocation_in_a_periodic_flow),
        cmocka_unit_test(no_allocation_with_an_emitter_but_rarely),
        cmocka_unit_test(no_allocation_with_bodies),
        cmocka_unit_test(no_allocation_with_hosted_bodies),
        cmocka_unit_test(bytes_per_particle),
    };
#ifdef RILL_SANITIZED
    cmocka_set_skip_filter("no_allocation_*"); /* long runs that count calls, which sanitizers do not change */
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
