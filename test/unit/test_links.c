/* SPDX-License-Identifier: MIT */
/* Links between particles against a plain list of them by id: random changes, sorting, adding and removing. */
#include "core/parallel.h"
#include "model/particles.h"
#include "oracle/check.h"

#define MOST_LINKS 4000
#ifdef RILL_SANITIZED
#define MANY 200
#else
#define MANY 700
#endif

/* A link as the model keeps it: ids, and the values that it was made with. */
typedef struct plain_link {
    uint32_t ids[LINK_ENDS_MAX];
    float rest;
    uint32_t pair[2];
} plain_link;

typedef struct model {
    int ends;
    int count;
    plain_link links[MOST_LINKS];
} model;

static const field_def values[] = {
    {"rest", "m", "length at rest", RILL_SCALAR_FLOAT, 1, 1, 0},
    {"pair", "", "two numbers", RILL_SCALAR_UINT32, 2, 2, 0},
};

typedef struct setup {
    memory memory;
    parallel *workers;
    particles particles;
    model model;
    uint32_t random;
} setup;

static link_set *set_of(setup *s) {
    return &s->particles.link_sets[0];
}

static uint32_t draw(setup *s, int below) {
    return random_bits(&s->random) % (uint32_t)below;
}

static uint32_t id_at(const particles *p, int i) {
    return (uint32_t)((const rill_particle_id *)p->fields[FIELD_ID].data)[i];
}

static setup *start_as(int ends, int workers, uint32_t seed, unsigned flags) {
    static const char *const names[] = {"pairs", "threes", "fours"};
    const link_set_def def = {names[ends - 2], "", ends, values, 2, LINK_SAVE | flags};
    setup *s = calloc(1, sizeof *s);
    rill_memory_init(&s->memory, NULL);
    s->workers = rill_parallel_create(&s->memory, workers, NULL);
    s->model.ends = ends, s->random = seed;
    assert_true(rill_particles_init(&s->memory, &s->particles, 2, NULL, 0, &def, 1));
    return s;
}

static setup *start(int ends, int workers, uint32_t seed) {
    return start_as(ends, workers, seed, LINK_TOUCH);
}

static void end(setup *s) {
    rill_particles_free(&s->memory, &s->particles);
    rill_parallel_destroy(&s->memory, s->workers);
    assert_int_equal(s->memory.bytes, 0);
    free(s);
}

/* ---- the plain model ---- */

static bool has(const plain_link *l, int ends, uint32_t id) {
    for (int k = 0; k < ends; k++)
        if (l->ids[k] == id) return true;
    return false;
}

static int plain_find(const model *m, const uint32_t *ids) {
    for (int k = 0; k < m->count; k++)
        if (memcmp(m->links[k].ids, ids, sizeof *ids * (size_t)m->ends) == 0) return k;
    return -1;
}

static void plain_forget(model *m, uint32_t id) {
    int kept = 0;
    for (int k = 0; k < m->count; k++)
        if (!has(&m->links[k], m->ends, id)) m->links[kept++] = m->links[k];
    m->count = kept;
}

/* ---- operations on both ---- */

static void add_particles(setup *s, int count) {
    assert_true(rill_particles_grow(&s->memory, &s->particles, s->particles.count + count));
    rill_particles_append(&s->particles, count);
}

static void remove_one(setup *s) {
    const int index = (int)draw(s, s->particles.count);
    plain_forget(&s->model, id_at(&s->particles, index));
    rill_particles_remove(&s->particles, index);
}

static void remove_many(setup *s) {
    uint8_t *keep = calloc((size_t)s->particles.count, 1);
    for (int i = 0; i < s->particles.count; i++) {
        keep[i] = draw(s, 12) != 0;
        if (!keep[i]) plain_forget(&s->model, id_at(&s->particles, i));
    }
    rill_particles_keep(&s->particles, keep);
    free(keep);
}

static void shuffle(setup *s) {
    const int n = s->particles.count;
    int32_t *order = calloc((size_t)n, sizeof *order);
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)draw(s, i + 1);
        const int32_t swap = order[i];
        order[i] = order[j], order[j] = swap;
    }
    rill_particles_permute(&s->particles, s->workers, order);
    free(order);
}

typedef struct change {
    setup *setup;
    uint32_t round;
} change;

