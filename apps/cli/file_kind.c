/* SPDX-License-Identifier: MIT */
/* Telling the project's files apart. */
#include "file_kind.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

file_kind file_kind_of(const char *path) {
    struct stat status;
    char start[257] = {0};
    if (stat(path, &status) != 0) return FILE_NONE;
    if (S_ISDIR(status.st_mode)) return FILE_FOLDER;
    FILE *file = fopen(path, "rb");
    if (!file) return FILE_SCENE; /* whose reader says why it cannot be read */
    size_t size = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    if (strncmp(start, "ply", 3) == 0) return FILE_PLY;
    if (strncmp(start, "<?xml", 5) == 0 || strncmp(start, "<VTKFile", 8) == 0) return FILE_VTP;
    /* Snapshots hold zero bytes from their first numbers on; text never does. */
    return memchr(start, 0, size) ? FILE_SNAPSHOT : FILE_SCENE;
}
