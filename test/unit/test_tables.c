/* SPDX-License-Identifier: MIT */
/* Every parameter table of the library, of objects and methods, follows the rules that its readers rely on. */
#include "model/table.h"
#include "rill/rill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t member_size(rill_type type) {
    switch (type) {
    case RILL_TYPE_BOOL:
        return sizeof(bool);
    case RILL_TYPE_INT:
    case RILL_TYPE_CHOICE:
        return sizeof(int32_t);
    case RILL_TYPE_NUMBER:
        return sizeof(float);
    case RILL_TYPE_VEC:
        return sizeof(rill_vec);
    case RILL_TYPE_NAME:
        return RILL_NAME_SIZE;
    case RILL_TYPE_FILE:
        return RILL_FILE_SIZE;
    case RILL_TYPE_POINTS:
        return sizeof(rill_points);
    case RILL_TYPE_NUMBERS:
        return sizeof(rill_numbers);
    }
    return 0;
}

static void check_row(const rill_table *table, const rill_param *row) {
    char where[160];
    snprintf(where, sizeof where, "%s.%s", table->name, row->key);
    if (!row->key[0] || strspn(row->key, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(row->key)) {
        fail_msg("%s: a key is lower case letters, digits and '_'", where);
    }
    assert_non_null(row->doc);
    if (!row->doc[0] || strchr(row->doc, '\n')) fail_msg("%s: doc is not one line", where);
    if (row->doc[strlen(row->doc) - 1] == '.') fail_msg("%s: doc ends in a full stop", where);
    if (row->equation && !row->equation[0]) fail_msg("%s: an empty equation should be NULL", where);
    if ((unsigned)row->quantity >= RILL_QUANTITY_COUNT) fail_msg("%s: unknown quantity", where);
    if (member_size(row->type) == 0) fail_msg("%s: unknown type", where);
    if (row->offset + member_size(row->type) > table->size) fail_msg("%s: lies outside its struct", where);
    const bool ranged = row->type == RILL_TYPE_INT || row->type == RILL_TYPE_NUMBER || row->type == RILL_TYPE_VEC ||
                        row->type == RILL_TYPE_POINTS || row->type == RILL_TYPE_NUMBERS;
    if (ranged && !(row->min < row->max)) fail_msg("%s: empty range", where);
    if (row->type == RILL_TYPE_INT && (row->min < INT32_MIN || row->max > INT32_MAX)) fail_msg("%s: int range", where);
    if (row->type == RILL_TYPE_CHOICE && (!row->choices || !strchr(row->choices, '|'))) fail_msg("%s: choices", where);
}

static void check_pair(const rill_table *table, const rill_param *a, const rill_param *b) {
    if (strcmp(a->key, b->key) == 0) fail_msg("%s.%s: twice", table->name, a->key);
    const bool apart = a->offset + member_size(a->type) <= b->offset || b->offset + member_size(b->type) <= a->offset;
    if (!apart) fail_msg("%s.%s and %s overlap", table->name, a->key, b->key);
}

/* All choices of a row are different, and each fits into RILL_NAME_SIZE. */
static void check_choices(const rill_table *table, const rill_param *row) {
    char name[RILL_NAME_SIZE];
    for (int i = 0; rill_choice_name(row->choices, i, name, sizeof name)[0]; ++i) {
        if (rill_choice_index(row->choices, name) != i) fail_msg("%s.%s: '%s'", table->name, row->key, name);
    }
}

/* Defaults are in range, and the same after a round trip through text (lists excepted). */
static void check_defaults(const rill_table *table) {
    void *object = calloc(1, table->size);
    void *copy = calloc(1, table->size);
    assert_true(object && copy);
    rill_table_defaults(table, object);
    rill_error error = {0};
    if (rill_table_check(table, object, &error)) fail_msg("defaults: %s", error.text);
    for (int i = 0; i < table->count; ++i) {
        const rill_param *row = &table->params[i];
        if (row->type == RILL_TYPE_POINTS || row->type == RILL_TYPE_NUMBERS) continue;
        char text[200];
        rill_param_get_text(row, object, 3, text, sizeof text);
        const bool quoted = text[0] == '"';
        if (quoted) text[strlen(text) - 1] = '\0';
        if (rill_param_set_text(row, copy, text + (quoted ? 1 : 0), &error)) fail_msg("%s", error.text);
    }
    assert_memory_equal(copy, object, table->size);
    free(copy);
    free(object);
}

static void check_table(const rill_table *table) {
    assert_non_null(table);
    assert_true(table->name && table->name[0] && table->about && table->about[0]);
    assert_true(table->count > 0);
    for (int i = 0; i < table->count; ++i) {
        check_row(table, &table->params[i]);
        for (int j = 0; j < i; ++j) check_pair(table, &table->params[i], &table->params[j]);
        if (table->params[i].type == RILL_TYPE_CHOICE) check_choices(table, &table->params[i]);
        assert_ptr_equal(rill_table_find(table, table->params[i].key), &table->params[i]);
    }
    check_defaults(table);
}

static void object_tables_are_sound(void **state) {
    (void)state;
    static const size_t sizes[RILL_OBJECT_COUNT] = {
        [RILL_OBJECT_WORLD] = sizeof(rill_world_def),     [RILL_OBJECT_FLUID] = sizeof(rill_fluid_def),
        [RILL_OBJECT_SHAPE] = sizeof(rill_shape),         [RILL_OBJECT_BLOCK] = sizeof(rill_block_def),
        [RILL_OBJECT_SOLID] = sizeof(rill_solid_def),     [RILL_OBJECT_MOTION] = sizeof(rill_motion),
        [RILL_OBJECT_EMITTER] = sizeof(rill_emitter_def), [RILL_OBJECT_SINK] = sizeof(rill_sink_def),
        [RILL_OBJECT_GAUGE] = sizeof(rill_gauge_def),     [RILL_OBJECT_BODY] = sizeof(rill_body_def),
        [RILL_OBJECT_JOINT] = sizeof(rill_joint_def),     [RILL_OBJECT_GROUP] = sizeof(rill_group_def),
        [RILL_OBJECT_AREA] = sizeof(rill_area_def),       [RILL_OBJECT_CLOTH] = sizeof(rill_cloth_def),
        [RILL_OBJECT_PIN] = sizeof(rill_pin_def),
    };
    for (int i = 0; i < RILL_OBJECT_COUNT; ++i) {
        const rill_table *table = rill_object_table((rill_object)i);
        check_table(table);
        assert_int_equal(table->size, sizes[i]);
    }
    assert_null(rill_object_table(RILL_OBJECT_COUNT));
    assert_null(rill_object_table((rill_object)-1));
}

/* A method's tables have its name and a suffix for their object. They hold no lists, whose memory nobody would own. */
static void check_method_table(const rill_method_info *method, const rill_table *table, const char *object) {
    char name[2 * RILL_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", method->name, object);
    check_table(table);
    assert_string_equal(table->name, name);
    for (int i = 0; i < table->count; ++i)
        if (table->params[i].type == RILL_TYPE_POINTS || table->params[i].type == RILL_TYPE_NUMBERS)
            fail_msg("%s.%s is a list", table->name, table->params[i].key);
}

static void method_tables_are_sound(void **state) {
    (void)state;
    assert_true(rill_method_count() > 0);
    for (int i = 0; i < rill_method_count(); ++i) {
        const rill_method_info *method = rill_method(i);
        check_method_table(method, method->table, "");
        if (method->fluid_table) check_method_table(method, method->fluid_table, "_fluid");
        if (method->solid_table) check_method_table(method, method->solid_table, "_solid");
        /* Parameters that it adds to objects are given under its name, which must not be a key of theirs. */
        for (int k = 0; k < RILL_OBJECT_COUNT; ++k)
            assert_null(rill_table_find(rill_object_table((rill_object)k), method->name));
    }
    const rill_world_def def = rill_world_def_default(2);
    assert_non_null(rill_method_find(def.method));
}

/* The bytes of a member without a row, such as a nested struct with its own table, a handle or a hook of the host. */
typedef struct extent {
    size_t offset, size;
} extent;

static size_t alignment_of(rill_type type) {
    switch (type) {
    case RILL_TYPE_BOOL:
        return _Alignof(bool);
    case RILL_TYPE_NAME:
    case RILL_TYPE_FILE:
        return 1;
    case RILL_TYPE_POINTS:
        return _Alignof(rill_points);
    case RILL_TYPE_NUMBERS:
        return _Alignof(rill_numbers);
    default:
        return 4;
    }
}

/* Bytes that neither rows nor `others` cover must be padding: fewer than the alignment of the member that follows. */
static void check_coverage(rill_object object, const extent *others, int other_count) {
    const rill_table *table = rill_object_table(object);
    size_t at = 0;
    while (at < table->size) {
        size_t next = table->size;
        size_t end = table->size;
        size_t alignment = _Alignof(void *);
        for (int i = 0; i < table->count; ++i) {
            const rill_param *row = &table->params[i];
            if (row->offset < at || row->offset >= next) continue;
            next = row->offset;
            end = next + member_size(row->type);
            alignment = alignment_of(row->type);
        }
        for (int i = 0; i < other_count; ++i) {
            if (others[i].offset < at || others[i].offset >= next) continue;
            next = others[i].offset;
            end = next + others[i].size;
            alignment = _Alignof(void *);
        }
        if (next - at >= alignment) fail_msg("%s: %d bytes at %d have no row", table->name, (int)(next - at), (int)at);
        at = end;
    }
}

static void every_member_has_a_row(void **state) {
    (void)state;
    const extent hooks[] = {{offsetof(rill_world_def, allocator), sizeof(rill_allocator)},
                            {offsetof(rill_world_def, tasks), sizeof(rill_tasks)},
                            {offsetof(rill_world_def, cache), sizeof(rill_cache)},
                            {offsetof(rill_world_def, cookie), sizeof(uint32_t)}};
    const extent block_parts[] = {{offsetof(rill_block_def, shape), sizeof(rill_shape)},
                                  {offsetof(rill_block_def, fluid), sizeof(rill_fluid_id)},
                                  {offsetof(rill_block_def, group), sizeof(rill_group_id)},
                                  {offsetof(rill_block_def, places), sizeof(rill_points)},
                                  {offsetof(rill_block_def, velocities), sizeof(rill_points)}};
    const extent sink_parts[] = {{offsetof(rill_sink_def, shape), sizeof(rill_shape)},
                                 {offsetof(rill_sink_def, body), sizeof(rill_body_id)}};
    const extent solid_parts[] = {{offsetof(rill_solid_def, shape), sizeof(rill_shape)},
                                  {offsetof(rill_solid_def, motion), sizeof(rill_motion)},
                                  {offsetof(rill_solid_def, user_data), sizeof(void *)}};
    const extent body_parts[] = {{offsetof(rill_body_def, shape), sizeof(rill_shape)},
                                 {offsetof(rill_body_def, motion), sizeof(rill_motion)},
                                 {offsetof(rill_body_def, user_data), sizeof(void *)}};
    const extent emitter_parts[] = {{offsetof(rill_emitter_def, fluid), sizeof(rill_fluid_id)},
                                    {offsetof(rill_emitter_def, group), sizeof(rill_group_id)},
                                    {offsetof(rill_emitter_def, body), sizeof(rill_body_id)}};
    const extent group_parts[] = {{offsetof(rill_group_def, user_data), sizeof(void *)}};
    const extent area_parts[] = {{offsetof(rill_area_def, shape), sizeof(rill_shape)},
                                 {offsetof(rill_area_def, group), sizeof(rill_group_id)}};
    const extent measured[] = {{offsetof(rill_gauge_def, fluid), sizeof(rill_fluid_id)},
                               {offsetof(rill_gauge_def, solid), sizeof(rill_solid_id)},
                               {offsetof(rill_gauge_def, body), sizeof(rill_body_id)},
                               {offsetof(rill_gauge_def, joint), sizeof(rill_joint_id)},
                               {offsetof(rill_gauge_def, cloth), sizeof(rill_cloth_id)},
                               {offsetof(rill_gauge_def, pin), sizeof(rill_pin_id)}};
    const extent pinned[] = {{offsetof(rill_pin_def, cloth), sizeof(rill_cloth_id)},
                             {offsetof(rill_pin_def, body), sizeof(rill_body_id)},
                             {offsetof(rill_pin_def, motion), sizeof(rill_motion)}};
    const extent joined[] = {{offsetof(rill_joint_def, a), sizeof(rill_body_id)},
                             {offsetof(rill_joint_def, b), sizeof(rill_body_id)},
                             {offsetof(rill_joint_def, joint_a), sizeof(rill_joint_id)},
                             {offsetof(rill_joint_def, joint_b), sizeof(rill_joint_id)}};
    check_coverage(RILL_OBJECT_WORLD, hooks, 4);
    check_coverage(RILL_OBJECT_FLUID, NULL, 0);
    const extent parts = {offsetof(rill_shape, parts), sizeof(rill_parts)};
    check_coverage(RILL_OBJECT_SHAPE, &parts, 1);
    check_coverage(RILL_OBJECT_BLOCK, block_parts, 5);
    check_coverage(RILL_OBJECT_SOLID, solid_parts, 3);
    check_coverage(RILL_OBJECT_BODY, body_parts, 3);
    check_coverage(RILL_OBJECT_JOINT, joined, 4);
    check_coverage(RILL_OBJECT_MOTION, NULL, 0);
    check_coverage(RILL_OBJECT_EMITTER, emitter_parts, 3);
    check_coverage(RILL_OBJECT_GROUP, group_parts, 1);
    check_coverage(RILL_OBJECT_AREA, area_parts, 2);
    check_coverage(RILL_OBJECT_SINK, sink_parts, 2);
    check_coverage(RILL_OBJECT_GAUGE, measured, 6);
    check_coverage(RILL_OBJECT_CLOTH, NULL, 0);
    check_coverage(RILL_OBJECT_PIN, pinned, 3);
}

static const char *choice(rill_object object, const char *key, int index) {
    static char name[RILL_NAME_SIZE];
    const rill_param *row = rill_table_find(rill_object_table(object), key);
    assert_non_null(row);
    return rill_choice_name(row->choices, index, name, sizeof name);
}

/* Choices are in the order of the public enums. */
static void choices_match_their_enums(void **state) {
    (void)state;
    assert_string_equal(choice(RILL_OBJECT_WORLD, "walls", RILL_WALLS_IMPULSE), "impulse");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "walls", RILL_WALLS_MAP), "map");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "walls", RILL_WALLS_FIELD), "field");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "walls", RILL_WALLS_SAMPLES), "samples");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "simd", RILL_SIMD_AUTO), "auto");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "simd", RILL_SIMD_SCALAR), "scalar");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "simd", RILL_SIMD_SSE), "sse");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "simd", RILL_SIMD_AVX2), "avx2");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "simd", RILL_SIMD_NEON), "neon");
    assert_string_equal(choice(RILL_OBJECT_WORLD, "simd", RILL_SIMD_WASM), "wasm");
    assert_string_equal(choice(RILL_OBJECT_SHAPE, "shape", RILL_HALF_SPACE), "half_space");
    assert_string_equal(choice(RILL_OBJECT_SHAPE, "shape", RILL_BOX), "box");
    assert_string_equal(choice(RILL_OBJECT_SHAPE, "shape", RILL_SPHERE), "sphere");
    assert_string_equal(choice(RILL_OBJECT_SHAPE, "shape", RILL_CAPSULE), "capsule");
    assert_string_equal(choice(RILL_OBJECT_SHAPE, "shape", RILL_POLYGON), "polygon");
    assert_string_equal(choice(RILL_OBJECT_SHAPE, "shape", RILL_SEGMENTS), "segments");
    assert_string_equal(choice(RILL_OBJECT_BLOCK, "fill", RILL_FILL_LATTICE), "lattice");
    assert_string_equal(choice(RILL_OBJECT_BLOCK, "fill", RILL_FILL_HEXAGONAL), "hexagonal");
    assert_string_equal(choice(RILL_OBJECT_BLOCK, "fill", RILL_FILL_JITTERED), "jittered");
    assert_string_equal(choice(RILL_OBJECT_EMITTER, "nozzle", RILL_NOZZLE_ROUND), "round");
    assert_string_equal(choice(RILL_OBJECT_EMITTER, "nozzle", RILL_NOZZLE_RECTANGLE), "rectangle");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_HEIGHT), "height");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_FRONT), "front");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_DENSITY), "density");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_PRESSURE), "pressure");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_VELOCITY), "velocity");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_KINETIC_ENERGY), "kinetic_energy");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_POTENTIAL_ENERGY), "potential_energy");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_MOMENTUM), "momentum");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_CENTRE), "centre");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_COUNT), "count");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_FORCE), "force");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_BODY_POSITION), "body_position");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_BODY_VELOCITY), "body_velocity");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_BODY_ANGLE), "body_angle");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_JOINT_LOAD), "joint_load");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_TORQUE), "torque");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_BODY_SPIN), "body_spin");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_JOINT_TORQUE), "joint_torque");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_JOINT_POSITION), "joint_position");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_JOINT_SPEED), "joint_speed");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_PIN_FORCE), "pin_force");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_CLOTH_AREA), "cloth_area");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_CLOTH_STRAIN), "cloth_strain");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_CLOTH_ENERGY), "cloth_energy");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_CLOTH_MOMENTUM), "cloth_momentum");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_CLOTH_CENTRE), "cloth_centre");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_CLOTH_LOWEST), "cloth_lowest");
    assert_string_equal(choice(RILL_OBJECT_GAUGE, "kind", RILL_GAUGE_CLOTH_LOWEST + 1), "");
    assert_string_equal(choice(RILL_OBJECT_BODY, "kind", RILL_BODY_DYNAMIC), "dynamic");
    assert_string_equal(choice(RILL_OBJECT_BODY, "kind", RILL_BODY_KINEMATIC), "kinematic");
    assert_string_equal(choice(RILL_OBJECT_BODY, "kind", RILL_BODY_FIXED), "fixed");
    assert_string_equal(choice(RILL_OBJECT_CLOTH, "kind", RILL_CLOTH_SHEET), "sheet");
    assert_string_equal(choice(RILL_OBJECT_CLOTH, "kind", RILL_CLOTH_ROPE), "rope");
    assert_string_equal(choice(RILL_OBJECT_CLOTH, "kind", RILL_CLOTH_MESH), "mesh");
    assert_string_equal(choice(RILL_OBJECT_JOINT, "kind", RILL_JOINT_BALL), "ball");
    assert_string_equal(choice(RILL_OBJECT_JOINT, "kind", RILL_JOINT_HINGE), "hinge");
    assert_string_equal(choice(RILL_OBJECT_JOINT, "kind", RILL_JOINT_SLIDER), "slider");
    assert_string_equal(choice(RILL_OBJECT_JOINT, "kind", RILL_JOINT_FIXED), "fixed");
    assert_string_equal(choice(RILL_OBJECT_JOINT, "kind", RILL_JOINT_DISTANCE), "distance");
    assert_string_equal(choice(RILL_OBJECT_JOINT, "kind", RILL_JOINT_SPRING), "spring");
    assert_string_equal(choice(RILL_OBJECT_JOINT, "kind", RILL_JOINT_GEAR), "gear");
}

