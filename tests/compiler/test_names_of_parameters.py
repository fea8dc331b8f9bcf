"""Options that are filtered by the names of a function's parameters: they are known, and asked again when they may change."""

from __future__ import annotations

import inspect
from copy import copy
from functools import wraps
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees
from tests.written import written

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


def of_arrays(*names):
    """As pyrr's."""

    def decorator(function):
        @wraps(function)
        def wrapper(*args, **kwargs):
            given = inspect.getfullargspec(function)
            args = list(args)
            for i, (k, v) in enumerate(zip(given.args, args, strict=False)):
                if k in names and v is not None:
                    args[i] = np.array(v)
            for k, v in kwargs.items():
                if k in names and v is not None:
                    kwargs[k] = np.array(v)
            return function(*args, **kwargs)

        return wrapper

    return decorator


def by_parameters(function, *args, **kwargs):
    """As pygasflow's."""
    parameters = inspect.signature(function).parameters
    given = {
        k: args[n] if n < len(args) else v.default
        for n, (k, v) in enumerate(parameters.items())
        if k != "kwargs"
    }
    given.update(kwargs)
    return given


def checked(positions):
    def decorator(function):
        @wraps(function)
        def wrapper(*args, **kwargs):
            args = list(args)
            for i in positions:
                if i < len(args):
                    args[i] = np.atleast_1d(np.asarray(args[i], dtype=float))
            given = by_parameters(function, *args, **kwargs)
            if "a" in given.keys() and not np.all(given["a"] > -9):
                raise ValueError
            if "kind" in given.keys():
                kind = given["kind"].lower()
                if len(args) > 1:
                    args[1] = kind
                else:
                    kwargs["kind"] = kind
            return function(*args, **kwargs)

        return wrapper

    return decorator


@of_arrays("a", "scale")
def of_spec(a, scale, power=2.0):
    return np.sum(a**power) * scale


@checked([0])
def of_positions(a, kind="Cubed", scale=2.0):
    return np.sum(a**3 if kind == "cubed" else a**2) * scale


def by_list(x):
    names = list(inspect.signature(scaled).parameters)
    return dict(zip(names, (x[0], x[1] ** 2, x[2]), strict=True))["scale"]


FUNCTIONS = {
    "a decorator by the specification": lambda x: of_spec(x, x[1]),
    "a decorator, by name": lambda x: of_spec(x, scale=x[1], power=3.0),
    "a decorator by the parameters": lambda x: of_positions(x),
    "a decorator, with an option": lambda x: of_positions(x, "SQUARED", x[0]),
    "a decorator, with an option by name": lambda x: of_positions(x, kind="SQUARED"),
    "a list of names beside values": by_list,
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


def nothing(names):
    pass


def first_gone(names):
    names.pop(0)


CHANGES = {
    "appended to": 'names.append("offset")',
    "an item is removed": 'names.remove("a")',
    "an item is deleted": "del names[0]",
    "turned round": "names.reverse()",
    "sorted": "names.sort(reverse=True)",
    "items are exchanged": "names[0], names[1] = names[1], names[0]",
    "all items": "names[:] = names[::-1]",
    "by another name": "other = names\n    other.pop(0)",
    "in a callee": "first_gone(names)",
    "in a branch": "if x[0] > 0:\n        names.pop(0)",
    "in a callee that leaves it": "nothing(names)",
}
LISTS = {
    "names": ("list(signature(scaled).parameters)", "names"),
    "of the specification": ("getfullargspec(scaled).args", "names"),
    "asked for again": ("(spec := getfullargspec(scaled)).args", "spec.args"),
    "parameters": ("list(signature(scaled).parameters.values())", "[str(p) for p in names]"),
}
WAYS = {
    "counted": "for i, k in enumerate({over}):\n        total = total + x[i % 3] * len(k) * (i + 1)",
    "beside others": "for k, v in zip({over}, x):\n        total = total + v * len(k) ** 2",
    "one by one": "for k in {over}:\n        total = total * x[1] + x[2] * len(k)",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("made", LISTS)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("way", WAYS)
def test_a_list_that_is_written_to_before_it_is_gone_over(made: str, change: str, way: str) -> None:
    given, over = LISTS[made]
    loop = WAYS[way].format(over=over)
    f = written(
        f"def f(x):\n    total = x[0]\n    names = {given}\n    {CHANGES[change]}\n    {loop}\n    return total\n",
        scaled=scaled,
        signature=inspect.signature,
        getfullargspec=inspect.getfullargspec,
        nothing=nothing,
        first_gone=first_gone,
    )
    try:
        f(X)
    except (ValueError, TypeError):
        pytest.skip("no program: a parameter is no word")
    right(f)


@pytest.mark.parametrize("end", ["names.pop()", "names.reverse()", "names.append(names[0])"])
def test_a_list_that_changes_from_one_turn_to_the_next(end: str) -> None:
    f = written(
        "def f(x):\n    total, j = x[0], 0\n    names = list(signature(scaled).parameters.values())\n    while j < 2:\n"
        f"        for p in names:\n            total = total * x[1] + x[2] * len(p.name)\n        {end}\n        j += 1\n    return total\n",
        scaled=scaled,
        signature=inspect.signature,
    )
    right(f)
