"""Parameters that NumPy takes for whole numbers carry no derivative: a shift, a shape, a count, a type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.rules.book import WHOLE, book, is_numpy
from retrograd.runtime.tape.calls import taped
from tests.written import written

X = np.array([0.3, 0.4, 0.5, 0.6])
CUT = [
    "np.roll(x, k)",
    "np.roll(x, shift=(k + 1) / 2)",
    "np.tril(np.outer(x, x), k)",
    "np.triu(np.outer(x, x), k)",
    "np.rot90(np.outer(x, x * x), k)",
    "np.repeat(x, k)",
    "np.split(x, k)[0]",
    "np.polyfit(np.arange(4.0), x, k)",
    "np.take(x, k)",
    "x[0] * np.tril_indices(k)[0]",
    "x[0] * np.triu_indices(k, 1)[1]",
    "np.reshape(x, (int(k), 2))",
    "np.broadcast_to(x[0], np.broadcast(x, k).shape)",
    "np.broadcast_to(x[0], widest(x, k))",
    "x[0] * np.broadcast(x, k).size * np.broadcast(x, k).ndim",
    "x.astype((x * k).dtype)",
    "x.astype(np.promote_types(x.dtype, np.float32))",
    "x.astype(types(x, k)[1])",
]
REFUSED = [
    "np.var(x, ddof=k / 4)",
    "np.kaiser(k * 2, x[0])",
    "np.polyint(x, 1, k)",
    "sum(a * b for a, b in np.broadcast(x, k))",
]
HEAD = """
def widest(*arrays):
    return np.broadcast(*[np.asarray(a) for a in arrays]).shape

def types(*arrays):
    return [np.asarray(a).dtype for a in arrays]

"""


def program(expression: str) -> Any:
    text = f"def f(x, k):\n    y = {expression}\n    return np.sum(np.sin(y) * (1.0 + np.arange(np.size(y)).reshape(np.shape(y))))\n"
    return written(HEAD + text)


def differences(f: Any) -> Any:
    return np.array([(f(X + s, 2.0) - f(X - s, 2.0)) / 2e-6 for s in 1e-6 * np.eye(4)])


@pytest.mark.parametrize("expression", CUT)
def test_they_are_cut_at_whole_numbers(expression: str) -> None:
    f = program(expression)
    for k in (2.0, np.float64(2.0)):
        x_bar, k_bar = rg.grad(f, wrt=(0, 1), strict=True)(X.copy(), k)
        np.testing.assert_allclose(x_bar, differences(f), rtol=1e-5, atol=1e-8)
        assert k_bar == 0.0
        along = rg.jvp(f, (X.copy(), k), (np.ones(4), 1.0), strict=True)[1]
        np.testing.assert_allclose(along, np.sum(differences(f)), rtol=1e-5)


@pytest.mark.parametrize("expression", CUT[:8])
def test_so_they_are_on_the_tape(expression: str) -> None:
    f = program(expression)
    _, pull = taped(f, X.copy(), 2.0)
    x_bar, _ = pull(1.0)
    np.testing.assert_allclose(x_bar, differences(f), rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("expression", REFUSED)
def test_what_may_be_any_number_is_not_cut(expression: str) -> None:
    f = program(expression)
    try:
        bars = rg.grad(f, wrt=(0, 1), strict=True)(X.copy(), 2.0)
    except RetrogradError:
        return
    expected = (f(X, 2.0 + 1e-6) - f(X, 2.0 - 1e-6)) / 2e-6
    np.testing.assert_allclose(bars[1], expected, rtol=1e-5)


def test_numpy_takes_no_other_numbers_there() -> None:
    """Every parameter of that name: one and a half raises, or is what one is."""
    x = np.arange(12.0).reshape(3, 4)
    for op, rule in book.rules.items():
        for name in WHOLE.intersection(rule.own).intersection(rule.constant_in):
            if (
                not is_numpy(op)
                or name == "dtype"
                or len(rule.active) != 1
                or rule.own[0] not in rule.active
            ):
                continue
            try:
                half = op(x, **{name: 1.5})
            except (TypeError, ValueError, RuntimeError, IndexError):
                continue
            whole = op(x, **{name: 1})
            np.testing.assert_array_equal(np.shape(half), np.shape(whole), err_msg=f"{op} {name}")
            for a, b in zip(half, whole, strict=True):
                np.testing.assert_array_equal(a, b, err_msg=f"{op} {name}")
