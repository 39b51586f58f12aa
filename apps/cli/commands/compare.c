/* SPDX-License-Identifier: MIT */
/* rill compare: where two stored runs begin to differ, and by how much. */
#include "apps/cli/commands/command.h"
#include "apps/cli/show/frames.h"
#include "core/error.h"
#include "run/stored_run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FIELDS_MAX = 32 };

/* The largest difference of one quantity, and where it is. */
typedef struct difference {
    char name[RILL_NAME_SIZE], unit[RILL_NAME_SIZE];
    double most; /* 0: none; infinite: a value is not finite in one of the two */
    char where[2 * RILL_NAME_SIZE];
} difference;

typedef struct compare_job {
    const char *folder[2];
    stored_run stored[2];
    frame_list list[2];
    rill_frame frame[2];
    const char *name; /* of the frames under comparison */
    difference fields[FIELDS_MAX];
    int field_count;
    int64_t missing; /* particles that only one of the two frames has */
    char first[300]; /* the first difference; empty: none */
    rill_error error;
} compare_job;

/* ---- one frame ---- */

static void note_first(compare_job *job, const char *what) {
    if (job->first[0]) return;
    snprintf(job->first, sizeof job->first, "%.60s (step %" PRId64 ", t = %g s): %.180s", job->name, job->frame[0].step,
             job->frame[0].time, what);
}

static difference *find_field(compare_job *job, const char *name, const char *unit) {
    for (int k = 0; k < job->field_count; k++)
        if (strcmp(job->fields[k].name, name) == 0) return &job->fields[k];
    if (job->field_count == FIELDS_MAX) return NULL;
    difference *added = &job->fields[job->field_count++];
    snprintf(added->name, sizeof added->name, "%s", name);
    snprintf(added->unit, sizeof added->unit, "%s", unit ? unit : "");
    return added;
}

static void note(compare_job *job, difference *d, double by, const char *whose) {
    if (!d || by == 0.0) return;
    char what[200];
    snprintf(what, sizeof what, "%s of %s differs by %.3g %s", d->name, whose, by, d->unit);
    note_first(job, what);
    if (by <= d->most) return;
    d->most = by;
    snprintf(d->where, sizeof d->where, "%.60s in %.30s", whose, job->name);
}

/* The distance of two vectors; 0 if their bits are equal, even if they are NaN. */
static double distance(rill_vec a, rill_vec b) {
    if (memcmp(&a, &b, sizeof a) == 0) return 0.0;
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    const double length = sqrt(x * x + y * y + z * z);
    return isfinite(length) ? length : HUGE_VAL;
}

static double field_distance(const compare_job *job, const rill_view *const field[2], const int at[2]) {
    if (field[0]->scalar == RILL_SCALAR_FLOAT)
        return distance(rill_frame_vec(&job->frame[0], field[0], at[0]),
                        rill_frame_vec(&job->frame[1], field[1], at[1]));
    const uint64_t a = rill_frame_uint(&job->frame[0], field[0], at[0]);
    const uint64_t b = rill_frame_uint(&job->frame[1], field[1], at[1]);
    return (double)(a > b ? a - b : b - a);
}

static void compare_particle(compare_job *job, uint64_t id, const int at[2]) {
    char whose[48];
    snprintf(whose, sizeof whose, "particle %" PRIu64, id);
    for (int k = 0; k < job->frame[0].field_count; k++) {
        const rill_view *first = &job->frame[0].field[k];
        const rill_view *const field[2] = {first, rill_frame_field(&job->frame[1], first->name)};
        if (field[1] && field[1]->scalar == first->scalar)
            note(job, find_field(job, first->name, first->unit), field_distance(job, field, at), whose);
    }
}

/* Relies on stored frames being sorted by id. */
static void compare_particles(compare_job *job) {
    const rill_view *const id[2] = {rill_frame_field(&job->frame[0], "id"), rill_frame_field(&job->frame[1], "id")};
    int at[2] = {0, 0};
    while (at[0] < job->frame[0].count || at[1] < job->frame[1].count) {
        uint64_t ids[2];
        for (int k = 0; k < 2; k++)
            ids[k] = at[k] < job->frame[k].count ? rill_frame_uint(&job->frame[k], id[k], at[k]) : UINT64_MAX;
        if (ids[0] == ids[1]) {
            compare_particle(job, ids[0], at);
            at[0]++, at[1]++;
            continue;
        }
        const int side = ids[0] < ids[1] ? 0 : 1;
        char what[100];
        snprintf(what, sizeof what, "only %s has particle %" PRIu64, side ? "the second" : "the first", ids[side]);
        note_first(job, what);
        job->missing++;
        at[side]++;
    }
}

