/* SPDX-License-Identifier: MIT */
/* Fits of lines and exponentials in closed form, and of a decaying cosine by variable projection: for a given period
   and damping all other unknowns are linear, so only two numbers are searched for. */
#include "experiment/fit.h"

#include "core/trig.h"

#include <math.h>

bool rill_fit_line(const double *x, const double *y, int count, line_fit *fit) {
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    if (count < 2) return false;
    for (int k = 0; k < count; k++) mean_x += x[k] / count, mean_y += y[k] / count;
    for (int k = 0; k < count; k++) {
        xx += (x[k] - mean_x) * (x[k] - mean_x);
        xy += (x[k] - mean_x) * (y[k] - mean_y);
    }
    fit->slope = xy / xx;
    fit->offset = mean_y - fit->slope * mean_x;
    return isfinite(fit->slope);
}

/* A line fitted to the logarithm. Points are weighted by their squared value, so that small values do not dominate. */
bool rill_fit_exponential(const double *x, const double *y, int count, exponential_fit *fit) {
    double w = 0, wx = 0, wy = 0, xx = 0, xy = 0;
    const double sign = count > 0 && y[0] < 0 ? -1 : 1;
    for (int k = 0; k < count; k++) {
        if (!(sign * y[k] > 0)) continue;
        const double weight = y[k] * y[k];
        w += weight, wx += weight * x[k], wy += weight * log(sign * y[k]);
    }
    const double mean_x = wx / w, mean_y = wy / w;
    for (int k = 0; k < count; k++) {
        if (!(sign * y[k] > 0)) continue;
        xx += y[k] * y[k] * (x[k] - mean_x) * (x[k] - mean_x);
        xy += y[k] * y[k] * (x[k] - mean_x) * (log(sign * y[k]) - mean_y);
    }
    fit->rate = xy / xx;
    fit->scale = sign * exp(mean_y - fit->rate * mean_x);
    return isfinite(fit->rate) && isfinite(fit->scale);
}

/* ---- decaying cosine ---- */

typedef struct points {
    const double *x, *y;
    int count;
} points;

/* Gaussian elimination. The matrix is that of a least squares problem, so no pivoting is needed. False if it is
   singular. */
static bool solve_3(double a[3][4]) {
    for (int i = 0; i < 3; i++) {
        if (!(fabs(a[i][i]) > 1e-300)) return false;
        for (int j = i + 1; j < 3; j++) {
            const double share = a[j][i] / a[i][i];
            for (int k = i; k < 4; k++) a[j][k] -= share * a[i][k];
        }
    }
    for (int i = 2; i >= 0; i--) {
        for (int k = i + 1; k < 3; k++) a[i][3] -= a[i][k] * a[k][3];
        a[i][3] /= a[i][i];
    }
    return true;
}

/* Remaining sum of squares for this frequency and damping; `factors` receives those of 1, cosine and sine. */
static double remainder_of(const points *p, double omega, double damping, double factors[3]) {
    double a[3][4] = {{0}}, left = 0;
    for (int k = 0; k < p->count; k++) {
        const double t = p->x[k] - p->x[0], decay = exp(-damping * t);
        const double basis[3] = {1, decay * cos(omega * t), decay * sin(omega * t)};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) a[i][j] += basis[i] * basis[j];
            a[i][3] += basis[i] * p->y[k];
        }
    }
    if (!solve_3(a)) return HUGE_VAL;
    for (int i = 0; i < 3; i++) factors[i] = a[i][3];
    for (int k = 0; k < p->count; k++) {
        const double t = p->x[k] - p->x[0], decay = exp(-damping * t);
        const double e = p->y[k] - factors[0] - decay * (factors[1] * cos(omega * t) + factors[2] * sin(omega * t));
        left += e * e;
    }
    return isfinite(left) ? left : HUGE_VAL;
}

