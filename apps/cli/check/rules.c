/* SPDX-License-Identifier: MIT */
/* Rules about single objects, times and numbers. */
#include "apps/cli/check/rules.h"

#include "core/trig.h"

#include <math.h>
#include <string.h>

/* A step may exceed its bound by this factor: bounds are on the safe side. */
#define TOO_LONG 1.2

/* More frames than this are probably a mistake in the frame rate. */
#define MANY_FRAMES 20000

/* Whether another solid touches a box at this point, so that no fluid can be there. */
static bool is_covered(const check_world *check, rill_solid_id own, rill_vec point) {
    const float close = 0.01f * rill_world_support(check->world);
    for (int i = 0; i < rill_world_solid_count(check->world); i++) {
        const rill_solid_id id = rill_world_solid_at(check->world, i);
        float distance;
        rill_vec normal;
        if (id.index1 == own.index1) continue;
        if (rill_world_solid_distance(check->world, id, point, &distance, &normal) == RILL_OK && distance < close)
            return true;
    }
    return false;
}

/* The least extent of a box along the axes that may have fluid on both sides; inside a container, along all axes. */
static float least_extent(const check_world *check, rill_solid_id id, const rill_shape *shape) {
    const rill_vec low = shape->min, high = shape->max;
    const rill_vec middle = {0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z)};
    const struct {
        rill_vec begin, end;
        float extent;
    } axes[] = {{{low.x, middle.y, middle.z}, {high.x, middle.y, middle.z}, high.x - low.x},
                {{middle.x, low.y, middle.z}, {middle.x, high.y, middle.z}, high.y - low.y},
                {{middle.x, middle.y, low.z}, {middle.x, middle.y, high.z}, high.z - low.z}};
    float least = HUGE_VALF;
    for (int axis = 0; axis < (int)check->scene->world.dim; axis++) {
        if (!shape->inside && (is_covered(check, id, axes[axis].begin) || is_covered(check, id, axes[axis].end)))
            continue;
        least = fminf(least, axes[axis].extent);
    }
    return least;
}

/* Twice the depth of a polygon's deepest point, found by sampling: comparable to the least extent of a box. */
static float polygon_thickness(const check_world *check, rill_solid_id id, const rill_shape *shape) {
    enum { SAMPLES = 48 };
    rill_vec low = shape->points.data[0], high = low, normal;
    float deepest = 0.0f, distance;
    for (int i = 1; i < shape->points.count; i++) {
        rill_vec p = shape->points.data[i];
        low = (rill_vec){fminf(low.x, p.x), fminf(low.y, p.y), 0.0f};
        high = (rill_vec){fmaxf(high.x, p.x), fmaxf(high.y, p.y), 0.0f};
    }
    rill_vec cell = {(high.x - low.x) / (float)SAMPLES, (high.y - low.y) / (float)SAMPLES, 0.0f};
    for (int row = 0; row < SAMPLES; row++) {
        for (int column = 0; column < SAMPLES; column++) {
            rill_vec p = {low.x + ((float)column + 0.5f) * cell.x, low.y + ((float)row + 0.5f) * cell.y, 0.0f};
            if (rill_world_solid_distance(check->world, id, p, &distance, &normal) != RILL_OK) continue;
            deepest = fmaxf(deepest, -distance);
        }
    }
    return 2.0f * deepest;
}

/* Thickness of a solid, or width of the room inside a container; infinite for shapes without one. */
static float thickness(const check_world *check, rill_solid_id id, const rill_shape *shape) {
    switch (shape->kind) {
    case RILL_BOX:
        return least_extent(check, id, shape);
    case RILL_SPHERE:
    case RILL_CAPSULE:
    case RILL_SEGMENTS:
        return 2.0f * shape->radius;
    case RILL_POLYGON:
        return shape->inside ? HUGE_VALF : polygon_thickness(check, id, shape);
    default:
        return HUGE_VALF;
    }
}

