#!/usr/bin/env python3
"""Writes docs/schedules.md and its pictures: what each schedule is, and what it takes as replayed, beside what was published.

Usage: refresh-schedules.py BUILD FOLDER. All figures are those that `tessera-sim` of BUILD prints.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

build, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
RANKS = (4, 8, 16, 32)
NAMES = set()
PICTURES = {"1f1b": (4, 8), "interleaved-1f1b": (4, 8), "zb-h1": (4, 8), "zb-v": (4, 8), "v-half": (4, 8), "chimera": (4, 8), "dualpipe": (4, 10)}


def simulate(*flags):
    """What tessera-sim prints, or None where it refuses."""
    run = subprocess.run([build / "bin" / "tessera-sim", "--json", *map(str, flags)], capture_output=True, text=True)
    if run.returncode == 1:
        return None
    run.check_returncode()
    return json.loads(run.stdout)


# ---- what was published, for tasks F = I = W = 1 and free transfers ---------------------------------------------------------------------------------------------
# p ranks, m microbatches, v chunks. `bubble`: the waiting of a rank, in the time of a task of a whole rank (a chunk's is 1/v), by which measure. `memory`: activations
# of one microbatch on one rank. None where nothing is published.
ITERATION, LONGEST = "bubble", "longest_stage_bubble"


class Published:
    def __init__(self, bubble=None, bubble_text="", memory=None, memory_text="", measure=ITERATION, why="", flags=()):
        self.bubble, self.bubble_text, self.memory, self.memory_text = bubble, bubble_text, memory, memory_text
        self.measure, self.why, self.flags = measure, why, flags


PAIRS = ("F and B of a pair run side by side, and the result of each is there when both are done. The table's pairs take as long as both tasks in turn (`FB=3`), which saves nothing; "
         "with less they do what the form says, on the rank that waits longest. Without FB the two tasks run in turn, the first one's result goes on while the second runs, and half of the "
         "waiting is gone.")
VOCABULARY = ("The table shows the price of meeting: a rank's part of the output layer takes no time in it. What it saves is that the last rank has no output layer to itself; "
              "`tessera-sim --times` takes S and T.")
PUBLISHED = {
    "gpipe": Published(lambda p, m, v: 3 * (p - 1), "(p-1)(F+I+W)", lambda p, m, v: m, "m"),
    "1f1b": Published(lambda p, m, v: 3 * (p - 1), "(p-1)(F+I+W)", lambda p, m, v: min(p, m), "min(p, m)"),
    "eager-1f1b": Published(
        lambda p, m, v: 3 * (p - 1), "(p-1)(F+I+W+2c), where 1f1b has a term in m c", lambda p, m, v: min(2 * p - 1, m), "min(2p-1, m)"),
    "interleaved-1f1b": Published(
        lambda p, m, v: 3 * (p - 1) / v, "(p-1)(F+I+W)/v", lambda p, m, v: min(p + (p - 1) / v, m), "min(p + (p-1)/v, m)"),
    "breadth-first": Published(lambda p, m, v: 3 * (p - 1) / v, "(p-1)(F+I+W)/v", lambda p, m, v: m, "m"),
    "zb-h1": Published(lambda p, m, v: p - 1, "(p-1)(F+I-W)", lambda p, m, v: min(p, m), "p"),
    "zb-h2": Published(
        lambda p, m, v: 0, "(p-1)(F+I-2W)", lambda p, m, v: min(2 * p - 1, m), "2p-1", LONGEST,
        "The form holds where the microbatches are enough for all forward tasks ahead, m >= 2p-1. With fewer, as with any schedule that delays W, a step takes at least "
        "(m+p-1)(F+I) + W."),
    "zb-v": Published(
        lambda p, m, v: 0, "0 if F = I = W", lambda p, m, v: min(p, m), "p", LONGEST,
        "The form holds for m >= 2p - 1; with fewer there are too few tasks to fill the way there and back."),
    "v-half": Published(
        lambda p, m, v: {4: 5, 8: 17, 16: 41}.get(p) and {4: 5, 8: 17, 16: 41}[p] / v, "5, 17, 41 tasks of a chunk for p = 4, 8, 16", lambda p, m, v: min((p + 2) / 2, m),
        "(p+2)/2", LONGEST,
        "The published figures are those of the authors' program."),
    "v-min": Published(
        lambda p, m, v: {4: 11, 8: 27, 16: 59}.get(p) and {4: 11, 8: 27, 16: 59}[p] / v, "11, 27, 59 tasks of a chunk for p = 4, 8, 16",
        lambda p, m, v: min((p + 4) // 3, m), "floor((p+4)/3)", LONGEST, "The published figures are those of the authors' program."),
    "chimera": Published(
        lambda p, m, v: 2 * (p - 2) if m == p else None, "(p-2)(I+W) for m = p", lambda p, m, v: min(p, m), "p", ITERATION,
        "For m > p the paper lets units of p microbatches follow each other, which leaves gaps where a backward task takes twice the time of a forward task (p = 8: 26.15 % for m = 16, "
        "21.95 % for m = 32). Here the two directions run through without units, in the same memory, so there are none."),
    "bitpipe": Published(
        lambda p, m, v: (p - 2) if m == p else {(8, 16): 9, (8, 32): 15}.get((p, m)), "(p-2)(I+W)/v for m = p", lambda p, m, v: min(p, m), "p", ITERATION,
        "For m > p units follow each other in the authors' order, which leaves gaps between them; here they run into each other, which leaves slightly smaller ones. The order suits tasks "
        "F and B of the same time; then the bubble is (p-2)F/v for all m."),
    "dualpipe": Published(
        lambda p, m, v: (p / 2 - 1) * 2, "(p/2-1)(FB+I+W-3W)", lambda p, m, v: p + 1, "p + 1", ITERATION, PAIRS, ["--times=F=1,B=1,W=1,FB=3"]),
    "dualpipev": Published(
        lambda p, m, v: p - 1, "(p-1)(FB+I+W-3W)/v", lambda p, m, v: p + 0.5, "p + 1/2", ITERATION, PAIRS, ["--times=F=1,B=1,W=1,FB=3"]),
    "2bp": Published(
        lambda p, m, v: 2 * (p - 1), "(p-1)(F+I)", lambda p, m, v: m, "m"),
    "vocabulary-1": Published(None, "", lambda p, m, v: min(p + 2, m), "p + 2", ITERATION, VOCABULARY),
    "vocabulary-2": Published(None, "", lambda p, m, v: min(p + 1, m), "p + 1", ITERATION, VOCABULARY),
    "zeropp": Published(
        lambda p, m, v: 2 * (p - 1) / v, "(p-1)(F+I)/v while there are weight gradients to fill gaps with", None, "", ITERATION,
        "The form is that of a reconstruction: the paper gives none."),
}


def flags(name):
    """What tessera-sim is told beside the numbers of ranks and microbatches."""
    return PUBLISHED[name].flags if name in PUBLISHED else []


def settings(schedule):
    """The settings of the table: each number of ranks with one, two and four times as many microbatches."""
    return [(p, k * p) for p in RANKS for k in (1, 2, 4)]


def percent(share):
    return f"{100 * share:.2f} %"


def published_rate(form, p, m, v):
    """The closed form as a share of the step, which takes 3 m besides."""
    time = form.bubble(p, m, v) if form and form.bubble else None
    return None if time is None else time / (3 * m + time)


def beside(replayed, published, text):
    """What was published, or that it is what was replayed."""
    if published is None:
        return "–"
    return "=" if abs(replayed - published) < 1e-6 * max(1, abs(published)) else text(published)


def table(schedule, results):
    form = PUBLISHED.get(schedule["name"])
    lines = ["| p | m | bubble | of the longest stage | published | activations | published |", "|---|---|---|---|---|---|---|"]
    for (p, m), figures in results:
        if figures is None:
            continue
        measure = form.measure if form else ITERATION
        memory = form.memory(p, m, figures["chunks"]) if form and form.memory else None
        lines.append(
            f"| {p} | {m} | {percent(figures['bubble'])} | {percent(figures['longest_stage_bubble'])} | "
            f"{beside(figures[measure], published_rate(form, p, m, figures['chunks']), percent)} | {figures['peak_memory']:.4g} | "
            f"{beside(figures['peak_memory'], memory, lambda value: f'{value:.4g}')} |")
    return lines


def picture(name, p, m):
    """Draws the schedule, and gives the lines that show it."""
    file = folder / "schedules" / f"{name}.svg"
    file.parent.mkdir(parents=True, exist_ok=True)
    if not simulate(f"--schedule={name}", f"--stages={p}", f"--microbatches={m}", f"--svg={file}"):
        sys.exit(f"cannot draw {name}")
    return [f"![{name} with {p} ranks and {m} microbatches](schedules/{name}.svg)", ""]


def sentence(description):
    """`description` with a capital, unless it begins with the name of a schedule."""
    first, rest = description.split(" ", 1)
    return f"`{first}` {rest}." if first in NAMES else f"{first[0].upper()}{first[1:]} {rest}."


def section(schedule, results):
    name, form = schedule["name"], PUBLISHED.get(schedule["name"])
    lines = [f"### `{name}`", "", sentence(schedule["description"])]
    if schedule["requirement"]:
        lines[-1] += f" Takes {schedule['requirement']}."
    if schedule["chunks"] > 1:
        lines[-1] += f" The table is for {schedule['chunks']} chunks a rank."
    lines.append("")
    if form:
        measure = "longest stage" if form.measure == LONGEST else "whole step"
        parts = [f"bubble {form.bubble_text} ({measure})"] * bool(form.bubble_text) + [f"activations {form.memory_text}"] * bool(form.memory_text)
        lines += [f"Published: {'; '.join(parts)}.", ""]
        if form.why:
            lines += [form.why, ""]
    if name in PICTURES:
        lines += picture(name, *PICTURES[name])
    return lines + table(schedule, results) + [""]


# ---- times of a real model ------------------------------------------------------------------------------------------------------------------------------------------
# Per rank and microbatch in ms, with the latency c of a transfer: 1.5 billion parameters on 8 ranks (Zero Bubble, table 9). With each row's own times, the forms of 1f1b, zb-h1 and
# zb-h2 give the rates of its table 5.
F, I, W, C = 18.5, 18.1, 9.3, 0.6
T = F + I + W
WITH_TRANSFERS = {
    "1f1b": (lambda p, m, v: (p - 1) * T + (2 * (p - 1) * m / p + 2 * (p - 2)) * C, "(p-1)T + (2(p-1)m/p + 2(p-2))c", ITERATION),
    "eager-1f1b": (lambda p, m, v: (p - 1) * (T + 2 * C), "(p-1)(T+2c)", ITERATION),
    "interleaved-1f1b": (lambda p, m, v: (p - 1) * T / v + 2 * (p * v - 1) * C, "(p-1)T/v + 2(pv-1)c", ITERATION),
    "zb-h1": (lambda p, m, v: (p - 1) * (F + I - W + 4 * C), "(p-1)(F+I-W+4c)", LONGEST),
    "zb-h2": (lambda p, m, v: (p - 1) * (F + I - 2 * W + 2 * C), "(p-1)(F+I-2W+2c)", LONGEST),
    "zb-v": (None, "", LONGEST),
    "v-half": (None, "", LONGEST),
    "v-min": (None, "", LONGEST),
    "dualpipev": (None, "", ITERATION),
}


def transfers_table():
    lines = ["| schedule | m | bubble | of the longest stage | published | waiting | activations |", "|---|---|---|---|---|---|---|"]
    for name, (form, text, measure) in WITH_TRANSFERS.items():
        if name not in NAMES:
            continue
        for m in (24, 32, 64):
            figures = simulate(f"--schedule={name}", "--stages=8", f"--microbatches={m}", f"--times=F={F},B={I},W={W},transfer={C}")
            time = form(8, m, figures["chunks"]) if form else None
            lines.append(f"| {name} | {m} | {percent(figures['bubble'])} | {percent(figures['longest_stage_bubble'])} | "
                         f"{beside(figures[measure], None if time is None else time / (m * T + time), percent)} | {text or '–'} | {figures['peak_memory']:.4g} |")
    return lines


TRANSFERS = f"""## Times of a real model

