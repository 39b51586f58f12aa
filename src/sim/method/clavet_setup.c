/* SPDX-License-Identifier: MIT */
/* Constants derived from the parameters of Clavet's method. The fluid at rest is taken as a lattice; from its sums
   follow the rest density, the stiffness for a wanted compression, springs for a modulus, and impulses for a viscosity
   (docs/methods/clavet.md). */
#include "core/error.h"
#include "core/trig.h"
#include "sim/method/clavet.h"
#include "sim/neighbours/neighbours.h"

#include <string.h>

/* Numbers of the paper, section 7.3. */
#define PAPER_REST       10.0f
#define PAPER_STIFFNESS  0.004f
#define PAPER_NEAR_RATIO 2.5f
/* Depth of fluid, in spacings, that near pressure carries at rest: enough to keep particles apart, but no more, because
   surface tension grows with it (experiments clavet_floating and clavet_floating_3d). */
#define NEAR_LAYERS  6.0f
#define PAPER_SPRING 0.3f
#define PAPER_RATE   0.3f
/* Table 6.2 of the thesis, whose lengths are in metres and whose time is scaled by the root of 9820 (Table A.1). */
#define THESIS_REST       5.0f
#define THESIS_STIFFNESS  0.0004f
#define THESIS_NEAR_RATIO 125.0f
#define THESIS_SPEED_UP   9820.0f
/* Stiffness of a fluid without weight. */
#define WEIGHTLESS_STIFFNESS 0.04f
/* Largest response dt^2 `stiff` of the fluid at rest to a short wave (longest_substep). Fluid at rest is calm up to 1,
   fluid compressed by a fifth up to 0.5 (docs/methods/clavet.md). */
#define MAX_RESPONSE 0.5f
/* Largest k_spring dt^2. */
#define MAX_SPRING_RESPONSE 0.5f
/* Largest response of all springs of a particle to a short wave; explicit steps are stable up to 4. MAX_SPRING_RESPONSE
   amounts to this value in 3D at h = 2.4 dx. A particle with more springs, because of a longer reach or a larger h,
   needs shorter steps. */
#define MAX_SPRINGS_RESPONSE 2.5f

/* ---- the fluid at rest ---- */

/* Steps of a close packing, whose sites are those with an even sum of coordinates. A fluid is packed more like this
   than like a square lattice. */
static vec packing_steps(float spacing) {
    vec step = {0};
#if DIM == 2 /* rows of spacing a, sqrt(3)/2 a apart, and a^2 sqrt(3)/2 is the square of the spacing */
    const float a = spacing * 1.0745699f;
    step = (vec){0.5f * a, 0.8660254f * a};
#else
    for (int axis = 0; axis < DIM; axis++) (&step.x)[axis] = spacing * 0.7937005f;
#endif
    return step;
}

/* Called for each neighbour, with its distance q and q2 = q^2. */
typedef void neighbour_fn(float q, float q2, void *context);

/* Visits the neighbours of a particle within `reach`; lengths are in h. */
static void visit_packing(float spacing, float reach, neighbour_fn *visit, void *context) {
    const vec step = packing_steps(spacing);
    const int width = (int)(reach / step.x) + 1, depth = DIM == 3 ? width : 0;
    for (int c = -depth; c <= depth; c++)
        for (int b = -width; b <= width; b++)
            for (int a = -width; a <= width; a++) {
                const int at[] = {a, b, c};
                float q2 = 0.0f;
                for (int axis = 0; axis < DIM; axis++) {
                    const float along = vec_get(step, axis) * (float)at[axis];
                    q2 += along * along;
                }
                if (((a + b + c) & 1) == 0 && q2 > 0.0f && q2 < reach * reach) visit(sqrtf(q2), q2, context);
            }
}

typedef struct sums_job {
    clavet_kernels kernels;
    clavet_sums sums;
} sums_job;

