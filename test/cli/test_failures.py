# SPDX-License-Identifier: MIT
"""Full disks, blow-ups and kills: a clear message, and nothing that was written is lost."""
import json
import os
import signal
import subprocess
import unittest

import tool


class FullDisk(tool.ToolTest):
    """A limit on file sizes fails writes as a full disk does, at a place that a test can choose."""

    def check_what_was_written(self):
        out = self.folder / "out"
        series = tool.read_series(out / "dam.pvd")
        self.assertGreater(len(series), 2)
        for _, name in series:
            self.assertIn("particles", self.rill("info", out / name).stdout)
        self.assertGreater(len(tool.read_csv(out / "gauges.csv")[1]), 1)
        self.assertGreater(len(tool.read_csv(out / "stats.csv")[1]), 1)
        self.assertEqual([p.name for p in out.rglob("*.tmp*")], [])

    def test_in_the_middle_of_a_run(self):
        scene = self.scene()
        words = (scene, "--fps", "2000", "--time", "0.1")
        self.rill("run", scene, "--time", "0", "--out", "sizes", "--quiet")
        limit = max(p.stat().st_size for p in (self.folder / "sizes").rglob("*") if p.is_file()) + 2000
        said = self.rill("run", *words, "--out", "out", "--snapshot-every", "5 ms", file_limit=limit, code=1).stderr
        self.assertRegex(said, r"out/[\w/]+\.(csv|pvd)")
        self.assertIn("--resume out/snapshot.rill", said)
        self.check_what_was_written()
        resumed = self.run_json(*words, "--out", "out", "--resume", "out/snapshot.rill")
        self.assertEqual(resumed["state_hash"], self.run_json(*words)["state_hash"])
        self.assertEqual(len(tool.read_series(self.folder / "out/dam.pvd")), 201)
        self.assertEqual(len(tool.read_csv(self.folder / "out/gauges.csv")[1]), 201)

    def test_before_the_first_frame(self):
        said = self.rill("run", self.scene(), "--out", "out", file_limit=10, code=1).stderr
        self.assertIn("out/run.json", said)

    def test_json_says_so_too(self):
        report = self.rill("run", self.scene(), "--out", "out", "--json", "--quiet", file_limit=1000, code=1)
        self.assertIn('"failed": true', report.stdout)

    def test_folder_that_cannot_be_made(self):
        (self.folder / "file").write_text("")
        self.assertIn("file", self.rill("run", self.scene(), "--out", "file/out", code=1).stderr)

    def test_standard_output(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            self.rill("run", self.scene(), "--json", "--quiet", "--time", "1 ms", stdout=full, code=1)


class EndlessFiles(tool.ToolTest):
    """Pipes that nobody writes and devices without an end, where a file is expected."""

    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "fifo")
        self.rill("run", self.scene(), "--out", "out", "--quiet")

    def test_as_a_snapshot(self):
        for name in ("fifo", "/dev/zero"):
            said = self.rill("run", self.scene(), "--resume", name, "--quiet", code=1).stderr
            self.assertIn("is a pipe or a device", said)

    def test_as_anything(self):
        for name in ("fifo", "/dev/zero"):
            for command in ("info", "picture", "render", "surface", "movie", "check", "run"):
                with self.subTest(name=name, command=command):
                    self.assertIn(name, self.rill(command, name, code=1).stderr)

    def test_as_a_frame(self):
        frame = self.folder / "out/frames/frame_00002.vtp"
        frame.unlink()
        os.mkfifo(frame)
        self.assertIn("frame_00002.vtp: is a pipe or a device", self.rill("picture", "out", "--quiet", code=1).stderr)

    def test_as_a_reference(self):
        for name in ("fifo", "/dev/zero"):
            said = self.rill("movie", "out", "--gauge", "front", "--reference", name, "--quiet", code=1).stderr
            self.assertIn("is a pipe or a device", said)


