#!/usr/bin/env python3
"""Checks that every device ran its tasks in the order that was predicted, and that the prediction needs the memory that the compiler reserved.

Usage: check-task-order.py RUN-TRACE.json PREDICTED-TRACE.json FIGURES.json MANIFEST.json
"""
import json
import re
import sys

run, predicted, figures, manifest = (json.load(open(path)) for path in sys.argv[1:])
TASK = re.compile(r"\d+[FIWBST]\d+")


def tasks_of(trace):
    """Per rank the tasks in the order of their beginning, each once even if it consists of several calls in a row. A rank is a process of a
    run, and a track of a prediction."""
    events = trace["traceEvents"]
    key = "pid" if any(event["name"] == "process_name" and event["args"]["name"] == "rank 0" for event in events) else "tid"
    kind = "process_name" if key == "pid" else "thread_name"
    names = {event[key]: event["args"]["name"] for event in events if event["name"] == kind}
    order = {name: [] for name in names.values() if name.startswith("rank ")}
    slices = sorted((event for event in events if event["ph"] == "X" and TASK.fullmatch(event["name"])), key=lambda event: event["ts"])
    for event in slices:
        tasks = order[names[event[key]]]
        if not tasks or tasks[-1] != event["name"]:
            tasks.append(event["name"])
    return order


ran, expected = tasks_of(run), tasks_of(predicted)
schedule = [tasks.split() for tasks in manifest["pipeline"]["ranks"]]
devices = len(ran) // len(expected)
if len(ran) != devices * len(expected) or len(schedule) != len(expected):
    sys.exit(f"error: expected {len(schedule)} pipeline ranks, got {len(ran)} devices and {len(expected)} predicted ranks")
for device in range(len(ran)):
    rank = device // devices
    if ran[f"rank {device}"] != expected[f"rank {rank}"]:
        sys.exit(f"error: device {device} ran {ran[f'rank {device}']}, predicted was {expected[f'rank {rank}']}")
    # The first stage has nothing to send back, so its input gradients are no work.
    tasks = [task for task in schedule[rank] if not task.startswith("0I") or task in ran[f"rank {device}"]]
    if ran[f"rank {device}"] != tasks:
        sys.exit(f"error: device {device} ran {ran[f'rank {device}']}, the schedule has {tasks}")
for rank, reserved in zip(figures["ranks"], manifest["pipeline"]["memory"]):
    if rank["peak_memory"] != reserved:
        sys.exit(f"error: {rank['name']}: expected the manifest's peak of {reserved} bytes, got {rank['peak_memory']}")
print(f"{sum(map(len, schedule))} tasks on {len(ran)} devices")
