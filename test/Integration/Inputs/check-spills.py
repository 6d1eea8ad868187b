"""Fails if a function of a GPU kernel spills registers, by the report of tesserac. Without ptxas nothing is known.

Usage: check-spills.py REPORT.json
"""
import json
import pathlib
import sys

kernels = json.loads(pathlib.Path(sys.argv[1]).read_text())["kernels"]
steps = [(variant["arch"], step) for kernel in kernels for variant in kernel.get("variants", []) for step in variant["steps"]]
spills = [f"{step['name']} for {arch}: expected no spills, got {step['spilled']} bytes" for arch, step in steps if step.get("spilled")]
sys.exit("\n".join(spills) if spills else 0)