class LeftByAKill(tool.ToolTest):
    """Files that were being written when their process was killed."""

    def leave(self, folder):
        killed = subprocess.Popen(["sleep", "0"])
        killed.wait(timeout=60)
        (folder / f".rill-{killed.pid}-0.tmp").write_text("half")

    def test_a_later_run_removes_them(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--picture")
        (self.folder / "out/notes.tmp").write_text("mine")
        for part in ("", "frames", "pictures"):
            self.leave(self.folder / "out" / part)
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--overwrite")
        self.assertEqual([path.name for path in (self.folder / "out").rglob("*.tmp*")], ["notes.tmp"])

    def test_a_killed_run_leaves_none_to_the_next(self):
        words = (self.scene(), "--fps", "2000", "--out", "out", "--quiet")
        process = subprocess.Popen([tool.TOOL, "run", *map(str, words), "--time", "10000", "--snapshot-every", "0.1 ms"],
                                   cwd=self.folder)
        self.addCleanup(process.kill)

        def writing():
            """Stopped at a moment in which a file is half-written, for a kill seldom comes then by itself."""
            process.send_signal(signal.SIGSTOP)
            found = any((self.folder / "out").rglob("*.tmp*"))
            if not found:
                process.send_signal(signal.SIGCONT)
            return found

        tool.wait_for(lambda: (self.folder / "out/frames").exists() or process.poll() is not None)
        tool.wait_for(writing)
        process.kill()
        process.wait(timeout=60)
        self.rill("run", *words, "--time", "1 ms", "--overwrite")
        self.assertEqual([path.name for path in (self.folder / "out").rglob("*.tmp*")], [])


class BlowUp(tool.ToolTest):
    WORDS = ("--set", "world.max_speed=0.5", "--out", "out", "--snapshot-every", "10 ms", "--fps", "100")

    def falling(self):
        """A drop in the air; it passes half a metre per second after 51 ms."""
        return self.scene(blocks=[{"shape": "box", "min": [0.4, 0.6], "max": [0.6, 0.8]}])

    def test_message_and_last_good_snapshot(self):
        said = self.rill("run", self.falling(), *self.WORDS, code=3).stderr
        self.assertRegex(said, r"step \d+")
        self.assertRegex(said, r"particle \d+")
        self.assertIn("the last good snapshot is out/snapshot.rill", said)
        info = json.loads(self.rill("info", "out/snapshot.rill", "--json").stdout)
        self.assertTrue(0.049 < info["time"] < 0.052, info)
        self.assertLess(info["max_speed"], 0.5)

    def test_json_says_so_too(self):
        report = self.run_json(self.falling(), *self.WORDS, code=3)
        self.assertTrue(report["failed"])
        self.assertRegex(report["error"], r"particle \d+")


class Signals(tool.ToolTest):
    def test_without_out_nothing_is_saved_and_said_so(self):
        process = subprocess.Popen([tool.TOOL, "run", str(self.scene()), "--time", "10000", "--fps", "1"], text=True,
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        wait_until_watching(process)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted at t =", said)
        self.assertIn("nothing was saved", said)

    def test_snapshot_is_good_after_a_kill(self):
        process = subprocess.Popen([tool.TOOL, "run", str(self.scene()), "--time", "10000", "--fps", "1000", "--quiet",
                                    "--out", "out", "--snapshot-every", "1 ms"], cwd=self.folder)
        self.addCleanup(process.kill)
        frame = self.folder / "out/frames/frame_00020.vtp"
        tool.wait_for(lambda: frame.exists() or process.poll() is not None)
        process.kill()
        process.wait(timeout=60)
        self.assertIn("rill snapshot", self.rill("info", "out/snapshot.rill").stdout)
        frames = len(tool.read_series(self.folder / "out/dam.pvd"))
        end = (frames + 20) / 1000
        words = (self.scene(), "--fps", "1000", "--time", end)
        resumed = self.run_json(*words, "--out", "out", "--resume", "out/snapshot.rill")
        self.assertEqual(resumed["state_hash"], self.run_json(*words)["state_hash"])


def wait_until_watching(process):
    """Until SIGINT has a handler: the bit of the signal in /proc/PID/status."""

    def watching():
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            caught = next(line for line in status if line.startswith("SigCgt"))
        return int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1

    tool.wait_for(lambda: process.poll() is not None or watching())


if __name__ == "__main__":
    unittest.main()