A model of 1.5 billion parameters on 8 ranks, as measured for the Zero Bubble paper: F = {F} ms, I = {I} ms, W = {W} ms, and c = {C} ms until another rank has a result; T = F + I + W.
Transfers are what 1F1B waits for in every round, and other schedules only at the ends.

"""
# ---- what a search finds ----------------------------------------------------------------------------------------------------------------------------------------------
SEARCHED = pathlib.Path(__file__).resolve().parent.parent / "docs" / "searched-schedules.json"

AUTO = """## `auto`

`--schedule=auto` searches the schedule for the costs of the stages at hand, within a memory limit ([how](rationale/schedule-search.md)): it starts from all published schedules, and gives none that
takes longer for a step than the best of them. Of a model, the compiler cuts a copy for each kind of schedule, those with the output layer on all ranks included; the tables have times only, and the output layer on the last stage. They compare it with the fastest published schedule within the same limit (in activations) and with as many copies of a stage; *gain* is what the published one
takes longer, *bubble* and *memory* are those of the found one. `scripts/search-schedules.py` writes them, in minutes.

Where tasks all take the same time, the published schedules with one copy of the model leave nothing to find from m = 2p on; with fewer microbatches, and with two copies, they do:

"""

UNEVEN = """
Stages of real models are not alike. These are transformers of 32 layers, cut as evenly as whole layers can be, each published schedule for its own placement; the output layer takes as long as 2
(h = 4096) and 6.25 (h = 3072) layers, F : I : W are 1 : 1.25 : 0.75 and 1 : 1.1 : 0.9, and a transfer takes 2 % of a forward task:

"""


def searched_table(entries):
    model = ["model"] if "model" in entries[0] else []
    lines = ["| " + " | ".join([*model, "p", "m", "copies", "limit", "best published", "gain", "bubble", "memory"]) + " |", "|---" * (8 + len(model)) + "|"]
    for entry in entries:
        published, found = entry["published"], entry["auto"]
        gain = percent(published["makespan"] / found["makespan"] - 1) if published else "–"
        cells = [entry[key] for key in model] + [entry["ranks"], entry["microbatches"], entry["copies"], f"{entry['limit']:g}", published["schedule"] if published else "none", gain,
                                                 percent(found["bubble"]), f"{found['memory']:.4g}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


INTRODUCTION = """<!-- Generated by scripts/generate-docs.sh: do not edit. -->
# Schedules of stages

A model is cut into stages, a step's batch into microbatches, and a *schedule* says which rank computes which task when: the forward task F of a stage for a microbatch, its
input gradient I, its weight gradient W, or both gradients in one task B. A rank runs one stage, or several (*chunks*). The [glossary](glossary.md) has the terms.

```
tesserac gpt.mlir --stages=4 --microbatches=8 --schedule=zb-h1 -o gpt.tsx    # one of the names below, auto, or a file
tessera-sim --schedule=zb-h1 --stages=4 --microbatches=8 --times=F=18.5,B=18.1,W=9.3,transfer=0.6 --svg=zb-h1.svg
tessera-sim --schedule=zb-h1 --stages=4 --microbatches=8 --csv=mine.csv      # to be changed by hand, and given to --schedule
tessera-sim gpt.tsx --cluster=cluster.yaml --svg=gpt.svg --trace=gpt.json    # a compiled model on a described machine
```

