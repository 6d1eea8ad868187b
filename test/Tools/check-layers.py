#!/usr/bin/env python3
"""Checks that includes point down the list of layers (docs/architecture.md), and that a phase knows of another at most the passes of an earlier one
(whose verifier states what it may rely on).

Prints every violation as `file:line: ...` and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
# From the bottom up; folders of one entry may include one another.
LAYERS = [["Support"], ["Sharding"], ["Stages"], ["Interfaces", "Dialect"], ["Interpreter", "Cluster"], ["Transforms"], ["Codegen"],
          ["Package", "Simulator"], ["Driver"], ["Fuzzer"]]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
PHASES = ["Import", "Shard", "Stage", "Partition", "Communicate", "Fuse", "Schedule"]
INCLUDE = re.compile(r'#include "tessera/([A-Za-z]+)/(?:([A-Za-z]+)/)?([A-Za-z.]+)"')
violations = 0


def report(path, number, text):
    global violations
    violations += 1
    print(f"{path.relative_to(ROOT)}:{number}: {text}")


for base in (ROOT / "include" / "tessera", ROOT / "lib"):
    for path in sorted(base.rglob("*")):
        if path.suffix not in (".h", ".cpp", ".td"):
            continue
        parts = path.relative_to(base).parts
        if parts[0] not in RANK:
            report(path, 1, f"folder {parts[0]} stands in no layer: add it to test/Tools/check-layers.py")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            to = match.group(1)
            if to not in RANK:
                report(path, number, f"includes {to}, which stands in no layer")
            elif RANK[to] > RANK[parts[0]]:
                report(path, number, f"{parts[0]} must not include {to}, which stands above it")
            elif to == parts[0] == "Transforms" and match.group(2) != parts[1]:
                earlier = PHASES.index(match.group(2)) < PHASES.index(parts[1])
                if not earlier or not match.group(3).startswith("Passes.h"):
                    report(path, number, f"phase {parts[1]} must not include {match.group(3)} of phase {match.group(2)}")
        if base.name == "lib":
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if re.match(r'#include "(\.\./|lib/)', line):
                    report(path, number, "a private header of another folder")
sys.exit(violations > 0)