static void check_solids(const check_world *check, findings *f) {
    float support = rill_world_support(check->world);
    for (int i = 0; i < rill_world_solid_count(check->world); i++) {
        const rill_solid_id id = rill_world_solid_at(check->world, i);
        const rill_solid_def *solid = rill_world_solid_def(check->world, id);
        float thick = thickness(check, id, &solid->shape);
        if (thick >= 0.999f * support) continue; /* equal except for rounding */
        if (solid->shape.inside) {
            findings_warn(f, "the space inside the solid '%s' is %.3g m wide, less than the support of %.3g m",
                          solid->name, (double)thick, (double)support);
        } else {
            findings_warn(
                f,
                "the solid '%s' is %.3g m thick, less than the support of %.3g m: fluid on one side feels fluid "
                "on the other; make it thicker or the spacing smaller",
                solid->name, (double)thick, (double)support);
        }
    }
}

/* Forces that come with a material but that the method, as it is set, ignores. (If the scene itself asks for such a
   force, the step fails.) */
static void check_forces(const check_world *check, findings *f) {
    const char *viscosity = rill_world_ignores(check->world, "viscosity");
    const char *tension = rill_world_ignores(check->world, "surface_tension");
    for (int i = 0; i < check->scene->fluid_count; i++) {
        const rill_fluid_def *fluid = &check->scene->fluids[i];
        if (viscosity && fluid->viscosity > 0)
            findings_warn(f, "the viscosity of fluid '%s' has no effect: %s", fluid->name, viscosity);
        if (tension && fluid->surface_tension > 0)
            findings_warn(f, "the surface tension of fluid '%s' has no effect: %s", fluid->name, tension);
    }
}

/* The point of a round nozzle's rim nearest to a solid, from the solid's normal at the nozzle's centre. */
static rill_vec rim_towards(const rill_emitter_def *e, rill_vec normal) {
    const rill_vec d = e->direction;
    const float along =
        (normal.x * d.x + normal.y * d.y + normal.z * d.z) / fmaxf(d.x * d.x + d.y * d.y + d.z * d.z, 1e-12f);
    const rill_vec across = {normal.x - along * d.x, normal.y - along * d.y, normal.z - along * d.z};
    const float length = sqrtf(across.x * across.x + across.y * across.y + across.z * across.z);
    const float reach = length > 1e-3f ? e->radius / length : 0.0f;
    return (rill_vec){e->position.x - reach * across.x, e->position.y - reach * across.y,
                      e->position.z - reach * across.z};
}

/* Particles of a nozzle that lie inside a wall are squeezed and shoot out. */
static void check_nozzle(const check_world *check, int i, rill_solid_id id, findings *f) {
    const rill_emitter_def *e = &check->scene->emitters[i];
    const char *solid = rill_world_solid_def(check->world, id)->name;
    float distance;
    rill_vec normal;
    if (rill_world_solid_distance(check->world, id, e->position, &distance, &normal) != RILL_OK) return;
    if (distance < 0) {
        findings_warn(f, "emitters.%d lies inside the solid '%s'", i, solid);
    } else if (e->nozzle == RILL_NOZZLE_ROUND &&
               rill_world_solid_distance(check->world, id, rim_towards(e, normal), &distance, &normal) == RILL_OK &&
               distance < -0.1f * check->scene->world.spacing) {
        findings_warn(f, "the nozzle of emitters.%d reaches %.3g m into the solid '%s': move it, or make it narrower",
                      i, -(double)distance, solid);
    }
}

/* Volume flow through the opening of a nozzle, as the scene specifies it. */
static double flow_through(const rill_emitter_def *e, int dim) {
    const double radius = (double)e->radius, width = (double)e->width, speed = (double)e->speed;
    if (e->nozzle == RILL_NOZZLE_ROUND) return speed * (dim == 3 ? PI * radius * radius : 2 * radius);
    return speed * width * (dim == 3 ? (double)e->height : 1.0);
}

/* Relative error of a nozzle's flow that needs no note. */
#define FLOW_OFF 0.02

