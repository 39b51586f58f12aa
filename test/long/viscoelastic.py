#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""viscoelastic.py TOOL [gel|minute]: what docs/methods/clavet.md says of whole scenes. `gel`: how gel_bunny_3d recovers, keeps a
print and flows away, measured on its frames. `minute`: every scene of the method for a minute, at the paper's numbers and one
step of 1/30 s; none may blow up. Prints what it measures; fails beyond the limits stated here."""
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FPS = 20
CELL = 0.025  # to look for neighbours in [m]
# Largest distance between two shapes over their size after the foot, ears and all; least print over the foot's depth, and the
# height at which a bunny is a puddle over its own.
RECOVERED, PRINTED, PUDDLE = 0.05, 0.20, 0.25
# Shapes are those of single moments: one before the foot comes, and the last frames before it comes again; the worst counts.
BEFORE, AFTER, FRAMES = 1.95, 4.95, 10
# What holds at one spacing need not hold at others, where ears are one particle thick or three [m].
OTHER_SPACINGS = (0.022, 0.027, 0.030)


def read_points(path):
    """Positions of a PLY file of `rill run`, in the order of their ids: three floats come first in each row."""
    data = path.read_bytes()
    head, body = data.split(b"end_header\n", 1)
    count = int(re.search(rb"element vertex (\d+)", head).group(1))
    names = re.findall(rb"property \w+ (\w+)", head)
    size, at = 4 * len(names), 4 * names.index(b"id")
    rows = sorted((struct.unpack_from("<I", body, size * k + at), struct.unpack_from("<3f", body, size * k)) for k in range(count))
    return [place for _, place in rows]


def distances(points, others, cell):
    """Of each point from the nearest of the others, with cells to look into."""
    cells = {}
    for p in others:
        cells.setdefault(tuple(math.floor(x / cell) for x in p), []).append(p)

    def nearest(p):
        at = [math.floor(x / cell) for x in p]
        best, ring = math.inf, 0
        while best > ring * cell:
            ring += 1
            best = min((math.dist(p, q) for i in range(-ring, ring + 1) for j in range(-ring, ring + 1)
                        for k in range(-ring, ring + 1) for q in cells.get((at[0] + i, at[1] + j, at[2] + k), ())),
                       default=math.inf)
        return best
    return [nearest(p) for p in points]


def hausdorff(points, others):
    return max(*distances(points, others, CELL), *distances(others, points, CELL))


def extent(points):
    return [max(p[a] for p in points) - min(p[a] for p in points) for a in range(3)]


def top_under_foot(points):
    """Height of the fluid under the middle of the foot."""
    return max(p[2] for p in points if abs(p[0] - 0.1) < 0.05 and abs(p[1] + 0.05) < 0.05)


def run(tool, scene, *words):
    return subprocess.run([tool, "run", scene, "--quiet", *words], capture_output=True, text=True, check=False)


def bunny(tool, folder, *words):
    """Runs gel_bunny_3d; gives the function that reads its frame at a time."""
    done = run(tool, ROOT / "scenes/gel_bunny_3d.json", "--fps", str(FPS), "--format", "ply", "--bodies", "none", "--out", folder,
               "--overwrite", *words)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return lambda time: read_points(pathlib.Path(folder) / f"frames/frame_{round(time * FPS):05d}.ply")


def recovery(frame):
    """Largest Hausdorff distance, over the size, of the moments after the foot from the one before it."""
    before = frame(BEFORE)
    return max(hausdorff(frame(AFTER - k / FPS), before) for k in range(FRAMES)) / max(extent(before))


def recovers_elsewhere(tool):
    good = True
    for spacing in OTHER_SPACINGS:
        with tempfile.TemporaryDirectory() as folder:
            apart = recovery(bunny(tool, folder, "--time", "5", "--set", f"world.spacing={spacing}"))
        print(f"recovers at {100 * spacing:.1f} cm: {apart:.4f} of its size (limit {RECOVERED})", flush=True)
        good = good and apart <= RECOVERED
    return good


def gel(tool):
    with tempfile.TemporaryDirectory() as folder:
        frame = bunny(tool, folder)
        moulded, before, pressed, after, again, plastic, end = (frame(t) for t in (0, BEFORE, 2.55, AFTER, 5.65, 6.75, 8.3))
        apart = recovery(frame)
    depth = top_under_foot(after) - top_under_foot(again)
    print_left = (top_under_foot(after) - top_under_foot(plastic)) / depth
    height = extent(end)[2] / extent(moulded)[2]
    print(f"stands at {extent(before)[2] / extent(moulded)[2]:.3f} of its height, pressed to "
          f"{top_under_foot(pressed) / top_under_foot(before):.3f} under the foot")
    print(f"recovers: Hausdorff distance over size {apart:.4f} at any moment (limit {RECOVERED})")
    print(f"keeps a print of {print_left:.3f} of the foot's {depth:.3f} m (at least {PRINTED})")
    print(f"puddle: {height:.3f} of its height a second and a half after the springs went (limit {PUDDLE})", flush=True)
    return recovers_elsewhere(tool) and apart <= RECOVERED and print_left >= PRINTED and height <= PUDDLE


def minute(tool):
    good = True
    for scene in sorted((ROOT / "scenes").glob("*.json")):
        text = scene.read_text(encoding="utf-8")
        if '"method": "clavet"' not in text:
            continue
        ratio = "2.7" if '"dim": 3' in text else "3.7"
        # A look or rows of springs are the scene's own; the rest is section 7.3.
        done = run(tool, scene, "--time", "60", "--dt", str(1 / 30), "--set", "clavet.numbers=paper", "--set", "clavet.substeps=1",
                   "--set", f"world.support_ratio={ratio}", "--fps", "1")
        good = good and done.returncode == 0
        print(f"{scene.stem}: {'a minute' if done.returncode == 0 else done.stderr.strip()}", flush=True)
    return good


def main():
    parts = {"gel": gel, "minute": minute}
    if len(sys.argv) < 2 or any(word not in parts for word in sys.argv[2:]):
        sys.exit(__doc__)
    good = [parts[word](sys.argv[1]) for word in sys.argv[2:] or parts]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
