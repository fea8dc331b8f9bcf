"""Where a container of the module is held x how it is changed x how it is read: a program for each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from tests.written import namespace

__all__ = ["cases", "made"]

HEAD = """
import collections
import numpy as np

class Held:
    def __init__(self, data):
        self.data = data
    def append(self, v):
        self.data.append(v)
    def pop(self):
        return self.data.pop()
    def last(self):
        return self.data[-1]
    def total(self):
        return sum(self.data)
    def __getitem__(self, k):
        return self.data[k]
    def __len__(self):
        return len(self.data)
    def __iter__(self):
        return iter(self.data)

def push(data, v):
    data.append(v)

def last_of(data):
    return data[-1]

def reset():
    global L, O, U, E, N, D
    L, O, U = [1.0, 2.0], Held([1.0, 2.0]), collections.UserList([1.0, 2.0])
    E, N, D = {"held": [1.0, 2.0]}, Held(Held([1.0, 2.0])), collections.deque([1.0, 2.0])

reset()
"""
HOLDERS = {
    "list": ("L", "L"), "object": ("O.data", "O"), "user list": ("U.data", "U"), "entry": ("E['held']", "E['held']"),
    "object in object": ("N.data.data", "N.data"), "deque": ("D", "D"),
}  # fmt: skip
CHANGES = ("{inner}.append({v})", "{outer}.append({v})", "push({inner}, {v})", "push({outer}, {v})", "d = {inner}; d.append({v})")  # fmt: skip
VALUES = ("2.5", "x * x")
READS = {
    "item": "{inner}[-1]", "item of the object": "{outer}[-1]", "sum": "sum({inner})", "length": "len({inner})",
    "length of the object": "len({outer})", "loop": "sum(v * v for v in {outer})", "helper": "last_of({inner})",
    "greatest": "max({inner})", "copied": "list({inner})[-1]", "array": "np.sum(np.array({inner}))",
    "asked": "float(2.5 in {inner})", "unpacked": "[*{inner}][-1]", "popped": "{outer}.pop()",
}  # fmt: skip
OF_OBJECTS = {"last": "{outer}.last()", "total": "{outer}.total()"}


def cases() -> Iterator[tuple[str, str]]:
    """A name and a text for each."""
    for holder, change, value in itertools.product(HOLDERS, CHANGES, VALUES):
        inner, outer = HOLDERS[holder]
        reads = READS | (OF_OBJECTS if holder.startswith("object") else {})
        for read, spelled in reads.items():
            names = {"inner": inner, "outer": outer, "v": value}
            asked = spelled.format(**names)
            body = f"before = {asked}\n    " if read != "popped" else "before = 0.0\n    "
            body += f"{change.format(**names)}\n    return before * x + {asked} * x * x"
            yield f"{holder}/{change}/{value}/{read}", f"def f(x):\n    {body}\n"


def made(text: str) -> dict[str, Any]:
    return namespace(HEAD + text)
