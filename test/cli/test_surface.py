# SPDX-License-Identifier: MIT
"""rill surface and rill run --surface: meshes that another program finds closed, and calm in every kind of trouble."""
import importlib.machinery
import importlib.util
import json
import re
import struct
import unittest

import tool

try:
    loader = importlib.machinery.SourceFileLoader("check_meshes", str(tool.SOURCE / "scripts/check_meshes"))
    check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_meshes", loader))
    loader.exec_module(check)
except ImportError:
    check = None

# A column of water that falls onto a box in a tank: splashes, walls, edges.
DAM_3D = {
    "dim": 3,
    "world": {"spacing": 0.05},
    "run": {"time": 0.3, "fps": 10},
    "blocks": [{"shape": "box", "min": [0, 0, 0], "max": [0.4, 0.5, 0.5]}],
    "solids": [
        {"name": "tank", "shape": "box", "min": [0, 0, 0], "max": [1, 0.5, 1], "inside": True},
        {"name": "post", "shape": "box", "min": [0.6, 0.2, 0], "max": [0.7, 0.3, 0.3]},
    ],
    "gauges": [],
}


class Surfaces(tool.ToolTest):
    def run_3d(self, *words):
        scene = self.scene("splash", **DAM_3D)
        self.rill("run", scene, "--out", "out", "--quiet", *words)
        return scene

    @unittest.skipUnless(check, "VTK is not there")
    def test_every_frame_is_closed(self):
        self.run_3d("--surface", "--surface-format", "ply,vtp,obj,glb")
        for field in ("distance", "density", "anisotropic"):
            self.rill("surface", "out", "--field", field, "--out", field, "--quiet")
        folders = ["out/surface", "distance", "density", "anisotropic"]
        for path in (path for folder in folders for path in sorted((self.folder / folder).glob("frame_*.ply"))):
            with self.subTest(path=path):
                mesh = check.read_mesh(path)
                self.assertEqual(check.bad_edges(mesh), 0)
                self.assertAlmostEqual(check.volume(mesh), 0.1, delta=0.008)
        self.assertEqual(len(list((self.folder / "out/surface").glob("frame_*.ply"))), 4)

    @unittest.skipUnless(check, "VTK is not there")
    def test_formats_agree(self):
        self.run_3d("--surface", "--surface-format", "ply,vtp,obj,glb")
        meshes = [check.read_mesh(self.folder / f"out/surface/frame_00002.{ending}") for ending in ("ply", "vtp", "obj")]
        self.assertEqual(len({mesh.GetNumberOfPoints() for mesh in meshes}), 1)
        self.assertEqual(len({mesh.GetNumberOfCells() for mesh in meshes}), 1)
        self.assertEqual(len({round(check.volume(mesh), 6) for mesh in meshes}), 1)
        velocity = meshes[1].GetPointData().GetArray("velocity")
        self.assertGreater(velocity.GetMaxNorm(), 0.5, "the water falls")
        series = (self.folder / "out/surface/surface.pvd").read_text()
        self.assertEqual(re.findall(r'file="([^"]+)"', series), [f"frame_{k:05}.vtp" for k in range(4)])

    @unittest.skipUnless(check, "VTK is not there")
    def test_colours(self):
        """Slow water is dark in the map of speeds, fast water light; what is faster than the range is as light as foam."""
        self.run_3d()
        self.rill("surface", "out", "--color", "speed", "--range", "0", "1 m/s", "--format", "ply,vtp,obj,glb", "--quiet")
        mesh = check.read_mesh(self.folder / "out/surface/frame_00002.vtp")
        color, velocity = (mesh.GetPointData().GetArray(name) for name in ("color", "velocity"))
        for k in range(0, mesh.GetNumberOfPoints(), 7):
            speed = sum(c * c for c in velocity.GetTuple3(k)) ** 0.5
            light = sum(color.GetTuple3(k)) / 3
            self.assertTrue(light < 0.62 if speed < 0.5 else light > 0.45, (speed, light))
        ply = check.read_mesh(self.folder / "out/surface/frame_00002.ply").GetPointData().GetScalars()
        for k in range(0, mesh.GetNumberOfPoints(), 50):
            for a, b in zip(ply.GetTuple3(k), color.GetTuple3(k)):
                self.assertAlmostEqual(a / 255, b, delta=0.003)
        first = next(line for line in (self.folder / "out/surface/frame_00002.obj").read_text().splitlines() if line[0] == "v")
        self.assertEqual(len(first.split()), 7)
        glb = (self.folder / "out/surface/frame_00002.glb").read_bytes()
        self.check_glb(glb)
        self.assertIn(b'"COLOR_0":4', glb)

    def check_glb(self, data):
        magic, version, length, text_length, kind = struct.unpack_from("<4sIIII", data)
        self.assertEqual((magic, version, length, kind), (b"glTF", 2, len(data), 0x4E4F534A))
        document = json.loads(data[20:20 + text_length])
        size = document["buffers"][0]["byteLength"]
        self.assertEqual(20 + text_length + 8 + size, len(data))
        views = sorted((view["byteOffset"], view["byteLength"]) for view in document["bufferViews"])
        ends = [0] + [begin + length for begin, length in views]
        self.assertEqual([begin for begin, _ in views] + [size], ends, "views follow each other without gap or overlap")
        self.assertEqual([accessor["bufferView"] for accessor in document["accessors"]], list(range(len(views))))

    def test_glb_is_whole(self):
        self.run_3d("--surface", "--surface-format", "glb")
        self.check_glb((self.folder / "out/surface/frame_00001.glb").read_bytes())

    def test_2d_lines_are_closed(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--surface", "--surface-format", "obj")
        for path in sorted((self.folder / "out/surface").glob("*.obj")):
            ends = {}
            for line in path.read_text().splitlines():
                if line.startswith("l "):
                    for end in line.split()[1:]:
                        ends[end] = ends.get(end, 0) + 1
            self.assertTrue(ends)
            self.assertEqual(set(ends.values()), {2}, path)

    def test_single_files_and_scenes(self):
        scene = self.run_3d()
        for what, mesh in (("out/snapshot.rill", "out/surface/snapshot.ply"),
                           ("out/frames/frame_00002.vtp", "out/frames/surface/frame_00002.ply"),
                           (scene, "surface/splash.ply")):
            self.rill("surface", what)
            self.assertTrue((self.folder / mesh).is_file(), mesh)
        began = (self.folder / "surface/splash.ply").read_bytes()
        self.rill("surface", scene, "--time", "100 ms", "--quiet")
        self.assertNotEqual((self.folder / "surface/splash.ply").read_bytes(), began)

    def test_same_mesh_on_any_threads(self):
        self.run_3d()
        self.rill("surface", "out", "--threads", "1", "--out", "one", "--quiet")
        self.rill("surface", "out", "--threads", "3", "--out", "three", "--quiet")
        for k in range(4):
            read = lambda folder: (self.folder / f"{folder}/frame_{k:05}.ply").read_bytes()
            self.assertEqual(read("one"), read("three"))


class Trouble(tool.ToolTest):
    def frame(self, name, points, spacing=0.1):
        """A frame of our own, as other programs might leave one."""
        (self.folder / "frames").mkdir(exist_ok=True)
        head = f"ply\nformat binary_little_endian 1.0\ncomment time 0.5\ncomment dim 3\n"
        head += f"comment spacing {spacing}\n" if spacing else ""
        head += f"element vertex {len(points)}\n" + "".join(f"property float {c}\n" for c in "xyz") + "end_header\n"
        data = b"".join(struct.pack("<fff", *point) for point in points)
        (self.folder / f"frames/{name}.ply").write_bytes(head.encode() + data)

    def elements(self, path):
        head = (self.folder / path).read_bytes().split(b"end_header")[0].decode()
        return int(re.search(r"element face (\d+)", head).group(1))

    def test_empty_one_and_no_numbers(self):
        nan = float("nan")
        self.frame("frame_00000", [])
        self.frame("frame_00001", [(0, 0, 0)])
        self.frame("frame_00003", [(nan, 0, 0), (0, 0, 1), (float("inf"), 1, 2), (1e30, 0, 0)])
        self.frame("frame_00004", [(nan, nan, nan)])
        done = self.rill("surface", ".")
        self.assertEqual(self.elements("surface/frame_00000.ply"), 0)
        self.assertGreater(self.elements("surface/frame_00001.ply"), 20)
        self.assertGreater(self.elements("surface/frame_00003.ply"), 20)
        self.assertEqual(self.elements("surface/frame_00004.ply"), 0)
        self.assertIn("frame_00003: 3 particles whose positions are not finite were left out", done.stderr)
        self.assertFalse((self.folder / "surface/frame_00002.ply").exists(), "a missing frame stays missing")

    def test_empty_frames_in_every_format(self):
        self.frame("frame_00000", [])
        self.rill("surface", ".", "--format", "ply,obj,vtp,glb")
        self.assertEqual(len(list((self.folder / "surface").glob("frame_00000.*"))), 4)

    def test_damaged_frames_are_told_of(self):
        self.frame("frame_00000", [(0, 0, 0)])
        self.frame("frame_00001", [(0, 0, 0)] * 50)
        self.frame("frame_00002", [(0, 0, 0)])
        damaged = self.folder / "frames/frame_00001.ply"
        damaged.write_bytes(damaged.read_bytes()[:-40])
        done = self.rill("surface", ".", code=1)
        self.assertIn("frame_00001.ply", done.stderr)
        self.assertIn("skipped", done.stderr)
        self.assertTrue((self.folder / "surface/frame_00002.ply").is_file(), "the others are meshed")

    def test_no_spacing(self):
        self.frame("frame_00000", [(0, 0, 0)], spacing=None)
        self.assertIn("spacing", self.rill("surface", ".", code=1).stderr)

    def test_no_frames(self):
        (self.folder / "empty").mkdir()
        self.assertIn("no frames", self.rill("surface", "empty", code=1).stderr)
        self.rill("surface", "no_such_scene", code=1)

    def test_full_disk(self):
        self.frame("frame_00000", [(0.1 * (k % 9), 0.1 * (k // 9 % 9), 0.1 * (k // 81)) for k in range(729)])
        done = self.rill("surface", ".", code=1, file_limit=20000)
        self.assertIn("surface/frame_00000.ply", done.stderr)
        self.assertIn("ulimit", done.stderr)
        self.assertEqual(list((self.folder / "surface").iterdir()), [], "nothing half written is left")

    def test_wrong_words(self):
        self.frame("frame_00000", [(0, 0, 0)])
        self.assertIn("ply, obj, vtp, glb", self.rill("surface", ".", "--format", "stl", code=2).stderr)
        self.assertIn("anisotropic", self.rill("surface", ".", "--field", "round", code=2).stderr)
        self.assertIn("pressure", self.rill("surface", ".", "--color", "red", code=2).stderr)
        self.assertIn("--color", self.rill("surface", ".", "--range", "0", "1", code=2).stderr)
        self.assertIn("--out", self.rill("run", self.scene(), "--surface", code=2).stderr)
        self.assertIn("glb", self.rill("run", self.scene(), "--surface-format", "x", "--out", "o", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
