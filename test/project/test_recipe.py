# SPDX-License-Identifier: MIT
"""test_recipe.py FOLDER COMPILER: follows docs/adding_a_method.md to the letter on a copy of the sources, builds it and
uses the new method, by code and with the tool. So the page stays true, and a method costs what the page says. A second
method, with links between its particles, is added in the same way."""
import json
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
    for name in ["apps", "bench", "cmake", "include", "src", "scenes", "scripts"]:
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


SCENE = """{
  "about": "Flour falls along a rough wall.",
  "dim": 2,
  "method": "dust",
  "world": { "spacing": 0.05, "walls": "field" },
  "run": { "time": 0.2, "fps": 10, "dt": 0.01 },
  "fluids": [ { "name": "sand" }, { "name": "flour", "dust": { "lightness": "400 %" } } ],
  "blocks": [ { "fluid": "flour", "shape": "box", "min": [0, 1], "max": [0.2, 1.2] } ],
  "solids": [ { "name": "wall", "shape": "half_space", "normal": [1, 0], "dust": { "grip": "30 1/min" } } ],
  "bodies": [ { "name": "ball", "shape": "sphere", "position": [1, 1], "radius": 0.1, "dust": { "grip": 2 } } ]
}
"""


def equal(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, expected {wanted!r}")


class Tool:
    """The tool that knows the new method, and a scene for it."""

    def __init__(self, program, folder):
        self.program, self.folder, self.scene = program, folder, folder / "flour.json"
        self.scene.write_text(SCENE, encoding="utf-8")

    def call(self, *arguments):
        return run(self.program, *arguments)

    def simulate(self, *options, scene=None):
        """Runs the scene; returns the state's hash and what the items of the written scene give for the method."""
        out = self.folder / "out"
        told = json.loads(self.call("run", scene or self.scene, "--out", out, "--overwrite", "--json", "--quiet", *options))
        written = json.loads((out / "scene.json").read_text(encoding="utf-8"))
        given = [item.get("dust") for kind in ["fluids", "solids", "bodies"] for item in written[kind]]
        return told["state_hash"], given

    def refuse(self, words, *arguments):
        done = subprocess.run([str(c) for c in [self.program, *arguments]], stderr=subprocess.PIPE, text=True)
        if done.returncode == 0 or words not in done.stderr:
            sys.exit(f"{arguments}: {done.stderr!r} does not have {words!r}")


def use_the_tool(tool):
    own = [None, {"lightness": 4}, {"grip": 0.5}, {"grip": 2}]
    first, given = tool.simulate()
    equal(given, own, "the written scene gives what the scene gave")
    snapshot = tool.folder / "first.rill"
    shutil.copyfile(tool.folder / "out/snapshot.rill", snapshot)
    written = tool.folder / "written.json"
    shutil.copyfile(tool.folder / "out/scene.json", written)
    equal(tool.simulate(scene=written), (first, own), "the written scene runs alike")
    equal(tool.simulate("--method", "muller")[1], own, "another method leaves it alone")

    for key, place in [("fluids.sand.dust.lightness", 0), ("solids.0.dust.grip", 2), ("bodies.ball.dust.grip", 3)]:
        given = tool.simulate("--set", f"{key}=7")[1]
        equal(given[place], {key.split(".")[-1]: 7}, key)
    for change in ["fluids.flour.dust.lightness=1", "solids.wall.dust.grip=600 Hz"]:
        if tool.simulate("--set", change)[0] == first:
            sys.exit(f"{change} changes nothing")

    longer = ["--time", "0.3"]
    equal(tool.simulate(*longer, "--resume", snapshot)[0], tool.simulate(*longer)[0], "a resumed run goes on alike")
    for key, value in [("fluids.flour.dust.lightness", 4), ("bodies.ball.dust.grip", 2)]:
        tool.refuse(f"the snapshot has {key} = {value}, the scene says 3", "run", tool.scene, "--set", f"{key}=3",
                    "--resume", snapshot, *longer)

    tool.refuse("unknown key 'lightnes'; did you mean 'lightness'?", "check", tool.scene, "--set",
                "fluids.flour.dust.lightnes=1")
    wrong = tool.folder / "wrong.json"
    for old, new, words in [
            ('"grip": 2', '"gripp": 2', "bodies[0].dust.gripp: unknown key 'gripp'; did you mean 'grip'?"),
            ('"30 1/min"', '"30 m"', "solids[0].dust.grip: '30 m' is a length; expected a frequency"),
            ('"dust": { "grip": 2 }', '"dust": 2', "bodies[0].dust: is 2; expected an object")]:
        wrong.write_text(SCENE.replace(old, new), encoding="utf-8")
        tool.refuse(words, "check", wrong)

    equal(re.findall(r"^(\w+):", tool.call("params", "dust"), re.MULTILINE), ["dust", "dust_fluid", "dust_solid"],
          "rill params shows the tables")
    properties = json.loads(tool.call("schema"))["properties"]
    for kind, key in [("fluids", "lightness"), ("solids", "grip"), ("bodies", "grip")]:
        equal(list(properties[kind]["items"]["properties"]["dust"]["properties"]), [key], f"the schema of {kind}")


def main():
    folder, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    tree, build = folder / "tree", folder / "build"
    copy_sources(tree)
    follow_the_recipe(tree, "dust", "example_method.c")
    follow_the_recipe(tree, "bonds", "bond_method.c")
    print(run(tree / "scripts/check_method_isolation", tree), end="")
    run("cmake", "-S", tree, "-B", build, "-DRILL_BUILD_TOOL=ON", "-DRILL_BUILD_TESTS=OFF", "-DCMAKE_BUILD_TYPE=None",
        "-DCMAKE_C_FLAGS=-O0", "-DRILL_WIDTHS=scalar", f"-DCMAKE_C_COMPILER={compiler}",
        *(["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []))
    run("cmake", "--build", build, "-j", os.environ.get("JOBS", "2"))
    library = next(build.rglob("librill.a"))
    for name in ["use_dust", "use_bonds"]:
        program = folder / name
        run(compiler, "-std=c17", "-O1", "-I", tree / "include", "-I", tree / "src", HERE / f"{name}.c", library, "-lm",
            "-pthread", "-o", program)
        print(run(program), end="")
    use_the_tool(Tool(next(build.rglob("apps/cli/rill")), folder))


if __name__ == "__main__":
    main()
