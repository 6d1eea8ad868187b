#!/usr/bin/env python3
"""Makes anew what the tests of tessera.torch compare with, by PyTorch: make-torch-fixtures.py FOLDER (test/Python/Inputs/torch).

operations.json and .safetensors have calls of PyTorch's operations, with their results and, of real results, the gradients of the arguments. NAME.mlir is a step of training, NAME.safetensors
what it begins with, NAME.batches.safetensors the batches, and NAME.expected.safetensors what eager PyTorch has after ten steps. Needs torch and JAX; the tests do not need torch.
"""

import copy
import importlib.util
import json
import math
import pathlib
import sys

import torch
from safetensors.torch import save_file

import tessera.torch

STEPS = 10


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


class Cases:
    """Collects calls: arguments are numbers, strings, lists, and tensors by the number under which they are stored."""

    def __init__(self):
        self.tensors, self.calls = {}, []

    def store(self, value):
        if isinstance(value, torch.Tensor):
            name = str(len(self.tensors))
            self.tensors[name] = value.detach().clone().contiguous()
            return {"tensor": name}
        if isinstance(value, torch.dtype):
            return {"dtype": str(value).partition(".")[2]}
        if isinstance(value, (list, tuple)):
            return [self.store(entry) for entry in value]
        return value

    def add(self, name, *args, fixed=(), **kwargs):
        """A call of `torch.ops.aten.NAME`; `fixed` has the places of arguments without a gradient."""
        packet, _, overload = name.partition(".")
        function = getattr(getattr(torch.ops.aten, packet), overload or "default")
        leaves = [arg for arg in _tensors([args, kwargs]) if arg.is_floating_point()]
        for leaf in leaves:
            leaf.requires_grad_(not any(leaf is args[place] for place in fixed))
        result = function(*args, **kwargs)
        results = [value for value in (result if isinstance(result, (list, tuple)) else [result]) if isinstance(value, torch.Tensor)]
        real = [value for value in results if value.is_floating_point() and value.requires_grad]
        gradients = _gradients(real, leaves) if real else []
        call = {"name": name, "args": self.store(args), "kwargs": {key: self.store(value) for key, value in kwargs.items()}}
        self.calls.append({**call, "results": self.store(results), "gradients": self.store(gradients)})

    def save(self, folder):
        save_file(self.tensors, folder / "operations.safetensors")
        lines = ",\n".join(json.dumps(call) for call in self.calls)
        (folder / "operations.json").write_text(f"[\n{lines}\n]\n")


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _tensors(entry)


def _gradients(results, leaves):
    """Of the sum of the results with `weights`, None for what is fixed; none where PyTorch has none."""
    total = sum((value * weights(value.shape).to(value.dtype)).sum() for value in results)
    try:
        gradients = iter(torch.autograd.grad(total, [leaf for leaf in leaves if leaf.requires_grad], materialize_grads=True))
    except RuntimeError:
        return []
    return [next(gradients) if leaf.requires_grad else None for leaf in leaves]


def weights(shape):
    """What results are multiplied with before they are summed up, so that each element's gradient differs."""
    return torch.cos(torch.arange(math.prod(shape), dtype=torch.float32)).reshape(shape)


def train(folder, name, model, batches, loss, optimizer, plan, mesh):
    """Writes the files of a model, trained by eager PyTorch for ten steps."""
    eager = copy.deepcopy(model)
    example = {key: batch[0] for key, batch in batches.items()}
    options = {"loss": loss, "optimizer": optimizer(model), "plan": plan, "mesh": mesh}
    root = pathlib.Path(__file__).parents[1]
    tessera.torch.export(model, example, path=folder / f"{name}.mlir", state=folder / f"{name}.safetensors", root=root, **options)
    save_file({key: _narrow(batch) for key, batch in batches.items()}, folder / f"{name}.batches.safetensors")
    step = optimizer(eager)
    for number in range(STEPS):
        value = loss(eager, **{key: batch[number % len(batch)] for key, batch in batches.items()})
        step.zero_grad()
        value.backward()
        step.step()
    begin = dict(model.named_buffers())
    expected = {"loss": value, "step": torch.tensor(STEPS), **dict(eager.named_parameters())}
    expected |= {key: tensor for key, tensor in eager.named_buffers() if not torch.equal(tensor, begin[key])}
    for key, parameter in eager.named_parameters():
        expected |= {f"{moment}.{key}": tensor for moment, tensor in step.state[parameter].items() if moment != "step"}
    save_file({key: _narrow(tensor.detach().clone()) for key, tensor in expected.items()}, folder / f"{name}.expected.safetensors")


def _narrow(tensor):
    return tensor if tensor.is_floating_point() else tensor.int()


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    tests = pathlib.Path(__file__).parents[1] / "test" / "Python"
    cases, models = load(tests / "torch_cases.py"), load(tests / "torch_models.py")
    torch.manual_seed(0)
    collected = Cases()
    cases.add_all(collected)
    collected.save(folder)
    for name, make in models.FIXTURES.items():
        torch.manual_seed(0)
        train(folder, name, **make())


if __name__ == "__main__":
    main()
