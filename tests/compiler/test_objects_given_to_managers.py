"""Objects that are made in the function, filled by a method in a ``with`` that is given the object: ``with managed(self)``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..written import namespace

PROGRAM = """
import contextlib
import functools
import inspect

LOG = []

@contextlib.contextmanager
def managed(estimator):
    try:
        yield
    finally:
        if hasattr(estimator, "_context"):
            raise estimator._context

@contextlib.contextmanager
def plain(estimator, level=1):
    yield estimator

@contextlib.contextmanager
def scaling(estimator):
    estimator.factor = 3.0
    yield
    estimator.factor = 5.0

class Manager:
    def __init__(self, estimator):
        self.estimator = estimator
    def __enter__(self):
        self.estimator.factor = 4.0
        return self.estimator
    def __exit__(self, *error):
        self.estimator.factor = 1.0

def fitting(method):
    @functools.wraps(method)
    def wrapper(estimator, *args, **kwargs):
        estimator.check()
        with plain(estimator), managed(estimator):
            return method(estimator, *args, **kwargs)
    return wrapper

def checked(x, estimator=None):
    if x.shape == (0,):
        raise ValueError(f"nothing for {{estimator.__class__.__name__}}")
    return x

class Estimator:
    factor = 2.0

    def __init__(self, shift=0.0, *, centred=False):
        self.shift, self.centred = shift, centred

    @classmethod
    def names(cls):
        init = cls.__init__
        if init is object.__init__:
            return []
        found = inspect.signature(init).parameters.values()
        return sorted([p.name for p in found if p.name != "self" and p.kind != p.VAR_KEYWORD])

    def check(self):
        found = dict()
        for name in self.names():
            found[name] = getattr(self, name)
        if found["shift"] < 0:
            raise ValueError

    def fill(self, x):
        x = checked(x, estimator=self)
        self.cov = self.factor * x * x + self.shift

    @fitting
    def decorated(self, x):
        self.fill(x)
        return self

    def {0}

def f(x):
    made = Estimator(1.0).{1}(x)
    return (made.cov * x).sum() * made.factor
"""
WAYS = {
    "decorated": "unused(self):\n        pass",
    "within": "within(self, x):\n        with managed(self):\n            self.fill(x)\n        return self",
    "named": "named(self, x):\n        with plain(self) as other:\n            other.fill(x)\n        return self",
    "by_name": "by_name(self, x):\n        with plain(level=2, estimator=self):\n            self.fill(x)\n        return self",
    "returned": "returned(self, x):\n        with managed(self):\n            self.fill(x)\n            return self",
    "changed": "changed(self, x):\n        with scaling(self):\n            self.fill(x)\n        return self",
    "of_a_class": "of_a_class(self, x):\n        with Manager(self):\n            self.fill(x)\n        return self",
    "two": "two(self, x):\n        with scaling(self), managed(self):\n            self.fill(x)\n        return self",
    "nested": "nested(self, x):\n        with managed(self):\n            with scaling(self):\n                self.fill(x)\n        return self",
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_ways(way: str) -> None:
    f = namespace(PROGRAM.format(WAYS[way], way))["f"]
    x, step = np.array([0.7, 1.9]), np.array([0.4, -1.1])
    slope = (f(x + 1e-6 * step) - f(x - 1e-6 * step)) / 2e-6
    curve = (f(x + 1e-4 * step) - 2 * f(x) + f(x - 1e-4 * step)) / 1e-8
    assert rg.grad(f, strict=True)(x) @ step == pytest.approx(slope, rel=1e-6)
    assert rg.jvp(f, (x,), (step,), strict=True)[1] == pytest.approx(slope, rel=1e-6)
    assert rg.hvp(f, (x,), step, strict=True) @ step == pytest.approx(curve, rel=1e-4)


def test_what_is_refused_is_told() -> None:
    """The reason is in the body, not that the object is given to a manager."""
    body = "within(self, x):\n        with managed(self):\n            self.cov = eval('x * x')\n        return self"
    f: Any = namespace(PROGRAM.format(body, "within"))["f"]
    with pytest.raises(rg.RetrogradError, match="eval"):
        rg.grad(f, strict=True)(1.5)