A schedule is data: a CSV file with a row per rank and a task such as `2F5` (stage 2, forward, microbatch 5) in each cell, as PyTorch writes them. Every schedule, whether generated, read
or found, is checked (each task once, after what it needs, no deadlock, memory) before it is used, and a message names the task that is wrong.

`tessera-sim` takes times of a rank, the same for all, or of each stage from a file of comma-separated values, with a row per stage and columns of any order:

```
F,B,W,transfer,activations,kept,parameters
18.5,18.1,9.3,0.6,2.1,0.9,12
18.5,18.1,9.3,0.6,2.1,0.9,12
21,20.2,10.4,0,3.5,1.4,20
```

`tessera-sim --schedule=auto --stages=3 --microbatches=12 --times=stages.csv --memory-limit=24 --minimize=longest-stage` searches for these stages. Times are of one task, in milliseconds without a unit; F, B (or I) and W are needed.
`B+W` is the time of both gradients as one task, S and T those of a shared output layer, `transfer` that to the next stage and back. What a microbatch holds from F to B (`activations`), what of it W needs (`kept`), and what the stage holds
all the time (`parameters`) are in one unit of your choice, which is then that of `--memory-limit`. Beside times of a rank, `--weight-input=0.4` says what part of an activation W needs.
`FB` in `--times` is what F and both gradients of another microbatch take side by side, for schedules with such pairs (`dualpipe`, `dualpipev`, `(2F5;3B1)OVERLAP_F_B` in a file).

## How to read the tables

All figures are replayed: every rank takes its tasks in order, each as soon as the one before is done and its inputs have arrived. Here F, I and W of a rank take the same time (B twice
that), a chunk its part of it, and transfers none; `tessera-sim` takes any times.

- *bubble* is the share of the whole step, from the first task to the last one of any rank, that a rank waits. *Of the longest stage* is the same share of the longest time between the first and
  the last task of one rank. Ranks begin one after another; where they also end, and start the next step, one after another, that skew costs nothing. Zero Bubble and its descendants
  report this figure, others the first.
- *activations* is the most that a rank holds at one time, in activations of one microbatch on one rank (all its chunks), from the start of F to the end of W (or B). It is
  the unit of `tessera-sim --memory-limit=4`. What W needs is often less than that, which a compiled program accounts for.
- *published* is the closed form or published figure beside the one before it: "=" where they agree, "–" where there is none.

"""


def main():
    schedules = simulate("--list")
    NAMES.update(schedule["name"] for schedule in schedules)
    jobs = [(schedule["name"], p, m) for schedule in schedules for p, m in settings(schedule)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        figures = dict(zip(jobs, pool.map(lambda job: simulate(f"--schedule={job[0]}", f"--stages={job[1]}", f"--microbatches={job[2]}", *flags(job[0])), jobs)))
    page = INTRODUCTION.splitlines() + ["## The schedules", ""]
    for schedule in schedules:
        page += section(schedule, [((p, m), figures[schedule["name"], p, m]) for p, m in settings(schedule)])
    page += TRANSFERS.splitlines() + transfers_table() + [""]
    searched = json.loads(SEARCHED.read_text())
    page += AUTO.splitlines() + searched_table(searched["even"]) + UNEVEN.splitlines() + searched_table(searched["uneven"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schedules.md").write_text("\n".join(page).rstrip() + "\n")


main()