static void add_neighbour(float q, float q2, void *context) {
    sums_job *job = context;
    clavet_sums *s = &job->sums;
    const float u = job->kernels == CLAVET_NORMAL ? 1.0f - q : 1.0f - q2;
    const float way = job->kernels == CLAVET_SQUARED ? q2 : q; /* q times the length of the direction */
    s->density += u * u, s->near += u * u * u;
    s->virial += way * u, s->near_virial += way * u * u;
    s->spread += u;
    s->stiff += (1.0f - q) * q2;
}

/* Sums over the neighbours of a particle in a packing; `spacing` is in h. */
static clavet_sums rest_sums(clavet_kernels kernels, float spacing) {
    sums_job job = {.kernels = kernels};
    visit_packing(spacing, 1.0f, add_neighbour, &job);
    return job.sums;
}

/* Sums over the springs of a particle that reach R: of (1 - q/R), and of (1 - q/R) q^2. */
typedef struct spring_sums {
    float reach, weight, stiff;
} spring_sums;

static void add_spring(float q, float q2, void *context) {
    spring_sums *s = context;
    const float weight = 1.0f - q / s->reach;
    s->weight += weight, s->stiff += weight * q2;
}

static spring_sums sums_of_springs(const rill_world *w, float reach) {
    spring_sums sums = {.reach = reach};
    visit_packing(w->def.spacing / w->support, reach, add_spring, &sums);
    return sums;
}

/* ---- matter ---- */

/* rho0 with which the fluid at rest has no pressure: k (rho - rho0) sum q u + k_near rho_near sum q u^2 = 0. */
static float automatic_rest(const clavet_sums *rest, float near_ratio) {
    if (!(rest->virial > 0.0f)) return rest->density;
    return rest->density + near_ratio * rest->near * rest->near_virial / rest->virial;
}

/* Sums of the fluid after the wanted compression. */
static clavet_sums compressed_sums(const rill_world *w) {
    const clavet_params *p = clavet_params_of(w);
    const float left = 1.0f - p->compression;
    const float closer = DIM == 2 ? sqrtf(left) : (float)rill_cube_root((double)left);
    return rest_sums((clavet_kernels)p->kernels, closer * w->def.spacing / w->support);
}

/* k with which the fluid carries the head, g times the expected depth, at the wanted compression. */
static float automatic_stiffness(const rill_world *w, float rest_density, float near_ratio) {
    const clavet_sums now = compressed_sums(w);
    const float h = w->support;
    const float head = w->derived[CLAVET_HEAD] * (float)(CLAVET_TICK * CLAVET_TICK) / (h * h);
    const float answer = (now.density - rest_density) * now.virial + near_ratio * now.near * now.near_virial;
    if (!(head > 0.0f && answer > 0.0f)) return WEIGHTLESS_STIFFNESS;
    return 2.0f * (float)DIM * head / answer;
}

/* Factor from G/rho to k of springs: central springs in all directions have the shear modulus G = rho k h^2 sum (1 -
   q/R) q^2 / (4 d (d + 2)). The viscosity of impulses is half of what follows in the same way, because only pairs that
   approach have impulses. */
static float modulus_to_pairs(float stiff, float h) {
    return stiff > 0.0f ? 4.0f * (float)(DIM * (DIM + 2)) / (stiff * h * h) : 0.0f;
}

/* Stiffness of braces over that of springs within h. Each of both kinds contributes half of the shear modulus. */
static float brace_of(const rill_world *w, float reach) {
    const float far = reach > 1.0f ? sums_of_springs(w, reach).stiff : 0.0f;
    return far > 0.0f ? clavet_derived_of(w)->rest.stiff / far : 0.0f;
}

