"""Options that are filtered by the names of a function's parameters: they are known, and asked again when they may change."""

from __future__ import annotations

import inspect
from copy import copy
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees

X = np.array([1.3, 0.7, 2.1])


def cubed(a, scale=1.0):
    return np.sum(a**3) * scale


def exponential(a, offset=0.0, power=2):
    return np.sum(np.exp(a) ** power) + offset


def scaled(a, scale=1.0, *, power=2.0):
    return np.sum(a**power) * scale


METHODS = {"cubed": cubed, "exponential": exponential}


def filter_kwargs(function, **kwargs):
    """As colour-science's."""
    kwargs = copy(kwargs)
    try:
        args = list(inspect.signature(function).parameters.keys())
    except ValueError:
        return {}
    for key in set(kwargs) - set(args):
        kwargs.pop(key)
    return kwargs


def by_method(a, method="cubed", **kwargs):
    function = METHODS[method]
    return function(a, **filter_kwargs(function, **kwargs))


def in_handler(function):
    try:
        return list(inspect.signature(function).parameters)
    except (ValueError, TypeError):
        return []


def by_code(function, options):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for key in set(options) - set(names):
        del options[key]
    return options


def by_loop(x):
    options = {}
    for name, parameter in inspect.signature(scaled).parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            options[name] = parameter.default * x[0]
    return options


def by_name(x):
    return {name: x[1] for name in inspect.signature(scaled).parameters if name == "scale"}


def options(x):
    return {"scale": x[0], "power": 3.0, "other": x[1]}


def by_spec(x):
    names = inspect.getfullargspec(scaled).args
    return {k: v for k, v in options(x).items() if k in names}


def by_keys(x):
    given = options(x)
    for key in given.keys() - inspect.signature(scaled).parameters.keys():
        del given[key]
    return given


def by_sorted_keys(x):
    given = options(x)
    names = given.keys() & set(inspect.signature(scaled).parameters)
    return {key: given[key] for key in sorted(names)}


FUNCTIONS = {
    "by method": lambda x: by_method(x, scale=x[0], offset=x[1], power=3, more=x, junk=2),
    "by another": lambda x: by_method(x, "exponential", scale=x[0], offset=x[1] ** 2, power=1.5),
    "without options": lambda x: by_method(x) + by_method(x, "exponential"),
    "returned in a try": lambda x: np.sum(x**2) * len(in_handler(exponential)),
    "by the code": lambda x: scaled(x, **by_code(scaled, dict(scale=x[0], power=3.0, more=x))),
    "defaults": lambda x: scaled(x, **by_loop(x)),
    "names": lambda x: scaled(x, **by_name(x)),
    "by specification": lambda x: scaled(x, **by_spec(x)),
    "by keys": lambda x: scaled(x, **by_keys(x)),
    "by sorted keys": lambda x: scaled(x, **by_sorted_keys(x)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_they_are_compiled(name: str) -> None:
    agrees(FUNCTIONS[name], X, second=True)


def right(f: Any) -> bool:
    """Whether the derivative is right now, or refused."""
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    try:
        found = rg.grad(f, strict=True)(X)
    except RetrogradError:
        return False
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    return True


def test_a_function_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one in the table, other parameters of the same one: the names are asked anew."""

    def f(x):
        return by_method(x, scale=x[0], offset=x[1], power=3)

    def other(a, offset=0.0):
        return np.sum(a**3) * 2 + offset**2

    assert right(f)
    monkeypatch.setitem(METHODS, "cubed", other)
    assert right(f)
    monkeypatch.setitem(METHODS, "cubed", cubed)
    assert right(f)
    monkeypatch.setattr(cubed, "__code__", (lambda a, power=1.0: np.sum(a**2) * power).__code__)
    assert right(f)
    only = inspect.Parameter("a", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    monkeypatch.setattr(cubed, "__signature__", inspect.Signature([only]), raising=False)
    assert right(f)


def test_a_specification_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x):
        return np.sum(x**2) if "scale" in inspect.getfullargspec(cubed).args else np.sum(x)

    assert right(f)
    monkeypatch.setattr(cubed, "__code__", (lambda a, b=1.0: a).__code__)
    assert right(f)


def test_names_that_are_written_to() -> None:
    """A list of them is the function's own: what was added to it counts, or it is refused."""

    def f(x):
        names = list(inspect.signature(cubed).parameters)
        names.append("offset")
        given = {"scale": x[0], "offset": x[1] ** 2, "other": x[2]}
        for key in set(given) - set(names):
            given.pop(key)
        return sum(given.values())

    right(f)
