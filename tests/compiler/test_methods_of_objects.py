"""Methods of objects that are called like those of arrays: `model.mean(x)` is no mean along an axis.

Every public method of arrays, of an object that comes about in one of many ways, gives its derivative or an error.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

NAMES = [n for n in dir(np.ndarray) if not n.startswith("_") and callable(getattr(np.ndarray, n))]


def model(name: str, factor: float) -> Any:
    """An object whose method of this name has a derivative, and a field."""

    def method(self: Any, *given: Any) -> Any:
        return np.sum([np.sum(part) * self.factor for part in given])

    return type("Model", (), {name: method, "factor": factor})()


WAYS = {
    "global": "MODEL",
    "function": "pick()",
    "chosen": "(MODEL if x[0] > 0 else OTHER)",
    "function that chooses": "either(x)",
    "entry": "TABLE[key()]",
    "entry by get": "TABLE.get(key(), OTHER)",
    "classmethod": "Holder.current()",
    "attribute": "Holder.model",
    "attribute by name": "getattr(Holder, named())",
    "item": "LIST[int(x.shape[0]) - 3]",
    "next": "next(iter(LIST))",
    "unpacked": "unpacked()",
    "lambda": "(lambda m: m)(MODEL)",
    "or": "(None or MODEL)",
}
PROGRAM = """
def pick():
    return MODEL

def either(x):
    if x[0] > 0:
        return MODEL
    return OTHER

def key():
    return json.loads('"a"')

def named():
    return json.loads('"model"')

def unpacked():
    a, b = PAIR
    return a

class Holder:
    model = MODEL

    @classmethod
    def current(cls):
        return cls.model

def f(x):
    return {way}.{name}({given})

def g(x):
    m = {way}
    total = 0.0
    for k in range(2):
        total = total + m.{name}({given})
    return total
"""


def program(way: str, name: str, given: str) -> Any:
    first, other = model(name, 3.0), model(name, 5.0)
    return written(
        PROGRAM.format(way=WAYS[way], name=name, given=given),
        MODEL=first, OTHER=other, TABLE={"a": first, "b": other}, LIST=[first, other], PAIR=(first, other), json=json,
    )  # fmt: skip


def check(way: str, name: str, given: str, strict: bool) -> None:
    f = program(way, name, given)
    x = np.array([1.0, 2.0, 4.0])
    for function, factor in ((f, 3.0), (f.__globals__["g"], 6.0)):
        try:
            found = rg.differentiate(
                function, check=None, strict=strict, fallback=None if strict else "tape"
            ).grad(x)
        except rg.RetrogradError:
            continue
        np.testing.assert_allclose(
            found, np.full(3, factor), err_msg=f"{way} {name} {function.__name__}"
        )


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize(("name", "way"), list(zip(NAMES, itertools.cycle(WAYS))))
def test_every_method(name: str, way: str) -> None:
    check(way, name, "x", strict=True)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("name", "given"), [("mean", "x"), ("dot", "x"), ("sum", "0, x"), ("predict", "x")]
)
def test_every_way(way: str, name: str, given: str) -> None:
    check(way, name, given, strict=False)


OPERATORS = {
    "__add__": "m + x", "__radd__": "x + m", "__sub__": "m - x", "__rsub__": "x - m", "__mul__": "m * x",
    "__rmul__": "x * m", "__matmul__": "m @ x", "__rmatmul__": "x @ m", "__truediv__": "m / x", "__pow__": "m**x",
    "__lt__": "m < x", "__eq__": "m == x", "__and__": "m & x", "__call__": "m(x)", "__getitem__": "m[x]",
}  # fmt: skip
OPERATED = (
    PROGRAM.partition("def f(x)")[0] + "def f(x):\n    m = {way}\n    return np.sum({text})\n"
)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize(("name", "way"), sorted(itertools.product(OPERATORS, WAYS))[::4])
def test_every_operator(way: str, name: str) -> None:
    f = program(way, name, "x")
    for held in (f.__globals__["MODEL"], f.__globals__["OTHER"]):
        type(held).__array_ufunc__ = None
    f = written(OPERATED.format(way=WAYS[way], text=OPERATORS[name]), **f.__globals__)
    try:
        found = rg.differentiate(f, check=None, strict=True).grad(np.array([1.0, 2.0, 4.0]))
    except rg.RetrogradError:
        return
    np.testing.assert_allclose(found, np.full(3, 3.0))
