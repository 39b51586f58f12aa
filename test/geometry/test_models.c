/* SPDX-License-Identifier: MIT */
/* Real meshes, from Debian's package glmark2-data, compared with a loop over all triangles: a closed one of 70,000
   triangles, one with edges of inconsistent orientation, and one with holes and overlapping parts. */
#include "geometry/model_3ds.h"
#include "geometry/shapes.h"
#include "io/mesh_file.h"

#define MODELS "/usr/share/glmark2/models/"

typedef struct model {
    bench bench;
    owned_mesh data;
    mesh view;
    float cell;
    distance_field *field;
} model;

/* Loads a model and builds its field, with `across` cells along its longest side and a margin of four. */
static void load(model *m, const char *path, int across) {
    rill_error error = {RILL_OK, ""};
    bench_start(&m->bench, 2);
    if (strstr(path, ".3ds"))
        read_3ds(&m->bench.memory, path, &m->data);
    else if (rill_io_read_mesh(&m->bench.memory, path, &m->data, &error) != RILL_OK)
        fail_msg("%s", error.text);
    m->view = rill_mesh_view(&m->data);
    float low[3], high[3], longest = 0.0f;
    rill_mesh_bounds(&m->view, low, high);
    for (int axis = 0; axis < 3; axis++) longest = fmaxf(longest, high[axis] - low[axis]);
    m->cell = longest / (float)across;
    m->field = build_field(&m->bench, &m->view, m->cell, 4.0f * m->cell, 0.0f);
}

static void unload(model *m) {
    rill_field_free(&m->bench.memory, m->field);
    rill_owned_mesh_free(&m->bench.memory, &m->data);
    bench_end(&m->bench);
}

/* A random point near the surface, or anywhere in the box. */
static dvec pick_point(const model *m, uint32_t *seed, bool near) {
    const float *low = m->field->low, *high = m->field->high;
    if (near) {
        const uint32_t t = random_bits(seed) % (uint32_t)m->view.triangle_count;
        return dvec_add(mesh_corner(&m->view, (int)t, 0), random_point(seed, 2.0 * (double)m->cell));
    }
    dvec p;
    p.x = (double)random_in(seed, low[0], high[0]);
    p.y = (double)random_in(seed, low[1], high[1]);
    p.z = (double)random_in(seed, low[2], high[2]);
    return p;
}

static void bunny(void **state) {
    (void)state;
    model m;
    load(&m, MODELS "bunny.obj", 96);
    const mesh_report *r = &m.field->report;
    assert_true(r->closed);
    assert_int_equal(r->patches, 1);
    assert_int_equal(r->open_edges + r->non_manifold_edges + r->turned_edges + r->flipped + r->patched, 0);
    assert_at_most(m.field->thin, 0.01);

    const double cell = (double)m.cell;
    uint32_t seed = 1;
    double worst = 0.0, sum = 0.0;
    int compared = 0;
    for (int k = 0; k < 600; k++) {
        const dvec p = pick_point(&m, &seed, k % 3 != 0);
        const double plain = brute_distance(&m.view, p), got = (double)sample(m.field, p);
        const double wanted = brute_winding(&m.view, p) > 0.5 ? -plain : plain;
        if (plain > 0.5 * cell) assert_true((wanted < 0.0) == (got < 0.0));
        if (plain > 4.0 * cell) {
            assert_true(fabs(got) > 3.0 * cell);
            continue;
        }
        worst = fmax(worst, fabs(got - wanted));
        sum += fabs(got - wanted);
        compared++;
    }
    print_message("bunny: error %.3f cells at most, %.4f on average, over %d points\n", worst / cell,
                  sum / compared / cell, compared);
    assert_true(compared > 350);
    assert_at_most(worst / cell, 0.4);
    assert_at_most(sum / compared / cell, 0.03);
    /* the volume of the solid by the grid */
    const mesh_solid exact = rill_mesh_solid_of(&m.view), grid = rill_field_measure(m.field);
    assert_near(grid.volume, exact.volume, 0.003 * exact.volume);
    unload(&m);
}

/* A mesh that is not closed has a field without jumps, and with the right sign far from its holes. */
static void check_poor_model(const char *path, int holes) {
    model m;
    load(&m, path, 64);
    assert_false(m.field->report.closed);
    assert_true((m.field->report.patched > 0) == (holes > 0));
    uint32_t seed = 2;
    int inside = 0;
    const double step = 1e-3 * (double)m.cell;
    for (int k = 0; k < 50000; k++) {
        const dvec p = pick_point(&m, &seed, k % 2);
        const double here = (double)sample(m.field, p);
        inside += here < 0.0;
        const dvec q = dvec_add(p, random_point(&seed, step));
        assert_at_most(fabs((double)sample(m.field, q) - here), 20 * step);
    }
    assert_true(inside > 5000 && inside < 45000);
    /* far from holes the sign is that of the winding number, summed over all triangles */
    for (int k = 0; k < 300; k++) {
        const dvec p = pick_point(&m, &seed, false);
        const double w = brute_winding(&m.view, p), here = (double)sample(m.field, p);
        if (fabs(w - 0.5) > 0.2 && fabs(here) > (double)m.cell) assert_true((w > 0.5) == (here < 0.0));
    }
    unload(&m);
}

static void horse(void **state) {
    (void)state;
    check_poor_model(MODELS "horse.3ds", 0);
}

static void cat(void **state) {
    (void)state;
    check_poor_model(MODELS "cat.3ds", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bunny),
        cmocka_unit_test(horse),
        cmocka_unit_test(cat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
