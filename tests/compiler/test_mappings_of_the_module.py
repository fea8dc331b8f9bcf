"""Mappings of classes of the user's, at the top of a module: their methods that only read do not change them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.aliasing.reading_functions import only_reads
from retrograd.runtime.errors import RetrogradError

from ..written import written

CLASSES = """
from collections import ChainMap, OrderedDict, UserDict, defaultdict
from collections.abc import KeysView, Mapping, MutableMapping
from types import MappingProxyType

class Table(MutableMapping):
    def __init__(self, data):
        self._data = {}
        self.update(data)
    def __setitem__(self, key, value): self._data[key] = value
    def __getitem__(self, key): return self._data[key]
    def __delitem__(self, key): del self._data[key]
    def __iter__(self): yield from self._data.keys()
    def __len__(self): return len(self._data)

class Lower(Table):
    def __getitem__(self, key):
        try:
            return self._data[key]
        except KeyError:
            pass
        return self[dict(zip(self.lower(), self.keys(), strict=True))[str(key).lower()]]
    def lower(self):
        yield from iter([str(key).lower() for key in self._data])

class Fixed(Mapping):
    def __init__(self, data): self._data = dict(data)
    def __getitem__(self, key): return self._data[key]
    def __iter__(self): return iter(self._data)
    def __len__(self): return len(self._data)

class User(UserDict):
    pass

class Times(dict):
    def __getitem__(self, key): return 10.0 * super().__getitem__(key)

class TimesInOrder(Times):
    def __iter__(self): return iter(sorted(super().keys()))

class Memo(Table):
    def find(self, key):
        if key not in self._data:
            self._data[key] = 2.0
        return self._data[key]

class Counting(Table):
    asked = 0
    def get(self, key, default=None):
        self.asked += 1
        return self._data.get(key, default)

class Moving(Table):
    def names(self):
        found = self._data
        found.pop("b", None)
        return list(found)

ITEMS = {"a": 1.5, "b": 3.0}
TABLE, LOWER, FIXED, USER = Table(ITEMS), Lower({"A": 1.5, "B": 3.0}), Fixed(ITEMS), User(ITEMS)
ORDER, PROXY, CHAIN, SPARE = OrderedDict(ITEMS), MappingProxyType(ITEMS), ChainMap(ITEMS), defaultdict(float, ITEMS)
TIMES, IN_ORDER = Times(ITEMS), TimesInOrder(ITEMS)
MEMO, COUNTING, MOVING = Memo(ITEMS), Counting(ITEMS), Moving(ITEMS)
"""
READ = {
    "an item": "TABLE[k] * x",
    "another name of it": "LOWER[k] * x",
    "and its length": "LOWER[k] * x * len(LOWER)",
    "in it": "(TABLE[k] if k in TABLE else 7.0) * x",
    "get": "(FIXED.get(k) + FIXED.get('z', 2.0)) * x",
    "get of another": "(USER.get(k) + USER.get('z', 2.0)) * x",
    "keys": "USER[k] * x * len(list(USER.keys()))",
    "a method": "LOWER[k] * x * len(list(LOWER.lower()))",
    "values": "sum(v * x for v in TABLE.values())",
    "items": "sum(v * x ** len(n) for n, v in FIXED.items())",
}
MADE = {
    "dict": "dict(TABLE)[k] * x",
    "dict and a word": "dict(TABLE, c=x)['c'] * dict(FIXED)[k]",
    "spread": "{'c': x, **TABLE}['c'] * {**FIXED}[k]",
    "spread over": "{'a': x, **TABLE, 'b': x}['b']",
    "dict of an order": "dict(ORDER)[k] * x",
    "dict of a proxy": "dict(PROXY)[k] * x",
    "dict of a chain": "dict(CHAIN)[k] * x",
    "dict of a spare": "dict(SPARE)[k] * x",
    "in its own order": "dict(IN_ORDER)[k] * x",
    "user's": "dict(USER)[k] * x",
}
CHANGING = {"find": "MEMO.find('q') * x * len(MEMO)", "get": "COUNTING.get(k) * COUNTING.asked * x",
            "names": "len(MOVING.names()) * x * len(MOVING)"}  # fmt: skip


def function(text: str) -> Any:
    return written(f"{CLASSES}\ndef f(x, k='a'):\n    return {text}\n")


@pytest.mark.parametrize("text", (READ | MADE).values(), ids=[*READ, *MADE])
def test_reading_is_compiled(text: str) -> None:
    f = function(text)
    derivative = rg.grad(f, strict=True)
    for k in ("a", "b", "a"):
        assert derivative(1.3, k) == pytest.approx(slope(f, k), rel=1e-6)
    assert rg.jvp(f, (1.3, "a"), (1.0, None))[1] == pytest.approx(slope(f, "a"), rel=1e-6)


@pytest.mark.parametrize("name", ["TABLE", "LOWER", "FIXED", "USER"])
def test_another_item_is_read_again(name: str) -> None:
    f = function(f"{name}[k] * x * len(list({name}.keys()))")
    derivative = rg.grad(f, strict=True)
    data = getattr(f.__globals__[name], "_data", None)
    data = f.__globals__[name].data if data is None else data
    for value in (1.5, 4.0):
        data["A" if name == "LOWER" else "a"] = value
        assert derivative(1.3) == pytest.approx(slope(f, "a"), rel=1e-6)
    data["c"] = 2.5
    assert derivative(1.3, "c") == pytest.approx(slope(f, "c"), rel=1e-6)


@pytest.mark.parametrize("text", CHANGING.values(), ids=list(CHANGING))
def test_what_changes_is_refused_or_right(text: str) -> None:
    own = function(text)(1.0)
    try:
        found = rg.grad(function(text), strict=True)(1.0)
    except RetrogradError:
        return
    assert found == pytest.approx(own)


def test_a_dict_of_stored_items_is_refused() -> None:
    """``dict(d)`` of a class below ``dict`` takes what is stored, ``d[k]`` what the class makes of it."""
    with pytest.raises(RetrogradError, match="other items than it stores"):
        rg.grad(function("dict(TIMES)[k] * x"), strict=True)(1.3)


def slope(f: Any, k: str) -> float:
    h = 1e-6
    return (f(1.3 + h, k) - f(1.3 - h, k)) / (2 * h)


# -- which functions only read --------------------------------------------------------------------------

READERS = {
    "an item": "return d['a']",
    "keys": "return list(d.keys())",
    "a loop": "return [k.upper() for k in d]",
    "a helper": "return helper(d)",
    "a method": "return o.first()",
    "a property": "return o.size",
    "its own dict": "found = {}\n    return [len(found), len(d)]",
    "a generator": "yield from d",
    "an inner function": "def inner(k): return d[k]\n    return inner('a')",
}
WRITERS = {
    "an item": "d['z'] = 1",
    "an attribute": "o.z = 1",
    "a method of C": "d.update(a=1)",
    "popitem": "return d.popitem()",
    "a deletion": "del d['a']",
    "in place": "d |= {}",
    "another name": "e = d\n    e['z'] = 1",
    "a helper": "writer(d)",
    "a method": "o.count()",
    "a property": "return o.counted",
    "what a method calls": "return o.through()",
    "a special method": "d.__setitem__('z', 1)",
    "setattr": "setattr(o, 'z', 1)",
    "a variable that is called": "g = writer\n    g(d)",
    "an item that is called": "return [writer][0](d)",
    "a function that it holds": "return o.held(d)",
    "a function in a slot": "return o.slotted.held(d)",
    "a cached property": "return o.once",
    "an iterator": "return next(o.rows)",
    "a missing item": "return o.spare['z']",
    "a global": "global COUNT\n    COUNT = 2",
    "eval": "return eval('d.clear()')",
    "sorted by a function": "return sorted(d, key=o.noted)",
    "a string": "return str(o)",
    "an operator": "return o + 1",
    "a shift": "return o << 1",
    "a number of it": "return abs(o)",
    "with": "with o:\n        return 1",
    "out": "return np.sin(o.row, out=o.row)",
}
HOLDER = """
import functools
import numpy as np
from collections import defaultdict
def helper(d): return d.get('a')
def writer(d): d['z'] = 1
class Slotted:
    __slots__ = ("held",)
    def __init__(self): self.held = writer
