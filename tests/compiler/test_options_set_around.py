"""Options that a package sets around a call of its own, from what it was made with and what they were before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..installed import installed

X, Y = np.array([0.3, 0.7, 1.1]), np.array([1.0, 2.0, 4.0])
PACKAGE = """
import contextlib
import functools
import threading

import numpy as np

_local = threading.local()
seen = []
W = np.array([1.0, 2.0, 4.0])


def _options():
    if not hasattr(_local, "options"):
        _local.options = {"skip": False, "scale": 2.0}
    return _local.options


def options():
    return _options().copy()


@contextlib.contextmanager
def option_context(*, skip=None):
    before = options()
    if skip is not None:
        _options()["skip"] = skip
    try:
        yield
    finally:
        _options().update(before)


def validated(prefer):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            skip = options()["skip"]
            if skip:
                return function(*args, **kwargs)
            seen.append(function.__name__)
            with option_context(skip=(prefer or skip)):
                return function(*args, **kwargs)

        return wrapper

    return decorate


@validated(prefer=True)
def distances(x, y):
    return np.abs(x[:, None] - y)


@validated(prefer=False)
def sums(x, y):
    return np.sum(distances(x, y), axis=1)


@validated(prefer=True)
def kernel(x, y=None):
    d = distances(x, x if y is None else y)
    return np.exp(-(d**2)) + sums(x, x)


def size_of(x):
    if hasattr(x, "fit") and callable(x.fit):
        raise TypeError("an array")
    return x.shape[0]


def check_sizes(*arrays):
    sizes = [size_of(a) for a in arrays if a is not None]
    if len(set(sizes)) > 1:
        raise ValueError(f"sizes: {[int(n) for n in sizes]}")


def weighted(x, w=None):
    check_sizes(W, x, w)
    return np.sum(W * x**2 if w is None else w * x**2)


class Square:
    @staticmethod
    def one(a, b):
        return (a - b) ** 2

    @staticmethod
    def end(total):
        return np.sqrt(total)


class Rows(Square):
    @staticmethod
    def one(a, b):
        return np.sum((a - b) ** 2) * 3.0


def functions_for(kind="square", rows=False):
    if not isinstance(kind, str):
        raise TypeError("a name")
    found = {"square": Rows if rows else Square}[kind]
    return found.one, found.end


def distance(x, y, kind="square", rows=False):
    one, end = functions_for(kind, rows=rows)
    total = 0.0
    for a, b in zip(x, y):
        total += one(a, b)
    return end(total)


def upper_bound(x, y, rows=False):
    return distance(x, y, rows=rows)


def weighted_or_not(x):
    return np.sum(x**2) if W is None else np.sum(W * x**2)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> Iterator[Any]:
    yield from installed(PACKAGE, tmp_path, monkeypatch, request)


def slopes(program: Any, x: np.ndarray) -> np.ndarray:
    e = 1e-6 * np.eye(len(x))
    return np.array([(program(x + d) - program(x - d)) / 2e-6 for d in e])


@pytest.mark.parametrize("name", ["distances", "sums", "kernel", "weighted", "weighted_or_not"])
def test_both_modes(name: str, package: Any) -> None:
    called, two = getattr(package, name), name in ("distances", "sums", "weighted")

    def program(x):
        return np.sum(called(x, Y) if two else called(x))

    gradient, v = rg.grad(program, strict=True), np.array([0.3, -1.1, 0.7])
    for skip in (None, True, None):
        with package.option_context(skip=skip):
            expected = slopes(program, X)
            np.testing.assert_allclose(gradient(X), expected, rtol=1e-6, atol=1e-8)
            pushed = rg.jvp(program, (X,), (v,))[1]
            np.testing.assert_allclose(pushed, expected @ v, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["sums", "kernel"])
def test_what_is_done_in_it_is_done(name: str, package: Any) -> None:
    called = getattr(package, name)

    def program(x):
        return np.sum(called(x, Y))

    program(X)
    expected = list(package.seen)
    gradient = rg.grad(program, strict=True)
    gradient(X)
    package.seen.clear()
    gradient(X)
    assert package.seen == expected


@pytest.mark.parametrize("name", ["distance", "upper_bound"])
def test_functions_that_a_flag_chooses(name: str, package: Any) -> None:
    program = getattr(package, name)
    gradient = rg.grad(program, strict=True)
    for rows in (False, True, False):
        expected = slopes(lambda x, rows=rows: program(x, Y, rows=rows), X)
        np.testing.assert_allclose(gradient(X, Y, rows=rows), expected, rtol=1e-6)


def test_a_constant_of_the_module_becomes_none(
    package: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = package.weighted_or_not
    gradient = rg.grad(program, strict=True)
    np.testing.assert_allclose(gradient(X), 2.0 * package.W * X)
    assert "if " not in rg.differentiate(program).source("grad", X)
    monkeypatch.setattr(package, "W", None)
    np.testing.assert_allclose(gradient(X), 2.0 * X)
    monkeypatch.setattr(package, "W", 3.0)
    np.testing.assert_allclose(gradient(X), 6.0 * X)
    monkeypatch.undo()
    np.testing.assert_allclose(gradient(X), 2.0 * package.W * X)
