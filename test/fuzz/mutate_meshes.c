/* SPDX-License-Identifier: MIT */
/* mutate_meshes COUNT SEED FOLDER...: reads COUNT damaged copies of the meshes in the folders, builds the distance
   fields of those that still are meshes, and prints how many were read, how long the slowest took, and the memory of
   the largest. A crash, a mesh that takes more than five seconds, or memory beyond the bound of mesh_trial.h ends
   it. */
#include "core/hash.h"
#include "core/parallel.h"
#include "core/timer.h"
#include "fuzz/mesh_trial.h"
#include "geometry/field.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

enum { MAX_FILES = 200, MAX_SIZE = 1 << 20, MAX_CHANGES = 3, LIMIT_SECONDS = 5 };

typedef struct seed_file {
    char name[256]; /* of the damaged copies; only its ending matters */
    uint8_t *data;
    size_t size;
} seed_file;

typedef struct mutant {
    uint8_t *data;
    size_t size;
    uint64_t random;
} mutant;

/* Results of all trials. */
typedef struct tally {
    int read, refused, solids;
    double slowest;
    size_t most_memory;
} tally;

/* Number of the current mutant, for the signal handler's message. */
static volatile sig_atomic_t present;

static void out_of_time(int number) {
    (void)number;
    char text[] = "mutant 0000000000 takes too long\n";
    for (long n = present, at = 16; n > 0; n /= 10, at--) text[at] = (char)('0' + n % 10);
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

/* ---- damage ---- */

static uint64_t next_random(mutant *m) {
    return m->random = rill_hash_mix(m->random + UINT64_C(0x9e3779b97f4a7c15));
}

/* A number below `end`, or 0. */
static size_t below(mutant *m, size_t end) {
    return end > 0 ? (size_t)(next_random(m) % end) : 0;
}

/* Replaces `gone` bytes at `at` by `size` bytes. */
static void replace(mutant *m, size_t at, size_t gone, const void *bytes, size_t size) {
    if (m->size - gone + size > MAX_SIZE) return;
    uint8_t copy[4096];
    size = size < sizeof copy ? size : sizeof copy;
    memcpy(copy, bytes, size); /* the source may be a part of the mutant */
    memmove(m->data + at + size, m->data + at + gone, m->size - at - gone);
    memcpy(m->data + at, copy, size);
    m->size += size - gone;
}

/* Length of the word from `at` on, 0 between words. */
static size_t word_at(const mutant *m, size_t at) {
    size_t end = at;
    while (end < m->size && m->data[end] > ' ') end++;
    return end - at;
}

static void change_number(mutant *m) {
    static const char *const texts[] = {"-1",
                                        "0",
                                        "1",
                                        "99999999999999999999",
                                        "-2147483649",
                                        "4294967295",
                                        "nan",
                                        "1e999",
                                        "-1e9",
                                        "1e-999",
                                        "3",
                                        "255",
                                        "",
                                        "0x1p3",
                                        "inf",
                                        "123456789",
                                        "1000000",
                                        "65536"};
    const char *text = texts[below(m, sizeof texts / sizeof *texts)];
    size_t at = below(m, m->size);
    while (at > 0 && m->data[at - 1] > ' ') at--;
    replace(m, at, word_at(m, at), text, strlen(text));
}

static void change_bytes(mutant *m) {
    static const uint8_t blocks[][8] = {{0},
                                        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                        {0, 0, 0, 0x80},
                                        {0xff, 0xff, 0xff, 0x7f},
                                        {0, 0, 0x80, 0x7f},
                                        {0, 0, 0xc0, 0x7f},
                                        {1}};
    const size_t at = below(m, m->size), size = (size_t)1 << below(m, 4);
    if (at + size <= m->size) replace(m, at, size, blocks[below(m, sizeof blocks / sizeof *blocks)], size);
}

static void change(mutant *m, const seed_file *other) {
    const size_t at = below(m, m->size), from = below(m, m->size), length = below(m, 40);
    const uint8_t byte = (uint8_t)next_random(m);
    switch (below(m, 8)) {
    case 0:
        m->data[at] ^= (uint8_t)(1 << below(m, 8));
        break;
    case 1:
        m->data[at] = byte;
        break;
    case 2:
        m->size = below(m, 4) == 0 ? at : m->size;
        break;
    case 3: /* remove some bytes */
        replace(m, at, length < m->size - at ? length : m->size - at, "", 0);
        break;
    case 4: /* repeat some bytes */
        replace(m, at, 0, m->data + from, length < m->size - from ? length : m->size - from);
        break;
    case 5: /* insert some bytes of another file */
        if (other->size > length) replace(m, at, 0, other->data + below(m, other->size - length), length);
        break;
    case 6:
        change_number(m);
        break;
    default:
        change_bytes(m);
        break;
    }
}

/* ---- trials ---- */

/* True if a field can be built, with eight cells along the longest side; the resolution does not matter here. */
static bool make_solid(memory *m, parallel *workers, const owned_mesh *read) {
    rill_error error = {RILL_OK, ""};
    const mesh view = rill_mesh_view(read);
    float low[3], high[3], longest = 0.0f;
    rill_mesh_bounds(&view, low, high);
    for (int axis = 0; axis < 3; axis++) longest = fmaxf(longest, high[axis] - low[axis]);
    const field_options options = {longest / 8.0f, longest / 4.0f, 0.0f};
    distance_field *field = rill_field_build(m, workers, &view, &options, &error);
    FUZZ_CHECK(field || error.text[0], "a field was not made and nobody said why");
    if (field) rill_field_free(m, field);
    return field != NULL;
}

static void try_mutant(const seed_file *seed, const mutant *changed, parallel *workers, tally *sum) {
    memory m;
    trial_memory counted;
    owned_mesh read;
    uint8_t *copy = malloc(changed->size + 1);
    FUZZ_CHECK(copy, "no memory for %zu bytes", changed->size);
    /* the copy ends where its allocation ends, so that a sanitizer sees a read past it */
    memcpy(copy + 1, changed->data, changed->size);
    const double start = rill_timer_now();
    alarm(LIMIT_SECONDS);
    if (trial_read(&m, &counted, seed->name, copy + 1, changed->size, &read)) {
        sum->read++;
        if (counted.most > sum->most_memory) sum->most_memory = counted.most;
        sum->solids += make_solid(&m, workers, &read);
    } else {
        sum->refused++;
    }
    alarm(0);
    rill_owned_mesh_free(&m, &read);
    FUZZ_CHECK(counted.held == 0, "%zu bytes were left behind", counted.held);
    sum->slowest = fmax(sum->slowest, rill_timer_now() - start);
    free(copy);
}

static void mutate_all(const seed_file *files, int file_count, int count, uint64_t seed, tally *sum) {
    memory m;
    rill_memory_init(&m, NULL);
    parallel *workers = rill_parallel_create(&m, 1, NULL);
    mutant changed = {.data = malloc(MAX_SIZE)};
    FUZZ_CHECK(workers && changed.data, "no memory");
    signal(SIGALRM, out_of_time);
    for (int k = 0; k < count; k++) {
        const seed_file *file = &files[k % file_count];
        present = k;
        changed.random = rill_hash_mix(seed ^ (uint64_t)k << 20);
        changed.size = file->size;
        memcpy(changed.data, file->data, file->size);
        for (size_t changes = 1 + below(&changed, MAX_CHANGES); changes > 0 && changed.size > 0; changes--)
            change(&changed, &files[below(&changed, (size_t)file_count)]);
        try_mutant(file, &changed, workers, sum);
    }
    free(changed.data);
    rill_parallel_destroy(&m, workers);
}

/* ---- files ---- */

static int add_folder(const char *folder, seed_file *files, int count) {
    DIR *directory = opendir(folder);
    FUZZ_CHECK(directory, "%s cannot be opened", folder);
    for (const struct dirent *entry; (entry = readdir(directory)) && count < MAX_FILES;) {
        char path[1024];
        seed_file *file = &files[count];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *stream = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!stream) continue;
        snprintf(file->name, sizeof file->name, "%s", entry->d_name);
        file->data = malloc(MAX_SIZE);
        FUZZ_CHECK(file->data, "no memory for %s", path);
        file->size = fread(file->data, 1, MAX_SIZE, stream);
        fclose(stream);
        count++;
    }
    closedir(directory);
    return count;
}

/* readdir gives files in an order of the machine; sorted, a mutant's number means the same everywhere. */
static int by_name(const void *a, const void *b) {
    return strcmp(((const seed_file *)a)->name, ((const seed_file *)b)->name);
}

int main(int argc, char **argv) {
    static seed_file files[MAX_FILES];
    int file_count = 0;
    for (int k = 3; k < argc; k++) file_count = add_folder(argv[k], files, file_count);
    if (file_count == 0) {
        fprintf(stderr, "usage: mutate_meshes COUNT SEED FOLDER...\n");
        return 2;
    }
    qsort(files, (size_t)file_count, sizeof *files, by_name);
    tally sum = {0};
    const int count = (int)strtol(argv[1], NULL, 10);
    mutate_all(files, file_count, count, (uint64_t)strtoull(argv[2], NULL, 10), &sum);
    printf("%d damaged copies of %d meshes: %d read (%d make a solid), %d refused; slowest %.1f ms, most memory %zu "
           "bytes\n",
           count, file_count, sum.read, sum.solids, sum.refused, sum.slowest * 1e3, sum.most_memory);
    for (int k = 0; k < file_count; k++) free(files[k].data);
    return sum.read > 0 && sum.refused > 0 ? 0 : 1;
}
