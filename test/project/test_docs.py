# SPDX-License-Identifier: MIT
"""What the README and docs/ show is what is there: code blocks are the files they name, links lead somewhere."""
import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


class Docs(unittest.TestCase):
    maxDiff = None

    def test_readme_shows_the_example(self):
        shown = blocks(ROOT / "README.md", "c")
        self.assertEqual(len(shown), 1)
        self.assertEqual(shown[0], (ROOT / "examples/hello.c").read_text(encoding="utf-8"))

    def test_recipe_shows_the_example_method(self):
        shown = blocks(ROOT / "docs/adding_a_method.md", "c")
        self.assertEqual(shown[0], (ROOT / "test/project/example_method.c").read_text(encoding="utf-8"))

    def test_rigid_shows_its_example(self):
        shown = blocks(ROOT / "docs/rigid.md", "c")
        self.assertEqual(shown, [(ROOT / "examples/bodies.c").read_text(encoding="utf-8")])

    def test_games_shows_its_example(self):
        shown = blocks(ROOT / "docs/games.md", "c")
        self.assertEqual(shown[0], (ROOT / "examples/frames.c").read_text(encoding="utf-8"))

    def test_fragments_compile(self):
        """Fragments of pages, each in a function that has what it names as parameters."""
        given = {
            "embedding.md": ("#include <rill/run.h>\n",
                             "int mine, rill_status (*look_at_frame)(void *, const rill_run *, const rill_frame *, rill_error *), "
                             "rill_status (*look_at_step)(void *, const rill_run *, rill_error *), rill_scene *scene, rill_error error"),
            "surfaces.md": ("#include <rill/surface.h>\n", "rill_world *world, rill_error error, void (*draw)(const void *, const void *, int)"),
            "games.md": ("", "rill_world *world, double frame_time, void (*draw_disc)(const float *, int, const float *)"),
            "liquidfun.md": ("", "rill_world *world, double frame_time, rill_area_id goal, int score, void (*play_splash)(rill_body_id)"),
        }
        for page, (head, parameters) in given.items():
            for k, text in enumerate(blocks(ROOT / "docs" / page, "c")):
                if "int main(" in text:
                    continue  # a whole program, which is one of the examples
                with self.subTest(f"{page}: fragment {k + 1}"):
                    source = (f"#include <rill/rill.h>\n#include <rill/game.h>\n{head}void f({parameters});\nvoid f({parameters}) "
                              f"{{\n{text}}}\n")
                    done = subprocess.run(["cc", "-std=c17", "-fsyntax-only", "-Wall", "-Wno-unused", "-Werror", "-I", ROOT / "include",
                                           "-x", "c", "-"], input=source, capture_output=True, text=True, check=False)
                    self.assertEqual(done.stderr, "")

    def test_lists_are_whole(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        methods = re.findall(r"^METHOD\((?:rill_)?(\w+?)(?:_method)?\)", (ROOT / "src/sim/method/methods.def").read_text(encoding="utf-8"),
                             re.MULTILINE)
        self.assertGreater(len(methods), 5)
        for name in methods:
            self.assertIn(f"`{name}`", readme)
        gauges = (ROOT / "docs/gauges.md").read_text(encoding="utf-8")
        for kind in re.findall(r'^GAUGE_KIND\(\w+, "(\w+)"', (ROOT / "src/model/gauge_kinds.def").read_text(encoding="utf-8"), re.MULTILINE):
            self.assertIn(kind, gauges)
        table = (ROOT / "docs/tool.md").read_text(encoding="utf-8").partition("\n## ")[0]
        for command in re.findall(r'^    \.name = "(\w+)"', "\n".join(file.read_text(encoding="utf-8") for file in
                                  [*(ROOT / "apps/cli/commands").glob("*.c"), ROOT / "apps/cli/main.c"]), re.MULTILINE):
            self.assertIn(f"`{command}`", table)
        for page in (ROOT / "docs").glob("*.md"):
            self.assertTrue(page.name in readme or page.name in (ROOT / "docs/newcomer.md").read_text(encoding="utf-8"),
                            f"{page.name} is named neither in README nor in docs/newcomer.md")

    def test_readme_says_why_with_numbers_and_commands(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        why = readme.partition("## Why Rill")[2].partition("## Play")[0]
        for reason in ("in one solve", "Scene to movie in one binary", "SPlisHSPlasH", "LiquidFun", "same bits", "loth", "games"):
            self.assertIn(reason, why)
        tool = (ROOT / "docs/tool.md").read_text(encoding="utf-8").partition("\n## ")[0]
        table = why.partition("| command that prints it |")[2]
        commands = re.findall(r"^\| .* \| .*[0-9].* \| `(.*?)`.* \|$", table, re.MULTILINE)
        rows = [line for line in table.splitlines() if line.startswith("| ")]
        self.assertEqual(len(commands), len(rows), "each row has a number and a command")
        for command in commands:
            words = command.split()
            with self.subTest(command):
                if words[0] == "rill":
                    self.assertIn(f"`{words[1]}`", tool)
                    folder = {"run": "scenes", "experiment": "experiments"}.get(words[1])
                    if folder:
                        self.assertTrue((ROOT / folder / f"{words[2]}.json").exists())
                elif words[0] == "ctest":
                    lists = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "test").rglob("CMakeLists.txt"))
                    self.assertIn(f"{words[2]} ", lists)
                elif words[0].startswith("build/gcc/"):
                    self.assertTrue((ROOT / words[0].removeprefix("build/gcc/")).with_suffix(".c").exists())
                elif words[0] != "make":
                    self.assertTrue((ROOT / words[0]).exists())

    def test_citation_is_of_this_version(self):
        version = re.search(r"project\(rill VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        self.assertIn(f"\nversion: {version}\n", (ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    def test_newcomers_find_the_lines(self):
        rows = re.findall(r"^\| .* \| \[(.+?)\]\(.*\) \| (\d+): (.*) \|$", (ROOT / "docs/newcomer.md").read_text(encoding="utf-8"),
                          re.MULTILINE)
        self.assertGreater(len(rows), 10)
        for page, number, heading in rows:
            lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
            self.assertEqual(lines[int(number) - 1].lstrip("# "), heading, f"{page}: the line of '{heading}' has moved")

    def test_the_tour_names_what_is_there(self):
        rows = re.findall(r"^\| \d+ \| `(\w+)` \| \S*?`([\w/.]+)`", (ROOT / "docs/tour.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(len(rows), 12)
        for function, file in rows:
            self.assertRegex((ROOT / file).read_text(encoding="utf-8"), rf"(?m)^[\w *]*\b{function}\(", file)

    def test_links_lead_somewhere(self):
        count = 0
        for page in PAGES:
            text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                file, _, anchor = target.partition("#")
                path = (page.parent / file) if file else page
                with self.subTest(f"{page.relative_to(ROOT)}: {target}"):
                    count += 1
                    self.assertTrue(path.exists(), f"{path} does not exist")
                    if anchor and path.suffix == ".md":
                        self.assertIn(anchor, anchors(path))
        self.assertGreater(count, 5)

    def test_the_gallery_has_every_scene(self):
        """What `make gallery` needs to begin, and what the page shows."""
        scenes = {path.stem for path in (ROOT / "scenes").glob("*.json")}
        self.assertEqual(set(json.loads((ROOT / "docs/gallery.json").read_text(encoding="utf-8"))), scenes)
        page = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"^!\[(\w+)\]\(images/gallery/", page, re.MULTILINE)), scenes)

    def test_make_targets_exist(self):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
        for page in PAGES:
            for target in re.findall(r"`make ([a-z]+)", page.read_text(encoding="utf-8")):
                with self.subTest(f"{page.relative_to(ROOT)}: make {target}"):
                    self.assertIn(target, targets)

    def test_every_folder_of_src_is_explained(self):
        text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
        for folder in sorted(p for p in (ROOT / "src").rglob("*") if p.is_dir()):
            name = folder.relative_to(ROOT).as_posix()
            with self.subTest(name):
                self.assertIn(f"`{name}/`", text)

    def test_every_package_is_explained(self):
        text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
        listed = subprocess.run([ROOT / "scripts/packages", "test", "--list"], capture_output=True, text=True, check=True)
        for name in listed.stdout.split():
            with self.subTest(name):
                self.assertIn(f"`{name}`", text)

    def test_files_named_in_code_style_exist(self):
        tops = "include|src|apps|bench|scenes|test|examples|docs|cmake|scripts"
        for page in PAGES:
            for name in re.findall(rf"`((?:{tops})/[\w./-]+)`", page.read_text(encoding="utf-8")):
                if "NAME" in name:  # a placeholder
                    continue
                with self.subTest(f"{page.relative_to(ROOT)}: {name}"):
                    self.assertTrue((ROOT / name).exists(), f"{name} does not exist")

    def test_stays_at_home(self):
        for page in PAGES:
            with self.subTest(page.name):
                self.assertNotRegex(page.read_text(encoding="utf-8"), r"(?<![\w.])/(work|home|root)/")


def anchors(page):
    """As GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


if __name__ == "__main__":
    unittest.main()
