/* SPDX-License-Identifier: MIT */
/* Random valid scenes: each is run by one worker, by several, in every SIMD width, and saved and resumed in the middle.
   All runs have to agree in every bit of the state after every step, in the statistics, in what gauges and queries
   answer, and in how they blow up if they do; and particles that were added, emitted and removed have to add up. So has
   a run of the scene that was written as JSON and read again.

   A fixed set of seeds runs in `make test`. Any other by hand:

       test_random --seed 1000 --count 500   runs 500 scenes from seed 1000 on (or RILL_SEED, RILL_COUNT)
       test_random --seed 1017 --write       runs one and writes it first as random_1017.json, for `rill run`

   Each scene prints its seed before it runs, so that a crash names it; a scene that fails is written as JSON too. */
#include "core/hash.h"
#include "oracle/check.h"
#include "oracle/widths.h"
#include "random/random_scene.h"
#include "unit/bytes.h"

/* Fewer scenes where each takes longer. */
#if defined(__SANITIZE_THREAD__)
#define SCENES 6
#elif defined(RILL_SANITIZED)
#define SCENES 25
#else
#define SCENES 100
#endif

#define STEPS_MAX    20
#define ATTEMPTS_MAX 20
/* Bounds on the share of draws that the library refuses, and of scenes that blow up. */
#define REFUSED_LEAST 0.005
#define REFUSED_MOST  0.1
#define BLOWN_MOST    0.1
/* Shares are checked from this many scenes on. */
#define SHARES_FROM 50

static uint64_t first_seed = 1;
static int scene_count = SCENES;
static bool write_first;

/* ---- results of a run ---- */

typedef struct outcome {
    rill_status status; /* RILL_OK or RILL_BLOW_UP; anything else is a refusal */
    char message[500];
    int steps;
    uint64_t state[STEPS_MAX]; /* hashes after each step */
    rill_stats stats;
    uint64_t fields, gauges, queries, contacts, joints; /* hashes of everything that can be read at the end */
    rill_status switched;                               /* the status of a change of the method */
    bool sound;                                         /* no check of this run by itself has failed */
} outcome;

