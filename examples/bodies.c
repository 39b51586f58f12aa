/* SPDX-License-Identifier: MIT */
/* Rigid bodies by themselves: a stack falls asleep, a keyframed pusher wakes it, events tell what touched what. */
#include <rill/rill.h>
#include <stdio.h>
#include <string.h>

static rill_world *world;

static void check(rill_status status) {
    if (status != RILL_OK) printf("%s\n", rill_world_message(world));
}

static rill_body_id add_box(const char *name, rill_body_kind kind, rill_vec min, rill_vec max, rill_motion motion) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.kind = kind;
    def.shape.min = min, def.shape.max = max;
    def.motion = motion;
    rill_body_id id;
    check(rill_world_add_body(world, &def, &id));
    return id;
}

int main(void) {
    rill_world_def def = rill_world_def_default(2);
    world = rill_world_create(&def, NULL);
    if (!world) return 1;
    rill_solid_def ground = rill_solid_def_default();
    ground.shape.kind = RILL_HALF_SPACE;
    check(rill_world_add_solid(world, &ground, NULL));

    const rill_motion none = rill_body_def_default().motion;
    add_box("low", RILL_BODY_DYNAMIC, (rill_vec){0, 0, 0}, (rill_vec){0.2f, 0.2f, 0}, none);
    const rill_body_id high =
        add_box("high", RILL_BODY_DYNAMIC, (rill_vec){0, 0.2f, 0}, (rill_vec){0.2f, 0.4f, 0}, none);

    /* Waits two seconds, then goes 40 cm to the right within one. */
    const float times[] = {2, 3};
    const rill_vec offsets[] = {{0, 0, 0}, {0.4f, 0, 0}};
    rill_motion push = none;
    push.times = (rill_numbers){times, 2}, push.offsets = (rill_points){offsets, 2};
    add_box("pusher", RILL_BODY_KINEMATIC, (rill_vec){-0.5f, 0.25f, 0}, (rill_vec){-0.1f, 0.35f, 0}, push);

    for (int step = 0; step < 4 * 120; step++) {
        check(rill_world_step(world, 1.0 / 120));
        const rill_contact *contacts = rill_world_contacts(world);
        for (int k = 0; k < rill_world_contact_count(world); k++)
            if (contacts[k].began && contacts[k].body_b.index1 > 0)
                printf("%.2f s: bodies %u and %u touch\n", rill_world_stats(world)->time, contacts[k].body_a.index1,
                       contacts[k].body_b.index1);
        if (step == 2 * 120 - 1) printf("%d asleep\n", rill_world_stats(world)->bodies_asleep);
    }

    /* A query: the nearest solid to the right of the pusher. */
    rill_hit hit;
    bool found;
    check(rill_world_query_ray(world, (rill_vec){0.35f, 0.1f, 0}, (rill_vec){1, 0, 0}, 10, NULL, &hit, &found));
    rill_body_state state;
    check(rill_world_body_state(world, high, &state));
    printf("the upper box fell to x = %.1f m; a ray meets %s\n", (double)state.position.x,
           found && hit.body.index1 == high.index1 ? "it" : "nothing");
    rill_world_destroy(world);
    return 0;
}
