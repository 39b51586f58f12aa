# SPDX-License-Identifier: MIT
"""Help teaches, mistakes are met with a suggestion, lists come from the tables."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import tool

TOOL_FOLDER = pathlib.Path(os.environ["RILL_TOOL"]).resolve().parent


class Help(tool.ToolTest):
    def test_every_command_explains_itself(self):
        for name in set(tool.COMMANDS) - {"bench"}:
            with self.subTest(name):
                dashes = self.rill(name, "--help").stdout
                self.assertEqual(dashes, self.rill("help", name).stdout)
                self.assertIn(f"Usage: rill {name}", dashes)
                if name not in ("version", "help"):
                    self.assertIn("Examples:\n  rill " + name, dashes)

    def test_overview_lists_every_command(self):
        overview = self.rill("help").stdout
        self.assertEqual(overview, self.rill("--help").stdout)
        for name in tool.COMMANDS:
            self.assertRegex(overview, rf"(?m)^  {name} +\w")

    def test_manual_page_has_every_command_and_option(self):
        page = self.rill("help", "--man").stdout
        self.assertTrue(page.startswith(".TH RILL 1"))
        self.assertNotIn("{method}", page)
        for name in tool.COMMANDS:
            self.assertRegex(page, rf"(?m)^\.SS rill {name} ")
            for option in re.findall(r"(?m)^  --([a-z0-9-]+)", self.rill("help", name).stdout):
                if name != "bench":
                    self.assertIn(".B \\-\\-" + option.replace("-", "\\-"), page)
        if shutil.which("groff"):
            checked = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8"], input=page, capture_output=True, text=True,
                                     check=True)
            self.assertEqual(checked.stderr, "")

    def test_bash_completes_what_there_is(self):
        script = self.rill("help", "--completion", "bash").stdout

        def completed(*words):
            line = " ".join(f"'{word}'" for word in words)
            run = f"PATH={TOOL_FOLDER}:$PATH; {script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _rill; echo ${{COMPREPLY[@]}}"
            return subprocess.run(["bash", "-c", run], capture_output=True, text=True, check=True, cwd="/").stdout.split()

        self.assertEqual(completed("rill", "ch"), ["check"])
        self.assertEqual(completed("rill", "run", "--ti"), ["--time"])
        self.assertIn("dam_break_2d", completed("rill", "check", "dam_"))
        self.assertEqual(completed("rill", "run", "x", "--method", "mul"), ["muller"])

    def test_other_shells(self):
        script = self.rill("help", "--completion", "zsh").stdout
        self.assertTrue(script.startswith("#compdef rill\n"))
        for name in tool.COMMANDS:
            self.assertRegex(script, rf"(?m)^    {name}\) options='.*--help'")
        self.assertIn("expected bash or zsh", self.rill("help", "--completion", "fish", code=2).stderr)

    def test_no_command_is_a_usage_error(self):
        self.assertIn("Usage: rill COMMAND", self.rill(code=2).stderr)

    def test_version(self):
        self.assertRegex(self.rill("version").stdout, r"^rill \d+\.\d+\.\d+")
        self.assertEqual(self.rill("--version").stdout, self.rill("version").stdout)

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            self.assertIn("standard output", self.rill("params", "all", stdout=full, code=1).stderr)


class Mistakes(tool.ToolTest):
    def expect(self, words, *parts, code=2):
        stderr = self.rill(*words, code=code).stderr
        for part in parts:
            self.assertIn(part, stderr)

    def test_unknown_words_get_the_nearest_known_one(self):
        self.expect(["rnu", "x"], "no command 'rnu'", "'run'")
        self.expect(["help", "chek"], "no command 'chek'", "'check'")
        self.expect(["run", "x", "--tiem", "1"], "no option '--tiem'", "'--time'")
        self.expect(["run", "x", "--tiem=1"], "no option '--tiem'", "'--time'")
        self.expect(["params", "wold"], "'wold'", "'world'")

    def test_operands_and_values_are_counted(self):
        self.expect(["run"], "expected SCENE")
        self.expect(["run", "a", "b"], "'b' is one word too many")
        self.expect(["run", "a", "--time"], "--time needs a value")
        self.expect(["run", "a", "--time", "--quiet"], "--time needs a value")
        self.expect(["run", "a", "--quiet=yes"], "--quiet takes no value")
        self.expect(["picture", "a", "--range", "1"], "--range needs a value")

    def test_values_are_checked_by_the_tables(self):
        scene = self.scene()
        self.expect(["run", scene, "--time", "5 kg"], "--time 5 kg")
        self.expect(["run", scene, "--fps", "-3"], "--fps -3")
        self.expect(["run", scene, "--threads", "many"], "--threads many")
        self.expect(["run", scene, "--simd", "avx"], "--simd avx", "avx2")
        self.expect(["run", scene, "--method", "wscph"], "--method wscph", "wcsph")
        self.expect(["run", scene, "--set", "world.spcing=1"], "rill run: --set: world.spcing:", "spacing")
        self.expect(["run", scene, "--set", "nonsense"], "rill run: --set: 'nonsense'")
        self.expect(["run", scene, "--format", "obj", "--out", "o"], "'obj' is not one of vtp, ply, none")

    def test_mistakes_of_the_command_line_alone_give_2(self):
        """Each was 1 or 0 once, where the docs say 2."""
        scene = self.scene()
        self.expect(["movie", scene, "--out", "x.xyz"], "x.xyz", ".mp4, .webm, .gif or .png")
        self.expect(["movie", scene, "--methods", "wcsph,nope"], "--methods", "'nope'")
        for command in ("picture", "render"):
            self.expect([command, scene, "--out", "x.jpg"], "--out x.jpg", ".png")
        self.assertFalse((self.folder / "x.jpg").exists())
        self.expect(["plot", "x.csv", "--y", "a", "--log", "z"], "--log z", "x, y or xy")
        self.expect(["sweep", scene, "--vary", "nope", "--show", "time"], "--vary nope", "KEY=VALUE")
        self.expect(["sweep", scene, "--vary", "world.cfl=1", "--show", "time", "--set", "a"], "--set a", "KEY=VALUE")
        self.expect(["sweep", scene, "--vary", "world.cfl=1", "--show", "time", "--methods", "nope"], "'nope'")
        self.expect(["experiment", "free_fall", "--methods", "nope"], "'nope'")

    def test_options_that_need_a_folder(self):
        for words in (["--picture"], ["--snapshot-every", "1"], ["--format", "ply"]):
            self.expect(["run", self.scene(), *words], "--out DIR")

    def test_scene_errors_name_the_place_and_the_key(self):
        path = self.folder / "bad.json"
        path.write_text('{\n  "dim": 2,\n  "run": {"tme": 1}\n}\n')
        self.expect(["run", path], "bad.json:3:", "tme", "time", code=1)
        self.expect(["check", path], "bad.json:3:", "tme", "time", code=1)
        self.expect(["run", "no_such_scene"], "no_such_scene", code=1)


class Lists(tool.ToolTest):
    def test_methods(self):
        text = self.rill("methods").stdout
        for name in tool.METHODS:
            self.assertRegex(text, rf"(?m)^{name}: \w")

    def test_params_of_every_table(self):
        names = self.rill("params").stdout
        everything = self.rill("params", "all").stdout
        for name in tool.METHODS + ["world", "fluid", "shape", "block", "solid", "motion", "emitter", "sink", "gauge",
                                    "run", "picture"]:
            self.assertRegex(names, rf"(?m)^  {name} +")
            self.assertIn(self.rill("params", name).stdout, everything)
        self.assertRegex(self.rill("params", "world").stdout, r"spacing +0\.05 m  \(1e-06 to 1000\)\n +distance")

    def test_markdown_has_every_table_and_key(self):
        page = self.rill("params", "--markdown").stdout
        self.assertEqual(page, self.rill("params", "all", "--markdown").stdout)
        for name in re.findall(r"(?m)^  (\w+) ", self.rill("params").stdout):
            section = self.rill("params", name, "--markdown").stdout
            self.assertIn(section, page)
            self.assertTrue(section.startswith(f"## {name}\n"))
            self.assertIn(f"\n- [{name}](#{name}): ", page)
            keys = re.findall(r"(?m)^  (\w+) ", self.rill("params", name).stdout)
            rows = re.findall(r"(?m)^\| `(\w+)` \|.*$", section)
            self.assertEqual(rows, keys)
        for row in re.findall(r"(?m)^\| `.*$", page):
            self.assertEqual(len(re.split(r"(?<!\\)\|", row)), 7, row)
        self.assertIn("\n| length | m | m, mm, cm", page)

    def test_scenes_can_be_loaded_by_name(self):
        lines = self.rill("scenes").stdout.splitlines()
        names = [line.split()[0] for line in lines]
        self.assertEqual(names, sorted(names))
        self.assertEqual({re.match(r"\S+ +\dD \w+ +[\d.]+ s  ", line).end() for line in lines}, {47}, "columns")
        for name in ("dam_break_2d", "dam_break_3d", "still_tank_2d", "still_tank_3d", "poiseuille_2d"):
            self.assertIn(name, names)

    def test_schema_is_json(self):
        self.assertIn("properties", json.loads(self.rill("schema").stdout))


if __name__ == "__main__":
    unittest.main()
