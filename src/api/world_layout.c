/* SPDX-License-Identifier: MIT */
/* The rows of a world. Members that follow from others, such as the models of shapes, are not listed. */
#include "api/world_layout.h"

#include <stdio.h>

static const member slot_members[] = {MEMBER(slot, alive), MEMBER(slot, age)};

static const member fluid_members[] = {MEMBER(fluid, mass)};

static const member solid_members[] = {MEMBER(solid, body)};
static const char *const solid_dropped[] = {"state.impulse", "state.moment", "state.impulse_time", "state.impulse_read",
                                            NULL};

static const member body_members[] = {
    MEMBER(body, solid),
    MEMBER(body, x),
    MEMBER(body, q),
    MEMBER(body, v),
    MEMBER(body, w),
    MEMBER(body, force),
    MEMBER(body, torque),
    MEMBER_ADDED(body, push),
    MEMBER_ADDED(body, twist),
    MEMBER_ADDED(body, seam),
    MEMBER_ADDED(body, seam_now),
    MEMBER_ADDED(body, seam_offset),
    MEMBER_ADDED(body, pressed[0]),
    MEMBER_ADDED(body, pressed[1]),
    MEMBER_ADDED(body, pressed_over),
    MEMBER_ADDED(body, debt.owed),
    MEMBER_ADDED(body, debt.later),
    MEMBER_ADDED(body, debt.lift),
    MEMBER_ADDED(body, debt.over),
    MEMBER_ADDED(body, fluid_impulse),
    MEMBER_ADDED(body, fluid_moment),
    MEMBER_ADDED(body, wetting.wet),
    MEMBER_ADDED(body, wetting.entered),
    MEMBER_ADDED(body, wetting.left),
    MEMBER_ADDED(body, wetting.particles),
    MEMBER_ADDED(body, wetting.splash_speed),
    MEMBER_ADDED(body, wetting.point.x),
    MEMBER_ADDED(body, wetting.point.y),
    MEMBER_ADDED(body, wetting.point.z),
    MEMBER_ADDED(body, wetting.normal.x),
    MEMBER_ADDED(body, wetting.normal.y),
    MEMBER_ADDED(body, wetting.normal.z),
    MEMBER(body, angle),
    MEMBER(body, asleep),
    MEMBER(body, island),
    MEMBER(body, rest_time),
    MEMBER(body, calm),
    MEMBER(body, drift),
    MEMBER_ADDED(body, drive.by_host),
    MEMBER_ADDED(body, drive.due),
    MEMBER_ADDED(body, drive.since),
    MEMBER_ADDED(body, drive.until),
    MEMBER_ADDED(body, drive.x),
    MEMBER_ADDED(body, drive.q),
    MEMBER_ADDED(body, drive.angle),
    MEMBER_ADDED(body, drive.v),
    MEMBER_ADDED(body, drive.w),
    MEMBER_ADDED(body, drive.goal_x),
    MEMBER_ADDED(body, drive.goal_q),
    MEMBER_ADDED(body, host.moves),
    MEMBER_ADDED(body, host.asleep),
    MEMBER_ADDED(body, host.due),
    MEMBER_ADDED(body, host.foretold),
    MEMBER_ADDED(body, host.gravity),
    MEMBER_ADDED(body, host.next_v),
    MEMBER_ADDED(body, host.next_w),
    MEMBER_ADDED(body, host.gain_v),
    MEMBER_ADDED(body, host.gain_w),
    MEMBER_ADDED(body, host.taken),
    MEMBER_ADDED(body, host.taken_moment),
    MEMBER_ADDED(body, host.ballast),
    MEMBER_ADDED(body, host.untold),
    /* Masses follow from the shape, except for hosted bodies. */
    MEMBER_ADDED(body, mass),
    MEMBER_ADDED(body, inverse_mass),
    MEMBER_ADDED(body, loose),
    MEMBER_ADDED(body, inertia[0]),
    MEMBER_ADDED(body, inertia[1]),
    MEMBER_ADDED(body, inertia[2]),
    MEMBER_ADDED(body, inverse_inertia[0]),
    MEMBER_ADDED(body, inverse_inertia[1]),
    MEMBER_ADDED(body, inverse_inertia[2]),
    MEMBER_ADDED(body, start),
};
static const char *const body_dropped[] = {"state.fluid_force", "state.fluid_torque", NULL};

