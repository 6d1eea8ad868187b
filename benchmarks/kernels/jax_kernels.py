"""XLA's side of the kernel benchmarks, a process that answers requests: a line of JSON in, a line of JSON out.

`{"export": folder}`: writes every case's program, `N.mlir`, and its arguments, `N.safetensors`; `{}` when done.
`{"case": N, "seconds": s}`: runs case N for about `s` seconds; answers the fastest run and the median in milliseconds.
`{"case": N, "results": file}`: writes the results of case N to a .safetensors file.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / "python"))


class Server:
    def __init__(self, devices):
        import jax
        import numpy as np

        self.mesh = jax.sharding.Mesh(np.array(jax.devices()[:devices]), ("x",))
        self.compiled = {}

    def function(self, case):
        """The case's function, jitted, with its arguments sharded where there is more than one device."""
        import jax

        if self.mesh.size == 1:
            return jax.jit(case.function)
        shardings = [
            jax.sharding.NamedSharding(self.mesh, jax.sharding.PartitionSpec(*[None] * (dim or 0), "x" if dim is not None else None))
            for dim in case.split
        ]
        return jax.jit(case.function, in_shardings=tuple(shardings))

    def arguments(self, case):
        import numpy as np

        generator = np.random.default_rng(0)
        return [generator.uniform(0.5, 1.5, shape).astype(case.dtype) for shape in case.shapes]

    def get(self, case):
        """The compiled function and its arguments on the devices."""
        import jax

        if case.name not in self.compiled:
            arguments = self.arguments(case)
            compiled = self.function(case).lower(*arguments).compile()
            placed = [jax.device_put(a, s) for a, s in zip(arguments, compiled.input_shardings[0])]
            self.compiled[case.name] = compiled, placed
        return self.compiled[case.name]

    def export(self, numbers, folder):
        import jax
        from safetensors.numpy import save_file

        import tessera
        from cases import CASES

        for number in numbers:
            case = CASES[number]
            shapes = [jax.ShapeDtypeStruct(shape, case.dtype) for shape in case.shapes]
            tessera.export(self.function(case), *shapes, path=folder / f"{number}.mlir", root=REPOSITORY)
            save_file({f"arg{i}": a for i, a in enumerate(self.arguments(case))}, folder / f"{number}.safetensors")
        return {}

    def measure(self, case, seconds):
        import jax

        compiled, arguments = self.get(case)
        jax.block_until_ready(compiled(*arguments))
        times, end = [], time.perf_counter() + seconds
        while len(times) < 5 or time.perf_counter() < end:
            start = time.perf_counter()
            jax.block_until_ready(compiled(*arguments))
            times.append(1e3 * (time.perf_counter() - start))
        return {"fastest": min(times), "median": statistics.median(times)}

    def results(self, case, path):
        import jax
        import numpy as np
        from safetensors.numpy import save_file

        compiled, arguments = self.get(case)
        values = jax.tree.leaves(compiled(*arguments))
        save_file({f"result{i}": np.array(value) for i, value in enumerate(values)}, path)
        return {}

    def answer(self, request):
        from cases import CASES

        if "export" in request:
            return self.export(request["cases"], pathlib.Path(request["export"]))
        case = CASES[request["case"]]
        if "results" in request:
            return self.results(case, request["results"])
        return self.measure(case, request["seconds"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=1)
    options = parser.parse_args()
    import jax

    if options.devices > 1:
        jax.config.update("jax_num_cpu_devices", options.devices)
    server = Server(options.devices)
    for line in sys.stdin:
        print(json.dumps(server.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
