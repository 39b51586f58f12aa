# SPDX-License-Identifier: MIT
"""rill sweep and rill plot: tables and figures of any scene and any parameters."""
import csv
import unittest

from tool import ToolTest

SCENE = """{
  "dim": 2, "method": "pbf", "variables": { "n": 5, "T": 0.1 }, // a comment stays
  "world": { "spacing": "=0.2/n" }, "run": { "time": "=T", "fps": 50 },
  "fluids": [{ "material": "water", "surface_tension": 0 }],
  "blocks": [{ "shape": "box", "min": [0, 0], "max": [0.2, 0.2] }],
  "gauges": [{ "name": "c", "kind": "centre" }]
}"""


class Sweep(ToolTest):
    def setUp(self):
        super().setUp()
        (self.folder / "drop.json").write_text(SCENE)

    def sweep(self, *options, code=0):
        return self.rill("sweep", "drop.json", "--out", "out", "--quiet", *options, code=code)

    def rows(self):
        with open(self.folder / "out/drop/results.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_all_values_with_all(self):
        done = self.sweep("--vary", "variables.n=5,8", "--vary", "world.gravity=[0,-9.81],[0,-4.9]", "--show", "c_y", "--show", "max max_speed")
        rows = [r for r in self.rows() if r["result"] == "max max_speed"]
        self.assertEqual([int(r["particles"]) for r in rows], [25, 25, 64, 64])
        for row, speed in zip(rows, (0.981, 0.49, 0.981, 0.49)):
            self.assertAlmostEqual(float(row["value"]), speed, delta=0.06)  # a step behind the frame
        self.assertIn("variables.n 8, world.gravity [0,-4.9]", done.stdout)
        plot = (self.folder / "out/drop/sweep_2.svg").read_text()
        self.assertIn(">pbf, world.gravity [0,-4.9]</text>", plot)
        self.assertEqual(plot.count("<circle"), 4 + 2)  # four runs, two lines in the legend

    def test_values_with_units_are_drawn_where_they_lie(self):
        self.sweep("--methods", "pbf,wcsph", "--vary", "run.time=20 ms,0.1,60 ms", "--show", "last time")
        self.assertEqual([round(float(r["value"]), 3) for r in self.rows()], [0.02, 0.02, 0.1, 0.1, 0.06, 0.06])
        self.assertIn(">0.06</text>", (self.folder / "out/drop/sweep_1.svg").read_text())

    def test_what_is_wrong_is_said(self):
        self.assertIn("expected --vary", self.sweep(code=2).stderr)
        self.assertIn("expected KEY=VALUE,VALUE", self.sweep("--vary", "n", "--show", "c_y", code=2).stderr)
        self.assertIn("'c_q' has no value", self.sweep("--vary", "variables.n=5", "--show", "c_q", code=1).stderr)
        self.assertIn("unknown key 'spice'", self.sweep("--vary", "world.spice=5", "--show", "c_y", code=1).stderr)
        self.assertIn("unknown method 'sph'", self.sweep("--vary", "variables.n=5", "--show", "c_y", "--methods", "sph", code=2).stderr)

    def test_plots_of_runs(self):
        self.sweep("--vary", "variables.n=5,8", "--show", "c_y")
        runs = sorted((self.folder / "out/drop/runs").iterdir())
        self.rill("plot", *runs, "--y", "c_y", "--out", "a.svg")
        drawn = (self.folder / "a.svg").read_text()
        for run in runs:
            self.assertIn(f">{run.name}</text>", drawn)
        self.rill("plot", runs[0], "--y", "kinetic_energy + 1", "--y", "1 + potential_energy", "--log", "y", "--out", "b.png")
        self.assertEqual((self.folder / "b.png").read_bytes()[1:4], b"PNG")
        self.rill("plot", runs[0], "--y", "0 * c_y", "--out", "flat.svg")
        self.assertLess((self.folder / "flat.svg").read_text().count("<text"), 30)  # values that are all alike
        self.assertIn("'nothing' has no value", self.rill("plot", runs[0], "--y", "nothing", code=1).stderr)
        self.assertIn("cannot", self.rill("plot", "nowhere.csv", "--y", "a", code=1).stderr)
        self.rill("plot", runs[0], "--y", "c_y", "--out", "a.gif", code=2)


if __name__ == "__main__":
    unittest.main()
