#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stream.py [TOOL]: measures `rill view` with one viewer that takes every frame: steps and frames a second, bytes of a
frame, accuracy of positions, and the transport's share of the processor time. Run it alone."""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/cli"))
from socket_client import Client  # noqa: E402

TOOL = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/gcc/apps/cli/rill")
WARM_UP, SECONDS = 2, 8


def pool(sides, height, dt, substeps):
    """A pool with a wave in it; `sides`: particles along each side."""
    dx = 0.02
    low, top = [0] * len(sides), [dx * n for n in sides]
    return {"dim": len(sides), "method": "pbf", "world": {"spacing": dx}, "run": {"time": 100, "dt": dt},
            "methods": {"pbf": {"substeps": substeps, "iterations": 3}},
            "fluids": [{"name": "water", "material": "water", "surface_tension": 0}],
            "blocks": [{"shape": "box", "min": low, "max": top}],
            "solids": [{"name": "tank", "shape": "box", "min": low, "max": [1.25 * top[0]] + top[1:-1] + [height], "inside": True}]}


# The large one in slow motion, a step of 1/240 s for each frame: as many steps a second as two threads take.
CASES = {"10,000 in 2D, 2 x 3 iterations": (pool([250, 40], 2, 1 / 60, 2), 1),
         "100,000 in 3D, 1 x 3 iterations": (pool([75, 54, 25], 1.2, 1 / 240, 1), 0.25)}


def processor_time(pid):
    """Processor time of the thread of the connections, and of all threads, in seconds."""
    def used(path):
        fields = path.read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    return used(pathlib.Path(f"/proc/{pid}/task/{pid}/stat")), used(pathlib.Path(f"/proc/{pid}/stat"))


def read_for(client, seconds):
    """Frames and their bytes, first and last step, and the last frame."""
    end, frames, size, steps, last = time.monotonic() + seconds, 0, 0, [], b""
    while time.monotonic() < end:
        message = client.receive()
        if isinstance(message, bytes):
            client.send(do="got")
            frames, size, last = frames + 1, size + len(message), message
            steps.append(struct.unpack_from("<I", message, 8)[0])
        elif message["is"] == "error":
            raise SystemExit(message["text"])
    return frames, size, steps[-1] - steps[0], last


def measure(name, scene, rate):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(scene))
        file.flush()
        server = subprocess.Popen([TOOL, "view", file.name, "--port", "0"], stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().strip()
            client = Client(int(re.search(r":(\d+)/", address).group(1)))
            client.send(do="hello", token=address.split("token=")[1])
            client.wait_for("info")
            client.send(do="play", rate=rate)
            read_for(client, WARM_UP)
            before = processor_time(server.pid)
            frames, size, steps, last = read_for(client, SECONDS)
            after = processor_time(server.pid)
        finally:
            server.terminate()
            server.wait()
    transport, whole = (b - a for a, b in zip(before, after))
    exact = max(struct.unpack_from("<3f", last, 28)) / 2
    print(f"| {name} | {struct.unpack_from('<I', last, 40)[0]} | {steps / SECONDS:.0f} | {frames / SECONDS:.0f} | {size / frames / 1e3:.0f} kB | "
          f"{1e6 * exact:.0f} µm | {100 * transport / SECONDS:.1f} % | {100 * transport / whole:.1f} % |")


print("| case | particles | steps a second | frames a second | a frame | positions to | transport, of a core | of all processor time |\n|---|---|---|---|---|---|---|---|")
for case, (described, slow) in CASES.items():
    measure(case, described, slow)
