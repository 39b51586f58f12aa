# SPDX-License-Identifier: MIT
"""rill render and rill movie: pictures of water in 2D and 3D, and movies of them, in good times and in bad."""
import os
import re
import shutil
import struct
import subprocess
import unittest

import tool

TANK_3D = {
    "dim": 3,
    "world": {"spacing": 0.1},
    "run": {"time": 0.1, "fps": 20},
    "blocks": [{"shape": "box", "min": [0, 0, 0], "max": [0.5, 1, 0.5]}],
    "solids": [
        {"name": "tank", "shape": "box", "min": [0, 0, 0], "max": [1, 1, 1], "inside": True},
        {"name": "ball", "shape": "sphere", "position": [0.75, 0.5, 0.2], "radius": 0.2},
    ],
    "picture": {"width": 160, "height": 100, "samples": 4},
    "gauges": [{"name": "centre", "kind": "centre"}],
}


def blue_share(rows):
    """Share of pixels that are clearly bluer than red: water."""
    count = sum(row[x + 2] > row[x] + 40 for row in rows for x in range(0, len(row), 3))
    return count / (len(rows) * len(rows[0]) / 3)


class Render(tool.ToolTest):
    def draw(self, *words):
        names = self.rill("render", *words, "--quiet").stdout.splitlines()
        return {name: tool.png_size(self.folder / name) for name in names}

    def test_2d_water_fills_its_place(self):
        tank = self.scene(blocks=[{"shape": "box", "min": [0, 0], "max": [1, 0.5]}],
                          picture={"width": 400, "height": 400, "min": [0, 0], "max": [1, 1]}, gauges=[])
        self.assertEqual(self.draw(tank, "--plain"), {"dam.png": (400, 400)})
        self.assertAlmostEqual(blue_share(tool.pixels(self.folder / "dam.png")), 0.5, delta=0.02)

    def test_3d_shows_water_and_the_ball(self):
        scene = self.scene("tank", **TANK_3D)
        self.assertEqual(self.draw(scene, "--plain"), {"tank.png": (160, 100)})
        self.assertGreater(blue_share(tool.pixels(self.folder / "tank.png")), 0.05)
        with_ball = (self.folder / "tank.png").read_bytes()
        self.draw(self.scene("tank", **{**TANK_3D, "solids": TANK_3D["solids"][:1]}), "--plain")
        self.assertNotEqual(with_ball, (self.folder / "tank.png").read_bytes())

    def test_quick_surface(self):
        """The rasterised surface: the block's front, half a metre square, stands where the camera must see it."""
        scene = self.scene("tank", **{**TANK_3D, "solids": [], "gauges": [], "picture": {
            "width": 240, "height": 240, "samples": 4, "eye": [0.5, -9, 0.5], "target": [0.5, 0, 0.5], "field_of_view": 0.2}})
        self.assertEqual(self.draw(scene, "--look", "surface", "--plain"), {"tank.png": (240, 240)})
        rows = tool.pixels(self.folder / "tank.png")
        fluid = [(x, y) for y, row in enumerate(rows) for x in range(240) if row[3 * x + 2] > row[3 * x] + 40]
        metre = 240 / (9 * 0.2)
        self.assertAlmostEqual(len(fluid) ** 0.5, 0.5 * metre, delta=5)
        self.assertAlmostEqual(sum(x for x, _ in fluid) / len(fluid), 120 - 0.25 * metre, delta=1.5)
        painted = (self.folder / "tank.png").read_bytes()
        self.draw(scene, "--look", "particles", "--plain")
        self.assertNotEqual(painted, (self.folder / "tank.png").read_bytes())

    def test_same_picture_on_any_threads(self):
        scene = self.scene("tank", **TANK_3D)
        self.draw(scene, "--threads", "1", "--out", "one.png")
        self.draw(scene, "--threads", "3", "--out", "three.png")
        self.assertEqual((self.folder / "one.png").read_bytes(), (self.folder / "three.png").read_bytes())

    def test_folder_files_and_time(self):
        scene = self.scene("tank", **TANK_3D)
        self.rill("run", scene, "--out", "out", "--quiet")
        self.assertEqual(list(self.draw("out")), [f"out/render/frame_{k:05}.png" for k in range(3)])
        self.assertEqual(list(self.draw("out/snapshot.rill", "--out", "s.png", "--size", "160x100", "--samples", "4")), ["s.png"])
        self.draw(scene, "--out", "begin.png")
        self.draw(scene, "--time", "50 ms", "--out", "later.png")
        self.assertNotEqual((self.folder / "begin.png").read_bytes(), (self.folder / "later.png").read_bytes())

    def test_cameras(self):
        said = {"still": {}, "eye": {"eye": [3, -2, 2], "target": [0.5, 0.5, 0.3]},
                "orbit": {"orbit": 12}, "path": {"path": [[3, -2, 1], [0, -3, 2], [-2, -2, 2]], "target": [0.5, 0.5, 0.3]}}
        pictures = set()
        for name, camera in said.items():
            scene = self.scene("tank", **{**TANK_3D, "picture": {**TANK_3D["picture"], **camera}})
            self.draw(scene, "--time", "50 ms", "--out", f"{name}.png")
            pictures.add((self.folder / f"{name}.png").read_bytes())
        self.assertEqual(len(pictures), len(said))

    def test_camera_on_the_command_line(self):
        camera = {"eye": [3, -2, 2], "target": [0.5, 0.5, 0.3], "field_of_view": "30 deg"}
        self.draw(self.scene("tank", **{**TANK_3D, "picture": {**TANK_3D["picture"], **camera}}), "--out", "scene.png")
        words = ("--eye", "[3,-2,2]", "--target", "[0.5,0.5,30cm]", "--view", "30 deg")
        self.draw(self.scene("tank", **TANK_3D), *words, "--out", "words.png")
        self.assertEqual((self.folder / "scene.png").read_bytes(), (self.folder / "words.png").read_bytes())
        self.assertIn("eye", self.rill("render", self.scene("tank", **TANK_3D), "--eye", "[1,2,3kg]", code=2).stderr)

    def test_paints(self):
        """A green ball is green; paints for nothing and colours that are none are refused."""
        green = lambda rows: sum(row[x + 1] > row[x] + 30 and row[x + 1] > row[x + 2] + 30 for row in rows
                                 for x in range(0, len(row), 3))
        dry = {**TANK_3D, "blocks": [], "gauges": []}
        for paints, pixels in (([], range(1)), ([{"of": "ball", "color": "#20c030"}], range(50, 16000))):
            self.draw(self.scene("tank", **dry, paints=paints), "--plain")
            self.assertIn(green(tool.pixels(self.folder / "tank.png")), pixels)
        hidden = [{"of": "ball", "color": "#20c030", "shown": False}]
        for look in ("water", "particles"):
            self.draw(self.scene("tank", **dry, paints=hidden), "--plain", "--look", look, "--out", "hidden.png")
            self.draw(self.scene("tank", **{**dry, "solids": dry["solids"][:1]}), "--plain", "--look", look, "--out", "none.png")
            self.assertEqual((self.folder / "hidden.png").read_bytes(), (self.folder / "none.png").read_bytes())
        for paint, word in (({"of": "bal", "color": "#20c030"}, "bal"), ({"of": "ball", "color": "green"}, "green"),
                            ({"color": "#20c030"}, "of")):
            done = self.rill("render", self.scene("tank", **dry, paints=[paint]), code=1)
            self.assertIn("paints[0]", done.stderr)
            self.assertIn(word, done.stderr)

    def test_cloth_is_traced(self):
        """The two colours of a sheet are seen, the darker one as often as the other; without the sheet there is neither."""
        sheet = {"name": "sheet", "kind": "sheet", "position": [0, 0, 0.3], "edge_a": [1, 0, 0], "edge_b": [0, 1, 0]}
        def count(cloths):
            scene = {**TANK_3D, "method": "projective", "blocks": [], "gauges": [], "solids": TANK_3D["solids"][:1], "cloths": cloths}
            self.draw(self.scene("tank", **scene), "--plain")
            warm = [row[x] - row[x + 2] for row in tool.pixels(self.folder / "tank.png") for x in range(0, len(row), 3)]
            return sum(40 < w <= 100 for w in warm), sum(w > 100 for w in warm)
        self.assertEqual(count([]), (0, 0))
        light, dark = count([sheet])
        self.assertGreater(min(light, dark), 300)
        self.assertLess(max(light, dark), 3 * min(light, dark))

    def test_nothing_one_and_no_numbers(self):
        head = "ply\nformat binary_little_endian 1.0\ncomment dim {}\ncomment spacing 0.1\nelement vertex {}\n"
        head += "property float x\nproperty float y\nproperty float z\nend_header\n"
        nan = float("nan")
        for dim in (2, 3):
            for points in ([], [(0, 0, 0)], [(nan, 0, 0)], [(nan, 0, 0), (1, 1, 0), (1e30, 0, 0)]):
                data = b"".join(struct.pack("<fff", *point) for point in points)
                (self.folder / "frame.ply").write_bytes(head.format(dim, len(points)).encode() + data)
                for look in ("particles", "surface", "water"):
                    with self.subTest(dim=dim, points=points, look=look):
                        self.assertEqual(self.draw("frame.ply", "--size", "100x80", "--samples", "2", "--look", look),
                                         {"frame.png": (100, 80)})

    def test_trouble(self):
        scene = self.scene("tank", **TANK_3D)
        self.assertIn("particles, surface, water", self.rill("render", scene, "--look", "fire", code=2).stderr)
        self.assertIn("samples", self.rill("render", scene, "--samples", "0", code=2).stderr)
        self.assertIn("ulimit", self.rill("render", scene, "--quiet", code=1, file_limit=2000).stderr)
        self.assertFalse((self.folder / "tank.png").exists())


@unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not there")
class Movie(tool.ToolTest):
    def probe(self, name):
        """Width, height and number of pictures, as ffprobe counts them."""
        done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                               "stream=width,height,nb_read_frames", "-of", "csv=p=0", name], cwd=self.folder,
                              capture_output=True, text=True, check=True)
        return tuple(int(word) for word in done.stdout.strip().split(",")[:3])

    def test_every_kind_of_file(self):
        for name in ("m.mp4", "m.webm", "m.gif", "m.png"):
            with self.subTest(name=name):
                self.rill("movie", self.scene(), "--size", "160x100", "--out", name, "--quiet")
                self.assertEqual(self.probe(name), (160, 100, 6))

    def test_side_by_side_with_a_diagram(self):
        (self.folder / "known.csv").write_text("time,front\n0,0.4\n0.1,0.5\n")
        self.rill("movie", self.scene(), "--methods", "all", "--gauge", "front", "--reference", "known.csv", "--size",
                  "160x100", "--columns", "2", "--out", "m.mp4", "--quiet")
        methods = re.findall(r"(?m)^(\w+): ", self.rill("methods").stdout)
        rows = (len(methods) + 1) // 2
        self.assertEqual(self.probe("m.mp4"), (320, 100 * rows + 150, 6))

    def test_one_value_of_a_gauge_in_3d(self):
        scene = self.scene("tank", **TANK_3D)
        for gauge, code in (("centre_z", 0), ("centre_q", 1), ("centr", 1)):
            self.rill("movie", scene, "--look", "surface", "--gauge", gauge, "--size", "160x100", "--out", "m.gif", "--quiet",
                      code=code)
        self.assertEqual(self.probe("m.gif"), (160, 250, 3))

    def test_folders(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet")
        self.rill("movie", "out", "out", "--look", "particles", "--gauge", "front", "--size", "240x160", "--out",
                  "m.mp4", "--quiet")
        self.assertEqual(self.probe("m.mp4"), (480, 310, 6))

    def test_damaged_missing_and_empty_frames(self):
        """Neither a picture nor a movie of the others is lost."""
        self.rill("run", self.scene(), "--out", "out", "--quiet")
        frames = sorted((self.folder / "out/frames").glob("*.vtp"))
        frames[2].write_bytes(frames[2].read_bytes()[:200])
        frames[4].unlink()
        done = self.rill("movie", "out", "--size", "160x100", "--out", "m.mp4", "--quiet", code=1)
        self.assertIn("frame_00002.vtp", done.stderr)
        self.assertEqual(self.probe("m.mp4"), (160, 100, 5))
        done = self.rill("render", "out", "--quiet", code=1)
        self.assertIn("frame_00002.vtp", done.stderr)
        self.assertEqual([path.stem[-1] for path in sorted((self.folder / "out/render").glob("*.png"))], list("0135"))
        nothing = self.scene("nothing", blocks=[], gauges=[])
        for look in ("particles", "surface", "water"):
            self.rill("movie", nothing, "--look", look, "--size", "160x100", "--out", f"{look}.mp4", "--quiet")
            self.assertEqual(self.probe(f"{look}.mp4"), (160, 100, 6))

    def test_full_disk(self):
        for name in ("m.mp4", "m.webm", "m.gif", "m.png"):
            with self.subTest(name=name):
                done = self.rill("movie", self.scene(), "--size", "320x200", "--out", name, "--quiet", code=1,
                                 file_limit=1000)
                self.assertIn(f"{name}: ffmpeg could not write the movie", done.stderr)
                self.assertEqual([path.name for path in self.folder.glob("m.*")], [], "nothing half made is left")

    def test_names_that_ffmpeg_would_read_otherwise(self):
        for name in ("-x.mp4", "file:x.mp4", "pipe:1.gif"):
            with self.subTest(name=name):
                self.rill("movie", self.scene(), "--size", "160x100", "--time", "20 ms", "--out", name, "--quiet")
                self.assertEqual(self.probe(f"./{name}" if ":" not in name else f"file:{name}"), (160, 100, 2))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["-x.mp4", "dam.json", "file:x.mp4", "pipe:1.gif"])

    def test_planted_links_are_not_followed(self):
        victim = self.folder / "victim"
        victim.write_bytes(b"precious")

        def plant():
            """Under the names that a process of this number would use first."""
            for name in (f"m.mp4.tmp{os.getpid()}.mp4", f"m.mp4.tmp{os.getpid()}-0", f".rill-{os.getpid()}-0.tmp"):
                os.symlink("victim", self.folder / name)

        subprocess.run([tool.TOOL, "movie", self.scene(), "--size", "160x100", "--time", "20 ms", "--out", "m.mp4", "--quiet"],
                       cwd=self.folder, preexec_fn=plant, check=True, stdout=subprocess.DEVNULL, timeout=120)
        self.assertEqual(victim.read_bytes(), b"precious")
        self.assertEqual(self.probe("m.mp4"), (160, 100, 2))

    def test_numbers_are_read_to_their_end(self):
        for words in (("--speed", "0.5abc"), ("--speed", "nan"), ("--columns", "2x"), ("--columns", "1.5"),
                      ("--size", "160x100x"), ("--size", "160x100abc"), ("--samples", "4 5"), ("--range", "0", "1abc"),
                      ("--range", "2", "1")):
            with self.subTest(words=words):
                self.assertIn(words[-1], self.rill("movie", self.scene(), *words, "--quiet", code=2).stderr)
                self.assertEqual([path.name for path in self.folder.glob("movie*")], [])

    def test_a_range_has_units(self):
        common = ("--look", "particles", "--size", "160x100", "--time", "20 ms", "--quiet", "--out")
        self.rill("movie", self.scene(), "--range", "0", "2", *common, "metres.png")
        self.rill("movie", self.scene(), "--range", "0", "200 cm/s", *common, "centimetres.png")
        self.assertEqual((self.folder / "metres.png").read_bytes(), (self.folder / "centimetres.png").read_bytes())

    def test_trouble(self):
        scene = self.scene()
        self.assertIn(".webm", self.rill("movie", scene, "--out", "m.avi", code=2).stderr)
        for gauge in ("wind", "front_x"):  # a front is one number
            self.assertIn("no such gauge", self.rill("movie", scene, "--gauge", gauge, code=1).stderr)
        self.assertIn("m.mp4", self.rill("movie", scene, "--out", "nowhere/m.mp4", code=1).stderr)
        self.rill("movie", scene, "--methods", "magic", code=2)
        (self.folder / "empty.csv").write_text("nothing\n")
        self.assertIn("two numbers",
                      self.rill("movie", scene, "--gauge", "front", "--reference", "empty.csv", code=1).stderr)
        environment = {"PATH": str(self.folder)}
        self.assertIn("apt-get install ffmpeg", self.rill("movie", scene, "--quiet", code=1, env=environment).stderr)
        self.assertEqual([path.name for path in self.folder.glob("movie*")], [], "nothing half made is left")


if __name__ == "__main__":
    unittest.main()
