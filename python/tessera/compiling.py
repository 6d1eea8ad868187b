"""Compiling model files and JAX functions, and running them on NumPy arrays through `tesserac` and `tessera-run`."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import weakref

import numpy as np

from .exporting import jitted, lower, trace
from .names import default_result_names, named_leaves
from .tensor_files import read_tensors, write_tensors
from .tools import find_tool
from .trees import is_key


class TesseraError(RuntimeError):
    """A tool failed. `status` is its exit status: 1 the request is wrong, 3 values differ, 4 a rank failed."""

    def __init__(self, tool, status, message):
        super().__init__(message or f"{tool} ended with status {status}")
        self.status = status


def _run(name, *arguments):
    done = subprocess.run([find_tool(name), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise TesseraError(name, done.returncode, done.stderr.strip())
    return done.stdout


def _mesh_flag(mesh):
    if mesh is None:
        return []
    text = mesh if isinstance(mesh, str) else ",".join(f"{axis}={size}" for axis, size in mesh.items())
    return [f"--mesh={text}"]


class Program:
    """A compiled model, `model.tsx`. All ranks run on this machine.

    arguments, results  their descriptions from the manifest, each a dictionary with `name`, `dtype` and `shape`.
    """

    def __init__(self, path, temporary=None, backend=None):
        """Opens a compiled file; `temporary` is a folder to be removed with this object, `backend` as for `compile`."""
        if temporary:
            weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True)
        self.path = pathlib.Path(path)
        manifest = json.loads(_run("tesserac", "--inspect", self.path, "--json"))
        self.arguments, self.results = manifest["arguments"], manifest["results"]
        self.backend = backend or ("cuda" if manifest["target"] == "cuda" else "local")

    def run(self, tensors):
        """Runs one step. Takes a dictionary of global arrays by argument name, returns one by result name."""
        with tempfile.TemporaryDirectory() as folder:
            inputs, outputs = pathlib.Path(folder) / "inputs.safetensors", pathlib.Path(folder) / "outputs.safetensors"
            write_tensors(tensors, inputs)
            _run("tessera-run", self.path, f"--backend={self.backend}", f"--inputs={inputs}", f"--outputs={outputs}")
            return read_tensors(outputs)

    def __call__(self, *arrays):
        """Runs one step on arrays in the order of `arguments`; returns a list in the order of `results`."""
        if len(arrays) != len(self.arguments):
            raise TypeError(f"expected {len(self.arguments)} arrays, got {len(arrays)}")
        outputs = self.run({argument["name"]: array for argument, array in zip(self.arguments, arrays)})
        return [outputs[result["name"]] for result in self.results]


def _as_jax_passes(leaf):
    """The NumPy array that a program made by JAX expects for `leaf`: of a random key the bits, of numbers what JAX makes of their type."""
    import jax

    array = np.asarray(jax.random.key_data(leaf) if is_key(leaf) else leaf)
    return array.astype(jax.dtypes.canonicalize_dtype(array.dtype), copy=False)


def _as_jax_returns(array, result):
    """`array` as a random key if the function's `result` is one."""
    import jax

    return jax.random.wrap_key_data(array, impl=result.dtype._impl.name) if is_key(result) else array


def _modes():
    """All modes of JAX that change what a function becomes, as JAX itself keys by them; None where this JAX does not tell."""
    try:
        from jax._src.config import trace_context
    except ImportError:
        return None
    return trace_context()


class _CompiledFunction:
    """A JAX function that is exported and compiled for the calls it meets, like a jitted one.

    Whether two calls run the same program is for JAX to say: it traces a call once for each set of shapes and types, values of static
    arguments and modes (64 bits, precision of products, ...). Where that cannot be asked, the text of the program tells.
    """

    def __init__(self, fn, compile_file):
        self.fn, self.jitted, self.compile_file = fn, jitted(fn), compile_file
        self.programs = {}  # By their text.
        self.known = {}  # By what JAX traced and its modes; that is kept, so that its identity stays its own.

    def program(self, *args, **kwargs):
        """The `Program` for arguments like these, and the tree of its results."""
        traced, modes = trace(self.jitted, args, kwargs), _modes()
        traced_to = getattr(traced, "jaxpr", None)
        key = (id(traced_to), modes) if traced_to is not None and modes is not None else None
        if key in self.known:
            return self.known[key][1:]
        text = lower(traced)
        if text not in self.programs:
            with tempfile.TemporaryDirectory() as folder:
                model = pathlib.Path(folder) / "model.mlir"
                model.write_text(text, encoding="utf-8")
                self.programs[text] = self.compile_file(model)
        if key is not None:
            self.known[key] = traced_to, self.programs[text], traced.out_info
        return self.programs[text], traced.out_info

    def __call__(self, *args, **kwargs):
        import jax

        program, results = self.program(*args, **kwargs)
        leaves = named_leaves(self.fn, args, kwargs)
        # Static arguments are no arguments of the program, nor are, for JAX, those that the function does not use.
        outputs = program.run({argument["name"]: _as_jax_passes(leaves[argument["name"]]) for argument in program.arguments})
        leaves, tree = jax.tree.flatten(results)
        names = default_result_names(results)
        return jax.tree.unflatten(tree, [_as_jax_returns(outputs[name], leaf) for name, leaf in zip(names, leaves)])


def compile(fn_or_file, mesh=None, target=None, output=None, flags=(), backend=None):
    """Compiles a model file, or a JAX function, to a callable on NumPy arrays.

    fn_or_file  the path of a model file: compiled at once, the result is a `Program`. A JAX function (jitted or plain):
                compiled when it is first called with arguments of new shapes, other values of static arguments, or under
                other modes of JAX (64 bits, precision of products); takes and returns the function's own trees.
    mesh        sizes of the mesh axes, as `{"data": 2, "model": 4}` or `"data=2,model=4"`; the file's own by default.
    target      as `tesserac --target`.
    output      where to keep the compiled file of a model file; removed with the `Program` by default.
    flags       further flags for `tesserac`.
    backend     as `tessera-run --backend`; by default `cuda` for programs of that target, `local` for others.

    Raises TesseraError with the tool's diagnostic.
    """
    options = [*_mesh_flag(mesh), *([f"--target={target}"] if target else []), *flags]

    def compile_file(model):
        temporary = tempfile.mkdtemp() if output is None else None
        path = output or f"{temporary}/model.tsx"
        try:
            _run("tesserac", model, "-o", path, *options)
        except BaseException:
            if temporary:
                shutil.rmtree(temporary, ignore_errors=True)
            raise
        return Program(path, temporary, backend)

    if callable(fn_or_file):
        if output is not None:
            raise TypeError("expected no output for a function, which is compiled for each shape it meets")
        return _CompiledFunction(fn_or_file, compile_file)
    return compile_file(fn_or_file)
