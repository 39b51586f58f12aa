/* SPDX-License-Identifier: MIT */
/* Settings without an effect. */
#include "apps/cli/check/rules.h"
#include "model/gauge_kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A fluid more viscous than this is expected to stick to walls [Pa s]. */
#define THICK 0.5f

/* ---- fluids ---- */

static bool is_used(const scene *s, int fluid) {
    const char *name = s->fluids[fluid].name;
    for (int k = 0; k < s->block_count; k++)
        if (s->blocks[k].fluid_name[0] ? strcmp(s->blocks[k].fluid_name, name) == 0 : fluid == 0) return true;
    for (int k = 0; k < s->emitter_count; k++)
        if (s->emitters[k].fluid_name[0] ? strcmp(s->emitters[k].fluid_name, name) == 0 : fluid == 0) return true;
    return false;
}

static void check_fluids(const scene *s, findings *f) {
    for (int k = 0; k < s->fluid_count; k++)
        if (!is_used(s, k)) findings_warn(f, "the fluid '%s' is in no block and no emitter", s->fluids[k].name);
}

/* ---- walls ---- */

static float thickest(const scene *s, const char **name) {
    float most = 0.0f;
    for (int k = 0; k < s->fluid_count; k++)
        if (is_used(s, k) && s->fluids[k].viscosity > most) most = s->fluids[k].viscosity, *name = s->fluids[k].name;
    return most;
}

/* The key that makes walls hold fluid: `no_slip`, or wet_friction in a method that has wall friction of its own. */
static void write_grip_key(const check_world *check, char *key, size_t size) {
    const rill_method_info *m = rill_world_method(check->world);
    const bool own = m->solid_table && rill_table_find(m->solid_table, "wet_friction");
    snprintf(key, size, "%s%s", own ? m->name : "", own ? ".wet_friction" : "no_slip");
}

static void check_walls(const check_world *check, findings *f) {
    const char *fluid = "";
    char key[2 * RILL_NAME_SIZE];
    write_grip_key(check, key, sizeof key);
    const bool impulse = check->scene->world.walls == RILL_WALLS_IMPULSE;
    const bool thick = thickest(check->scene, &fluid) >= THICK;
    bool sticks = false, slides = false;
    for (int k = 0; k < rill_world_solid_count(check->world); k++) {
        double grip = 0;
        rill_world_get_number(check->world, rill_ref_solid(rill_world_solid_at(check->world, k)), key, &grip);
        sticks |= grip > 0, slides |= !(grip > 0);
    }
    if (thick && slides && !sticks && !impulse)
        findings_warn(f, "no solid has %s: the thick fluid '%s' will slide along walls without friction", key, fluid);
}

/* Settings of walls that the method or the fluid ignores. */
static void check_deaf_walls(const check_world *check, findings *f) {
    const rill_solid_def usual = rill_solid_def_default();
    char key[2 * RILL_NAME_SIZE];
    write_grip_key(check, key, sizeof key);
    const bool own_grip = strcmp(key, "no_slip") != 0,
               ignored = rill_world_ignores(check->world, "surface_tension") != NULL;
    float tension = 0.0f;
    for (int k = 0; k < check->scene->fluid_count; k++)
        tension = fmaxf(tension, check->scene->fluids[k].surface_tension);
    for (int k = 0; k < rill_world_solid_count(check->world); k++) {
        const rill_solid_def *solid = rill_world_solid_def(check->world, rill_world_solid_at(check->world, k));
        if (solid->no_slip && own_grip)
            findings_warn(f, "no_slip of the solid '%s' does nothing: method '%s' uses %s instead", solid->name,
                          check->scene->world.method, key);
        if (solid->contact_angle != usual.contact_angle && (ignored || !(tension > 0.0f)))
            findings_warn(f, "contact_angle of the solid '%s' does nothing: there is no surface tension", solid->name);
    }
}

/* ---- bodies and joints ---- */

static const rill_body_def *find_body(const scene *s, const char *name) {
    for (int k = 0; k < s->body_count; k++)
        if (strcmp(s->bodies[k].name, name) == 0) return &s->bodies[k];
    return NULL;
}

static bool is_moved(const scene *s, const char *name) {
    const rill_body_def *body = find_body(s, name);
    return body && body->kind == RILL_BODY_DYNAMIC;
}

static void check_joints(const scene *s, findings *f) {
    for (int k = 0; k < s->joint_count; k++) {
        const rill_joint_def *j = &s->joints[k];
        const bool gear = j->kind == RILL_JOINT_GEAR; /* a gear takes its bodies from its joints */
        if (!gear && !is_moved(s, j->a_name) && !is_moved(s, j->b_name))
            findings_warn(f, "the joint '%s' does nothing: no force moves '%s' or %s%s%s", j->name, j->a_name,
                          j->b_name[0] ? "'" : "", j->b_name[0] ? j->b_name : "the world", j->b_name[0] ? "'" : "");
        if (j->motor && !(j->motor_force > 0.0f))
            findings_warn(f, "the motor of the joint '%s' does nothing: its motor_force is 0", j->name);
        if (!j->motor && (j->motor_force > 0.0f || j->motor_speed != 0.0f))
            findings_warn(f, "motor_speed and motor_force of the joint '%s' do nothing without motor: true", j->name);
        if (!j->limited && (j->lower != 0.0f || j->upper != 0.0f))
            findings_warn(f, "lower and upper of the joint '%s' do nothing without limited: true", j->name);
    }
}