/* Statistics that depend neither on the clock nor on memory that was kept. */
#define STAT(member) \
    { #member, offsetof(rill_stats, member), sizeof(((rill_stats *)0)->member) }
static const struct {
    const char *name;
    size_t offset, size;
} stats_compared[] = {
    STAT(step),
    STAT(time),
    STAT(dt),
    STAT(dt_bound),
    STAT(substeps),
    STAT(particles),
    STAT(iterations),
    STAT(residual),
    STAT(body_iterations),
    STAT(body_contacts),
    STAT(bodies_asleep),
    STAT(density_error_mean),
    STAT(density_error_max),
    STAT(neighbours_mean),
    STAT(neighbours_max),
    STAT(max_speed),
    STAT(kinetic_energy),
    STAT(potential_energy),
    STAT(emitted),
    STAT(removed),
    STAT(left_out),
};

/* ---- one run ---- */

typedef struct job {
    const random_scene *scene;
    uint64_t seed;
    const char *variant;
    rill_world *world;
    int added;
    outcome *out;
} job;

static void complain(job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(job *j, const char *format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error("seed %llu, %s: %s\n", (unsigned long long)j->seed, j->variant, text);
    j->out->sound = false;
}

static int compare_ids(const void *a, const void *b) {
    const rill_particle_id x = *(const rill_particle_id *)a, y = *(const rill_particle_id *)b;
    return (x > y) - (x < y);
}

/* Every particle is there once, and none that was not added or emitted. */
static void check_particles(job *j) {
    const rill_stats *st = rill_world_stats(j->world);
    const int count = rill_world_particle_count(j->world);
    if (count != j->added + st->emitted - st->removed)
        complain(j, "%d particles are left of %d added, %lld emitted, %lld removed", count, j->added,
                 (long long)st->emitted, (long long)st->removed);
    rill_view ids;
    if (rill_world_view(j->world, "id", &ids) != RILL_OK || ids.count != count) {
        complain(j, "there is no view of %d ids", count);
        return;
    }
    rill_particle_id *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    for (int i = 0; i < count; i++) sorted[i] = rill_world_particle_at(j->world, i);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_ids);
    for (int i = 1; i < count; i++)
        if (sorted[i] == sorted[i - 1]) complain(j, "two particles have the id %llu", (unsigned long long)sorted[i]);
    for (int i = 0; i < count; i += 7)
        if (rill_world_particle_index(j->world, sorted[i]) < 0)
            complain(j, "particle %llu is not found", (unsigned long long)sorted[i]);
    free(sorted);
}

static uint64_t hash_views(job *j) {
    uint64_t hash = HASH_START;
    for (int k = 0; k < rill_world_view_count(j->world); k++) {
        const rill_view v = rill_world_view_at(j->world, k);
        if (v.count != rill_world_particle_count(j->world)) complain(j, "view %s has %d particles", v.name, v.count);
        for (int i = 0; i < v.count; i++)
            hash =
                rill_hash_bytes(hash, (const char *)v.data + (size_t)i * (size_t)v.stride * rill_scalar_size(v.scalar),
                                (size_t)v.components * rill_scalar_size(v.scalar));
    }
    return hash;
}

/* Kinds that may have nothing to read where there is no fluid. */
static bool may_be_blank(int kind) {
    return kind == RILL_GAUGE_HEIGHT || kind == RILL_GAUGE_FRONT || kind == RILL_GAUGE_VELOCITY ||
           kind == RILL_GAUGE_CENTRE;
}

static uint64_t hash_gauges(job *j) {
    uint64_t hash = HASH_START;
    for (int k = 0; k < rill_world_gauge_count(j->world); k++) {
        rill_reading reading = {0};
        if (rill_world_read_gauge(j->world, rill_world_gauge_at(j->world, k), &reading) != RILL_OK)
            complain(j, "gauge %d: %s", k, rill_world_message(j->world));
        const bool blank = may_be_blank(rill_world_gauge_def(j->world, rill_world_gauge_at(j->world, k))->kind);
        for (int i = 0; i < reading.count; i++)
            if (!isfinite(reading.value[i]) && !(blank && isnan(reading.value[i])))
                complain(j, "gauge %d reads %g", k, reading.value[i]);
        hash = rill_hash_bytes(hash, reading.value, (size_t)reading.count * sizeof *reading.value);
    }
    return hash;
}

static uint64_t hash_hits(uint64_t hash, const rill_hit *hits, int count) {
    for (int k = 0; k < count; k++) {
        hash = rill_hash_bytes(hash, &hits[k].solid.index1, sizeof hits[k].solid.index1);
        hash = rill_hash_bytes(hash, &hits[k].point, sizeof hits[k].point);
        hash = rill_hash_bytes(hash, &hits[k].distance, sizeof hits[k].distance);
    }
    return hash;
}

static uint64_t hash_queries(job *j) {
    enum { HITS = 16 };
    const rill_vec p = j->scene->query_point, along = j->scene->query_along;
    const float reach = 4 * j->scene->scene.world.spacing;
    const rill_vec low = {p.x - reach, p.y - reach, p.z - reach}, high = {p.x + reach, p.y + reach, p.z + reach};
    rill_hit hits[HITS];
    int count = 0;
    bool found = false;
    uint64_t hash = HASH_START;
    rill_status status = rill_world_query_point(j->world, p, NULL, hits, HITS, &count);
    if (!status) hash = hash_hits(hash, hits, count);
    if (!status) status = rill_world_query_box(j->world, low, high, NULL, hits, HITS, &count);
    if (!status) hash = hash_hits(hash, hits, count);
    if (!status) status = rill_world_query_ray(j->world, p, along, 10 * reach, NULL, hits, &found);
    if (!status && found) hash = hash_hits(hash, hits, 1);
    if (status) complain(j, "query: %s", rill_world_message(j->world));
    return hash;
}

static uint64_t hash_contacts(const rill_world *w) {
    const rill_contact *contacts = rill_world_contacts(w);
    uint64_t hash = HASH_START;
    for (int k = 0; k < rill_world_contact_count(w); k++) {
        hash = rill_hash_bytes(hash, &contacts[k].touching, sizeof contacts[k].touching);
        hash = rill_hash_bytes(hash, &contacts[k].began, sizeof contacts[k].began);
        hash = rill_hash_bytes(hash, &contacts[k].ended, sizeof contacts[k].ended);
        hash = rill_hash_bytes(hash, &contacts[k].hit_speed, sizeof contacts[k].hit_speed);
        hash = rill_hash_bytes(hash, &contacts[k].impulse, sizeof contacts[k].impulse);
        hash = rill_hash_bytes(hash, &contacts[k].point, sizeof contacts[k].point);
    }
    return hash;
}

static uint64_t hash_joints(job *j) {
    uint64_t hash = HASH_START;
    for (int k = 0; k < rill_world_joint_count(j->world); k++) {
        const rill_joint_id id = rill_world_joint_at(j->world, k);
        rill_joint_state state = {0};
        if (rill_world_joint_state(j->world, id, &state) != RILL_OK) complain(j, "joint %d has no state", k);
        const float values[] = {(float)state.broken, state.force, state.torque, state.position, state.speed};
        hash = rill_hash_bytes(hash, values, sizeof values);
    }
    return hash;
}

/* Steps like the tool: fixed steps, or adaptive ones that end with the frames. */
static rill_status take_step(rill_world *w, const scene_run *run) {
    if (run->dt > 0) return rill_world_step(w, (double)run->dt);
    const double frame = 1 / (double)run->fps, time = rill_world_stats(w)->time;
    const double end = frame * (floor(time / frame + 1e-6) + 1);
    return rill_world_step_adaptive(w, end - time);
}

static void take_steps_until(job *j, int steps) {
    outcome *out = j->out;
    while (out->steps < steps && out->status == RILL_OK) {
        if (out->steps == j->scene->steps / 3 && *j->scene->other_method)
            out->switched = rill_world_set_method(j->world, j->scene->other_method);
        out->status = take_step(j->world, &j->scene->scene.run);
        if (out->status) snprintf(out->message, sizeof out->message, "%s", rill_world_message(j->world));
        if (out->status == RILL_OK) {
            out->state[out->steps++] = rill_world_hash(j->world);
            check_particles(j);
        }
    }
}

/* Everything may be asked after a blow-up too, but the answers then mean nothing. */
static void look(job *j) {
    outcome *out = j->out;
    out->stats = *rill_world_stats(j->world);
    out->queries = hash_queries(j);
    out->contacts = hash_contacts(j->world);
    out->joints = hash_joints(j);
    out->fields = hash_views(j);
    if (out->status == RILL_OK) out->gauges = hash_gauges(j);
}

static void resume(job *j, int workers, rill_simd simd) {
    bytes saved = {0};
    if (rill_world_save(j->world, append_bytes, &saved) != RILL_OK)
        complain(j, "it is not saved: %s", rill_world_message(j->world));
    rill_world_def hooks = rill_world_def_default(j->scene->scene.world.dim);
    hooks.workers = workers, hooks.simd = (int32_t)simd;
    rill_error error = {0};
    const uint64_t before = rill_world_hash(j->world);
    rill_world_destroy(j->world);
    j->world = rill_world_load(saved.data, saved.size, &hooks, &error);
    free(saved.data);
    if (!j->world)
        complain(j, "a saved world is not loaded: %s", error.text);
    else if (rill_world_hash(j->world) != before)
        complain(j, "a loaded world differs from the one that was saved");
}

typedef struct variant {
    const char *name, *width;
    rill_simd simd;
    int workers;
    bool resumed; /* in portable C up to the middle, then loaded with one worker more */
    bool as_json; /* written as a scene file and read again */
} variant;

/* The world of a scene that was written as JSON and read again. */
static rill_world *build_from_json(const random_scene *r, int *added, rill_error *error) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    const rill_status status = rill_scene_print(&r->scene, stream, error);
    fclose(stream);
    scene *s = status ? NULL : rill_scene_parse("random.json", text, size, error);
    rill_world *w = s ? rill_scene_build(s, 1, RILL_SIMD_AUTO, error) : NULL;
    *added = rill_world_particle_count(w);
    rill_scene_free(s);
    free(text);
    return w;
}