/* A nozzle emits sheets of whole particles: a few of them may cover more or less than its area. */
static void check_flow(const check_world *check, int i, findings *f) {
    const rill_emitter_def *e = &check->scene->emitters[i];
    const double wanted = flow_through(e, check->scene->world.dim);
    double flow;
    if (e->rate > 0.0f || i >= rill_world_emitter_count(check->world) ||
        rill_world_emitter_flow(check->world, rill_world_emitter_at(check->world, i), &flow) != RILL_OK)
        return;
    if (fabs(flow - wanted) > FLOW_OFF * wanted)
        findings_note(f,
                      "emitters.%d emits %.4g m^3/s, %+.1f %% from its area times its speed (%.4g m^3/s), because "
                      "particles are whole; set rate or size, or take a smaller spacing",
                      i, flow, 100 * (flow / wanted - 1), wanted);
}

static void check_emitters(const check_world *check, findings *f) {
    const scene *s = check->scene;
    for (int i = 0; i < s->emitter_count; i++) {
        const rill_emitter_def *e = &s->emitters[i];
        for (int k = 0; k < rill_world_solid_count(check->world); k++)
            check_nozzle(check, i, rill_world_solid_at(check->world, k), f);
        check_flow(check, i, f);
        if ((double)e->start_time >= check->plan->end) {
            findings_warn(f, "emitters.%d starts at %g s, after the run has ended", i, (double)e->start_time);
        }
        if (e->nozzle == RILL_NOZZLE_ROUND && 2.0f * e->radius < s->world.spacing) {
            findings_warn(f, "the nozzle of emitters.%d is %.3g m wide, less than one spacing (%.3g m)", i,
                          2.0 * (double)e->radius, (double)s->world.spacing);
        }
    }
    for (int i = 0; i < s->sink_count; i++) {
        if ((double)s->sinks[i].start_time >= check->plan->end) {
            findings_warn(f, "sinks.%d starts at %g s, after the run has ended", i, (double)s->sinks[i].start_time);
        }
    }
}

static void check_period(const check_world *check, char axis, float period, findings *f) {
    float support = rill_world_support(check->world), spacing = check->scene->world.spacing;
    if (!(period > 0)) return;
    if (period < 2.0f * support) {
        findings_warn(
            f,
            "the period along %c is %.3g m, less than two supports (%.3g m): particles interact with their own images",
            axis, (double)period, 2.0 * (double)support);
    }
    float cells = period / spacing;
    if (fabsf(cells - roundf(cells)) > 0.05f) {
        findings_warn(f,
                      "the period along %c is %.2f spacings: a lattice does not continue across the periodic faces; "
                      "use a whole number of spacings",
                      axis, (double)cells);
    }
}

/* Bodies are not periodic: the first dynamic one in a world that is. */
static void check_periodic_bodies(const check_world *check, findings *f) {
    const scene *s = check->scene;
    const rill_vec period = s->world.periodic;
    if (!(period.x > 0 || period.y > 0 || period.z > 0)) return;
    for (int i = 0; i < s->body_count; i++) {
        if (s->bodies[i].kind != RILL_BODY_DYNAMIC) continue;
        findings_warn(
            f,
            "world.periodic concerns the fluid: the body '%s' does not return on the other side, and meets no "
            "periodic images of the fluid",
            s->bodies[i].name);
        return;
    }
}

/* Tolerances of iterative solvers: warns of those coarser than a tenth, or finer than a float can resolve. */
static void check_tolerances(const check_world *check, findings *f) {
    const rill_table *table = rill_world_method(check->world)->table;
    const char *object = rill_world_params(check->world);
    for (int i = 0; i < table->count; i++) {
        const rill_param *param = &table->params[i];
        if (param->type != RILL_TYPE_NUMBER || !strstr(param->key, "tolerance")) continue;
        float value;
        memcpy(&value, object + param->offset, sizeof value);
        if (value > 0.1f) findings_warn(f, "%s = %g allows errors above a tenth", param->key, (double)value);
        if (value > 0.0f && value < 1e-6f) { /* 0: switched off */
            findings_warn(f, "%s = %g is finer than single precision can reach: the solver will never stop early",
                          param->key, (double)value);
        }
    }
}

