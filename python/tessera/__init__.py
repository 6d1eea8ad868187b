"""Tessera from Python: export annotated JAX functions, compile them, call them on arrays of NumPy or JAX."""

from . import checkpoint
from .compiling import compile
from .errors import TesseraError
from .exporting import export
from .jitting import jit
from .programs import Program
from .saving import load, save
from .stages import stage_end

__all__ = ["Program", "TesseraError", "checkpoint", "compile", "export", "jit", "load", "save", "stage_end"]
__version__ = "0.1.0"
