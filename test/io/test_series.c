/* SPDX-License-Identifier: MIT */
/* The list of a series is well-formed after every single write, and is not written again with every frame. */
#include "io/places.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define FILES 2000

static char list_path[1024];
static int writes, torn;

/* The number of entries that a reader finds, or -1 if the XML is not well-formed. */
static int count_readable(void) {
    static const char head[] = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                               "byte_order=\"LittleEndian\">\n<Collection>\n";
    static const char tail[] = "</Collection>\n</VTKFile>\n";
    void *data;
    size_t size;
    int count = 0;
    assert_int_equal(rill_io_read_whole(list_path, &data, &size, NULL), RILL_OK);
    const char *c = data;
    bool whole = strncmp(c, head, strlen(head)) == 0;
    for (c += whole ? strlen(head) : 0; whole && strncmp(c, tail, strlen(tail)) != 0;) {
        const char *end = strchr(c, '\n');
        const bool entry = strncmp(c, "<DataSet ", 9) == 0;
        whole = end && (*c == '\n' || (entry && end[-1] == '>' && end[-2] == '/'));
        count += whole && entry;
        c = whole ? end + 1 : c;
    }
    /* after the root: blanks, and a processing instruction that is closed at the very end */
    if (whole) c += strlen(tail);
    const char *closing = whole ? strstr(c, "?>") : NULL;
    whole = whole && (*c == '\0' || (strncmp(c, "<?room ", 7) == 0 && closing && strcmp(closing, "?>\n") == 0));
    free(data);
    return whole ? count : -1;
}

/* Replaces the C library's function, and reads the list after every write: a kill may come between two writes, but not
   within one that stays in a page. */
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t at) {
    const ssize_t written = lseek(descriptor, at, SEEK_SET) == at ? write(descriptor, bytes, size) : -1;
    writes++;
    if (at / 4096 != (at + (off_t)size - 1) / 4096 || count_readable() < 1) torn++;
    return written;
}

static void grows_without_being_written_again(void **state) {
    io_series series = {0};
    rill_error error = {RILL_OK, ""};
    ino_t before = 0;
    int replaced = 0;
    writes = torn = 0;
    in_folder(series.path, *state, "s.pvd");
    strcpy(list_path, series.path);
    for (int k = 0; k < FILES; k++) {
        char name[64];
        snprintf(name, sizeof name, "frames/frame_%0*d.vtp", 5 + k % 7, k);
        if (rill_io_series_add(&series, 0.1 * k, name, &error) != RILL_OK) fail_msg("%s", error.text);
        if (k % 50 == 0 || k < 100) assert_int_equal(count_readable(), k + 1);
        struct stat status;
        assert_int_equal(stat(list_path, &status), 0);
        replaced += status.st_ino != before;
        before = status.st_ino;
    }
    assert_true(replaced <= 8);
    assert_true(writes >= FILES - replaced);
    assert_int_equal(torn, 0);
    assert_int_equal(rill_io_series_close(&series, &error), RILL_OK);
    assert_int_equal(count_readable(), FILES);
    void *data;
    size_t size;
    assert_int_equal(rill_io_read_whole(list_path, &data, &size, NULL), RILL_OK);
    assert_null(strstr(data, "?room"));
    free(data);
    assert_int_equal(count_entries(*state), 1);
}

static void goes_on_behind_what_is_restored(void **state) {
    io_series series = {0};
    in_folder(series.path, *state, "r.pvd");
    strcpy(list_path, series.path);
    for (int k = 0; k < 100; k++) assert_int_equal(rill_io_series_restore(&series, k, "old.vtp", NULL), RILL_OK);
    assert_int_equal(count_entries(*state), 0);
    for (int k = 1; k <= 100; k++) {
        assert_int_equal(rill_io_series_add(&series, 100 + k, "a \"<new>\" & b?>.vtp", NULL), RILL_OK);
        assert_int_equal(count_readable(), 100 + k);
    }
    assert_int_equal(rill_io_series_close(&series, NULL), RILL_OK);
    assert_int_equal(rill_io_series_close(&series, NULL), RILL_OK);
    assert_int_equal(count_readable(), 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(grows_without_being_written_again),
        IN_A_FOLDER(goes_on_behind_what_is_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
