"""Every function with a mask or a condition, and every kind of mask: NumPy reads them in several ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError
from retrograd.runtime.tape.calls import taped

from ..written import written

pytestmark = pytest.mark.usefixtures("unchecked")

X = np.array([1.5, -2.0, 3.0, 0.5])
MASKS: dict[str, Any] = {
    "bool": np.array([True, False, True, True]), "int": np.array([1, 0, 2, 1]),
    "float": np.array([1.0, 0.0, 2.0, 0.5]), "matrix": np.array([[1, 0], [2, 1]]),
    "ints": [1, 0, 2, 1], "one float": 2.0, "0-d": np.array(3),
}  # fmt: skip
INTO = {
    "place": "np.place(y, m, x[:2] * 2)", "place_one": "np.place(y, m, x[0])",
    "putmask": "np.putmask(y, m, x[:2] * 2)", "copyto": "np.copyto(y, x * x, where=m)",
    "out": "np.multiply(x, x, out=y, where=m)", "subscript": "y[m] = x[0] * 3",
}  # fmt: skip
MADE = {
    "extract": "np.extract(m, x * x)", "compress": "np.compress(m, x * x)", "method": "(x * x).compress(m)",
    "where": "np.where(m, x * x, x)", "places": "(x * x)[np.where(m)]", "select": "np.select([m], [x * x], x)",
    "choose": "np.choose(m, [x, x * x, x**3])", "nonzero": "(x * x)[np.nonzero(m)]",
    "flatnonzero": "(x * x)[np.flatnonzero(m)]", "subscripted": "(x * x)[m]", "delete": "np.delete(x * x, m)",
    "sum": "np.sum(x * x, where=m)", "sum_method": "(x * x).sum(where=m)", "prod": "np.prod(x * x, where=m)",
    "max": "np.max(x * x, where=m, initial=-9.0)", "min": "np.min(x * x, where=m, initial=9.0)",
    "nanmax": "np.nanmax(x * x, where=m, initial=-9.0)",
    "mean": "np.mean(x * x, where=m)", "var": "np.var(x * x, where=m)", "std": "np.std(x * x, where=m)",
    "nanmean": "np.nanmean(x * x, where=m)", "nanvar": "np.nanvar(x * x, where=m)",
    "piecewise": "np.piecewise(x, [m], [lambda t: t * t, lambda t: t])",
    "piecewise_twice": "np.piecewise(x, [m, x > 2], [lambda t: t * t, lambda t: t**3, lambda t: t])",
}  # fmt: skip
TEXTS = {name: f"    y = x * 1.0\n    {line}\n" for name, line in INTO.items()}
TEXTS |= {name: f"    y = {text}\n" for name, text in MADE.items()}
WEIGHED = "    return np.sum(y * np.cos(np.arange(np.size(y)) + 1.0))\n"


def differences(f: Any, mask: Any) -> np.ndarray:
    steps = 1e-6 * np.eye(len(X))
    return np.array([(f(X + e, mask) - f(X - e, mask)) / 2e-6 for e in steps])


def tape(f: Any, mask: Any) -> Any:
    value, pull = taped(f, X.copy(), mask, wrt=(0,))
    return pull(np.ones_like(value))


def tangents(f: Any, mask: Any) -> Any:
    return [rg.jvp(f, (X.copy(), mask), (e, None))[1] for e in np.eye(len(X))]


WAYS = {"reverse": lambda f, mask: rg.grad(f, wrt="x")(X.copy(), mask), "tape": tape}
FORWARD = {"place", "putmask", "max", "var"}


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TEXTS)
def test_masks(name: str) -> None:
    f = written(f"def f(x, m):\n{TEXTS[name]}{WEIGHED}")
    ways = WAYS | ({"forward": tangents} if name in FORWARD else {})
    for kind, mask in MASKS.items():
        try:
            expected = differences(f, mask)
        except (TypeError, ValueError, IndexError):
            continue  # NumPy takes no such mask here
        for way, made in ways.items():
            try:
                found = made(f, mask)
            except InternalError:
                raise
            except RetrogradError:
                continue  # refused
            np.testing.assert_allclose(
                found, expected, rtol=1e-5, atol=1e-5, err_msg=f"{kind}, {way}"
            )
