# SPDX-License-Identifier: MIT
"""The checks check: each must accept the real tree and refuse a small one with a known fault."""
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(script, *arguments, **options):
    path = ROOT / "scripts" / script
    # By this interpreter: to find one by its name may take longer than the check.
    by = [sys.executable] if "python3" in path.read_text().partition("\n")[0] else []
    return subprocess.run([*by, str(path), *map(str, arguments)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, **options)


class FakeTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return target


class Layers(FakeTree):
    def setUp(self):
        super().setUp()
        # One public header will do: each is compiled alone, twice, whenever the tree is looked at.
        self.write("include/rill/base.h", (ROOT / "include/rill/base.h").read_text())
        self.write("src/core/error.h", '#include "rill/base.h"\n')
        self.write("src/io/io.h", '#include "core/error.h"\n#include <stdio.h>\n')
        self.write("src/scene/scene.h", '#include "io/io.h"\n')
        self.write("src/scene/tree_yaml.c", "#include <yaml.h>\n")
        self.write("src/run/run.h", '#include "scene/scene.h"\n')

    def refused(self, path, line, reason):
        self.write(path, line + "\n")
        done = run("check_layers", self.root)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"{path}:1: ", done.stdout)
        self.assertIn(reason, done.stdout)

    def test_real_tree(self):
        done = run("check_layers", ROOT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_good_fake(self):
        done = run("check_layers", self.root)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_upwards(self):
        self.write("src/api/world.h", "")
        self.refused("src/sim/step.c", '#include "api/world.h"', "sim may include only")

    def test_sideways(self):
        self.write("src/scene/scene.h", "")
        self.refused("src/picture/draw.c", '#include "scene/scene.h"', "picture may include only")
        self.refused("src/io/vtp.c", '#include "scene/scene.h"', "io may include only")

    def test_inside_of_a_world(self):
        self.write("src/model/world_state.h", "")
        self.write("src/model/table.h", "")
        for path in ("src/picture/draw.c", "src/io/vtp.c", "src/scene/build.c", "src/surface/march.c", "apps/cli/run.c",
                     "bench/bench.c"):
            with self.subTest(path=path):
                self.refused(path, '#include "model/world_state.h"', "only the engine sees the inside of a world")
                self.write(path, '#include "model/table.h"\n')

    def test_engine_from_the_tool(self):
        self.write("src/api/world.h", "")
        self.write("src/rigid/body.h", "")
        self.refused("apps/cli/run.c", '#include "api/world.h"', "apps may include only")
        self.refused("apps/cli/run.c", '#include "rigid/body.h"', "apps may include only")
        self.refused("src/io/vtp.c", '#include "api/world.h"', "io may include only")

    def test_relative(self):
        self.refused("src/io/vtp.c", '#include "io.h"', "written from src/")

    def test_missing_public(self):
        self.refused("src/io/vtp.c", '#include "rill/none.h"', "there is no include/rill/none.h")

    def test_library_in_the_core(self):
        self.refused("src/core/x.c", "#include <yaml.h>", "only scene/tree_yaml.c uses this library")
        self.refused("src/scene/read.c", "#include <yaml.h>", "only scene/tree_yaml.c uses this library")
        self.refused("src/io/png.c", "#include <cairo.h>", "only picture/ uses this library")
        self.refused("src/core/x.c", "#include <zlib.h>", "only libc, libm and threads")

    def test_public_header(self):
        self.refused("include/rill/extra.h", '#include "core/error.h"', "only rill/ headers")
        self.refused("include/rill/extra.h", "#include <stdio.h>", "a public header needs only")

    def test_public_header_not_alone(self):
        self.write("include/rill/extra.h", "rill_vec oops(void);\n")
        done = run("check_layers", self.root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("include/rill/extra.h does not compile alone with gcc", done.stdout)
        self.assertIn("include/rill/extra.h does not compile alone with clang++", done.stdout)

    def test_unknown_folder(self):
        self.refused("src/physics/x.c", "", "is in no layer")


class MethodIsolation(FakeTree):
    def setUp(self):
        super().setUp()
        self.write("src/sim/method/methods.def", "METHOD(dust)\nMETHOD(mud)\n")
        self.write("src/sim/method/dust.c", "int dust_method;\n")
        self.write("src/sim/method/mud_springs.c", "int mud;\n")
        self.write("src/CMakeLists.txt", "sim/method/dust.c\n")
        self.write("CMakeLists.txt", "# dust is fine in a comment\n")
        self.write("Makefile", "")
        self.write("src/api/world.c", '/* such as dust */ const char *url = "a//b"; int industry;\n')

    def test_real_tree(self):
        done = run("check_method_isolation", ROOT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_good_fake(self):
        done = run("check_method_isolation", self.root)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_leaks(self):
        for path, text in [("src/sim/step.c", "/* a\nb */\nif (is_dust) {}"), ("src/sim/step.c", "\n\nRILL_DUST"),
                           ("src/sim/method/mud_springs.c", '\n\ncall("dust");'), ("CMakeLists.txt", "\n\nset(x dust)")]:
            with self.subTest(text):
                self.write(path, text)
                done = run("check_method_isolation", self.root)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{path}:3: names the method 'dust'", done.stdout)

    def test_empty_registry(self):
        self.write("src/sim/method/methods.def", "\n")
        self.assertEqual(run("check_method_isolation", self.root).returncode, 1)


class Packages(FakeTree):
    """With stand-ins for dpkg-query, apt-get, id and sudo that write down how they were called."""

    def setUp(self):
        super().setUp()
        self.log = self.root / "calls"
        for name in ("bash", "env", "sed"):
            (self.root / name).symlink_to(shutil.which(name))
        self.tool("apt-get", f'echo "$DEBIAN_FRONTEND apt-get $*" >> {self.log}')
        self.tool("id", "echo ${FAKE_UID:-0}")
        self.installed(run("packages", "test", "--list").stdout.split())

    def tool(self, name, body):
        path = self.write(name, f"#!/bin/bash\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def installed(self, names):
        pattern = "|".join(names) or "none"
        self.tool("dpkg-query", f'case "${{@: -1}}" in {pattern}) echo -n installed ;; *) exit 1 ;; esac')

    def packages(self, *arguments, uid="0"):
        self.log.write_text("")
        done = run("packages", *arguments, env={"PATH": str(self.root), "FAKE_UID": uid})
        return done, self.log.read_text()

    def test_nothing_missing(self):
        done, calls = self.packages("test")
        self.assertEqual((done.returncode, calls), (0, ""))

    def test_only_what_is_missing(self):
        names = run("packages", "test", "--list").stdout.split()
        names.remove("libyaml-dev")
        self.installed(names)
        done, calls = self.packages("run")
        self.assertEqual(done.returncode, 0, done.stderr)
        update, install = calls.splitlines()
        self.assertIn("noninteractive apt-get", update)
        self.assertTrue(update.endswith("update"), update)
        self.assertTrue(install.endswith("install -y --no-install-recommends libyaml-dev"), install)

    def test_run_does_not_need_test_packages(self):
        self.installed(run("packages", "run", "--list").stdout.split())
        self.assertEqual(self.packages("run")[1], "")
        self.assertIn("libcmocka-dev", self.packages("test")[1])

    def test_a_program_will_do(self):
        names = run("packages", "run", "--list").stdout.split()
        names.remove("cmake")
        self.installed(names)
        self.assertIn("cmake", self.packages("run")[1])
        self.tool("cmake", "")
        self.assertEqual(self.packages("run")[1], "")

    def test_neither_root_nor_sudo(self):
        self.installed([])
        done, calls = self.packages("run", uid="1000")
        self.assertEqual((done.returncode, calls), (1, ""))
        self.assertIn("neither root nor sudo", done.stderr)
        self.assertIn("libyaml-dev", done.stderr)

    def test_sudo(self):
        self.tool("sudo", f'echo "sudo $1" >> {self.log}; shift; exec "$@"')
        self.installed([])
        done, calls = self.packages("run", uid="1000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(calls.count("sudo -n"), 2)
        self.assertEqual(calls.count("noninteractive apt-get"), 2)

    def test_apt_fails(self):
        self.tool("apt-get", "exit 100")
        self.installed([])
        done, _ = self.packages("run")
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt-get could not install", done.stderr)

    def test_not_debian(self):
        os.remove(self.root / "apt-get")
        done, _ = self.packages("run")
        self.assertEqual(done.returncode, 0)
        self.assertIn("not a Debian system", done.stderr)


class Symbols(FakeTree):
    def library(self, text):
        source, compiled, library = self.write("x.c", text), self.root / "x.o", self.root / "libx.a"
        library.unlink(missing_ok=True)
        subprocess.run(["cc", "-c", "-O0", "-fno-builtin", source, "-o", compiled], check=True)
        subprocess.run(["ar", "rcs", library, compiled], check=True)
        return run("check_symbols", library)

    def test_prefix(self):
        done = self.library("int outside(void); int rill_fine(void) { return outside(); } int buffer_free(void) { return 0; }")
        self.assertEqual(done.returncode, 1)
        self.assertIn("defines buffer_free", done.stdout)
        self.assertNotIn("rill_fine", done.stdout)

    def test_libm(self):
        text = "double sqrt(double); float sinf(float); double rill_f(float x) { return sqrt(x) + %s; }"
        self.assertEqual(self.library(text % "x").returncode, 0)
        done = self.library(text % "sinf(x)")
        self.assertEqual(done.returncode, 1)
        self.assertIn("calls sinf", done.stdout)

    def test_variables(self):
        text = "int outside(void); static const char *const names[] = {\"a\", \"b\"};" \
               "const char *rill_f(void) { %s return names[outside()]; }"
        self.assertEqual(self.library(text % "").returncode, 0)
        for variable in ("static int calls; calls++;", "static int calls = 1; calls++;", "static _Thread_local int calls; calls++;"):
            with self.subTest(variable):
                done = self.library(text % variable)
                self.assertEqual(done.returncode, 1)
                self.assertIn("state belongs to a world", done.stdout)

    def test_ends(self):
        done = self.library("void abort(void); void rill_f(void) { abort(); }")
        self.assertEqual(done.returncode, 1)
        self.assertIn("calls abort", done.stdout)


if __name__ == "__main__":
    unittest.main()
