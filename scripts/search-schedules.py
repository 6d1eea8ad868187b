#!/usr/bin/env python3
"""Searches a schedule (`auto`) for many settings, and writes how long it takes beside the best published one: the tables that docs/schedules.md shows.

Usage: search-schedules.py BUILD OUTPUT.json [MOST-TASKS]. Settings with more tasks (ranks x microbatches x 3) than MOST-TASKS are left out. Takes minutes for all of them.
"""
import json
import pathlib
import subprocess
import sys

build, output = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
most_tasks = int(sys.argv[3]) if len(sys.argv) > 3 else None
# Transformers of 32 layers: what the output layer over a vocabulary of V words takes, in layers: 6V / (72h + 12s); and the share of F, I and W in the time of a layer:
# 24h + 4s, 24h + 8s, 24h. A transfer takes 2 % of a forward task.
MODELS = {
    "h = 4096, s = 8192, V = 128,256": ([1.0] * 32 + [1.957], "F=1,B=1.25,W=.75,transfer=.02"),
    "h = 3072, s = 2048, V = 256,000": ([1.0] * 32 + [6.25], "F=1,B=1.1,W=.9,transfer=.02"),
}


def simulate(*flags):
    run = subprocess.run([build / "bin" / "tessera-sim", "--json", *map(str, flags)], capture_output=True, text=True)
    if run.returncode == 1:
        return None
    run.check_returncode()
    return json.loads(run.stdout)


def cut(layers, parts, rank_of):
    """The sums of `parts` runs of `layers`, as even as they get: the largest sum of a rank as small as possible, found by moving one cut at a time."""
    cuts = [round(i * len(layers) / parts) for i in range(parts + 1)]

    def sums(cuts):
        return [sum(layers[a:b]) for a, b in zip(cuts, cuts[1:])]

    def load(cuts):
        ranks = {}
        for stage, cost in enumerate(sums(cuts)):
            ranks[rank_of(stage)] = ranks.get(rank_of(stage), 0) + cost
        return sorted(ranks.values(), reverse=True) + sorted(sums(cuts), reverse=True)

    improved = True
    while improved:
        improved = False
        for first in range(1, parts):
            for last in range(first, parts):
                for step in (-1, 1):
                    moved = [c + step * (first <= i <= last) for i, c in enumerate(cuts)]
                    if all(a < b for a, b in zip(moved, moved[1:])) and load(moved) < load(cuts):
                        cuts, improved = moved, True
    mean = sum(layers) / parts
    return [cost / mean for cost in sums(cuts)]


def cuts_of(layers, times, p):
    """How `layers` may be cut for p ranks: so many stages per rank, and the flags that say how long each takes."""
    for chunks, rank_of in ((1, lambda stage: stage), (2, lambda stage: stage % p), (2, lambda stage: min(stage, 2 * p - 1 - stage))):
        if chunks * p <= len(layers):
            yield chunks, [f"--times={times}", "--stage-scales=" + ",".join(f"{x:.9g}" for x in cut(layers, chunks * p, rank_of))]


def best(runs):
    """The fastest of (name, figures), as what the table holds."""
    name, figures = min(runs, key=lambda run: run[1]["makespan"])
    return {"schedule": name, "makespan": figures["makespan"], "bubble": figures["bubble"], "memory": figures["peak_memory"]}


def compare(p, m, limit, copies, cuts):
    """`auto` and the best published schedule within `limit` and with at most `copies` of a stage, over all `cuts` (chunks, flags)."""
    names = [schedule["name"] for schedule in simulate("--list") if schedule["copies"] <= copies]
    published, searched = [], []
    for chunks, flags in cuts:
        common = [f"--stages={p}", f"--microbatches={m}", f"--memory-limit={limit}", *flags, *([f"--chunks={chunks}"] if chunks else [])]
        published += [(name, figures) for name in names if (figures := simulate(f"--schedule={name}", *common))]
        if figures := simulate("--schedule=auto", f"--copies={copies}", *common):
            searched.append(("auto", figures))
    return {"ranks": p, "microbatches": m, "copies": copies, "limit": limit, "published": best(published) if published else None, "auto": best(searched)}


def settings():
    for p in (4, 8, 16, 32):
        for k in (1, 2, 4):
            if most_tasks is None or 3 * p * k * p <= most_tasks:
                yield p, k * p


def main():
    even, uneven = [], []
    for p, m in settings():
        for copies in (1, 2):
            for limit in (p // 2 + 1, p, 2 * p) if copies == 1 else (p + 1,):
                even.append(compare(p, m, limit, copies, [(None, [])]))
            for model, (layers, times) in MODELS.items():
                # Where the longest layer takes longer than all that others have to do, every order of tasks waits for it.
                if p < sum(layers) / max(layers):
                    uneven.append({"model": model, **compare(p, m, 1.25 * p, copies, list(cuts_of(layers, times, p)))})
    output.write_text(json.dumps({"even": even, "uneven": uneven}, indent=1) + "\n")


main()
