# SPDX-License-Identifier: MIT
"""test_recipe.py FOLDER COMPILER: follows docs/adding_a_method.md to the letter on a copy of the sources, builds it and
uses the new method. So the page stays true, and a method costs what the page says. A second method, with links between
its particles, is added in the same way."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "test" / "project"


def run(*command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def copy_sources(tree):
    shutil.rmtree(tree, ignore_errors=True)
    for name in ["cmake", "include", "src", "scenes", "scripts"]:
        shutil.copytree(ROOT / name, tree / name)
    for name in ["CMakeLists.txt", "LICENSE", "Makefile"]:
        shutil.copy2(ROOT / name, tree / name)


def replace_in(path, pattern, replacement):
    text = path.read_text(encoding="utf-8")
    changed, count = re.subn(pattern, replacement, text, count=1, flags=re.MULTILINE)
    if count != 1:
        sys.exit(f"{path}: nothing like {pattern} to add the method at")
    path.write_text(changed, encoding="utf-8")


def follow_the_recipe(tree, name, source):
    shutil.copyfile(HERE / source, tree / f"src/sim/method/{name}.c")
    replace_in(tree / "src/sim/method/methods.def", r"\Z", f"METHOD({name})\n")
    replace_in(tree / "src/CMakeLists.txt", r"^  sim/method/method\.c$",
               f"  sim/method/{name}.c\n  sim/method/method.c")


def main():
    folder, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    tree, build = folder / "tree", folder / "build"
    copy_sources(tree)
    follow_the_recipe(tree, "dust", "example_method.c")
    follow_the_recipe(tree, "bonds", "bond_method.c")
    print(run(tree / "scripts/check_method_isolation", tree), end="")
    run("cmake", "-S", tree, "-B", build, "-DRILL_BUILD_TOOL=OFF", "-DRILL_BUILD_TESTS=OFF", "-DCMAKE_BUILD_TYPE=None",
        "-DCMAKE_C_FLAGS=-O0", "-DRILL_SCALAR_ONLY=ON", f"-DCMAKE_C_COMPILER={compiler}")
    run("cmake", "--build", build, "-j", os.environ.get("JOBS", "2"))
    library = next(build.rglob("librill.a"))
    for name in ["use_dust", "use_bonds"]:
        program = folder / name
        run(compiler, "-std=c17", "-O1", "-I", tree / "include", "-I", tree / "src", HERE / f"{name}.c", library, "-lm",
            "-pthread", "-o", program)
        print(run(program), end="")


if __name__ == "__main__":
    main()
