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
                    c_int64, c_size_t, c_uint16, c_uint32, c_uint64, c_void_p)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARY, SCENE = sys.argv[1], sys.argv[2]


class Error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 500)]


class Vec(Structure):
    _fields_ = [("x", c_float), ("y", c_float), ("z", c_float)]


class Pose(Structure):
    _fields_ = [("position", Vec), ("angle", c_float), ("quaternion", c_float * 4)]


class FrameHead(Structure):
    """The first members of rill_frame, as far as they are read here."""
    _fields_ = [("dim", c_int32), ("step", c_int64), ("time", c_double), ("spacing", c_float), ("support", c_float),
                ("gravity", Vec), ("periodic", Vec), ("periodic_origin", Vec), ("count", c_int32)]


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
