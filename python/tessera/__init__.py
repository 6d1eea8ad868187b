"""Tessera from Python: export annotated JAX functions, compile them, call them on NumPy arrays."""

from .exporting import export

__all__ = ["export"]
__version__ = "0.1.0"
