#!/usr/bin/env python3
"""Trains a model on one mesh, goes on from its checkpoint on others, and compares the losses with those of one device.

Usage: compare-resumed.py MODEL.mlir --inputs=FILE --scratch=FOLDER [--steps=N] [--batches=FILE] [--first=OPTIONS] --cases OPTIONS...

OPTIONS are those of tesserac without their dashes, as `mesh=data=1,model=4 stages=2`; with `target=cuda` the program runs on the back end `emulated`. Half of the steps are done with --first, the rest with each of the cases; with --first itself losses and state must be the same bits.
Without --batches each step gets other tokens than the one before.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

TOLERANCE = 2e-6


def read_safetensors(path):
    data = pathlib.Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    return {name: (entry, data[8 + length :][slice(*entry["data_offsets"])]) for name, entry in header.items() if name != "__metadata__"}


def write_batches(inputs, path, count, words):
    """Batches for the one argument of bytes among the inputs: its own first, then others."""
    name, (entry, data) = next((name, found) for name, found in read_safetensors(inputs).items() if found[0]["dtype"] == "U8")
    batches = b"".join(bytes((byte * (2 * i + 1) + i * place) % words for place, byte in enumerate(data)) for i in range(count))
    header = json.dumps({name: {"dtype": "U8", "shape": [count] + entry["shape"], "data_offsets": [0, len(batches)]}}).encode()
    pathlib.Path(path).write_bytes(len(header).to_bytes(8, "little") + header + batches)


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def losses(log):
    """By step, the last number of its line before the time: the loss."""
    return {int(step): float(loss) for step, loss in re.findall(r"^step (\d+)/.*=(\S+) \(", log, re.M)}


parser = argparse.ArgumentParser()
parser.add_argument("model")
parser.add_argument("--inputs", required=True)
parser.add_argument("--scratch", required=True, type=pathlib.Path)
parser.add_argument("--steps", type=int, default=10)
parser.add_argument("--batches")
parser.add_argument("--first", default="mesh=data=2,model=2")
parser.add_argument("--cases", nargs="+", required=True)
options = parser.parse_args()
shutil.rmtree(options.scratch, ignore_errors=True)
options.scratch.mkdir(parents=True)
batches = options.batches or options.scratch / "batches.safetensors"
if not options.batches:
    write_batches(options.inputs, batches, 7, 32)
half = options.steps // 2


def compile_for(case):
    program = options.scratch / (re.sub(r"\W+", "-", case) + ".tsx")
    if not program.exists():
        run("tesserac", options.model, *("--" + word for word in case.split()), "-o", program)
    return ["tessera-run", program] + (["--backend=emulated"] if "target=cuda" in case else [])


def train(case, *more):
    return losses(run(*compile_for(case), f"--inputs={options.inputs}", f"--batches={batches}", *more))


def state(case, name, *more):
    """The losses of a run of all steps, and the bytes of its last state."""
    folder, outputs = options.scratch / name, options.scratch / f"{name}.safetensors"
    if more:
        shutil.copytree(options.scratch / "first", folder)
    found = train(case, f"--steps={options.steps}", f"--checkpoint={folder}", f"--outputs={outputs}", *more)
    return found, {tensor: data for tensor, (_, data) in read_safetensors(outputs).items()}


expected = train("mesh=data=1,model=1", f"--steps={options.steps}")
assert len(expected) == options.steps and len(set(expected.values())) == options.steps, expected
train(options.first, f"--steps={half}", f"--checkpoint={options.scratch / 'first'}", "--every=2", "--keep=2")
whole, resumed = state(options.first, "whole"), state(options.first, "again", "--resume")
assert resumed == ({step: loss for step, loss in whole[0].items() if step > half}, whole[1]), "the same mesh gives other bits"
for case in options.cases:
    folder = options.scratch / re.sub(r"\W+", "-", case)
    shutil.copytree(options.scratch / "first", folder)
    found = train(case, f"--steps={options.steps}", f"--checkpoint={folder}", "--resume")
    assert sorted(found) == list(range(half + 1, options.steps + 1)), found
    worst = max(abs(found[step] / expected[step] - 1) for step in found)
    print(f"{case}: largest difference {worst:.1e} of {len(found)} losses")
    assert worst <= TOLERANCE, (found, expected)
    shutil.rmtree(folder)
