/* SPDX-License-Identifier: MIT */
/* The particle arrays by themselves: fields of any number and width, and ids that find their particle. */
#include "core/parallel.h"
#include "model/particles.h"
#include "oracle/check.h"

#define EXTRA 20

/* Twenty fields of 1 to 12 scalars, every third one not sorted, one as wide as the world. */
static void make_fields(field_def fields[EXTRA]) {
    for (int k = 0; k < EXTRA; k++) {
        const int width = k == 7 ? 0 : 1 + k % 12;
        fields[k] = (field_def){"extra", "", "", RILL_SCALAR_FLOAT, width, width, k % 3 == 2 ? 0 : FIELD_SORT};
    }
}

static float value_of(rill_particle_id id, int field, int component) {
    return (float)(id * 1000 + (uint32_t)(field * 20 + component));
}

static rill_particle_id id_at(const particles *p, int i) {
    return ((const rill_particle_id *)p->fields[FIELD_ID].data)[i];
}

static void append(memory *m, particles *p, int count) {
    assert_true(rill_particles_reserve(m, p, p->count + count));
    const int first = rill_particles_append(p, count);
    for (int k = FIELD_METHOD; k < p->field_count; k++) {
        const int width = p->fields[k].def.width;
        float *data = p->fields[k].data;
        for (int i = first; i < p->count; i++)
            for (int c = 0; c < width; c++) data[(size_t)i * (size_t)width + (size_t)c] = value_of(id_at(p, i), k, c);
    }
}

/* Every particle has the values that were written for its id, in the fields that are sorted or in all. */
static void check(const particles *p, bool sorted_only) {
    for (int k = FIELD_METHOD; k < p->field_count; k++) {
        if (sorted_only && !(p->fields[k].def.flags & FIELD_SORT)) continue;
        const int width = p->fields[k].def.width;
        const float *data = p->fields[k].data;
        for (int i = 0; i < p->count; i++)
            for (int c = 0; c < width; c++)
                assert_true(data[(size_t)i * (size_t)width + (size_t)c] == value_of(id_at(p, i), k, c));
    }
}

/* The index of an id, by brute force. */
static int look_for(const particles *p, rill_particle_id id) {
    for (int i = 0; i < p->count; i++)
        if (id_at(p, i) == id) return i;
    return -1;
}

static void any_number_and_width(void **state) {
    (void)state;
    field_def fields[EXTRA];
    make_fields(fields);
    for (int dim = 2; dim <= 3; dim++) {
        memory m;
        rill_memory_init(&m, NULL);
        parallel *workers = rill_parallel_create(&m, 2, NULL);
        particles p;
        uint32_t random = 5;
        assert_true(rill_particles_init(&m, &p, dim, fields, EXTRA, NULL, 0));
        assert_int_equal(p.field_count, FIELD_METHOD + EXTRA);
        assert_int_equal(p.fields[FIELD_METHOD + 7].def.width, dim);
        append(&m, &p, 40);
        append(&m, &p, 300);
        check(&p, false);
        uint8_t keep[340];
        for (int i = 0; i < p.count; i++) keep[i] = random_bits(&random) % 4 != 0;
        assert_true(rill_particles_keep(&p, keep) > 0);
        for (int k = 0; k < 20; k++) rill_particles_remove(&p, (int)(random_bits(&random) % (uint32_t)p.count));
        check(&p, false);
        int32_t order[340];
        for (int i = 0; i < p.count; i++) order[i] = i;
        for (int i = p.count - 1; i > 0; i--) {
            const int j = (int)(random_bits(&random) % (uint32_t)(i + 1));
            const int32_t swap = order[i];
            order[i] = order[j], order[j] = swap;
        }
        for (int k = 0; k < 3; k++) rill_particles_permute(&p, workers, order);
        check(&p, true);
        append(&m, &p, 500);
        check(&p, true);
        rill_particles_free(&m, &p);
        rill_parallel_destroy(&m, workers);
        assert_int_equal(m.bytes, 0);
    }
}

/* Adding, removing and sorting in any order: an id leads to its particle, and to nothing once the particle is
   removed. */
static void ids_find_their_particle(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    particles p;
    uint32_t random = 11;
    assert_true(rill_particles_init(&m, &p, 2, NULL, 0, NULL, 0));
    assert_int_equal(rill_particles_index_of(&m, &p, 0), -1);
    for (int round = 0; round < 2000; round++) {
        const uint32_t what = random_bits(&random) % 16;
        if (p.count == 0 || what == 0)
            append(&m, &p, 1 + (int)(random_bits(&random) % 40));
        else if (what < 4)
            append(&m, &p, 1);
        else
            rill_particles_remove(
                &p, rill_particles_index_of(&m, &p, id_at(&p, (int)(random_bits(&random) % (uint32_t)p.count))));
        const rill_particle_id id = random_bits(&random) % p.next_id;
        assert_int_equal(rill_particles_index_of(&m, &p, id), look_for(&p, id));
        for (int i = 0; round % 50 == 0 && i < p.count; i++)
            assert_int_equal(rill_particles_index_of(&m, &p, id_at(&p, i)), i);
    }
    rill_particles_free(&m, &p);
    assert_int_equal(m.bytes, 0);
}

/* A look-up after a removal or an addition builds no new table: hosts remove thousands in a frame. */
static void removal_keeps_the_look_up(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    particles p;
    assert_true(rill_particles_init(&m, &p, 2, NULL, 0, NULL, 0));
    append(&m, &p, 1000);
    assert_int_equal(rill_particles_index_of(&m, &p, 3), 3);
    for (rill_particle_id id = 0; id < 500; id++) {
        rill_particles_remove(&p, rill_particles_index_of(&m, &p, id));
        assert_true(p.by_id_valid);
    }
    append(&m, &p, 3);
    assert_true(p.by_id_valid);
    assert_int_equal(rill_particles_index_of(&m, &p, 1002), 502);
    rill_particles_free(&m, &p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_and_width),
        cmocka_unit_test(ids_find_their_particle),
        cmocka_unit_test(removal_keeps_the_look_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
