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

DISC = {"name": "disc", "shape": "sphere", "position": [0.7, 0.6], "radius": 0.1, "density": 500}
HINGE = {"name": "axle", "kind": "hinge", "a": "disc", "anchor": [0.7, 0.6]}

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
    "no frames": ({"run": {"fps": 1, "time": 0.5}}, r"give no frame except the first"),
    "many frames": ({"run": {"fps": 1e6}}, r"give 100000 frames"),
    "no time": ({"run": {"time": 0}}, r"nothing to run"),
    "rare snapshots": ({"run": {"snapshot_every": 5}}, r"snapshot_every"),
    "emitter in solid": ({"emitters": [{"position": [2, 2], "radius": 0.1}]},
                         r"emitters\.0 lies inside the solid 'tank'"),
    "emitter beside a wall": ({"emitters": [{"position": [0.06, 0.7], "direction": [0, -1], "radius": 0.1}]},
                              r"nozzle of emitters\.0 reaches 0\.04 m into the solid 'tank'"),
    "late emitter": ({"emitters": [{"position": [0.7, 0.7], "radius": 0.1, "start_time": 5}]},
                     r"emitters\.0 starts at 5 s"),
    "narrow nozzle": ({"emitters": [{"position": [0.7, 0.7], "radius": 0.01}]}, r"nozzle of emitters\.0"),
    "late sink": ({"sinks": [box([0, 0], [1, 1], start_time=5)]}, r"sinks\.0 starts at 5 s"),
    "body in a period": ({"world": {"periodic": [1, 0]}, "bodies": [DISC]}, r"world\.periodic concerns the fluid: the body 'disc'"),
    "odd period": ({"world": {"periodic": [1.02, 0]}}, r"period along x is 20\.40 spacings"),
    "wild cfl": ({"world": {"cfl": 1.4}}, r"world\.cfl = 1\.4"),
    "slow limit": ({"world": {"max_speed": 1}}, r"world\.max_speed = 1 m/s"),
    "viscosity left out": ({"method": "constraint", "methods": {"constraint": {"viscosity_rule": "damping"}}},
                           r"the viscosity of fluid 'water' has no effect: viscosity_rule 'damping'"),
    "surface tension left out": ({"method": "clavet", "fluids": [{"name": "water", "material": "water"}]},
                                 r"the surface tension of fluid 'water' has no effect: the surface tension of clavet"),
    "lost much": ({"world": {"spacing": 0.06}, "blocks": [box([0, 0], [0.35, 0.35], fill="hexagonal")]},
                  r"blocks\.0 has \d\d\.\d % of its volume: \d+ particles in 5\.833 x 5\.833 spacings"),
    "unused fluid": ({"fluids": [{"name": "water"}, {"name": "oil", "density": 900}]}, r"fluid 'oil' is in no block"),
    "greased honey": ({"fluids": [{"name": "honey", "viscosity": 5}]}, r"no_slip: the thick fluid 'honey'"),
    "greased goo": ({"method": "clavet", "fluids": [{"name": "goo", "viscosity": 5}]},
                    r"no solid has clavet\.wet_friction: the thick fluid 'goo'"),
    "clavet knows no no_slip": ({"method": "clavet", "solids": [box([0, 0], [1, 1], name="tank", inside=True, no_slip=True)]},
                                r"no_slip of the solid 'tank' does nothing: method 'clavet' uses clavet\.wet_friction instead"),
    "contact angle of nothing": ({"fluids": [{"name": "water", "density": 1000}], "solids": [box([0, 0], [1, 1], name="tank", inside=True, contact_angle=1)]},
                                 r"contact_angle of the solid 'tank' does nothing: there is no surface tension"),
    "motor without force": ({"bodies": [DISC], "joints": [dict(HINGE, motor=True, motor_speed=3)]},
                            r"motor of the joint 'axle' does nothing: its motor_force is 0"),
    "motor switched off": ({"bodies": [DISC], "joints": [dict(HINGE, motor_speed=3, motor_force=5)]},
                           r"motor_force of the joint 'axle' do nothing without motor: true"),
    "limits switched off": ({"bodies": [DISC], "joints": [dict(HINGE, upper=1)]},
                            r"lower and upper of the joint 'axle' do nothing"),
    "joint of fixed bodies": ({"bodies": [dict(DISC, kind="fixed")], "joints": [HINGE]},
                              r"joint 'axle' does nothing: no force moves 'disc' or the world"),
    "idle mask": ({"bodies": [dict(DISC, mask=1), dict(DISC, name="other", position=[0.5, 0.8])]},
                  r"mask of the body 'disc' does nothing"),
    "idle layer": ({"bodies": [dict(DISC, layer=4), dict(DISC, name="other", position=[0.5, 0.8])]},
                   r"layer 4 of the body 'disc' does nothing"),
    "gauge in a wall": ({"gauges": [{"name": "p", "kind": "pressure", "position": [1.5, 0.1]}]},
                        r"gauge 'p' lies inside the solid 'tank'"),
    "line in a wall": ({"gauges": [{"name": "h", "kind": "height", "position": [1.5, 0], "length": 1}]},
                       r"gauge 'h' lies inside the solid 'tank'"),
    "empty region": ({"gauges": [{"name": "n", "kind": "count", "in_region": True, "min": [1, 0], "max": [0, 1]}]},
                     r"region of the gauge 'n' is empty"),
    "long window": ({"gauges": [{"name": "f", "kind": "force", "solid": "tank", "window": 5}]},
                    r"window of the gauge 'f' is 5 s, longer than the run"),
    "closed emitter": ({"emitters": [{"position": [0.7, 0.7], "radius": 0.1, "end_time": 0}]},
                       r"emitters\.0 never opens"),
    "support against quality": ({"world": {"spacing": 0.05, "quality": "accurate", "support_ratio": 2}},
                                r"support_ratio = 2 overrides the support of world\.quality = accurate"),
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

    def test_a_fitted_block_is_told(self):
        report = self.check_json(self.scene(world={"spacing": 0.06}, blocks=[box([0, 0], [0.35, 0.35])]))
        self.assertEqual((report["warnings"], report["particles"]), ([], 34))
        self.assertIn("blocks.0 is 5.833 x 5.833 spacings large: its rows were fitted, and 34 particles stand for 99.92 % of its volume",
                      report["notes"])
        self.assertEqual(self.check_json(self.scene())["notes"], [])

    def test_what_a_nozzle_of_whole_particles_puts_out_is_told(self):
        nozzle = {"position": [0.5, 0.7], "direction": [0, -1], "radius": 0.14, "speed": 1}
        report = self.check_json(self.scene(emitters=[nozzle]))
        self.assertEqual((report["warnings"], len(report["notes"])), ([], 1))
        self.assertIn("emitters.0 emits 0.25 m^3/s, -10.7 % from its area times its speed (0.28 m^3/s), because particles are whole", report["notes"][0])
        for exact in ({"radius": 0.125}, {"rate": 0.2}):
            self.assertEqual(self.check_json(self.scene(emitters=[dict(nozzle, **exact)]))["notes"], [])

    def test_a_mask_that_keeps_a_body_off_solids_or_fluid_is_no_mistake(self):
        for body, fluid in ((dict(DISC, mask=0), {}), (dict(DISC, layer=2), {"mask": 1})):
            scene = self.scene(bodies=[body], fluids=[dict({"name": "water", "density": 1000}, **fluid)])
            self.assertEqual([w for w in self.check_json(scene)["warnings"] if "disc" in w], [])

    def test_water_too_deep_for_the_method_is_told(self):
        deep = self.scene(world={"spacing": 0.004}, blocks=[box([0, 0], [0.04, 1])])
        found = "\n".join(self.check_json(deep, "--method", "pcisph", "--trial", "1 ms")["warnings"])
        self.assertRegex(found, r"the fluid is 250 layers deep: method 'pcisph' keeps still water calm up to about 200")
        for method in ("dfsph", "pbf"):
            self.assertNotIn("layers deep", "\n".join(self.check_json(deep, "--method", method, "--trial", "1 ms")["warnings"]))

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

    def check_any(self, scene, *words):
        """Some faults make the trial steps fail as well; both exits are right, silence is not."""
        done = subprocess.run([tool.TOOL, "check", scene, "--json", "--trial", "0.1", *words], capture_output=True,
                              text=True, timeout=60)
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

    def test_the_stable_step_is_not_that_of_the_wreck(self):
        stable = self.check_json(self.scene(), "--trial", "10 ms")["dt_bound"]
        for dt in ("5 ms", "20 ms"):
            done = json.loads(self.check_any(self.scene(), "--dt", dt))
            self.assertTrue(0.5 * stable < done["dt_bound"] < 2 * stable, done)

    def test_the_trial_is_as_long_as_it_is_asked_to_be(self):
        self.assertGreater(self.check_json(self.scene(), "--trial", "0")["seconds"], 0)
        self.assertIn("--trial soon", self.rill("check", self.scene(), "--trial", "soon", code=2).stderr)

    def test_the_estimate_is_that_of_the_run(self):
        """In processor time, so that other programs do not matter. A mesh is prepared once, and counts once."""
        (self.folder / "rock.obj").write_text("v 0.1 0.1 0\nv 0.5 0.1 0\nv 0.1 0.5 0\nv 0.1 0.1 0.4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        rock = {"dim": 3, "method": "wcsph", "world": {"spacing": 0.04}, "run": {"time": 0.4}, "fluids": [{"name": "water"}],
                "blocks": [{"shape": "box", "min": [0.5, 0, 0], "max": [1, 0.4, 0.6]}],
                "solids": [{"shape": "box", "min": [0, 0, 0], "max": [1, 0.4, 1], "inside": True},
                           {"shape": "mesh", "file": "rock.obj"}]}
        (self.folder / "rock.json").write_text(json.dumps(rock))
        for words in (["dam_break_2d", "--set", "world.spacing=5cm", "--time", "1"], [str(self.folder / "rock.json")]):
            with self.subTest(words):
                estimate = self.check_json(*words, "--threads", "1", "--trial", "300 ms")
                run = json.loads(self.rill("run", *words, "--threads", "1", "--quiet", "--json").stdout)
                ratio = estimate["processor_seconds"] / run["processor_s"]
                self.assertTrue(0.4 < ratio < 2.5, ratio)

    def test_errors_are_errors(self):
        scene = self.scene(world={"max_speed": 1}, blocks=[box([0, 0], [0.4, 0.4], velocity=[5, 0])])
        self.assertRegex(self.rill("check", scene, code=1).stdout, r"(?m)^error: .*particle \d+")

    def test_the_scenes_of_the_project(self):
        for path in sorted((tool.SOURCE / "scenes").glob("*.json")):
            with self.subTest(path.name):
                report = self.check_json(path, "--trial", "20 ms")
                self.assertEqual((report["errors"], report["warnings"]), ([], []))


if __name__ == "__main__":
    unittest.main()
