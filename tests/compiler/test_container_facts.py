"""Which methods of Python's containers leave their object as it is: every entry, measured."""

from __future__ import annotations

import array
import collections
import copy
import itertools
import types

import pytest

from retrograd.compiler.analyses.container_facts import LEAVES, leaves_alone

SAMPLES = {
    list: [[2.0, 1.0, 3.0], [1.0], [[2.0], [1.0]]],
    dict: [{"b": 2.0, "a": 1.0}, {0: 3.0, 1: 1.0}],
    set: [{1.0, 2.0}, {"a", "b"}],
    collections.deque: [collections.deque([2.0, 1.0]), collections.deque([1.0], maxlen=1)],
    collections.OrderedDict: [collections.OrderedDict(b=2.0, a=1.0)],
    collections.defaultdict: [collections.defaultdict(list, {"a": [1.0]})],
    types.MappingProxyType: [types.MappingProxyType({"a": 1.0})],
    array.array: [array.array("d", [2.0, 1.0]), array.array("u", "ab")],
    bytearray: [bytearray(b"\x01a b")],
}
ARGUMENTS = [0, 1, 2.0, 1.0, "a", "b", "zz", None, [5.0], {"zz": 1.0}, {2.0}, {7.0}, b"a", b"12345678", (4.0,), slice(0, 1),
             array.array("d", [1.0]), collections.deque([1.0])]  # fmt: skip
PLENTY = [(), *itertools.product(ARGUMENTS), *itertools.product(ARGUMENTS, repeat=2)]
APART = {"__init__", "__new__", "__class__", "__init_subclass__", "__subclasshook__", "__class_getitem__",
         "__setattr__", "__delattr__", "__reduce__", "__reduce_ex__", "__getstate__", "__getattribute__", "__dir__",
         "__hash__", "__doc__", "__sizeof__", "__alloc__", "fromkeys", "fromhex", "maketrans", "__dict__", "__weakref__",
         "__module__", "__copy__", "__deepcopy__", "__missing__", "tofile", "fromfile"}  # fmt: skip


def may_change(sample, name):
    """Whether a call of the method was seen that leaves the object changed."""
    for args in PLENTY:
        try:
            owner = copy.deepcopy(sample)
        except TypeError:  # a proxy
            owner = types.MappingProxyType(dict(sample))
        before = state(owner)
        try:
            getattr(owner, name)(*args)
        except Exception:
            pass
        if state(owner) != before:
            return True
    return False


def state(owner):
    return repr(owner)


@pytest.mark.parametrize("cls", SAMPLES, ids=lambda cls: cls.__name__)
def test_every_method(cls):
    for name in [n for n in dir(cls) if n not in APART and callable(getattr(cls, n))]:
        changes = any(may_change(sample, name) for sample in SAMPLES[cls])
        assert leaves_alone(SAMPLES[cls][0], name) is not changes, name


def test_every_entry_is_a_method():
    assert LEAVES.keys() == SAMPLES.keys()
    for cls, names in LEAVES.items():
        assert all(hasattr(cls, name) for name in names)
