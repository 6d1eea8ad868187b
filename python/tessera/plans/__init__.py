"""Plans: how a model without annotations is split, and readers of what other systems call so (docs/plans.md).

A plan is a dictionary, as in the file: `mesh`, `axes`, `rules`, `activations`, `stages`, `default`, `tolerance`.
"""

from .easylm import from_regex
from .maxtext import from_maxtext
from .transformers import from_transformers
from .writing import plan_file, plan_text, write_plan

__all__ = ["from_maxtext", "from_regex", "from_transformers", "plan_file", "plan_text", "write_plan"]
