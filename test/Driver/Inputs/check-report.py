#!/usr/bin/env python3
"""Checks a report (`tesserac --report`): every collective says how long it takes and why it is there, and each reason leads to an annotation of the model,
to the per-device code that asks for it or to the two stages between which a value goes. A page (.html) must be well formed, name nothing outside, and show what the JSON says.

Usage: check-report.py REPORT.json [PAGE.html]
"""
import colorsys
import json
import re
import sys
import xml.etree.ElementTree as tree



def luminance(colour):
    """Relative luminance of `#rrggbb` or `hsl(h, s%, l%)`, as WCAG 2 defines it."""
    if colour.startswith("#"):
        channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    else:
        hue, saturation, lightness = map(float, re.findall(r"[\d.]+", colour))
        red, green, blue = colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
        channels = [red, green, blue]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def check_labels(page):
    """What stands in a box of the schedule can be read, in light and dark, and no other rule of the page comes before the one that says so."""
    boxes, labels = (dict(re.findall(r"\.chart \.%s(\d+c\d+) \{ fill: (.*?); \}" % letter, page)) for letter in "kt")
    assert boxes and boxes.keys() == labels.keys(), (boxes, labels)
    for key in boxes:
        dark, light = sorted((luminance(boxes[key]), luminance(labels[key])))
        assert (light + 0.05) / (dark + 0.05) >= 4, f"label {labels[key]} on a box of {boxes[key]}"
    for rule in re.findall(r"([^{}]*?)\{[^{}]*?fill:", page[:page.index("</style>")]):
        for selector in rule.split(","):
            assert "text" not in selector or selector.strip() == "svg text", f"'{selector}' may come before the labels' colours"


report = json.load(open(sys.argv[1]))
names = {tensor["name"] for key in ("arguments", "results") for tensor in report[key] if tensor["name"]}
collectives = report["communication"]["collectives"]
assert collectives, "nothing to explain"
ranks = {c.get("rank", 0) for c in collectives}
assert max(sum(c["bytes"] for c in collectives if c.get("rank", 0) == rank) for rank in ranks) == report["communication"]["bytes"]
for collective in collectives:
    why = collective["why"]
    assert why and all(isinstance(line, str) and line for line in why), collective
    roots = [match for line in why for match in re.findall(r"(?:from|kept out by|,) (argument|result|constraint|manual computation)(?: '(.*?)')? \[", line)]
    stages = [match for line in why for match in re.findall(r"^because stage (\d+) makes it and stage (\d+) uses it$", line)]
    shared = "is accumulated by several pipeline ranks" in why[0]
    assert roots or stages or shared, f"leads to no annotation and no stage: {collective}"
    assert collective["seconds"] > 0, collective
    assert collective["location"], f"stands nowhere: {collective}"
    for source, target in stages:
        assert "pipeline" in report and source != target, collective
    for kind, name in roots:
        pattern = re.escape(name).replace(r"\*", r"\d+")
        assert not name or any(re.fullmatch(pattern, known) for known in names), f"{name} is no argument or result"
    for axis in collective["axes"]:
        name = f'"{axis.split(":")[0]}"'
        assert any(f"{name} of the" in line for line in why) or (stages and name in why[0]), f"says nothing of {axis}: {collective}"

memory = report["memory"]
assert memory["peak"] == memory["arguments"] + memory["results"] - memory["donated"] + memory["temporary"] + memory["headroom"], memory
step = report["step"]
assert 0 < step["kernels"] + step["collectives"] <= step["seconds"] * (1 + 1e-9) and step["hidden"] >= 0, step
schedule = report.get("pipeline")
if schedule:
    assert max(schedule["memory"]) == memory["peak"], (schedule, memory)
    assert len(schedule["memory"]) == schedule["ranks"] and schedule["stages"] % schedule["ranks"] == 0 and all(bytes > 0 for bytes in schedule["memory"]), schedule
    messages = [c for c in collectives if c["kind"] == "send"]
    assert {(m["rank"], m["target"]) for m in messages} >= {(r, r + 1) for r in range(schedule["ranks"] - 1)}, "a rank sends nothing on"
    assert all(m["bytes"] > 0 and m["times"] > 0 and not m["axes"] for m in messages), messages
    assert 0 <= schedule["bubble"] < 1 and schedule["seconds"] == step["seconds"] and schedule["microbatches"] >= 1, schedule

if len(sys.argv) > 2:
    text = open(sys.argv[2]).read()
    page = tree.fromstring(text.split("\n", 1)[1])  # without the DOCTYPE
    assert not re.search(r"(?:src|href|url)\s*[=(]|https?:", text), "the page needs something from elsewhere"
    content = "".join(page.itertext())
    for tensor in report["arguments"] + report["results"]:
        assert tensor["sharding"] in content, tensor
    layer = re.compile(r"(?<=[\[_./-])\d+(?=[\]'\"_./-])")
    for collective in collectives:
        # Where only the numbers of layers differ, one row tells of all.
        assert collective["location"] in content, collective
        for line in collective["why"] + ([collective["remedy"]] if "remedy" in collective else []):
            assert line in content or layer.sub("*", line) in content, f"the page does not say '{line}'"
    assert f"{report['devices']} device" in content, report["devices"]
    for phase in report["phases"]:
        assert phase["name"] in content, phase
    if schedule:
        titles = [title.text or "" for title in page.iter("title")]
        for stage in range(schedule["stages"]):
            assert any(title.startswith(f"{stage}F0") for title in titles), f"the picture lacks {stage}F0"
        assert f"{schedule['stages']} stages on {schedule['ranks']} pipeline ranks" in content, schedule
    assert "A step takes" in content
    check_labels(text)
    assert len(list(page.iter("svg"))) >= 3 and len(list(page.iter("rect"))) >= 8
