"""A kernel that runs for the first time is held against the NumPy text that it was read from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from retrograd.compiler.dependencies.isolated_runs import RandomStates, secluded
from retrograd.compiler.native.background import in_background
from retrograd.runtime.arrays.transfers import beside, on_host
from retrograd.runtime.errors import GradientMismatch
from retrograd.runtime.objects.pytree import leaves, map_leaves

from .argument_copies import CannotCopy, fresh
from .compare import unequal
from .first_call import mark
from .policy import due
from .slopes import is_inexact, of_kind

__all__ = ["check_kernel", "settle"]


def check_kernel(
    chain: Any,
    made: Any,
    text: Callable[..., Any],
    kernel: Callable[..., Any],
    args: Sequence[Any],
    what: str,
    region: bool = False,
) -> None:
    """A kernel against the NumPy text that it was read from: the results, and what is left in the arguments.

    Arguments of a region are the function's own names, and bound anew where they are read again: what
    the text writes into one, the kernel may have put into its result alone.
    """
    if not due(chain, made, what):
        return
    try:
        mine, theirs = fresh(args), fresh(args)
    except CannotCopy:
        return
    with alone(chain.fn) as restore:
        want = text(*theirs)
        restore()
        got = kernel(*mine)
        restore()
        if region:
            before = fresh(args)
            theirs = [a if same(b, a) else c for a, b, c in zip(before, mine, theirs, strict=True)]
        found = unequal([got, mine], [want, theirs])
        if found is not None and not within_rounding(text, args, [got, mine], [want, theirs]):
            raise GradientMismatch(
                f"{chain.name}: the kernel of backend={chain.backend!r} gives {found[0]}, the NumPy text "
                f"{found[1]}.  This is a bug in retrograd, found when the kernel first ran; nothing of it "
                "was returned.\nwhat to do: report it with the function; leave `backend` out"
            )
    mark(made, what)


def settle(chain: Any, regions: Any, function: Callable[..., Any], args: Sequence[Any]) -> None:
    """Have the regions of a function find out what stays NumPy, before any of them is compiled."""

    def run() -> None:
        copies = fresh(args)
        with alone(chain.fn) as restore:
            try:
                function(*copies)
            finally:
                restore()

    with suppress(Exception):  # the call itself says what is wrong
        regions.settle(run)


@contextmanager
def alone(fn: Any) -> Iterator[Callable[[], None]]:
    """Runs that nobody notices, and what puts generators back; beside the program, whose they are, none draws."""
    if in_background():
        with np.errstate(all="ignore"):
            yield lambda: None
        return
    states = RandomStates(fn)
    with secluded():
        yield states.restore


def same(a: Any, b: Any) -> bool:
    return unequal(a, b, 0.0) is None


def within_rounding(text: Any, args: Sequence[Any], got: Any, want: Any) -> bool:
    """True if the text itself differs as much when its arguments are moved by their last bits."""
    rng = np.random.default_rng(3)
    room = 0.0
    moved = [map_leaves(lambda x: nudged(x, rng), x) for x in fresh(args)]
    near = leaves([text(*moved), moved])
    mine, theirs = leaves(got), leaves(want)
    if not list(map(np.shape, mine)) == list(map(np.shape, theirs)) == list(map(np.shape, near)):
        return False
    far = 0.0
    for a, b, c in zip(mine, theirs, near, strict=True):
        if not is_inexact(b):
            continue
        room = max(room, float(np.nanmax(np.abs(np.asarray(b) - c), initial=0.0)))
        far = max(far, float(np.nanmax(np.abs(np.asarray(a) - b), initial=0.0)))
    return far <= 1e3 * room


def nudged(x: Any, rng: Any) -> Any:
    if not is_inexact(x):
        return x
    here = np.asarray(on_host(x))
    unit = np.finfo(here.dtype).eps
    return beside(x, of_kind(here * (1 + 4 * unit * rng.choice([-1.0, 1.0], here.shape)), x))
