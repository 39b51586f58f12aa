/* SPDX-License-Identifier: MIT */
/* Vectors, matrices and quaternions in double precision. Bodies are few, and long chains of them need the digits.
   Meshes are given in floats, and differences of their coordinates must not lose more digits. */
#ifndef RILL_CORE_DVEC_H
#define RILL_CORE_DVEC_H

#include "core/trig.h"
#include "rill/param.h"

#include <math.h>

typedef struct dvec {
    double x, y, z;
} dvec;

#define DVEC_FN static inline __attribute__((unused))

DVEC_FN dvec dvec_load(const double a[3]) {
    return (dvec){a[0], a[1], a[2]};
}
DVEC_FN void dvec_store(double out[3], dvec a) {
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
}
DVEC_FN dvec dvec_of(rill_vec a) {
    return (dvec){(double)a.x, (double)a.y, (double)a.z};
}
DVEC_FN rill_vec dvec_out(dvec a) {
    return (rill_vec){(float)a.x, (float)a.y, (float)a.z};
}
DVEC_FN dvec dvec_of_floats(const float p[3]) {
    return (dvec){(double)p[0], (double)p[1], (double)p[2]};
}
DVEC_FN void dvec_to_floats(dvec a, float p[3]) {
    p[0] = (float)a.x, p[1] = (float)a.y, p[2] = (float)a.z;
}
DVEC_FN double dvec_get(dvec a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
DVEC_FN dvec dvec_add(dvec a, dvec b) {
    return (dvec){a.x + b.x, a.y + b.y, a.z + b.z};
}
DVEC_FN dvec dvec_sub(dvec a, dvec b) {
    return (dvec){a.x - b.x, a.y - b.y, a.z - b.z};
}
DVEC_FN dvec dvec_scale(dvec a, double s) {
    return (dvec){a.x * s, a.y * s, a.z * s};
}
/* a + s b */
DVEC_FN dvec dvec_along(dvec a, double s, dvec b) {
    return (dvec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
DVEC_FN double dvec_dot(dvec a, dvec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
DVEC_FN dvec dvec_cross(dvec a, dvec b) {
    return (dvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
DVEC_FN double dvec_length(dvec a) {
    return sqrt(dvec_dot(a, a));
}
/* Unit vector along a; the x axis if a is zero. */
DVEC_FN dvec dvec_direction(dvec a) {
    const double length = dvec_length(a);
    return length > 0 ? dvec_scale(a, 1 / length) : (dvec){1, 0, 0};
}
/* Two unit vectors perpendicular to the unit vector n and to each other. If n is in the xy plane, so is the first. */
DVEC_FN void dvec_across(dvec n, dvec *u, dvec *v) {
    *u = fabs(n.z) < 0.9 ? dvec_direction((dvec){-n.y, n.x, 0}) : dvec_direction((dvec){0, -n.z, n.y});
    *v = dvec_cross(n, *u);
}

DVEC_FN double mat_trace(const double m[3][3]) {
    return m[0][0] + m[1][1] + m[2][2];
}
DVEC_FN dvec mat_apply(const double m[3][3], dvec a) {
    return (dvec){m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z, m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z,
                  m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z};
}
DVEC_FN dvec mat_apply_back(const double m[3][3], dvec a) {
    return (dvec){m[0][0] * a.x + m[1][0] * a.y + m[2][0] * a.z, m[0][1] * a.x + m[1][1] * a.y + m[2][1] * a.z,
                  m[0][2] * a.x + m[1][2] * a.y + m[2][2] * a.z};
}
/* r m r^T */
DVEC_FN void mat_turned(double out[3][3], const double r[3][3], const double m[3][3]) {
    double half[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) half[i][j] = r[i][0] * m[0][j] + r[i][1] * m[1][j] + r[i][2] * m[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[i][j] = half[i][0] * r[j][0] + half[i][1] * r[j][1] + half[i][2] * r[j][2];
}

typedef struct quat {
    double x, y, z, w;
} quat;

DVEC_FN quat quat_load(const double q[4]) {
    return (quat){q[0], q[1], q[2], q[3]};
}
DVEC_FN void quat_store(double out[4], quat q) {
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}
DVEC_FN quat quat_multiply(quat a, quat b) {
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
DVEC_FN quat quat_conjugate(quat a) {
    return (quat){-a.x, -a.y, -a.z, a.w};
}
DVEC_FN quat quat_normal(quat a) {
    const double s = 1 / sqrt(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
    return (quat){a.x * s, a.y * s, a.z * s, a.w * s};
}
/* The rotation by the vector a (axis times angle). */
DVEC_FN quat quat_turn(dvec a) {
    const double angle = dvec_length(a), half = 0.5 * angle;
    const double s = angle > 1e-12 ? rill_trig_sin(half) / angle : 0.5;
    return (quat){a.x * s, a.y * s, a.z * s, rill_trig_cos(half)};
}
/* The vector (axis times angle) of a rotation, with an angle of at most pi. */
DVEC_FN dvec quat_vector(quat q) {
    if (q.w < 0) q = (quat){-q.x, -q.y, -q.z, -q.w};
    const dvec half = {q.x, q.y, q.z};
    const double sine = dvec_length(half);
    return sine > 1e-12 ? dvec_scale(half, 2 * rill_trig_atan2(sine, q.w) / sine) : dvec_scale(half, 2);
}
/* The quaternion of a rotation matrix, computed from its largest component. */
DVEC_FN quat quat_of_matrix(const double m[3][3]) {
    const double t = m[0][0] + m[1][1] + m[2][2];
    if (t > 0) return quat_normal((quat){m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + t});
    const int i = m[1][1] > m[0][0] ? (m[2][2] > m[1][1] ? 2 : 1) : (m[2][2] > m[0][0] ? 2 : 0);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    double v[3];
    v[i] = 1 + m[i][i] - m[j][j] - m[k][k];
    v[j] = m[j][i] + m[i][j];
    v[k] = m[k][i] + m[i][k];
    return quat_normal((quat){v[0], v[1], v[2], m[k][j] - m[j][k]});
}
DVEC_FN void quat_matrix(quat q, double m[3][3]) {
    m[0][0] = 1 - 2 * (q.y * q.y + q.z * q.z), m[0][1] = 2 * (q.x * q.y - q.w * q.z),
    m[0][2] = 2 * (q.x * q.z + q.w * q.y);
    m[1][0] = 2 * (q.x * q.y + q.w * q.z), m[1][1] = 1 - 2 * (q.x * q.x + q.z * q.z),
    m[1][2] = 2 * (q.y * q.z - q.w * q.x);
    m[2][0] = 2 * (q.x * q.z - q.w * q.y), m[2][1] = 2 * (q.y * q.z + q.w * q.x),
    m[2][2] = 1 - 2 * (q.x * q.x + q.y * q.y);
}

#endif
