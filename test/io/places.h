/* SPDX-License-Identifier: MIT */
/* Scratch folders and small worlds for the tests of files. Included once by each test program. */
#ifndef RILL_TEST_IO_PLACES_H
#define RILL_TEST_IO_PLACES_H

#include "io/io.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Age of the worlds below in seconds, exact in text and in floats. */
#define STEP (1.0 / 1048576.0)

/* A new empty folder; free() the name after remove_folder. */
static inline char *make_folder(void) {
    const char *parent = getenv("TMPDIR");
    char *folder = malloc(1024);
    if (!folder) return NULL;
    snprintf(folder, 1024, "%s/rill-test-XXXXXX", parent && *parent ? parent : "/tmp");
    return mkdtemp(folder);
}

static inline const char *in_folder(char *buffer, const char *folder, const char *name) {
    snprintf(buffer, 1024, "%s/%s", folder, name);
    return buffer;
}

static inline int count_entries(const char *folder) {
    int count = 0;
    DIR *directory = opendir(folder);
    if (!directory) return -1;
    while (readdir(directory)) count++;
    closedir(directory);
    return count - 2; /* . and .. */
}

/* Removes a folder of files. */
static inline void remove_folder(char *folder) {
    DIR *directory = opendir(folder);
    char path[1300];
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        snprintf(path, sizeof path, "%.1023s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) remove(path);
    }
    if (directory) closedir(directory);
    rmdir(folder);
    free(folder);
}

static inline int folder_set_up(void **state) {
    *state = make_folder();
    return *state ? 0 : -1;
}

static inline int folder_tear_down(void **state) {
    remove_folder(*state);
    return 0;
}

/* A cmocka test whose state is the name of a scratch folder. */
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_set_up, folder_tear_down)

/* A world of `count` particles after one short step (an empty one takes none). Ids have gaps: a third of 3/2 `count`
   particles is removed. With enough particles for several cells, ids do not follow the order of the arrays. */
static inline rill_world *make_world(int dim, int count) {
    rill_world_def def = rill_world_def_default(dim);
    def.spacing = 0.125f;
    def.workers = 1;
    rill_world *world = rill_world_create(&def, NULL);
    rill_fluid_def water = rill_fluid_def_default();
    rill_fluid_id fluid;
    if (!world || rill_world_add_fluid(world, &water, &fluid) != RILL_OK) return NULL;
    int made = count + count / 2;
    for (int k = 0; k < made; k++) {
        int place = (int)(k * 7919LL % made);
        rill_vec position = {0.125f * (float)(place % 10), 0.125f * (float)(place / 10),
                             dim == 3 ? 0.25f * (float)(place % 3) : 0};
        rill_vec velocity = {0.5f * (float)(k % 8), -1.0f, dim == 3 ? 0.25f * (float)(k % 5) : 0};
        if (rill_world_add_particle(world, fluid, position, velocity, NULL) != RILL_OK) return NULL;
    }
    for (int k = 1; k < made; k += 3) rill_world_remove_particle(world, (rill_particle_id)k);
    if (count == 0) return world;
    return rill_world_step(world, STEP) == RILL_OK ? world : NULL;
}

/* Writes a world as a frame in the order of ids. */
typedef rill_status frame_writer(const rill_frame *frame, const char *path, rill_error *error);
static inline rill_status write_world_with(frame_writer *write, const rill_world *world, const char *path,
                                           rill_error *error) {
    rill_frame frame = {0};
    rill_status status = rill_frame_of_world(&frame, world, error);
    if (status == RILL_OK) status = rill_frame_order_by_id(&frame, error);
    if (status == RILL_OK) status = write(&frame, path, error);
    rill_frame_free(&frame);
    return status;
}

#endif
