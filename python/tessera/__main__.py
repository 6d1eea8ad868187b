"""The command line: `python -m tessera export` and `python -m tessera normalize`."""

import argparse
import importlib
import os
import sys

from . import __version__
from .errors import LocatedError
from .exporting import export
from .files import write_text
from .stablehlo import normalize

EXAMPLES = """examples:
  python -m tessera export model:example -o gpt.mlir
      model.py has a function `example` without arguments that returns (jitted function, its arguments)
  python -m tessera export train:step -o step.mlir --devices=8
      train.py has a jitted function `step` and `step.example_args = (…)`; its mesh needs 8 devices
  python -m tessera export --torch model:example -o step.mlir --state=initial.safetensors
      model.py has a function `example` that returns (module, example inputs) or (module, example inputs, options of tessera.torch.export)
  python -m tessera normalize pretty.mlir -o model.mlir
"""


def _function(target):
    """The function that `MODULE:FUNCTION` names. Raises ValueError with the reason if there is none."""
    module_name, colon, function_name = target.partition(":")
    if not colon or not module_name or not function_name:
        raise ValueError(f"expected MODULE:FUNCTION, got '{target}'")
    sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name.partition(".")[0]:
            raise
        raise ValueError(f"no module named '{module_name}'") from None
    function = getattr(module, function_name, None)
    if not callable(function):
        raise ValueError(f"module '{module_name}' has no function '{function_name}'")
    return function


def _resolve(target):
    """The jitted function and its arguments that `MODULE:FUNCTION` names. Raises ValueError with the reason if not."""
    function = _function(target)
    if hasattr(function, "example_args"):
        return function, function.example_args
    made = function()
    if not (isinstance(made, tuple) and len(made) == 2 and callable(made[0]) and isinstance(made[1], (tuple, list))):
        raise ValueError(f"expected '{target}' to have example_args or to return (function, arguments)")
    return made


def _export_torch(options):
    """Writes what a function that returns a PyTorch module, inputs, and perhaps options says."""
    from .torch import export

    made = _function(options.target)()
    if not (isinstance(made, tuple) and 2 <= len(made) <= 3):
        raise ValueError(f"expected '{options.target}' to return (module, example inputs) or (module, example inputs, options)")
    module, example_inputs, *rest = made
    export(module, example_inputs, path=options.output, state=options.state, root=options.root, **(rest[0] if rest else {}))


def _export(options):
    if options.torch:
        return _export_torch(options)
    if options.state:
        raise ValueError("expected --torch with --state")
    if options.devices:
        import jax

        jax.config.update("jax_num_cpu_devices", options.devices)
    function, args = _resolve(options.target)
    export(function, *args, path=options.output, root=options.root)


def _normalize(options):
    if options.file == "-":
        data, name = sys.stdin.buffer.read(), "<stdin>"
    else:
        with open(options.file, "rb") as file:
            data, name = file.read(), options.file
    text = normalize(data, root=options.root, name=name)
    write_text(options.output, text)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m tessera",
        description="Makes model files for tesserac.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tessera {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    root = {"default": ".", "metavar": "FOLDER", "help": "source paths become relative to it (default: the current one)"}

    command = commands.add_parser("export", help="a JAX function or a PyTorch module becomes a model file")
    command.add_argument("target", metavar="MODULE:FUNCTION", help="returns (function, arguments) or has example_args")
    command.add_argument("-o", dest="output", metavar="FILE", default="model.mlir", help="model.mlir by default")
    command.add_argument("--devices", type=int, metavar="N", help="let JAX see N CPU devices, for meshes of real devices")
    command.add_argument("--torch", action="store_true", help="of a PyTorch module: the function returns (module, example inputs[, options])")
    command.add_argument("--state", metavar="FILE", help="with --torch: parameters and optimizer state, for tessera-run --inputs")
    command.add_argument("--root", **root)
    command.set_defaults(run=_export)

    command = commands.add_parser("normalize", help="StableHLO in any form becomes a model file")
    command.add_argument("file", metavar="FILE", help="pretty StableHLO, MLIR bytecode or a jax.export file; - for stdin")
    command.add_argument("-o", dest="output", metavar="FILE", default="-", help="standard output by default")
    command.add_argument("--root", **root)
    command.set_defaults(run=_normalize)

    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except ImportError as error:
        extra = {"jax": "jax", "jaxlib": "jax", "torch": "torch"}.get(error.name)
        return _fail(f"{error} (pip install 'tessera[{extra}]')" if extra else error)
    except (ValueError, TypeError, OSError) as error:
        return _fail(error)
    return 0


def _fail(error):
    print(error if isinstance(error, LocatedError) else f"error: {error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
