/* SPDX-License-Identifier: MIT */
/* Keyframes are joined by cubics with the slopes of Fritsch and Butland (1984): the curve passes through every key,
   never overshoots two neighbours, and its velocity has no jumps. A turn in 3D is a vector, axis times angle, and is
   interpolated as such. */
#include "solid/motion.h"

#include "core/trig.h"

#include <math.h>
#include <string.h>

/* ---- cubics through keys ---- */

/* The keys of one number: every `stride`-th float from `values`. */
typedef struct track {
    const float *times, *values;
    int count, stride;
    bool has_before, has_after; /* whether a round comes before this one, and one after it */
} track;

static double key_at(const track *t, int k) {
    return (double)t->values[(size_t)k * (size_t)t->stride];
}

/* Mean slope between key k and the next. Beyond the ends it is that of the neighbouring round, or 0 if there is none.
 */
static double chord(const track *t, int k, double *width) {
    const int last = t->count - 1;
    if (k < 0 || k >= last) {
        *width = 1;
        if (!(k < 0 ? t->has_before : t->has_after)) return 0;
        k = k < 0 ? k + last : k - last;
    }
    *width = (double)t->times[k + 1] - (double)t->times[k];
    return (key_at(t, k + 1) - key_at(t, k)) / *width;
}

/* Slope at key k: the weighted harmonic mean of the chords on both sides; 0 at an extremum. Motion thus starts from
   rest, and ends at rest if it does not repeat. */
static double slope(const track *t, int k) {
    double left, right;
    const double before = chord(t, k - 1, &left), after = chord(t, k, &right);
    if (!(before * after > 0)) return 0;
    const double a = 2 * right + left, b = right + 2 * left;
    return (a + b) / (a / before + b / after);
}

/* Value and rate in segment k, at the share `s` of its length. */
static double cubic(const track *t, int k, double s, double *rate) {
    double width;
    const double mean = chord(t, k, &width), from = slope(t, k), to = slope(t, k + 1);
    /* Hermite's cubic in powers of s. */
    const double bend = from + to - 2 * mean, lean = 3 * mean - 2 * from - to;
    *rate = from + s * (2 * lean + 3 * s * bend);
    return key_at(t, k) + width * s * (from + s * (lean + s * bend));
}

/* The segment that contains time t, which lies within the keys. */
static int segment_of(const rill_numbers *times, double t) {
    int low = 0, high = times->count - 2;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if ((double)times->data[middle] <= t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The place of a time among the keys. */
typedef struct cursor {
    int segment;
    double share;  /* of the segment's length */
    double rounds; /* complete rounds before this one */
    bool still;    /* before the first key or after the last */
} cursor;

static cursor find_time(const rill_motion *m, double t) {
    const float *times = m->times.data;
    const int last = m->times.count - 1;
    const double begin = (double)times[0], length = (double)times[last] - begin;
    cursor c = {0};
    const bool repeats = m->repeat && t >= begin;
    if (repeats) {
        c.rounds = floor((t - begin) / length);
        t -= c.rounds * length;
    }
    c.still = !repeats && (t < begin || t >= (double)times[last]);
    t = fmin(fmax(t, begin), (double)times[last]);
    c.segment = segment_of(&m->times, t);
    c.share = (t - (double)times[c.segment]) / ((double)times[c.segment + 1] - (double)times[c.segment]);
    return c;
}

/* Value and rate of one number. Each round continues from where the last one ended. */
static double follow(const rill_motion *m, const cursor *c, const float *values, int stride, double *rate) {
    const track t = {m->times.data, values, m->times.count, stride, m->repeat && c->rounds > 0, m->repeat};
    const double value = cubic(&t, c->segment, c->share, rate);
    if (c->still) *rate = 0;
    return value + c->rounds * (key_at(&t, t.count - 1) - key_at(&t, 0));
}

/* ---- turns ---- */

typedef struct turning {
    double m[3][3];
    double w[3]; /* angular velocity */
} turning;

/* The rotation by a vector, and its angular velocity when the vector changes at `rate` (the left Jacobian of SO(3)):
   w = (sin a/a) r' + ((1 - cos a)/a^2) r x r' + ((a - sin a)/a^3) (r . r') r. */
static turning turn_by(const double r[3], const double rate[3]) {
    const double a2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], a = sqrt(a2);
    const bool small = a < 1e-3;
    const double sine = small ? 1 - a2 / 6 : rill_trig_sin(a) / a;
    const double half = rill_trig_sin(0.5 * a), versine = small ? 0.5 - a2 / 24 : 2 * half * half / a2;
    const double rest = small ? 1.0 / 6 - a2 / 120 : (1 - sine) / a2;
    const double along = r[0] * rate[0] + r[1] * rate[1] + r[2] * rate[2];
    turning t;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        t.w[i] = sine * rate[i] + versine * (r[j] * rate[k] - r[k] * rate[j]) + rest * along * r[i];
        for (int c = 0; c < 3; c++) t.m[i][c] = versine * r[i] * r[c];
        t.m[i][i] += 1 - versine * a2;
        t.m[i][j] -= sine * r[k];
        t.m[i][k] += sine * r[j];
    }
    return t;
}

