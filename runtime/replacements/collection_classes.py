"""The containers of `collections`, and sets, as programs over lists and dicts.

They live while a function runs and never leave it: the compiler lowers their methods in place, and refuses to
return them.  What a class does not say here is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["Chained", "Counts", "DefaultEntries", "Ends", "Entries", "Members"]


class Ends:
    """`collections.deque`."""

    def __init__(self, iterable: Iterable[Any] = (), maxlen: int | None = None) -> None:
        self.line: list[Any] = []
        self.maxlen = maxlen
        self.extend(iterable)

    def append(self, item: Any) -> None:
        self.line.append(item)
        if self.maxlen is not None and len(self.line) > self.maxlen:
            self.line.pop(0)

    def appendleft(self, item: Any) -> None:
        self.line.insert(0, item)
        if self.maxlen is not None and len(self.line) > self.maxlen:
            self.line.pop()

    def extend(self, iterable: Iterable[Any]) -> None:
        for item in iterable:
            self.append(item)

    def extendleft(self, iterable: Iterable[Any]) -> None:
        for item in iterable:
            self.appendleft(item)

    def pop(self) -> Any:
        return self.line.pop()

    def popleft(self) -> Any:
        return self.line.pop(0)

    def rotate(self, n: int = 1) -> None:
        if len(self.line) > 0:
            first = len(self.line) - n % len(self.line)
            self.line = self.line[first:] + self.line[:first]

    def clear(self) -> None:
        self.line = []

    def copy(self) -> Any:
        return Ends(self.line, self.maxlen)

    def reverse(self) -> None:
        self.line.reverse()

    def __len__(self) -> int:
        return len(self.line)

    def __iter__(self) -> Any:
        return iter(self.line)

    def __getitem__(self, index: int) -> Any:
        return self.line[index]

    def __setitem__(self, index: int, item: Any) -> None:
        self.line[index] = item

    def __contains__(self, item: Any) -> bool:
        return item in self.line


class Entries:
    """`collections.OrderedDict`, and what the other dicts have in common."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self.entries = dict(*given, **named)

    def __getitem__(self, key: Any) -> Any:
        return self.entries[key]

    def __setitem__(self, key: Any, item: Any) -> None:
        self.entries[key] = item

    def __contains__(self, key: Any) -> bool:
        return key in self.entries

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Any:
        return iter(self.entries)


class DefaultEntries(Entries):
    """`collections.defaultdict`."""

    def __init__(
        self, default_factory: Callable[[], Any] | None = None, *given: Any, **named: Any
    ) -> None:
        self.default_factory = default_factory
        self.entries = dict(*given, **named)

    def __getitem__(self, key: Any) -> Any:
        if self.default_factory is not None and key not in self.entries:
            self.entries[key] = self.default_factory()
        return self.entries[key]


class Counts(Entries):
    """`collections.Counter`."""

    def __init__(self, iterable: Iterable[Any] = ()) -> None:
        self.entries: dict[Any, Any] = {}
        self.count(iterable)

    def count(self, iterable: Iterable[Any]) -> None:
        for key in iterable:
            self[key] = self[key] + 1

    def __getitem__(self, key: Any) -> Any:
        return self.entries.get(key, 0)


class Chained:
    """`collections.ChainMap`."""

    def __init__(self, *maps: Any) -> None:
        self.maps = [*maps] if maps else [{}]

    def __getitem__(self, key: Any) -> Any:
        for entries in self.maps:
            if key in entries:
                return entries[key]
        raise KeyError(key)

    def get(self, key: Any, default: Any = None) -> Any:
        found = default
        if key in self:
            found = self[key]
        return found

    def __setitem__(self, key: Any, item: Any) -> None:
        self.maps[0][key] = item

    def __contains__(self, key: Any) -> bool:
        return any(key in entries for entries in self.maps)


class Members:
    """`set`: its members are the keys of a dict. It is not gone over: the order of a set is nobody's."""

    def __init__(self, iterable: Iterable[Any] = ()) -> None:
        self.members: dict[Any, None] = {}
        self.update(iterable)

    def add(self, item: Any) -> None:
        self.members[item] = None

    def discard(self, item: Any) -> None:
        if item in self.members:
            del self.members[item]

    def remove(self, item: Any) -> None:
        del self.members[item]

    def clear(self) -> None:
        self.members = {}

    def copy(self) -> Any:
        return Members(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __contains__(self, item: Any) -> bool:
        return item in self.members

    # What follows is given the members of another set as a dict.

    def update(self, *others: Iterable[Any]) -> None:
        for other in others:
            for item in other:
                self.members[item] = None

    def intersection_update(self, *others: Iterable[Any]) -> None:
        for other in others:
            kept = Members(other).members
            for item in list(self.members):
                if item not in kept:
                    del self.members[item]

    def difference_update(self, *others: Iterable[Any]) -> None:
        for other in others:
            for item in list(other):
                self.discard(item)

    def symmetric_difference_update(self, other: Iterable[Any]) -> None:
        for item in list(Members(other).members):
            if item in self.members:
                del self.members[item]
            else:
                self.members[item] = None

    def union(self, *others: Iterable[Any]) -> Any:
        made = self.copy()
        made.update(*others)
        return made

    def intersection(self, *others: Iterable[Any]) -> Any:
        made = self.copy()
        made.intersection_update(*others)
        return made

    def difference(self, *others: Iterable[Any]) -> Any:
        made = self.copy()
        made.difference_update(*others)
        return made

    def symmetric_difference(self, other: Iterable[Any]) -> Any:
        made = self.copy()
        made.symmetric_difference_update(other)
        return made

    def issubset(self, other: Iterable[Any]) -> bool:
        among = Members(other).members
        return all(item in among for item in self.members)

    def issuperset(self, other: Iterable[Any]) -> bool:
        return all(item in self.members for item in other)

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        return not any(item in self.members for item in other)

    def __or__(self, other: Any) -> Any:
        return self.union(other)

    def __and__(self, other: Any) -> Any:
        return self.intersection(other)

    def __sub__(self, other: Any) -> Any:
        return self.difference(other)

    def __xor__(self, other: Any) -> Any:
        return self.symmetric_difference(other)

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __iand__(self, other: Any) -> Any:
        self.intersection_update(other)
        return self

    def __isub__(self, other: Any) -> Any:
        self.difference_update(other)
        return self

    def __ixor__(self, other: Any) -> Any:
        self.symmetric_difference_update(other)
        return self

    def __eq__(self, other: Any) -> bool:
        return len(self.members) == len(other) and self.issubset(other)

    def __le__(self, other: Any) -> bool:
        return self.issubset(other)

    def __lt__(self, other: Any) -> bool:
        return len(self.members) < len(other) and self.issubset(other)

    def __ge__(self, other: Any) -> bool:
        return self.issuperset(other)

    def __gt__(self, other: Any) -> bool:
        return len(self.members) > len(other) and self.issuperset(other)