/* Ids decide whether a link stays and which links are added, so that the model can decide the same. */
static uint32_t mix(const uint32_t *ids, int ends, uint32_t round) {
    uint32_t h = round * 0x9E3779B9u;
    for (int k = 0; k < ends; k++) h = (h ^ ids[k]) * 0x85EBCA6Bu, h ^= h >> 15;
    return h;
}

static bool stays(const uint32_t *ids, int ends, uint32_t round) {
    return mix(ids, ends, round) % 5 != 0;
}

/* The n-th link that particle i asks for: with particles after it, one of which may be i again. */
static void wanted(const particles *p, int i, int n, int ends, uint32_t round, int32_t *to) {
    to[0] = i;
    for (int k = 1; k < ends; k++) {
        const uint32_t ids[] = {id_at(p, i), (uint32_t)n, (uint32_t)k};
        to[k] = (int32_t)((uint32_t)(i + 7 * k) + mix(ids, 3, round) % 7) % p->count;
    }
}

static int wanted_count(const particles *p, int i, uint32_t round) {
    const uint32_t id = id_at(p, i);
    return mix(&id, 1, round) % 4 == 0 ? 1 + (int)(mix(&id, 1, round + 1) % 3) : 0;
}

static plain_link plain_of(const particles *p, const int32_t *ends, int count, uint32_t round) {
    plain_link l = {0};
    for (int k = 0; k < count; k++) l.ids[k] = id_at(p, ends[k]);
    const uint32_t h = mix(l.ids, count, round);
    l.rest = (float)(h % 10007), l.pair[0] = h, l.pair[1] = ~h;
    return l;
}

static bool keep_some(const link_set *set, int link, void *context) {
    const change *c = context;
    uint32_t ids[LINK_ENDS_MAX];
    for (int k = 0; k < set->def.ends; k++) ids[k] = id_at(&c->setup->particles, link_ends(set, link)[k]);
    return stays(ids, set->def.ends, c->round);
}

static void add_some(int begin, int end_, link_writer *writer, void *context) {
    const change *c = context;
    const particles *p = &c->setup->particles;
    const link_set *set = &p->link_sets[0];
    for (int i = begin; i < end_; i++) {
        for (int n = 0; n < wanted_count(p, i, c->round); n++) {
            int32_t ends[LINK_ENDS_MAX];
            wanted(p, i, n, set->def.ends, c->round, ends);
            const plain_link l = plain_of(p, ends, set->def.ends, c->round);
            const int row = rill_link_add(writer, ends);
            if (row < 0) continue;
            LINK_VALUES(set, 0, float)[row] = l.rest;
            memcpy(LINK_VALUES(set, 1, uint32_t) + 2 * (size_t)row, l.pair, sizeof l.pair);
        }
    }
}

static bool all_differ(const plain_link *l, int ends) {
    for (int a = 0; a < ends; a++)
        for (int b = 0; b < a; b++)
            if (l->ids[a] == l->ids[b]) return false;
    return true;
}

static void plain_change(setup *s, uint32_t round) {
    const particles *p = &s->particles;
    model *m = &s->model;
    int kept = 0;
    for (int k = 0; k < m->count; k++)
        if (stays(m->links[k].ids, m->ends, round)) m->links[kept++] = m->links[k];
    m->count = kept;
    for (int i = 0; i < p->count; i++) {
        for (int n = 0; n < wanted_count(p, i, round); n++) {
            int32_t ends[LINK_ENDS_MAX];
            wanted(p, i, n, m->ends, round, ends);
            const plain_link l = plain_of(p, ends, m->ends, round);
            if (!all_differ(&l, m->ends) || plain_find(m, l.ids) >= 0) continue;
            assert_true(m->count < MOST_LINKS);
            m->links[m->count++] = l;
        }
    }
}

static void change_links(setup *s, uint32_t round) {
    change c = {s, round};
    assert_true(rill_particles_settle_links(&s->memory, &s->particles, s->workers));
    plain_change(s, round);
    assert_true(rill_links_change(set_of(s), &s->memory, s->workers, s->particles.count, keep_some, add_some, &c));
}

/* ---- agreement ---- */

static void check_values(const link_set *set, int link, const plain_link *l) {
    assert_true(LINK_VALUES(set, 0, float)[link] == l->rest);
    assert_memory_equal(LINK_VALUES(set, 1, uint32_t) + 2 * (size_t)link, l->pair, sizeof l->pair);
}

