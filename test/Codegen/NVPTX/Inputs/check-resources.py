"""Checks the kernels of a report: every step of every architecture has registers, none spills. Usage: check-resources.py REPORT.json"""
import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
steps = [(kernel["name"], variant["arch"], step)
         for kernel in report["kernels"] for variant in kernel["variants"] for step in variant["steps"]]
assert {arch for _, arch, _ in steps} == {"sm_80", "sm_90a"}, steps
for name, arch, step in steps:
    assert step["registers"] > 0 and step["blocks"] > 0 and step["threads"] % 32 == 0, (name, arch, step)
    assert step["spilled"] == 0, f"{name} for {arch} spills {step['spilled']} bytes"
    assert step["shared"] <= {"sm_80": 99, "sm_90a": 227}[arch] * 1024, (name, arch, step)
for kernel in report["kernels"]:
    assert kernel["registers"] == max(s["registers"] for n, _, s in steps if n == kernel["name"]), kernel
