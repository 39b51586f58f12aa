# SPDX-License-Identifier: MIT
"""A run's folder alone is enough to draw it, to mesh it and to film it: no scene, no meshes, no world."""
import re
import shutil
import unittest

import tool

GATE = {"name": "gate", "shape": "box", "min": [0.5, 0], "max": [0.7, 0.5], "motion": {"velocity": [0, 2], "spin": 3,
                                                                                  "pivot": [0.6, 0]}}
BALL = {"name": "ball", "shape": "sphere", "position": [0.2, 0.6], "radius": 0.1, "density": 500}
HINGE = {"name": "hinge", "kind": "hinge", "a": "ball", "anchor": [0.2, 0.7]}
COLORS = ("--set", "picture.color_min=0", "--set", "picture.color_max=1")
# A tetrahedron, as any program might write it.
MESH = "v 0.5 0.1 0.1\nv 0.9 0.1 0.1\nv 0.7 0.4 0.1\nv 0.7 0.2 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


class Stored(tool.ToolTest):
    def run_machine(self, *words):
        scene = self.scene("machine", solids=tool.DAM["solids"] + [GATE], bodies=[BALL], joints=[HINGE],
                           picture={"width": 320, "height": 200})
        self.rill("run", scene, "--out", "out", "--quiet", *COLORS, *words)

    def leave_frames_only(self):
        """What is left is what a picture may need: frames and shapes."""
        for path in (self.folder / "out").iterdir():
            if path.name not in ("frames", "shapes.json", "shapes", "pictures", "surface"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def apart(self, one, other):
        rows = [b"".join(tool.pixels(self.folder / name)) for name in (one, other)]
        self.assertEqual(len(rows[0]), len(rows[1]))
        return sum(abs(a - b) > 8 for a, b in zip(*rows)) / len(rows[0])

    def test_pictures_in_both_formats(self):
        self.run_machine("--format", "vtp,ply", "--picture")
        self.leave_frames_only()
        for kind in ("vtp", "ply"):
            self.rill("picture", f"out/frames/frame_00005.{kind}", "--out", "later.png")
            self.assertLess(self.apart("later.png", "out/pictures/frame_00005.png"), 1e-4)
        self.assertGreater(self.apart("later.png", "out/pictures/frame_00000.png"), 1e-2)
        self.rill("picture", "out", "--out", "all")
        self.assertLess(self.apart("all/frame_00003.png", "out/pictures/frame_00003.png"), 1e-4)

    def test_solids_keep_their_shapes_when_one_goes(self):
        """Also in a run that was resumed after it: the frames before still show it."""
        plug = {"name": "plug", "shape": "box", "min": [0.8, 0.6], "max": [0.9, 0.9]}
        scene = self.scene("machine", solids=[plug, *tool.DAM["solids"], GATE], bodies=[BALL], joints=[HINGE],
                           picture={"width": 320, "height": 200},
                           events=[{"time": 0.05, "of": "solids.plug", "action": "remove"}])
        self.rill("run", scene, "--out", "out", "--quiet", "--picture", *COLORS)
        for resumed in (False, True):
            if resumed:
                self.rill("run", scene, "--out", "out", "--quiet", "--time", "0.2", "--picture", *COLORS,
                          "--resume", "out/snapshot.rill")
            shutil.rmtree(self.folder / "all", ignore_errors=True)
            self.rill("picture", "out", "--out", "all")
            for number in (0, 5, 9 if resumed else 5):
                name = f"frame_{number:05}.png"
                self.assertLess(self.apart(f"all/{name}", f"out/pictures/{name}"), 1e-4, (name, resumed))

    def test_render_shows_joints_and_gauges(self):
        self.run_machine()
        self.rill("render", "machine.json", "--time", "100 ms", "--out", "live.png", "--quiet")
        self.leave_frames_only()
        self.rill("render", "out/frames/frame_00005.vtp", "--out", "later.png", "--quiet")
        self.assertLess(self.apart("live.png", "later.png"), 1e-4)
        self.rill("render", "out/frames/frame_00000.vtp", "--out", "begin.png", "--quiet")
        self.assertGreater(self.apart("begin.png", "later.png"), 1e-2)

    def test_movie(self):
        self.run_machine()
        self.leave_frames_only()
        self.rill("movie", "out", "--size", "160x100", "--out", "with.gif", "--quiet")
        (self.folder / "out/shapes.json").unlink()
        self.rill("movie", "out", "--size", "160x100", "--out", "without.gif", "--quiet")
        self.assertNotEqual((self.folder / "with.gif").read_bytes(), (self.folder / "without.gif").read_bytes())

    def test_surfaces_end_at_moving_solids(self):
        self.run_machine("--surface")
        live = (self.folder / "out/surface/frame_00005.ply").read_bytes()
        self.leave_frames_only()
        self.rill("surface", "out", "--out", "mesh", "--quiet")
        later = (self.folder / "mesh/frame_00005.ply").read_bytes()
        count = lambda data: int(re.search(rb"element vertex (\d+)", data).group(1))
        self.assertLess(abs(count(live) - count(later)), 4)
        (self.folder / "out/shapes.json").unlink()
        self.rill("surface", "out", "--out", "free", "--quiet")
        self.assertNotEqual((self.folder / "free/frame_00005.ply").read_bytes(), later)

    def test_meshes_are_taken_along(self):
        (self.folder / "rock.obj").write_text(MESH)
        rock = {"name": "rock", "shape": "mesh", "file": "rock.obj"}
        pair = {"name": "pair", "shape": "compound", "position": [0, 0.5, 0], "parts": [
            {"shape": "mesh", "file": "rock.obj"}, {"shape": "sphere", "radius": 0.1, "position": [0.2, 0.2, 0.2]}]}
        tank = {"name": "tank", "shape": "box", "min": [0, 0, 0], "max": [1, 1, 1], "inside": True}
        scene = self.scene("rocks", dim=3, solids=[tank, rock, pair], gauges=[], run={"time": 0.02, "fps": 50},
                           blocks=[{"shape": "box", "min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}],
                           picture={"width": 200, "height": 150})
        self.rill("run", scene, "--out", "out", "--quiet", "--picture", *COLORS)
        self.leave_frames_only()
        (self.folder / "rock.obj").unlink()
        (self.folder / "out").rename(self.folder / "elsewhere")
        done = self.rill("picture", "elsewhere/frames/frame_00001.vtp", "--out", "later.png")
        self.assertEqual(done.stderr, "")
        self.assertLess(self.apart("later.png", "elsewhere/pictures/frame_00001.png"), 1e-3)

    def test_objects_that_only_a_run_needs(self):
        """Events, riding emitters and sinks name objects that are not stored; the solids are drawn all the same."""
        scene = self.scene("machine", solids=tool.DAM["solids"] + [GATE], bodies=[BALL], joints=[HINGE],
                           picture={"width": 320, "height": 200},
                           emitters=[{"name": "hose", "position": [0.2, 0.75], "direction": [0, 1], "radius": 0.06,
                                      "body": "ball"}],
                           sinks=[{"name": "drain", "shape": "box", "min": [0.8, 0], "max": [1, 0.1], "body": "ball"}],
                           events=[{"time": 0.05, "action": "remove", "of": "sinks.drain"},
                                   {"time": 0.06, "action": "set", "of": "emitters.hose", "key": "speed", "value": "2 m/s"}])
        self.rill("run", scene, "--out", "out", "--quiet", "--picture", *COLORS)
        self.leave_frames_only()
        done = self.rill("picture", "out", "--out", "all")
        self.assertEqual(done.stderr, "")
        self.assertLess(self.apart("all/frame_00003.png", "out/pictures/frame_00003.png"), 1e-4)

    def test_older_runs_have_no_solids(self):
        self.run_machine()
        (self.folder / "out/shapes.json").unlink()
        for words in (("picture", "out/frames/frame_00005.vtp", "--out", "a.png"), ("surface", "out", "--quiet")):
            done = self.rill(*words)
            self.assertIn("shapes.json does not exist", done.stderr)
            self.assertIn("solids", done.stderr)

    def test_damaged_shapes_cost_the_solids_only(self):
        self.run_machine()
        (self.folder / "out/shapes.json").write_text('{"dim": 2, "solids": [{"shape": "sfere"}]}')
        done = self.rill("picture", "out/frames/frame_00005.vtp", "--out", "a.png")
        self.assertIn("no solids are drawn", done.stderr)

    def test_options_of_scenes_are_refused(self):
        """They would do nothing: what is stored was simulated already."""
        self.run_machine()
        for words in (("--set", "picture.eye=[1,2,3]"), ("--time", "1"), ("--method", "pbf"), ("--dt", "1 ms")):
            for command, what in (("picture", "out"), ("render", "out/frames/frame_00001.vtp"), ("surface", "out"),
                                  ("render", "out/snapshot.rill"), ("movie", "out")):
                done = self.rill(command, what, *words, code=2)
                self.assertIn(f"{words[0]} is for scenes", done.stderr)

    def test_frames_of_another_run_are_told_of(self):
        self.run_machine()
        self.rill("run", self.scene(), "--out", "other", "--quiet")
        (self.folder / "other/shapes.json").replace(self.folder / "out/shapes.json")
        done = self.rill("picture", "out/frames/frame_00005.vtp", "--out", "a.png", code=1)
        self.assertIn("not those of the run", done.stderr)


if __name__ == "__main__":
    unittest.main()
