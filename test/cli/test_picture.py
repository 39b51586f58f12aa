# SPDX-License-Identifier: MIT
"""rill picture and rill info: what can be made of what a run has written."""
import json
import unittest

import tool


class Pictures(tool.ToolTest):
    def setUp(self):
        super().setUp()
        gate = {"name": "gate", "shape": "box", "min": [0.5, 0], "max": [0.7, 0.5], "motion": {"velocity": [0, 2]}}
        self.dam = self.scene(solids=tool.DAM["solids"] + [gate], picture={"width": 320, "height": 200})
        self.rill("run", self.dam, "--out", "out", "--quiet", "--format", "vtp,ply")

    def draw(self, *words):
        """Draws, and returns the sizes of the pictures that it says it has written."""
        names = self.rill("picture", *words).stdout.splitlines()
        return {name: tool.png_size(self.folder / name) for name in names}

    def test_folder(self):
        expected = {f"out/pictures/frame_{k:05}.png": (320, 200) for k in range(6)}
        self.assertEqual(self.draw("out"), expected)
        pictures = [(self.folder / name).read_bytes() for name in expected]
        self.assertEqual(len(set(pictures)), 6, "every frame looks different")

    def test_folder_elsewhere(self):
        self.assertEqual(set(self.draw("out", "--out", "here", "--size", "200x150").values()), {(200, 150)})
        self.assertEqual(len(list((self.folder / "here").iterdir())), 6)

    def test_single_files(self):
        for name in ("out/snapshot.rill", "out/frames/frame_00003.vtp", "out/frames/frame_00003.ply"):
            for color in ("speed", "density", "pressure"):
                with self.subTest(name=name, color=color):
                    self.assertEqual(list(self.draw(name, "--color", color, "--out", "one.png")), ["one.png"])
        self.assertEqual(list(self.draw("out/frames/frame_00003.vtp")), ["out/frames/frame_00003.png"])

    def test_solids_are_drawn_and_move(self):
        frame = "out/frames/frame_00003.vtp"
        self.draw(frame, "--out", "with.png")
        (self.folder / "out/shapes.json").rename(self.folder / "hidden.json")
        self.draw(frame, "--out", "without.png", "--size", "320x200")
        self.assertNotEqual((self.folder / "with.png").read_bytes(), (self.folder / "without.png").read_bytes())

    def test_run_and_picture_agree(self):
        words = ("--set", "picture.color_min=0", "--set", "picture.color_max=1")
        self.rill("run", self.dam, "--out", "live", "--quiet", "--picture", *words)
        drawn = self.folder / "live/pictures/frame_00004.png"
        live = drawn.read_bytes()
        self.draw("live")
        self.assertEqual(drawn.read_bytes(), live, "a frame drawn later shows the solids where they were")

    def test_bodies_stand_where_they_were(self):
        block = {"name": "block", "shape": "box", "min": [0.6, 0.4], "max": [0.8, 0.6], "density": 500, "angle": 0.3}
        words = ("--set", "picture.color_min=0", "--set", "picture.color_max=1")
        self.rill("run", self.scene("fall", bodies=[block]), "--out", "live", "--quiet", "--picture", *words)
        self.draw("live/frames/frame_00005.vtp", "--out", "later.png", "--size", "960x600")
        live, later, begin = (b"".join(tool.pixels(self.folder / name)) for name in
                              ("live/pictures/frame_00005.png", "later.png", "live/pictures/frame_00000.png"))
        apart = lambda one, other: sum(abs(a - b) > 8 for a, b in zip(one, other)) / len(one)
        self.assertLess(apart(live, later), 1e-4, "tables have nine digits")
        self.assertGreater(apart(live, begin), 1e-2)

    def test_a_run_has_one_range_of_colours(self):
        """The bar and its numbers, at the right of the plot, are the same in all frames though the speeds are not."""
        self.rill("run", self.dam, "--out", "live", "--quiet", "--picture")
        bars = set()
        for path in sorted((self.folder / "live/pictures").glob("*.png")):
            bars.add(b"".join(row[-3 * 34:] for row in tool.pixels(path)[20:180]))
        self.assertEqual(len(bars), 1)

    def test_scene(self):
        self.assertEqual(self.draw(self.dam), {"dam.png": (320, 200)})

    def test_range_takes_units(self):
        self.draw("out/snapshot.rill", "--range", "0", "1 m/s", "--out", "si.png")
        self.draw("out/snapshot.rill", "--range", "0", "100 cm/s", "--out", "cm.png")
        self.draw("out/snapshot.rill", "--range", "0", "9 m/s", "--out", "other.png")
        read = lambda name: (self.folder / name).read_bytes()
        self.assertEqual(read("si.png"), read("cm.png"))
        self.assertNotEqual(read("si.png"), read("other.png"))

    def test_mistakes(self):
        for words, expected in ((("out", "--color", "sped"), "speed"), (("out", "--size", "big"), "960x600"),
                                (("out", "--range", "2", "1"), "below"), (("out", "--samples", "many"), "many"),
                                (("nothing", "--range", "0", "1 kg"), "kg")):
            self.assertIn(expected, self.rill("picture", *words, code=2).stderr)
        for words, expected in ((("nothing",), "nothing"), (("out/pictures_of_nothing",), "pictures_of_nothing")):
            self.assertIn(expected, self.rill("picture", *words, code=1).stderr)
        (self.folder / "empty").mkdir()
        self.assertIn("no frames", self.rill("picture", "empty", code=1).stderr)


class Info(tool.ToolTest):
    def test_every_kind_of_file(self):
        scene = self.scene()
        run = self.run_json(scene, "--out", "out", "--format", "vtp,ply")
        read = lambda name: json.loads(self.rill("info", name, "--json").stdout)
        for name in ("out/snapshot.rill", "out/frames/frame_00005.vtp", "out/frames/frame_00005.ply"):
            info = read(name)
            self.assertEqual((info["particles"], info["dim"]), (64, 2), name)
            if name != "out/snapshot.rill":
                self.assertAlmostEqual(info["time"], 0.1, places=6)
            self.assertTrue(info["min"][0] >= 0 and info["max"][0] <= 1)
            self.assertIn("particles      64", self.rill("info", name).stdout)
        snapshot = read("out/snapshot.rill")
        self.assertEqual(snapshot["state_hash"], run["state_hash"])
        self.assertAlmostEqual(snapshot["time"], run["steps"] * run["dt_mean"], places=9)  # the world's own
        self.assertTrue(0.1 <= snapshot["time"] < 0.1 + 2 * run["dt_mean"], snapshot["time"])
        self.assertEqual((snapshot["step"], snapshot["method"], snapshot["solids"]), (run["steps"], "wcsph", 1))
        described = read(scene)
        self.assertEqual((described["format"], described["blocks"], described["gauges"]), ("rill scene", 1, 2))

    def test_other_things(self):
        (self.folder / "noise").write_bytes(bytes(range(256)))
        for name in ("noise", "missing", "."):
            self.assertNotEqual(self.rill("info", name, code=1).stderr, "")


if __name__ == "__main__":
    unittest.main()
