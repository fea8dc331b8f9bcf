"""Names and nesting of a function's values, each of which hangs on the other: a line fits with the names in it."""

from __future__ import annotations

from ...analyses.control_flow.liveness import Interference
from ...ir.operations import Function
from .expression_nesting import Nesting
from .likely_names import LikelyNames
from .variable_names import Names
from .widths import Widths

__all__ = ["named"]

TRIES = 3  # until the lines fit with the names that their values have


def named(
    function: Function, taken: set[str], callees: dict[Function, str]
) -> tuple[Names, Nesting]:
    """The names of the variables, and what has none because it stands where it is read."""
    likely = LikelyNames(function)
    widths = Widths(likely, callees)
    for _ in range(TRIES):
        nesting = Nesting(function, widths)
        interference = Interference(function, nesting.expand, nesting.groups)
        names = Names(function, interference, nesting.nested, taken, likely)
        if widths.are_right(names):
            break
    return names, nesting
