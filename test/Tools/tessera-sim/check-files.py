#!/usr/bin/env python3
"""Checks that the picture and the trace of tessera-sim show what its figures say.

Usage: check-files.py FIGURES.json PICTURE.svg TRACE.json
"""
import collections
import json
import re
import sys
import xml.etree.ElementTree as xml

figures = json.load(open(sys.argv[1]))
SVG = "{http://www.w3.org/2000/svg}"


def expect(condition, text):
    if not condition:
        sys.exit(f"error: {text}")


def close(a, b, tolerance=1e-6):
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def check_ranks(source, ranks):
    """`ranks`: per rank name its tasks as (start, end, name), in ms; they must be those of the figures."""
    expect(set(ranks) == {rank["name"] for rank in figures["ranks"]}, f"{source}: expected the ranks of the figures, got {sorted(ranks)}")
    seen = set()
    for rank in figures["ranks"]:
        tasks = sorted(ranks[rank["name"]])
        for before, after in zip(tasks, tasks[1:]):
            expect(before[1] <= after[0] + 2e-3, f"{source}: {before} and {after} overlap on {rank['name']}")
        expect(close(sum(end - start for start, end, _ in tasks), rank["busy"], 1e-2), f"{source}: {rank['name']} is busy for {rank['busy']} ms")
        expect(close(tasks[0][0], rank["start"], 1e-3) and close(tasks[-1][1], rank["end"], 1e-3), f"{source}: begin and end of {rank['name']}")
        seen |= {task[2] for task in tasks}
    expect(len(seen) == sum(map(len, ranks.values())), f"{source}: a task runs twice")
    return seen


def picture_tasks(path):
    tasks = collections.defaultdict(list)
    for group in xml.parse(path).getroot().iter(f"{SVG}g"):
        title, box = group.find(f"{SVG}title").text, group.find(f"{SVG}rect")
        name, rank, start, end = re.fullmatch(r"(\w+): [a-z ]+, (rank \d+), ([\d.]+) - ([\d.]+) ms", title).groups()
        tasks[rank].append((float(start), float(end), name))
        label = group.find(f"{SVG}text")
        expect(label is None or re.fullmatch(r"\d+[A-Z]" + label.text, name), f"picture: label {label is not None and label.text} on {name}")
        expect(float(box.get("width")) > 0, f"picture: {name} has no width")
    return tasks


def check_scale(path):
    """Widths are proportional to times."""
    scales = []
    for group in xml.parse(path).getroot().iter(f"{SVG}g"):
        start, end = map(float, re.search(r"([\d.]+) - ([\d.]+) ms", group.find(f"{SVG}title").text).groups())
        scales.append(float(group.find(f"{SVG}rect").get("width")) / (end - start))
    expect(max(scales) < 1.01 * min(scales), "picture: not to scale")


def trace_tasks(path):
    events = json.load(open(path))["traceEvents"]
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    tasks, memory = collections.defaultdict(list), collections.defaultdict(float)
    for event in events:
        if event["ph"] == "X":
            tasks[names[event["tid"]]].append((event["ts"] / 1e3, (event["ts"] + event["dur"]) / 1e3, event["name"]))
        elif event["ph"] == "C":
            memory[event["name"]] = max(memory[event["name"]], *event["args"].values())
    for rank in figures["ranks"]:
        expect(close(memory[f"memory of {rank['name']}"], rank["peak_memory"]), f"trace: peak memory of {rank['name']}")
    starts = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    expect(starts.keys() == ends.keys(), "trace: an arrow has one end")
    for number, start in starts.items():
        expect(start["ts"] <= ends[number]["ts"] and start["tid"] != ends[number]["tid"], f"trace: arrow {number}")
    return tasks, len(starts)


in_picture = check_ranks("picture", picture_tasks(sys.argv[2]))
check_scale(sys.argv[2])
tasks, arrows = trace_tasks(sys.argv[3])
expect(check_ranks("trace", tasks) == in_picture, "the trace shows other tasks than the picture")
# A microbatch crosses between ranks forwards and backwards at every boundary that is not on one rank.
print(f"{len(in_picture)} tasks, {arrows} arrows")
