"""Guards that a kernel looks at itself: it is quicker there than in Python, and stands before all the rest.

Beside its fallback a kernel has a cell.  While there is a table in the cell, a call whose guards do not all hold goes
elsewhere.  A table is ``(miss, MISSING, fixed, entries, dicts, versions)``: where such a call goes, what stands for
what is not there, two tuples of ``owner, name, value`` in turn, and the dicts of the second one, with their versions
when the entries were last read.  Where CPython counts the changes of its dicts, entries are read anew after a
change alone.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from types import BuiltinFunctionType, CellType
from typing import Any

__all__ = ["HOLDS", "MOST", "cell_of", "layout"]

HOLDS = r"""/* Where a call goes that these objects do not let in: owned by the caller, or null. */
static inline rg_object *rg_miss(rg_object *table, int holds)
{
    rg_object *miss = holds ? 0 : RG_ITEM(table, 0);
    if (miss) Py_IncRef(miss);
    return miss;
}

/* The versions are those of before the entries were read. */
static __attribute__((noinline)) rg_object *rg_read_again(rg_object *table)
{
    rg_object *entries = RG_ITEM(table, 3), *dicts = RG_ITEM(table, 4), *miss;
    uint64_t versions[RG_DICTS];
    int same = 1;
    for (intptr_t k = 0; k < RG_SIZE(dicts); k++) versions[k] = RG_VERSION(RG_ITEM(dicts, k));
    Py_IncRef(table); /* keys that are no strings may run code, and that may put another one there */
    for (intptr_t k = 0; same && k < RG_SIZE(entries); k += 3) {
        rg_object *found = PyDict_GetItemWithError(RG_ITEM(entries, k), RG_ITEM(entries, k + 1));
        same = (found || !PyErr_Occurred()) && (found ? found : RG_ITEM(table, 1)) == RG_ITEM(entries, k + 2);
    }
    if (same) memcpy(PyByteArray_AsString(RG_ITEM(table, 5)), versions, 8 * RG_SIZE(dicts));
    else PyErr_Clear();
    miss = rg_miss(table, same);
    Py_DecRef(table);
    return miss;
}

static inline int rg_is_fixed(rg_object *owner, rg_object *name, rg_object *value)
{
    rg_object *type = RG_TYPE(owner);
    if (type == &PyCell_Type) return *(rg_object **)((char *)owner + RG_HEAD) == value;
    if (type == &PyModule_Type) return PyModule_GetDict(owner) == value;
    if (type != &PyFunction_Type) return 0;
    return (name == &_Py_NoneStruct ? PyFunction_GetCode(owner) : PyFunction_GetDefaults(owner)) == value;
}

static inline rg_object *rg_fails(rg_object *table)
{
    rg_object *fixed = RG_ITEM(table, 2), *dicts = RG_ITEM(table, 4);
    const uint64_t *versions = (const uint64_t *)PyByteArray_AsString(RG_ITEM(table, 5));
    int same = RG_COUNTS;
    for (intptr_t k = 0; k < RG_SIZE(fixed); k += 3)
        if (!rg_is_fixed(RG_ITEM(fixed, k), RG_ITEM(fixed, k + 1), RG_ITEM(fixed, k + 2))) return rg_miss(table, 0);
    for (intptr_t k = 0; k < RG_SIZE(dicts); k++) same &= versions[k] == RG_VERSION(RG_ITEM(dicts, k));
    return same ? 0 : rg_read_again(table);
}

static __attribute__((noinline, cold)) rg_object *rg_left(rg_object *miss, rg_object *const *args, intptr_t nargs)
{
    rg_object *result = PyObject_Vectorcall(miss, args, nargs, 0);
    Py_DecRef(miss);
    return result;
}

"""
MOST = 16  # dicts of one table


@functools.cache
def layout() -> str:
    """Where things stand in Python's objects: the size of the head of each, what comes before a tuple's items, the
    count of changes of a dict.
    """
    head, at = object.__basicsize__, object.__basicsize__ + 8
    counts = counts_changes(at)
    version = f"(*(const uint64_t *)((char *)(d) + {at}))" if counts else "0"
    return "\n".join(
        [
            f"#define RG_HEAD {head}",
            f"#define RG_TUPLE {tuple.__basicsize__}",
            f"#define RG_DICTS {MOST}",
            f"#define RG_COUNTS {int(counts)}",
            f"#define RG_VERSION(d) {version}",
        ]
    )


def counts_changes(at: int) -> bool:
    """Whether this Python counts the changes of its dicts, at this place of each: before 3.14 it does."""
    if sys.implementation.name != "cpython" or sys.version_info >= (3, 14):
        return False
    kept: dict[str, int] = {}
    version = ctypes.c_uint64.from_address(id(kept) + at)
    seen = {version.value}
    for value in (1, 2):
        kept["a"] = value
        seen.add(version.value)
    kept.pop("a")
    seen.add(version.value)
    kept.update(b=1)
    seen.add(version.value)
    kept.clear()
    return len(seen | {version.value}) == 6


def cell_of(kernel: Any) -> CellType | None:
    """Where a kernel's table stands; None for what is no kernel in C."""
    given = kernel.__self__ if type(kernel) is BuiltinFunctionType else None
    found = given[1] if type(given) is tuple and len(given) > 1 else None
    return found if type(found) is CellType else None
