# SPDX-License-Identifier: MIT
"""rill run: what it reports, and when it steps."""
import fcntl
import json
import math
import os
import pty
import shutil
import subprocess
import termios
import unittest

import tool

KEYS = {
    "scene": str, "method": str, "dim": int, "particles": int, "steps": int, "time": float, "wall_s": float,
    "processor_s": float,
    "ms_per_step": float, "dt_mean": float, "substeps_mean": float, "iterations_mean": float, "neighbours_mean": float,
    "density_error_mean": float, "density_error_max": float, "density_error_mean_last": float,
    "density_error_max_last": float, "kinetic_energy": float, "potential_energy": float, "state_hash": str,
    "timings": dict, "gauges": dict, "max_speed": float, "simd": str, "threads": int, "frames": int, "emitted": int,
    "removed": int, "strayed": int, "energy_gain": float, "left_out": int, "bytes": int, "failed": bool, "bodies": list,
    "joint_gap": float,
}


class Report(tool.ToolTest):
    def test_steps_that_never_arrive_are_refused(self):
        for dt in ("1e-30", "1e-60", "1e-12 s"):
            said = self.rill("run", self.scene(), "--dt", dt, "--quiet", code=2).stderr
            self.assertIn("too short for a run of 0.1 s", said)
        said = self.rill("run", self.scene(run={"dt": 1e-20}), "--quiet", code=1).stderr
        self.assertIn("run.dt: steps of 1e-20 s are too short", said)
        self.assertEqual(self.run_json(self.scene(run={"dt": 1e-20}), "--dt", "0", "--time", "1 ms")["failed"], False)
        self.assertEqual(self.run_json(self.scene(), "--dt", "1 us", "--time", "10 us")["steps"], 10)

    def test_bodies_are_reported(self):
        ball = {"name": "ball", "shape": "sphere", "position": [0.6, 0.8], "radius": 0.05, "velocity": [1, 0]}
        report = self.run_json(self.scene(bodies=[ball]))
        self.assertEqual([body["name"] for body in report["bodies"]], ["ball"])
        body = report["bodies"][0]
        self.assertAlmostEqual(body["position"][0], 0.7, places=4)
        self.assertAlmostEqual(body["velocity"][1], -0.981, places=4)
        self.assertEqual((body["force"], body["angle"]), ([0, 0], 0))

    def test_json_has_every_key_with_sane_values(self):
        for method in tool.METHODS:
            with self.subTest(method):
                report = self.run_json(self.scene(), "--method", method)
                for key, kind in KEYS.items():
                    self.assertIn(key, report)
                    self.assertIsInstance(report[key], (int, float) if kind is float else kind, key)
                self.assertEqual(set(report) - set(KEYS), set())
                self.assertEqual((report["scene"], report["method"], report["dim"]), ("dam", method, 2))
                self.assertEqual((report["particles"], report["frames"]), (64, 6))
                self.assertAlmostEqual(report["time"], 0.1, places=6)
                self.assertGreaterEqual(report["dt_mean"] * report["steps"], 0.1 - 1e-7)
                self.assertLess(report["dt_mean"] * (report["steps"] - 2), 0.1)
                self.assertRegex(report["state_hash"], "^[0-9a-f]{16}$")
                self.assertGreater(report["kinetic_energy"], 0)
                self.assertTrue(0 < report["max_speed"] < 10)
                self.assertTrue(2 < report["neighbours_mean"] < 40)
                self.assertTrue(0 <= report["density_error_mean"] <= report["density_error_max"])
                self.assertLessEqual(report["density_error_max_last"], report["density_error_max"])
                self.assertAlmostEqual(report["ms_per_step"] * report["steps"], 1e3 * report["wall_s"], places=3)
                self.assertLessEqual(sum(report["timings"].values()), report["wall_s"])
                self.assertTrue(0.4 < report["gauges"]["front"] < 1.0)
                self.assertEqual(len(report["gauges"]["push"]), 2)
                self.assertFalse(report["failed"])

    def test_threads_and_simd_do_not_change_the_result(self):
        scene = self.scene()
        hashes = {self.run_json(scene, "--threads", n, "--simd", w)["state_hash"]
                  for n, w in ((1, "scalar"), (2, "auto"), (3, "scalar"))}
        self.assertEqual(len(hashes), 1)

    def test_set_changes_the_result(self):
        scene = self.scene()
        hashes = {self.run_json(scene, *words)["state_hash"]
                  for words in ((), ("--set", "world.gravity=[0, -5]"), ("--set", "fluids.water.viscosity=1 Pa s"))}
        self.assertEqual(len(hashes), 3)

    def test_text_report_and_streams(self):
        scene = self.scene()
        plain = self.rill("run", scene)
        self.assertIn("dam, wcsph, 2D: 0.1 s simulated", plain.stdout)
        self.assertRegex(plain.stdout, r"gauge front: [0-9.]+ m\n")
        quiet = self.rill("run", scene, "--quiet")
        self.assertEqual((quiet.stdout, quiet.stderr), ("", ""))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["dam.json"], "no --out, no files")


