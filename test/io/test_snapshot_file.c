/* SPDX-License-Identifier: MIT */
/* Snapshots as files: they are read back, and a failed save keeps the last good one. */
#include "io/places.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

static void snapshots_come_back(void **state) {
    char path[1024];
    rill_error error = {RILL_OK, ""};
    rill_world *world = make_world(3, 40);
    assert_non_null(world);
    in_folder(path, *state, "state.rill");
    assert_int_equal(rill_io_save_snapshot(world, path, &error), RILL_OK);
    rill_world *loaded = rill_io_load_snapshot(path, NULL, &error);
    assert_non_null(loaded);
    assert_int_equal(rill_world_particle_count(loaded), 40);
    assert_int_equal(rill_world_get_def(loaded)->dim, 3);
    assert_int_equal(rill_world_hash(loaded), rill_world_hash(world));
    rill_world_destroy(loaded);
    rill_world_destroy(world);
}

static void a_full_disk_keeps_the_last_snapshot(void **state) {
    char path[1024];
    rill_error error = {RILL_OK, ""};
    rill_world *small = make_world(2, 10), *large = make_world(2, 4000);
    assert_non_null(small);
    assert_non_null(large);
    in_folder(path, *state, "state.rill");
    assert_int_equal(rill_io_save_snapshot(small, path, &error), RILL_OK);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 20000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    rill_status status = rill_io_save_snapshot(large, path, &error);
    rill_status vtp_status = write_world_with(rill_io_write_vtp, large, path, NULL);
    rill_status ply_status = write_world_with(rill_io_write_ply, large, path, NULL);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(status, RILL_IO);
    assert_int_equal(vtp_status, RILL_IO);
    assert_int_equal(ply_status, RILL_IO);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "File too large"));
    assert_int_equal(count_entries(*state), 1);
    rill_world *loaded = rill_io_load_snapshot(path, NULL, &error);
    assert_non_null(loaded);
    assert_int_equal(rill_world_particle_count(loaded), 10);
    rill_world_destroy(loaded);
    rill_world_destroy(small);
    rill_world_destroy(large);
}

static void bad_snapshots_name_the_file(void **state) {
    char path[1024];
    rill_error error = {RILL_OK, ""};
    in_folder(path, *state, "none.rill");
    assert_null(rill_io_load_snapshot(path, NULL, &error));
    assert_int_equal(error.status, RILL_IO);
    assert_non_null(strstr(error.text, path));
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs("RILLSNAP and no more", stream);
    fclose(stream);
    assert_null(rill_io_load_snapshot(path, NULL, &error));
    assert_int_equal(error.status, RILL_FORMAT);
    assert_non_null(strstr(error.text, path));
}

int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(snapshots_come_back),
        IN_A_FOLDER(a_full_disk_keeps_the_last_snapshot),
        IN_A_FOLDER(bad_snapshots_name_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
