#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rill compare: runs that are the same, that part at some frame, and that cannot be compared."""
import copy
import unittest

from tool import DAM, ToolTest


class Compare(ToolTest):
    def make(self, name, *words, **sections):
        self.rill("run", self.scene(**sections), "--out", name, "--quiet", *words)

    def test_same_bits(self):
        self.make("a", "--threads", "1")
        self.make("b", "--threads", "2", "--format", "vtp,ply")
        said = self.rill("compare", "a", "b").stdout
        self.assertIn("6 frames are in both\nthese frames are the same\n", said)

    def test_first_and_largest_difference(self):
        body = {"name": "cork", "shape": "box", "min": [0.6, 0.2], "max": [0.7, 0.3], "density": 500}
        self.make("a", bodies=[body])
        self.make("b", "--set", "fluids.water.viscosity=0.01", bodies=[body])
        said = self.rill("compare", "a", "b", code=1).stdout
        self.assertRegex(said, r"first difference: frame_00001\.vtp \(step \d+, t = 0\.02 s\): \w+ of particle \d+ ")
        self.assertRegex(said, r"\n  position +at most [0-9.e-]+ m, of particle \d+ in frame_0000\d\.vtp\n")
        self.make("c", "--set", "bodies.cork.velocity=[0.1, 0]", bodies=[body])
        self.assertNotIn("body position  ", self.rill("compare", "a", "a").stdout)
        self.assertRegex(self.rill("compare", "a", "c", code=1).stdout, r"  body (position|velocity) +at most")

    def test_other_particles_and_frames(self):
        self.make("a")
        blocks = copy.deepcopy(DAM["blocks"])
        blocks[0]["max"] = [0.4, 0.35]
        self.make("b", "--time", "0.04", blocks=blocks)
        said = self.rill("compare", "a", "b", code=1).stdout
        self.assertIn("3 frames are in both; a has 6, b has 3", said)
        self.assertRegex(said, r"frame_00000\.vtp")
        self.assertRegex(said, r"\n24 times a particle is in only one of them")
        self.make("short", "--time", "0.04")
        self.assertIn("3 frames are in both; a has 6", self.rill("compare", "a", "short", code=1).stdout)

    def test_no_runs(self):
        self.make("a")
        self.assertIn("no frames", self.rill("compare", "a", "nowhere", code=1).stderr)
        self.rill("compare", "a", code=2)


if __name__ == "__main__":
    unittest.main()