static outcome run(const random_scene *scene, uint64_t seed, const variant *v) {
    outcome out = {.sound = true};
    job j = {.scene = scene, .seed = seed, .variant = v->name, .out = &out};
    rill_error error = {0};
    j.world = v->as_json
                  ? build_from_json(scene, &j.added, &error)
                  : random_scene_build(scene, v->workers, v->resumed ? RILL_SIMD_SCALAR : v->simd, &j.added, &error);
    if (!j.world) {
        out.status = error.status;
        snprintf(out.message, sizeof out.message, "%s", error.text);
        return out;
    }
    if (v->resumed) {
        take_steps_until(&j, scene->steps / 2);
        resume(&j, v->workers + 1, v->simd);
    }
    if (j.world) {
        take_steps_until(&j, scene->steps);
        look(&j);
    }
    rill_world_destroy(j.world);
    return out;
}

/* ---- runs compared ---- */

static const variant reference = {"1 worker", NULL, RILL_SIMD_AUTO, 1, false, false};
static const variant variants[] = {
    {"2 workers", NULL, RILL_SIMD_AUTO, 2, false, false},
    {"3 workers, scalar", "scalar", RILL_SIMD_SCALAR, 3, false, false},
#if defined(__x86_64__)
    {"8 workers, sse", "sse", RILL_SIMD_SSE, 8, false, false},
    {"5 workers, avx2", "avx2", RILL_SIMD_AVX2, 5, false, false},
#elif defined(__aarch64__)
    {"8 workers, neon", "neon", RILL_SIMD_NEON, 8, false, false},
#endif
    {"resumed", NULL, RILL_SIMD_AUTO, 1, true, false},
    {"from JSON", NULL, RILL_SIMD_AUTO, 1, false, true},
};

