#!/usr/bin/env python3
"""Checks a report (`tesserac --report`): every collective says why it is there, and each reason but the user's own leads to an annotation of the
model. A page (.html) must be well formed, name nothing outside, and show what the JSON says.

Usage: check-report.py REPORT.json [PAGE.html]
"""
import json
import re
import sys
import xml.etree.ElementTree as tree

report = json.load(open(sys.argv[1]))
names = {tensor["name"] for key in ("arguments", "results") for tensor in report[key] if tensor["name"]}
collectives = report["communication"]["collectives"]
assert collectives, "nothing to explain"
assert sum(c["bytes"] for c in collectives) == report["communication"]["bytes"]
for collective in collectives:
    why = collective["why"]
    assert why and all(isinstance(line, str) and line for line in why), collective
    roots = [match for line in why for match in re.findall(r"(?:from|kept out by) (argument|result|constraint)(?: '(.*)')? \[", line)]
    assert roots, f"leads to no annotation: {collective}"
    for kind, name in roots:
        assert not name or name in names, f"{name} is no argument or result"
    for axis in collective["axes"]:
        assert any(f'"{axis.split(":")[0]}" of the' in line for line in why), f"says nothing of {axis}: {collective}"

if len(sys.argv) > 2:
    text = open(sys.argv[2]).read()
    page = tree.fromstring(text.split("\n", 1)[1])  # without the DOCTYPE
    assert not re.search(r"(?:src|href|url)\s*[=(]|https?:", text), "the page needs something from elsewhere"
    content = "".join(page.itertext())
    for tensor in report["arguments"] + report["results"]:
        assert tensor["sharding"] in content, tensor
    for collective in collectives:
        assert collective["location"] in content and collective["why"][0] in content, collective
    for phase in report["phases"]:
        assert phase["name"] in content, phase
    assert len(list(page.iter("svg"))) >= 3 and len(list(page.iter("rect"))) >= 8
