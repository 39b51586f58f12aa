# SPDX-License-Identifier: MIT
"""rill info on meshes: what it tells, and what it says of files that are none."""
import json
import os
import struct
import unittest

import tool

CUBE_VERTICES = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for y in (0, 1) for x in (0, 1))
CUBE_FACES = ["f 1 3 4 2\n", "f 5 6 8 7\n", "f 1 2 6 5\n", "f 3 7 8 4\n", "f 1 5 7 3\n", "f 2 4 8 6\n"]
CUBE = CUBE_VERTICES + "".join(CUBE_FACES)


def turned(face):
    keyword, *corners = face.split()
    return " ".join([keyword, *reversed(corners)]) + "\n"


class Mesh(tool.ToolTest):
    def info(self, name, text, code=0):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return json.loads(self.rill("info", name, "--json", code=code).stdout)

    def test_closed(self):
        facts = self.info("cube.obj", CUBE)
        self.assertEqual((facts["format"], facts["vertices"], facts["triangles"], facts["parts"]), ("OBJ", 8, 12, 1))
        self.assertEqual((facts["min"], facts["max"], facts["size"]), ([0, 0, 0], [1, 1, 1], [1, 1, 1]))
        self.assertEqual((facts["closed"], facts["open_edges"], facts["nonmanifold"]), (True, 0, 0))
        self.assertEqual((facts["orientation"], facts["area"], facts["volume"]), ("outward", 6, 1))
        self.assertNotIn("unit_hint", facts)
        self.assertIn("volume         1 m^3", self.rill("info", "cube.obj").stdout)

    def test_open(self):
        facts = self.info("open.obj", CUBE_VERTICES + "".join(CUBE_FACES[1:]))
        self.assertEqual((facts["closed"], facts["open_edges"], facts["triangles"]), (False, 4, 10))
        self.assertNotIn("volume", facts)
        self.assertIn("open", facts["orientation"])

    def test_edges_of_more_than_two(self):
        facts = self.info("fin.obj", CUBE + "v 0.5 -1 -1\nf 1 2 9\n")
        self.assertEqual((facts["nonmanifold"], facts["open_edges"]), (1, 2))

    def test_orientation(self):
        inward = CUBE_VERTICES + "".join(map(turned, CUBE_FACES))
        facts = self.info("inward.obj", inward)
        self.assertEqual((facts["orientation"], facts["volume"]), ("inward", 1))
        facts = self.info("mixed.obj", CUBE_VERTICES + turned(CUBE_FACES[0]) + "".join(CUBE_FACES[1:]))
        self.assertIn("disagree", facts["orientation"])

    def test_units(self):
        facts = self.info("cube.obj", CUBE.replace("1\nv", "150\nv"))
        self.assertIn('150 m long; write "scale": 0.001 if they were meant as mm', facts["unit_hint"])

    def test_every_format(self):
        places = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
        faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
        rows = "".join(f"{x} {y} {z}\n" for x, y, z in places) + "".join(f"3 {a} {b} {c}\n" for a, b, c in faces)
        ply = ("PLY\nformat ascii 1.0\ncomment " + "x" * 500 + "\nelement vertex 4\nproperty float x\nproperty float y\n"
               "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n" + rows)
        stl = bytes(80) + struct.pack("<I", 4) + b"".join(
            bytes(12) + b"".join(struct.pack("<3f", *places[v]) for v in face) + bytes(2) for face in faces)
        for name, data, vertices in (("a.ply", ply, 4), ("lower.ply", ply.replace("PLY", "ply"), 4),
                                     ("a.off", "OFF\n4 4 6\n" + rows, 4), ("A.STL", stl, 12)):
            with self.subTest(name=name):
                facts = self.info(name, data)
                self.assertEqual(facts["format"], name.rsplit(".", 1)[1].upper())
                self.assertEqual((facts["vertices"], facts["distinct"], facts["triangles"]), (vertices, 4, 4))
                self.assertAlmostEqual(facts["volume"], 1 / 6)

    def test_particles_are_no_mesh(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--format", "ply")
        self.assertIn("particles", self.rill("info", "out/frames/frame_00001.ply").stdout)

    def test_what_is_none(self):
        self.assertIn("File > Export", self.info("scene.gltf", "{}", code=1)["error"])
        self.assertIn("line 9: the face names vertex 9", self.info("a.obj", CUBE_VERTICES + "f 1 2 9\n", code=1)["error"])
        self.assertIn("degenerate", self.info("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", code=1)["error"])
        os.mkfifo(self.folder / "pipe.stl")
        self.assertIn("is a pipe or a device", self.rill("info", "pipe.stl", code=1).stderr)


class InAScene(tool.ToolTest):
    """Files that ended the process, or never ended, while Assimp read them."""

    def check(self, name, data, words):
        (self.folder / name).write_bytes(data)
        scene = self.scene(dim=3, world={"spacing": 0.1}, solids=[{"shape": "mesh", "file": name}], gauges=[],
                           blocks=[{"shape": "box", "min": [0, 0, 2], "max": [0.3, 0.3, 2.3]}])
        said = self.rill("run", scene, "--quiet", code=1).stderr
        self.assertIn(name, said)
        self.assertIn(words, said)

    def test_cut_short(self):
        self.check("cut.ply", b"ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
                   b"property float z\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n"
                   b"0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1", "cut short")

    def test_a_list_of_a_negative_length(self):
        self.check("list.ply", b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                   b"property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
                   b"0 0 0\n-2147483649 4 5 6", "-2147483649 numbers")

    def test_indices_of_the_wild(self):
        self.check("wild.ply", b"ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
                   b"property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
                   b"1 1 1\n-1e9 1 1\n3 0 1 99999999999999999999\n3\0\0\0\0\0\0\xf0?3 4 5 6\n", "99999999999999999999")

    def test_a_head_without_end(self):
        self.check("upper.ply", b"PLY\nformat ascii 1.0\nelement vertex 3\n", "end_header")


if __name__ == "__main__":
    unittest.main()
