/* SPDX-License-Identifier: MIT */
/* Atomic files: the old file or the new one, never a part; messages name the path, the cause and a remedy. */
#include "io/places.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text) {
    io_file file;
    rill_error error;
    assert_int_equal(rill_io_open(&file, path, &error), RILL_OK);
    fputs(text, file.stream);
    assert_int_equal(rill_io_commit(&file, &error), RILL_OK);
}

static void assert_text(const char *path, const char *text) {
    void *data;
    size_t size;
    assert_int_equal(rill_io_read_whole(path, &data, &size, NULL), RILL_OK);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(data, text, size);
    free(data);
}

static void limit_file_size(rlim_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void commit_replaces_the_old_file(void **state) {
    char path[1024];
    char *folder = *state;
    in_folder(path, folder, "a.txt");
    write_text(path, "old");
    io_file file;
    assert_int_equal(rill_io_open(&file, path, NULL), RILL_OK);
    fputs("new", file.stream);
    fflush(file.stream);
    assert_text(path, "old");
    assert_int_equal(rill_io_commit(&file, NULL), RILL_OK);
    assert_text(path, "new");
    assert_int_equal(count_entries(folder), 1);
}

static void new_files_obey_the_umask(void **state) {
    char path[1024];
    mode_t old = umask(027);
    write_text(in_folder(path, *state, "mode.txt"), "x");
    umask(old);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void abandon_leaves_nothing(void **state) {
    char path[1024];
    io_file file;
    assert_int_equal(rill_io_open(&file, in_folder(path, *state, "b.txt"), NULL), RILL_OK);
    fputs("half", file.stream);
    rill_io_abandon(&file);
    rill_io_abandon(&file);
    assert_int_equal(count_entries(*state), 0);
}

/* The limit of the file size stands for a full disk: a write in the middle fails. */
static void failed_write_keeps_the_old_file(void **state) {
    char path[1024], *folder = *state;
    write_text(in_folder(path, folder, "c.txt"), "precious");
    rill_error error = {RILL_OK, ""};
    io_file file;
    static const char block[3000];
    /* With 2 blocks the last flush fails, with 20 a write long before it. */
    for (int blocks = 2; blocks <= 20; blocks += 18) {
        assert_int_equal(rill_io_open(&file, path, &error), RILL_OK);
        limit_file_size(4096);
        for (int k = 0; k < blocks; k++) fwrite(block, 1, sizeof block, file.stream);
        rill_status status = rill_io_commit(&file, &error);
        limit_file_size(RLIM_INFINITY);
        assert_int_equal(status, RILL_IO);
        assert_int_equal(error.status, RILL_IO);
        assert_non_null(strstr(error.text, path));
        assert_non_null(strstr(error.text, "File too large"));
        assert_non_null(strstr(error.text, "ulimit -f"));
        assert_text(path, "precious");
        assert_int_equal(count_entries(folder), 1);
    }
}

/* A disk that is full for a while and has room again when the file is closed: the gap must not go unnoticed. */
static void a_passing_failure_is_remembered(void **state) {
    char path[1024], *folder = *state;
    write_text(in_folder(path, folder, "d.txt"), "precious");
    rill_error error = {RILL_OK, ""};
    io_file file;
    static const char block[3000];
    assert_int_equal(rill_io_open(&file, path, &error), RILL_OK);
    limit_file_size(4096);
    for (int k = 0; k < 20; k++) fwrite(block, 1, sizeof block, file.stream);
    limit_file_size(RLIM_INFINITY);
    assert_int_equal(rill_io_commit(&file, &error), RILL_IO);
    assert_non_null(strstr(error.text, path));
    assert_text(path, "precious");
    assert_int_equal(count_entries(folder), 1);
}

static void unusable_targets_are_refused(void **state) {
    char path[1024];
    rill_error error;
    io_file file;
    assert_int_equal(rill_io_open(&file, in_folder(path, *state, "no/such/folder.txt"), &error), RILL_IO);
    assert_non_null(strstr(error.text, "No such file"));
    assert_non_null(strstr(error.text, "create the folder"));
    assert_int_equal(rill_io_open(&file, *state, &error), RILL_IO);
    assert_int_equal(rill_io_open(&file, "/dev/null", &error), RILL_IO);
    assert_non_null(strstr(error.text, "regular file"));
    assert_int_equal(rill_io_open(&file, "", &error), RILL_INVALID);
    char long_path[2000];
    memset(long_path, 'a', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = '\0';
    assert_int_equal(rill_io_open(&file, long_path, &error), RILL_INVALID);
    assert_int_equal(rill_io_make_directory(long_path, &error), RILL_INVALID);
    assert_int_equal(count_entries(*state), 0);
}

static void directories_are_made_with_parents(void **state) {
    char path[1024], inner[1024];
    rill_error error;
    in_folder(path, *state, "one//two/three/");
    assert_int_equal(rill_io_make_directory(path, &error), RILL_OK);
    assert_int_equal(rill_io_make_directory(path, &error), RILL_OK);
    assert_int_equal(count_entries(path), 0);
    write_text(in_folder(inner, *state, "file"), "");
    in_folder(path, *state, "file/below");
    assert_int_equal(rill_io_make_directory(path, &error), RILL_IO);
    assert_non_null(strstr(error.text, inner));
    assert_int_equal(rill_io_make_directory("", &error), RILL_INVALID);
    rmdir(in_folder(path, *state, "one/two/three"));
    rmdir(in_folder(path, *state, "one/two"));
    rmdir(in_folder(path, *state, "one"));
}

static void reading_reports_what_is_wrong(void **state) {
    char path[1024];
    rill_error error;
    void *data;
    size_t size;
    assert_int_equal(rill_io_read_whole(in_folder(path, *state, "none"), &data, &size, &error), RILL_IO);
    assert_non_null(strstr(error.text, path));
    assert_int_equal(rill_io_read_whole(*state, &data, &size, &error), RILL_IO);
    write_text(in_folder(path, *state, "empty"), "");
    assert_int_equal(rill_io_read_whole(path, &data, &size, &error), RILL_OK);
    assert_int_equal(size, 0);
    assert_non_null(data);
    free(data);
    /* A file whose size the system does not report. */
    assert_int_equal(rill_io_read_whole("/proc/self/maps", &data, &size, &error), RILL_OK);
    assert_true(size > 0);
    free(data);
}

/* Neither a pipe without a writer nor an endless device blocks its reader. */
static void only_regular_files_are_read(void **state) {
    char path[1024];
    rill_error error;
    void *data;
    size_t size;
    assert_int_equal(mkfifo(in_folder(path, *state, "fifo"), 0600), 0);
    alarm(10);
    assert_int_equal(rill_io_read_whole(path, &data, &size, &error), RILL_IO);
    assert_non_null(strstr(error.text, "regular file"));
    assert_int_equal(rill_io_read_whole("/dev/zero", &data, &size, &error), RILL_IO);
    assert_non_null(strstr(error.text, "regular file"));
    alarm(0);
    char *text;
    write_text(in_folder(path, *state, "table"), "0123456789");
    assert_int_equal(rill_io_read_at_most(path, 9, &text, &size, &error), RILL_LIMIT);
    assert_int_equal(rill_io_read_at_most("/proc/self/maps", 100, &text, &size, &error), RILL_LIMIT);
    assert_int_equal(rill_io_read_at_most(path, 10, &text, &size, &error), RILL_OK);
    assert_string_equal(text, "0123456789");
    free(text);
    /* A sparse file beyond the limit: refused before memory is allocated. */
    assert_int_equal(truncate(path, (off_t)IO_FILE_MAX + 1), 0);
    assert_int_equal(rill_io_read_whole(path, &data, &size, &error), RILL_LIMIT);
}

/* Temporary files of a killed process are removed; files that only look like them stay. */
static void stale_files_are_removed(void **state) {
    char path[1024], *folder = *state;
    const pid_t gone = fork();
    if (gone == 0) {
        io_file file;
        rill_io_open(&file, in_folder(path, folder, "a.txt"), NULL);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(gone, NULL, 0), gone);
    assert_int_equal(count_entries(folder), 1);
    io_file ours;
    char name[64];
    assert_int_equal(rill_io_open(&ours, in_folder(path, folder, "b.txt"), NULL), RILL_OK);
    write_text(in_folder(path, folder, "mine.tmp"), "x");
    snprintf(name, sizeof name, "a.txt.tmp%ld-0", (long)gone);
    write_text(in_folder(path, folder, name), "x");
    snprintf(name, sizeof name, ".rill-%ld-0.tmp.bak", (long)gone);
    write_text(in_folder(path, folder, name), "x");
    snprintf(name, sizeof name, ".rill-%ld-1.tmp", (long)gone);
    assert_int_equal(symlink("mine.tmp", in_folder(path, folder, name)), 0);
    assert_int_equal(count_entries(folder), 6);
    rill_io_remove_stale(folder);
    assert_int_equal(count_entries(folder), 5);
    snprintf(name, sizeof name, ".rill-%ld-0.tmp", (long)gone);
    assert_int_equal(access(in_folder(path, folder, name), F_OK), -1);
    assert_int_equal(rill_io_commit(&ours, NULL), RILL_OK);
}

int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(commit_replaces_the_old_file),
        IN_A_FOLDER(new_files_obey_the_umask),
        IN_A_FOLDER(abandon_leaves_nothing),
        IN_A_FOLDER(failed_write_keeps_the_old_file),
        IN_A_FOLDER(a_passing_failure_is_remembered),
        IN_A_FOLDER(unusable_targets_are_refused),
        IN_A_FOLDER(directories_are_made_with_parents),
        IN_A_FOLDER(reading_reports_what_is_wrong),
        IN_A_FOLDER(only_regular_files_are_read),
        IN_A_FOLDER(stale_files_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
