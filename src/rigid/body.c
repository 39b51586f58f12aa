/* SPDX-License-Identifier: MIT */
/* Rigid bodies: mass from shape, motion, and the surface that follows. */
#include "rigid/body.h"

#include <string.h>

#define PI 3.14159265358979323846

/* ---- mass ---- */

static void set_diagonal(double inertia[3][3], double x, double y, double z) {
    memset(inertia, 0, 9 * sizeof(double));
    inertia[0][0] = x, inertia[1][1] = y, inertia[2][2] = z;
}

/* In 2D a body is a prism one metre thick, and only its turn about z counts. */
static void box_mass(dvec size, int dim, double density, double *mass, double inertia[3][3]) {
    *mass = density * size.x * size.y * (dim == 3 ? size.z : 1);
    const double m = *mass / 12, depth = dim == 3 ? size.z * size.z : 0;
    set_diagonal(inertia, m * (size.y * size.y + depth), m * (size.x * size.x + depth),
                 m * (size.x * size.x + size.y * size.y));
}

static void ball_mass(double r, int dim, double density, double *mass, double inertia[3][3]) {
    *mass = density * (dim == 3 ? 4.0 / 3 * PI * r * r * r : PI * r * r);
    const double i = (dim == 3 ? 0.4 : 0.5) * *mass * r * r;
    set_diagonal(inertia, i, i, i);
}

