#!/usr/bin/env python3
"""Checks the prediction for a compiled program against its manifest: the memory is the manifest's, values need what the compiler reserved but for gaps, and the collectives
send what they do.

Usage: check-program.py MANIFEST.json FIGURES.json
"""
import json
import sys

manifest, figures = (json.load(open(path)) for path in sys.argv[1:])
reserved = manifest["memory"]["peak"]
if figures["peak_memory"] != reserved:
    sys.exit(f"error: expected the manifest's peak of {reserved} bytes, got {figures['peak_memory']}")
held = max(step["live"] for function in manifest["work"] if function.get("rank") == 0 for step in function["steps"])
if not 0.97 * reserved <= (needed := reserved - manifest["memory"]["temporary"] + held) <= reserved:
    sys.exit(f"error: expected values to need at most {reserved} bytes and not much less, got {needed}")
sizes = {axis["name"]: axis["size"] for axis in manifest["mesh"]}
sent = 0


def add(steps, times):
    global sent
    for step in steps:
        add(step.get("steps", []), times * step.get("loop", 1))
        if "collective" in step:
            n = 1
            for axis in step["axes"]:
                n *= axis.get("size", sizes[axis["axis"]])
            rate = {"all_reduce": 2 * (n - 1) / n, "all_gather": n - 1, "permute": 1}.get(step["collective"], (n - 1) / n)
            sent += times * rate * step["bytes"]


add(next(function for function in manifest["work"] if function.get("rank") == 0)["steps"], 1)
expected = sum(collective["bytes"] for collective in manifest["collectives"])
if abs(sent - expected) > 0.001 * expected:
    sys.exit(f"error: expected {expected} bytes in collectives, got {sent}")
if not 0 < figures["parts"]["collectives"] < figures["makespan"]:
    sys.exit("error: expected collectives to take a part of the time")