/* Kernels or a support that override the scene's quality: the fluid then lacks what that quality promises. */
static void check_quality(const check_world *check, findings *f) {
    const rill_world_def *def = &check->scene->world;
    if (def->quality != RILL_QUALITY_ACCURATE) return;
    if (def->support_ratio > 0.0f)
        findings_warn(f, "world.support_ratio = %g overrides the support of world.quality = accurate",
                      (double)def->support_ratio);
    const rill_table *table = rill_world_method(check->world)->table;
    bool follows = false;
    for (int i = 0; i < table->count; i++) {
        char word[RILL_NAME_SIZE];
        const char *key = table->params[i].key;
        if (table->params[i].type != RILL_TYPE_CHOICE || !strstr(key, "kernel")) continue;
        if (rill_world_get_text(check->world, rill_ref_method(), key, word, sizeof word) != RILL_OK) continue;
        follows = true;
        if (strcmp(word, "auto") != 0)
            findings_warn(f, "%s = %s overrides the kernel of world.quality = accurate", key, word);
    }
    if (!follows)
        findings_warn(f, "method '%s' has kernels of its own: world.quality = accurate only makes its support longer",
                      def->method);
}

/* Speed of a fall through the height of the fluid, which a dam break reaches. */
static double expected_speed(const check_world *check) {
    const rill_world_def *def = &check->scene->world;
    rill_view view;
    rill_vec g = def->gravity;
    double size = sqrt((double)(g.x * g.x + g.y * g.y + g.z * g.z)), low = HUGE_VAL, high = -HUGE_VAL;
    if (!(size > 0) || rill_world_view(check->world, "position", &view) != RILL_OK || view.count == 0) return 0.0;
    for (int i = 0; i < view.count; i++) {
        const float *x = (const float *)view.data + (size_t)i * (size_t)view.stride;
        float z = view.components == 3 ? x[2] * g.z : 0.0f;
        double along = (double)(x[0] * g.x + x[1] * g.y + z) / size;
        low = fmin(low, along);
        high = fmax(high, along);
    }
    return sqrt(2.0 * size * (high - low));
}

static void check_numbers(const check_world *check, findings *f) {
    const rill_world_def *def = &check->scene->world;
    rill_vec g = def->gravity;
    bool falls = g.x != 0 || g.y != 0 || g.z != 0;
    bool periodic = def->periodic.x > 0 || def->periodic.y > 0 || def->periodic.z > 0;
    if (rill_world_particle_count(check->world) == 0 && check->scene->emitter_count == 0) {
        findings_warn(f, "there is no fluid: no block holds a particle and there is no emitter");
    } else if (falls && !periodic && check->scene->fluid_count > 0 && check->scene->cloth_count == 0 &&
               rill_world_solid_count(check->world) == 0 && check->scene->sink_count == 0) {
        findings_warn(f, "nothing holds the fluid: there is gravity but no solid, so it will fall for ever");
    }
    if (def->cfl > 1.0f) findings_warn(f, "world.cfl = %g goes beyond the stability bounds", (double)def->cfl);
    double speed = expected_speed(check);
    if (def->max_speed > 0 && (double)def->max_speed < speed) {
        findings_warn(
            f, "world.max_speed = %g m/s, but a fall through the fluid reaches %.3g m/s: it would count as a blow-up",
            (double)def->max_speed, speed);
    }
}

/* Largest rounding error of positions [spacings]: larger ones would show as motion. */
#define ROUNDING_MAX 2e-3

