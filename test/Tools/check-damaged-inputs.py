#!/usr/bin/env python3
"""Damages inputs of every kind in COUNT ways each, the same ones for a seed, and checks that the tool that reads one takes it or says what is wrong with it
in a diagnostic: no crash, no hang, no more memory than a bound.

Usage: check-damaged-inputs.py FOLDER COUNT [--seed=N] [--only=KIND]. FOLDER is for files, and has afterwards what a tool did not bear, as KIND-N.*.
"""
import argparse
import pathlib
import random
import re
import resource
import subprocess
import sys
import zlib

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS, BYTES = 20, 4 << 30
INPUTS = SOURCE / "test/Transforms/Import/Inputs"
MODEL = SOURCE / "examples/mlp/mlp.mlir"
CLUSTER = """device:
  compute: 312e12
  memory: 80 GB
levels:
  - name: node
    devices: 4
    latency: 2e-6
    bandwidth: 250e9
  - {name: "network", latency: 10e-6, bandwidth: 25e9} # to other nodes
"""
AXES = "device: {compute: 1e12, memory: 16GiB}\naxes:\n  - {name: data, latency: 1e-6, bandwidth: 25e9}\n  - name: model\n    latency: 2e-6\n    bandwidth: 1e11\n"
PLAN = """mesh: {data: 2, model: 4}
axes: {hidden: [[data, model], model], none: null}
rules:
  - {match: '/w[13]$/', style: packed(2) colwise(model), fsdp: data, role: weight, rank: 2}
  - {match: "**/w2", placements: ["_StridedShard(0, split_factor=4)", Shard(0)], at-least: 1kB}
  - {match: x, spec: [data p1, "?"], shape: ["?", 16]}
  - {match: y, role: result, spec: [..., hidden]}
activations:
  - {scope: "*", result: 0, spec: [data]}
stages: {w1: 0, w2: 1}
default: fsdp(data, 4kB)
tolerance: 0.1
"""
SCHEDULE = "0F0,0F1,0B0,0F2,0B1,0F3,0B2,0B3\n1F0,1B0,1F1,1B1,1F2,1B2,1F3,1B3\n"
NUMBERS = ["0", "-1", "1", "2147483648", "9223372036854775807", "-9223372036854775809", "18446744073709551616", "1e999", "nan", "inf", "0x", "1e-400", "007"]
TOKEN = re.compile(rb'[A-Za-z_][\w.]*|\d+(?:\.\d+)?(?:e[-+]?\d+)?|\s+|.', re.S)


def change(data, choice):
    """`data` with a byte, a word, a line or a bracket that is other, twice there, or gone."""
    kind = choice.randrange(9)
    at = choice.randrange(len(data)) if data else 0
    if kind == 0:
        return data[:at] + bytes([choice.randrange(256)]) + data[at + 1:]
    if kind == 1:
        return data[:at]
    if kind == 2:
        return data[:at] + data[at + choice.choice([1, 4, 64]):]
    if kind == 3:
        return data[:at] + choice.choice([b"[", b"{", b"(", b"<", b"\xff", b"\0", b'"', b"- "]) * choice.choice([1, 2, 300, 20000]) + data[at:]
    if kind == 4:
        lines = data.splitlines(keepends=True) or [b""]
        first, second = choice.randrange(len(lines)), choice.randrange(len(lines))
        lines[first:first + choice.randrange(2)] = [lines[second]]
        return b"".join(lines)
    tokens = TOKEN.findall(data) or [b""]
    if kind < 7:
        numbers = [i for i, token in enumerate(tokens) if token[:1].isdigit()] or [0]
        tokens[choice.choice(numbers)] = choice.choice(NUMBERS).encode()
    elif kind == 7:
        tokens[choice.randrange(len(tokens))] = choice.choice(tokens)
    else:
        first = choice.randrange(len(tokens))
        tokens[first:first + 1] = [tokens[first]] * choice.choice([0, 2, 50])
    return b"".join(tokens)