class Scenes(tool.ToolTest):
    def test_a_scene_from_standard_input(self):
        scene = self.scene()
        named = self.run_json(scene)
        for words in (("run", "-", "--json", "--quiet"), ("check", "-", "--json")):
            done = subprocess.run([tool.TOOL, *words], input=scene.read_text(), capture_output=True, text=True,
                                  cwd=self.folder, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["particles"], 64)
            self.assertEqual(json.loads(done.stdout).get("state_hash", named["state_hash"]), named["state_hash"])
        self.assertIn("stdin: the file is empty", self.rill("run", "-", code=1).stderr)

    def test_a_scene_to_start_from(self):
        for words, dim in (((), 2), (("--2d",), 2), (("--3d",), 3)):
            for method in tool.METHODS:
                name = f"{method}{len(words)}{dim}"
                self.rill("new", name, *words, "--method", method)
                report = json.loads(self.rill("check", f"{name}.json", "--json", "--trial", "0").stdout)
                self.assertEqual((report["dim"], report["method"]), (dim, method))
                self.assertEqual((report["errors"], report["warnings"]), ([], []))
        self.rill("new")
        before = (self.folder / "scene.json").read_bytes()
        self.assertIn("scene.json exists and will not be replaced", self.rill("new", "scene.json", "--3d", code=1).stderr)
        self.assertEqual((self.folder / "scene.json").read_bytes(), before)
        # What to do next can be pasted into a shell, whatever the name.
        self.assertIn("rill run 'a b.json' --out", self.rill("new", "a b").stdout)
        self.assertIn("expected at most 900", self.rill("new", "x/" * 1000, code=2).stderr)
        self.rill("new", "other", "--method", "magic", code=2)
        self.rill("new", "other", "--2d", "--3d", code=2)

    def test_editors_may_name_the_schema(self):
        scene = self.scene(**{"$schema": "https://example.org/scene.schema.json"})
        self.assertEqual(self.run_json(scene)["particles"], 64)
        self.assertIn("$schema", self.rill("run", self.scene(**{"$schema": 3}), code=1).stderr)

    def test_a_command_does_not_read_what_it_writes(self):
        with open(self.folder / "still_tank_2d.json", "w", encoding="utf-8") as out:
            self.rill("run", "still_tank_2d", "--time", "10 ms", "--json", "--quiet", stdout=out)
        self.assertEqual(json.loads((self.folder / "still_tank_2d.json").read_text())["scene"], "still_tank_2d")

    def test_an_installed_tool_takes_what_is_installed_with_it(self):
        for name in ("bin", "share/rill/scenes", "share/rill/reference"):
            (self.folder / name).mkdir(parents=True)
        shutil.copy(tool.TOOL, self.folder / "bin/rill")
        self.scene().rename(self.folder / "share/rill/scenes/dam_break_2d.json")
        installed = str(self.folder / "bin/rill")
        run = lambda *words: subprocess.run([installed, *words], capture_output=True, text=True, cwd="/", timeout=60)
        self.assertEqual(json.loads(run("run", "dam_break_2d", "--json", "--quiet").stdout)["particles"], 64)
        self.assertNotIn("fountain_3d", run("scenes").stdout)


class Times(tool.ToolTest):
    def frame_times(self, *words):
        self.rill("run", self.scene(), "--out", "out", "--quiet", *words)
        return [row[0] for row in tool.read_csv(self.folder / "out/stats.csv")[1]]

    def test_frames_have_their_times(self):
        times = self.frame_times("--time", "100 ms", "--fps", "30")
        self.assertEqual(len(times), 4)
        for frame, time in enumerate(times):
            self.assertAlmostEqual(time, frame / 30, places=8)

    def test_fixed_steps_pass_their_frames(self):
        times = self.frame_times("--dt", "0.7 ms", "--fps", "100", "--time", "0.05")
        steps = tool.read_csv(self.folder / "out/stats.csv")[1]
        self.assertEqual(len(times), 6)
        for frame, row in enumerate(steps):
            self.assertAlmostEqual(row[0], frame / 100, places=8)
            self.assertEqual(row[1], math.ceil(frame / 100 / 0.7e-3 - 1e-6))

    def test_frames_change_nothing(self):
        runs = [self.run_json(self.scene(), "--fps", fps, "--time", "0.05") for fps in ("7", "20", "2000")]
        self.assertEqual(len({run["state_hash"] for run in runs}), 1)
        self.assertEqual(len({json.dumps(run["gauges"]) for run in runs}), 1)

    def test_a_run_may_end_between_frames(self):
        report = self.run_json(self.scene(), "--fps", "10", "--time", "0.05")
        self.assertAlmostEqual(report["time"], 0.05, places=7)
        self.assertEqual(report["frames"], 1)

    def test_steps_longer_than_a_frame_give_all_of_them(self):
        times = self.frame_times("--dt", "1 ms", "--fps", "3000", "--time", "4 ms")
        self.assertEqual(len(times), 13)
        series = tool.read_series(self.folder / "out/dam.pvd")
        self.assertEqual([name for _, name in series], [f"frames/frame_{k:05}.vtp" for k in range(13)])

    def test_no_time_is_no_step(self):
        report = self.run_json(self.scene(), "--time", "0")
        self.assertEqual((report["steps"], report["time"], report["dt_mean"]), (0, 0, None))


class Terminal(tool.ToolTest):
    def test_one_line_is_redrawn_and_ctrl_c_ends_it(self):
        master, slave = pty.openpty()
        process = subprocess.Popen([tool.TOOL, "run", str(self.scene()), "--time", "10000", "--fps", "1"],
                                   stdin=slave, stderr=slave, stdout=subprocess.PIPE, cwd=self.folder, text=True,
                                   start_new_session=True, preexec_fn=lambda: make_controlling_terminal(slave))
        self.addCleanup(process.kill)
        os.close(slave)
        seen = b""
        while seen.count(b"\r") < 3 or b"left" not in seen:
            seen += os.read(master, 4096)
        for word in (b"64 particles", b"step ", b"dt ", b"density error", b"of 1e+04 s"):
            self.assertIn(word, seen)
        os.write(master, b"\x03")
        stdout = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 130)
        self.assertIn("s simulated", stdout)
        os.close(master)


def make_controlling_terminal(descriptor):
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)


if __name__ == "__main__":
    unittest.main()
