# SPDX-License-Identifier: MIT
"""Every `rill` command in README.md, the tool's page, the tutorial and the pages beside it, and the tool's own help works
as it is written there."""
import os
import re
import shutil
import subprocess
import unittest

import tool

# Eleven frames; a resumed run gets one more.
SHORT, LONGER = "--fps 500 --time '20 ms'", "--fps 500 --time '22 ms'"
SMALL = "--size 64x64 --samples 1"
MOVIE = f"--fps 500 --time '4 ms' {SMALL}"  # three frames
COARSE = "--set world.spacing='5 cm'"  # for scenes in 3D: an eighth of the particles


def commands_of(text):
    """Lines of ```sh blocks that start with `rill`, continued lines joined."""
    for block in re.findall(r"(?ms)^```sh\n(.*?)^```", text):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("rill "):
                yield line.split(" #")[0].strip()


def shortened(command):
    """A long run becomes a short one: of an option given twice the last one counts."""
    if command.startswith(("rill run", "rill movie", "rill render", "rill surface")) and "dam_break_3d" in command:
        command = command.replace("dam_break_3d", f"dam_break_3d {COARSE}")
    if command.startswith("rill methods --advise"):
        return "rill methods --advise my_scene.json"
    if command.startswith("rill bench"):
        return "rill help bench"
    if command.startswith("rill view"):
        return "rill help view"  # it serves until it is ended; test_view.py does that
    if command.startswith("rill movie"):
        stored = command.split()[2].startswith("out/")  # what was simulated already takes no times
        return f"{command} {SMALL if stored else MOVIE}" if shutil.which("ffmpeg") else "rill help movie"
    if command.startswith("rill experiment") and "--list" not in command:
        return "rill experiment free_fall --quick --quiet"
    if command.startswith("rill sweep"):
        return f"{command} --set run.time=0.02 --quiet"
    if command.startswith("rill check"):
        return f"{command} --trial '100 ms'"
    if command.startswith("rill render"):
        command += " --size 96x64 --samples 1"
    if command.startswith(("rill render", "rill surface")) and "--time" in command:
        return f"{command} --time '10 ms'"
    if not command.startswith("rill run"):
        return command
    head, arrow, rest = command.partition(" > ")
    if "--out" in head and "--resume" not in head:
        head += " --overwrite"  # several examples write to one folder
    return f"{head} {LONGER if '--resume' in head else SHORT}{arrow}{rest}"


class Docs(tool.ToolTest):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/rill").symlink_to(tool.TOOL)
        self.scene("my_scene", run={"fps": 500})

    def execute(self, commands):
        environment = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}",
                           RILL_SCENES=str(tool.SOURCE / "scenes"))
        for command in commands:
            with self.subTest(command):
                done = subprocess.run(["sh", "-c", shortened(command)], cwd=self.folder, env=environment, text=True,
                                      stdin=subprocess.DEVNULL, capture_output=True, timeout=240)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def prepare(self):
        """The runs and the mesh that examples look at."""
        (self.folder / "rock.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        self.execute([f"rill run dam_break_2d --out out/{name}" for name in ("dam", "one", "two")])
        (self.folder / "docs").symlink_to(tool.SOURCE / "docs")

    def test_tool_page(self):
        commands = list(commands_of((tool.SOURCE / "docs/tool.md").read_text(encoding="utf-8")))
        named = {command.split()[1] for command in commands}
        self.assertEqual(set(tool.COMMANDS) - named, set(), "the page shows every command")
        self.prepare()
        self.execute(commands)

    def test_readme(self):
        """The runs of its tables, too, but coarse: of a value that is set twice the last one counts."""
        page = (tool.SOURCE / "README.md").read_text(encoding="utf-8")
        commands = list(commands_of(page))
        runs = re.findall(r"\| `(rill run .*?)`", page)
        self.assertGreater(len(runs), 0)
        commands += [f"{command} --quiet --set world.spacing=10cm" for command in runs]
        self.prepare()
        self.execute(commands)

    def test_pages_for_newcomers(self):
        for page in ("tutorial", "which_method", "blender"):
            with self.subTest(page):
                commands = list(commands_of((tool.SOURCE / f"docs/{page}.md").read_text(encoding="utf-8")))
                self.assertGreater(len(commands), 0)
                self.execute(commands)

    def test_the_raft_of_the_tutorial_floats_where_it_is_put(self):
        """The line is complete: behind that of the solids, as the page says, it makes a scene that runs."""
        line = re.search(r"(?ms)^```json\n(\"bodies\".*?)\n```", (tool.SOURCE / "docs/tutorial.md").read_text(encoding="utf-8"))[1]
        self.rill("new", "my_tank")
        tank = (self.folder / "my_tank.json").read_text(encoding="utf-8")
        solids = re.search(r"(?m)^  \"solids\": .*$", tank)
        (self.folder / "my_tank.json").write_text(f"{tank[:solids.end()]}\n{line}{tank[solids.end():]}", encoding="utf-8")
        self.assertEqual(self.run_json("my_tank.json", "--time", "10 ms")["bodies"][0]["name"], "raft")

    def test_examples_in_help(self):
        self.prepare()
        for name in tool.COMMANDS:
            if name != "bench":
                self.execute(re.findall(r"(?m)^  (rill \w.*)$", self.rill("help", name).stdout))


if __name__ == "__main__":
    unittest.main()