/* Coordinate search: steps along both axes, halved whenever no neighbour is better. */
static void refine(const points *p, double *omega, double *damping, double step_omega, double step_damping) {
    double factors[3] = {0}, best = remainder_of(p, *omega, *damping, factors);
    for (int round = 0; round < 400 && step_omega > 1e-10 * fabs(*omega); round++) {
        static const double ways[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        bool better = false;
        for (int k = 0; k < 4; k++) {
            const double o = *omega + ways[k][0] * step_omega, d = *damping + ways[k][1] * step_damping;
            const double left = remainder_of(p, o, d, factors);
            if (!(left < best)) continue;
            best = left, *omega = o, *damping = d;
            better = true;
        }
        if (!better) step_omega /= 2, step_damping /= 2;
    }
}

bool rill_fit_decaying_cosine(const double *x, const double *y, int count, cosine_fit *fit) {
    const points p = {x, y, count};
    const double span = count > 8 ? x[count - 1] - x[0] : 0;
    if (!(span > 0)) return false;
    double factors[3] = {0}, best = HUGE_VAL, omega = 0, damping = 0;
    /* from half a period per window to one period per eight points */
    for (int k = 4; k <= count; k++)
        for (int d = 0; d < 4; d++) {
            const double o = 2 * PI * k / (8 * span), left = remainder_of(&p, o, 1.5 * d / span, factors);
            if (left < best) best = left, omega = o, damping = 1.5 * d / span;
        }
    if (!(omega > 0)) return false;
    refine(&p, &omega, &damping, 2 * PI / (16 * span), 0.7 / span);
    /* less than half a period within the window gives no measurable period */
    if (!(omega > PI / span)) return false;
    remainder_of(&p, omega, damping, factors);
    fit->offset = factors[0];
    fit->amplitude = sqrt(factors[1] * factors[1] + factors[2] * factors[2]);
    fit->damping = damping;
    fit->period = 2 * PI / omega;
    fit->phase = atan2(-factors[2], factors[1]);
    fit->kept = exp(-damping * fit->period);
    return true;
}

/* ---- comparison with a table ---- */

/* y at x by linear interpolation; NAN outside. */
static double value_at(const double *x, const double *y, int count, double at) {
    for (int k = 0; k + 1 < count; k++)
        if (x[k] <= at && at <= x[k + 1] && x[k + 1] > x[k])
            return y[k] + (y[k + 1] - y[k]) * (at - x[k]) / (x[k + 1] - x[k]);
    return (double)NAN;
}

/* The contribution to a mean of a value y whose reference is v. */
typedef double (*error_size)(double y, double v);

static double relative_square(double y, double v) {
    return (y - v) / v * ((y - v) / v);
}

static double plain_square(double y, double v) {
    return (y - v) * (y - v);
}

static double plain_size(double y, double v) {
    return fabs(y - v);
}

/* The mean over the rows of the table that the points cover; NAN if these are at most half of the rows. */
static double mean_size(error_size size, const double *x, const double *y, int count, const double *u, const double *v,
                        int rows, double shift) {
    double sum = 0;
    int reached = 0;
    for (int k = 0; k < rows; k++) {
        const double e = size(value_at(x, y, count, u[k] - shift), v[k]);
        if (!isfinite(e)) continue;
        sum += e;
        reached++;
    }
    return 2 * reached > rows ? sum / reached : (double)NAN;
}

double rill_fit_deviation(const double *x, const double *y, int count, const double *u, const double *v, int rows,
                          double shift) {
    return sqrt(mean_size(relative_square, x, y, count, u, v, rows, shift));
}

double rill_fit_rmse(const double *x, const double *y, int count, const double *u, const double *v, int rows) {
    return sqrt(mean_size(plain_square, x, y, count, u, v, rows, 0));
}

double rill_fit_mae(const double *x, const double *y, int count, const double *u, const double *v, int rows) {
    return mean_size(plain_size, x, y, count, u, v, rows, 0);
}

double rill_fit_shift(const double *x, const double *y, int count, const double *u, const double *v, int rows,
                      double most) {
    double best = HUGE_VAL, best_shift = (double)NAN;
    for (int k = -100; k <= 100; k++) {
        const double shift = most * k / 100, e = rill_fit_deviation(x, y, count, u, v, rows, shift);
        if (e < best) best = e, best_shift = shift;
    }
    return best_shift;
}
