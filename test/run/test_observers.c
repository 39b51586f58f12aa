/* SPDX-License-Identifier: MIT */
/* What observers are told and when; how a run ends; runs in pieces equal whole runs. */
#include "core/error.h"
#include "run/run.h"
#include "scene/scene_test.h"

static const char tank[] = "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.05, \"workers\": 1},"
                           " \"run\": {\"time\": 0.05, \"fps\": 100}, \"fluids\": [{\"material\": \"water\"}],"
                           " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 0.4]}],"
                           " \"solids\": [{\"shape\": \"half_space\", \"normal\": [0, 1]}]}";

/* Logs what it is told, "Ab Af0 As ...", and fails where it is set to. */
typedef struct witness {
    char name;
    char *log;
    int64_t fail_frame; /* -1: none */
    bool fail_begin, fail_end;
    int64_t frames[64];
    int frame_count;
} witness;

enum { LOG_SIZE = 4000 };

static void note(const witness *w, const char *what) {
    const size_t used = strlen(w->log);
    snprintf(w->log + used, LOG_SIZE - used, "%c%s ", w->name, what);
}

static rill_status on_begin(void *self, const run *r, const rill_frame *now, rill_error *error) {
    const witness *w = self;
    note(w, "b");
    assert_int_equal(now->count, rill_world_particle_count(r->world));
    return w->fail_begin ? rill_fail(error, RILL_IO, "%c cannot begin", w->name) : RILL_OK;
}

static rill_status on_frame(void *self, const run *r, const rill_frame *frame, rill_error *error) {
    witness *w = self;
    char text[24];
    snprintf(text, sizeof text, "f%d", (int)r->frame_number);
    note(w, text);
    w->frames[w->frame_count++] = r->frame_number;
    assert_true(frame->time == (double)r->frame_number / r->plan.fps || r->plan.fps == 0);
    const rill_view *id = rill_frame_field(frame, "id");
    for (int k = 1; k < frame->count; k++)
        assert_true(rill_frame_uint(frame, id, k - 1) < rill_frame_uint(frame, id, k));
    return r->frame_number == w->fail_frame ? rill_fail(error, RILL_IO, "%c lost a frame", w->name) : RILL_OK;
}

static rill_status on_step(void *self, const run *r, rill_error *error) {
    (void)r, (void)error;
    note(self, "s");
    return RILL_OK;
}

static rill_status on_end(void *self, const run *r, run_outcome outcome, rill_error *error) {
    (void)r;
    const witness *w = self;
    char text[8];
    snprintf(text, sizeof text, "e%d", (int)outcome);
    note(w, text);
    return w->fail_end ? rill_fail(error, RILL_IO, "%c cannot end", w->name) : RILL_OK;
}

/* A world with two witnesses. */
typedef struct fixture {
    scene *scene;
    char log[LOG_SIZE];
    witness a, b;
    run_observer observers[2];
    run run;
} fixture;

static fixture *make(void) {
    fixture *f = calloc(1, sizeof *f);
    rill_error error = {0};
    assert_non_null(f);
    f->scene = parse(tank);
    f->a = (witness){.name = 'A', .log = f->log, .fail_frame = -1};
    f->b = (witness){.name = 'B', .log = f->log, .fail_frame = -1};
    f->observers[0] = (run_observer){&f->a, on_begin, on_frame, on_step, on_end};
    f->observers[1] = (run_observer){&f->b, on_begin, on_frame, on_step, on_end};
    f->run = (run){.plan = rill_run_plan_make(&f->scene->run), .observers = f->observers, .observer_count = 2};
    f->run.world = rill_scene_build(f->scene, -1, -1, &error);
    if (!f->run.world) fail_msg("%s", error.text);
    return f;
}

static void drop(fixture *f) {
    rill_world_destroy(f->run.world);
    rill_scene_free(f->scene);
    free(f);
}

static int count_of(const char *log, const char *word) {
    int count = 0;
    for (const char *at = strstr(log, word); at; at = strstr(at + 1, word)) count++;
    return count;
}

static void frames_are_given_before_steps(void **state) {
    (void)state;
    fixture *f = make();
    assert_int_equal(rill_run_all(&f->run), RILL_RUN_DONE);
    const char *start = "Ab Bb Af0 Bf0 As Bs ";
    assert_memory_equal(f->log, start, strlen(start));
    for (int frame = 1; frame <= 5; frame++) {
        char given[32];
        snprintf(given, sizeof given, "Bs Af%d Bf%d As Bs ", frame, frame);
        assert_int_equal(count_of(f->log, given), 1);
    }
    assert_int_equal(count_of(f->log, "As Bs "), 1 + (int)f->run.all.steps);
    assert_string_equal(f->log + strlen(f->log) - strlen("As Bs Ae0 Be0 "), "As Bs Ae0 Be0 ");
    assert_int_equal(f->run.next_frame, 6);
    assert_true(f->run.all.steps > 5 && f->run.frame.steps > 0);
    drop(f);
}

static void a_hook_that_fails_ends_the_run(void **state) {
    (void)state;
    fixture *f = make();
    f->b.fail_frame = 2;
    f->a.fail_end = true;
    assert_int_equal(rill_run_all(&f->run), RILL_RUN_FAILED);
    assert_string_equal(f->run.error.text, "B lost a frame");
    const char *last = "Bs Af2 Bf2 Ae2 Be2 ";
    assert_string_equal(f->log + strlen(f->log) - strlen(last), last);
    drop(f);

    f = make();
    f->a.fail_begin = true;
    assert_int_equal(rill_run_all(&f->run), RILL_RUN_FAILED);
    assert_string_equal(f->run.error.text, "A cannot begin");
    assert_string_equal(f->log, "Ab Ae2 Be2 ");
    drop(f);
}

