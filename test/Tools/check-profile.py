#!/usr/bin/env python3
"""Checks that a profile accounts for all of the time of all ranks, and that it agrees with the trace of the same run.

Usage: check-profile.py PROFILE.json TRACE.json MANIFEST.json
"""
import collections
import json
import sys

profile, events = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))["traceEvents"]


def expect_equal(what, got, expected, tolerance=1e-3):
    """Times in milliseconds; the trace is rounded."""
    if abs(got - expected) > tolerance + 1e-6 * abs(expected):
        sys.exit(f"error: {sys.argv[1]}: {what}: expected {expected}, got {got}")


slices = [event for event in events if event["ph"] == "X"]
steps = [event for event in slices if event.get("cat") == "step"]
step = sum(event["dur"] for event in steps) / len(steps) / 1e3
expect_equal("length of a step", profile["step"], step)
# Every moment of every rank belongs to one part.
expect_equal("all parts", sum(profile["parts"].values()), step)
for number, parts in enumerate(profile["parts_of_ranks"]):
    expect_equal(f"all parts of rank {number}", sum(parts.values()), step)
    if min(parts.values()) < 0:
        sys.exit(f"error: {sys.argv[1]}: rank {number} has a negative part: {parts}")
# Tables are details of parts.
runs = profile["ranks"] * profile["steps"]
table = collections.Counter()
for row in profile["kernels"]:
    table["kernel"] += row["time"]
for row in profile["communication"]:
    table["transfer"] += row["transfer"]
    table["waiting_for_a_rank"] += row["waiting"]
table["waits"] = sum(row["time"] for row in profile["waits"])
for part in ("kernel", "transfer", "waiting_for_a_rank"):
    expect_equal(f"table of {part}", table[part], profile["parts"][part])
expect_equal("waits by cause", table["waits"], profile["parts"]["waiting_for_a_rank"])
# What kernels compute and what they wait for cores for is what the trace shows.
shown = sum(event["dur"] for event in slices if event.get("cat") == "kernel") / 1e3 / runs
least, most = profile["parts"]["kernel"], profile["parts"]["kernel"] + profile["parts"]["waiting_for_a_core"]
if not least - 1e-2 <= shown <= most + 1e-2:
    sys.exit(f"error: {sys.argv[1]}: kernels: expected {least} to {most}, the trace shows {shown}")
launches = {}


def read(steps):
    for step in steps:
        if "kernel" in step:
            launches[step["kernel"]] = step.get("launches", 1)
        read(step.get("steps", []))


manifest = json.load(open(sys.argv[3]))
for function in manifest["work"]:
    read(function["steps"])
calls = collections.Counter(event["name"] for event in slices if event.get("cat") == "kernel")
for row in profile["kernels"]:
    times = row["calls"] * runs
    if abs(times - round(times)) > 1e-6 or round(times) * launches[row["name"]] != calls[row["name"]]:
        sys.exit(f"error: {sys.argv[1]}: kernel {row['name']}: {times} calls, the trace has {calls[row['name']]} launches")
print(f"{profile['ranks']} ranks, {profile['steps']} steps, {len(profile['kernels'])} kernels: all of the time")