class Holder:
    def __init__(self):
        self.data, self.n, self.row = {'a': 1}, 0, np.zeros(2)
        {more}
    def first(self): return self.data['a']
    @functools.cached_property
    def once(self): return 1
    @property
    def size(self): return len(self.data)
    def count(self): self.n += 1
    @property
    def counted(self):
        self.n = 1
        return self.n
    def through(self): return self.first() or self.count()
    def noted(self, key):
        self.n = key
        return key
    def __str__(self):
        self.n = 2
        return 'o'
    def __add__(self, other):
        self.n = other
    def __lshift__(self, other):
        self.n = other
    def __abs__(self):
        self.n = other
        return self
    def __enter__(self): self.n = 3
    def __exit__(self, *error): pass
"""
HOLDS = {
    "a function that it holds": "self.held = writer",
    "a function in a slot": "self.slotted = Slotted()",
    "an iterator": "self.rows = iter([1])",
    "a missing item": "self.spare = defaultdict(list)",
}


@pytest.mark.parametrize("name", READERS)
def test_readers(name: str) -> None:
    assert reads(READERS[name], "pass")


@pytest.mark.parametrize("name", WRITERS)
def test_writers(name: str) -> None:
    assert not reads(WRITERS[name], HOLDS.get(name, "pass"))


def reads(body: str, more: str) -> bool:
    holder = HOLDER.replace("{more}", more).replace(
        "def __str__", "def __str__" if "str(" in body else "def text"
    )
    f = written(f"{holder}\ndef f(o, d):\n    {body}\n")
    return only_reads(f, [f.__globals__["Holder"](), {"a": 1}])


def test_methods_of_abstract_classes() -> None:
    spaces = function("x").__globals__
    table, fixed = spaces["TABLE"], spaces["FIXED"]
    for method in (table.keys, table.items, table.values, table.get, fixed.get, fixed.__contains__):
        assert only_reads(method, [])
    for method in (table.pop, table.popitem, table.clear, table.update, table.setdefault):
        assert not only_reads(method, [])


def test_arrays_are_no_reason() -> None:
    f = written("def f(d):\n    return [k for k in d]\n")
    assert only_reads(f, [{"a": np.zeros(3), "b": [1.0, None]}])
