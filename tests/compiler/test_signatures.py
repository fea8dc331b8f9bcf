"""Signatures that a program asks for: decorators that bind arguments to parameters, keywords that are filtered by name."""

from __future__ import annotations

import functools
import inspect
from inspect import signature
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

X = np.array([0.3, 0.7, 1.1])


def checked(**kinds: Any) -> Any:
    """As scikit-learn's `validate_params`."""

    def decorated(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            bound_to = signature(fn)
            params = bound_to.bind(*args, **kwargs)
            params.apply_defaults()
            ignored = [
                p.name
                for p in bound_to.parameters.values()
                if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
            ]
            ignored += ["self", "cls"]
            params = {k: v for k, v in params.arguments.items() if k not in ignored}
            for name, kind in kinds.items():
                if name not in params:
                    raise KeyError(name)
                if not isinstance(params[name], kind):
                    raise TypeError(name)
            return fn(*args, **kwargs)

        return wrapper

    return decorated


@checked(x=np.ndarray, power=int)
def power_sum(x, y=None, *, power=2, name="a"):
    return np.sum(x**power) if y is None else np.sum(x**power * y)


@checked(scale=float)
def scaled(*parts, scale=2.0, **others):
    return scale * sum(np.sum(p * p) for p in parts)


def filtered(fn, **kwargs):
    """As colour-science's `filter_kwargs`."""
    names = list(inspect.signature(fn).parameters)
    return {k: v for k, v in kwargs.items() if k in names}


def product(a, b=1.0):
    return np.sum(a) * b


def bound_by_name(x):
    given = inspect.signature(product).bind(x * x)
    given.apply_defaults()
    return product(**given.arguments)


def bound(change=None, defaults=True, by_name=False):
    """Decorators that bind what they are given, change some of it, and call with the rest."""

    def decorated(fn):
        known = signature(fn)

        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            given = known.bind(*args, **kwargs)
            if change is not None:
                change(given.arguments)
            if defaults:
                given.apply_defaults()
            return fn(**given.arguments) if by_name else fn(*given.args, **given.kwargs)

        return wrapper

    return decorated


def weighted(x, by=2.0, *, power=3, **others):
    return by * np.sum(x**power) * others.get("gain", 1.0)


def tripled(arguments):
    for name, value in arguments.items():
        if name == "by":
            arguments[name] = value * 3.0


def removed(arguments):
    arguments.pop("by", None)


def halved(arguments):
    arguments["by"] = arguments.get("by", 4.0) / 2.0


plainly, everything, by_position = (
    bound()(weighted),
    bound(by_name=True)(product),
    bound(defaults=False)(weighted),
)
changed, without, put = (
    bound(tripled)(weighted),
    bound(removed)(weighted),
    bound(halved, defaults=False)(weighted),
)
starring = bound()(scaled)

FUNCTIONS = {
    "bound once": lambda x: plainly(x, 3.0),
    "bound once, by name": lambda x: plainly(by=np.sum(x), x=x, power=2, gain=x[0]),
    "bound once, all by name": lambda x: everything(x * x, b=x[1]),
    "bound once, no defaults": lambda x: by_position(x, gain=x[2]),
    "changed before the defaults": lambda x: changed(x, x[0]),
    "nothing to change": lambda x: changed(x),
    "removed before the defaults": lambda x: without(x, x[0], power=2),
    "put among them": lambda x: put(x * x) + put(x, x[0]),
    "starred, bound once": lambda x: starring(x, x * x, scale=x[1], unit="m"),
    "decorated": lambda x: power_sum(x),
    "with options": lambda x: power_sum(x, power=3),
    "by position": lambda x: power_sum(x, np.sin(x)),
    "starred": lambda x: scaled(x, x * x),
    "starred, with an option": lambda x: scaled(x, scale=3.0, unit="m"),
    "filtered": lambda x: product(**filtered(product, a=x * x, b=2.0, c=3.0)),
    "filtered all": lambda x: np.sum(x) * (1.0 + len(filtered(product, c=x))),
    "bound by name": bound_by_name,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_they_are_compiled(name: str) -> None:
    f = FUNCTIONS[name]
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), expected, rtol=1e-6)
    _, slope = rg.jvp(f, (X,), (np.ones(3),))
    np.testing.assert_allclose(slope, np.sum(expected), rtol=1e-6)


def test_what_python_refuses() -> None:
    for f in (lambda x: power_sum(x, unit=2), lambda x: power_sum(x, power=2.5)):
        with pytest.raises(TypeError):
            f(X)
        with pytest.raises((TypeError, RetrogradError)):
            rg.grad(f)(X)


def names_that_change(x):
    names = list(inspect.signature(product).parameters)
    names.append("c")
    return np.sum(x * x) if "c" in names else np.sum(x)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_a_list_of_names_may_change(unchecked: None) -> None:
    try:
        found = rg.grad(names_that_change, strict=False)(X)
    except RetrogradError:
        return
    np.testing.assert_allclose(found, 2 * X)
