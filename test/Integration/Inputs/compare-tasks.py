"""Checks that a trace of tessera-run has the tasks of a schedule, in its order.

    compare-tasks.py TRACE.json DEVICES '"0F0 0B0", "1F0 1B0"'

DEVICES is the number of devices of each pipeline rank; every one of them has its process.
"""
import json
import sys

trace, devices, schedule = sys.argv[1], int(sys.argv[2]), json.loads(f"[{sys.argv[3]}]")
events = json.load(open(trace))["traceEvents"]
for rank, line in enumerate(schedule):
    for device in range(devices):
        process = rank * devices + device + 1
        tasks = sorted((e["ts"], e["name"]) for e in events if e.get("cat") == "task" and e["pid"] == process)
        # A task of several fragments is several events.
        names = [name for i, (_, name) in enumerate(tasks) if i == 0 or tasks[i - 1][1] != name]
        if names != line.split():
            sys.exit(f"{trace}: device {device} of pipeline rank {rank} ran {' '.join(names)}, expected {line}")
