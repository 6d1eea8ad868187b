"""What a compiled function goes through ahead of its calls: traced, lowered, compiled; as `jax.stages`."""

import types

from .exporting import lowered


class Traced:
    """JAX's `Traced`, whose lowering Tessera compiles."""

    def __init__(self, traced, function):
        self._traced, self._function = traced, function

    def lower(self):
        return Lowered(lowered(self._traced), self._function)

    def __getattr__(self, name):
        return getattr(self._traced, name)


class Lowered:
    """JAX's `Lowered`, which Tessera compiles.

    lowered  JAX's own.
    """

    def __init__(self, lowered, function):
        self.lowered, self._function = lowered, function

    def compile(self):
        return Compiled(self._function.executable(self.lowered), self._function)

    def __getattr__(self, name):
        return getattr(self.lowered, name)


class Compiled:
    """A function compiled for arguments of one set of types; calls leave out static arguments."""

    def __init__(self, executable, function):
        self._executable, self._function = executable, function
        self.in_tree, self.out_tree = executable.in_tree, executable.out_tree
        self.args_info = executable.lowered.args_info

    def __call__(self, *args, **kwargs):
        import jax

        leaves, tree = jax.tree.flatten((args, kwargs))
        if tree != self.in_tree:
            raise TypeError(f"expected arguments like {self.in_tree}, got {tree}")
        return jax.tree.unflatten(self.out_tree, self._executable(leaves))

    @property
    def out_info(self):
        return self._executable.lowered.out_info

    def runtime_executable(self):
        """The `Program`."""
        return self._executable.program

    def cost_analysis(self):
        """What one call takes on the rank that computes most: `flops`, `bytes accessed` by its kernels and `bytes communicated`."""
        return self.runtime_executable().work()

    def memory_analysis(self):
        """Bytes of one device, as JAX names them."""
        memory = self.runtime_executable().manifest["memory"]
        return types.SimpleNamespace(
            argument_size_in_bytes=memory["arguments"],
            output_size_in_bytes=memory["results"],
            alias_size_in_bytes=memory["donated"],
            temp_size_in_bytes=memory["temporary"],
            peak_memory_in_bytes=memory["peak"],
            generated_code_size_in_bytes=self.runtime_executable().path.stat().st_size,
        )

    def as_text(self):
        """What each device computes, after the phase `partition`."""
        return self._function.compiler.print_phase(self._function.text(self._executable.lowered), "partition")

    @property
    def input_shardings(self):
        """Of the arguments, by position and by name; None where JAX has no devices for the ranks, and for what is not used."""
        import jax

        shardings = [None] * self.in_tree.num_leaves
        for leaf, sharding in zip(self._executable.kept, self._executable.argument_shardings):
            if leaf < len(shardings):  # Else of a captured reference.
                shardings[leaf] = sharding
        return jax.tree.unflatten(self.in_tree, shardings)

    @property
    def output_shardings(self):
        import jax

        return jax.tree.unflatten(self.out_tree, self._executable.without_references(self._executable.result_shardings))
