"""From model files to programs, with a cache of compiled files on disk."""

import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from .compiler import find_compiler, run_compiler
from .errors import TesseraError
from .plans.writing import plan_file
from .programs import Program


class Compiler:
    """What `tesserac` is asked, and where programs run.

    mesh, target, flags, plan  as for `compile`.
    runtime                    as for `Program`: backend, threads, timeout.
    """

    def __init__(self, mesh=None, target=None, flags=(), plan=None, **runtime):
        self.options = [*_mesh_flag(mesh), *_plan_flag(plan), *([f"--target={target}"] if target else []), *flags]
        self.runtime = runtime

    def compile_files(self, models, output=None):
        """The `Program` of model files, an entry point each if there are several; its file is `output`, or a temporary one."""
        return self._compile([str(model) for model in models], None, output)

    def _compile(self, flags, text, output):
        temporary = tempfile.mkdtemp() if output is None else None
        path = output or f"{temporary}/model.tsx"
        try:
            run_compiler([*flags, "-o", path, *self.options], text)
            return Program(path, temporary, **self.runtime)
        except BaseException:
            if temporary:
                shutil.rmtree(temporary, ignore_errors=True)
            raise

    def compile_text(self, text, identity=None):
        """The `Program` of a model file's text, from the cache if that has it: by `identity`, which equal programs share, else by the text."""
        folder = cache_folder()
        return self._compile([], text, None) if folder is None else self._compile_cached(text, identity or text, folder)

    def _compile_cached(self, text, identity, folder):
        path = folder / f"{self._key(identity)}.tsx"
        if path.exists():
            try:
                return Program(path, **self.runtime)
            except TesseraError:  # A damaged file: made again.
                pass
        folder.mkdir(parents=True, exist_ok=True)
        # The compiler puts whole files in place, so that several processes may do this at the same time.
        return self._compile([], text, path)

    def _key(self, text):
        """Of the module, the options with the files they name, the compiler with its libraries, and the instructions of this machine or
        those asked for in their place, which programs use."""
        files = [_digest(option.partition("=")[2] or option) for option in self.options]
        parts = [text, *self.options, *files, *_compiler_versions(), _processor(), os.environ.get("TESSERA_CPU", "")]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def print_phase(self, text, phase):
        """The IR of a model file's text after a phase."""
        return run_compiler([f"--compile-to={phase}", *self.options], text).decode()


@functools.cache
def _compiler_versions():
    """What tells this compiler from others: the one that this process found first, and goes on with."""
    tool = pathlib.Path(find_compiler()).resolve()
    return [part for file in (str(tool), *_libraries(tool)) for part in _version(file)]


def cache_folder():
    """Where compiled functions are kept: `$TESSERA_CACHE`, or `tessera` in the folder of JAX's compilation cache; None where neither is set."""
    folder = os.environ.get("TESSERA_CACHE")
    if folder:
        return pathlib.Path(folder)
    if "jax" not in sys.modules:
        return None
    import jax

    shared = jax.config.jax_compilation_cache_dir if jax.config.jax_enable_compilation_cache else None
    return pathlib.Path(shared) / "tessera" if shared else None


def _digest(path):
    """Of a file's bytes; empty if there is no such file."""
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest() if os.path.isfile(path) else ""


def _version(path):
    """What tells a file from another that is put in its place."""
    status = os.stat(path)
    return path, str(status.st_size), str(status.st_mtime_ns)


@functools.cache
def _libraries(tool):
    """The paths of the shared libraries that a tool loads, LLVM's among them; none where the system does not tell."""
    try:
        listing = subprocess.run(["ldd", tool], capture_output=True, text=True).stdout
    except OSError:
        return []
    return [path for path in re.findall(r"(/\S+) \(0x", listing) if os.path.isfile(path)]


def _processor():
    """The first description of a processor in the system's list, less what changes from moment to moment."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().partition("\n\n")[0].splitlines()
    except OSError:
        return ""
    return "\n".join(line for line in lines if line.startswith(("model name", "flags", "Features")))


def _mesh_flag(mesh):
    if mesh is None:
        return []
    text = mesh if isinstance(mesh, str) else ",".join(f"{axis}={size}" for axis, size in dict(getattr(mesh, "shape", mesh)).items())
    return [f"--mesh={text}"]


def _plan_flag(plan):
    return [] if plan is None else [f"--plan={plan_file(plan)}"]


def compile(fn_or_file, mesh=None, target=None, output=None, flags=(), backend=None, plan=None):
    """Compiles a model file, or a JAX function, to a callable on NumPy arrays.

    fn_or_file  the path of a model file: compiled at once, the result is a `Program`. A list of such paths: each model is an entry point of one
                program, in which they share tensors by name (`Program.entry`). A JAX function (jitted or plain):
                compiled when it is first called with arguments of new shapes, other values of static arguments, or under
                other modes of JAX (64 bits, precision of products); takes and returns the function's own trees. `jit` is the same with arrays of JAX.
    mesh        sizes of the mesh axes, as `{"data": 2, "model": 4}` or `"data=2,model=4"`; the file's own by default.
    target      as `tesserac --target`.
    output      where to keep the compiled file of a model file; removed with the `Program` by default.
    flags       further flags for `tesserac`.
    backend     as `tessera-run --backend`; by default `cuda` for programs of that target, `local` for others.
    plan        how to split a model without annotations: the path of a plan file, or a dictionary of what stands in one (docs/plans.md).

    Raises TesseraError with the tool's diagnostic.
    """
    compiler = Compiler(mesh, target, flags, plan, backend=backend)
    if not callable(fn_or_file):
        return compiler.compile_files(fn_or_file if isinstance(fn_or_file, (list, tuple)) else [fn_or_file], output)
    if output is not None:
        raise TypeError("expected no output for a function, which is compiled for each shape it meets")
    from .jitting import CompiledFunction

    return CompiledFunction(fn_or_file, compiler, numpy_results=True)
