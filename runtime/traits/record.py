"""The record of an operation: what is known of it besides its derivative, declared beside its rule.

A fact is declared once, for the operation, with its rule or by ``traits`` in the same file::

    @rule(np.cumsum, memory="new")
    def cumsum(z, a, axis=None, *, da): ...

    traits(np.argsort, memory="new")

Nothing here knows the rule book or the compiler; ``traits_of`` (``traits/lookup.py``) is what they ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from ..errors import RuleError

__all__ = ["DECLARED", "OPTIONS", "Traits", "about", "declare", "traits"]

Operation = Any


def fact(about: str) -> Any:
    """A field that is unknown unless it is declared."""
    return field(default=None, metadata={"about": about})


@dataclass(frozen=True)
class Traits:
    """What is known of one operation. None: unknown, and whoever asks must expect the worst.

    Facts that depend on the arguments name a condition (``new_if="copied"``); what the condition means for
    a call is in one table of the compiler (``compiler/analyses/aliasing/memory_facts.py``).
    """

    # -- memory
    memory: Literal["new", "view", "either"] | None = fact(
        "new memory, a view of the first argument, or either"
    )
    new_if: str | None = fact("the condition under which the result is new memory")
    view_if: str | None = fact("the condition under which it is a view of the first argument")
    itself_if: str | None = fact(
        "the condition under which it is the first argument as it is, if that is shown at all"
    )
    rank_0: Literal["array", "either", "scalar"] | None = fact(
        "what it gives for rank 0: an array, NumPy's immutable scalar, or either"
    )
    read_only: bool | None = fact("NumPy refuses writes to its result")
    order: int | None = fact(
        "new arrays lie in C order, unless told otherwise behind so many arguments (-1: they do not)"
    )
    keeps_order: bool | None = fact("of what lies in C order it gives what lies in C order")
    axes: Literal["turned", "reordered"] | None = fact(
        "how a view changes the axes: the other way round, or in another order"
    )
    complex_part: Literal["real", "imaginary"] | None = fact(
        "the part of complex numbers that it gives"
    )
    # -- writes
    buffer: Literal["named", "apart"] | None = fact(
        "two calls are two arrays: memory that is written to (and has a name in the text), or kept apart"
    )
    writes: Literal["version", "sum", "argument"] | None = fact(
        "what it does to its first argument: gives its memory with other content, adds to it, or changes it"
    )


OPTIONS = tuple(f.name for f in fields(Traits))
DECLARED: dict[Operation, dict[str, Any]] = {}  # the one table keyed by an operation
made: dict[Operation, Traits] = {}  # the records asked for by now


def declare(operations: tuple[Operation, ...], facts: dict[str, Any]) -> None:
    """Add facts to the record of each operation; None stands for one that is not installed."""
    for name in facts:
        if name not in OPTIONS:
            raise RuleError(f"there is no trait `{name}`; there are {', '.join(OPTIONS)}")
    for operation in operations if facts else ():
        if operation is None:
            continue
        known = DECLARED.setdefault(operation, {})
        for name, value in facts.items():
            if known.get(name, value) != value:
                raise RuleError(f"`{name}` of {operation!r} is declared twice, differently")
            known[name] = value
        made.pop(operation, None)


def traits(*operations: Operation, **facts: Any) -> None:
    """Declare facts of operations, beside their rules."""
    declare(operations, facts)


def about() -> Iterator[tuple[str, str]]:
    """The name of each trait, and what it says."""
    for f in fields(Traits):
        yield f.name, f.metadata["about"]


Declaring = Callable[..., None]