static void default_functions_agree_with_tables(void **state) {
    (void)state;
    const rill_world_def plane = rill_world_def_default(2);
    const rill_world_def space = rill_world_def_default(3);
    const rill_fluid_def fluid = rill_fluid_def_default();
    const rill_block_def block = rill_block_def_default();
    const rill_solid_def solid = rill_solid_def_default();
    const rill_emitter_def emitter = rill_emitter_def_default();
    const rill_sink_def sink = rill_sink_def_default();
    const rill_gauge_def gauge = rill_gauge_def_default();
    assert_int_equal(plane.dim, 2);
    assert_int_equal(space.dim, 3);
    assert_string_equal(plane.method, "wcsph");
    assert_true(plane.gravity.x == 0 && plane.gravity.y == -9.81F && plane.gravity.z == 0);
    assert_true(space.gravity.x == 0 && space.gravity.y == 0 && space.gravity.z == -9.81F);
    assert_int_equal(plane.walls, RILL_WALLS_MAP);
    assert_int_equal(plane.cookie, 0x52494C4C);
    assert_null(plane.allocator.allocate);
    assert_null(plane.tasks.run);
    assert_true(fluid.density == 1000 && fluid.viscosity == 1e-3F && fluid.surface_tension == 0);
    assert_int_equal(block.shape.kind, RILL_BOX);
    assert_true(solid.motion.end_time == 1e30F && emitter.end_time == 1e30F && sink.end_time == 1e30F);
    assert_true(solid.motion.axis.z == 1 && solid.shape.axis.z == 1);
    const rill_table *shape = rill_object_table(RILL_OBJECT_SHAPE);
    assert_int_equal(rill_table_check(rill_object_table(RILL_OBJECT_WORLD), &space, NULL), RILL_OK);
    assert_int_equal(rill_table_check(shape, &block.shape, NULL), RILL_OK);
    assert_int_equal(rill_table_check(shape, &solid.shape, NULL), RILL_OK);
    assert_int_equal(rill_table_check(shape, &sink.shape, NULL), RILL_OK);
    assert_int_equal(rill_table_check(rill_object_table(RILL_OBJECT_MOTION), &solid.motion, NULL), RILL_OK);
    assert_int_equal(rill_table_check(rill_object_table(RILL_OBJECT_GAUGE), &gauge, NULL), RILL_OK);
}

