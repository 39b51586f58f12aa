# SPDX-License-Identifier: MIT
"""The pages that are made from the parameter tables say what the tables say now, and `make docs` makes them."""
import difflib
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ["RILL_TOOL"]
MADE_BY = {"docs/parameters.md": ["params", "--markdown"], "docs/scene.schema.json": ["schema"]}


def printed(*command):
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          encoding="utf-8", check=True).stdout


class MadePages(unittest.TestCase):
    def test_pages_are_up_to_date(self):
        for page, words in MADE_BY.items():
            with self.subTest(page):
                now = printed(TOOL, *words)
                self.assertGreater(len(now.splitlines()), 100)
                kept = (ROOT / page).read_text(encoding="utf-8") if (ROOT / page).exists() else ""
                changes = difflib.unified_diff(kept.splitlines(), now.splitlines(), page, f"rill {' '.join(words)}",
                                               lineterm="", n=0)
                if kept != now:
                    self.fail("\n".join([f"{page} is not what the tables say: `make docs` renews it", *changes][:40]))

    def test_make_docs_makes_them(self):
        commands = printed("make", "--dry-run", "--no-print-directory", "docs")
        for page, words in MADE_BY.items():
            self.assertIn(f"rill {' '.join(words)} > {page}\n", commands)


if __name__ == "__main__":
    unittest.main()
