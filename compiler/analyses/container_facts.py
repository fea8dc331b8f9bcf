"""Facts about the methods of Python's containers: those that do not modify their object.

All others are taken to change it.  ``tests/compiler/test_container_facts.py`` measures every entry.
"""

from __future__ import annotations

import array
import collections
import collections.abc
import types
from typing import Any

__all__ = ["is_abstract_reader", "leaves_alone", "leaves_alone_of"]

COMMON = "__contains__ __iter__ __len__ __getitem__ __reversed__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __repr__ __str__ __format__"  # fmt: skip
MAPPING = "copy get items keys values __or__ __ror__"

LEAVES: dict[type, set[str]] = {
    cls: {name for name in f"{COMMON} {names}".split() if hasattr(cls, name)}
    for cls, names in {
        list: "copy count index __add__ __mul__ __rmul__",
        dict: MAPPING,
        set: """copy difference intersection isdisjoint issubset issuperset symmetric_difference union
            __or__ __and__ __sub__ __xor__ __ror__ __rand__ __rsub__ __rxor__""",
        collections.deque: "copy count index maxlen __add__ __mul__ __rmul__",
        collections.OrderedDict: MAPPING,
        collections.defaultdict: MAPPING,
        types.MappingProxyType: f"{MAPPING} __ior__",
        array.array: "buffer_info count index tobytes tolist tounicode __add__ __mul__ __rmul__",
        bytearray: """capitalize center copy count decode endswith expandtabs find hex index isalnum isalpha
            isascii isdigit islower isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind
            rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate
            upper zfill __add__ __mul__ __rmul__ __mod__ __rmod__""",
    }.items()
}
LEAVES[collections.defaultdict].discard("__getitem__")  # a missing entry is made
READ_ONLY = [
    "Container",
    "Iterable",
    "Sized",
    "Reversible",
    "Hashable",
    "Mapping",
    "Sequence",
    "KeysView",
    "ItemsView",
    "ValuesView",
]
ABSTRACT = [getattr(collections.abc, name) for name in READ_ONLY]
READERS = [f for cls in ABSTRACT for f in vars(cls).values() if isinstance(f, types.FunctionType)]
IMMUTABLE = (str, bytes, int, float, complex, tuple, frozenset, range, slice, type(None))


def leaves_alone(owner: Any, name: str) -> bool:
    """True if the method of C that is called ``name`` cannot change ``owner``."""
    return isinstance(owner, IMMUTABLE) or name in LEAVES.get(type(owner), ())


def is_abstract_reader(fn: Any) -> bool:
    """True of the methods of the abstract classes that cannot be written to: they only use the operators that read."""
    return fn in READERS


def leaves_alone_of(cls: type, name: str) -> bool:
    """True if the method of C that a class itself has cannot change its objects."""
    return cls in IMMUTABLE or name in LEAVES.get(cls, ())
