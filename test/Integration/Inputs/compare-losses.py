#!/usr/bin/env python3
"""Compares the losses of a log (`step 1/2 ... result[2]=5.56`) with a file of losses, one per line: 1e-4 relative, or TOLERANCE.

Usage: compare-losses.py LOG LOSSES [TOLERANCE]
"""
import re
import sys

got = [float(loss) for loss in re.findall(r"^step .*result\[2\]=(\S+)", open(sys.argv[1]).read(), re.M)]
expected = [float(line) for line in open(sys.argv[2])][: len(got)]
tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 1e-4
if not got:
    sys.exit("no losses in the log")
for step, (a, b) in enumerate(zip(got, expected, strict=True), 1):
    print(f"step {step}: got {a}, expected {b}")
    if not abs(a - b) <= tolerance * abs(b):
        sys.exit("the losses differ")