static void compare_bodies(compare_job *job) {
    const rill_frame *a = &job->frame[0], *b = &job->frame[1];
    if (a->body_count != b->body_count) note_first(job, "they have different numbers of bodies");
    for (int k = 0; k < a->body_count && k < b->body_count; k++) {
        const rill_body_state *from = &a->body[k].state, *to = &b->body[k].state;
        char whose[RILL_NAME_SIZE + 8];
        snprintf(whose, sizeof whose, "body %s", a->body[k].name);
        note(job, find_field(job, "body position", "m"), distance(from->position, to->position), whose);
        note(job, find_field(job, "body velocity", "m/s"), distance(from->velocity, to->velocity), whose);
    }
}

static rill_status compare_frames(compare_job *job, const int at[2]) {
    for (int k = 0; k < 2; k++)
        TRY(frames_read(&job->list[k], at[k], &job->stored[k].common, &job->frame[k], &job->error));
    job->name = job->list[0].entries[at[0]]->d_name;
    if (job->frame[0].dim != job->frame[1].dim)
        return rill_fail(&job->error, RILL_INVALID, "one run is 2D and the other 3D");
    if (job->frame[0].time != job->frame[1].time) note_first(job, "their times differ");
    compare_particles(job);
    compare_bodies(job);
    return RILL_OK;
}

/* ---- two runs ---- */

static rill_status open_runs(compare_job *job) {
    for (int k = 0; k < 2; k++) {
        const rill_status status = rill_stored_run_read(&job->stored[k], job->folder[k], &job->error);
        if (status != RILL_OK && status != RILL_NOT_FOUND) return status;
        TRY(frames_list(job->folder[k], &job->list[k], &job->error));
    }
    return RILL_OK;
}

/* Compares the frames that have the same name in both runs; `shared` counts them. */
static rill_status compare_runs(compare_job *job, int *shared) {
    int at[2] = {0, 0};
    TRY(open_runs(job));
    while (at[0] < job->list[0].count && at[1] < job->list[1].count) {
        const int order = strcmp(job->list[0].entries[at[0]]->d_name, job->list[1].entries[at[1]]->d_name);
        if (order == 0) {
            TRY(compare_frames(job, at));
            (*shared)++;
        }
        if (order <= 0) at[0]++;
        if (order >= 0) at[1]++;
    }
    if (*shared) return RILL_OK;
    return rill_fail(&job->error, RILL_NOT_FOUND, "%s and %s have no frame of the same name", job->folder[0],
                     job->folder[1]);
}

static bool report(const compare_job *job, int shared) {
    const bool same_frames = job->list[0].count == shared && job->list[1].count == shared;
    printf("%d frames are in both", shared);
    if (!same_frames)
        printf("; %s has %d, %s has %d", job->folder[0], job->list[0].count, job->folder[1], job->list[1].count);
    printf("\n%s%s\n", job->first[0] ? "first difference: " : "these frames are the same", job->first);
    if (job->missing) printf("%" PRId64 " times a particle is in only one of them\n", job->missing);
    for (int k = 0; k < job->field_count; k++) {
        const difference *d = &job->fields[k];
        if (d->most > 0.0) printf("  %-16s at most %.3g %s, of %s\n", d->name, d->most, d->unit, d->where);
    }
    return same_frames && !job->first[0];
}

static int run_compare(const command_call *call) {
    compare_job job = {.folder = {call->operands[0], call->operands[1]}};
    int shared = 0;
    int code = EXIT_FAILED;
    if (compare_runs(&job, &shared) == RILL_OK) {
        if (report(&job, shared)) code = EXIT_FINE;
    } else {
        fprintf(stderr, "rill compare: %s\n", job.error.text);
    }
    for (int k = 0; k < 2; k++) {
        rill_frame_free(&job.frame[k]);
        frames_free(&job.list[k]);
        rill_stored_run_free(&job.stored[k]);
    }
    return code;
}

const command compare_command = {
    .name = "compare",
    .operands = "RUN RUN",
    .summary = "find where two runs begin to differ, and by how much",
    .about = "RUN is a folder that 'rill run --out' wrote. Frames of the same name are compared: particles by\n"
             "their ids, bodies by their order in the scene. Exit codes: 0 the same bits, 1 they differ or cannot\n"
             "be read.\n",
    .examples = "  rill compare out/one out/two\n",
    .operands_min = 2,
    .operands_max = 2,
    .run = run_compare,
};
