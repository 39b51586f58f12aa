/* SPDX-License-Identifier: MIT */
/* Meshes from files, paths that are refused, and the cache of fields on disk. */
#include "geometry/shape_model.h"
#include "geometry/shapes.h"
#include "io/mesh_file.h"
#include "io/places.h"

#include <sys/stat.h>

static void write_file(const char *path, const void *data, size_t size) {
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(data, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static void write_text(const char *path, const char *text) {
    write_file(path, text, strlen(text));
}

/* A tetrahedron of volume 1/6 at (1, 2, 3). */
static const char tetrahedron_obj[] = "# a comment\nv 1 2 3\nv 2 2 3\nv 1 3 3\nv 1 2 4\n"
                                      "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void reads(void **state) {
    char path[1024];
    memory m;
    owned_mesh data;
    rill_error error = {RILL_OK, ""};
    rill_memory_init(&m, NULL);
    write_text(in_folder(path, *state, "t.obj"), tetrahedron_obj);
    if (rill_io_read_mesh(&m, path, &data, &error) != RILL_OK) fail_msg("%s", error.text);
    const mesh view = rill_mesh_view(&data);
    assert_near(rill_mesh_solid_of(&view).volume, 1.0 / 6.0, 1e-9);
    rill_owned_mesh_free(&m, &data);
    assert_int_equal(m.bytes, 0);
}

/* Files that an OBJ names are not opened: opening the pipe would wait for ever. */
static void opens_nothing_else(void **state) {
    char path[1024], text[8000];
    assert_int_equal(mkfifo(in_folder(path, *state, "pipe.mtl"), 0600), 0);
    snprintf(text, sizeof text,
             "mtllib pipe.mtl\nmtllib %s\nmtllib ../../../../etc/passwd\nusemtl pipe.mtl\nmap_Kd %s\ncall %s\n"
             "csh cat %s\nmaplib pipe.mtl\nshadow_obj pipe.mtl\ntrace_obj pipe.mtl\n%s",
             path, path, path, path, tetrahedron_obj);
    write_text(in_folder(path, *state, "t.obj"), text);
    memory m;
    owned_mesh data;
    rill_error error = {RILL_OK, ""};
    rill_memory_init(&m, NULL);
    if (rill_io_read_mesh(&m, path, &data, &error) != RILL_OK) fail_msg("%s", error.text);
    assert_int_equal(data.triangle_count, 4);
    rill_owned_mesh_free(&m, &data);
}

static void refused(const char *path, rill_status status, const char *words) {
    memory m;
    owned_mesh data;
    rill_error error = {RILL_OK, ""};
    rill_memory_init(&m, NULL);
    assert_int_equal(rill_io_read_mesh(&m, path, &data, &error), status);
    assert_null(data.vertices);
    assert_non_null(strstr(error.text, path));
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void bad_files(void **state) {
    char path[1024];
    refused(in_folder(path, *state, "none.obj"), RILL_IO, "check the spelling");
    refused(*state, RILL_IO, "folder");
    refused("/dev/zero", RILL_IO, "regular file");
    write_text(in_folder(path, *state, "empty.obj"), "");
    refused(path, RILL_FORMAT, "is empty");
    assert_int_equal(mkfifo(in_folder(path, *state, "fifo.obj"), 0600), 0);
    refused(path, RILL_IO, "regular file");
    write_text(in_folder(path, *state, "what.xyzw"), "nothing that anybody knows");
    refused(path, RILL_FORMAT, "choose File > Export");
    /* a sparse file: refused by its size, before it is read */
    write_text(in_folder(path, *state, "endless.stl"), "solid");
    assert_int_equal(truncate(path, (off_t)IO_MESH_MAX + 1), 0);
    refused(path, RILL_LIMIT, "the most that are read");
}

/* ---- the cache ---- */

/* Builds the field of a shape as a world does, and samples it. */
static float load_and_sample(bench *b, const char *path, const char *cache) {
    rill_error error = {RILL_OK, ""};
    owned_mesh data;
    if (rill_io_read_mesh(&b->memory, path, &data, &error) != RILL_OK) fail_msg("%s", error.text);
    rill_shape shape = rill_shape_default();
    rill_vec points[12];
    assert_int_equal(data.triangle_count, 4);
    for (int k = 0; k < 12; k++) {
        const float *p = data.vertices[data.triangles[k / 3][k % 3]];
        points[k] = (rill_vec){p[0], p[1], p[2]};
    }
    rill_owned_mesh_free(&b->memory, &data);
    shape.kind = RILL_MESH;
    shape.points = (rill_points){points, 12};
    shape.cell = 0.1f;
    const rill_cache store = rill_io_cache(cache);
    const shape_context context = {&b->memory, b->workers, 3, 0.05f, 0.1f, &store};
    shape_model model;
    if (rill_shape_model_make(&model, &context, &shape, &error) != RILL_OK) fail_msg("%s", error.text);
    const float value = sample(model.field, (dvec){1.2, 2.2, 3.2});
    rill_shape_model_free(&b->memory, &model);
    return value;
}

/* Puts the name of the cache's only entry into `path`. */
static void find_entry(const char *cache, char path[1024]) {
    int found = 0;
    DIR *directory = opendir(cache);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.') {
            snprintf(path, 1024, "%.700s/%.255s", cache, entry->d_name);
            found++;
        }
    closedir(directory);
    assert_int_equal(found, 1);
}

static void cache(void **state) {
    char path[1024], entry[1024], again[1024];
    write_text(in_folder(path, *state, "t.obj"), tetrahedron_obj);
    char *cache_path = make_folder();
    assert_non_null(cache_path);
    rmdir(cache_path); /* the cache creates it */
    bench b;
    bench_start(&b, 1);
    const float value = load_and_sample(&b, path, cache_path);
    find_entry(cache_path, entry);

    /* The entry is used: a value changed in the file, with a correct checksum, is the value that loading gives. */
    void *bytes;
    size_t size;
    assert_int_equal(rill_io_read_whole(entry, &bytes, &size, NULL), RILL_OK);
    distance_field *f = rill_field_from_bytes(&b.memory, bytes, size, NULL);
    assert_non_null(f);
    for (int k = 0; k < f->fine_count * FIELD_NODES; k++) f->fine[k] += 1.0f;
    rill_field_to_bytes(f, bytes);
    write_file(entry, bytes, size);
    assert_near(load_and_sample(&b, path, cache_path), (double)value + 1.0, 1e-5);

    /* An entry of another mesh under this name, with a key that begins alike, is not used. */
    f->key.bytes[SHA256_SIZE - 1]++;
    rill_field_to_bytes(f, bytes);
    write_file(entry, bytes, size);
    assert_near(load_and_sample(&b, path, cache_path), value, 0);

    /* A damaged or cut entry is silently built again, and is whole afterwards. */
    for (int cut = 0; cut < 2; cut++) {
        ((unsigned char *)bytes)[size / 2] ^= 4;
        write_file(entry, bytes, cut ? size / 3 : size);
        assert_near(load_and_sample(&b, path, cache_path), value, 0);
        find_entry(cache_path, again);
        assert_string_equal(entry, again);
        void *whole;
        size_t whole_size;
        assert_int_equal(rill_io_read_whole(entry, &whole, &whole_size, NULL), RILL_OK);
        distance_field *mended = rill_field_from_bytes(&b.memory, whole, whole_size, NULL);
        assert_non_null(mended);
        rill_field_free(&b.memory, mended);
        free(whole);
    }
    free(bytes);
    rill_field_free(&b.memory, f);

    /* The same mesh in another file has the same entry; another mesh has its own. */
    write_text(in_folder(again, *state, "copy.obj"), tetrahedron_obj);
    load_and_sample(&b, again, cache_path);
    assert_int_equal(count_entries(cache_path), 1);
    write_text(again, "v 1 2 3\nv 2 2 3\nv 1 3 3\nv 1 2 4.5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    load_and_sample(&b, again, cache_path);
    assert_int_equal(count_entries(cache_path), 2);
    bench_end(&b);
    remove_folder(cache_path);
}

/* A field is built without a cache that cannot be written. */
static void cache_nowhere(void **state) {
    char path[1024], blocked[1024];
    write_text(in_folder(path, *state, "t.obj"), tetrahedron_obj);
    write_text(in_folder(blocked, *state, "file"), "in the way");
    bench b;
    bench_start(&b, 1);
    const float value = load_and_sample(&b, path, NULL);
    assert_near(load_and_sample(&b, path, blocked), value, 0);
    char endless[3000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    assert_near(load_and_sample(&b, path, endless), value, 0);
    bench_end(&b);
}

static int set_up(void **state) {
    *state = make_folder();
    return *state ? 0 : -1;
}

static int tear_down(void **state) {
    remove_folder(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(opens_nothing_else, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cache, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cache_nowhere, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
