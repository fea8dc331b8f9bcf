"""The function itself, called with copies of its arguments: what it raises, and whether it writes."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Any, NamedTuple

from retrograd.compiler.dependencies.isolated_runs import RandomStates, secluded

from ..batches.loops import in_loops
from ..check.argument_copies import CannotCopy, fresh
from ..check.compare import contents, unequal
from ..star_arguments import with_all

__all__ = ["alone", "has_value"]


class Alone(NamedTuple):
    """The function by itself: what it raises, whether it leaves its arguments alone, and whether it draws numbers."""

    raised: Exception | None
    untouched: bool
    drew: bool = False


def alone(chain: Any, args: Sequence[Any]) -> Alone | None:
    """The function called with copies of the arguments; None where they cannot be copied."""
    try:
        copies = fresh([*chain.bound, *args[: chain.arity]])
        before = fresh(copies)
    except CannotCopy:
        return None
    given, bound = copies[len(chain.bound) :], copies[: len(chain.bound)]
    plain = with_all(chain.raw, lambda *a, **k: chain.fn(*bound, *a, **k))
    call = in_loops(plain, chain.steps, chain.parameters[: chain.arity])
    states = RandomStates(chain.fn)
    try:
        with secluded(), contextlib.redirect_stdout(io.StringIO()):
            call(*given)
        drew = states.are_others()
    except Exception as error:
        return Alone(error, False)
    finally:
        states.restore()
    return Alone(None, unequal(contents(copies), contents(before), 0.0) is None, drew)


def has_value(chain: Any, args: Sequence[Any]) -> bool:
    """True if the function itself, called with copies of the arguments, returns."""
    found = alone(chain, args)
    return found is not None and found.raised is None
