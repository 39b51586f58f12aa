/* SPDX-License-Identifier: MIT */
/* Tables hold whole rows at any moment, and a resumed run continues at the time of its snapshot. */
#include "io/places.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

static const char *const columns[] = {"time", "height", "force, x"};
#define HEADER "time,height,\"force, x\"\n"

static void assert_text(const char *path, const char *text) {
    void *data;
    size_t size;
    assert_int_equal(rill_io_read_whole(path, &data, &size, NULL), RILL_OK);
    assert_string_equal((const char *)data, text);
    free(data);
}

static void put(const char *path, const char *text) {
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void rows_are_visible_at_once(void **state) {
    char path[1024];
    in_folder(path, *state, "t.csv");
    put(path, "rubbish of an earlier run");
    io_csv *csv = rill_io_csv_open(path, columns, 3, -1.0, NULL);
    assert_non_null(csv);
    assert_text(path, HEADER);
    assert_int_equal(rill_io_csv_row(csv, (double[]){0.1, 1.0 / 3.0, -2e-300}, NULL), RILL_OK);
    assert_text(path, HEADER "0.1,0.333333333,-2e-300\n");
    assert_int_equal(rill_io_csv_row(csv, (double[]){0.2, -(double)NAN, HUGE_VAL}, NULL), RILL_OK);
    assert_text(path, HEADER "0.1,0.333333333,-2e-300\n0.2,,inf\n");
    assert_int_equal(rill_io_csv_close(csv, NULL), RILL_OK);
    assert_int_equal(count_entries(*state), 1);
}

static void resume_drops_later_and_broken_rows(void **state) {
    char path[1024];
    in_folder(path, *state, "t.csv");
    /* The snapshot's time has more digits than the row it belongs to: 0.2 + 1e-12 is written as 0.2. */
    static const double times[] = {0.2, 0.2 + 1e-12, 0.2 - 1e-12};
    for (int k = 0; k < 3; k++) {
        put(path, HEADER "0.1,1,2\n0.2,3,4\n0.3,5,6\n0.4,7");
        io_csv *csv = rill_io_csv_open(path, columns, 3, times[k], NULL);
        assert_non_null(csv);
        assert_text(path, HEADER "0.1,1,2\n0.2,3,4\n");
        assert_int_equal(rill_io_csv_row(csv, (double[]){0.3, 8, 9}, NULL), RILL_OK);
        assert_int_equal(rill_io_csv_close(csv, NULL), RILL_OK);
        assert_text(path, HEADER "0.1,1,2\n0.2,3,4\n0.3,8,9\n");
    }
}

static void resume_without_a_file_starts_one(void **state) {
    char path[1024];
    io_csv *csv = rill_io_csv_open(in_folder(path, *state, "t.csv"), columns, 3, 5.0, NULL);
    assert_non_null(csv);
    assert_int_equal(rill_io_csv_close(csv, NULL), RILL_OK);
    assert_text(path, HEADER);
}

static void foreign_files_are_left_alone(void **state) {
    char path[1024];
    rill_error error;
    in_folder(path, *state, "t.csv");
    static const char *const foreign[] = {"time,width\n0.1,1\n", HEADER "0.1,1,2\nhello,3,4\n", "time,hei"};
    for (int k = 0; k < 3; k++) {
        put(path, foreign[k]);
        assert_null(rill_io_csv_open(path, columns, 3, 1.0, &error));
        assert_int_equal(error.status, RILL_FORMAT);
        assert_non_null(strstr(error.text, path));
        assert_non_null(strstr(error.text, k == 1 ? "line 3" : "line 1"));
        assert_text(path, foreign[k]);
    }
    assert_null(rill_io_csv_open(path, columns, 0, 1.0, &error));
    assert_int_equal(error.status, RILL_INVALID);
}

/* The limit of the file size stands for a disk that fills up in the middle of a row. */
static void a_full_disk_leaves_whole_rows(void **state) {
    char path[1024];
    rill_error error;
    struct rlimit limit;
    const double row[3] = {0.125, 1, 2};
    io_csv *csv = rill_io_csv_open(in_folder(path, *state, "t.csv"), columns, 3, -1.0, &error);
    assert_non_null(csv);
    assert_int_equal(rill_io_csv_row(csv, row, &error), RILL_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = strlen(HEADER "0.125,1,2\n") + 4;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    rill_status status = rill_io_csv_row(csv, row, &error);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(status, RILL_IO);
    assert_non_null(strstr(error.text, path));
    assert_text(path, HEADER "0.125,1,2\n");
    assert_int_equal(rill_io_csv_row(csv, row, &error), RILL_OK);
    assert_text(path, HEADER "0.125,1,2\n0.125,1,2\n");
    assert_int_equal(rill_io_csv_close(csv, &error), RILL_OK);
}

int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(rows_are_visible_at_once),         IN_A_FOLDER(resume_drops_later_and_broken_rows),
        IN_A_FOLDER(resume_without_a_file_starts_one), IN_A_FOLDER(foreign_files_are_left_alone),
        IN_A_FOLDER(a_full_disk_leaves_whole_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
