#!/usr/bin/env python3
"""Checks that a trace obeys the Trace Event Format, so that every viewer shows what it means.

Usage: check-trace.py TRACE.json [MANIFEST.json]

Slices of a track nest; events of a track stand in the order of their times; asynchronous events and arrows have both ends, arrows do not
go backwards and begin and end inside of a slice; counters stay below the peak of the manifest (process r + 1 is rank r). Prints what there is.
"""
import collections
import json
import sys

trace = json.load(open(sys.argv[1]))
manifest = json.load(open(sys.argv[2])) if len(sys.argv) > 2 else None
PHASES = set("XMsfbeC")
ROUNDING = 1.5e-3  # Microseconds: times are written with three digits.


def expect(condition, text):
    if not condition:
        sys.exit(f"error: {sys.argv[1]}: {text}")


def end_of(event):
    return event["ts"] + event["dur"]


def check_nesting(track, slices):
    open_slices = []
    for event in sorted(slices, key=lambda event: (event["ts"], -event["dur"])):
        while open_slices and end_of(open_slices[-1]) <= event["ts"] + ROUNDING:
            open_slices.pop()
        outer = open_slices[-1] if open_slices else None
        expect(
            not outer or end_of(event) <= end_of(outer) + ROUNDING,
            f"track {track}: '{event['name']}' ({event['ts']} + {event['dur']}) overlaps '{outer and outer['name']}' without nesting",
        )
        open_slices.append(event)


def check_arrows(events, slices):
    ends = collections.defaultdict(list)
    for event in events:
        if event["ph"] in "sf":
            ends[event["cat"], event["name"], event["id"]].append(event)
            inside = any(s["ts"] - ROUNDING <= event["ts"] <= end_of(s) + ROUNDING for s in slices[event["pid"], event["tid"]])
            expect(inside, f"an end of arrow {event['id']} ('{event['name']}') lies in no slice")
    for key, pair in ends.items():
        expect([event["ph"] for event in pair] == ["s", "f"], f"arrow {key} has the ends {[event['ph'] for event in pair]}")
        expect(pair[0]["ts"] <= pair[1]["ts"], f"arrow {key} goes backwards")
        expect((pair[0]["pid"], pair[0]["tid"]) != (pair[1]["pid"], pair[1]["tid"]), f"arrow {key} goes nowhere")
    return len(ends)


def peak_of(process):
    """Of the rank that the process is."""
    devices = 1
    for axis in manifest["mesh"]:
        devices *= axis["size"]
    return manifest["programs"][(process - 1) // devices]["memory"]["peak"]


events = trace["traceEvents"]
latest, slices, counters = {}, collections.defaultdict(list), collections.defaultdict(float)
asynchronous, named = collections.Counter(), set()
for event in events:
    expect(event.get("ph") in PHASES, f"unknown phase in {event}")
    track = event["pid"], event.get("tid")
    if event["ph"] == "M":
        named.add((event["name"], *track))
        continue
    expect(event["ts"] >= -ROUNDING, f"negative time in {event}")
    if event["ph"] in "XC":
        kind = (event["ph"], event["name"] if event["ph"] == "C" else "", *track)
        expect(event["ts"] >= latest.get(kind, 0) - ROUNDING, f"track {track}: '{event['name']}' at {event['ts']} comes after {latest.get(kind)}")
        latest[kind] = event["ts"]
    if event["ph"] == "X":
        expect(event["dur"] >= 0, f"negative duration in {event}")
        slices[track].append(event)
    elif event["ph"] == "C":
        value = max(event["args"].values())
        counters[event["pid"]] = max(counters[event["pid"]], value)
        expect(min(event["args"].values()) >= 0, f"negative counter in {event}")
        if manifest:
            expect(value <= peak_of(event["pid"]), f"'{event['name']}' of process {event['pid']} is {value}, the manifest says {peak_of(event['pid'])}")
    elif event["ph"] in "be":
        asynchronous[event["cat"], event["id"]] += 1 if event["ph"] == "b" else -1
        expect(asynchronous[event["cat"], event["id"]] in (0, 1), f"asynchronous event {event['id']} does not alternate")
expect(not any(asynchronous.values()), "an asynchronous event has no end")
for track, list_of in slices.items():
    check_nesting(track, list_of)
    expect(("thread_name", *track) in named, f"track {track} has no name")
arrows = check_arrows(events, slices)
if manifest and "work" in manifest:
    ranks = {process for process, _ in slices if process > 0}
    expect(ranks == set(counters), f"processes {sorted(ranks)} have slices, {sorted(counters)} have counters")
print(f"{sum(map(len, slices.values()))} slices on {len(slices)} tracks, {arrows} arrows, {len(counters)} counters")