static bool same_end(job *j, const outcome *a, const outcome *b) {
    if (a->switched != b->switched) complain(j, "another answer to a change of the method");
    if (a->status != b->status || a->steps != b->steps || strcmp(a->message, b->message)) {
        complain(j, "%s after %d steps (%s); %s: %s after %d steps (%s)", rill_status_name(b->status), b->steps,
                 b->message, reference.name, rill_status_name(a->status), a->steps, a->message);
        return false;
    }
    for (int k = 0; k < a->steps; k++)
        if (a->state[k] != b->state[k]) {
            complain(j, "the state is another one after step %d of %d", k + 1, a->steps);
            return false;
        }
    return true;
}

static bool compare(const random_scene *scene, uint64_t seed, const variant *v, const outcome *a) {
    outcome b = run(scene, seed, v);
    job j = {.scene = scene, .seed = seed, .variant = v->name, .out = &b};
    if (!b.sound || !same_end(&j, a, &b)) return false;
    if (a->status != RILL_OK) return true;
    for (int k = 0; k < (int)(sizeof stats_compared / sizeof *stats_compared); k++)
        if (memcmp((const char *)&a->stats + stats_compared[k].offset,
                   (const char *)&b.stats + stats_compared[k].offset, stats_compared[k].size) != 0)
            complain(&j, "another %s in the statistics", stats_compared[k].name);
    if (a->fields != b.fields) complain(&j, "another value in a particle field");
    if (a->gauges != b.gauges) complain(&j, "another reading of a gauge");
    if (a->queries != b.queries) complain(&j, "another answer to a query");
    if (a->contacts != b.contacts) complain(&j, "other contacts of bodies");
    if (a->joints != b.joints) complain(&j, "another state of a joint");
    const int residuals = a->stats.iterations < RILL_RESIDUALS_MAX ? a->stats.iterations : RILL_RESIDUALS_MAX;
    if (memcmp(a->stats.residuals, b.stats.residuals, (size_t)residuals * sizeof *a->stats.residuals) != 0)
        complain(&j, "other residuals in the statistics");
    return b.sound;
}

/* ---- scenes ---- */

static void write_scene(const random_scene *r, uint64_t seed) {
    char path[64];
    snprintf(path, sizeof path, "random_%llu.json", (unsigned long long)seed);
    rill_error error = {0};
    FILE *file = fopen(path, "w");
    const rill_status status = file ? rill_scene_print(&r->scene, file, &error) : RILL_IO;
    if (file) fclose(file);
    print_message("%s %s; to run it again: test_random --seed %llu --count 1\n", status ? "could not write" : "wrote",
                  path, (unsigned long long)seed);
}

