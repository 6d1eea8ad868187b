"""PyTorch modules on Tessera: `tessera.torch.compile` runs and trains them, `tessera.torch.export` writes model files.

capture.py reads what PyTorch's exporter says of a module into a graph (graph.py); interpreting.py runs that as a function of JAX by the table of operations (operations/); steps.py makes
inference, gradients or a step of training of it, with the optimizers of optimizers.py; modules.py is what users call. Only capture.py, losses.py, tensors.py and modules.py need PyTorch.
"""


def compile(module, example_inputs, *, loss=None, optimizer=None, plan=None, mesh=None, clip_grad_norm=None, seed=None, compiler_options=None):
    """Compiles a module of PyTorch, in its present mode (`train` or `eval`), for inputs like the example's.

    example_inputs    a tuple of positional inputs, or a dictionary of inputs by name. With a loss, of the loss.
    loss              a function of the module and the inputs, `lambda model, x, y: …`; or a criterion, as `torch.nn.CrossEntropyLoss()`, of the module's result and the last
                      input. By default, if there is an optimizer, the attribute `loss` of the module's result.
    optimizer         an SGD, Adam or AdamW of `torch.optim`, over parameters of the module.
    plan              shardings: a dictionary, or pairs, from patterns of names to the mesh axes of each dimension; or a plan for the compiler (docs/plans.md), the path of a file
                      or a dictionary with `rules`.
    mesh              sizes of the mesh axes, `{"data": 2, "model": 2}`, or a mesh of JAX.
    clip_grad_norm    the largest norm of all gradients together.
    seed              for dropout and the like; by default `torch.initial_seed()`.
    compiler_options  as for `tessera.jit`.

    Returns a function of inputs: without a loss, of what the module returns (`CompiledModule`); with a loss alone, of the loss, which gives the parameters gradients (`CompiledLoss`); with an
    optimizer, a step of training, of the loss (`TrainingStep`).

    Raises ValueError with one diagnostic, beginning with the user's line, for an operation that is not known.
    """
    from .modules import CompiledLoss, CompiledModule, Model, TrainingStep

    model = Model(module, example_inputs, loss, optimizer, clip_grad_norm)
    kind = TrainingStep if optimizer is not None else CompiledModule if loss is None else CompiledLoss
    return kind(model, plan, mesh, compiler_options, seed)


def export(module, example_inputs, *, path=None, state=None, loss=None, optimizer=None, plan=None, mesh=None, clip_grad_norm=None, seed=None, root="."):
    """Writes the model file of what `compile` would compile, and returns its text.

    path   of the model file.
    state  of a .safetensors file for `tessera-run --inputs`: all arguments but the inputs.
    root   source paths in locations become relative to this folder.

    The other arguments are those of `compile`; a plan is not a file here, which `tesserac --plan` takes.
    """
    from .exporting import export

    return export(module, example_inputs, path, state, loss, optimizer, plan, mesh, clip_grad_norm, seed, root)


__all__ = ["compile", "export"]
