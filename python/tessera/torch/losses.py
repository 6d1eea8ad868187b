"""Modules whose result is a loss."""

import inspect

import torch


class WithLoss(torch.nn.Module):
    """A module and its loss.

    loss  a function of the module and the inputs; or a criterion, as `torch.nn.CrossEntropyLoss()`, of the module's result and the last input, which is the target; None if the
          module's result has an attribute `loss`.
    """

    def __init__(self, module, loss=None):
        super().__init__()
        self.module = module
        self.loss = loss
        self.training = module.training

    def forward(self, *args, **kwargs):
        if isinstance(self.loss, torch.nn.Module):
            *inputs, target = args
            return self.loss(self.module(*inputs, **kwargs), target)
        if self.loss is not None:
            return self.loss(self.module, *args, **kwargs)
        result = self.module(*args, **kwargs)
        if getattr(result, "loss", None) is None:
            raise ValueError(f"expected a loss=, or a module whose result has one, got {type(result).__name__}")
        return result.loss


def input_names(module, loss, args, kwargs):
    """A name for each leaf of the inputs: that of the parameter of the module's `forward`, or of the loss if that is a function."""
    is_function = loss is not None and not isinstance(loss, torch.nn.Module)
    parameters = [
        parameter.name
        for parameter in inspect.signature(loss if is_function else module.forward).parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ][is_function:]
    if isinstance(loss, torch.nn.Module):
        parameters = [*parameters[: len(args) - 1], "target"]
    parameters += [f"input.{number}" for number in range(len(parameters), len(args))]
    names = []
    for name, value in [*zip(parameters, args), *kwargs.items()]:
        count = len(torch.utils._pytree.tree_leaves(value))
        names += [name] if count == 1 else [f"{name}.{number}" for number in range(count)]
    return names
