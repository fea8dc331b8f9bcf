"""Entries of the module's containers that a branch is taken by, in the code of a package: as they are now, guarded.

::

    kwargs = {"T": 0.0, "h": None}        # of a class; each object begins with a copy
    if self.kwargs["T"] and self.kwargs["h"] is not None:
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import retrograd as rg

from ..installed import installed

PACKAGE = """
OPTIONS = {"exact": False, "order": 2, "name": "low", "scale": 0.0, "limit": None}
LEVELS = [0, 1.5]


def opaque(x):
    return eval("x * x * x")


class State:
    kwargs = {"T": 0.0, "P": 0.0, "h": None}
    factor = 3.0

    def __init__(self, x, **kwargs):
        self.x = x
        self.kwargs = State.kwargs.copy()
        self(**kwargs)

    def __call__(self, **kwargs):
        self.kwargs.update(kwargs)
        if self.calculable:
            self.status = 1
            self.compute()

    @property
    def calculable(self):
        self.mode = ""
        if self.kwargs["T"] and self.kwargs["P"]:
            self.mode = "TP"
        elif self.kwargs["T"] and self.kwargs["h"] is not None:
            self.mode = "Th"
        return bool(self.mode)

    def compute(self):
        self.factor = opaque(self.kwargs["T"])


def of_an_object(x):
    return State(x).factor * x * x


def of_a_given_object(x):
    return State(x, T=2.0).factor * x * x


def by_truth(x):
    return opaque(x) if OPTIONS["exact"] else x * x


def by_number(x):
    if OPTIONS["order"] > 2:
        return opaque(x)
    return x * x


def by_none(x):
    if OPTIONS["limit"] is not None:
        x = opaque(x)
    return x * x


def by_two(x):
    if OPTIONS["exact"] or (OPTIONS["scale"] and x > 1):
        x = opaque(x)
    return x * x


def by_item(x):
    return opaque(x) if LEVELS[0] else LEVELS[1] * x * x


def written(x):
    OPTIONS["exact"] = True
    return opaque(x) if OPTIONS["exact"] else x * x
"""
NAMES = [
    "of_an_object",
    "of_a_given_object",
    "by_truth",
    "by_number",
    "by_none",
    "by_two",
    "by_item",
]
CHANGES = {
    "of_an_object": lambda p: p.State.kwargs.update(T=2.0, P=1.0), "of_a_given_object": lambda p: p.State.kwargs.update(h=1.0),
    "by_truth": lambda p: p.OPTIONS.update(exact=True), "by_number": lambda p: p.OPTIONS.update(order=3),
    "by_none": lambda p: p.OPTIONS.update(limit=4), "by_two": lambda p: p.OPTIONS.update(scale=1.0),
    "by_item": lambda p: p.LEVELS.__setitem__(0, 1),
}  # fmt: skip


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> Iterator[Any]:
    yield from installed(PACKAGE, tmp_path, monkeypatch, request)


@pytest.mark.parametrize("name", NAMES)
def test_entries(name: str, package: Any) -> None:
    f = getattr(package, name)
    derivative = rg.grad(f, strict=True)
    for x in (0.7, 1.6):
        slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        assert derivative(x) == pytest.approx(slope, rel=1e-6)
        assert rg.jvp(f, (x,), (1.0,), strict=True)[1] == pytest.approx(slope, rel=1e-6)
        assert rg.grad(derivative, strict=True)(x) == pytest.approx(2 * f(x) / x**2, rel=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_entries_that_change(name: str, package: Any) -> None:
    """The derivative is that of the other way then, or refused; never what it was made for."""
    f = getattr(package, name)
    derivative = rg.grad(f, strict=True)
    derivative(1.6)
    before = f(1.6)
    CHANGES[name](package)
    assert f(1.6) != before
    if name.startswith("of_"):
        assert derivative(1.6) == pytest.approx(2 * f(1.6) / 1.6, rel=1e-12)
    else:
        with pytest.raises(rg.RetrogradError):
            derivative(1.6)


def test_an_entry_that_is_written(package: Any) -> None:
    with pytest.raises(rg.RetrogradError):
        rg.grad(package.written, strict=True)(1.6)
