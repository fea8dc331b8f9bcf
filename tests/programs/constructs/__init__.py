"""The constructs of Python, each with a tiny program: supported, or refused with which error.

``docs/supported_python.md`` is this table; ``test_constructs.py`` runs every row.
"""

from . import (  # noqa: F401, I001
    values,
    flow,
    regions,
    calls,
    arguments,
    containers,
    writes,
    opaque,
)
from .row import CONSTRUCTS, Construct

__all__ = ["CONSTRUCTS", "GROUPS", "Construct"]

GROUPS = list(dict.fromkeys(row.group for row in CONSTRUCTS))