/* Constants that are the same for automatic numbers and those of the paper. */
static clavet_matter common_matter(const rill_world *w, const fluid *f, const clavet_fluid *row) {
    const float tick = (float)CLAVET_TICK, reach = row->springs == CLAVET_FIXED ? fmaxf(row->spring_reach, 1.0f) : 1.0f;
    const float pairs = modulus_to_pairs(clavet_derived_of(w)->rest.stiff, w->support);
    const float brace = brace_of(w, reach), springs = brace > 0.0f ? 0.5f * pairs : pairs;
    return (clavet_matter){
        .making = (clavet_making)row->springs,
        .reach = reach,
        .brace = brace,
        .spring = row->spring_stiffness > 0.0f ? row->spring_stiffness
                                               : springs * row->shear_modulus / f->def.density * tick * tick,
        .damping = row->spring_damping / tick,
        .stretch_rate = row->stretch_rate * tick,
        .compress_rate = row->compress_rate * tick,
        .stretch_yield = row->stretch_yield,
        .compress_yield = row->compress_yield,
        .sigma = row->linear_viscosity > 0.0f ? row->linear_viscosity * tick
                                              : 2.0f * pairs * f->def.viscosity / f->def.density * tick,
        .beta = row->quadratic_viscosity};
}

static clavet_matter paper_matter(const rill_world *w, const fluid *f, const clavet_fluid *row) {
    clavet_matter m = common_matter(w, f, row);
    m.rest = PAPER_REST, m.stiffness = PAPER_STIFFNESS, m.near = PAPER_NEAR_RATIO * PAPER_STIFFNESS;
    m.spring = PAPER_SPRING, m.reach = 1.0f, m.brace = m.damping = 0.0f;
    m.stretch_rate = m.compress_rate = PAPER_RATE;
    return m;
}

static clavet_matter thesis_matter(float h) {
    const float stiffness = THESIS_STIFFNESS * THESIS_SPEED_UP * (float)(CLAVET_TICK * CLAVET_TICK) / h;
    return (clavet_matter){.rest = THESIS_REST,
                           .stiffness = stiffness,
                           .near = THESIS_NEAR_RATIO * stiffness,
                           .making = CLAVET_NONE,
                           .reach = 1.0f};
}

/* k_near over k with which near pressure at rest carries NEAR_LAYERS of fluid: k_near rho_near sum q u^2 at rest is the
   share NEAR_LAYERS dx over depth of k (rho - rho0) sum q u + k_near rho_near sum q u^2 in the compressed fluid. */
static float automatic_ratio(const rill_world *w) {
    const clavet_sums *rest = &clavet_derived_of(w)->rest, now = compressed_sums(w);
    const float layer = w->def.spacing * vec_length(vec_of(w->def.gravity));
    const float share = NEAR_LAYERS * layer / w->derived[CLAVET_HEAD], at_rest = rest->near * rest->near_virial;
    const float gain = now.near * now.near_virial - at_rest * now.virial / rest->virial;
    const float left = at_rest - share * gain;
    return left > 0.0f ? share * (now.density - rest->density) * now.virial / left : PAPER_NEAR_RATIO;
}

/* k_near over k in use. It is the paper's if the user gave the stiffness or if the fluid has no weight. */
static float near_ratio_of(const rill_world *w, const clavet_fluid *row) {
    if (row->near_ratio >= 0.0f) return row->near_ratio;
    if (row->stiffness > 0.0f || !(w->derived[CLAVET_HEAD] > 0.0f)) return PAPER_NEAR_RATIO;
    return fminf(PAPER_NEAR_RATIO, automatic_ratio(w));
}

static clavet_matter automatic_matter(const rill_world *w, const fluid *f, const clavet_fluid *row) {
    clavet_matter m = common_matter(w, f, row);
    const float ratio = near_ratio_of(w, row);
    m.rest = row->rest_density > 0.0f ? row->rest_density : automatic_rest(&clavet_derived_of(w)->rest, ratio);
    m.stiffness = row->stiffness > 0.0f ? row->stiffness : automatic_stiffness(w, m.rest, ratio);
    m.near = ratio * m.stiffness;
    return m;
}

/* ---- walls ---- */