static const member joint_members[] = {
    MEMBER(joint, a),
    MEMBER(joint, b),
    MEMBER(joint, arm_a),
    MEMBER(joint, arm_b),
    MEMBER(joint, axis_a),
    MEMBER(joint, axis_b),
    MEMBER(joint, rest),
    MEMBER(joint, length),
    MEMBER(joint, lambda),
    MEMBER(joint, load_force),
    MEMBER(joint, load_torque),
    MEMBER(joint, position),
    MEMBER(joint, speed),
    MEMBER(joint, broken),
    MEMBER_ADDED(joint, gear_a),
    MEMBER_ADDED(joint, gear_b),
    MEMBER_ADDED(joint, resist),
};

static const member emitter_members[] = {
    MEMBER(emitter, emitted),
    MEMBER(emitter, layers),
    MEMBER_ADDED(emitter, first_due),
};

static const member sink_members[] = {MEMBER(sink, removed)};

/* The history of gauges, on which only their readings depend. */
static const member gauge_members[] = {
    MEMBER_OPTIONAL(gauge, bins),    MEMBER_OPTIONAL(gauge, bin),   MEMBER_OPTIONAL(gauge, filled),
    MEMBER_OPTIONAL(gauge, watched), MEMBER_OPTIONAL(gauge, turns), MEMBER_OPTIONAL(gauge, twist),
};

#define SLOT PART_MEMBERS("slot", slot_members)

static const row_part fluid_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_FLUID, offsetof(fluid, def)),
    PART_MEMBERS("state", fluid_members),
};
static const row_part solid_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_SOLID, offsetof(solid, def)),
    PART_TABLE("", RILL_OBJECT_SHAPE, offsetof(solid, def.shape)),
    PART_TABLE("motion", RILL_OBJECT_MOTION, offsetof(solid, def.motion)),
    PART_MEMBERS_BUT("state", solid_members, solid_dropped),
};
/* Shape and motion of a body are saved with its surface. */
static const row_part body_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_BODY, offsetof(body, def)),
    PART_MEMBERS_BUT("state", body_members, body_dropped),
};
static const row_part joint_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_JOINT, offsetof(joint, def)),
    PART_MEMBERS("state", joint_members),
};
static const row_part emitter_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_EMITTER, offsetof(emitter, def)),
    PART_MEMBERS("state", emitter_members),
};
static const row_part sink_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_SINK, offsetof(sink, def)),
    PART_TABLE("", RILL_OBJECT_SHAPE, offsetof(sink, def.shape)),
    PART_MEMBERS("state", sink_members),
};
static const row_part cloth_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_CLOTH, offsetof(cloth, def)),
};
static const member pin_members[] = {MEMBER_OPTIONAL(pin, impulse)};
static const row_part pin_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_PIN, offsetof(pin, def)),
    PART_TABLE("motion", RILL_OBJECT_MOTION, offsetof(pin, def.motion)),
    PART_MEMBERS("state", pin_members),
};
static const row_part gauge_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_GAUGE, offsetof(gauge, def)),
    PART_MEMBERS("state", gauge_members),
};

static const row_part group_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_GROUP, offsetof(group, def)),
};
static const row_part area_parts[] = {
    SLOT,
    PART_TABLE("", RILL_OBJECT_AREA, offsetof(area, def)),
    PART_TABLE("", RILL_OBJECT_SHAPE, offsetof(area, def.shape)),
};

#define POOL(name_, type, parts_, shape_at_, most_, ...)                                                  \
    {                                                                                                     \
        .name = #name_, .pool = offsetof(rill_world, name_), .size = sizeof(type),                        \
        .name_at = offsetof(type, def.name), .shape_at = (shape_at_), .most = (most_), .parts = (parts_), \
        .part_count = (int)(sizeof(parts_) / sizeof *(parts_)), __VA_ARGS__                               \
    }

