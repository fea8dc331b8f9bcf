"""Tables of an installed package, of a class of its own: the function that a name stands for is what is differentiated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..installed import installed

X = np.array([0.3, 0.7, 1.1])
PACKAGE = '''
import functools
from collections.abc import MutableMapping

import numpy as np


class Canonical(MutableMapping):
    """Names in any spelling."""

    def __init__(self, data):
        self._data = {}
        self.update(data)

    def __getitem__(self, name):
        try:
            return self._data[name]
        except KeyError:
            pass
        return self[dict(zip(self.lower(), self.keys(), strict=True))[str(name).lower()]]

    def __setitem__(self, name, value):
        self._data[name] = value

    def __delitem__(self, name):
        del self._data[name]

    def __iter__(self):
        yield from self._data.keys()

    def __len__(self):
        return len(self._data)

    def lower(self):
        return [str(name).lower() for name in self._data]


class Counting(Canonical):
    asked = 0

    def __getitem__(self, name):
        self.asked = self.asked + 1
        return self._data[name]


@functools.lru_cache(maxsize=8)
def checked(name, names):
    lowered = [n.lower() for n in names]
    if name.lower() not in lowered:
        raise ValueError(f"{name} is none of {names}")
    return name.lower()


def squared(x):
    return x**2


def cubed(x):
    return x**3


METHODS = Canonical({"Squared 1976": squared, "Cubed 2000": cubed})
COUNTING = Counting({"Squared 1976": squared})
SCALES = Canonical({"One": 1.5, "Two": np.array([1.0, 2.0, 3.0]), "Three": [2.0, 3.0]})


def by_method(x, method="Squared 1976"):
    return METHODS[checked(method, tuple(METHODS))](x)


def by_name(x):
    return METHODS["Squared 1976"](x)


def by_spelling(x):
    return METHODS["squared 1976"](x)


def by_counting(x):
    return COUNTING["Squared 1976"](x)


def scaled(x):
    return x * SCALES[checked("one", tuple(SCALES))]


def scaled_by_array(x):
    return x * SCALES[checked("two", tuple(SCALES))]


def scaled_by_items(x):
    a, b = SCALES[checked("three", tuple(SCALES))]
    return a * x + b * x**2


def into_an_array(x):
    SCALES["Two"][:] = x
    return x * SCALES[checked("two", tuple(SCALES))]


def into_a_list(x):
    SCALES["Three"][0] = x[0]
    return x * SCALES[checked("three", tuple(SCALES))][0]


def over_all(x):
    return sum(METHODS[name](x) for name in METHODS)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> Iterator[Any]:
    yield from installed(PACKAGE, tmp_path, monkeypatch, request)


PLAIN = {
    "by_method": 2 * X, "by_name": 2 * X, "by_spelling": 2 * X, "by_counting": 2 * X, "scaled": np.full(3, 1.5),
    "scaled_by_array": np.array([1.0, 2.0, 3.0]), "scaled_by_items": 2.0 + 6.0 * X, "over_all": 2 * X + 3 * X**2,
}  # fmt: skip
REFUSED = {"by_counting", "over_all", "scaled_by_array", "scaled_by_items"}  # or right


@pytest.mark.parametrize("name", PLAIN)
def test_right_or_refused(package: Any, name: str) -> None:
    f = getattr(package, name)
    try:
        found = rg.grad(lambda x: np.sum(f(x)), strict=True)(X)
    except rg.RetrogradError:
        assert name in REFUSED
    else:
        np.testing.assert_allclose(found, PLAIN[name])


def test_the_method_is_an_argument(package: Any) -> None:
    gradient = rg.grad(lambda x, method: np.sum(package.by_method(x, method)), strict=True)
    for _ in range(2):
        np.testing.assert_allclose(gradient(X, "Squared 1976"), 2 * X)
        np.testing.assert_allclose(gradient(X, "cubed 2000"), 3 * X**2)
    with pytest.raises(ValueError, match="none of"):
        package.by_method(X, "quartic")
    with pytest.raises((ValueError, rg.RetrogradError)):
        gradient(X, "quartic")


@pytest.mark.parametrize("name", ["by_method", "by_name", "by_spelling"])
def test_another_function_is_another_derivative(package: Any, name: str) -> None:
    f = getattr(package, name)
    gradient = rg.grad(lambda x: np.sum(f(x)), strict=True)
    np.testing.assert_allclose(gradient(X), 2 * X)
    package.METHODS["Squared 1976"] = np.sin
    np.testing.assert_allclose(gradient(X), np.cos(X))
    package.METHODS["Squared 1976"] = package.squared
    np.testing.assert_allclose(gradient(X), 2 * X)


def test_another_number_is_another_derivative(package: Any) -> None:
    gradient = rg.grad(lambda x: np.sum(package.scaled(x)), strict=True)
    np.testing.assert_allclose(gradient(X), np.full(3, 1.5))
    package.SCALES["One"] = 4.0
    np.testing.assert_allclose(gradient(X), np.full(3, 4.0))


def test_a_table_that_counts_is_asked_as_often_as_it_was(package: Any) -> None:
    try:
        rg.grad(lambda x: np.sum(package.by_counting(x)), strict=True)(X)
    except rg.RetrogradError:
        assert package.COUNTING.asked == 0


@pytest.mark.parametrize("name", ["into_an_array", "into_a_list"])
def test_what_is_written_into_an_entry_is_not_lost(
    package: Any, name: str, unchecked: None
) -> None:
    """Read under a name that is known late, it had a derivative of 0."""
    f = getattr(package, name)
    expected = 2 * X if name == "into_an_array" else X[0] + np.sum(X) * np.eye(3)[0]
    try:
        found = rg.grad(lambda x: np.sum(f(x)), strict=True)(X)
    except rg.RetrogradError:
        return
    np.testing.assert_allclose(found, expected)