static void check_distance(const check_world *check, findings *f) {
    rill_view x;
    double far = 0, sum[3] = {0};
    if (rill_world_view(check->world, "position", &x) != RILL_OK || x.count == 0) return;
    for (int i = 0; i < x.count; i++)
        for (int k = 0; k < x.components && k < 3; k++) {
            const double place = (double)((const float *)x.data)[(size_t)i * (size_t)x.stride + (size_t)k];
            far = fmax(far, fabs(place));
            sum[k] += place;
        }
    const double rounding = far / 16777216.0 / (double)check->scene->world.spacing;
    const rill_vec origin = check->scene->world.origin;
    const double at[] = {(double)origin.x + sum[0] / x.count, (double)origin.y + sum[1] / x.count,
                         (double)origin.z + sum[2] / x.count};
    char height[64];
    snprintf(height, sizeof height, ", %.0f", at[2]);
    if (rounding > ROUNDING_MAX)
        findings_warn(f,
                      "the fluid lies up to %.3g m from the origin: single precision rounds positions by %.2g spacings "
                      "there; set world.origin to a point near it, such as [%.0f, %.0f%s]",
                      far, rounding, at[0], at[1], check->scene->world.dim == 3 ? height : "");
}

/* Warns of water deeper than the method keeps calm. */
static void check_depth(const check_world *check, findings *f) {
    double most, low = HUGE_VAL, high = -HUGE_VAL;
    rill_view x;
    const rill_vec gravity = check->scene->world.gravity;
    const double g[] = {(double)gravity.x, (double)gravity.y, (double)gravity.z};
    const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * (double)check->scene->world.spacing;
    if (!(size > 0) || rill_world_effective(check->world, "calm_layers", &most) != RILL_OK ||
        rill_world_view(check->world, "position", &x) != RILL_OK)
        return;
    for (int i = 0; i < x.count; i++) {
        double fall = 0;
        for (int k = 0; k < x.components && k < 3; k++)
            fall += g[k] * (double)((const float *)x.data)[(size_t)i * (size_t)x.stride + (size_t)k] / size;
        low = fmin(low, fall), high = fmax(high, fall);
    }
    if (high - low + 1 > 1.2 * most)
        findings_warn(f,
                      "the fluid is %.0f layers deep: method '%s' keeps still water calm up to about %.0f, and deeper "
                      "water does not come to rest; take a coarser spacing or another method",
                      high - low + 1, check->scene->world.method, most);
}

void check_objects(const check_world *check, findings *f) {
    const rill_vec period = check->scene->world.periodic;
    check_numbers(check, f);
    check_distance(check, f);
    check_depth(check, f);
    check_solids(check, f);
    check_forces(check, f);
    check_emitters(check, f);
    check_period(check, 'x', period.x, f);
    check_period(check, 'y', period.y, f);
    if (check->scene->world.dim == 3) check_period(check, 'z', period.z, f);
    check_periodic_bodies(check, f);
    check_tolerances(check, f);
    check_quality(check, f);
}

void check_times(const check_world *check, findings *f) {
    const run_plan *plan = check->plan;
    double frames = plan->end * plan->fps;
    if (!(plan->end > 0)) {
        findings_warn(f, "run.time = %g s: there is nothing to run", plan->end);
        return;
    }
    if (frames < 1.0 - 1e-6) {
        findings_warn(f, "run.time = %g s and run.fps = %g give no frame except the first", plan->end, plan->fps);
    }
    if (frames > MANY_FRAMES) {
        findings_warn(f, "run.time = %g s and run.fps = %g give %.0f frames", plan->end, plan->fps, frames);
    }
    if (plan->dt > plan->end) {
        findings_warn(f, "run.dt = %g s is longer than the whole run of %g s", plan->dt, plan->end);
    }
    if (plan->snapshot_every > plan->end) {
        findings_warn(f, "run.snapshot_every = %g s is longer than the run of %g s", plan->snapshot_every, plan->end);
    }
}

void check_step(const check_world *check, double bound, double too_long, findings *f) {
    const double fixed = check->plan->dt;
    if (fixed > TOO_LONG * bound && bound > 0) {
        findings_warn(f, "run.dt = %.3g s is longer than the stable step of %.3g s: expect a blow-up", fixed, bound);
    } else if (fixed > 0 && fixed < 1e-3 * bound) {
        findings_warn(f, "run.dt = %.3g s is over a thousand times shorter than the stable step of %.3g s", fixed,
                      bound);
    } else if (!(fixed > 0) && too_long > 1.01) {
        findings_warn(f, "a step was %.3g times as long as the stable one: expect a blow-up; lower world.cfl",
                      too_long);
    }
}
