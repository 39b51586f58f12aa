/* SPDX-License-Identifier: MIT */
/* Meshes from bytes: every format in the forms that programs write, polygons, and the messages of refusals. */
#include "geometry/read/read.h"
#include "geometry/shapes.h"

#include <locale.h>
#include <string.h>

/* A literal and its size without the final zero; zeros inside count. */
#define BYTES(literal) (literal), sizeof(literal) - 1

static owned_mesh read_well(memory *m, const char *name, const char *bytes, size_t size) {
    owned_mesh mesh;
    rill_error error = {RILL_OK, ""};
    /* a copy of the exact size, so that a sanitizer sees a read past its end */
    char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    if (rill_mesh_read(m, copy, size, name, &mesh, &error) != RILL_OK) fail_msg("%s", error.text);
    free(copy);
    return mesh;
}

static void refused(const char *name, const char *bytes, size_t size, const char *words) {
    memory m;
    owned_mesh mesh;
    rill_error error = {RILL_OK, ""};
    rill_memory_init(&m, NULL);
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    assert_int_not_equal(rill_mesh_read(&m, copy, size, name, &mesh, &error), RILL_OK);
    free(copy);
    assert_null(mesh.vertices);
    assert_int_equal(m.bytes, 0);
    if (strncmp(error.text, name, strlen(name)) != 0 || !strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

/* ---- formats ---- */

/* A tetrahedron of volume 1/6 at (1, 2, 3): normals out, and the corners of its first triangle in this order. */
static void check_tetrahedron(const char *name, mesh_format format, const char *bytes, size_t size) {
    memory m;
    rill_memory_init(&m, NULL);
    assert_int_equal(rill_mesh_format_of(bytes, size, name), format);
    owned_mesh read = read_well(&m, name, bytes, size);
    const mesh view = rill_mesh_view(&read);
    assert_int_equal(rill_mesh_check(&view, NULL), RILL_OK);
    assert_int_equal(view.triangle_count, 4);
    const dvec first[3] = {{1, 2, 3}, {1, 3, 3}, {2, 2, 3}};
    for (int c = 0; c < 3; c++) assert_near(dvec_length(dvec_sub(mesh_corner(&view, 0, c), first[c])), 0, 0);
    const mesh_solid solid = rill_mesh_solid_of(&view);
    assert_near(solid.volume, 1.0 / 6.0, 1e-9);
    assert_near(solid.centre[2], 3.25, 1e-6);
    rill_owned_mesh_free(&m, &read);
    assert_int_equal(m.bytes, 0);
}

#define OBJ_VERTICES "v 1 2 3\nv 2 2 3\nv 1 3 3\nv 1 2 4\n"
#define OBJ_FACES    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

static void obj(void **state) {
    (void)state;
    static const char *const texts[] = {
        OBJ_VERTICES OBJ_FACES,
        "# a comment\r\nmtllib /etc/passwd\r\no a b\r\ng v f\r\nv 1 2 3 1.0\r\nv 2 2 3 0.5 0.5 0.5\r\nv 1 3 3\r\n"
        "v 1 2 4\r\nvn nan nan nan\r\nvt 0 0\r\nusemtl ../x\r\ns off\r\nf 1/1/1 3/1/1 2/1/1\r\nf 1//1 2//1 4//1\r\n"
        "l 1 2\r\np 1\r\nf 1/1 4/1 3/1\r\nf 2 3 4 # behind\r\n",
        OBJ_VERTICES "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1",
        /* relative indices between vertices, then vertices after the faces that name them */
        "v +1.0e0 2. 3\nv 20e-1 .2E1 3\nv 1 3 3\nf -3 -1 -2\nv 1 2 4\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n" OBJ_VERTICES,
        /* lines continued by a backslash */
        "v 1 \\\n2 3\nv 2 2 \\\r\n 3\nv 1 3 3\nv 1 2 4\n\nf 1 3 \\\n\\\n2\nf 1 2 4\nf 1 4 3\\\n\nf 2 3 4\n",
        /* old line ends, capital letters, a byte order mark, blanks */
        "\xef\xbb\xbfV 1 2 3\rV 2 2 3\rV 1\t3 3  \r\r  v 1 2 4\rF 1 3 2\rFO 1 2 4\r f 1 4 3\rf 2 3 4",
        /* faces of one or two corners make no triangles */
        OBJ_VERTICES "f 1\nf 1 2\nf\n" OBJ_FACES,
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        check_tetrahedron("t.obj", MESH_FORMAT_OBJ, texts[k], strlen(texts[k]));
    check_tetrahedron("no ending", MESH_FORMAT_OBJ, texts[0], strlen(texts[0]));
}

#define PLY_HEAD(format)                                                                                   \
    "ply\nformat " format " 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n" \
    "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
#define PLY_ROWS "1 2 3\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

static void ply_text(void **state) {
    (void)state;
    static const char *const texts[] = {
        PLY_HEAD("ascii") PLY_ROWS,
        "PLY\r\nFORMAT ASCII 1.0\r\ncomment element vertex 9\r\nobj_info whatever\r\nElement Material 1\r\n"
        "Property List UChar Float32 names\r\nProperty Int other\r\nElement Vertex 4\r\nProperty Double nx\r\n"
        "Property Float64 X\r\nProperty List int8 uint16 more\r\nProperty Int32 Y\r\nProperty UInt z\r\n"
        "Element Face 4\r\nProperty uchar red\r\nProperty List uint uint16 Vertex_Index\r\nProperty float w\r\n"
        "Element edge 1\r\nProperty int a\r\nEnd_Header\r\n2 0.5 x 7\r\nnan 1 0 2 3\r\n-inf 2 1 5 2 3\r\n"
        "0 1 2 8 8 3 3\r\n0 1 0 2 4\r\n255 3 0 2 1 nan\r\n0 3 0 1 3 0\r\n0 3 0 3 2 0\r\n0 3 1 2 3 0\r\n",
        /* an element without properties, with a large count; the last line end is missing */
        "ply\rformat ascii 1.0\relement nothing 999999999999\relement vertex 4\rproperty float x\rproperty float y\r"
        "property float z\relement face 4\rproperty list char char vertex_indices\rend_header\r1 2 3 2 2 3\r\r1 3 3\r"
        "1 2 4 3 0 2 1 3 0 1 3 3 0 3 2\r3 1 2 3",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        check_tetrahedron("t.ply", MESH_FORMAT_PLY, texts[k], strlen(texts[k]));
    check_tetrahedron("misnamed.obj", MESH_FORMAT_PLY, texts[0], strlen(texts[0]));
}

/* Bytes of a file under construction. */
typedef struct writing {
    char bytes[2000];
    size_t size;
    bool big_endian;
} writing;

static void put(writing *w, const void *bytes, size_t size) {
    assert_true(w->size + size <= sizeof w->bytes);
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static void put_text(writing *w, const char *text) {
    put(w, text, strlen(text));
}

static void put_integer(writing *w, uint64_t value, int size) {
    for (int k = 0; k < size; k++) {
        const char byte = (char)(unsigned char)(value >> 8 * (w->big_endian ? size - 1 - k : k));
        put(w, &byte, 1);
    }
}

static void put_float(writing *w, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(w, bits, 4);
}

static const float corners[4][3] = {{1, 2, 3}, {2, 2, 3}, {1, 3, 3}, {1, 2, 4}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void ply_binary(void **state) {
    (void)state;
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        writing w = {.big_endian = big_endian};
        put_text(&w, big_endian ? PLY_HEAD("binary_big_endian") : PLY_HEAD("binary_little_endian"));
        for (int k = 0; k < 12; k++) put_float(&w, corners[k / 3][k % 3]);
        for (int k = 0; k < 12; k++) {
            if (k % 3 == 0) put_integer(&w, 3, 1);
            put_integer(&w, (uint64_t)faces[k / 3][k % 3], 4);
        }
        check_tetrahedron("t.ply", MESH_FORMAT_PLY, w.bytes, w.size);
        for (size_t cut = 1; cut < w.size; cut++) refused("cut.ply", w.bytes, cut, "");
        refused("cut.ply", w.bytes, w.size - 1, "cut short");
    }
}

/* Every type of integer, among properties that are not used. Lines of the header end in CR, and the data begins with
   LF. */
static void ply_types(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int size;
    } types[] = {{"char", 1}, {"uint8", 1}, {"short", 2}, {"uint16", 2}, {"int32", 4}, {"uint", 4}};
    for (int k = 0; k < 12; k++) {
        const int size = types[k % 6].size;
        writing w = {.big_endian = k >= 6};
        char head[600];
        snprintf(head, sizeof head,
                 "ply\rformat %s 1.0\relement vertex 4\rproperty uchar first\rproperty list %s double d\r"
                 "property %s x\rproperty %s y\rproperty %s z\relement face 4\rproperty double e\r"
                 "property list %s %s vertex_index\rend_header\r",
                 k >= 6 ? "binary_big_endian" : "binary_little_endian", types[k % 6].name, types[k % 6].name,
                 types[k % 6].name, types[k % 6].name, types[k % 6].name, types[k % 6].name);
        put_text(&w, head);
        for (int v = 0; v < 4; v++) {
            put_integer(&w, '\n', 1);
            put_integer(&w, (uint64_t)v, size);
            for (int n = 0; n < v; n++) put_integer(&w, UINT64_C(0x7ff8000000000000), 8);
            for (int axis = 0; axis < 3; axis++) put_integer(&w, (uint64_t)corners[v][axis], size);
        }
        for (int f = 0; f < 4; f++) {
            put_integer(&w, 0, 8);
            put_integer(&w, 3, size);
            for (int c = 0; c < 3; c++) put_integer(&w, (uint64_t)faces[f][c], size);
        }
        check_tetrahedron("t.ply", MESH_FORMAT_PLY, w.bytes, w.size);
    }
}

#define FACET(normal, a, b, c) \
    "facet normal " normal "\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"
#define STL_FACETS                                  \
    FACET("0 0 -1", "1 2 3", "1 3 3", "2 2 3")      \
    FACET("nan nan nan", "1 2 3", "2 2 3", "1 2 4") \
    FACET("-1 0 0", "1 2 3", "1 2 4", "1 3 3") FACET("0 0 0", "2 2 3", "1 3 3", "1 2 4")

static void stl_text(void **state) {
    (void)state;
    static const char *const texts[] = {
        "solid t\n" STL_FACETS "endsolid t\n",
        "  SOLID\n" STL_FACETS "ENDSOLID",
        "solid facet normal vertex\n" FACET("0 0 -1", "1 2 3", "1 3 3", "2 2 3") "endsolid a b\n\nsolid two\n" FACET(
            "0 0 0", "1 2 3", "2 2 3", "1 2 4") FACET("0 0 0", "1 2 3", "1 2 4", "1 3 3")
            FACET("0 0 0", "2 2 3", "1 3 3", "1 2 4") "endsolid\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        check_tetrahedron("t.stl", MESH_FORMAT_STL, texts[k], strlen(texts[k]));
    for (size_t cut = 1; cut < strlen(texts[1]); cut++) refused("cut.stl", texts[1], cut, "");
    refused("cut.stl", texts[0], strlen(texts[0]) - 12, "ends before endsolid");
}

static void stl_binary(void **state) {
    (void)state;
    static const char *const heads[] = {"", "solid by a program that lies", "ply", "v 1 2 3\nf 1 1 1\n"};
    for (int k = 0; k < 4; k++) {
        writing w = {.size = 0};
        char head[80] = "";
        memcpy(head, heads[k], strlen(heads[k]));
        put(&w, head, sizeof head);
        put_integer(&w, 4, 4);
        for (int f = 0; f < 4; f++) {
            for (int axis = 0; axis < 3; axis++) put_float(&w, NAN);
            for (int n = 0; n < 9; n++) put_float(&w, corners[faces[f][n / 3]][n % 3]);
            put_integer(&w, 0xffff, 2);
        }
        if (k == 2) continue; /* a header that begins with ply makes it a PLY file */
        check_tetrahedron("t.stl", MESH_FORMAT_STL, w.bytes, w.size);
        check_tetrahedron("misnamed.obj", MESH_FORMAT_STL, w.bytes, w.size);
        put_text(&w, "bytes that somebody left behind");
        check_tetrahedron("t.stl", MESH_FORMAT_STL, w.bytes, w.size);
        for (size_t cut = 1; cut < 84 + 4 * 50; cut++) refused("cut.stl", w.bytes, cut, "");
        refused("cut.stl", w.bytes, 84 + 3 * 50, "announces 4 triangles, but only 3 follow");
    }
}

static void off(void **state) {
    (void)state;
    static const char *const texts[] = {
        "OFF\n4 4 6\n" PLY_ROWS,
        "OFF 4 4\n" PLY_ROWS,
        "# first\n\nCOFF # magic\r\n4 # vertices\r\n4 0\r\n\r\n1 2 3 255 0 0 255\r\n2 2 3 1 0 0 1 # red\r\n"
        "# between\r\n1 3 3 0 0 0 0\r\n1 2 4 0 0 0 0\r\n3 0 2 1 255 0 0\r\n3 0 1 3 0.5 0.5 0.5\r\n3 0 3 2 9\r\n3 1 2 3",
        "STCNOFF\n4 4 6\n1 2 3 0 0 1 1 1 1 1 0 0\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
        "off\n4 6 0\n1 2 3\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n2 0 1\n3 0 1 3\n3 0 3 2\n1 0\n3 1 2 3\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        check_tetrahedron("t.off", MESH_FORMAT_OFF, texts[k], strlen(texts[k]));
    for (size_t cut = 1; cut < strlen(texts[0]) - 2; cut++) refused("cut.off", texts[0], cut, "");
}

/* A host may have set any locale: numbers are read with a decimal point even where the locale has a comma. */
static void no_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "C"};
    size_t k = 0;
    while (!setlocale(LC_ALL, names[k])) k++;
    memory m;
    rill_memory_init(&m, NULL);
    owned_mesh read = read_well(&m, "t.obj",
                                BYTES("v 0.5 1e-30 123456789.123456789012345678901234567890e-2\n"
                                      "v 1.5 0 0\nv 0 1 0\nf 1 2 3\n"));
    setlocale(LC_ALL, "C");
    assert_near(read.vertices[0][0], 0.5, 0);
    assert_near(read.vertices[0][1], (double)1e-30f, 0);
    assert_near(read.vertices[0][2], (double)1234567.89123456789f, 0);
    rill_owned_mesh_free(&m, &read);
}

/* ---- polygons ---- */

/* A polygon with these corners (x, y) in the plane z = x / 4, turned so that each axis in turn is the longest of its
   normal. It must become count - 2 triangles that cover it once, all facing the same side and none without area. */
static void check_polygon(const double (*places)[2], int count) {
    for (int turned = 0; turned < 6; turned++) {
        char text[10000];
        size_t used = 0;
        double area = 0.0;
        for (int k = 0; k < count; k++) {
            const int from = turned % 2 ? count - 1 - k : k, next = (k + 1) % count;
            const double place[3] = {places[from][0], places[from][1], places[from][0] / 4};
            area += 0.5 * (places[k][0] * places[next][1] - places[k][1] * places[next][0]);
            used += (size_t)snprintf(text + used, sizeof text - used, "v %.17g %.17g %.17g\n", place[turned / 2],
                                     place[(turned / 2 + 1) % 3], place[(turned / 2 + 2) % 3]);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "f");
        for (int k = 0; k < count; k++) used += (size_t)snprintf(text + used, sizeof text - used, " %d", k + 1);
        memory m;
        rill_memory_init(&m, NULL);
        owned_mesh read = read_well(&m, "p.obj", text, used);
        const mesh view = rill_mesh_view(&read);
        assert_int_equal(view.triangle_count, count - 2);
        dvec sum = {0, 0, 0};
        for (int t = 0; t < view.triangle_count; t++) {
            assert_true(dvec_length(mesh_normal(&view, t)) > 1e-6);
            sum = dvec_add(sum, mesh_normal(&view, t));
        }
        /* triangles that overlapped, or lay outside, would make the sum of areas larger than the area of the sum */
        assert_near(rill_mesh_area(&view), 0.5 * dvec_length(sum), 1e-6);
        assert_near(rill_mesh_area(&view), fabs(area) * sqrt(1.0 + 1.0 / 16.0), 1e-5);
        rill_owned_mesh_free(&m, &read);
    }
}

static void polygons(void **state) {
    (void)state;
    static const double square[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, arrow[][2] = {{0, 0}, {2, 1}, {0, 2}, {0.5, 1}},
                        hook[][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {3, 2}, {3, 3}, {0, 3}},
                        flat_first[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 2}},
                        flat_sides[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}},
                        comb[][2] = {{0, 0}, {9, 0}, {9, 5}, {8, 5}, {8, 1}, {6, 1}, {6, 5}, {5, 5},
                                     {5, 1}, {3, 1}, {3, 5}, {2, 5}, {2, 1}, {1, 1}, {1, 5}, {0, 5}},
                        /* a hole, joined to the rim by a seam that goes there and back */
        ring[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    check_polygon(square, 4);
    check_polygon(arrow, 4);
    check_polygon(hook, 8);
    check_polygon(flat_first, 4);
    check_polygon(flat_sides, 8);
    check_polygon(comb, 16);
    check_polygon(ring, 10);
    double round[100][2];
    for (int k = 0; k < 100; k++) round[k][0] = cos(2 * PI * k / 100), round[k][1] = sin(2 * PI * k / 100);
    check_polygon(round, 100);
    for (int k = 0; k < 100; k += 2) round[k][0] *= 0.5, round[k][1] *= 0.5;
    check_polygon(round, 100);
    /* a convex polygon is a fan from its first corner, as in other programs */
    memory m;
    rill_memory_init(&m, NULL);
    owned_mesh read = read_well(&m, "q.obj", BYTES("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"));
    assert_memory_equal(read.triangles, ((int32_t[2][3]){{0, 1, 2}, {0, 2, 3}}), sizeof(int32_t[2][3]));
    rill_owned_mesh_free(&m, &read);
}

/* Cutting corners that surround others takes a time that grows with the square of their number; a polygon with far too
   many is refused. */
static void too_many_ears(void **state) {
    (void)state;
    const int count = 60000;
    char *text = malloc((size_t)count * 60);
    assert_non_null(text);
    size_t used = 0;
    for (int k = 0; k < count; k++) {
        const double radius = k % 2 ? 1.0 : 0.999999, turn = 2 * PI * k / count;
        used += (size_t)sprintf(text + used, "v %.9g %.9g 0\n", radius * cos(turn), radius * sin(turn));
    }
    used += (size_t)sprintf(text + used, "f");
    for (int k = 0; k < count; k++) used += (size_t)sprintf(text + used, " %d", k + 1);
    refused("star.obj", text, used, "not convex");
    free(text);
}

/* ---- what is refused ---- */

static void wrong(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *words;
    } cases[] = {
        {"a.obj", "", "empty"},
        {"a.glb", "glTF\2", "Blender"},
        {"a.gltf", "{\"asset\":{\"version\":\"2.0\"}}", "OBJ, PLY, STL or OFF"},
        {"a.3ds", "MM", "File > Export"},
        {"folder.obj/a", "what is this", "Blender"},
        {"a.obj", "what is this", "no triangles"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1 2 3\nl 1 2\n", "no triangles"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 1\n", "no triangles"},
        {"a.obj", "\n# one\nv 1 2\nf 1 1 1\n", "line 3: vertex 0 has 2 coordinates; expected three numbers"},
        {"a.obj", "v 1 2 x\n", "line 1: z of vertex 0 is 'x'; expected a number"},
        {"a.obj", "v 1 nan 2\n", "y of vertex 0 is 'nan'"},
        {"a.obj", "v 1 -inf 2\n", "'-inf'"},
        {"a.obj", "v 1 1e999 2\n", "'1e999'"},
        {"a.obj", "v 1,5 2 3\n", "'1,5'"},
        {"a.obj", "v 0x10 2 3\n", "'0x10'"},
        {"a.obj", "v 2e9 2 3\n", "x = 2e+09; expected a number from -1e+09 to 1e+09"},
        {"a.obj", OBJ_VERTICES "f 1 2 5\n", "line 5: the face names vertex 5; expected 1 to 4"},
        {"a.obj", OBJ_VERTICES "f 1 2 0\n", "vertex 0"},
        {"a.obj", OBJ_VERTICES "f 1 2 -5\n", "vertex -5"},
        {"a.obj", OBJ_VERTICES "f 1 2 99999999999999999999\n", "'99999999999999999999'"},
        {"a.obj", OBJ_VERTICES "f 1 2 4611686018427387905\n", "vertex"},
        {"a.obj", OBJ_VERTICES "f 1 2 /3\n", "corner '/3'; expected the number of a vertex"},
        {"a.obj", OBJ_VERTICES "f 1 2 3x\n", "'3x'"},
        {"a.ply", "plywood\n", "begins with 'plywood'; expected ply"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", "line 4: the header of the PLY file has no end_header"},
        {"a.ply", "PLY\nformat ascii 1.0\nelement vertex banana\n", "'banana'"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex -3\n", "'-3'"},
        {"a.ply", "ply\nend_header\n", "names no format"},
        {"a.ply", "ply\nformat ebcdic 1.0\n", "'ebcdic'; expected ascii"},
        {"a.ply", "ply\nproperty float x\n", "before the first element"},
        {"a.ply", "ply\nelement vertex 3\nproperty quad x\n", "line 3: a property of type 'quad'"},
        {"a.ply", "ply\nelement vertex 3\nproperty list float int x\n", "type 'float'; expected a whole number"},
        {"a.ply", "ply\nelement face 3\nproperty list int float vertex_index\n", "type 'float'; expected a whole"},
        {"a.ply", "ply\nrubbish\n", "'rubbish' in the header"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 8\nproperty float z\nend_header\n1\n", "no x"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 3\nproperty "
         "float x\nproperty float y\nproperty float z\nend_header\n",
         "before the vertices"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement "
         "tristrips 1\nproperty list int int vertex_indices\nend_header\n",
         "tristrips"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
         "1 2 3\n",
         "no triangles"},
        {"a.ply", PLY_HEAD("ascii") "1 2 3\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n3 0 1 4\n3 0 3 2\n3 1 2 3\n",
         "line 15: the face names vertex 4; expected 0 to 3"},
        {"a.ply", PLY_HEAD("ascii") "1 2 3\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n3 0 1 -1\n3 0 3 2\n3 1 2 3\n", "vertex -1"},
        {"a.ply", PLY_HEAD("ascii") "1 2 3\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n3 0 1 1.5\n3 0 3 2\n3 1 2 3\n",
         "'1.5'; expected a whole number"},
        {"a.ply", PLY_HEAD("ascii") "1 2 3\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n-3 0 1 3\n3 0 3 2\n3 1 2 3\n",
         "a list of -3 numbers"},
        {"a.ply", PLY_HEAD("ascii") "1 2 3\n2 2 3\n1 3 3\n1 2 4\n3 0 2 1\n4000000000 0 1 3\n3 0 3 2\n3 1 2 3\n",
         "cut short"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\n"
         "end_header\n1 2 3\n",
         "announces 2000000000 vertices"},
        {"a.ply",
         "ply\nformat binary_little_endian 1.0\nelement vertex 4611686018427387000\nproperty float x\nproperty float "
         "y\nproperty float z\nend_header\n1234567890123",
         "announces"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2 3\nvertex 1 2 3\nendloop\nendfacet\nendsolid\n",
         "line 6: a facet of 2 corners"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter ring\n", "line 3: 'ring'; expected loop"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2 endloop\n", "'endloop'; expected a number"},
        {"a.stl", "solid\nfact normal 0 0 1\n", "'fact'; expected facet or endsolid"},
        {"a.stl", "solid\nendsolid\n", "no triangles"},
        {"a.stl", "short", "at least 84 bytes"},
        {"a.off", "4OFF\n", "'4OFF'"},
        {"a.off", "nOFF 4\n", "'nOFF'"},
        {"a.off", "OFF BINARY\n\1\2", "OFF BINARY is not read"},
        {"a.off", "OFF\n-1 2 3\n", "number of vertices is '-1'"},
        {"a.off", "OFF\n0 x 3\n", "number of faces is 'x'"},
        {"a.off", "OFF\n999999999 1 0\n0 0 0\n", "announces 999999999 vertices"},
        {"a.off", "OFF\n3 999999999 0\n0 0 0\n", "announces 999999999 faces"},
        {"a.off", "OFF\n3 1 0\n0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "line 3: vertex 0 has 2 coordinates"},
        {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n2\n", "line 6: the face names vertex ''; expected 0 to 2"},
        {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "vertex '3'"},
        {"a.off", "what\n", "begins with 'what'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        refused(cases[k].name, cases[k].text, strlen(cases[k].text), cases[k].words);
}

/* When an allocation fails, reading reports it and releases its memory. */
typedef struct scarce {
    int left;
} scarce;

static void *allocate(size_t size, size_t alignment, void *context) {
    scarce *s = context;
    return s->left-- > 0 ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment) : NULL;
}

static void release(void *data, size_t size, void *context) {
    (void)size, (void)context;
    free(data);
}

static void without_memory(void **state) {
    (void)state;
    static const char text[] = "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 1 1 0\nv 0 3 0\nf 1 2 3 4 5\n";
    rill_status status = RILL_MEMORY;
    for (int calls = 0; status != RILL_OK; calls++) {
        scarce s = {calls};
        memory m;
        rill_memory_init(&m, &(rill_allocator){allocate, release, &s});
        owned_mesh mesh;
        status = rill_mesh_read(&m, text, sizeof text - 1, "t.obj", &mesh, NULL);
        assert_true(status == RILL_MEMORY || calls > 3);
        rill_owned_mesh_free(&m, &mesh);
        assert_int_equal(m.bytes, 0);
        assert_true(calls < 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj),           cmocka_unit_test(ply_text),  cmocka_unit_test(ply_binary),
        cmocka_unit_test(ply_types),     cmocka_unit_test(stl_text),  cmocka_unit_test(stl_binary),
        cmocka_unit_test(off),           cmocka_unit_test(no_locale), cmocka_unit_test(polygons),
        cmocka_unit_test(too_many_ears), cmocka_unit_test(wrong),     cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
