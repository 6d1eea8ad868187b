"""Bytes that a device sends per step: Tessera beside a plan made by hand and XLA's program, as it stands and credited.

    python benchmarks/communication/communication.py [--cases NAME…] [--output=FILE.json]
    python benchmarks/communication/communication.py --cases=zero1 --show
"""

import argparse
import gzip
import hashlib
import json
import math
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
sys.path[:0] = [str(FOLDER), str(REPOSITORY / "python")]
DEVICES = 8
# Collectives are settled before code is generated: spend little on that.
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES} --xla_backend_optimization_level=0"

import jax
import numpy as np
from jax.sharding import Mesh
from safetensors.numpy import load_file, save_file

import crediting
import hlo
import transformer
import architectures, attentions, decoding, experts, fields, layouts, moves, networks, numerics, optimizers, regions, routines, routing, serving, spellings, tables, towers, training  # noqa: E401, F401: they register their cases
from case import CASES
from tessera import export, stablehlo
from tessera.names import argument_names, override_result_names


def jax_mesh(axes, single=False):
    """The case's mesh over the forced devices, or with the same axes over one."""
    shape = tuple(1 if single else size for size in axes.values())
    return Mesh(np.array(jax.devices()[: math.prod(shape)]).reshape(shape), tuple(axes))


# ---- values -----------------------------------------------------------------------------------------------------------


def draw(name, shape, random, limit):
    """Random input for an argument: optimizer state not negative, gains around one."""
    if np.issubdtype(shape.dtype, np.integer):
        return random.integers(0, limit, shape.shape).astype(shape.dtype)
    values = random.standard_normal(shape.shape) * 0.05
    if name.startswith("opt"):
        values = np.abs(values) * 0.1
    if "'ln" in name and not name.startswith("opt"):
        values += 1
    return np.asarray(values, shape.dtype)


def reference(case, folder):
    """Writes the case's inputs and the results of one device, unless they are there; returns their paths."""
    inputs, expected = folder / "inputs.safetensors", folder / "expected.safetensors"
    if not expected.exists():
        jitted, arguments, _ = case.build(jax_mesh(case.mesh, single=True))
        names = argument_names(jitted, arguments)
        random = np.random.default_rng(0)
        leaves, tree = jax.tree.flatten(arguments)
        values = [draw(name, leaf, random, case.limit) for name, leaf in zip(names, leaves, strict=True)]
        save_file(dict(zip(names, values)), inputs)
        results = jitted(*jax.tree.unflatten(tree, values))
        names = jax.tree.leaves(override_result_names(jax.eval_shape(jitted, *arguments), None))
        save_file({n: np.array(r) for n, r in zip(names, jax.tree.leaves(results), strict=True)}, expected)
    return inputs, expected


# ---- the systems ------------------------------------------------------------------------------------------------------


def summary(collectives):
    collectives = list(collectives)
    rows = [collective.describe() for collective in collectives]
    calls = sum(collective.times for collective in collectives if collective.index == 0)
    return {"bytes": sum(row["bytes"] for row in rows), "calls": calls, "collectives": rows}


def measure_xla(lowered, folder):
    """XLA's compiled program as it stands and credited; its text is kept in `folder`."""
    file = folder / "xla.txt.gz"
    if not file.exists():
        file.write_bytes(gzip.compress(lowered.compile().as_text().encode()))
    module = hlo.parse(gzip.decompress(file.read_bytes()).decode())
    graph = hlo.build(module)
    return summary(graph.collectives(DEVICES)), summary(crediting.credited(graph, DEVICES))


def run(options, tool, *arguments):
    """Runs a tool of Tessera; returns None, or its first line of error."""
    command = [str(options.bin / tool), *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return f"{tool}: over {options.timeout} s"
    if done.returncode == 0:
        return None
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line] or lines or [f"status {done.returncode}"]
    return f"{tool}: {errors[0][:300]}"


def measure_tessera(options, model, inputs, expected, folder):
    """Tessera's compiled program; its values against those of one device."""
    report, program = folder / "report.json", folder / "model.tsx"
    error = run(options, "tesserac", model, "-o", program, f"--report={report}")
    if error:
        return {"refused": error}
    communication = json.loads(report.read_text())["communication"]
    result = {key: communication[key] for key in ("bytes", "calls", "collectives")}
    if options.values:
        error = run(options, "tessera-run", program, f"--inputs={inputs}", f"--expect={expected}", "--tolerance=1e-4")
        result["values"] = error or "equal"
    return result


def measure(options, case):
    """All figures of one case. What only depends on the program is kept in the cache."""
    jitted, arguments, plan = case.build(jax_mesh(case.mesh))
    lowered = jitted.lower(*arguments)
    digest = hashlib.sha256((jax.__version__ + lowered.as_text()).encode()).hexdigest()[:16]
    folder = options.cache / f"{case.name}-{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    model = (options.models or folder) / f"{case.name}.mlir"
    if options.small:
        module = stablehlo.copy(lowered.compiler_ir("stablehlo"))
        stablehlo.resolve_donations(module)
        model.write_text(module.operation.get_asm(print_generic_op_form=True))
    else:
        export(jitted, *arguments, path=model, root=REPOSITORY)
    row = {"case": case.name, "mesh": " ".join(f"{name}={size}" for name, size in case.mesh.items())}
    row["hand"] = {"bytes": plan.bytes, "collectives": plan.rows}
    row["tessera"] = row["xla"] = row["credited"] = {"refused": "not asked for"}
    if "xla" in options.systems:
        row["xla"], row["credited"] = measure_xla(lowered, folder)
    if "tessera" in options.systems:
        inputs, expected = reference(case, folder) if options.values else (None, None)
        row["tessera"] = measure_tessera(options, model, inputs, expected, folder)
    return row