static void what_comes_after_a_failed_end_knows_of_it(void **state) {
    (void)state;
    fixture *f = make();
    f->a.fail_end = f->b.fail_end = true;
    assert_int_equal(rill_run_all(&f->run), RILL_RUN_FAILED);
    assert_string_equal(f->run.error.text, "A cannot end");
    assert_string_equal(f->log + strlen(f->log) - strlen("Ae0 Be2 "), "Ae0 Be2 ");
    drop(f);
}

static bool stop_soon(void *context) {
    int *steps_allowed = context;
    return (*steps_allowed)-- <= 0;
}

static void an_interrupted_run_goes_on_as_if_nothing_had_been(void **state) {
    (void)state;
    fixture *whole = make();
    assert_int_equal(rill_run_all(&whole->run), RILL_RUN_DONE);
    const uint64_t hash = rill_world_hash(whole->run.world);
    const int steps = (int)whole->run.all.steps;
    drop(whole);
    for (int at = 0; at < steps; at++) {
        fixture *f = make();
        int steps_allowed = at;
        f->run.asked_to_stop = stop_soon, f->run.stop_context = &steps_allowed;
        assert_int_equal(rill_run_all(&f->run), RILL_RUN_INTERRUPTED);
        assert_int_equal(f->run.all.steps, at);
        assert_non_null(strstr(f->run.error.text, "interrupted at t = "));
        run second = {.world = f->run.world,
                      .plan = f->run.plan,
                      .observers = f->observers,
                      .observer_count = 2,
                      .resumed = true};
        assert_int_equal(rill_run_all(&second), RILL_RUN_DONE);
        assert_int_equal(at + second.all.steps, steps);
        assert_int_equal(rill_world_hash(second.world), hash);
        assert_int_equal(f->a.frame_count, 6); /* none twice, none missing */
        for (int k = 0; k < 6; k++) assert_int_equal(f->a.frames[k], k);
        drop(f);
    }
}

static void a_run_in_pieces_equals_the_whole(void **state) {
    (void)state;
    fixture *whole = make(), *parts = make();
    assert_int_equal(rill_run_all(&whole->run), RILL_RUN_DONE);
    assert_int_equal(rill_run_begin(&parts->run), RILL_OK);
    for (int frame = 0; frame <= 5; frame++) {
        assert_int_equal(rill_run_until(&parts->run, frame), RILL_RUN_DONE);
        assert_int_equal(parts->run.frame_number, frame);
    }
    assert_int_equal(rill_run_end(&parts->run, RILL_RUN_DONE), RILL_RUN_DONE);
    assert_string_equal(whole->log, parts->log);
    assert_int_equal(rill_world_hash(whole->run.world), rill_world_hash(parts->run.world));
    drop(whole);
    drop(parts);
}

static void a_run_without_frames_gives_the_first_alone(void **state) {
    (void)state;
    fixture *f = make();
    run_plan plan = rill_run_plan_make(&(scene_run){.time = 0.05f, .fps = 2000.0f});
    plan = rill_run_plan_without_frames(&plan);
    f->run.plan = plan;
    assert_int_equal(rill_run_all(&f->run), RILL_RUN_DONE);
    assert_int_equal(f->a.frame_count, 1);
    assert_true(f->run.all.steps < 100);
    const rill_stats *stats = rill_world_stats(f->run.world);
    assert_true(stats->time >= 0.05 && stats->time < 0.05 + stats->dt);
    drop(f);
}

static rill_status see_no_frame(void *self, const run *r, rill_error *error) {
    (void)error;
    ++*(int *)self;
    assert_int_equal(r->moment.count, 0);
    return RILL_OK;
}

static void a_frame_that_nobody_wants_is_not_made(void **state) {
    (void)state;
    fixture *f = make();
    int told = 0;
    const run_observer observer = {.self = &told, .step = see_no_frame};
    f->run.observers = &observer, f->run.observer_count = 1;
    assert_int_equal(rill_run_all(&f->run), RILL_RUN_DONE);
    assert_int_equal(told, 1 + f->run.all.steps);
    drop(f);
}

static void a_blow_up_is_told(void **state) {
    (void)state;
    fixture *f = make();
    f->run.plan.dt = 0.02;
    f->run.plan.end = 100;
    assert_int_equal(rill_run_all(&f->run), RILL_RUN_BLEW_UP);
    assert_string_equal(f->log + strlen(f->log) - strlen("Ae3 Be3 "), "Ae3 Be3 ");
    assert_true(f->run.error.text[0] != 0);
    drop(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_given_before_steps),
        cmocka_unit_test(a_hook_that_fails_ends_the_run),
        cmocka_unit_test(what_comes_after_a_failed_end_knows_of_it),
        cmocka_unit_test(an_interrupted_run_goes_on_as_if_nothing_had_been),
        cmocka_unit_test(a_run_in_pieces_equals_the_whole),
        cmocka_unit_test(a_run_without_frames_gives_the_first_alone),
        cmocka_unit_test(a_frame_that_nobody_wants_is_not_made),
        cmocka_unit_test(a_blow_up_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
