"""JAX on Tessera: JAX finds this package by its name, and calls `initialize` before its first use of devices."""

from tessera.plugin import initialize

__all__ = ["initialize"]