static kernel_kind density_kind(clavet_kernels kernels) {
    return kernels == CLAVET_NORMAL ? KERNEL_CLAVET : KERNEL_SQUARED;
}
static kernel_kind near_kind(clavet_kernels kernels) {
    return kernels == CLAVET_NORMAL ? KERNEL_CLAVET_NEAR : KERNEL_SQUARED_NEAR;
}
static kernel_kind push_kind(clavet_kernels kernels, bool near) {
    if (kernels == CLAVET_HYBRID) return near ? KERNEL_HYBRID_NEAR : KERNEL_HYBRID;
    return near ? near_kind(kernels) : density_kind(kernels);
}

/* Makes a map of walls, and its factors to sums over fluid in the place of a wall: from the share to a density, by that
   of a full neighbourhood, and from the gradient to the sum of u (near: u^2) times the direction. */
static clavet_wall make_wall(const rill_world *w, wall_integrals *map, clavet_kernels kernels, bool near) {
    const float h = w->support, r = 0.5f * h, crowd = 1.0f / dim_power(w->def.spacing);
    const kernel value = rill_kernel_make(near ? near_kind(kernels) : density_kind(kernels), h);
    const kernel push = rill_kernel_make(push_kind(kernels, near), h);
    const laplacian unused = laplacian_make(LAPLACIAN_GRADIENT, &push);
    rill_wall_integrals_make(map, &value, &push, &unused, w->def.spacing, w->def.walls);
    const float u = kernels == CLAVET_NORMAL ? 0.5f : 0.75f, core = near ? u * u : u;
    const float way = kernels == CLAVET_SQUARED ? 0.5f : 1.0f;
    return (clavet_wall){crowd / kernel_value_at(&value, 0.0f),
                         crowd * core * way / (kernel_gradient_at(&push, r) * r)};
}

/* ---- prepare ---- */

static bool all_alike(const rill_world *w) {
    const fluid *first = first_fluid(w);
    FOR_ALIVE(w, fluid, f) if (f->mass != first->mass) return false;
    return true;
}

static rill_status refuse_dry_stickiness(rill_world *w) {
    FOR_ALIVE(w, solid, s) {
        const clavet_solid *row = method_solid(w, (int32_t)(s - POOL_ITEMS(w, solid)));
        if (w->def.walls == RILL_WALLS_IMPULSE && (row->stickiness > 0.0f || row->wet_friction > 0.0f))
            return rill_fail(&w->error, RILL_INVALID,
                             "solids.%s.clavet: stickiness and wet_friction have no effect with world.walls = impulse",
                             s->def.name);
    }
    return RILL_OK;
}

/* Whether the method, as it is set, has an energy that can be watched. Hybrid kernels push along a direction that is
   not the slope of any energy, Algorithm 6 as printed creates momentum, and steps as long as the paper's stir the
   fluid. */
static bool keeps_energy(const clavet_params *p) {
    return p->kernels != CLAVET_HYBRID && p->bodies != CLAVET_PRINTED && p->numbers == CLAVET_AUTOMATIC &&
           p->substeps == 0;
}

static bool has_sticky_walls(const rill_world *w) {
    FOR_ALIVE(w, solid, s)
    if (((const clavet_solid *)method_solid(w, (int32_t)(s - POOL_ITEMS(w, solid))))->stickiness > 0.0f) return true;
    return false;
}

/* A look sets all rows of a fluid, so other rows beside it would have no effect: that is an error. */
static rill_status refuse_beside_look(rill_world *w) {
    FOR_ALIVE(w, fluid, f) {
        const clavet_fluid *row = method_fluid(w, (uint32_t)(f - POOL_ITEMS(w, fluid)));
        clavet_fluid plain;
        rill_table_defaults(&rill_clavet_fluid_table, &plain);
        plain.look = row->look;
        if (row->look > 0 && memcmp(&plain, row, sizeof plain) != 0)
            return rill_fail(
                &w->error, RILL_INVALID,
                "fluids.%s.clavet: other values have no effect beside a look; remove them or set look to custom",
                f->def.name);
    }
    return RILL_OK;
}

