"""Compiled modules: what `compile` returns, called on tensors of PyTorch."""

import contextlib

import jax
import numpy as np
import torch
from torch.utils import _pytree as pytree

from ..exporting import lower_text
from ..jitting import CompiledFunction, _compiler_of
from . import shardings, steps
from .capture import capture
from .losses import WithLoss, input_names
from .optimizers import learning_rates, read_optimizer, read_state
from .tensors import to_numpy, to_torch


class NamedFunction(CompiledFunction):
    """A compiled function whose arguments and results have names of their own in the program."""

    def __init__(self, function, jitted, compiler):
        super().__init__(jitted, compiler)
        self.embedded = None
        self.names = jax.tree.leaves(function.arguments), jax.tree.leaves(function.results)

    def text(self, lowered):
        return lower_text(lowered, self.names[1], in_process=True, argument_names=self.names[0])


class Model:
    """A module that is captured, with all that its compilation needs.

    module    the user's.
    captured  its `Captured`, or that of its loss.
    function  the `steps.Function`.
    trained   names of the parameters that are trained; none without a loss.
    """

    def __init__(self, module, example_inputs, loss, optimizer, clip_grad_norm=None):
        self.module, self.optimizer = module, optimizer
        self.has_loss = has_loss = loss is not None or optimizer is not None
        args, kwargs = arguments_of(example_inputs)
        self.example = args, kwargs
        names = input_names(module, loss, args, kwargs)
        called = WithLoss(module, loss) if has_loss else module
        self.captured = capture(called, args, kwargs, names, "module." if has_loss else "")
        self.in_spec, self.keywords = pytree.tree_structure((args, kwargs)), list(kwargs)
        self.trained = self.captured.parameters if has_loss else []
        tensors = self.captured.tensors
        self.parameter_names = {id(tensors[name]): name for name in self.trained}
        self.updates = None
        if optimizer is None:
            self.function = steps.gradient_function(self.captured, self.trained) if has_loss else steps.forward_function(self.captured)
        else:
            self.updates = read_optimizer(optimizer, self.parameter_names)
            self.trained = [name for name in self.trained if name in self.updates.members]
            self.function = steps.training_function(self.captured, self.trained, self.updates, clip_grad_norm)
        self.changed, self.kept = steps.split_tensors(self.captured, self.trained)

    def leaves(self, args, kwargs):
        """The tensors of a call's inputs, which must be like the example's."""
        kwargs = {name: kwargs[name] for name in self.keywords if name in kwargs} | {name: value for name, value in kwargs.items() if name not in self.keywords}
        leaves, spec = pytree.tree_flatten((args, kwargs))
        if spec != self.in_spec:
            raise TypeError(f"expected inputs like the example's, {self.in_spec}, got {spec}")
        for number, value in enumerate(pytree.tree_leaves(self.example)):
            if number not in self.captured.takes and leaves[number] != value:
                raise ValueError(f"expected {value!r} as in the example, got {leaves[number]!r}: what is no tensor is part of the program")
        return self.captured.tensor_leaves(leaves)

    def result(self, arrays):
        """What the module returns, of its results that are tensors."""
        arrays, types = iter(arrays), self.captured.output_types
        leaves = [to_torch(next(arrays), dtype and getattr(torch, dtype)) if is_tensor else value for is_tensor, value, dtype in types]
        return leaves

    def initial(self):
        """The donated arguments of the first step of training: the tensors of the module and the optimizer, which are only read."""
        trained, changed = (self.arrays(names) for names in (self.trained, self.changed))
        state, step = read_state(self.optimizer, self.parameter_names)
        state = {moment: {name: to_numpy(tensor) for name, tensor in own.items()} for moment, own in state.items()}
        zeros = self.updates.initial(trained)
        return trained, {moment: {**own, **state.get(moment, {})} for moment, own in zeros.items()}, changed, np.int32(step)

    def arrays(self, names):
        """Tensors of the module by names."""
        return {name: to_numpy(self.captured.tensors[name]) for name in names}

    def arguments(self, seed, leaves):
        """All arguments of a call, for these leaves of the inputs."""
        seeds, inputs = [np.uint32(seed & 0xFFFFFFFF)] if self.captured.is_random else [], [to_numpy(leaf) for leaf in leaves]
        kept = self.arrays(self.kept)
        if self.updates is not None:
            return (*self.initial(), kept, [np.float32(rate) for rate in learning_rates(self.optimizer)], seeds, inputs)
        return (*([self.arrays(self.trained)] if self.has_loss else []), self.arrays(self.changed), kept, seeds, inputs)


def arguments_of(example_inputs):
    """(args, kwargs) of example inputs: a tuple or list, a dictionary by names, or one tensor."""
    if hasattr(example_inputs, "keys"):
        return (), dict(example_inputs)
    if isinstance(example_inputs, (tuple, list)):
        return tuple(example_inputs), {}
    return (example_inputs,), {}


