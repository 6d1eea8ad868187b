#!/usr/bin/env python3
"""Checks that the memory of a program fits a limit, and that manifest, report, --inspect and tessera-sim name one figure for it, in all and for each pipeline rank.

Usage: check-memory.py PROGRAM.tsx REPORT.json LIMIT
"""
import json
import subprocess
import sys

program, report, limit = sys.argv[1], json.load(open(sys.argv[2])), int(sys.argv[3])


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


manifest = json.loads(output("tesserac", "--inspect", "--json", program))
figures = json.loads(output("tessera-sim", program, "--json"))
peak = manifest["memory"]["peak"]
assert 0 < peak <= limit, f"expected at most {limit} bytes, got {peak}"
assert report["memory"] == manifest["memory"] and figures["peak_memory"] == peak, (report["memory"], peak, figures["peak_memory"])
assert f"memory    {peak} bytes per device" in output("tesserac", "--inspect", program), peak
ranks = [rank["memory"]["peak"] for rank in manifest["programs"]]
assert [rank["peak_memory"] for rank in figures["ranks"]] == ranks and max(ranks) == peak, (figures["ranks"], ranks)
if "pipeline" in manifest:
    assert manifest["pipeline"]["memory"] == report["pipeline"]["memory"] == ranks, (manifest["pipeline"]["memory"], report["pipeline"]["memory"], ranks)
