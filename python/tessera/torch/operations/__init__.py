"""PyTorch's operations as functions of JAX, a file for each family.

Read table.py first, then types.py: what type a result has. Norms, attention and losses are single operations here, so that what the compiler looks for
stands together in the program.
"""

from . import attention, convolutions, creation, elementwise, indexing, linear_algebra, losses, normalization, ordering, pooling, random, reductions, shapes
from .table import TABLE, Entry, find

__all__ = ["TABLE", "Entry", "find"]