/* The rotation `inner` followed by `outer`. */
static turning combine(const turning *outer, const turning *inner) {
    turning t;
    for (int i = 0; i < 3; i++) {
        t.w[i] = outer->w[i];
        for (int k = 0; k < 3; k++) t.w[i] += outer->m[i][k] * inner->w[k];
        for (int c = 0; c < 3; c++)
            t.m[i][c] =
                outer->m[i][0] * inner->m[0][c] + outer->m[i][1] * inner->m[1][c] + outer->m[i][2] * inner->m[2][c];
    }
    return t;
}

/* ---- the whole ---- */

static void set_axis(double out[3], const rill_motion *m, int dim) {
    const double x = (double)m->axis.x, y = (double)m->axis.y, z = (double)m->axis.z;
    const double length = sqrt(x * x + y * y + z * z);
    out[0] = out[1] = 0, out[2] = 1;
    if (dim == 3 && length > 0) out[0] = x / length, out[1] = y / length, out[2] = z / length;
}

void rill_motion_at(const rill_motion *m, int dim, double time, pose *p) {
    /* with an end before the start there is no motion */
    const double start = (double)m->start_time, end = fmax((double)m->end_time, start);
    const bool moving = time >= start && time < end;
    const double t = time < start ? 0 : (time < end ? time : end) - start;
    const double frequency = 2 * PI * (double)m->frequency, phase = (double)m->phase;
    const double wave = rill_trig_sin(frequency * t + phase) - rill_trig_sin(phase);
    const double wave_rate = frequency * rill_trig_cos(frequency * t + phase);
    const bool keyed = m->times.count > 1;
    const cursor at = keyed ? find_time(m, t) : (cursor){0};

    double angle = (double)m->spin * t + (double)m->swing * wave;
    double angle_rate = (double)m->spin + (double)m->swing * wave_rate;
    if (keyed && m->angles.count > 0) {
        double rate;
        angle += follow(m, &at, m->angles.data, 1, &rate);
        angle_rate += rate;
    }
    double axis[3], turned[3], turned_rate[3], vector[3] = {0}, vector_rate[3] = {0};
    set_axis(axis, m, dim);
    for (int k = 0; k < 3; k++) {
        const double speed = (double)(&m->velocity.x)[k], amplitude = (double)(&m->amplitude.x)[k];
        double offset = speed * t + amplitude * wave, rate = speed + amplitude * wave_rate, more_rate;
        if (keyed && m->offsets.count > 0) {
            offset += follow(m, &at, &m->offsets.data->x + k, 3, &more_rate);
            rate += more_rate;
        }
        (&p->offset.x)[k] = (float)offset;
        (&p->velocity.x)[k] = moving ? (float)rate : 0.0f;
        turned[k] = axis[k] * angle, turned_rate[k] = axis[k] * angle_rate;
        if (keyed && m->turns.count > 0) vector[k] = follow(m, &at, &m->turns.data->x + k, 3, &vector_rate[k]);
    }
    if (dim == 2) p->offset.z = p->velocity.z = 0.0f;
    const turning about_axis = turn_by(turned, turned_rate), about_vector = turn_by(vector, vector_rate);
    const turning both = combine(&about_vector, &about_axis);
    for (int i = 0; i < 3; i++) {
        (&p->angular.x)[i] = moving ? (float)both.w[i] : 0.0f;
        for (int c = 0; c < 3; c++) p->turn[i][c] = (float)both.m[i][c];
    }
    p->pivot = m->pivot;
    p->angle = (float)angle;
}

rill_status rill_motion_check(const rill_motion *m, rill_error *error) {
    const int count = m->times.count;
    if (count == 0 && (m->offsets.count > 0 || m->angles.count > 0 || m->turns.count > 0))
        return rill_fail(error, RILL_INVALID, "motion.times: keyframes need times, one for each");
    if (count == 0) return RILL_OK;
    if (count < 2) return rill_fail(error, RILL_INVALID, "motion.times: keyframes need at least 2 times, got 1");
    for (int k = 1; k < count; k++)
        if (!(m->times.data[k] > m->times.data[k - 1]))
            return rill_fail(error, RILL_INVALID,
                             "motion.times: must rise, but number %d (%g s) does not come after %g s", k,
                             (double)m->times.data[k], (double)m->times.data[k - 1]);
    const struct {
        const char *key;
        int count;
    } lists[] = {{"offsets", m->offsets.count}, {"angles", m->angles.count}, {"turns", m->turns.count}};
    bool any = false;
    for (int k = 0; k < 3; k++) {
        if (lists[k].count != 0 && lists[k].count != count)
            return rill_fail(error, RILL_INVALID, "motion.%s: has %d keyframes for %d times; expected one for each",
                             lists[k].key, lists[k].count, count);
        any = any || lists[k].count > 0;
    }
    if (!any)
        return rill_fail(error, RILL_INVALID, "motion.times: no values for these times; give offsets, angles or turns");
    if (m->repeat && m->turns.count > 0 &&
        memcmp(&m->turns.data[0], &m->turns.data[count - 1], sizeof m->turns.data[0]) != 0)
        return rill_fail(error, RILL_INVALID, "motion.turns: when they repeat, the last must be the same as the first");
    return RILL_OK;
}