const pool_layout rill_pool_layouts[POOL_COUNT] = {
    [POOL_FLUIDS] = POOL(fluids, fluid, fluid_parts, 0, WORLD_FLUIDS_MAX),
    [POOL_SOLIDS] = POOL(solids, solid, solid_parts, offsetof(solid, def.shape), WORLD_OBJECTS_MAX),
    [POOL_BODIES] = POOL(bodies, body, body_parts, 0, WORLD_OBJECTS_MAX),
    [POOL_JOINTS] = POOL(joints, joint, joint_parts, 0, WORLD_OBJECTS_MAX),
    [POOL_EMITTERS] = POOL(emitters, emitter, emitter_parts, 0, WORLD_OBJECTS_MAX),
    [POOL_SINKS] = POOL(sinks, sink, sink_parts, offsetof(sink, def.shape), WORLD_OBJECTS_MAX),
    [POOL_CLOTHS] = POOL(cloths, cloth, cloth_parts, 0, WORLD_CLOTHS_MAX, .optional = true),
    [POOL_PINS] = POOL(pins, pin, pin_parts, 0, WORLD_OBJECTS_MAX, .optional = true),
    [POOL_GAUGES] = POOL(gauges, gauge, gauge_parts, 0, WORLD_OBJECTS_MAX),
    [POOL_GROUPS] = POOL(groups, group, group_parts, 0, WORLD_OBJECTS_MAX, .optional = true),
    [POOL_AREAS] = POOL(areas, area, area_parts, offsetof(area, def.shape), WORLD_OBJECTS_MAX, .optional = true),
};

const row_part rill_block_parts[PARTS_OF_BLOCK] = {
    PART_TABLE("", RILL_OBJECT_BLOCK, 0),
    PART_TABLE("", RILL_OBJECT_SHAPE, offsetof(rill_block_def, shape)),
};

static const member owner_members[] = {MEMBER(part_row, owner)};
const row_part rill_part_row_parts[PARTS_OF_PART] = {
    PART_MEMBERS("", owner_members),
    PART_TABLE("", RILL_OBJECT_SHAPE, offsetof(part_row, shape)),
};

/* Impulses between surfaces, from which the next step starts. */
static const member contact_memory_members[] = {MEMBER(contact_memory, key), MEMBER(contact_memory, lambda)};
const row_part rill_contact_memory_part = PART_MEMBERS("", contact_memory_members);

/* Events of the last call, by which the next one distinguishes new contacts from continuing ones. */
static const member contact_members[] = {
    MEMBER_ADDED(rill_contact, touching), MEMBER_ADDED(rill_contact, began),     MEMBER_ADDED(rill_contact, ended),
    MEMBER(rill_contact, a.index1),       MEMBER(rill_contact, a.age),           MEMBER(rill_contact, b.index1),
    MEMBER(rill_contact, b.age),          MEMBER(rill_contact, body_a.index1),   MEMBER(rill_contact, body_a.age),
    MEMBER(rill_contact, body_b.index1),  MEMBER(rill_contact, body_b.age),      MEMBER(rill_contact, point),
    MEMBER(rill_contact, normal),         MEMBER(rill_contact, impulse),         MEMBER_ADDED(rill_contact, force),
    MEMBER(rill_contact, pressing),       MEMBER_ADDED(rill_contact, hit_speed), MEMBER(rill_contact, depth),
};
static const char *const contact_dropped[] = {"kind", NULL};
const row_part rill_contact_part = PART_MEMBERS_BUT("", contact_members, contact_dropped);

