#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_ctypes LIBRARY SCENE: another language as host. Through the shared library alone a scene is loaded and changed, a
kinematic body moved, frames read by a callback, and a snapshot saved that goes on bit for bit. The library exports what
the public headers declare: no more, no less."""
import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32,
                    c_int64, c_size_t, c_uint32, c_uint64, c_void_p)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARY, SCENE = sys.argv[1], sys.argv[2]


class Error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 500)]


class Vec(Structure):
    _fields_ = [("x", c_float), ("y", c_float), ("z", c_float)]


class Id(Structure):
    _fields_ = [("index1", c_uint32), ("age", c_uint32)]


class Ref(Structure):
    """rill_ref; zero with object 0 is the world."""
    _fields_ = [("object", c_int32), ("index1", c_uint32), ("age", c_uint32)]


class Pose(Structure):
    _fields_ = [("position", Vec), ("angle", c_float), ("quaternion", c_float * 4)]


class FrameHead(Structure):
    """The first members of rill_frame, as far as they are read here."""
    _fields_ = [("dim", c_int32), ("step", c_int64), ("time", c_double), ("spacing", c_float), ("support", c_float),
                ("gravity", Vec), ("periodic", Vec), ("periodic_origin", Vec), ("origin", Vec),
                ("count", c_int32)]


class State(Structure):
    _fields_ = [("time", c_double), ("end", c_double), ("frame", c_int64), ("frame_count", c_int64),
                ("steps", c_int64), ("finished", c_bool)]


BeginFn = FrameFn = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(FrameHead), POINTER(Error))
StepFn = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(Error))
EndFn = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, POINTER(Error))
StopFn = CFUNCTYPE(c_bool, c_void_p)
WriteFn = CFUNCTYPE(c_bool, c_void_p, c_size_t, c_void_p)


class Observer(Structure):
    _fields_ = [("self", c_void_p), ("begin", BeginFn), ("frame", FrameFn), ("step", StepFn), ("end", EndFn)]


class RunDef(Structure):
    _fields_ = [("folder", c_char_p), ("overwrite", c_bool), ("resume", c_char_p), ("frames", c_char_p),
                ("bodies", c_char_p), ("surfaces", c_char_p), ("pictures", c_bool), ("observers", POINTER(Observer)),
                ("observer_count", c_int), ("asked_to_stop", StopFn), ("stop_context", c_void_p)]


class Entry(Structure):
    _fields_ = [("name", c_char * 48), ("path", c_char * 512)]


DONE, INTERRUPTED, FAILED = 0, 1, 2
HANDLES = "rill_scene_load rill_scene_load_set rill_scene_parse rill_scene_build rill_run_create rill_run_world " \
          "rill_io_load_snapshot rill_frame_field"
TEXTS = "rill_scene_name rill_run_message rill_run_snapshot rill_world_message"
rill = ctypes.CDLL(LIBRARY)
for name in HANDLES.split():
    getattr(rill, name).restype = c_void_p
for name in TEXTS.split():
    getattr(rill, name).restype = c_char_p
rill.rill_world_hash.restype = c_uint64
rill.rill_world_find_body.restype = Id
rill.rill_frame_vec.restype = Vec
rill.rill_run_progress.restype = State


def pointer(value):
    return c_void_p(value)


class Host(unittest.TestCase):
    def setUp(self):
        self.error = Error()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return str(self.folder / name).encode()

    def load(self, *changes):
        texts = (c_char_p * len(changes))(*[change.encode() for change in changes])
        scene = pointer(rill.rill_scene_load_set(SCENE.encode(), texts, len(changes), byref(self.error)))
        self.assertTrue(scene, self.error.text)
        self.addCleanup(rill.rill_scene_free, scene)
        return scene

    def create(self, scene, **members):
        self.definition = RunDef(**members)
        run = pointer(rill.rill_run_create(scene, byref(self.definition), byref(self.error)))
        self.addCleanup(rill.rill_run_destroy, run)
        return run

    def hash_of(self, run):
        return rill.rill_world_hash(pointer(rill.rill_run_world(run)))

    def test_host_moves_a_body_and_reads_frames(self):
        seen = []

        def look(_self, run, frame, _error):
            position = pointer(rill.rill_frame_field(frame, b"position"))
            front = max(rill.rill_frame_vec(frame, position, k).x for k in range(frame.contents.count))
            seen.append((rill.rill_run_progress(pointer(run)).frame, frame.contents.gravity.y, front))
            return 0

        observer = Observer(frame=FrameFn(look))
        run = self.create(self.load("run.fps=10"), observers=ctypes.pointer(observer), observer_count=1)
        self.assertTrue(run, self.error.text)
        world = pointer(rill.rill_run_world(run))
        self.assertEqual(rill.rill_world_set_vec(world, Ref(), b"gravity", Vec(0, -1.62, 0)), 0)
        piston = rill.rill_world_find_body(world, b"piston")
        self.assertEqual(rill.rill_run_begin(run), 0)
        for frame in range(1, 6):
            pose = Pose(position=Vec(0.12 + 0.04 * frame, 0.51, 0))
            self.assertEqual(rill.rill_world_body_move_to(world, piston, byref(pose)), 0)
            self.assertEqual(rill.rill_run_until(run, c_int64(frame)), DONE)
        self.assertEqual(rill.rill_run_end(run, DONE), DONE)
        self.assertEqual([number for number, _, _ in seen], list(range(6)))
        self.assertAlmostEqual(seen[0][1], -1.62, 5)
        self.assertGreater(seen[5][2], seen[0][2] + 0.1)

        self.assertEqual(rill.rill_io_save_snapshot(world, self.path("host.rill"), byref(self.error)), 0)
        again = pointer(rill.rill_io_load_snapshot(self.path("host.rill"), None, byref(self.error)))
        self.addCleanup(rill.rill_world_destroy, again)
        for either in (world, again):
            self.assertEqual(rill.rill_world_step(either, c_double(0.001)), 0)
        self.assertEqual(rill.rill_world_hash(world), rill.rill_world_hash(again))

    def test_failing_observer_ends_the_run(self):
        def refuse(_self, _run, error):
            error.contents.text = b"enough"
            return 1

        observer = Observer(step=StepFn(refuse))
        run = self.create(self.load(), observers=ctypes.pointer(observer), observer_count=1)
        self.assertEqual(rill.rill_run_all(run), FAILED)
        self.assertEqual(rill.rill_run_message(run), b"enough")

    def test_run_stops_and_goes_on_bit_for_bit(self):
        scene = self.load("run.time=0.2 s")
        unbroken = self.create(scene)
        self.assertEqual(rill.rill_run_all(unbroken), DONE)
        self.assertIsNone(rill.rill_run_snapshot(unbroken))

        asked = []

        def stop(_context):
            asked.append(1)
            return len(asked) > 20

        broken = self.create(scene, folder=self.path("run"), asked_to_stop=StopFn(stop), pictures=True)
        self.assertEqual(rill.rill_run_all(broken), INTERRUPTED)
        self.assertFalse(rill.rill_run_progress(broken).finished)
        snapshot = rill.rill_run_snapshot(broken)
        self.assertEqual(snapshot, self.path("run/snapshot.rill"))
        self.assertTrue((self.folder / "run/pictures/frame_00000.png").is_file())

        other = self.create(scene, folder=self.path("run"))
        self.assertEqual(rill.rill_run_all(other), FAILED)
        self.assertIn(b"holds a run", rill.rill_run_message(other))

        resumed = self.create(scene, folder=self.path("run"), resume=snapshot)
        self.assertTrue(resumed, self.error.text)
        self.assertEqual(rill.rill_run_all(resumed), DONE)
        self.assertEqual(self.hash_of(resumed), self.hash_of(unbroken))
        state = rill.rill_run_progress(resumed)
        self.assertEqual((state.finished, state.frame, state.frame_count), (True, 4, 5))
        self.assertEqual(len(list((self.folder / "run/frames").glob("*.vtp"))), 5)

    def test_scene_is_written_and_read_back(self):
        scene = self.load("fluids.water.viscosity=1 cP")
        parts = []

        def take(data, size, _context):
            parts.append(ctypes.string_at(data, size))
            return True

        self.assertEqual(rill.rill_scene_write(scene, WriteFn(take), None, byref(self.error)), 0)
        text = b"".join(parts)
        self.assertIn(b"piston", text)
        again = pointer(rill.rill_scene_parse(b"text", text, c_size_t(len(text)), byref(self.error)))
        self.assertTrue(again, self.error.text)
        self.addCleanup(rill.rill_scene_free, again)
        self.assertEqual(self.hash_of(self.create(scene)), self.hash_of(self.create(again)))
        refuse = WriteFn(lambda data, size, context: False)
        self.assertNotEqual(rill.rill_scene_write(scene, refuse, None, byref(self.error)), 0)
        self.assertIn(b"could not be written", self.error.text)

    def test_what_makes_no_sense_is_refused(self):
        scene = self.load()
        self.assertNotEqual(rill.rill_scene_set(scene, b"world.spacing=green", byref(self.error)), 0)
        for members, reason in (({"frames": b"obj"}, b"frames: 'obj' is not one of vtp, ply, none"),
                                ({"bodies": b"csv,stl"}, b"bodies: 'stl' is not one of csv, vtp, obj, none"),
                                ({"surfaces": b"stl", "folder": b"x"}, b"surfaces: 'stl' is not one of"),
                                ({"pictures": True}, b"pictures: the run has no folder"),
                                ({"resume": self.path("none.rill")}, b"none.rill")):
            self.assertFalse(self.create(scene, **members), members)
            self.assertIn(reason, self.error.text)
        self.assertFalse(rill.rill_scene_load(b"no_such_scene", byref(self.error)))

    def test_scenes_are_listed(self):
        entries, count = POINTER(Entry)(), c_int()
        self.assertEqual(rill.rill_scene_list(byref(entries), byref(count), byref(self.error)), 0)
        self.assertIn(b"dam_break_2d", [entries[k].name for k in range(count.value)])
        rill.rill_scene_list_free(entries)


class Symbols(unittest.TestCase):
    def test_library_exports_the_public_functions(self):
        declared = set()
        for header in (ROOT / "include/rill").glob("*.h"):
            declared |= set(re.findall(r"^RILL_API\s[^;]*?\b(rill_\w+)\(", header.read_text(), re.M))
        listing = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True)
        exported = {line.split()[2].split("@")[0] for line in listing.stdout.splitlines()}
        self.assertGreater(len(declared), 200)
        self.assertEqual(declared, exported)

    def test_library_has_a_soname(self):
        head = subprocess.run(["objdump", "-p", LIBRARY], capture_output=True, text=True, check=True).stdout
        self.assertRegex(head, r"SONAME\s+librill\.so\.\d+\.\d+\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
