#!/usr/bin/env python3
"""Damages a compiled program in COUNT ways, the same ones each time, and checks that every tool that reads programs says so in one line and ends with
exit status 1.

Usage: check-damaged-programs.py PROGRAM COUNT
"""
import pathlib
import random
import subprocess
import sys

PROGRAM, COUNT = pathlib.Path(sys.argv[1]), int(sys.argv[2])
WHOLE = PROGRAM.read_bytes()
DAMAGED = PROGRAM.with_name("damaged.tsx")
choice = random.Random(15)


def flip_bits(data):
    for _ in range(choice.choice([1, 1, 2, 8])):
        data[choice.randrange(len(data))] ^= 1 << choice.randrange(8)


def overwrite(data):
    begin = choice.randrange(len(data))
    end = min(len(data), begin + choice.choice([1, 16, 512, 4096]))
    data[begin:end] = bytes(end - begin) if choice.random() < 0.5 else choice.randbytes(end - begin)


def cut_off(data):
    del data[choice.choice([choice.randrange(len(data)), len(data) - 1 - choice.randrange(64)]):]


def append(data):
    data += choice.randbytes(choice.choice([1, 12, 4096])) if choice.random() < 0.7 else data[-12:]


def cut_out(data):
    begin = choice.randrange(len(data))
    del data[begin:begin + choice.choice([1, 8, 4096])]


def swap(data):
    """Blocks in another order, as a disk may give them back."""
    first, second = choice.randrange(len(data) // 512) * 512, choice.randrange(len(data) // 512) * 512
    data[first:first + 512], data[second:second + 512] = data[second:second + 512], data[first:first + 512]


def headers(data):
    """The beginning and the end, which say where everything else is."""
    at = choice.choice([choice.randrange(64), choice.randrange(64, 1024), len(data) - 1 - choice.randrange(2048)])
    data[at] = choice.randrange(256)


problems = []
for number in range(COUNT):
    data = bytearray(WHOLE)
    damage = choice.choice([flip_bits, overwrite, cut_off, append, cut_out, swap, headers])
    damage(data)
    if data == WHOLE:
        continue
    DAMAGED.write_bytes(data)
    commands = [["tessera-run", DAMAGED, "--random"], ["tesserac", "--inspect", DAMAGED], ["tessera-sim", DAMAGED]]
    # Loading LLVM takes longer than all the rest.
    for command in commands if number % 8 == 0 else commands[:1]:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
        lines = run.stderr.splitlines()
        if run.returncode != 1 or len(lines) != 1 or "error: " not in lines[0] or DAMAGED.name not in lines[0]:
            problems.append(f"{number} {damage.__name__}: {command[0]}: exit status {run.returncode}: {run.stderr}")
whole = subprocess.run(["tessera-run", PROGRAM, "--random"], capture_output=True, text=True)
if whole.returncode != 0:
    problems.append(f"the undamaged program: {whole.stderr}")
sys.exit("\n".join(problems) if problems else 0)
