#!/usr/bin/env python3
"""Compares tensors of f32 of two files of safetensors: those of EXPECTED, which GOT has among others, relative to the largest.

Usage: compare-kept.py EXPECTED GOT TOLERANCE
"""

import array
import json
import struct
import sys


def read(path):
    """The tensors of f32 by name, flat."""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<Q", data)
    tensors = {}
    for name, described in json.loads(data[8 : 8 + length]).items():
        if described.get("dtype") == "F32":
            first, last = described["data_offsets"]
            tensors[name] = array.array("f", data[8 + length + first : 8 + length + last])
    return tensors


expected, got, tolerance = read(sys.argv[1]), read(sys.argv[2]), float(sys.argv[3])
if not expected:
    sys.exit("nothing to compare")
for name, values in expected.items():
    worst = max(abs(a - b) for a, b in zip(values, got[name], strict=True)) / max(map(abs, values))
    print(f"{name}: {worst:.1e}")
    if not worst <= tolerance:
        sys.exit(f"{name} differs by more than {tolerance}")
