"""Tessera from Python: export annotated JAX functions, compile them, call them on NumPy arrays."""

from .compiling import Program, TesseraError, compile
from .exporting import export
from .saving import load, save
from .stages import stage_end

__all__ = ["Program", "TesseraError", "compile", "export", "load", "save", "stage_end"]
__version__ = "0.1.0"
