"""What a worker runs: the derivative of one shard, and the sum of some results."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.pytree import leaves, map_leaves
from retrograd.runtime.tracebacks import trim

from .row_check import hold
from .shards import Recipe, settled
from .tree import Part, merged

__all__ = ["Job", "ShardFailed", "Slot", "merge", "part"]


class Slot(NamedTuple):
    """The place of an argument that is split, in the arguments of a call."""

    at: int


class Claim(NamedTuple):
    """That a function is a sum or a mean over rows, or gives a row for each, to be looked at with one shard."""

    function: Callable[..., Any]
    name: str
    shard: int
    before: int  # arguments of what is run that stand before those of the function


class Job(NamedTuple):
    """What is asked of every shard.

    ``reduce`` is "sum", "mean" or "rows": results that stand one above the other.
    """

    run: Callable[..., Any]
    reduce: str
    names: tuple[str, ...]  # of the arguments that are split
    claim: Claim | None = None  # what is still to be held against the function


class ShardFailed(Exception):
    """A shard whose function or whose recipe has raised something.

    ``again``: another attempt may go better, since it was read or made, or memory was short.
    """

    def __init__(self, shard: int, error: BaseException, told: str, again: bool) -> None:
        super().__init__(shard, error, told, again)
        self.shard, self.error, self.told, self.again = shard, error, told, again

    def __reduce__(self) -> Any:
        """An error that no pickle takes arrives as its text."""
        error: BaseException = self.error
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            error = RuntimeError(f"{type(error).__name__}: {error}")
        return ShardFailed, (self.shard, error, self.told, self.again)


def part(job: Job, given: tuple[Any, Any], shard: int, *pieces: Any) -> Part:
    """The result of one shard; ``given`` are the arguments by position and by name, with slots for the pieces."""
    try:
        made = [settled(one.make() if isinstance(one, Recipe) else one) for one in pieces]
    except Exception as error:
        raise ShardFailed(shard, error, told(error), True) from error
    try:
        rows = rows_of(job.names, made)
        args, named = given
        if job.claim is not None and job.claim.shard == shard:
            check_rows(job.claim, job.reduce, given, made, rows)
        full = [filled(x, made) for x in args]
        value = job.run(*full, **{name: filled(x, made) for name, x in named.items()})
        return Part(rows, weighted(job.reduce, value, rows))
    except Exception as error:
        raise ShardFailed(shard, error, told(error), isinstance(error, MemoryError)) from error


def check_rows(
    claim: Claim, reduce: str, given: tuple[Any, Any], pieces: Sequence[Any], rows: int
) -> None:
    args, named = given

    def of_pieces(some: Sequence[Any]) -> Any:
        own = [copied(x, some) for x in args[claim.before :]]
        return claim.function(*own, **{name: copied(x, some) for name, x in named.items()})

    hold(of_pieces, claim.name, reduce, pieces, rows)


def copied(x: Any, pieces: Sequence[Any]) -> Any:
    return map_leaves(lambda a: a.copy() if isinstance(a, np.ndarray) else a, filled(x, pieces))


def filled(x: Any, pieces: Sequence[Any]) -> Any:
    return pieces[x.at] if isinstance(x, Slot) else x


def merge(job: Job, *parts: Part) -> Part:
    return merged(job.reduce == "rows", parts)


def told(error: BaseException) -> str:
    """The traceback, without our frames."""
    trim(error)
    return "".join(traceback.format_exception(error)).rstrip()


def rows_of(names: Sequence[str], pieces: Sequence[Any]) -> int:
    """The rows of a shard, which all its arrays have."""
    found = {
        name: len(leaf) for name, piece in zip(names, pieces, strict=True) for leaf in leaves(piece)
    }
    if len(set(found.values())) != 1:
        said = ", ".join(f"{name} has {rows}" for name, rows in found.items())
        raise SignatureMismatch(f"what is split has the same number of rows: {said}")
    return next(iter(found.values()))


def weighted(reduce: str, value: Any, rows: int) -> Any:
    """A mean as a sum over the rows; rows are checked to be as many as went in."""
    if reduce == "mean":
        return map_leaves(lambda x: None if x is None else x * rows, value)
    if reduce == "rows":
        for leaf in leaves(value):
            if np.ndim(leaf) == 0 or len(leaf) != rows:
                raise SignatureMismatch(
                    f"a result of shape {np.shape(leaf)} for {rows} rows: the first axis of what the function "
                    "returns is that of the rows that are split"
                )
    return value
