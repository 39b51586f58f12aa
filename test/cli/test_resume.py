# SPDX-License-Identifier: MIT
"""A resumed run equals the unbroken one bit for bit, wherever it was broken."""
import math
import re
import shlex
import signal
import unittest

import tool

EMITTER = [{"position": [0.7, 0.7], "direction": [0, -1], "radius": 0.1, "speed": 2, "limit": 200}]
STEPS = {"adaptive": (), "fixed": ("--dt", "0.4 ms")}


class Resume(tool.ToolTest):
    def compare_tables(self, first, second):
        """Gauges to the last digit; statistics but for the clock's columns and a frame that was cut in two."""
        read = lambda folder, name: tool.read_csv(self.folder / folder / name)
        self.assertEqual(read(first, "gauges.csv"), read(second, "gauges.csv"))
        for (names, rows), (_, others) in [(read(first, "stats.csv"), read(second, "stats.csv"))]:
            self.assertEqual(len(rows), len(others))
            for row, other in zip(rows, others):
                for key in ("time", "step", "particles", "kinetic_energy"):
                    self.assertEqual(row[names.index(key)], other[names.index(key)], key)
        self.assertEqual(tool.read_series(self.folder / first / "dam.pvd"),
                         tool.read_series(self.folder / second / "dam.pvd"))

    def test_extending_a_finished_run(self):
        for method in tool.METHODS:
            for name, words in STEPS.items():
                with self.subTest(method=method, steps=name):
                    common = (self.scene(emitters=EMITTER), "--method", method, *words)
                    whole = self.run_json(*common, "--out", "whole", "--overwrite")
                    self.run_json(*common, "--out", "parts", "--time", "0.04", "--overwrite")
                    parts = self.run_json(*common, "--out", "parts", "--resume", "parts/snapshot.rill")
                    self.assertEqual(parts["state_hash"], whole["state_hash"])
                    self.assertEqual(parts["steps"], whole["steps"])
                    self.assertEqual(parts["gauges"], whole["gauges"])
                    self.compare_tables("whole", "parts")
                    for frame in (self.folder / "whole/frames").iterdir():
                        self.assertEqual(frame.read_bytes(), (self.folder / "parts/frames" / frame.name).read_bytes())

    def test_frames_between_the_end_and_the_step_that_passes_it(self):
        """They are not the shorter run's, and the longer one does not miss them."""
        for name, words in STEPS.items():
            with self.subTest(steps=name):
                common = (self.scene(), "--fps", "5000", *words)
                whole = self.run_json(*common, "--out", "whole", "--time", "0.015", "--overwrite")
                self.run_json(*common, "--out", "parts", "--time", "0.0102", "--overwrite")
                self.assertEqual(len(tool.read_series(self.folder / "parts/dam.pvd")), 52)
                self.assertEqual(len(tool.read_csv(self.folder / "parts/gauges.csv")[1]), 52)
                parts = self.run_json(*common, "--out", "parts", "--time", "0.015", "--resume", "parts/snapshot.rill")
                self.assertEqual(parts["state_hash"], whole["state_hash"])
                self.assertEqual(len(tool.read_series(self.folder / "parts/dam.pvd")), 76)
                self.compare_tables("whole", "parts")
                for frame in (self.folder / "whole/frames").iterdir():
                    self.assertEqual(frame.read_bytes(), (self.folder / "parts/frames" / frame.name).read_bytes())

    def test_events_on_both_sides_of_the_break(self):
        """What has happened is not held against the scene, and what is to come still happens."""
        water = {"of": "fluids.water", "key": "viscosity"}
        events = [{"time": 0.01, "of": "solids.tank", "action": "remove"},
                  {"time": 0.02, "until": 0.06, **water, "from": "0.001", "value": "0.5"},
                  {"time": 0.07, **water, "value": "0.2"}]
        for method in ("wcsph", "clavet"):
            with self.subTest(method=method):
                scene = self.scene(gauges=[], events=events)
                common = (scene, "--method", method, "--time", "0.1")
                whole = self.run_json(*common, "--out", "whole", "--overwrite")
                self.run_json(*common[:-1], "0.04", "--out", "parts", "--overwrite")
                parts = self.run_json(*common, "--out", "parts", "--resume", "parts/snapshot.rill")
                self.assertEqual(parts["state_hash"], whole["state_hash"])

    def check_in_two_parts(self, scene, at="0.06"):
        """A run in two parts writes the files of the whole one; returns the rows of gauges.csv."""
        whole = self.run_json(scene, "--out", "whole", "--overwrite")
        self.run_json(scene, "--time", at, "--out", "parts", "--overwrite")
        parts = self.run_json(scene, "--out", "parts", "--resume", "parts/snapshot.rill")
        self.assertEqual(parts["state_hash"], whole["state_hash"])
        self.assertEqual(parts["gauges"], whole["gauges"])
        self.compare_tables("whole", "parts")
        files = lambda name: sorted(path.relative_to(self.folder / name) for path in (self.folder / name).rglob("*"))
        self.assertEqual(files("parts"), files("whole"))
        return tool.read_csv(self.folder / "whole/gauges.csv")

    def test_events_that_remove_gauges(self):
        """Their columns stay, and are empty from then on."""
        gauges = [{"name": "count", "kind": "count"}, {"name": "p", "kind": "momentum"}, {"name": "c", "kind": "centre"}]
        events = [{"time": 0, "of": "gauges.count", "action": "remove"},
                  {"time": 0.03, "of": "gauges.p", "action": "remove"}]
        names, rows = self.check_in_two_parts(self.scene(gauges=gauges, events=events))
        self.assertEqual(names, ["time", "count", "p_x", "p_y", "c_x", "c_y"])
        for row in rows:
            self.assertIsNone(row[1])
            self.assertEqual(row[2] is None, row[0] > 0.03)
            self.assertAlmostEqual(row[4], 0.2, delta=0.1)

    def test_events_that_remove_what_gauges_measure(self):
        bodies = [{"name": "cork", "shape": "box", "min": [0.6, 0.4], "max": [0.8, 0.6], "density": 500}]
        gauges = [{"name": "cork", "kind": "body_position", "body": "cork"}, {"name": "all", "kind": "count"},
                  {"name": "push", "kind": "force", "solid": "cork"}]
        events = [{"time": 0.03, "of": "bodies.cork", "action": "remove"}]
        _, rows = self.check_in_two_parts(self.scene(bodies=bodies, gauges=gauges, events=events))
        for row in rows:
            self.assertEqual(row[1] is None, row[0] > 0.03)
            self.assertEqual(row[3], 64)
            self.assertEqual(row[4] is None, row[0] > 0.03 or row[0] == 0)
        self.assertEqual(len(tool.read_series(self.folder / "parts/bodies.pvd")), 6)

    def test_events_that_remove_drained_fluids(self):
        oil = {"fluid": "oil", "shape": "box", "min": [0.6, 0], "max": [0.8, 0.2]}
        scene = self.scene(fluids=[{"name": "water"}, {"name": "oil"}], gauges=[],
                           blocks=[{"shape": "box", "min": [0, 0], "max": [0.2, 0.2]}, oil],
                           sinks=[{"name": "drain", "shape": "box", "min": [0.5, -1], "max": [2, 2]}],
                           events=[{"time": 0.03, "of": "fluids.oil", "action": "remove"}])
        self.check_in_two_parts(scene)

    def interrupt_inside_a_frame(self, how, *words):
        """Writing a frame takes longer than a step, so that the signal often comes at its end: then once more."""
        for attempt in range(20):
            broken, said = self.interrupt(*words, how=how, after=0.1 + 0.013 * attempt)
            if abs(broken["time"] * 2 - round(broken["time"] * 2)) > 1e-6:
                return broken, said
        self.fail("no signal came inside a frame")

    def test_ctrl_c_in_the_middle_of_a_frame(self):
        for name, words in STEPS.items():
            for how in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(steps=name, how=how):
                    common = (self.scene(run={"fps": 2.0}), *words)
                    broken, said = self.interrupt_inside_a_frame(how, *common, "--out", "parts", "--time", "10000")
                    self.assertTrue(broken["failed"])
                    self.assertEqual(broken["error"], "interrupted")
                    end = (math.floor(broken["time"] * 2) + 1) / 2
                    command = shlex.split(re.search(r"(?m)^  rill (.*)$", said).group(1))
                    self.assertEqual(command[-2:], ["--resume", "parts/snapshot.rill"])
                    command.remove("--json")
                    parts = self.run_json(*command[1:], "--time", end)
                    whole = self.run_json(*common, "--out", "whole", "--time", end, "--overwrite")
                    self.assertEqual(parts["state_hash"], whole["state_hash"])
                    self.assertEqual(parts["steps"], whole["steps"])
                    self.compare_tables("whole", "parts")

    def test_threads_may_change_between_the_parts(self):
        scene = self.scene()
        whole = self.run_json(scene, "--threads", "2")
        self.run_json(scene, "--threads", "1", "--simd", "scalar", "--out", "parts", "--time", "0.04")
        parts = self.run_json(scene, "--threads", "3", "--resume", "parts/snapshot.rill")
        self.assertEqual(parts["state_hash"], whole["state_hash"])

    def test_rows_and_frames_after_the_snapshot_are_dropped(self):
        scene = self.scene()
        self.run_json(scene, "--out", "parts", "--time", "0.04")
        (self.folder / "parts/snapshot.rill").rename(self.folder / "early.rill")
        self.run_json(scene, "--out", "parts", "--time", "0.1", "--overwrite")
        self.run_json(scene, "--out", "parts", "--resume", "early.rill", "--time", "0.06", "--overwrite")
        self.assertEqual(len(tool.read_csv(self.folder / "parts/gauges.csv")[1]), 4)
        self.assertEqual(len(list((self.folder / "parts/frames").iterdir())), 4)
        self.assertEqual(len(tool.read_series(self.folder / "parts/dam.pvd")), 4)

    def test_snapshots_between_frames_do_not_change_the_run(self):
        scene = self.scene()
        plain = self.run_json(scene)
        often = self.run_json(scene, "--out", "out", "--snapshot-every", "3 ms")
        self.assertEqual(often["state_hash"], plain["state_hash"])

    def test_nothing_left_to_do(self):
        scene = self.scene()
        done = self.run_json(scene, "--out", "out")
        again = self.rill("run", scene, "--out", "out", "--resume", "out/snapshot.rill")
        self.assertIn("nothing to do", again.stderr)
        self.assertIn(done["state_hash"], again.stdout)

    def test_a_changed_scene_is_refused(self):
        scene = self.scene()
        self.run_json(scene, "--out", "out", "--time", "0.02")
        for words, expected in (
                (("--method", "muller"), "world.method"),
                (("--set", "world.gravity=[0, -1]"), "world.gravity"),
                (("--set", "world.spacing=0.1"), "world.spacing"),
                (("--fps", "25", "--out", "out"), "--fps 50")):
            with self.subTest(words):
                said = self.rill("run", scene, "--resume", "out/snapshot.rill", *words, code=1).stderr
                self.assertIn(expected, said)

    def full_scene(self, **changes):
        """One of everything that a scene can hold."""
        sections = {
            "solids": [{"name": "tank", "shape": "box", "min": [0, 0], "max": [1, 1], "inside": True}],
            "bodies": [{"name": "crate", "shape": "box", "min": [0.6, 0.1], "max": [0.8, 0.3], "density": 500},
                       {"name": "pair", "shape": "compound", "parts": [
                           {"shape": "sphere", "position": [0.6, 0.8], "radius": 0.05},
                           {"shape": "sphere", "position": [0.7, 0.8], "radius": 0.05}]}],
            "joints": [{"name": "pin", "kind": "ball", "a": "pair", "anchor": [0.65, 0.8]}],
            "emitters": [{**EMITTER[0], "position": [0.3, 0.7]}],
            "sinks": [{"name": "drain", "shape": "box", "min": [0.9, 0.9], "max": [1, 1]}],
        }
        return self.scene(**{**sections, **changes})

    def test_every_change_is_refused_with_key_and_values(self):
        scene = self.full_scene()
        self.run_json(scene, "--out", "out", "--time", "0.02")
        for change, *expected in (
                ("fluids.water.viscosity=10", "fluids.water.viscosity", "0.001", "10"),
                ("fluids.water.density=900", "fluids.water.density", "998.2", "900"),
                ("solids.tank.no_slip=true", "solids.tank.no_slip", "false", "true"),
                ("solids.tank.max=[1, 2]", "solids.tank.max", "[1, 1]", "[1, 2]"),
                ("solids.tank.motion.spin=1", "solids.tank.motion.spin"),
                ("bodies.crate.density=600", "bodies.crate.density", "500", "600"),
                ("bodies.crate.max=[0.8, 0.4]", "bodies.crate.max"),
                ("bodies.crate.kind=fixed", "bodies.crate.kind", "dynamic", "fixed"),
                ("joints.pin.break_force=1", "joints.pin.break_force"),
                ("emitters.0.speed=3", "emitters.emitter1.speed", "2", "3"),
                ("sinks.drain.start_time=1", "sinks.drain.start_time"),
                ("blocks.0.velocity=[1, 0]", "blocks"),
                ("blocks.0.max=[0.2, 0.4]", "blocks"),
                ("wcsph.artificial_viscosity=0.3", "wcsph.artificial_viscosity")):
            with self.subTest(change):
                said = self.rill("run", scene, "--resume", "out/snapshot.rill", "--set", change, code=1).stderr
                for word in expected:
                    self.assertIn(word, said)

    def test_another_scene_is_refused(self):
        self.run_json(self.full_scene(), "--out", "out", "--time", "0.02")
        for changes, expected in (({"joints": []}, "joints"), ({"emitters": []}, "emitters"),
                                  ({"emitters": 2 * EMITTER}, "emitters"), ({"bodies": [], "joints": []}, "bodies")):
            with self.subTest(expected):
                scene = self.full_scene(**changes)
                self.assertIn(expected, self.rill("run", scene, "--resume", "out/snapshot.rill", code=1).stderr)

    def test_the_same_scene_goes_on(self):
        """Also when it comes back from the folder, with every value and name written out."""
        scene = self.full_scene()
        whole = self.run_json(scene)
        for method in tool.METHODS:
            with self.subTest(method):
                self.run_json(scene, "--method", method, "--out", "out", "--time", "0.04", "--overwrite")
                parts = self.run_json(scene, "--method", method, "--resume", "out/snapshot.rill")
                again = self.run_json("out/scene.json", "--time", "0.1", "--resume", "out/snapshot.rill")
                self.assertEqual(parts["state_hash"], again["state_hash"])
                if method == whole["method"]:
                    self.assertEqual(parts["state_hash"], whole["state_hash"])

    def test_other_gauges_are_read(self):
        scene = self.scene()
        whole = self.run_json(scene)
        self.run_json(scene, "--out", "out", "--time", "0.04")
        more = self.scene(gauges=[{"name": "all", "kind": "count"}])
        parts = self.run_json(more, "--resume", "out/snapshot.rill")
        self.assertEqual(parts["state_hash"], whole["state_hash"])
        self.assertEqual(list(parts["gauges"]), ["all"])
        said = self.rill("run", more, "--out", "out", "--resume", "out/snapshot.rill", code=1).stderr
        self.assertIn("gauges.csv", said)

    def test_stored_snapshots(self):
        """Of the scene beside them: format 2 goes on, format 1 is refused by name."""
        stored = tool.SOURCE / "test/data"
        self.run_json(stored / "tank.json", "--resume", stored / "tank_v2.rill")
        said = self.rill("run", stored / "tank.json", "--resume", stored / "tank_v1.rill", code=1).stderr
        self.assertIn("format version 1", said)

    def test_a_bad_snapshot_is_refused(self):
        scene = self.scene()
        self.run_json(scene, "--out", "out", "--time", "0.02")
        data = bytearray((self.folder / "out/snapshot.rill").read_bytes())
        data[len(data) // 2] ^= 1
        (self.folder / "damaged.rill").write_bytes(data)
        (self.folder / "short.rill").write_bytes(data[:100])
        for name in ("damaged.rill", "short.rill", "missing.rill"):
            self.assertIn(name, self.rill("run", scene, "--resume", name, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
