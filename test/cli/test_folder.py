# SPDX-License-Identifier: MIT
"""Whose folder it is: no run is lost by one command, no file of others is replaced, and no two runs mix."""
import hashlib
import json
import signal
import subprocess
import unittest

import tool


class Folder(tool.ToolTest):
    def contents(self, folder="out"):
        """Every file with a digest of what is in it."""
        root = self.folder / folder
        return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(root.rglob("*")) if path.is_file()}

    def manifest(self, folder="out"):
        return json.loads((self.folder / folder / "run.json").read_text())

    def start(self, *words):
        """A run that has far to go; returns when its first snapshot is there."""
        process = subprocess.Popen([tool.TOOL, "run", str(self.scene()), "--out", "out", "--time", "10000", "--quiet",
                                    *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        tool.wait_for(lambda: (self.folder / "out/snapshot.rill").exists() or process.poll() is not None)
        return process

    def test_a_run_is_not_replaced_without_a_word(self):
        scene = self.scene()
        self.rill("run", scene, "--out", "out", "--quiet")
        before = self.contents()
        for other in (scene, self.scene("other"), "dam_break_3d"):
            said = self.rill("run", other, "--out", "out", "--quiet", code=1).stderr
            for word in ("out holds a run of dam by wcsph (finished", "--overwrite", "--resume out/snapshot.rill",
                         "another --out"):
                self.assertIn(word, said)
            self.assertEqual(self.contents(), before)

    def test_overwriting_removes_what_the_run_wrote_and_nothing_else(self):
        body = {"name": "cork", "shape": "sphere", "position": [0.7, 0.5], "radius": 0.1, "density": 500}
        self.rill("run", self.scene("first", bodies=[body]), "--out", "out", "--quiet", "--picture", "--surface")
        self.rill("render", "out", "--quiet")
        mine = ("notes.txt", "frames/notes.txt", "frames/frame_1.txt", "bodies/cork.obj", "pictures/mine.png", "more.csv")
        for name in mine:
            (self.folder / "out" / name).write_text("mine")
        self.rill("run", self.scene("second"), "--out", "out", "--quiet", "--time", "20 ms", "--overwrite")
        frames = [f"frames/frame_0000{k}.vtp" for k in range(2)]
        self.assertEqual(sorted(self.contents()), sorted(
            [*mine, *frames, "gauges.csv", "residuals.csv", "run.json", "scene.json", "second.pvd", "shapes.json",
             "snapshot.rill", "stats.csv"]))
        self.assertTrue(all((self.folder / "out" / name).read_text() == "mine" for name in mine))

    def test_files_of_others_are_never_replaced(self):
        scene = self.scene("scene")
        for name in ("scene.json", "gauges.csv", "snapshot.rill", "run.json", "scene.pvd", "frames/frame_00000.vtp"):
            folder = self.folder / name.replace("/", "_").replace(".", "_")
            (folder / name).parent.mkdir(parents=True)
            (folder / name).write_text("{}")
            for words in ((), ("--overwrite",)):
                said = self.rill("run", scene, "--out", folder, "--quiet", *words, code=1).stderr
                self.assertIn(name, said)
                self.assertEqual([path.name for path in folder.rglob("*") if path.is_file()],
                                 [name.rpartition("/")[2]])
                self.assertEqual((folder / name).read_text(), "{}")

    def test_a_file_that_came_later_is_not_the_runs(self):
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--format", "none")
        (self.folder / "out/bodies.csv").write_text("mine")
        self.assertIn("bodies.csv", self.rill("run", self.scene(), "--out", "out", "--overwrite", code=1).stderr)
        self.assertEqual((self.folder / "out/bodies.csv").read_text(), "mine")

    def test_the_folder_says_what_it_holds(self):
        report = self.run_json(self.scene(), "--out", "out")
        said = self.manifest()
        self.assertEqual((said["scene"], said["method"], said["state"]), ("dam", "wcsph", "finished"))
        self.assertEqual((said["frames"], said["steps"], said["time"]),
                         (report["frames"], report["steps"], report["time"]))
        self.assertEqual(sorted(said["files"]), ["dam.pvd", "gauges.csv", "residuals.csv", "scene.json", "shapes.json",
                                                 "snapshot.rill", "stats.csv"])
        self.assertIn("rill", said)
        self.rill("run", self.scene(), "--set", "world.max_speed=0.5", "--out", "wild", "--quiet", code=3)
        self.assertEqual(self.manifest("wild")["state"], "failed")
        self.assertIn("m/s", self.manifest("wild")["error"])

    def test_a_run_that_goes_on_has_its_folder_alone(self):
        process = self.start()
        self.assertEqual(self.manifest()["state"], "running")
        for words in ((), ("--overwrite",), ("--resume", "out/snapshot.rill")):
            said = self.rill("run", self.scene(), "--out", "out", "--quiet", *words, code=1).stderr
            self.assertIn("another process", said)
        self.rill("picture", "out", "--size", "64x64")  # what is there may be looked at
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertEqual(self.manifest()["state"], "stopped")
        time = self.manifest()["time"]
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--time", time + 0.02, "--resume", "out/snapshot.rill")
        self.assertEqual(self.manifest()["state"], "finished")

    def test_a_killed_run_holds_no_lock(self):
        process = self.start("--picture")
        self.assertIn("another process", self.rill("picture", "out", code=1).stderr)
        process.kill()
        process.wait(timeout=60)
        self.assertIn("interrupted", self.rill("run", self.scene(), "--out", "out", "--quiet", code=1).stderr)
        self.rill("run", self.scene(), "--out", "out", "--quiet", "--overwrite")
        self.assertEqual(self.manifest()["state"], "finished")

    def test_going_on_loses_nothing_either(self):
        scene = self.scene()
        self.rill("run", scene, "--out", "early", "--quiet", "--time", "40 ms")
        self.rill("run", scene, "--out", "out", "--quiet")
        before = self.contents()
        said = self.rill("run", scene, "--out", "out", "--resume", "early/snapshot.rill", code=1).stderr
        self.assertIn("--overwrite", said)
        other = self.scene("other")
        said = self.rill("run", other, "--out", "out", "--resume", "out/snapshot.rill", "--time", "1", code=1).stderr
        self.assertIn("holds a run of dam by wcsph", said)
        self.assertEqual(self.contents(), before)
        self.rill("run", scene, "--out", "out", "--quiet", "--resume", "early/snapshot.rill", "--overwrite")
        changed = ("stats.csv", "run.json")  # times of the clock
        self.assertEqual({k: v for k, v in self.contents().items() if k not in changed},
                         {k: v for k, v in before.items() if k not in changed})

    def test_no_command_replaces_a_runs_files(self):
        body = {"name": "cork", "shape": "sphere", "position": [0.7, 0.5], "radius": 0.1, "density": 500}
        self.rill("run", self.scene(bodies=[body]), "--out", "out", "--quiet", "--format", "vtp,ply")
        before = self.contents()
        own = "out/frames/frame_00001.vtp"
        wrong_endings = (("picture", own, "--out", "out/snapshot.rill"), ("picture", "dam.json", "--out", "out/scene.json"),
                         ("picture", own, "--out", "out/run.json"), ("picture", own, "--out", own),
                         ("picture", "dam.json", "--out", "out/frames/../gauges.csv"),
                         ("render", own, "--out", "out/dam.pvd", "--size", "64x64"),
                         ("movie", "out", "--out", "out/frames/frame_00001.vtp"))
        wrong_places = (("surface", "out", "--out", "out/frames"), ("surface", "out", "--out", "out/bodies", "--format", "vtp"),
                        ("surface", own, "--out", "out/frames", "--format", "vtp,ply"),
                        ("movie", "out", "--out", "out/frames/movie.mp4", "--size", "64x64"),
                        ("run", "dam.json", "--out", "out"), ("run", "dam.json", "--out", "./out/", "--format", "none"))
        for code, commands in ((2, wrong_endings), (1, wrong_places)):
            for words in commands:
                with self.subTest(words):
                    self.rill(*words, code=code)
                    self.assertEqual(self.contents(), before)
        self.rill("picture", own)  # beside its frame, as ever
        self.rill("picture", own)


if __name__ == "__main__":
    unittest.main()