/* Whether any mask or layer keeps the body from touching another body, a solid or a fluid. */
static bool is_spared(const scene *s, int k) {
    const rill_body_def *body = &s->bodies[k];
    bool spared = false;
    for (int n = 0; n < s->body_count; n++)
        if (n != k) spared |= !(body->mask & s->bodies[n].layer) || !(s->bodies[n].mask & body->layer);
    for (int n = 0; n < s->solid_count; n++) spared |= !(body->mask & s->solids[n].layer);
    for (int n = 0; n < s->fluid_count; n++) spared |= !(s->fluids[n].mask & body->layer);
    return spared;
}

/* A mask or layer other than the default should keep the body from touching something. */
static void check_masks(const scene *s, findings *f) {
    const rill_body_def usual = rill_body_def_default();
    for (int k = 0; k < s->body_count; k++) {
        const rill_body_def *body = &s->bodies[k];
        const bool spared = is_spared(s, k);
        if (body->mask != usual.mask && !spared)
            findings_warn(
                f, "the mask of the body '%s' does nothing: it includes a layer of every solid and of every other body",
                body->name);
        if (body->layer != usual.layer && body->mask == usual.mask && !spared)
            findings_warn(f, "the layer %d of the body '%s' does nothing: no mask excludes it", body->layer,
                          body->name);
    }
}

/* ---- gauges ---- */

static bool in_a_solid(const check_world *check, rill_vec x, const char **name) {
    for (int k = 0; k < rill_world_solid_count(check->world); k++) {
        float distance;
        rill_vec normal;
        const rill_solid_id id = rill_world_solid_at(check->world, k);
        *name = rill_world_solid_def(check->world, id)->name;
        if (rill_world_solid_distance(check->world, id, x, &distance, &normal) == RILL_OK && distance < 0.0f)
            return true;
    }
    return false;
}

/* A line is sampled at several points: it may well begin behind a wall. */
static bool sees_nothing(const check_world *check, const rill_gauge_def *g, bool line, const char **solid) {
    enum { POINTS = 32 };
    const rill_vec d = g->direction;
    const float size = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), step = size > 0.0f ? g->length / size / POINTS : 0.0f;
    for (int k = 0; k <= (line ? POINTS : 0); k++) {
        const float s = (float)k * step;
        const rill_vec x = {g->position.x + s * d.x, g->position.y + s * d.y, g->position.z + s * d.z};
        if (!in_a_solid(check, x, solid)) return false;
    }
    return true;
}

static void check_gauges(const check_world *check, findings *f) {
    const scene *s = check->scene;
    for (int k = 0; k < s->gauge_count; k++) {
        const rill_gauge_def *g = &s->gauges[k];
        const gauge_subject subject = rill_gauge_kind_at(g->kind)->subject;
        const char *solid = "";
        const bool looks = subject == GAUGE_LINE || subject == GAUGE_POINT;
        if (looks && sees_nothing(check, g, subject == GAUGE_LINE, &solid))
            findings_warn(f, "the gauge '%s' lies inside the solid '%s', where no fluid can be", g->name, solid);
        const bool empty = g->min.x >= g->max.x || g->min.y >= g->max.y || (s->world.dim == 3 && g->min.z >= g->max.z);
        if (subject == GAUGE_REGION && g->in_region && empty)
            findings_warn(f, "the region of the gauge '%s' is empty: min is not below max", g->name);
        if (rill_gauge_kind_at(g->kind)->averages && (double)g->window > check->plan->end)
            findings_warn(f, "the window of the gauge '%s' is %g s, longer than the run", g->name, (double)g->window);
    }
}

/* ---- emitters and sinks ---- */

static void check_times_open(const scene *s, findings *f) {
    for (int k = 0; k < s->emitter_count; k++)
        if (s->emitters[k].end_time <= s->emitters[k].start_time)
            findings_warn(f, "emitters.%d never opens: it closes at %g s", k, (double)s->emitters[k].end_time);
    for (int k = 0; k < s->sink_count; k++)
        if (s->sinks[k].end_time <= s->sinks[k].start_time)
            findings_warn(f, "sinks.%d never opens: it closes at %g s", k, (double)s->sinks[k].end_time);
}

void check_idle(const check_world *check, findings *f) {
    const scene *s = check->scene;
    check_fluids(s, f);
    check_walls(check, f);
    check_deaf_walls(check, f);
    check_joints(s, f);
    check_masks(s, f);
    check_gauges(check, f);
    check_times_open(s, f);
}
