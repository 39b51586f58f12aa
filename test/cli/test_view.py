# SPDX-License-Identifier: MIT
"""rill view: who is let in, what is refused, and that nobody can hold it up."""
import http.client
import json
import os
import random
import re
import resource
import signal
import struct
import subprocess
import time
import unittest

import tool
from socket_client import Client, Clock, Closed

BOT_SECONDS = float(os.environ.get("RILL_BOT_SECONDS", "30" if os.environ.get("RILL_LONG") else "8"))


class ViewTest(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.start(self.scene(bodies=[{"name": "box", "shape": "box", "min": [0.6, 0.1], "max": [0.8, 0.3], "density": 400}]))

    def start(self, scene, *options):
        self.process = subprocess.Popen([tool.TOOL, "view", str(scene), "--port", "0", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.address = self.process.stdout.readline().strip()
        self.port = int(re.match(r"http://127\.0\.0\.1:(\d+)/", self.address).group(1))
        self.token = self.address.split("token=")[1]

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            output = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.fail("it did not end")
        self.assertEqual(self.process.returncode, 0, output)

    def enter(self, **options):
        client = Client(self.port, **options)
        self.addCleanup(client.close)
        client.send(do="hello", token=self.token)
        return client

    def get(self, path, host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest("GET", path, skip_host=True)
            connection.putheader("Host", host or f"127.0.0.1:{self.port}")
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.read()
        except http.client.RemoteDisconnected:
            return 0, b""  # libwebsockets itself did not like it
        finally:
            connection.close()

    def assert_alive(self):
        """A new viewer sees water that moves."""
        self.assertIsNone(self.process.poll())
        client = self.enter()
        client.wait_for("info")
        client.wait_for("frame")
        client.close()


class Pages(ViewTest):
    def test_page_and_what_is_made(self):
        status, page = self.get("/")
        self.assertEqual(status, 200)
        self.assertIn(b"<html", page)
        status, script = self.get("/main.js?v=1")
        self.assertEqual(status, 200)
        self.assertEqual(json.loads(self.get("/engine.json")[1]), {"engine": "native", "scene": "dam"})
        index = json.loads(self.get("/scenes/index.json")[1])
        self.assertIn("dam_break_2d", [entry["name"] for entry in index])

    def test_nothing_outside_the_page(self):
        for path in ("/../README.md", "/%2e%2e/README.md", "//etc/passwd", "/.git/config", "/main.js/../../README.md",
                     "/none.js", "/scripts", "/" + "a" * 3000 + ".js", "/..%2f..%2fREADME.md", "/index.html%00.js"):
            status, body = self.get(path)
            self.assertIn(status, (0, 403, 404, 414), path)
            self.assertNotIn(b"Rill", body, path)

    def test_foreign_hosts(self):
        self.assertEqual(self.get("/", host="evil.example")[0], 403)
        self.assertEqual(self.get("/", host=f"evil.example:{self.port}")[0], 403)
        self.assertEqual(self.get("/", host="localhost:9999")[0], 200)  # through a tunnel


class Doors(ViewTest):
    def assert_refused(self, **options):
        with self.assertRaises(Closed):
            client = Client(self.port, **options)
            self.addCleanup(client.close)
            client.receive()

    def test_origin_and_host(self):
        self.assert_refused(origin="http://evil.example")
        self.assert_refused(origin=f"http://127.0.0.1:{self.port + 1}")
        self.assert_refused(origin=f"http://127.0.0.1:{self.port}.evil.example")
        self.assert_refused(origin="")
        self.assert_refused(host=f"evil.example:{self.port}")
        self.assert_alive()

    def test_token(self):
        for message in ({"do": "hello"}, {"do": "hello", "token": ""}, {"do": "hello", "token": self.token[:-1]},
                        {"do": "hello", "token": self.token + "0"}, {"do": "hello", "token": "0" * len(self.token)}, {"do": "info"}):
            client = Client(self.port)
            self.addCleanup(client.close)
            client.send(**message)
            with self.assertRaises(Closed):
                client.receive()
        self.assert_alive()

    def test_a_silent_client_is_closed(self):
        client = Client(self.port)
        self.addCleanup(client.close)
        started = client.clock.now()
        with self.assertRaises(Closed):
            client.receive()
        self.assertLess(client.clock.now() - started, 15)

    def test_a_large_message_is_not_buffered(self):
        client = self.enter()
        client.wait_for("info")
        before = self.memory()
        try:
            client.send_frame(1, b"x" * 1000, announced=1 << 30)
            for _ in range(20000):
                client.socket.sendall(b"x" * 4096)
        except (Closed, OSError):
            pass
        self.assertLess(self.memory() - before, 30000)
        self.assert_alive()

    def memory(self):
        """Resident memory of the server in kB."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))


class Viewers(ViewTest):
    def test_ten_watch_and_one_has_the_hands(self):
        viewers = [self.enter() for _ in range(10)]
        for viewer in viewers:
            viewer.wait_for("info")
        owner, other = viewers[0], viewers[9]
        self.assertTrue(self.hands(owner, 10)["yours"])
        other.send(do="play")
        self.assertIn("hands", other.wait_for("error")["text"])
        owner.send(do="play")
        for viewer in viewers:
            steps = [struct.unpack_from("<I", viewer.wait_for("frame"), 8)[0] for _ in range(3)]
            self.assertLess(steps[0], steps[2])
        owner.close()
        self.assertFalse(self.hands(other, 9)["yours"])
        self.assertTrue(self.hands(viewers[1], 9)["yours"])
        viewers[1].send(do="pause")
        viewers[1].wait_for("info")

    def hands(self, viewer, viewers):
        """What it was told when there were so many. It may have been told before it was asked: `hands` come from the server at
        once, `info` from the thread that plays when that has time."""
        while viewer.heard.get("hands", {}).get("viewers") != viewers:
            viewer.wait_for("hands")
        return viewer.heard["hands"]

    def test_who_does_not_read_holds_nobody_up(self):
        owner = self.enter()
        owner.wait_for("info")
        deaf = [self.enter() for _ in range(6)]  # they never read, nor acknowledge
        owner.send(do="play")
        first = struct.unpack_from("<I", owner.wait_for("frame"), 8)[0]
        for _ in range(20):
            last = struct.unpack_from("<I", owner.wait_for("frame"), 8)[0]
        self.assertGreater(last, first + 10)
        for client in deaf:
            client.close()
        self.assert_alive()

    def test_frames_wait_for_acknowledgement(self):
        owner = self.enter()
        owner.wait_for("info")
        owner.send(do="play")
        frames, end = 0, owner.clock.now() + 2
        owner.patience = 0.5
        while owner.clock.now() < end:
            try:
                frames += isinstance(owner.receive(), bytes)
            except TimeoutError:
                pass
        self.assertLessEqual(frames, 2)


class Trouble(ViewTest):
    failures = 0

    def test_a_killed_connection(self):
        for _ in range(5):
            client = self.enter()
            client.wait_for("info")
            client.send(do="play")
            client.send(do="grab", at=[0.7, 0.2])
            client.socket.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER: a reset, not a farewell
            client.close()
        self.assert_alive()

    def test_junk(self):
        """A thousand messages of nonsense, from somebody who has the hands."""
        chance = random.Random(18)
        client = self.enter()
        client.wait_for("info")
        pieces = ["{", "}", '"do"', ":", '"push"', '"pour"', "[", "]", "1e999", "-0", "nan", '"at"', ",", '"\\u0000"', "\\", "\x01",
                  '"set"', '"path"', '"world.gravity"', '"value"', "é", '"rewind"', '"seconds"', "true", "null", "/*", "//"]
        for k in range(1000):
            kind = chance.randrange(4)
            if kind == 0:
                client.send_bytes(chance.randbytes(chance.randrange(200)))
            elif kind == 1:
                client.send_text("".join(chance.choice(pieces) for _ in range(chance.randrange(30))))
            elif kind == 2:
                client.send(do=chance.choice(["push", "pour", "grab", "set", "method", "wall", "box", "open", "replay", "remove", "x"]),
                            **{chance.choice(["at", "radius", "velocity", "points", "name", "scene", "recording", "body"]):
                               chance.choice([None, 1e300, [], {}, "x" * 500, [[[[]]]], -1, True, [1, 2, 3, 4]])})
            else:
                client.send_text('{"do": "drop"}')
            if k % 50 == 0:
                time.sleep(0.06)  # below the rate that ends a connection
        self.ask_again_and_again(client, "hash")
        client.close()
        self.assert_alive()

    def ask_again_and_again(self, client, what):
        """A server that is busy with earlier messages may refuse a question."""
        client.patience = 1
        for _ in range(60):
            client.send(do=what)
            try:
                return self.answer(client, what, 60)
            except TimeoutError:
                pass
        self.fail(f"no {what}")

    def test_too_fast(self):
        """All at once: however slow the machine is, they come within a second."""
        client = self.enter()
        client.wait_for("info")
        with self.assertRaises(Closed):
            client.send_raw(b"".join(client.encode(1, b'{"do": "drop"}') for _ in range(8000)))
            while True:
                client.receive()
        self.assert_alive()

    def test_a_burst_is_answered(self):
        """As many messages as a second may have, none of whose answers is read meanwhile: nobody is put out for it, and every
        message has its answer."""
        client = self.enter()
        client.wait_for("info")
        client.send_raw(b"".join(client.encode(1, b'{"do": "nonsense"}') for _ in range(900)))
        time.sleep(0.5)
        errors = 0
        while errors < 900:
            message = client.receive()
            errors += isinstance(message, dict) and message["is"] == "error"
        self.assert_alive()

    def test_frames_go_on_after_too_many_messages(self):
        client = self.enter()
        client.wait_for("info")
        client.send(do="play")
        for k in range(1400):  # above the rate at which messages are refused, below that which ends the connection
            client.send_text('{"do": "drop"}')
            if k % 50 == 0:
                self.read_to_frame(client)  # the refusals, too: answers that pile up end a connection
        for _ in range(20):
            self.read_to_frame(client)

    def test_broken_frames(self):
        for opcode, payload in ((3, b"x"), (15, b""), (1, b"\xff\xfe"), (9, b"p" * 125), (8, b"\x00")):
            client = self.enter()
            client.send_frame(opcode, payload)
            client.close()
        client = self.enter()
        client.socket.sendall(b"\x81\x05hello")  # not masked
        client.close()
        self.assert_alive()

    def read_to_frame(self, client, seconds=60):
        """Reads on to the next frame; a world that blew up begins anew."""
        end, texts = client.clock.now() + seconds, []
        while client.clock.now() < end:
            message = client.receive()
            if isinstance(message, bytes):
                client.send(do="got")
                return
            texts.append({key: message[key] for key in ("is", "of", "text", "step", "playing") if key in message})
            if message["is"] == "error" and message.get("of") == "step":
                self.failures += 1
                client.send(do="reset")
                client.send(do="play")
        self.fail(f"no frame in {seconds} s, but: {texts[-20:]}")

    def answer(self, client, what, seconds):
        """What was asked for, whatever else is said meanwhile."""
        end = client.clock.now() + seconds
        while client.clock.now() < end:
            message = client.receive()
            if isinstance(message, bytes):
                client.send(do="got")
            elif message["is"] == what:
                return message
        self.fail(f"no {what} in {seconds} s")

    def test_a_bot_plays(self):
        """Random inputs for a while: it goes on, its memory does not grow without end, and the recording replays."""
        client = self.enter()
        client.wait_for("info")
        client.send(do="play")
        chance, clock = random.Random(7), Clock()
        start, memory, frames = clock.now(), [], 0
        while clock.now() < start + BOT_SECONDS:
            client.send(**random_input(chance))
            self.read_to_frame(client)
            frames += 1
            time.sleep(0.004)  # below the rate at which messages are refused
            if frames % RESET_FRAMES == 0:
                client.send(do="reset")
            if clock.now() > start + BOT_SECONDS / 10 * (len(memory) + 1):
                memory.append(Doors.memory(self))
        print(f"bot: {frames} frames, {self.failures} steps failed, memory in kB: {memory}")
        self.assertLess(memory[-1], memory[len(memory) // 2] + 60000)
        client.send(do="pause")
        client.send(do="recording")
        recording = self.answer(client, "recording", 60)["recording"]
        client.send(do="replay", recording=recording, fast=True)
        replayed = self.answer(client, "replayed", 600)
        self.assertTrue(replayed["same"], replayed)

    def test_a_stopped_machine(self):
        """A laptop that slept, or a debugger: the server goes on where it was."""
        client = self.enter()
        client.wait_for("info")
        client.send(do="play")
        self.read_to_frame(client)
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(2)
        self.process.send_signal(signal.SIGCONT)
        for _ in range(10):
            self.read_to_frame(client)


RESET_FRAMES = 3000  # else what a bot draws in an hour would fill the tank


def random_input(chance):
    def point():
        return [chance.uniform(0, 1), chance.uniform(0, 1)]

    kind = chance.choices(["grab", "drag", "drop", "push", "pour", "erase", "gravity", "set", "frame", "play", "method", "wall", "box", "gauge",
                           "save", "rewind"], [9, 9, 9, 9, 9, 9, 3, 3, 3, 3, 2, 1, 1, 1, 1, 1])[0]
    more = {
        "grab": lambda: {"at": point(), "radius": 0.1},
        "drag": lambda: {"to": point()},
        "push": lambda: {"at": point(), "velocity": [chance.uniform(-2, 2), chance.uniform(-2, 2)], "radius": 0.2},
        "pour": lambda: {"at": point(), "radius": 0.1, "fluid": chance.choice(["water", "oil", "honey"])},
        "erase": lambda: {"at": point(), "radius": 0.15},
        "gravity": lambda: {"value": [chance.uniform(-5, 5), -9.81]},
        "set": lambda: {"path": "fluids.water.viscosity", "value": chance.uniform(0.001, 0.1)},
        "frame": lambda: {"fields": [chance.choice(["speed", "density", "pressure", "id"])]},
        "play": lambda: {"rate": chance.choice([1, 0.5, 0.25])},
        "method": lambda: {"name": chance.choice(["wcsph", "pbf", "dfsph", "muller", "projective", "pcisph", "constraint", "clavet"])},
        "wall": lambda: {"points": [point(), point()], "thickness": 0.05},
        "box": lambda: {"at": point(), "size": [0.1, 0.1], "density": chance.choice([300, 2000])},
        "gauge": lambda: {"kind": "pressure", "at": point()},
        "rewind": lambda: {"seconds": chance.uniform(0, 1)},
    }
    return {"do": kind, **more.get(kind, dict)()}


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    unittest.main()
