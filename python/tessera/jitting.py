"""`tessera.jit`: `jax.jit` with Tessera as the compiler."""

import functools

from .buffers import lying
from .calling import Executable, NotEmbedded
from .compiling import Compiler
from .embedding import bind, current, primitive
from .exporting import jitted, lower_text, lowered, trace
from .jit_stages import Traced


_UNKNOWN = (None, None)


def jit(fun=None, /, *, mesh=None, plan=None, compiler_options=None, **options):
    """A function like `fun` that Tessera compiles when it is first called with arguments of new types.

    fun               a function, or one that `jax.jit` has seen, with its shardings, donations and static arguments; or what `nnx.jit` or `eqx.filter_jit`
                      has made, which is changed in place. Without it, the result is a decorator.
    mesh              a `jax.sharding.Mesh`, for shardings that are given as `PartitionSpec`; or sizes of the mesh axes, as
                      `{"data": 2, "model": 4}`, that replace those of the function's mesh.
    plan              how to split a function without shardings: the path of a plan file, or a dictionary of what stands in one (docs/plans.md).
    compiler_options  a dictionary: `backend`, `threads` and `timeout` for the ranks, all else flags of `tesserac`, as
                      `{"target": "cuda", "memory_limit": "80GB"}`.
    options           those of `jax.jit`: in_shardings, out_shardings, static_argnums, static_argnames, donate_argnums, donate_argnames,
                      keep_unused, inline.

    Within a transformation of JAX, under another `jax.jit`, `grad` or `vmap`, a call is one operation, which Tessera compiles, and what JAX
    derives from it; on several devices, where it calls Python or has references, JAX compiles it.
    """
    if fun is None:
        return functools.partial(jit, mesh=mesh, plan=plan, compiler_options=compiler_options, **options)
    compiler = _compiler_of(mesh, plan, compiler_options or {})
    holder = _holder_of_jitted(fun)
    if holder:
        if options:
            raise TypeError(f"expected no {', '.join(options)} for a function that is jitted already")
        object.__setattr__(fun, holder, CompiledFunction(getattr(fun, holder), compiler))
        return fun
    if hasattr(fun, "trace") and options:
        raise TypeError(f"expected no {', '.join(options)} for a function that is jitted already")
    if not hasattr(fun, "trace"):
        import jax

        for name in ("in_shardings", "out_shardings"):
            if name in options:
                options[name] = _with_mesh(options[name], mesh)
        fun = jax.jit(fun, **options)
    return CompiledFunction(fun, compiler)


def _compiler_of(mesh, plan, options):
    """The `Compiler` for these options of `jit`."""
    options = dict(options)
    runtime = {name: options.pop(name) for name in ("backend", "threads", "timeout") if name in options}
    flags = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is not False and value is not None:
            flags.append(flag if value is True else f"{flag}={value}")
    return Compiler(None if hasattr(mesh, "axis_names") else mesh, flags=flags, plan=plan, **runtime)


def _with_mesh(shardings, mesh):
    """`shardings` with those that are only a PartitionSpec on `mesh`, if it is one."""
    import jax
    from jax.sharding import NamedSharding, PartitionSpec

    if not hasattr(mesh, "axis_names"):
        return shardings

    def place(leaf):
        return NamedSharding(mesh, leaf) if isinstance(leaf, PartitionSpec) else leaf

    return jax.tree.map(place, shardings, is_leaf=lambda leaf: leaf is None or isinstance(leaf, PartitionSpec))


def _holder_of_jitted(fun):
    """The name of the attribute by which `fun`, which is no jitted function itself, keeps the one that it calls; None for others.

    Such are the functions of `nnx.jit` and `eqx.filter_jit`: they take objects apart, call, and put objects together.
    """
    import jax

    kind = type(jax.jit(lambda: None))
    if isinstance(fun, kind):
        return None
    names = [name for name, value in getattr(fun, "__dict__", {}).items() if isinstance(value, kind) and name != "__wrapped__"]
    return names[0] if len(names) == 1 else None