/* A cylinder (a rectangle in 2D) with half a ball (half a disc) at either end. */
static void capsule_mass(dvec axis, double r, int dim, double density, double *mass, double inertia[3][3]) {
    const double length = dvec_length(axis), half = 0.5 * length;
    double along, across;
    if (dim == 3) {
        const double shaft = density * PI * r * r * length, ends = density * 4.0 / 3 * PI * r * r * r;
        *mass = shaft + ends;
        along = 0.5 * shaft * r * r + 0.4 * ends * r * r;
        /* A half ball's centre lies 3/8 r outside the end of the shaft. */
        across = shaft * (length * length / 12 + r * r / 4) + ends * (0.4 * r * r + half * half + 0.75 * half * r);
    } else {
        const double shaft = density * 2 * r * length, ends = density * PI * r * r;
        *mass = shaft + ends;
        along = 0;
        across =
            shaft * (length * length + 4 * r * r) / 12 + ends * (0.5 * r * r + half * half + 8 * half * r / (3 * PI));
    }
    const dvec u = dvec_direction(axis);
    const double d[3] = {u.x, u.y, u.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia[i][j] = (i == j ? across : 0) + (along - across) * d[i] * d[j];
    if (dim == 2) set_diagonal(inertia, across, across, across);
}

/* Sums over the triangles that the origin makes with each edge. */
static void polygon_mass(const rill_points *points, double density, double *mass, double centre[3],
                         double inertia[3][3]) {
    double area = 0, cx = 0, cy = 0, second = 0;
    for (int k = 0; k < points->count; k++) {
        const dvec p = dvec_of(points->data[k]), q = dvec_of(points->data[(k + 1) % points->count]);
        const double cross = p.x * q.y - q.x * p.y;
        area += cross / 2;
        cx += cross * (p.x + q.x) / 6;
        cy += cross * (p.y + q.y) / 6;
        second += cross * (dvec_dot(p, p) + dvec_dot(p, q) + dvec_dot(q, q)) / 12;
    }
    if (area != 0) cx /= area, cy /= area;
    const double i = density * (fabs(second) - fabs(area) * (cx * cx + cy * cy));
    *mass = density * fabs(area);
    centre[0] = cx, centre[1] = cy;
    set_diagonal(inertia, i, i, i);
}

static void box_turn(const rill_shape *s, int dim, double turn[3][3]) {
    const dvec axis = dim == 2 ? (dvec){0, 0, 1} : dvec_direction(dvec_of(s->axis));
    quat_matrix(quat_turn(dvec_scale(axis, (double)s->angle)), turn);
}

rill_status body_measure(const rill_shape *s, int dim, double density, double *mass, double centre[3],
                         double inertia[3][3], rill_error *error) {
    centre[0] = centre[1] = centre[2] = 0;
    if (s->inside || s->kind == RILL_HALF_SPACE)
        return rill_fail(error, RILL_INVALID, "body: a half_space or a container has no mass; make it a solid");
    switch ((rill_shape_kind)s->kind) {
    case RILL_BOX: {
        double straight[3][3], turn[3][3];
        box_mass(dvec_sub(dvec_of(s->max), dvec_of(s->min)), dim, density, mass, straight);
        box_turn(s, dim, turn);
        mat_turned(inertia, turn, straight);
        dvec_store(centre, dvec_scale(dvec_add(dvec_of(s->min), dvec_of(s->max)), 0.5));
        break;
    }
    case RILL_SPHERE:
        ball_mass((double)s->radius, dim, density, mass, inertia);
        dvec_store(centre, dvec_of(s->position));
        break;
    case RILL_CAPSULE:
        capsule_mass(dvec_sub(dvec_of(s->end), dvec_of(s->position)), (double)s->radius, dim, density, mass, inertia);
        dvec_store(centre, dvec_scale(dvec_add(dvec_of(s->position), dvec_of(s->end)), 0.5));
        break;
    case RILL_POLYGON:
        polygon_mass(&s->points, density, mass, centre, inertia);
        break;
    default:
        return rill_fail(error, RILL_INVALID, "body: this shape has no volume; use a box, sphere, capsule or polygon");
    }
    if (dim == 2) centre[2] = 0;
    if (!(*mass > 0) || !(inertia[2][2] > 0))
        return rill_fail(error, RILL_INVALID, "body: its mass must be greater than 0, got %g kg", *mass);
    return RILL_OK;
}

static void invert(double out[3][3], const double m[3][3]) {
    const dvec a = dvec_load(m[0]), b = dvec_load(m[1]), c = dvec_load(m[2]);
    const dvec bc = dvec_cross(b, c), ca = dvec_cross(c, a), ab = dvec_cross(a, b);
    const double s = 1 / dvec_dot(a, bc);
    const dvec rows[3] = {bc, ca, ab};
    for (int k = 0; k < 3; k++) {
        out[0][k] = (&rows[k].x)[0] * s;
        out[1][k] = (&rows[k].x)[1] * s;
        out[2][k] = (&rows[k].x)[2] * s;
    }
}

rill_status body_start(rill_world *w, body *b) {
    const rill_status status =
        body_measure(&b->def.shape, w->def.dim, (double)b->def.density, &b->mass, b->start, b->inertia, &w->error);
    if (status != RILL_OK) return status;
    if (b->def.mass > 0.0f) {
        const double scale = (double)b->def.mass / b->mass;
        for (int k = 0; k < 9; k++) (&b->inertia[0][0])[k] *= scale;
        b->mass = (double)b->def.mass;
    }
    invert(b->inverse_inertia, b->inertia);
    b->inverse_mass = b->def.kind == RILL_BODY_DYNAMIC ? 1 / b->mass : 0;
    memcpy(b->x, b->start, sizeof b->x);
    quat_store(b->q, (quat){0, 0, 0, 1});
    dvec_store(b->v, dvec_of(b->def.velocity));
    dvec_store(b->w, dvec_of(b->def.angular_velocity));
    if (w->def.dim == 2) b->v[2] = b->w[0] = b->w[1] = 0;
    return RILL_OK;
}

dvec body_mass_linear(const rill_world *w, const body *b, dvec a) {
    const double m = b->inverse_mass;
    return (dvec){a.x * m, a.y * m, w->def.dim == 3 ? a.z * m : 0};
}

dvec body_turn(const body *b, dvec a) {
    double m[3][3];
    quat_matrix(quat_load(b->q), m);
    return mat_apply(m, a);
}

dvec body_turn_back(const body *b, dvec a) {
    double m[3][3];
    quat_matrix(quat_load(b->q), m);
    return mat_apply_back(m, a);
}

dvec body_mass_angular(const rill_world *w, const body *b, dvec a) {
    if (b->inverse_mass == 0) return (dvec){0};
    if (w->def.dim == 2) return (dvec){0, 0, a.z * b->inverse_inertia[2][2]};
    return body_turn(b, mat_apply(b->inverse_inertia, body_turn_back(b, a)));
}

dvec body_spin(const body *b, dvec w) {
    return body_turn(b, mat_apply(b->inertia, body_turn_back(b, w)));
}

dvec body_velocity_at(const body *b, dvec point) {
    return dvec_add(dvec_load(b->v), dvec_cross(dvec_load(b->w), dvec_sub(point, dvec_load(b->x))));
}

void body_move(body *b, double dt) {
    const dvec w = dvec_load(b->w), momentum = body_spin(b, w);
    dvec_store(b->x, dvec_along(dvec_load(b->x), dt, dvec_load(b->v)));
    /* Half a turn with this spin, the spin there, then the whole turn with that: second order for a tumbling body. */
    const quat start = quat_load(b->q);
    quat_store(b->q, quat_normal(quat_multiply(quat_turn(dvec_scale(w, 0.5 * dt)), start)));
    const dvec middle = body_turn(b, mat_apply(b->inverse_inertia, body_turn_back(b, momentum)));
    quat_store(b->q, quat_normal(quat_multiply(quat_turn(dvec_scale(middle, dt)), start)));
    dvec_store(b->w, body_turn(b, mat_apply(b->inverse_inertia, body_turn_back(b, momentum))));
    b->angle += dt * middle.z;
}

void body_pose(const body *b, pose *p) {
    double m[3][3];
    quat_matrix(quat_load(b->q), m);
    p->pivot = dvec_out(dvec_load(b->start));
    p->offset = dvec_out(dvec_sub(dvec_load(b->x), dvec_load(b->start)));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) p->turn[r][c] = (float)m[r][c];
    p->angle = (float)b->angle;
    p->velocity = dvec_out(dvec_load(b->v));
    p->angular = dvec_out(dvec_load(b->w));
}