def bound():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command):
    """Status and what it says on standard error; status None for one that is not over in time."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS, preexec_fn=bound)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stderr.decode(errors="replace")


def seal(program, manifest):
    """The program with another manifest of the same length, and a checksum that agrees."""
    whole = program[:program.index(manifest[0])] + manifest[1] + program[program.index(manifest[0]) + len(manifest[0]):-12]
    return whole + b"tsxcrc32" + zlib.crc32(whole).to_bytes(4, "little")


def safetensors():
    header = (b'{"x":{"dtype":"F32","shape":[8,16],"data_offsets":[0,512]},"w1":{"dtype":"F32","shape":[16,32],"data_offsets":[512,2560]},'
              b'"w2":{"dtype":"F32","shape":[32,16],"data_offsets":[2560,4608]}}')
    return len(header).to_bytes(8, "little") + header + bytes(4608)


def npy(rows, columns):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(4 * rows * columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--only")
    options = parser.parse_args()
    folder = options.folder
    program, other = folder / "program.tsx", str(folder / "other.tsx")
    subprocess.run(["tesserac", str(MODEL), "-o", str(program)], check=True)
    compiled = program.read_bytes()
    begin = compiled.index(b'{"')
    manifest = compiled[begin:compiled.index(b"\0", begin)]
    records = (b'{"records": [{"arch": 80, "m": 64, "n": 64, "k": 256, "kernel": "mma", "tile": "64x64x32/2x2/4", "splits": 1}, '
               b'{"arch": 80, "kernel": "cublasLt"}]}')
    product = str(SOURCE / "test/Benchmarks/Inputs/tuning/product.mlir")
    bare = str(SOURCE / "test/Transforms/Import/apply-plan-small.mlir")
    tensors = folder / "tensors"
    tensors.mkdir(exist_ok=True)
    for tensor, rows, columns in (("w1", 16, 32), ("w2", 32, 16)):
        (tensors / f"{tensor}.npy").write_bytes(npy(rows, columns))
    # What is damaged, the file's name, and what reads it.
    kinds = {
        "model": (MODEL.read_bytes(), "model.mlir", lambda file: ["tesserac", file, "-o", other]),
        "bytecode": ((INPUTS / "portable.mlirbc").read_bytes(), "model.mlirbc", lambda file: ["tesserac", file, "--compile-to=read", "-o", "-"]),
        "exported": ((INPUTS / "exported.jax").read_bytes(), "model.jax", lambda file: ["tesserac", file, "--compile-to=import", "-o", "-"]),
        "manifest": (manifest, "manifest.tsx", lambda file: ["tessera-run", file, "--random"]),
        "safetensors": (safetensors(), "safetensors.safetensors", lambda file: ["tessera-run", str(program), f"--inputs={file}"]),
        "npy": (npy(8, 16), "tensors/x.npy", lambda file: ["tessera-run", str(program), f"--inputs={tensors}"]),
        "cluster": (CLUSTER.encode(), "cluster.yaml", lambda file: ["tesserac", str(MODEL), f"--cluster={file}", "--compile-to=partition", "-o", "-"]),
        "axes": (AXES.encode(), "axes.yaml", lambda file: ["tesserac", str(MODEL), f"--cluster={file}", "--compile-to=partition", "-o", "-"]),
        "plan": (PLAN.encode(), "plan.yaml", lambda file: ["tesserac", bare, f"--plan={file}", "--compile-to=shard", "-o", "-"]),
        "links": (CLUSTER.encode(), "links.yaml", lambda file: ["tessera-run", str(program), "--random", "--timeout=3", f"--links={file}"]),
        "schedule": (SCHEDULE.encode(), "schedule.csv", lambda file: ["tessera-sim", f"--schedule={file}"]),
        "tuning": (records, "tuning.json", lambda file: ["tesserac", product, "--target=cuda:sm_80", f"--tuning={file}", "-o", other]),
    }
    problems = 0
    for name, (whole, path, command) in kinds.items():
        if options.only not in (None, name):
            continue
        choice = random.Random(f"{options.seed} {name}")
        taken = 0
        for number in range(options.count + 1):
            data = whole
            for _ in range(choice.choice([1, 1, 2, 5]) if number else 0):  # The first one is as it was: it is taken.
                data = change(data, choice)
            if name == "manifest":
                data = seal(compiled, (whole, data[:len(whole)].ljust(len(whole))))
            file = folder / path
            file.write_bytes(data)
            status, said = run(command(str(file)))
            taken += status == 0
            if status == 0 or number and status is not None and 0 < status < 64 and "error:" in said and "Stack dump" not in said:
                continue
            problems += 1
            kept = folder / f"{name}-{number}{file.suffix}"
            kept.write_bytes(data)
            print(f"{kept}: {'still runs after ' + str(SECONDS) + ' s' if status is None else 'status ' + str(status)}: {' '.join(command(str(file)))}\n{said[:600]}")
        print(f"{name}: {options.count} inputs, {taken} taken", flush=True)
    sys.exit(problems > 0)


main()