# ---- tables -----------------------------------------------------------------------------------------------------------


def ratio(row, system, other):
    """Bytes of one system over those of another; None where there are none."""
    if "bytes" not in row[system] or not row[other].get("bytes"):
        return None
    return row[system]["bytes"] / row[other]["bytes"]


def mean(values):
    """Geometric mean."""
    values = [max(value, 1e-3) for value in values if value is not None]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def table(rows):
    """The results as a Markdown table with the geometric means."""
    number = lambda value: "-" if value is None else f"{value:.2f}"
    kilobytes = lambda system: f"{system['bytes'] / 1e3:.1f}" if "bytes" in system else "-"
    lines = ["| case | mesh | hand KB | Tessera | XLA | XLA credited | Tessera / hand | Tessera / credited | values |"]
    lines.append("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        cells = [row["case"], row["mesh"], *(kilobytes(row[s]) for s in ("hand", "tessera", "xla", "credited"))]
        cells += [number(ratio(row, "tessera", "hand")), number(ratio(row, "tessera", "credited"))]
        values = row["tessera"].get("values", "")
        lines.append("| " + " | ".join([*cells, "equal" if values == "equal" else "differ" if values else ""]) + " |")
    means = [mean(ratio(row, *pair) for row in rows) for pair in (("tessera", "hand"), ("tessera", "credited"))]
    others = [mean(ratio(row, system, "hand") for row in rows) for system in ("xla", "credited")]
    lines.append("")
    lines.append(
        f"Geometric means over {len(rows)} cases: Tessera / hand {means[0]:.3f}, Tessera / XLA credited {means[1]:.3f}, "
        f"XLA / hand {others[0]:.2f}, XLA credited / hand {others[1]:.2f}."
    )
    calls = [(row["tessera"]["calls"], sum(c["times"] for c in row["tessera"]["collectives"]), row["xla"]["calls"])
             for row in rows if "calls" in row["tessera"] and "calls" in row["xla"]]
    if calls:
        ours, parts, theirs = map(sum, zip(*calls))
        lines.append(f"Calls in all steps: {ours} for {parts} collectives, XLA {theirs}.")
    return "\n".join(lines)


def show(case, row):
    """Each side's collectives, the dearest first."""
    print(f"\n{case.name} on {row['mesh']}: {' '.join(case.about.split())}")
    for system in ("hand", "tessera", "xla", "credited"):
        if "refused" in row[system]:
            print(f"\n{system}: {row[system]['refused']}")
            continue
        calls = f" in {row[system]['calls']} calls" if "calls" in row[system] else ""
        print(f"\n{system}: {row[system]['bytes']} bytes{calls}")
        for c in sorted(row[system]["collectives"], key=lambda c: -c["bytes"]):
            where = ",".join(c["axes"]) if "axes" in c else f"{c['participants']} devices"
            merged = f" ({c['merged']} of the program)" if c.get("merged", 1) > 1 else ""
            print(f"{c['bytes']:12} {c['times']:4}x {c['kind']} {where} {c['type']}  {c['location']}{merged}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", default=None, metavar="NAME", help="only these (default: all)")
    parser.add_argument("--systems", nargs="+", choices=("tessera", "xla"), default=["tessera", "xla"], help="default: both")
    parser.add_argument("--small", action="store_true", help="transformers of one layer, with momentum; no locations")
    parser.add_argument("--show", action="store_true", help="list each side's collectives")
    parser.add_argument("--no-values", dest="values", action="store_false", help="do not run the programs")
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "build" / "bin", help="where tesserac is")
    parser.add_argument("--cache", type=pathlib.Path, default=REPOSITORY / "build" / "communication", help="kept between runs")
    parser.add_argument("--models", type=pathlib.Path, help="write the exported programs to this folder")
    parser.add_argument("--output", type=pathlib.Path, help="write all figures to this JSON file")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run of a tool (default 300)")
    options = parser.parse_args()

    unknown = [name for name in options.cases or [] if name not in CASES]
    if unknown:
        parser.error(f"expected cases among {', '.join(CASES)}, got {', '.join(unknown)}")
    if options.small:
        transformer.DEFAULTS.update(layers=1, optimizer="momentum")
    rows = []
    for name in options.cases or CASES:
        rows.append(measure(options, CASES[name]))
        print(name, {s: rows[-1][s].get("bytes", rows[-1][s]) for s in ("hand", "tessera", "xla", "credited")}, file=sys.stderr)
        if options.show:
            show(CASES[name], rows[-1])
    print("\n" + table(rows))
    for row in rows:
        problem = row["tessera"].get("refused") or row["tessera"].get("values", "equal")
        if problem != "equal":
            print(f"{row['case']}: {problem}")
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
