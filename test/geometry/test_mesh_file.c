/* SPDX-License-Identifier: MIT */
/* Meshes from files of several formats, and the cache of their fields on disk. */
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
static const char tetrahedron_ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    "1 2 3\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
static const char tetrahedron_stl[] =
    "solid t\n"
    "facet normal 0 0 -1\nouter loop\nvertex 1 2 3\nvertex 1 3 3\nvertex 2 2 3\nendloop\nendfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 1 2 3\nvertex 2 2 3\nvertex 1 2 4\nendloop\nendfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 1 2 3\nvertex 1 2 4\nvertex 1 3 3\nendloop\nendfacet\n"
    "facet normal 1 1 1\nouter loop\nvertex 2 2 3\nvertex 1 3 3\nvertex 1 2 4\nendloop\nendfacet\n"
    "endsolid t\n";
/* One triangle in glTF, by two nodes: one moved, one also mirrored. */
static const char nodes_gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"children\":[1,2],\"translation\":[10,0,0]},{\"mesh\":0,\"translation\":[0,5,0]},"
    "{\"mesh\":0,\"scale\":[1,1,-1]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,1,0]}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";

static void formats(void **state) {
    char path[1024];
    static const struct {
        const char *name, *text;
    } files[] = {{"t.obj", tetrahedron_obj}, {"t.ply", tetrahedron_ply}, {"t.stl", tetrahedron_stl}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        write_text(in_folder(path, *state, files[k].name), files[k].text);
        io_mesh data;
        rill_error error = {RILL_OK, ""};
        if (rill_io_read_mesh(path, &data, &error) != RILL_OK) fail_msg("%s", error.text);
        assert_int_equal(data.triangle_count, 4);
        const mesh view = rill_io_mesh_view(&data);
        assert_int_equal(rill_mesh_check(&view, NULL), RILL_OK);
        const mesh_solid solid = rill_mesh_solid_of(&view);
        assert_near(solid.volume, 1.0 / 6.0, 1e-9);
        assert_near(solid.centre[2], 3.25, 1e-6);
        rill_io_mesh_free(&data);
    }
}

static void nodes_place_their_meshes(void **state) {
    char path[1024];
    write_text(in_folder(path, *state, "nodes.gltf"), nodes_gltf);
    io_mesh data;
    rill_error error = {RILL_OK, ""};
    if (rill_io_read_mesh(path, &data, &error) != RILL_OK) fail_msg("%s", error.text);
    assert_int_equal(data.triangle_count, 2);
    const mesh view = rill_io_mesh_view(&data);
    float low[3], high[3];
    rill_mesh_bounds(&view, low, high);
    assert_near(low[0], 10, 1e-6);
    assert_near(high[0], 11, 1e-6);
    assert_near(high[1], 6, 1e-6);
    /* mirrored at its own plane: the same places, the other way round */
    assert_near(mesh_normal(&view, 0).z, 1, 1e-6);
    assert_near(mesh_normal(&view, 1).z, -1, 1e-6);
    rill_io_mesh_free(&data);
}

static void refused(const char *path, rill_status status, const char *words) {
    io_mesh data;
    rill_error error = {RILL_OK, ""};
    assert_int_equal(rill_io_read_mesh(path, &data, &error), status);
    assert_null(data.vertices);
    assert_non_null(strstr(error.text, path));
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    rill_io_mesh_free(&data);
}

static void bad_files(void **state) {
    char path[1024];
    refused(in_folder(path, *state, "none.obj"), RILL_IO, "check the spelling");
    refused(*state, RILL_IO, "folder");
    write_text(in_folder(path, *state, "empty.obj"), "");
    refused(path, RILL_FORMAT, "is empty");
    assert_int_equal(mkfifo(in_folder(path, *state, "fifo.obj"), 0600), 0);
    refused(path, RILL_IO, "regular file");
    write_text(in_folder(path, *state, "what.xyzw"), "nothing that anybody knows");
    refused(path, RILL_FORMAT, "Assimp reads");
    write_text(in_folder(path, *state, "noise.ply"), "ply\nformat ascii 1.0\nelement vertex banana\n");
    refused(path, RILL_FORMAT, "end_header");
    write_text(in_folder(path, *state, "points.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1 2 3\n");
    refused(path, RILL_FORMAT, "");
    /* cut short at any place: an error, or a mesh that can be looked at */
    in_folder(path, *state, "cut.ply");
    for (size_t length = 1; length < sizeof tetrahedron_ply - 1; length++) {
        write_file(path, tetrahedron_ply, length);
        io_mesh data;
        if (rill_io_read_mesh(path, &data, NULL) != RILL_OK) continue;
        const mesh view = rill_io_mesh_view(&data);
        assert_int_equal(rill_mesh_check(&view, NULL), RILL_OK);
        rill_io_mesh_free(&data);
    }
}

/* ---- the cache ---- */

/* As a world makes the field of a shape. */
static float load_and_sample(bench *b, const char *path, const char *cache) {
    rill_error error = {RILL_OK, ""};
    io_mesh data;
    if (rill_io_read_mesh(path, &data, &error) != RILL_OK) fail_msg("%s", error.text);
    rill_shape shape = rill_shape_default();
    rill_vec points[12];
    assert_int_equal(data.triangle_count, 4);
    for (int k = 0; k < 12; k++) {
        const float *p = data.vertices[data.triangles[k / 3][k % 3]];
        points[k] = (rill_vec){p[0], p[1], p[2]};
    }
    rill_io_mesh_free(&data);
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

/* The only entry; its name is put into `path`. */
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
    rmdir(cache_path); /* it comes by itself */
    bench b;
    bench_start(&b, 1);
    const float value = load_and_sample(&b, path, cache_path);
    find_entry(cache_path, entry);

    /* It is used: a value changed behind its back, with the checksum made right again, is what we get. */
    void *bytes;
    size_t size;
    assert_int_equal(rill_io_read_whole(entry, &bytes, &size, NULL), RILL_OK);
    distance_field *f = rill_field_from_bytes(&b.memory, bytes, size, NULL);
    assert_non_null(f);
    for (int k = 0; k < f->fine_count * FIELD_NODES; k++) f->fine[k] += 1.0f;
    rill_field_to_bytes(f, bytes);
    write_file(entry, bytes, size);
    assert_near(load_and_sample(&b, path, cache_path), (double)value + 1.0, 1e-5);

    /* Of another mesh, though under this name and with a key that begins alike: not used. */
    f->key.bytes[SHA256_SIZE - 1]++;
    rill_field_to_bytes(f, bytes);
    write_file(entry, bytes, size);
    assert_near(load_and_sample(&b, path, cache_path), value, 0);

    /* Damaged or cut: built again without a word, and whole afterwards. */
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

/* A cache that cannot be written is done without. */
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
        cmocka_unit_test_setup_teardown(formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nodes_place_their_meshes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cache, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cache_nowhere, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
