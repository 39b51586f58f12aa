/* SPDX-License-Identifier: MIT */
/* Tells the project's files apart. */
#include "apps/cli/show/file_kind.h"

#include "io/file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

file_kind file_kind_of(const char *path) {
    struct stat status;
    char start[257] = {0};
    if (stat(path, &status) != 0) return FILE_NONE;
    if (S_ISDIR(status.st_mode)) return FILE_FOLDER;
    const int file = rill_io_open_input(path, NULL);
    if (file < 0) return FILE_SCENE; /* the scene reader then explains why the file cannot be opened */
    const ssize_t size = read(file, start, sizeof start - 1);
    close(file);
    if (strncmp(start, "ply", 3) == 0) return FILE_PLY;
    if (strncmp(start, "<?xml", 5) == 0 || strncmp(start, "<VTKFile", 8) == 0) return FILE_VTP;
    /* Snapshots contain zero bytes within their first numbers; text never does. */
    return size > 0 && memchr(start, 0, (size_t)size) ? FILE_SNAPSHOT : FILE_SCENE;
}