def _modes():
    """All modes of JAX that change what a function becomes, as JAX itself keys by them; None where this JAX does not tell."""
    try:
        from jax._src.config import trace_context
    except ImportError:
        return None
    return trace_context()


class CompiledFunction:
    """A JAX function that is compiled for the calls it meets, like a jitted one.

    Whether two calls run the same program is known from the types of their arguments, the values of static ones, and JAX's modes (64 bits,
    precision of products, ...); where JAX does not tell the modes, the text of the program tells.
    """

    def __init__(self, fn, compiler, numpy_results=False):
        functools.update_wrapper(self, fn, updated=())
        self.fn, self.jitted, self.compiler, self.numpy_results = fn, jitted(fn), compiler, numpy_results
        info = getattr(self.jitted, "_jit_info", None)
        self.static_argnums = info.static_argnums if info else ()
        self.static_argnames = frozenset(info.static_argnames if info else ())
        self.programs = {}  # By their text.
        self.known = {}  # By the types of arguments, with the plan of calls.
        self.shardings = {}  # By their identity; they are kept, so that it stays theirs.
        self.executables = {}  # By the jaxprs of calls within what JAX compiles.
        # The function as JAX calls it, with Tessera's program inside; None where it cannot be, or has turned out not to.
        self.embedded = None if numpy_results or info is None else self._embed(info)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def _embed(self, info):
        """A function of JAX with the options of `info` that calls the program."""
        import jax
        from jax.sharding import AbstractMesh, NamedSharding

        given = [*info.in_shardings_leaves, *info.out_shardings_leaves]
        if any(isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, AbstractMesh) for sharding in given):
            return None
        try:
            from jax._src.array import ArrayImpl
            from jax._src.pjit import _cpp_pjit

            primitive()
        except (ImportError, AttributeError):  # Another JAX.
            return None
        self.leaves_of, self.array_type = jax.tree_util.tree_leaves, ArrayImpl
        body = functools.wraps(self.fn)(lambda *args, **kwargs: bind(self, args, kwargs))
        return _cpp_pjit(body, info)

    def __call__(self, *args, **kwargs):
        if self.embedded is None:
            return self._call(args, kwargs)
        # XLA ends the process where it meets a deleted array on several devices.
        for leaf in self.leaves_of((args, kwargs)):
            if isinstance(leaf, self.array_type) and leaf.is_deleted():
                raise RuntimeError(f"expected an array that is there, got one that was deleted or donated: {leaf.aval}")
        former, current.call = current.call, (self, args, kwargs)
        try:
            return self.embedded(*args, **kwargs)
        except NotEmbedded:
            self.embedded = None
        finally:
            current.call = former
        return self._call(args, kwargs)

    def _call(self, args, kwargs):
        import jax

        dynamic, static = self.split(args, kwargs)
        leaves, tree = jax.tree.flatten(dynamic)
        if any([isinstance(leaf, jax.core.Tracer) for leaf in leaves]):
            return self.jitted(*args, **kwargs)
        key = self._key(leaves, tree, static)
        try:
            executable, plan = self.known.get(key, _UNKNOWN)
        except TypeError:  # A static value has no hash.
            key, (executable, plan) = None, _UNKNOWN
        if executable is None:
            executable = self.executable(self.trace(*args, **kwargs).lower().lowered)
            plan = executable.plan(leaves)
            if key is not None:
                self.known[key] = executable, plan
        return jax.tree.unflatten(executable.out_tree, executable(leaves, plan))

    def call_with(self, dynamic, args, kwargs):
        """The results of JAX's function for the arguments `args` and `kwargs`, with those of `dynamic` in place of the ones that are traced."""
        numbers = self._static_numbers(len(args))
        positional, named = iter(dynamic[0]), dynamic[1]
        args = [arg if number in numbers else next(positional) for number, arg in enumerate(args)]
        return self.jitted(*args, **{**kwargs, **named})

    def called_executable(self, call):
        """The `Executable` for the arguments of a call, (function, args, kwargs)."""
        return self.executable(self.trace(*call[1], **call[2]).lower().lowered)

    def executable_of_jaxpr(self, jaxpr):
        """The `Executable` of what JAX has made of a call."""
        import jax
        from jax.extend.core import jaxpr_as_fun

        if jaxpr not in self.executables:
            shapes = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in jaxpr.in_avals]
            self.executables[jaxpr] = self.executable(lowered(trace(jax.jit(jaxpr_as_fun(jaxpr), keep_unused=True), shapes)))
        return self.executables[jaxpr]

    def trace(self, *args, **kwargs):
        """As of a jitted function; `lower().compile()` leads to a `Compiled`."""
        return Traced(trace(self.jitted, args, kwargs), self)

    def lower(self, *args, **kwargs):
        return self.trace(*args, **kwargs).lower()

    def eval_shape(self, *args, **kwargs):
        return self.jitted.eval_shape(*args, **kwargs)

    def clear_cache(self):
        """Forgets all programs; their ranks end."""
        self.jitted.clear_cache()
        self.programs.clear()
        self.known.clear()

    def program(self, *args, **kwargs):
        """The `Program` for arguments like these, and the tree of its results."""
        lowered = self.lower(*args, **kwargs)
        return self.executable(lowered.lowered).program, lowered.out_info

    def executable(self, lowered):
        """The `Executable` of a JAX `Lowered` of this function."""
        text = self.text(lowered)
        if text not in self.programs:
            self.programs[text] = self.compiler.compile_text(text)
        return Executable(self.programs[text], lowered, self.numpy_results)

    def text(self, lowered):
        """The model file for a JAX `Lowered` of this function, as it is compiled for this process."""
        return lower_text(lowered, in_process=True)

    def _static_numbers(self, count):
        """The positions of static arguments among `count`."""
        return {number % count for number in self.static_argnums if -count <= number < count}

    def split(self, args, kwargs):
        """The arguments that are traced, as a tree like JAX's, and the others."""
        if not self.static_argnums and not self.static_argnames:
            return (args, kwargs), ()
        numbers = self._static_numbers(len(args))
        dynamic = tuple(arg for number, arg in enumerate(args) if number not in numbers)
        named = {name: value for name, value in kwargs.items() if name not in self.static_argnames}
        static = tuple((number, args[number]) for number in sorted(numbers))
        return (dynamic, named), static + tuple((name, kwargs[name]) for name in sorted(kwargs) if name in self.static_argnames)

    def _key(self, leaves, tree, static):
        """What decides which program a call runs; None where that is not known."""
        modes = _modes()
        if modes is None:
            return None
        types = tuple([self._type(leaf) for leaf in leaves])
        return tree, types, tuple([(name, type(value), value) for name, value in static]), modes

    def _type(self, leaf):
        """What of an argument decides what is compiled, its type and, of arrays that are committed to devices, their sharding; and how it lies."""
        aval = getattr(leaf, "aval", None)
        if aval is not None:
            lies = lying(leaf)
            if not getattr(leaf, "committed", False):
                return aval, lies
            sharding = leaf.sharding
            known = self.shardings.get(id(sharding))
            if known is None:
                if len(self.shardings) > 4096:
                    self.shardings.clear()
                # Equal ones have one representative.
                equal = next((other for other, kept in self.shardings.values() if kept == sharding), sharding)
                known = self.shardings[id(sharding)] = equal, sharding
            return aval, lies, known[0]
        if hasattr(leaf, "dtype") and hasattr(leaf, "shape"):
            return type(leaf), tuple(leaf.shape), leaf.dtype
        return type(leaf)