def jitted(function, plan, mesh):
    """The `steps.Function` as JAX jits it, with the shardings of a plan."""
    given = {}
    if plan is not None and not shardings.is_for_compiler(plan):
        mesh = shardings.mesh_of(mesh)
        if mesh is None:
            raise ValueError("expected a mesh for the plan, as mesh={'data': 2, 'model': 2}")
        rules = shardings.Rules(plan)
        given["in_shardings"] = shardings.shardings_of(rules, mesh, function.arguments)
        given["out_shardings"] = shardings.shardings_of(rules, mesh, function.results)
        rules.warn_of_unused()
    return jax.jit(function.call, donate_argnums=function.donated, keep_unused=True, **given)


def _on_the_cpu():
    """Where results are arrays of JAX's CPU, whose memory PyTorch can share, whatever JAX uses else."""
    try:
        return jax.default_device(jax.local_devices(backend="cpu")[0])
    except RuntimeError:  # JAX has been told to have none.
        return contextlib.nullcontext()


class Compiled:
    """A module compiled for inputs like the example's.

    executable  JAX's view of the program, `tessera.jit(…).lower(…).compile()`: its costs, its text, its shardings.
    """

    def __init__(self, model, plan, mesh, options, seed):
        # Rules are for JAX, with its mesh; a plan and the sizes of its mesh for the compiler.
        given = (None, None) if plan is not None and not shardings.is_for_compiler(plan) else (mesh, plan)
        self.model, self.seed, self.calls = model, torch.initial_seed() if seed is None else seed, 0
        function = NamedFunction(model.function, jitted(model.function, plan, mesh), _compiler_of(*given, options or {}))
        with _on_the_cpu():
            self.executable = function.lower(*model.arguments(0, model.leaves(*model.example))).compile()

    def _seeds(self):
        """Another one for every call."""
        self.calls += 1
        return [np.uint32((self.seed + self.calls - 1) & 0xFFFFFFFF)] if self.model.captured.is_random else []

    def _inputs(self, args, kwargs):
        return [to_numpy(leaf) for leaf in self.model.leaves(args, kwargs)]

    def _write(self, arrays):
        """Gives tensors of the module these values."""
        with torch.no_grad():
            for name, array in arrays.items():
                self.model.captured.tensors[name].copy_(to_torch(array))


class CompiledModule(Compiled):
    """Called as the module is, with the parameters that the module has at that time; buffers that it changes are changed."""

    def __call__(self, *args, **kwargs):
        model = self.model
        changed, arrays = self.executable(model.arrays(model.changed), model.arrays(model.kept), self._seeds(), self._inputs(args, kwargs))
        self._write(changed)
        return pytree.tree_unflatten(model.result(arrays), model.captured.out_spec)


class CompiledLoss(Compiled):
    """Called on a batch, returns the loss and adds to the gradients (`grad`) of the module's parameters, for any optimizer of PyTorch."""

    def __call__(self, *args, **kwargs):
        model = self.model
        state = (model.arrays(names) for names in (model.trained, model.changed, model.kept))
        loss, changed, gradients, others = self.executable(*state, self._seeds(), self._inputs(args, kwargs))
        self._write(changed)
        for name, gradient in gradients.items():
            parameter, gradient = model.captured.tensors[name], to_torch(gradient)
            parameter.grad = gradient if parameter.grad is None else parameter.grad + gradient
        return _with_others(model, loss, others)


def _with_others(model, loss, others):
    leaves = model.result([loss, *others])
    return leaves[0].reshape(()) if len(leaves) == 1 else pytree.tree_unflatten(leaves, model.captured.out_spec)


class TrainingStep(Compiled):
    """Called on a batch, makes one step of training and returns the loss.

    Parameters, buffers and the optimizer's state live with the ranks, as arrays of JAX, and are another copy than the module's until `sync`. Learning rates are those that
    the optimizer has at the time of the call.
    """

    def __init__(self, model, plan, mesh, options, seed):
        super().__init__(model, plan, mesh, options, seed)
        self.state = model.initial()

    def __call__(self, *args, **kwargs):
        model = self.model
        rates = [np.float32(rate) for rate in learning_rates(model.optimizer)]
        seeds = [np.uint32(self.seed & 0xFFFFFFFF)] if model.captured.is_random else []
        *state, loss, others = self.executable(*self.state, model.arrays(model.kept), rates, seeds, self._inputs(args, kwargs))
        self.state = tuple(state)
        model.optimizer._opt_called = True  # As its own steps do, without which schedulers warn.
        return _with_others(model, loss, others)

    @property
    def step(self):
        """The number of steps that have been made."""
        return int(self.state[3])

    def state_dict(self):
        """The module's state dict, with the tensors as they are now: copies."""
        own = {**self.state[0], **self.state[2]}
        tensors, names = self.model.captured.tensors, self.model.captured.first_names
        values = self.model.module.state_dict()
        return {name: to_torch(own[names[name]], tensors[names[name]].dtype).clone() if names.get(name) in own else value for name, value in values.items()}

    def sync(self):
        """Gives the module and the optimizer of PyTorch what has been trained."""
        trained, state, changed, step = self.state
        self._write({**trained, **changed})
        tensors, optimizer = self.model.captured.tensors, self.model.optimizer
        for moment, own in state.items():
            for name, array in own.items():
                entry = optimizer.state[tensors[name]]
                entry[moment] = to_torch(array).clone()
        if self.model.updates.kind != "SGD":
            for name in trained:
                optimizer.state[tensors[name]]["step"] = torch.tensor(float(step))