static const member world_members[] = {
    MEMBER_AS(rill_world, scene_changed, "params_dirty"),
    MEMBER(rill_world, failed),
    MEMBER(rill_world, derived),
    MEMBER(rill_world, support),
    MEMBER_ADDED(rill_world, method_since),
    MEMBER_ADDED(rill_world, last_dt),
    MEMBER_ADDED(rill_world, energy.balance),
    MEMBER_ADDED(rill_world, energy.least),
    MEMBER_ADDED(rill_world, energy.scale),
    MEMBER(rill_world, blocks_digest),
    MEMBER_ADDED(rill_world, call_time),
    MEMBER_ADDED(rill_world, idle),
    MEMBER_WIDENED_AS(rill_world, particles.next_id, "next_particle_id"),
    MEMBER_AS(rill_world, stats.step, "step"),
    MEMBER_AS(rill_world, stats.time, "time"),
    MEMBER_ROW(rill_world, stats.lead, "lead", .may_lack = true),
    MEMBER_AS(rill_world, stats.dt, "dt"),
    MEMBER_AS(rill_world, stats.dt_bound, "dt_bound"),
    MEMBER_AS(rill_world, stats.density_error_mean, "density_error_mean"),
    MEMBER_AS(rill_world, stats.density_error_max, "density_error_max"),
    MEMBER_AS(rill_world, stats.neighbours_mean, "neighbours_mean"),
    MEMBER_AS(rill_world, stats.max_speed, "max_speed"),
    MEMBER_AS(rill_world, stats.kinetic_energy, "kinetic_energy"),
    MEMBER_AS(rill_world, stats.potential_energy, "potential_energy"),
    MEMBER_ROW(rill_world, stats.energy_gain, "energy_gain", .may_lack = true),
    MEMBER_ROW(rill_world, stats.energy_time, "energy_time", .may_lack = true),
    MEMBER_ROW(rill_world, stats.energy_place, "energy_place", .may_lack = true),
    MEMBER_ROW(rill_world, stats.strayed, "strayed", .may_lack = true),
    MEMBER_ROW(rill_world, stats.expired, "expired", .may_lack = true),
    MEMBER_ROW(rill_world, stats.runaways, "runaways", .may_lack = true),
    MEMBER_AS(rill_world, stats.emitted, "emitted"),
    MEMBER_AS(rill_world, stats.removed, "removed"),
    MEMBER_AS(rill_world, stats.left_out, "left_out"),
};
const row_part rill_world_state_part = PART_MEMBERS("", world_members);

row_part rill_world_def_part(void) {
    return (row_part)PART_TABLE("", RILL_OBJECT_WORLD, 0);
}

row_part rill_method_part(const rill_world *w) {
    return (row_part){.prefix = "", .table = rill_world_method(w)->table};
}

row_value rill_field_value(const field *f) {
    static const uint32_t types[] = {[RILL_SCALAR_FLOAT] = COLUMN_F32,
                                     [RILL_SCALAR_UINT32] = COLUMN_U32,
                                     [RILL_SCALAR_INT32] = COLUMN_I32,
                                     [RILL_SCALAR_UINT64] = COLUMN_U64};
    const bool state = f->def.flags & FIELD_SORT; /* other fields are rebuilt in every step */
    row_value v = {.type = types[f->def.scalar], .width = (uint32_t)f->def.width, .size = f->size};
    v.flags = state ? 0 : COLUMN_OPTIONAL;
    v.may_lack = !state;
    v.was_narrow = f->def.flags & FIELD_WIDENED;
    snprintf(v.name, sizeof v.name, "%s", f->def.name);
    return v;
}

pool *rill_pool_of(const pool_layout *layout, rill_world *w) {
    return (pool *)(void *)((char *)w + layout->pool);
}

static const pool *pool_in(const pool_layout *layout, const rill_world *w) {
    return (const pool *)(const void *)((const char *)w + layout->pool);
}

int rill_pool_parts(const pool_layout *layout, const rill_world *w, row_part parts[POOL_PARTS_MAX]) {
    const rill_table *added = pool_in(layout, w)->method_table;
    int count = 0;
    for (int k = 0; k < layout->part_count; k++) {
        parts[count++] = layout->parts[k];
        if (k == 0 && added) parts[count++] = (row_part){.prefix = w->def.method, .table = added, .beside = true};
    }
    return count;
}

row_set rill_pool_rows(const pool_layout *layout, const rill_world *w) {
    const pool *p = pool_in(layout, w);
    row_set rows = {.data = p->items.data, .stride = layout->size, .count = p->count, .slots = true};
    if (p->method_table) rows.beside = p->method_rows.data, rows.beside_stride = p->method_table->size;
    return rows;
}