static void describe(const random_scene *r, uint64_t seed) {
    const scene *s = &r->scene;
    const rill_vec p = s->world.periodic;
    char walls[RILL_NAME_SIZE];
    const rill_param *row = rill_table_find(rill_object_table(RILL_OBJECT_WORLD), "walls");
    printf("seed %llu: %s %dD, walls %s%s%s%s%s, fluids %d, blocks %d, solids %d, bodies %d, joints %d, emitters %d, "
           "sinks %d, gauges %d, cloths %d, pins %d, %s %d\n",
           (unsigned long long)seed, s->world.method, s->world.dim,
           rill_choice_name(row->choices, s->world.walls, walls, sizeof walls),
           p.x + p.y + p.z > 0 ? ", periodic " : "", p.x > 0 ? "x" : "", p.y > 0 ? "y" : "", p.z > 0 ? "z" : "",
           s->fluid_count, s->block_count, s->solid_count, s->body_count, s->joint_count, s->emitter_count,
           s->sink_count, s->gauge_count, s->cloth_count, s->pin_count, s->run.dt > 0 ? "fixed steps" : "steps",
           r->steps);
    fflush(stdout);
}

typedef struct tally {
    int scenes, refused, blown, failed;
    int64_t particles;
} tally;

/* The first scene of a seed that the library accepts; a refused one is drawn again. */
static bool draw_valid(random_scene *r, uint64_t seed, outcome *out, tally *t) {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        random_scene_draw(r, rill_hash_mix(seed) + (uint64_t)attempt);
        describe(r, seed);
        if (write_first) write_scene(r, seed);
        *out = run(r, seed, &reference);
        if (out->status == RILL_OK || out->status == RILL_BLOW_UP) return true;
        printf("    refused: %s\n", out->message);
        t->refused++;
    }
    return false;
}

static void check_scene(uint64_t seed, tally *t) {
    static random_scene r;
    outcome one = {0};
    t->scenes++;
    bool good = draw_valid(&r, seed, &one, t) && one.sound;
    for (int k = 0; good && k < (int)(sizeof variants / sizeof *variants); k++)
        if (!variants[k].width || width_runs(variants[k].width)) good = compare(&r, seed, &variants[k], &one);
    if (one.status == RILL_BLOW_UP) printf("    blow-up: %s\n", one.message);
    t->blown += one.status == RILL_BLOW_UP;
    t->particles += one.stats.particles;
    if (write_first && one.steps > 0)
        printf("    state after %d steps: %016llx\n", one.steps, (unsigned long long)one.state[one.steps - 1]);
    if (!good) t->failed++, write_scene(&r, seed);
}

static void scenes(void **state) {
    (void)state;
    tally t = {0};
    for (int k = 0; k < scene_count; k++) check_scene(first_seed + (uint64_t)k, &t);
    const double refused = (double)t.refused / (t.scenes + t.refused), blown = (double)t.blown / t.scenes;
    print_message("%d scenes of %.0f particles: %.1f %% of the draws refused, %.1f %% blown up, %d failed\n", t.scenes,
                  (double)t.particles / t.scenes, 100 * refused, 100 * blown, t.failed);
    assert_int_equal(t.failed, 0);
    if (t.scenes < SHARES_FROM) return;
    assert_at_most(refused, REFUSED_MOST);
    assert_at_most(REFUSED_LEAST, refused);
    assert_at_most(blown, BLOWN_MOST);
}

static uint64_t number_of(const char *text) {
    return text ? strtoull(text, NULL, 10) : 0;
}

int main(int count, char **arguments) {
    if (getenv("RILL_SEED")) first_seed = number_of(getenv("RILL_SEED"));
    if (getenv("RILL_COUNT")) scene_count = (int)number_of(getenv("RILL_COUNT"));
    for (int k = 1; k < count; k++) {
        if (!strcmp(arguments[k], "--seed")) first_seed = number_of(arguments[k + 1]);
        if (!strcmp(arguments[k], "--count")) scene_count = (int)number_of(arguments[k + 1]);
        if (!strcmp(arguments[k], "--write")) write_first = true, scene_count = 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
