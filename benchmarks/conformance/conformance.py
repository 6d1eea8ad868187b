"""What Tessera computes for each operation of StableHLO and CHLO, beside JAX on the CPU; see README.md."""

import argparse
import collections
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

import jax.numpy as jnp
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cases
from compare import compare

ROOT = pathlib.Path(__file__).resolve().parents[2]


CODES = {"bool": "BOOL", "bfloat16": "BF16", "complex64": "C64"}


def stored(array):
    """(code, shape, bytes) in safetensors: short types as the bytes that hold them, complex128 as pairs."""
    name = array.dtype.name
    if name in cases.SHORT_INTEGERS:
        array = array.astype(np.uint8 if name.startswith("u") else np.int8)
    elif name in cases.SHORT_FLOATS:
        array = array.view(np.uint8)
    elif name == "complex128":
        array = np.asarray(array, order="C")[..., None].view(np.float64)  # ascontiguousarray gives scalars a dimension
    dtype = array.dtype
    code = CODES.get(dtype.name) or {"f": "F", "i": "I", "u": "U"}[dtype.kind] + str(8 * dtype.itemsize)
    return code, list(array.shape), array.tobytes()


def restored(data, expected):
    """The array of the type and shape of `expected` in `data`; None if that has another size."""
    dtype = expected.dtype
    if dtype.name in cases.SHORT_INTEGERS:
        return np.frombuffer(data, np.int8).astype(dtype).reshape(expected.shape) if len(data) == expected.size else None
    return np.frombuffer(data, dtype).reshape(expected.shape) if len(data) == expected.nbytes else None


def write_tensors(path, tensors):
    header, offset = {}, 0
    for name, (code, shape, data) in tensors.items():
        header[name] = {"dtype": code, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data for _, _, data in tensors.values()))


def read_tensors(path):
    """The bytes of the tensors of a file by their names."""
    contents = path.read_bytes()
    (size,) = struct.unpack("<Q", contents[:8])
    places = {name: entry["data_offsets"] for name, entry in json.loads(contents[8 : 8 + size]).items() if name != "__metadata__"}
    return {name: contents[8 + size + start : 8 + size + end] for name, (start, end) in places.items()}


def from_text(text, arguments):
    """(generic form, results) of a StableHLO module that XLA runs."""
    from jax._src.lib import xla_client
    from jax.interpreters import mlir
    from jaxlib.mlir import ir

    with mlir.make_ir_context():
        parsed = ir.Module.parse(text)
        generic = parsed.operation.get_asm(print_generic_op_form=True)
        client = jax.local_devices()[0].client
        devices = xla_client.DeviceList(tuple(jax.local_devices()[:1]))
        executable = client.compile_and_load(parsed, devices, xla_client.CompileOptions())
        out = executable.execute_sharded([jnp.asarray(a) for a in arguments])
        return generic, [np.asarray(shards[0]) for shards in out.disassemble_into_single_device_arrays()]


def from_function(case):
    """(generic form, results) of a function that JAX lowers."""
    arguments = [jnp.asarray(a) for a in case.arguments]
    lowered = jax.jit(case.function, keep_unused=True).lower(*arguments)
    generic = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
    return generic, [np.asarray(r) for r in jax.tree.leaves(lowered.compile()(*arguments))]


class Tools:
    """The compiler, the interpreter and the runtime, in a folder of their files."""

    def __init__(self, build, folder, target, inputs):
        self.bin, self.folder, self.target, self.inputs = build / "bin", folder, target, inputs

    def call(self, name, *arguments):
        """The message of a failure, or nothing."""
        done = subprocess.run([self.bin / name, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)
        if done.returncode == 0:
            return None
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if "error:" in line]
        message = (errors or lines or [f"status {done.returncode}"])[0]
        return ("crash: " if done.returncode < 0 or done.returncode > 125 else "") + message.split("error: ")[-1]

    def results(self, file, expected):
        tensors = read_tensors(self.folder / file)
        return [restored(tensors.get(f"result{i}", b""), e) for i, e in enumerate(expected)]

    def interpret(self, expected):
        message = self.call("tessera-interpret", "import.mlir", *self.inputs, "--outputs=seen.safetensors")
        return message, None if message else self.results("seen.safetensors", expected)

    def run(self, expected):
        options = ["--target=cuda:sm_80"] if self.target == "emulated" else []
        message = self.call("tesserac", "import.mlir", "--compile-from=import", *options, "-o", "case.tsx")
        message = message or self.call("tessera-run", "case.tsx", *(["--backend=emulated"] if options else []), *self.inputs, "--outputs=ran.safetensors")
        return message, None if message else self.results("ran.safetensors", expected)


def in_double(case, expected):
    """What the function of `case` gives in double precision, rounded; None where that is no better."""
    if case.text or case.tolerance != cases.ROUNDED or any(np.asarray(a).dtype.name not in cases.FLOATS[:3] for a in case.arguments):
        return None
    results = jax.jit(case.function)(*(jnp.asarray(np.asarray(a).astype(np.float64)) for a in case.arguments))
    return [np.asarray(r).astype(e.dtype) for r, e in zip(jax.tree.leaves(results), expected)]


def worst(results, expected, tolerance):
    found = [compare(g, e, tolerance) for g, e in zip(results, expected)]
    return max(found, key=lambda verdict: ["exact", "near", "wrong"].index(verdict[0]))


def judge(outcome, expected, case):
    message, results = outcome
    if message:
        return "wrong", message
    verdict = worst(results, expected, case.tolerance)
    if verdict[0] == "wrong" and (better := in_double(case, expected)):
        verdict = worst(results, better, case.tolerance)
    return verdict


def check(case, build, target):
    """[(what, verdict, detail)] of a case; empty if JAX does not have it."""
    try:
        text, expected = from_text(case.text, case.arguments) if case.text else from_function(case)
    except Exception as error:
        return [("jax", "absent", str(error).splitlines()[0] if str(error) else type(error).__name__)]
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(build, pathlib.Path(folder), target, ["--inputs=in.safetensors"] if case.arguments else [])
        (tools.folder / "case.mlir").write_text(re.sub(r'jax.result_info = "[^"]*"', 'jax.name = ""', text))
        write_tensors(tools.folder / "in.safetensors", {f"arg{i}": stored(np.asarray(a)) for i, a in enumerate(case.arguments)})
        refusal = tools.call("tesserac", "case.mlir", "--compile-to=import", "-o", "import.mlir")
        if refusal:
            return [("import", "crash" if refusal.startswith("crash") else "refused", refusal)]
        verdicts = [("interpreter", *judge(tools.interpret(expected), expected, case))]
        return verdicts + [(target, *judge(tools.run(expected), expected, case))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--filter", default="", help="cases whose names contain this")
    parser.add_argument("--part", default="0/1", help="every Nth of the cases: 3/10")
    parser.add_argument("--target", choices=["cpu", "emulated"], default="cpu")
    parser.add_argument("--all", action="store_true", help="print what is exact, too")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    counts = collections.Counter()
    for case in cases.everything():
        if options.filter not in case.name or not case.is_drawn(part, parts):
            continue
        for place, verdict, detail in check(case, options.build.resolve(), options.target):
            counts[place, verdict] += 1
            if options.all or verdict not in ("exact", "near"):
                print(f"{verdict:8} {place:12} {case.name:40} {detail}", flush=True)
    for (place, verdict), count in sorted(counts.items()):
        print(f"# {place} {verdict}: {count}")
    return any(verdict in ("wrong", "crash") for _, verdict in counts)


if __name__ == "__main__":
    sys.exit(main())
