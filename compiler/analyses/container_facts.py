"""Facts about the methods of Python's containers: those that do not modify their object.

All others are taken to change it.  ``tests/compiler/test_container_facts.py`` measures every entry.
"""

from __future__ import annotations

import array
import collections
import types
from typing import Any

__all__ = ["leaves_alone"]

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
IMMUTABLE = (str, bytes, int, float, complex, tuple, frozenset, range, slice, type(None))


def leaves_alone(owner: Any, name: str) -> bool:
    """True if the method of C that is called ``name`` cannot change ``owner``."""
    return isinstance(owner, IMMUTABLE) or name in LEAVES.get(type(owner), ())
