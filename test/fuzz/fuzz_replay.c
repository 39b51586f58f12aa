/* SPDX-License-Identifier: MIT */
/* A main for fuzz targets without libFuzzer: feeds every file of the given folders as it is, cut short, and with bytes
   changed in a fixed pattern. Inputs that a fuzzer once found are kept in corpus/, so that what they broke stays
   fixed. */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>

/* Damaged copies of one file, of each kind. Fewer with sanitizers, where the fuzzers themselves make many more. */
#ifdef RILL_SANITIZED
#define COPIES 50
#else
#define COPIES 200
#endif

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    uint8_t *data = NULL;
    size_t length = 0, capacity = 0;
    for (size_t got = 1; got > 0; length += got) {
        capacity = 2 * capacity + 4096;
        uint8_t *grown = realloc(data, capacity);
        FUZZ_CHECK(grown, "no memory for %s", path);
        data = grown;
        got = fread(data + length, 1, capacity - length, file);
    }
    fclose(file);
    *size = length;
    return data;
}

/* A copy of exactly the right size, so that a sanitizer sees a read past the end. */
static void feed(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    FUZZ_CHECK(copy, "no memory for %zu bytes", size);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void replay(uint8_t *data, size_t size) {
    feed(data, size);
    for (size_t k = 0; k < COPIES && size > 0; k++) {
        feed(data, k < size ? k * size / COPIES : size);
        size_t at = (k * size / COPIES + k * k) % size;
        uint8_t kept = data[at];
        data[at] = (uint8_t)(k % 3 == 0 ? 0xFF : k % 3 == 1 ? kept + 1 : "{}[],:\"9-e"[k % 10]);
        feed(data, size);
        data[at] = kept;
    }
}

static int replay_folder(const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory) {
        fprintf(stderr, "%s cannot be opened\n", folder);
        exit(1);
    }
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[1024];
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        uint8_t *data = entry->d_name[0] == '.' ? NULL : read_file(path, &size);
        if (!data) continue;
        replay(data, size);
        free(data);
        count++;
    }
    closedir(directory);
    return count;
}

int main(int argc, char **argv) {
    int count = 0;
    for (int k = 1; k < argc; k++) count += replay_folder(argv[k]);
    printf("%d files, each with %d damaged copies\n", count, 2 * COPIES);
    return count > 0 ? 0 : 1;
}
