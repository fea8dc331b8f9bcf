"""Dataclasses that are made in the function: ``__post_init__`` runs where the ``__init__`` that was written calls it."""

from __future__ import annotations

import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedSyntax

from ..written import written

CLASSES = """
from dataclasses import dataclass
@dataclass
class Base:
    k: float = 2.0
class Late(Base):
    def __post_init__(self):
        self.k = 3.0 * self.k
@dataclass
class Whole(Base):
    j: float = 1.0
    def __post_init__(self):
        self.k = 3.0 * self.k
class Deeper(Whole):
    def __post_init__(self):
        super().__post_init__()
        self.j = 5.0
@dataclass
class Over(Late):
    m: float = 1.0
@dataclass
class Still:
    k: float = 2.0
    @staticmethod
    def __post_init__():
        pass
def f(x):
    return RETURNED
"""
CALLS = [
    "Late(x).k", "Late().k * x", "Whole(x, x).k * x", "Deeper(x).j * Deeper(x).k", "Over(x, x).k * Over(x, x).m",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_the_second_part_of_an_init(call: str) -> None:
    f = written(CLASSES.replace("RETURNED", call))
    slope = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
    assert rg.value_and_grad(f)(1.3) == (f(1.3), pytest.approx(slope))


def test_it_is_added_when_it_is_too_late() -> None:
    f = written(CLASSES.replace("RETURNED", "Base(x).k * x"))
    derivative = rg.grad(f)
    assert derivative(1.5) == 3.0
    f.__globals__["Base"].__post_init__ = lambda self: None
    assert derivative(1.5) == 3.0


def test_one_that_is_no_method_is_refused() -> None:
    with pytest.raises(UnsupportedSyntax, match="`__post_init__` of Still is not a method"):
        rg.grad(written(CLASSES.replace("RETURNED", "Still(x).k")))(1.3)
