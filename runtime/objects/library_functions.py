"""Which functions belong to a library, and are operations."""

from __future__ import annotations

from typing import Any

from ..arrays.libraries import ROOTS
from .homes import REPLACEMENTS, RUNTIME
from .own_attributes import home_of

__all__ = ["is_library"]


def is_library(fn: Any) -> bool:
    """NumPy's, SciPy's and the runtime's own Python functions are operations, not user code.

    But for the programs that are differentiated in place of SciPy's functions.
    """
    home = home_of(fn)
    program = home.startswith(REPLACEMENTS)
    ours = home.startswith(RUNTIME) and not program
    return ours or home.partition(".")[0] in ROOTS
