#!/usr/bin/env python3
"""Checks a report (`tesserac --report`): every collective says how long it takes and why it is there, and each reason leads to an annotation of the model,
to the per-device code that asks for it or to the two stages between which a value goes. A page (.html) must be well formed, name nothing outside, and show what the JSON says.

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
ranks = {c.get("rank", 0) for c in collectives}
assert max(sum(c["bytes"] for c in collectives if c.get("rank", 0) == rank) for rank in ranks) == report["communication"]["bytes"]
for collective in collectives:
    why = collective["why"]
    assert why and all(isinstance(line, str) and line for line in why), collective
    roots = [match for line in why for match in re.findall(r"(?:from|kept out by) (argument|result|constraint|manual computation)(?: '(.*)')? \[", line)]
    stages = [match for line in why for match in re.findall(r"^because stage (\d+) makes it and stage (\d+) uses it$", line)]
    shared = "is accumulated by several pipeline ranks" in why[0]
    assert roots or stages or shared, f"leads to no annotation and no stage: {collective}"
    assert collective["seconds"] > 0, collective
    assert collective["location"], f"stands nowhere: {collective}"
    for source, target in stages:
        assert "pipeline" in report and source != target, collective
    for kind, name in roots:
        assert not name or name in names, f"{name} is no argument or result"
    for axis in collective["axes"]:
        name = f'"{axis.split(":")[0]}"'
        assert any(f"{name} of the" in line for line in why) or (stages and name in why[0]), f"says nothing of {axis}: {collective}"

schedule = report.get("pipeline")
if schedule:
    assert len(schedule["memory"]) == schedule["stages"] and all(bytes > 0 for bytes in schedule["memory"]), schedule
    messages = [c for c in collectives if c["kind"] == "send"]
    assert {(m["rank"], m["target"]) for m in messages} >= {(r, r + 1) for r in range(schedule["stages"] - 1)}, "a rank sends nothing on"
    assert all(m["bytes"] > 0 and m["times"] > 0 and not m["axes"] for m in messages), messages
    assert 0 <= schedule["bubble"] < 1 and schedule["seconds"] > 0 and schedule["microbatches"] >= 1, schedule

if len(sys.argv) > 2:
    text = open(sys.argv[2]).read()
    page = tree.fromstring(text.split("\n", 1)[1])  # without the DOCTYPE
    assert not re.search(r"(?:src|href|url)\s*[=(]|https?:", text), "the page needs something from elsewhere"
    content = "".join(page.itertext())
    for tensor in report["arguments"] + report["results"]:
        assert tensor["sharding"] in content, tensor
    for collective in collectives:
        # Of equal collectives of several ranks the page tells the first's story.
        assert collective["location"] in content and (schedule or collective["why"][0] in content), collective
        assert collective.get("remedy", "") in content, collective
    for phase in report["phases"]:
        assert phase["name"] in content, phase
    if schedule:
        titles = [title.text or "" for title in page.iter("title")]
        for rank in range(schedule["stages"]):
            assert any(title.startswith(f"{rank}F0") for title in titles), f"the picture lacks {rank}F0"
    assert len(list(page.iter("svg"))) >= 3 and len(list(page.iter("rect"))) >= 8
