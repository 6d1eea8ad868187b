"""Predicted seconds of compiled training steps beside published ones.

    python benchmarks/prediction/prediction.py [--models NAME...] [--plans t-d-p...] [--target=cuda:sm_80] [--output=FILE.json]

Each step is exported with JAX, compiled for the described machine, and predicted by the compiler (`step` of --report). What
has been predicted stands in the output file already and is not compiled again.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
sys.path[:0] = [str(FOLDER), str(REPOSITORY / "python")]

from rows import MODELS  # noqa: E402


def export(options, model, key, batch):
    """The model file of a plan, made if it is not there."""
    tensor, data, stages, _ = key[:4]
    path = options.models_folder / f"{model.width}-{batch}-{tensor}-{data}-{stages}.mlir"
    if not path.exists():
        import models
        import tessera

        config = models.Config(model.layers, model.width, model.heads, model.sequence, batch, stages=stages)
        step, arguments = models.training(config, data, tensor)
        tessera.export(step, *arguments, path=path, root=REPOSITORY)
    return path


def predict(options, model, key):
    """The parts of a step in seconds, as --report has them, and what compiling took."""
    tensor, data, stages, size, *rest = key
    batch = rest[0] if rest else model.batch
    count = batch // (data * size)
    machine = FOLDER / model.machine if model.machine.endswith(".yaml") else model.machine
    report = options.models_folder / "report.json"
    command = [options.tools / "tesserac", export(options, model, key, batch), f"--cluster={machine}", f"--target={options.target}"]
    command += [f"--report={report}", "-o", options.models_folder / "model.tsx"]
    command += [f"--microbatches={count}"] if count > 1 else []
    command += [f"--stages={stages}", "--schedule=1f1b"] if stages > 1 else []
    start = time.monotonic()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[0][:200]}
    return json.loads(report.read_text())["step"] | {"compiled": round(time.monotonic() - start, 1)}


def kendall(pairs):
    """Kendall's tau of (published, predicted) pairs; pairs that tie count for nothing."""
    signs = [(a - c) * (b - d) for (a, b), (c, d) in itertools.combinations(pairs, 2)]
    return sum((sign > 0) - (sign < 0) for sign in signs) / max(len(signs), 1)


def regret(pairs, count):
    """How much slower the best of the `count` plans predicted fastest is than the best of all."""
    chosen = sorted(pairs, key=lambda pair: pair[1])[:count]
    return min(chosen)[0] / min(pairs)[0] - 1


def describe(model, results):
    print(f"\n{model.name}\n| t-d-p | microbatch | batch | published | predicted | error |\n|---|---|---|---|---|---|")
    pairs = {}
    for key, published in model.rows.items():
        result = results.get(str(key))
        if not result:
            continue
        plan, batch = "-".join(map(str, key[:3])), key[4] if len(key) > 4 else model.batch
        if "error" in result:
            print(f"| {plan} | {key[3]} | {batch} | {published:.3f} s | {result['error']} | |")
            continue
        pairs.setdefault(batch, []).append((published, result["seconds"]))
        print(f"| {plan} | {key[3]} | {batch} | {published:.3f} s | {result['seconds']:.3f} s | {result['seconds'] / published - 1:+.0%} |")
    for batch, some in pairs.items():
        error = sum(abs(b / a - 1) for a, b in some) / len(some)
        print(f"\nbatch {batch}, {len(some)} rows: mean error {error:.1%}, Kendall's tau {kendall(some):.2f}, ", end="")
        print(f"regret of the first {regret(some, 1):.1%}, of the best of the first five {regret(some, 5):.1%}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--plans", nargs="+", help="only these, as 4-2-1")
    parser.add_argument("--target", default="cuda:sm_80")
    parser.add_argument("--tools", type=pathlib.Path, default=REPOSITORY / "build" / "bin")
    parser.add_argument("--output", type=pathlib.Path, default=REPOSITORY / "build" / "prediction" / "results.json")
    options = parser.parse_args()
    options.models_folder = REPOSITORY / "build" / "prediction"
    options.models_folder.mkdir(parents=True, exist_ok=True)
    known = json.loads(options.output.read_text()) if options.output.exists() else {}
    for name in options.models:
        model, results = MODELS[name], known.setdefault(name, {})
        for key in model.rows:
            plan = "-".join(map(str, key[:3]))
            if str(key) in results or (options.plans and plan not in options.plans):
                continue
            results[str(key)] = predict(options, model, key)
            print(name, plan, key[3], results[str(key)], file=sys.stderr, flush=True)
            options.output.write_text(json.dumps(known, indent=1))
    for name in options.models:
        describe(MODELS[name], known[name])


if __name__ == "__main__":
    main()