/* Every link whose particles all exist is one of the model's, and their numbers agree, also before the links follow a
   change. */
static void check_links(setup *s) {
    const particles *p = &s->particles;
    const link_set *set = set_of(s);
    int whole = 0;
    for (int link = 0; link < set->count; link++) {
        int32_t ends[LINK_ENDS_MAX];
        uint32_t ids[LINK_ENDS_MAX];
        if (!rill_particles_link_ends(p, set, link, ends)) continue;
        for (int k = 0; k < set->def.ends; k++) ids[k] = id_at(p, ends[k]);
        const int at = plain_find(&s->model, ids);
        assert_true(at >= 0);
        check_values(set, link, &s->model.links[at]);
        whole++;
    }
    assert_int_equal(whole, s->model.count);
}

/* Links are in order, and each particle finds its own. */
static void check_order(setup *s) {
    const particles *p = &s->particles;
    const link_set *set = set_of(s);
    assert_true(rill_links_are_sound(set, p->count));
    int touches = 0;
    for (int i = 0; i < p->count; i++) {
        int count, begin, stop;
        const int32_t *mine = links_of(set, i, &count);
        for (int n = 0; n < count; n++) {
            bool part = false;
            for (int k = 0; k < set->def.ends; k++) part = part || link_ends(set, mine[n])[k] == i;
            assert_true(part && (n == 0 || mine[n - 1] < mine[n]));
        }
        touches += count;
        links_owned(set, i, &begin, &stop);
        for (int link = begin; link < stop; link++) assert_int_equal(link_ends(set, link)[0], i);
    }
    assert_int_equal(touches, set->count * set->def.ends);
}

static void check_find(setup *s) {
    const link_set *set = set_of(s);
    for (int n = 0; set->def.ends == 2 && n < 300; n++) {
        const int i = (int)draw(s, s->particles.count), j = (i + 5 + (int)draw(s, 12)) % s->particles.count;
        const uint32_t there[2] = {id_at(&s->particles, i), id_at(&s->particles, j)}, back[2] = {there[1], there[0]};
        const int link = links_find(set, i, j);
        assert_int_equal(link >= 0, plain_find(&s->model, there) >= 0 || plain_find(&s->model, back) >= 0);
        if (link < 0) continue;
        const int32_t *ends = link_ends(set, link);
        assert_true((ends[0] == i && ends[1] == j) || (ends[0] == j && ends[1] == i));
        assert_int_equal(links_find_ordered(set, ends[0], ends[1]), link);
    }
}

static void any_order_of_changes(void **state) {
    (void)state;
    for (int ends = 2; ends <= LINK_ENDS_MAX; ends++) {
        setup *s = start(ends, 1 + ends % 3, (uint32_t)ends);
        int most = 0;
        add_particles(s, MANY);
        for (uint32_t round = 1; round < 160; round++) {
            const uint32_t what = draw(s, 6);
            if (what == 0) add_particles(s, 1 + (int)draw(s, 90));
            if (what == 1 && s->particles.count > MANY / 2) remove_many(s);
            for (int k = 0; what <= 2 && s->particles.count > 100 && k < 8; k++) remove_one(s);
            if (what == 3) shuffle(s);
            check_links(s);
            if (what >= 4) change_links(s, round);
            if (draw(s, 2)) assert_true(rill_particles_settle_links(&s->memory, &s->particles, s->workers));
            check_links(s);
            if (s->particles.links_stale) continue;
            check_order(s);
            check_find(s);
            if (s->model.count > most) most = s->model.count;
        }
        assert_true(most > MANY / 3);
        end(s);
    }
}

/* The same changes on any number of workers leave the same bytes, and changes that need no more room allocate
   nothing. */
