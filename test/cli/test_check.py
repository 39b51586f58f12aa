# SPDX-License-Identifier: MIT
"""rill check: a good scene has no findings, and each fault has its own."""
import json
import subprocess
import unittest

import tool


def box(low, high, **more):
    return {"shape": "box", "min": low, "max": high, **more}


TANK = tool.DAM["solids"][0]
WATER = tool.DAM["blocks"][0]

# What is changed in the scene, and what the warning must say.
FAULTS = {
    "overlap": ({"blocks": [WATER, box([0.2, 0.2], [0.6, 0.6])]}, r"blocks\.0 and blocks\.1 overlap: \d+ pairs"),
    "tight": ({"blocks": [WATER, box([0.37, 0], [0.77, 0.4])]}, r"blocks\.0 and blocks\.1 .*apart|overlap"),
    "outside": ({"blocks": [WATER, box([1.2, 0], [1.4, 0.2])]}, r"16 particles of blocks\.1, most of it, .*outside its container"),
    "empty": ({"blocks": [WATER, box([0.6, 0], [0.601, 0.001])]}, r"blocks\.1 holds no particle"),
    "thin box": ({"solids": [TANK, box([0.6, 0], [0.62, 0.5], name="gate")]}, r"'gate' is 0\.02 m thick"),
    "thin disc": ({"solids": [TANK, {"name": "peg", "shape": "sphere", "position": [0.7, 0.5], "radius": 0.01}]},
                  r"'peg' is 0\.02 m thick"),
    "thin polygon": ({"solids": [TANK, {"name": "fin", "shape": "polygon",
                                        "points": [[0.6, 0], [0.7, 0], [0.7, 0.01], [0.6, 0.01]]}]},
                     r"'fin' is 0\.0\d+ m thick"),
    "long step": ({"run": {"dt": 0.05}}, r"run\.dt = 0\.05 s is longer than (a frame|the stable)"),
    "unstable step": ({"run": {"dt": 0.02}}, r"run\.dt = 0\.02 s is longer than the stable step"),
    "short step": ({"run": {"dt": 1e-9}}, r"thousand times shorter"),
    "no frames": ({"run": {"fps": 1, "time": 0.5}}, r"make no frame but the first"),
    "many frames": ({"run": {"fps": 1e6}}, r"make 100000 frames"),
    "no time": ({"run": {"time": 0}}, r"nothing to run"),
    "rare snapshots": ({"run": {"snapshot_every": 5}}, r"snapshot_every"),
    "emitter in solid": ({"emitters": [{"position": [2, 2], "radius": 0.1}]},
                         r"emitters\.0 lies inside the solid 'tank'"),
    "late emitter": ({"emitters": [{"position": [0.7, 0.7], "radius": 0.1, "start_time": 5}]},
                     r"emitters\.0 starts at 5 s"),
    "narrow nozzle": ({"emitters": [{"position": [0.7, 0.7], "radius": 0.01}]}, r"nozzle of emitters\.0"),
    "late sink": ({"sinks": [box([0, 0], [1, 1], start_time=5)]}, r"sinks\.0 starts at 5 s"),
    "odd period": ({"world": {"periodic": [1.02, 0]}}, r"period along x is 20\.40 spacings"),
    "wild cfl": ({"world": {"cfl": 1.4}}, r"world\.cfl = 1\.4"),
    "slow limit": ({"world": {"max_speed": 1}}, r"world\.max_speed = 1 m/s"),
    "viscosity left out": ({"method": "constraint", "methods": {"constraint": {"viscosity_rule": "damping"}}},
                           r"the viscosity of fluid 'water' does not act: viscosity_rule 'damping'"),
    "no fluid": ({"blocks": []}, r"there is no fluid"),
    "no ground": ({"solids": [], "gauges": []}, r"nothing holds the fluid"),
}


class Check(tool.ToolTest):
    def check_json(self, *words, code=0):
        return json.loads(self.rill("check", *words, "--json", code=code).stdout)

    def test_a_good_scene(self):
        for method in tool.METHODS:
            report = self.check_json(self.scene(), "--method", method)
            self.assertEqual((report["errors"], report["warnings"]), ([], []))
            self.assertEqual((report["particles"], report["particles_end"], report["frames"]), (64, 64, 6))
            self.assertGreater(report["bytes"], 64 * 20)
            self.assertAlmostEqual(report["steps"] * report["dt"], 0.1, delta=2 * report["dt"])
            self.assertGreater(report["seconds"], 0)
        self.assertIn("nothing looks wrong", self.rill("check", self.scene()).stdout)

    def test_a_block_around_a_solid(self):
        rock = {"name": "rock", "shape": "sphere", "position": [0.2, 0.2], "radius": 0.1}
        report = self.check_json(self.scene(solids=[TANK, rock]))
        self.assertEqual(report["warnings"], [])
        self.assertGreater(report["left_out"], 5)
        self.assertEqual(report["particles"] + report["left_out"], 64)

    def test_every_fault_is_found(self):
        for name, (changes, expected) in FAULTS.items():
            with self.subTest(name):
                report = json.loads(self.check_any(self.scene(**changes)))
                self.assertRegex("\n".join(report["warnings"]), expected)
                for key in ("errors", "warnings"):
                    self.assertIsInstance(report[key], list)

    def check_any(self, scene):
        """Some faults make the trial steps fail as well; both exits are right, silence is not."""
        done = subprocess.run([tool.TOOL, "check", scene, "--json"], capture_output=True, text=True, timeout=60)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout

    def test_emitters_are_foreseen(self):
        scene = self.scene(emitters=[{"position": [0.7, 0.7], "direction": [0, -1], "radius": 0.1, "speed": 2}])
        report = self.check_json(scene)
        self.assertTrue(64 + 8 < report["particles_end"] < 64 + 32)

    def test_warnings_are_not_errors_and_are_readable(self):
        text = self.rill("check", self.scene(run={"fps": 1, "time": 0.5})).stdout
        self.assertRegex(text, r"(?m)^warning: run\.time")
        self.assertRegex(text, r"particles +64\n")
        self.assertRegex(text, r"(?m)^  steps +about \d+")
        self.assertRegex(text, r"(?m)^  time +about ")

    def test_errors_are_errors(self):
        scene = self.scene(world={"max_speed": 1}, blocks=[box([0, 0], [0.4, 0.4], velocity=[5, 0])])
        self.assertRegex(self.rill("check", scene, code=1).stdout, r"(?m)^error: .*particle \d+")

    def test_the_scenes_of_the_project(self):
        # Two scenes repeat published experiments, with the steps that were taken there.
        published = {"box_bodin_3d", "pillar_2d"}
        for path in sorted((tool.SOURCE / "scenes").glob("*.json")):
            with self.subTest(path.name):
                report = self.check_json(path)
                warnings = [w for w in report["warnings"] if path.stem not in published or "stable step" not in w]
                self.assertEqual((report["errors"], warnings), ([], []))


if __name__ == "__main__":
    unittest.main()
