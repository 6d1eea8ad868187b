#!/usr/bin/env python3
"""Compiles a program under limits of memory: each is met or refused, the nearest that works is named and works, the values are the same bit for bit, and the predicted step takes no less time the smaller the limit is.

Usage: limits.py [--machine=FILE] MODEL FOLDER SHARE... [-- FLAGS...]

Shares are of the peak without a limit. Prints a line for each limit: share, limit, peak, arena, milliseconds as predicted, operations that run again.
With the description of a machine nothing is computed: the step is measured there with virtual kernels instead, and is as predicted within 3%.
"""
import json
import os
import re
import subprocess
import sys

arguments = sys.argv[1:]
machine = arguments.pop(0).removeprefix("--machine=") if arguments[0].startswith("--machine=") else ""
split = arguments.index("--") if "--" in arguments else len(arguments)
model, folder, *shares = arguments[:split]
flags = arguments[split + 1 :] + ([f"--cluster={machine}"] if machine else [])
os.makedirs(folder, exist_ok=True)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compile_within(limit, name):
    """The figures of the program; or the nearest limit that works, as the diagnostic names it."""
    program = f"{folder}/{name}.tsx"
    # What a described machine has is a limit, too.
    limits = [f"--memory-limit={limit or 10**15}"] if limit or machine else []
    done = subprocess.run(["tesserac", model, *flags, *limits, "--explain", f"--report={folder}/{name}.json", "-o", program], capture_output=True, text=True)
    if done.returncode:
        refused = re.search(r"expected a program of at most (\d+) bytes per device, as --memory-limit says, got (\d+) as the nearest that was found", done.stderr)
        assert refused and done.stderr.count("error:") == 1, done.stderr
        assert int(refused[1]) == limit < int(refused[2]), refused[0]
        return int(refused[2])
    memory = json.loads(output("tesserac", "--inspect", "--json", program))["memory"]
    figures = json.loads(output("tessera-sim", program, "--json"))
    assert figures["peak_memory"] == memory["peak"] and (not limit or memory["peak"] <= limit), (limit, memory)
    report = json.load(open(f"{folder}/{name}.json"))
    again = report.get("rematerialized", {"operations": 0, "seconds": 0})
    there = report.get("offloaded", {"values": 0})["values"]
    assert (f"memory: {there} values lie on the host meanwhile" in done.stdout) == (there > 0) == (memory.get("host", 0) > 0), (there, memory, done.stdout)
    assert (f"memory: {again['operations']} operations run again" in done.stdout) == (again["operations"] > 0), (again, done.stdout)
    more = re.search(r"memory: .* more would save (\S+) ms of that; from (\d+) bytes on nothing runs again", done.stdout)
    assert bool(more) == (again["operations"] > 0), done.stdout
    assert not more or (0 <= float(more[1]) <= 1e3 * again["seconds"] + 0.001 and int(more[2]) == peak), (more and more[0], peak, again)
    if machine:
        profile = f"{folder}/{name}-profile.json"
        output("tessera-run", program, f"--links={machine}", "--virtual-kernels", f"--profile={profile}")
        measured = json.load(open(profile))["step"]
        assert abs(figures["makespan"] / measured - 1) < 0.03, (name, figures["makespan"], measured)
        return {"memory": memory, "step": measured, "again": again, "there": there, "values": None}
    values = f"{folder}/{name}.safetensors"
    output("tessera-run", program, "--random=1", "--threads=2", f"--outputs={values}")
    with open(values, "rb") as file:
        return {"memory": memory, "step": figures["makespan"], "again": again, "there": there, "values": file.read()}


peak = None
free = compile_within(0, "free")
peak = free["memory"]["peak"]
kept = compile_within(peak, "kept")
assert kept["again"]["operations"] == 0 and kept["step"] == free["step"], "expected a limit that the program keeps anyway to change nothing"
nearest = compile_within(1, "none")
assert isinstance(nearest, int) and nearest <= peak, nearest
limits = sorted({("least", nearest)} | {(share, int(float(share) * peak)) for share in shares}, key=lambda pair: -pair[1])
before = free["step"]
print(f"free: limit {peak}, peak {peak}, arena {free['memory']['temporary']}, {free['step']:.3f} ms, 0 again")
for share, limit in limits:
    found = compile_within(limit, share)
    if isinstance(found, int):
        assert limit < nearest and found == nearest, (share, limit, found, nearest)
        print(f"{share}: limit {limit}, refused, nearest {found}")
        continue
    assert limit >= nearest, (limit, nearest)
    assert found["values"] == free["values"], f"expected the values of the program without a limit, got others at {share}"
    # What overlaps with collectives may differ by a little.
    assert found["step"] >= before * 0.95, (share, before, found["step"])
    before = found["step"]
    print(f"{share}: limit {limit}, peak {found['memory']['peak']}, arena {found['memory']['temporary']}, {found['step']:.3f} ms, {found['again']['operations']} again" + (f", {found['there']} on the host" if found["there"] else ""))