/* Sum of 1 - q over the springs of a particle at rest, plus that of 1 - q/R of braces with their factor. */
static float weight_of_springs(const rill_world *w, const clavet_matter *m) {
    return sums_of_springs(w, 1.0f).weight + m->brace * sums_of_springs(w, m->reach).weight;
}

/* Longest substep for springs, in ticks. Their response to a short wave is k dt^2 sum (1 - q) / d of its displacement,
   because a wave stretches 1/d of them on average. The response of a single spring is bounded as well. */
static float longest_spring_ticks(const clavet_matter *m, float weight) {
    const float spring = fmaxf(m->spring, 1e-12f), all = fmaxf(m->spring * weight / (float)DIM, 1e-12f);
    return fminf(sqrtf(MAX_SPRING_RESPONSE / spring), sqrtf(MAX_SPRINGS_RESPONSE / all));
}

/* Longest substep for a fluid [s]. Its response to a short wave is the share `stiff` dt^2 of the displacement. One part
   is the change of both pressures, in proportion to the squares of sum u and sum u^2 over neighbours, of which a wave
   meets at most 0.55. The other is the push of the present near pressure on pairs that come closer. */
static float longest_substep(const rill_world *w, const clavet_matter *m) {
    const clavet_sums *rest = &clavet_derived_of(w)->rest;
    const float spread = rest->spread, dim = (float)DIM;
    const float stiff = 0.3f * m->stiffness * spread * spread +
                        m->near * (0.45f * rest->density * rest->density + 2.0f / dim * rest->near * spread);
    float ticks = sqrtf(MAX_RESPONSE / fmaxf(stiff, 1e-12f));
    if (m->making != CLAVET_NONE) ticks = fminf(ticks, longest_spring_ticks(m, weight_of_springs(w, m)));
    return ticks * (float)CLAVET_TICK;
}

rill_status rill_clavet_prepare(rill_world *w) {
    const clavet_params *p = clavet_params_of(w);
    clavet_derived *d = clavet_derived_of(w);
    TRY(refuse_dry_stickiness(w));
    TRY(refuse_beside_look(w));
    d->kernels = (clavet_kernels)p->kernels;
    d->rest = rest_sums(d->kernels, w->def.spacing / w->support);
    d->wall = make_wall(w, &d->walls, d->kernels, false);
    d->near_wall = make_wall(w, &d->near_walls, d->kernels, true);
    d->uniform = all_alike(w);
    d->watched = keeps_energy(p);
    d->sticky = d->watched && has_sticky_walls(w);
    d->viscous = d->springy = d->damped = false;
    d->reach = 1.0f;
    int fluids = 0;
    d->bound = HUGE_VALF;
    FOR_ALIVE(w, fluid, f) {
        const uint32_t k = (uint32_t)(f - POOL_ITEMS(w, fluid));
        const clavet_fluid *row = rill_clavet_look(method_fluid(w, k));
        clavet_matter *m = &d->matter[k];
        *m = p->numbers == CLAVET_PAPER    ? paper_matter(w, f, row)
             : p->numbers == CLAVET_THESIS ? thesis_matter(w->support)
                                           : automatic_matter(w, f, row);
        fluids++;
        d->rho0[k] = f->def.density;
        d->viscous |= m->sigma > 0.0f || m->beta > 0.0f;
        d->springy |= m->making != CLAVET_NONE && m->spring > 0.0f;
        d->damped |= m->making != CLAVET_NONE && m->damping > 0.0f;
        d->reach = fmaxf(d->reach, m->reach);
        d->bound = fminf(d->bound, longest_substep(w, m));
    }
    d->alone = fluids == 1;
    if (halo_needed(w)) sim_of(w)->reach = fmaxf(sim_of(w)->reach, d->reach * w->support);
    return RILL_OK;
}
