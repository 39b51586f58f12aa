# SPDX-License-Identifier: MIT
"""What the tests of the tool share: the binary, a tiny scene, a folder of its own for each test."""
import copy
import csv
import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree
import zlib

TOOL = os.environ["RILL_TOOL"]
SOURCE = pathlib.Path(os.environ["RILL_SOURCE"])
COMMANDS = ["new", "view", "run", "check", "scenes", "methods", "params", "schema", "info", "compare", "picture", "render", "surface", "movie",
            "experiment", "sweep", "plot", "bench", "version", "help"]
METHODS = ["dfsph", "muller", "pcisph", "wcsph"]

# A sanitizer's finding must not pass for an error that a test expects.
for options in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    os.environ[options] = os.environ.get(options, "") + ":exitcode=99"
os.environ["LSAN_OPTIONS"] += f":suppressions={SOURCE / 'test/cli/leaks.supp'}:print_suppressions=0"

# Sixty-four particles that collapse in a box; a few hundred steps take a fraction of a second.
DAM = {
    "about": "a little water in a box",
    "dim": 2,
    "method": "wcsph",
    "world": {"spacing": 0.05},
    "run": {"time": 0.1, "fps": 50},
    "fluids": [{"name": "water", "material": "water"}],
    "blocks": [{"shape": "box", "min": [0, 0], "max": [0.4, 0.4]}],
    "solids": [{"name": "tank", "shape": "box", "min": [0, 0], "max": [1, 1], "inside": True}],
    "gauges": [
        {"name": "front", "kind": "front", "position": [0, 0.025], "direction": [1, 0], "length": 1},
        {"name": "push", "kind": "force", "solid": "tank"},
    ],
}


class ToolTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rill-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def scene(self, name="dam", **changes):
        """Writes DAM with some sections replaced; returns the path."""
        data = copy.deepcopy(DAM)
        for section, value in changes.items():
            if isinstance(value, dict) and isinstance(data.get(section), dict):
                data[section].update(value)
            else:
                data[section] = value
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(data))
        return path

    def rill(self, *arguments, code=0, file_limit=None, **options):
        """Runs the tool, holds it to an exit code, returns the finished process."""

        def limit_files():
            if file_limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

        options.setdefault("stdout", subprocess.PIPE)
        done = subprocess.run([TOOL, *map(str, arguments)], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              text=True, cwd=self.folder, timeout=120, preexec_fn=limit_files, **options)
        self.assertEqual(done.returncode, code, f"rill {' '.join(map(str, arguments))}\n{done.stdout}\n{done.stderr}")
        return done

    def run_json(self, *arguments, code=0):
        return json.loads(self.rill("run", *arguments, "--json", "--quiet", code=code).stdout)

    def interrupt(self, *arguments, how=signal.SIGINT, after=0.3):
        """Starts a run that has far to go, signals it when its first frame is there; returns what it said."""
        out = self.folder / arguments[arguments.index("--out") + 1]
        shutil.rmtree(out, ignore_errors=True)
        process = subprocess.Popen([TOOL, "run", *map(str, arguments), "--json"], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        wait_for(lambda: (out / "snapshot.rill").exists() or process.poll() is not None)
        time.sleep(after)
        process.send_signal(how)
        said, explained = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, explained)
        return json.loads(said), explained


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("waited in vain")
        time.sleep(0.01)


def read_csv(path):
    """Column names and rows of numbers, None where a cell is empty; a torn row is an error."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names, numbers = rows[0], [[float(value) if value else None for value in row] for row in rows[1:]]
    for row in numbers:
        assert len(row) == len(names), (path, row)
    return names, numbers


def read_series(path):
    """(time, file) of every frame in a .pvd."""
    root = xml.etree.ElementTree.parse(path).getroot()
    return [(float(item.get("timestep")), item.get("file")) for item in root.iter("DataSet")]


def png_size(path):
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR", path
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def pixels(path):
    """Rows of RGB bytes of an opaque 8-bit PNG."""
    data, at, packed = path.read_bytes(), 8, b""
    width, height, depth, kind = struct.unpack_from(">IIBB", data, 16)
    assert (depth, kind) == (8, 2), "8-bit RGB was expected"
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        packed += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
        at += 12 + size
    raw, rows, before = zlib.decompress(packed), [], bytearray(3 * width)
    for y in range(height):
        filtered = raw[y * (3 * width + 1)]
        row = bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        for x in range(3 * width):
            a = row[x - 3] if x >= 3 else 0
            b, c = before[x], before[x - 3] if x >= 3 else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[x] = (row[x] + (0, a, b, (a + b) // 2, nearest)[filtered]) & 255
        rows.append(bytes(row))
        before = row
    return rows