static void threads_change_nothing(void **state) {
    (void)state;
    void *bytes[3] = {0};
    size_t size = 0;
    for (int workers = 1; workers <= 3; workers++) {
        setup *s = start(2, workers, 99);
        int64_t calls = 0;
        add_particles(s, 5000);
        for (uint32_t round = 1; round < 60; round++) {
            change c = {s, round};
            shuffle(s);
            assert_true(rill_particles_settle_links(&s->memory, &s->particles, s->workers));
            assert_true(
                rill_links_change(set_of(s), &s->memory, s->workers, s->particles.count, keep_some, add_some, &c));
            if (round == 30) calls = s->memory.calls;
        }
        assert_int_equal(s->memory.calls, calls);
        const link_set *set = set_of(s);
        size = 0;
        for (int k = 0; k < set->field_count; k++) size += set->fields[k].size * (size_t)set->count;
        char *at = bytes[workers - 1] = calloc(size, 1);
        for (int k = 0; k < set->field_count; k++) {
            memcpy(at, set->fields[k].data, set->fields[k].size * (size_t)set->count);
            at += set->fields[k].size * (size_t)set->count;
        }
        assert_true(set->count > 1000);
        if (workers > 1) assert_memory_equal(bytes[0], bytes[workers - 1], size);
        end(s);
    }
    for (int k = 0; k < 3; k++) free(bytes[k]);
}

/* One particle with very many links: long groups are sorted too. */
static void link_to_all(int begin, int end_, link_writer *writer, void *context) {
    (void)context;
    for (int i = begin; i < end_; i++) {
        (void)rill_link_add(writer, (int32_t[]){0, i});
        (void)rill_link_add(writer, (int32_t[]){i, 0});
    }
}

static void a_hub(void **state) {
    (void)state;
    setup *s = start(2, 2, 3);
    add_particles(s, 20000);
    assert_true(rill_particles_settle_links(&s->memory, &s->particles, s->workers));
    assert_true(rill_links_change(set_of(s), &s->memory, s->workers, 20000, NULL, link_to_all, NULL));
    for (int k = 0; k < 3; k++) {
        check_order(s);
        assert_int_equal(set_of(s)->count, 2 * 19999); /* none of a particle with itself */
        shuffle(s);
        assert_true(rill_particles_settle_links(&s->memory, &s->particles, s->workers));
    }
    end(s);
}

/* Ends without roles: the lower index comes first, wherever the particles are sorted to, and a pair has one link. */
static void mutual_links(void **state) {
    (void)state;
    setup *s = start_as(2, 2, 5, LINK_MUTUAL);
    add_particles(s, 3000);
    assert_true(rill_particles_settle_links(&s->memory, &s->particles, s->workers));
    assert_true(rill_links_change(set_of(s), &s->memory, s->workers, 3000, NULL, link_to_all, NULL));
    for (int k = 0; k < 3; k++) {
        const link_set *set = set_of(s);
        assert_int_equal(set->count, 2999); /* (0, i) and (i, 0) are the same link */
        assert_true(rill_links_are_sound(set, 3000));
        for (int link = 0; link < set->count; link++) {
            const int32_t *ends = link_ends(set, link);
            assert_true(ends[0] < ends[1]);
            assert_int_equal(links_find(set, ends[0], ends[1]), link);
            assert_int_equal(links_find(set, ends[1], ends[0]), link);
        }
        assert_null(set->touch.data);
        shuffle(s);
        assert_true(rill_particles_settle_links(&s->memory, &s->particles, s->workers));
    }
    end(s);
}

/* Of new links between the same particles one stays, whichever thread wrote it, and an existing link keeps its
   values. */
static void add_twins(int begin, int end_, link_writer *writer, void *context) {
    const setup *s = context;
    for (int i = begin; i < end_; i++) {
        const int row = rill_link_add(writer, (int32_t[]){i % 10, 10 + i % 3});
        if (row >= 0) LINK_VALUES(&s->particles.link_sets[0], 0, float)[row] = (float)(1 + i);
    }
}

static void twins(void **state) {
    (void)state;
    for (int workers = 1; workers <= 3; workers++) {
        setup *s = start(2, workers, 3);
        add_particles(s, 3000);
        assert_true(rill_particles_settle_links(&s->memory, &s->particles, s->workers));
        assert_true(rill_links_change(set_of(s), &s->memory, s->workers, 3000, NULL, add_twins, s));
        assert_int_equal(set_of(s)->count, 30);
        float first[30];
        memcpy(first, LINK_VALUES(set_of(s), 0, float), sizeof first);
        LINK_VALUES(set_of(s), 0, float)[7] = first[7] = -5.0f;
        assert_true(rill_links_change(set_of(s), &s->memory, s->workers, 3000, NULL, add_twins, s));
        assert_int_equal(set_of(s)->count, 30);
        assert_memory_equal(LINK_VALUES(set_of(s), 0, float), first, sizeof first);
        end(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_changes),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_hub),
        cmocka_unit_test(mutual_links),
        cmocka_unit_test(twins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
