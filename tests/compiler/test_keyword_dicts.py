"""``f(x, **options)`` of a dict that the module, a default or an object holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

DEFAULTS = {(True, False): {"weight": 2.0}, (False, False): {"weight": 3.0, "power": 3}}
OPTIONS = {"weight": 1.5}
SCALES = {"weight": np.array([1.0, 2.0, 4.0])}


def scaled(x, weight=1.0, power=2):
    return np.sum(weight * x**power)


def fixed_point(func, x0, args=(), kwargs={}):  # noqa: B006 (as users write it)
    p = x0
    for _ in range(4):
        p = p - 0.1 * func(p, *args, **kwargs)
    return p


def a_default(x):
    return np.sum(fixed_point(lambda p, c: p * p - c, x, args=(np.sin(x),)))


def handed_on(x):
    return np.sum(fixed_point(lambda p, c: p * p - c, x, kwargs={"c": np.sin(x)}))


def of_the_module(x):
    return scaled(x, **OPTIONS)


def arrays_of_the_module(x):
    return scaled(x, power=3, **SCALES)


def chosen_by_a_flag(x, flag=True):
    return scaled(x, **DEFAULTS[(flag, False)])


def chosen_by_another(x):
    return chosen_by_a_flag(x, flag=False)


class Solver:
    def __init__(self):
        self.options = {"weight": 0.5}

    def run(self, x):
        return scaled(x, **self.options)


SOLVER = Solver()


def of_an_object(x):
    return SOLVER.run(x)


def in_a_display(x):
    return scaled(x, **{**OPTIONS, "power": 4})


PROGRAMS = [
    a_default, handed_on, of_the_module, arrays_of_the_module, chosen_by_a_flag, chosen_by_another, of_an_object,
    in_a_display,
]  # fmt: skip
X = np.array([0.5, 1.25, 2.0])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_it_is_compiled_and_right(program: Any) -> None:
    bar = rg.grad(program, strict=True)(X.copy())
    steps = 1e-6 * np.eye(3)
    np.testing.assert_allclose(
        bar, [(program(X + s) - program(X - s)) / 2e-6 for s in steps], rtol=1e-6
    )
    rg.check_grads(program, (X,), order=2)


def test_another_content_is_another_text(monkeypatch: pytest.MonkeyPatch) -> None:
    derive = rg.grad(of_the_module, strict=True)
    np.testing.assert_allclose(derive(X), 3.0 * X)
    monkeypatch.setitem(OPTIONS, "weight", 2.5)
    np.testing.assert_allclose(derive(X), 5.0 * X)
    monkeypatch.setitem(OPTIONS, "power", 3)
    np.testing.assert_allclose(derive(X), 7.5 * X**2)
    monkeypatch.setitem(SOLVER.options, "weight", 1.0)
    np.testing.assert_allclose(rg.grad(of_an_object, strict=True)(X), 2.0 * X)


def test_a_key_that_is_no_argument_is_refused() -> None:
    def unknown(x):
        return scaled(x, **{"depth": 3})

    with pytest.raises((RetrogradError, TypeError), match="depth"):
        rg.grad(unknown)(X)