static void a_bad_dimension_is_caught(void **state) {
    (void)state;
    const rill_world_def def = rill_world_def_default(4);
    rill_error error = {0};
    assert_int_equal(rill_table_check(rill_object_table(RILL_OBJECT_WORLD), &def, &error), RILL_INVALID);
    assert_string_equal(error.text, "world.dim: 4 is out of range; expected a whole number from 2 to 3");
}

static void phases_have_names(void **state) {
    (void)state;
    for (int i = 0; i < RILL_PHASE_COUNT; ++i) {
        assert_true(rill_phase_name((rill_phase)i)[0]);
        for (int j = 0; j < i; ++j)
            assert_string_not_equal(rill_phase_name((rill_phase)i), rill_phase_name((rill_phase)j));
    }
    assert_string_equal(rill_phase_name(RILL_PHASE_NEIGHBOURS), "neighbours");
    assert_string_equal(rill_phase_name(RILL_PHASE_COUNT), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(object_tables_are_sound),
        cmocka_unit_test(method_tables_are_sound),
        cmocka_unit_test(every_member_has_a_row),
        cmocka_unit_test(choices_match_their_enums),
        cmocka_unit_test(default_functions_agree_with_tables),
        cmocka_unit_test(a_bad_dimension_is_caught),
        cmocka_unit_test(phases_have_names),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
