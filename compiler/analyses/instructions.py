"""What the instructions of a function say: the names that it reads from outside, and whether it writes to anything.

Each code object is read once.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from itertools import pairwise
from weakref import WeakKeyDictionary

from retrograd.runtime.records import dataclass

__all__ = ["CHANGES", "Instructions", "instructions"]

CHANGES = {"append", "extend", "insert", "pop", "popitem", "remove", "clear", "sort", "reverse", "update",
           "setdefault", "add", "discard", "fill", "put", "resize", "itemset", "appendleft", "popleft", "write"}  # fmt: skip
WRITES = {"STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR"}
READS = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"}


@dataclass(frozen=True)
class Instructions:
    """Of a function and of those inside it."""

    names: tuple[tuple[str, ...], ...]  # `np.linalg.inv`, as its parts
    globals_bound: tuple[str, ...]
    cells_bound: tuple[str, ...]
    writes: bool  # to attributes, to items, or by methods such as `append`
    is_in_place: bool  # it has an `x += y`: that writes, if `x` can be written to
    augmented: tuple[str, ...]  # the local variables `x` of these


def instructions(code: types.CodeType) -> Instructions:
    """
    >>> instructions((lambda x: math.sqrt(x)).__code__).names
    (('math', 'sqrt'),)
    >>> def f(x, y):
    ...     x *= y
    ...     return x
    >>> instructions(f.__code__).augmented
    ('x',)
    """
    if code not in KNOWN:
        KNOWN[code] = read(code)
    return KNOWN[code]


KNOWN: WeakKeyDictionary[types.CodeType, Instructions] = WeakKeyDictionary()


def read(code: types.CodeType) -> Instructions:
    steps = [step for inner in inner_codes(code) for step in dis.get_instructions(inner)]
    names: list[tuple[str, ...]] = []
    before = False
    for step in steps:
        if step.opname in READS:
            names.append((str(step.argval),))
        elif before and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            names[-1] += (str(step.argval),)
        before = step.opname in READS or (before and step.opname in ("LOAD_ATTR", "LOAD_METHOD"))
    return Instructions(
        tuple(dict.fromkeys(names)),
        bound(steps, "STORE_GLOBAL", "DELETE_GLOBAL"),
        bound(steps, "STORE_DEREF", "DELETE_DEREF"),
        any(map(is_write, steps)),
        any(map(augments, steps)),
        tuple(dict.fromkeys(stored(b) for a, b in pairwise(steps) if augments(a))),
    )


def augments(step: dis.Instruction) -> bool:
    return step.opname == "BINARY_OP" and step.argrepr.endswith("=")


def stored(step: dis.Instruction) -> str:
    """The name that an instruction stores to, which may do more than that: ``STORE_FAST_LOAD_FAST``."""
    return str(step.argval[0] if isinstance(step.argval, tuple) else step.argval)


def bound(steps: list[dis.Instruction], *kinds: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(step.argval) for step in steps if step.opname in kinds))


def is_write(step: dis.Instruction) -> bool:
    return step.opname in WRITES or step.argval in CHANGES


def inner_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from inner_codes(const)
