# SPDX-License-Identifier: MIT
"""A small WebSocket client (RFC 6455) on plain sockets, which can also break the rules."""
import base64
import json
import os
import select
import socket
import struct
import time


class Closed(Exception):
    """The server ended the connection."""


class Clock:
    """Time that passes while this process runs. One that was stopped for a minute, with the server or with the whole machine,
    has not waited for a minute: between two looks at the clock at most LOOK seconds pass."""
    LOOK = 0.5

    def __init__(self):
        self.time, self.before = 0.0, time.monotonic()

    def now(self):
        real = time.monotonic()
        self.time += min(real - self.before, self.LOOK)
        self.before = real
        return self.time


class Client:
    def __init__(self, port, origin=None, host=None, path="/socket", protocol="rill"):
        host = host or f"127.0.0.1:{port}"
        origin = f"http://{host}" if origin is None else origin
        self.clock, self.patience = Clock(), 30  # [s] for which it waits for the next message
        self.taken = b""  # of the message that is being read
        self.heard = {}  # the last message of each kind, also of those that nobody waited for
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Protocol: {protocol}"]
        if origin:
            lines.append(f"Origin: {origin}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.rest = b""
        head = b""
        try:
            end = self.clock.now() + self.patience
            while b"\r\n\r\n" not in head:
                head += self.receive_some(end)
        except Closed:
            self.socket.close()
            raise
        head, self.rest = head.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])
        if self.status != 101:
            self.socket.close()
            raise Closed(f"the server answered {self.status}")

    def receive_some(self, end):
        while not select.select([self.socket], [], [], 0.8 * Clock.LOOK)[0]:
            if self.clock.now() > end:
                raise TimeoutError(f"nothing came for {self.patience} s")
        try:
            got = self.socket.recv(1 << 16)
        except ConnectionError as error:
            raise Closed(str(error)) from error
        if not got:
            raise Closed("the connection ended")
        return got

    def take(self, count, end):
        while len(self.rest) < count:
            self.rest += self.receive_some(end)
        taken, self.rest = self.rest[:count], self.rest[count:]
        self.taken += taken
        return taken

    def encode(self, opcode, payload, final=True, announced=None):
        mask = os.urandom(4)
        size = len(payload) if announced is None else announced
        head = bytes([opcode | (0x80 if final else 0)])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        masked = bytes(b ^ mask[k % 4] for k, b in enumerate(payload)) if len(payload) < 1 << 16 else self.mask(payload, mask)
        return head + mask + masked

    def send_frame(self, opcode, payload, **options):
        self.send_raw(self.encode(opcode, payload, **options))

    def send_raw(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError as error:
            raise Closed(str(error)) from error

    @staticmethod
    def mask(payload, mask):
        keys = mask * (len(payload) // 4 + 1)
        number = int.from_bytes(payload, "big") ^ int.from_bytes(keys[:len(payload)], "big")
        return number.to_bytes(len(payload), "big")

    def send(self, **message):
        self.send_text(json.dumps(message))

    def send_text(self, text):
        self.send_frame(1, text.encode())

    def send_bytes(self, data):
        self.send_frame(2, data)

    def receive(self):
        """The next message: a dict, or bytes. Pings are answered and do not count: a server may send nothing else for ever."""
        self.taken = b""
        try:
            return self.receive_whole(self.clock.now() + self.patience)
        except TimeoutError:
            self.rest = self.taken + self.rest  # it can be asked for again
            raise

    def receive_whole(self, end):
        data, kind = b"", None
        while True:
            first, second = self.take(2, end)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.take(2, end))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8, end))[0]
            payload = self.take(size, end)
            opcode = first & 15
            if opcode == 8:
                raise Closed(f"closed by the server: {payload!r}")
            if opcode == 9:
                self.send_frame(10, payload)
                continue
            kind = kind or opcode
            data += payload
            if first & 0x80:
                return self.hear(json.loads(data)) if kind == 1 else data

    def hear(self, message):
        self.heard[message["is"]] = message
        return message

    def wait_for(self, what, seconds=30, acknowledge=True):
        """The next message that is `what` ("frame", "snapshot", or as it says itself); frames are acknowledged."""
        end = self.clock.now() + seconds
        while self.clock.now() < end:
            message = self.receive()
            is_frame = isinstance(message, bytes) and message[:4] == b"RLF2"
            if is_frame and acknowledge:
                self.send(do="got")
            name = message["is"] if isinstance(message, dict) else "frame" if is_frame else "snapshot"
            if name == what:
                return message
            if name == "error" and what != "error":
                raise AssertionError(f"error while waiting for {what}: {message}")
        raise AssertionError(f"no {what} in {seconds} s")

    def close(self):
        self.socket.close()
