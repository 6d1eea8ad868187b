"""Tessera from Python: export annotated JAX functions, compile them, call them on NumPy arrays."""

from .compiling import Program, TesseraError, compile
from .exporting import export

__all__ = ["Program", "TesseraError", "compile", "export"]
__version__ = "0.1.0"
