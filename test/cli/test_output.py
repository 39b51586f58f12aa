# SPDX-License-Identifier: MIT
"""The folder that a run writes."""
import csv
import unittest

import tool


class Output(tool.ToolTest):
    def names(self, folder="out"):
        root = self.folder / folder
        return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())

    def test_everything_is_there(self):
        self.rill("run", self.scene(), "--out", "deep/out", "--quiet", "--format", "vtp,ply", "--picture")
        frames = [f"frames/frame_{k:05}.{kind}" for k in range(6) for kind in ("ply", "vtp")]
        pictures = [f"pictures/frame_{k:05}.png" for k in range(6)]
        self.assertEqual(self.names("deep/out"), sorted(
            frames + pictures + ["dam.pvd", "gauges.csv", "residuals.csv", "run.json", "scene.json", "shapes.json", "snapshot.rill",
                                "stats.csv"]))

    def test_series_names_every_frame(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet")
        series = tool.read_series(self.folder / "out/dam.pvd")
        self.assertEqual(series, [(k / 50, f"frames/frame_{k:05}.vtp") for k in range(6)])

    def test_tables(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet")
        names, rows = tool.read_csv(self.folder / "out/gauges.csv")
        self.assertEqual(names, ["time", "front", "push_x", "push_y"])
        self.assertEqual(len(rows), 6)
        self.assertEqual(rows[0][2:], [None, None])  # no force was measured yet
        self.assertTrue(all(value is not None for row in rows[1:] for value in row))
        names, rows = tool.read_csv(self.folder / "out/stats.csv")
        for name in ("time", "step", "dt", "particles", "iterations", "density_error_mean", "density_error_max",
                     "neighbours_mean", "max_speed", "kinetic_energy", "potential_energy", "ms_solve"):
            self.assertIn(name, names)
        columns = dict(zip(names, zip(*rows)))
        self.assertEqual(set(columns["particles"]), {64})
        self.assertAlmostEqual(columns["potential_energy"][0], 0.16 * 1000 * 9.81 * 0.2, delta=8)
        names, rows = tool.read_csv(self.folder / "out/residuals.csv")
        self.assertEqual((names, rows), (["time", "iteration", "residual"], []))  # nothing is solved for here

    def test_a_gauge_reads_the_same_whoever_reads_it(self):
        plain = self.run_json(self.scene())["gauges"]
        self.assertNotEqual(plain["push"][1], 0)
        for words in (("--format", "none"), ("--fps", "50", "--snapshot-every", "7 ms")):
            written = self.run_json(self.scene(), "--out", "out", "--overwrite", *words)["gauges"]
            self.assertEqual(written, plain)
            names, rows = tool.read_csv(self.folder / "out/gauges.csv")
            self.assertAlmostEqual(rows[-1][names.index("push_y")], plain["push"][1], delta=1e-6 * abs(plain["push"][1]))

    def test_what_is_not_there_is_blank(self):
        gauges = [{"name": "dry", "kind": kind, "position": [0.8, 0], "direction": [0, 1], "length": 1}
                  for kind in ("front", "height")]
        gauges[1]["name"] = "also_dry"
        report = self.run_json(self.scene(gauges=gauges), "--out", "out", "--time", "20 ms")
        self.assertEqual(report["gauges"], {"dry": None, "also_dry": None})
        self.assertEqual((self.folder / "out/gauges.csv").read_text().splitlines(), ["time,dry,also_dry", "0,,", "0.02,,"])
        self.assertIn("gauge dry: none", self.rill("run", self.scene(gauges=gauges), "--time", "20 ms").stdout)

    def test_residuals(self):
        self.rill("run", self.scene(), "--method", "constraint", "--set", "iterations=7", "--out", "out", "--quiet")
        names, rows = tool.read_csv(self.folder / "out/residuals.csv")
        self.assertEqual(names, ["time", "iteration", "residual"])
        self.assertEqual([row[1] for row in rows[-7:]], [1, 2, 3, 4, 5, 6, 7])
        self.assertTrue(all(row[2] >= 0 for row in rows) and rows[-1][2] < rows[-7][2])

    def test_more_tables(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet")
        names, rows = tool.read_csv(self.folder / "out/stats.csv")
        columns = dict(zip(names, zip(*rows)))
        self.assertEqual(list(columns["step"]), sorted(set(columns["step"])))

    def test_effective_scene_runs_to_the_same_state(self):
        changed = ("--method", "muller", "--set", "world.gravity=[1, -5]", "--time", "40 ms")
        first = self.run_json(self.scene(), *changed, "--out", "out")
        again = self.run_json("out/scene.json")
        self.assertEqual(again["method"], "muller")
        self.assertEqual(again["state_hash"], first["state_hash"])

    def test_formats(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--format", "none")
        self.assertEqual(self.names(), ["gauges.csv", "residuals.csv", "run.json", "scene.json", "snapshot.rill", "stats.csv"])
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--format", "ply", "--overwrite")
        self.assertIn("frames/frame_00005.ply", self.names())
        self.assertNotIn("dam.pvd", self.names())

    def test_a_new_run_leaves_no_frames_of_the_old_one(self):
        scene = self.scene()
        self.rill("run", scene, "--out", "out", "--quiet", "--picture")
        keep = self.folder / "out/frames/notes.txt"
        keep.write_text("mine")
        self.rill("run", scene, "--out", "out", "--quiet", "--time", "20 ms", "--overwrite")
        self.assertEqual([n for n in self.names() if "/" in n],
                         ["frames/frame_00000.vtp", "frames/frame_00001.vtp", "frames/notes.txt"])

    BODIES = [{"name": "a, b", "shape": "sphere", "position": [0.7, 0.5], "radius": 0.1, "density": 500},
              {"name": "box", "shape": "box", "min": [0.5, 0.0], "max": [0.6, 0.1], "density": 2000}]

    def test_bodies(self):
        report = self.run_json(self.scene(bodies=self.BODIES), "--out", "out")
        with open(self.folder / "out/bodies.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["body"] for row in rows], ["a, b", "box"] * 6)
        for k, body in enumerate(report["bodies"]):
            last = rows[-2 + k]
            self.assertAlmostEqual(float(last["time"]), 0.1)
            for axis in range(2):
                self.assertAlmostEqual(float(last["xy"[axis]]), body["position"][axis], places=6)
                self.assertAlmostEqual(float(last["v" + "xy"[axis]]), body["velocity"][axis], places=5)
        series = tool.read_series(self.folder / "out/bodies.pvd")
        self.assertEqual(series, [(k / 50, f"bodies/frame_{k:05}.vtp") for k in range(6)])
        mesh = (self.folder / "out/bodies/1_a__b.obj").read_text().splitlines()
        points = [list(map(float, line.split()[1:])) for line in mesh if line.startswith("v ")]
        self.assertTrue(all(abs(x * x + y * y - 0.01) < 1e-6 and z == 0 for x, y, z in points))
        self.assertEqual(2 * len([line for line in mesh if line.startswith("l ")]), len(points))

    def test_bodies_can_be_left_out(self):
        scene = self.scene(bodies=self.BODIES)
        self.rill("run", scene, "--out", "out", "--quiet", "--bodies", "none", "--format", "none")
        self.assertEqual(self.names(), ["gauges.csv", "residuals.csv", "run.json", "scene.json", "snapshot.rill", "stats.csv"])
        self.rill("run", scene, "--out", "out", "--quiet", "--bodies", "csv", "--format", "none", "--overwrite")
        self.assertEqual(self.names(), ["bodies.csv", "gauges.csv", "residuals.csv", "run.json", "scene.json", "snapshot.rill", "stats.csv"])
        done = self.rill("run", scene, "--out", "out", "--bodies", "stl", code=2)
        self.assertIn("--bodies: 'stl' is not one of csv, vtp, obj, none", done.stderr)
        done = self.rill("run", scene, "--bodies", "csv", code=2)
        self.assertIn("--bodies needs a folder", done.stderr)

    def test_a_resumed_run_goes_on_with_its_bodies(self):
        scene = self.scene(bodies=self.BODIES)
        self.rill("run", scene, "--out", "whole", "--quiet")
        self.rill("run", scene, "--out", "parts", "--quiet", "--time", "40 ms")
        self.rill("run", scene, "--out", "parts", "--quiet", "--resume", "parts/snapshot.rill")
        for name in ("bodies.csv", "bodies.pvd", "bodies/frame_00005.vtp", "gauges.csv"):
            self.assertEqual((self.folder / "whole" / name).read_bytes(), (self.folder / "parts" / name).read_bytes())

    def test_particles_come_and_go(self):
        scene = self.scene(
            emitters=[{"position": [0.7, 0.7], "direction": [0, -1], "radius": 0.1, "speed": 2}],
            sinks=[{"shape": "box", "min": [0, 0], "max": [0.2, 0.2], "start_time": 0.05}])
        report = self.run_json(scene, "--out", "out")
        self.assertGreater(report["emitted"], 0)
        self.assertGreater(report["removed"], 0)
        self.assertEqual(report["particles"], 64 + report["emitted"] - report["removed"])


if __name__ == "__main__":
    unittest.main()
