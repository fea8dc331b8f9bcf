"""Guards that a kernel looks at itself: it is quicker there than in Python, and stands before all the rest.

Beside its fallback a kernel has a cell.  While there is a table in the cell, a call whose guards do not all hold goes
elsewhere.  A table is ``(miss, MISSING, fixed, counts, entries, owners)``: where such a call goes; what stands for
what is not there; words of memory and what they have to be, in turn; those of them that count the changes of dicts,
when entries of these were last read (none, where Python counts no changes); these entries, as ``dict, key, value`` in turn; and what must stay alive.
"""

from __future__ import annotations

import ctypes
import functools
import struct
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, CellType, FunctionType
from typing import Any

__all__ = [
    "HOLDS",
    "MOST",
    "cell_of",
    "layout",
    "packed",
    "word_of_cell",
    "word_of_changes",
    "word_of_class",
    "word_of_function",
]

MOST = 16  # dicts of one table

HOLDS = r"""/* Pairs of an address and of what stands there.  (Cold functions are small: compilers take half as long for them.) */
static __attribute__((noinline, cold)) int rg_words_hold(rg_object *words)
{
    uint64_t *w = RG_WORDS(words), *end = w + RG_SIZE(words) / 8;
    for (; w != end; w += 2) if (*(const uint64_t *)w[0] != w[1]) return 0;
    return 1;
}

static inline int rg_holds(rg_object *table)
{
    rg_object *counts = RG_ITEM(table, 3);
    return rg_words_hold(RG_ITEM(table, 2)) && RG_SIZE(counts) && rg_words_hold(counts);
}

/* Where a call goes whose guards do not hold: owned by the caller, or null.  Counts are those of before entries are read. */
static __attribute__((noinline, cold)) rg_object *rg_read_again(rg_object *table)
{
    rg_object *counts = RG_ITEM(table, 3), *entries = RG_ITEM(table, 4), *miss = 0;
    uint64_t *w = RG_WORDS(counts), now[16];
    intptr_t n = RG_SIZE(counts) / 16;
    int same = rg_words_hold(RG_ITEM(table, 2));
    for (intptr_t k = 0; k < n; k++) now[k] = *(const uint64_t *)w[2 * k];
    Py_IncRef(table); /* keys that are no strings may run code, and that may put another one there */
    for (intptr_t k = 0; same && k < RG_SIZE(entries); k += 3) {
        rg_object *found = PyDict_GetItemWithError(RG_ITEM(entries, k), RG_ITEM(entries, k + 1));
        same = (found || !PyErr_Occurred()) && (found ? found : RG_ITEM(table, 1)) == RG_ITEM(entries, k + 2);
    }
    if (same) for (intptr_t k = 0; k < n; k++) w[2 * k + 1] = now[k];
    else Py_IncRef(miss = RG_ITEM(table, 0)), PyErr_Clear();
    Py_DecRef(table);
    return miss;
}

"""


def layout() -> str:
    """Where things stand in Python's objects: the size of the head of each, what comes before a tuple's and a text's items."""
    sizes = {
        "RG_HEAD": object.__basicsize__,
        "RG_TUPLE": tuple.__basicsize__,
        "RG_BYTES": bytes.__basicsize__ - 1,
    }
    return "\n".join(f"#define {name} {size}" for name, size in sizes.items())


def cell_of(kernel: Any) -> CellType | None:
    """Where a kernel's table stands; None for what is no kernel in C."""
    given = kernel.__self__ if type(kernel) is BuiltinFunctionType else None
    found = given[1] if type(given) is tuple and len(given) > 1 else None
    return found if type(found) is CellType else None


# -- words of memory: an address, and what is there now -------------------------------------------

HEAD = object.__basicsize__
Word = tuple[int, int]


def word(address: int) -> Word:
    return address, ctypes.c_uint64.from_address(address).value


def word_of_class(owner: Any) -> Word:
    return word(id(owner) + HEAD - 8)


def word_of_cell(cell: CellType) -> Word:
    return word(id(cell) + HEAD)


def word_of_changes(owner: dict[Any, Any]) -> Word | None:
    """Where the changes of a dict are counted, if this Python does that."""
    return word(id(owner) + HEAD + 8) if counts_changes() else None


def word_of_function(function: FunctionType, of: str) -> Word | None:
    """Where a function's ``__code__`` or ``__defaults__`` stands."""
    at = places().get(of)
    return None if at is None else word(id(function) + at)


@functools.cache
def counts_changes() -> bool:
    """Whether this Python counts the changes of its dicts: before 3.14 it does.  It is tried on one."""
    if sys.implementation.name != "cpython" or sys.version_info >= (3, 14):
        return False
    kept: dict[str, int] = {}
    changes: list[Callable[[], Any]] = [
        dict, lambda: kept.update(a=1), lambda: kept.update(a=2), lambda: kept.pop("a"),
        lambda: kept.setdefault("b", 1), kept.clear,
    ]  # fmt: skip
    seen = set()
    for change in changes:
        change()
        seen.add(word(id(kept) + HEAD + 8))
    return len(seen) == len(changes)


@functools.cache
def places() -> dict[str, int]:
    """Where functions have their code and their defaults, found in two of them."""
    found = {}
    for of in ("__code__", "__defaults__"):
        one, other = (sample(k) for k in range(2))
        steps = range(HEAD, FunctionType.__basicsize__, 8)
        at = [
            k for k in steps if all(word(id(f) + k)[1] == id(getattr(f, of)) for f in (one, other))
        ]
        setattr(one, of, getattr(other, of))
        if len(at) == 1 and word(id(one) + at[0])[1] == id(getattr(other, of)):
            found[of] = at[0]
    return found


def sample(k: int) -> Any:
    def function(x: Any = (k,)) -> Any:
        return x

    function.__code__ = function.__code__.replace(co_name=f"function_{k}")
    return function


def packed(words: list[Word]) -> bytes:
    """Words as kernels read them, and write them where they count."""
    return struct.pack(f"={2 * len(words)}Q", *(n for pair in words for n in pair))
