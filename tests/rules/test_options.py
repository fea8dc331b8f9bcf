"""Options by name and by position: what the rule book's operations take, and what is refused by its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.rules.argument_binding import named
from retrograd.runtime.rules.book import book
from retrograd.runtime.tape.calls import taped
from tests.written import written

X = np.array([0.3, 1.7, 0.9, 2.2])
A = np.array([[3.0, 0.5, 1.1], [0.2, 2.0, 0.7]])
S = np.array([[3.0, 0.5], [0.4, 2.0]])

ARRAYS = """
np.array(x, ndmin=1)
np.array(x, ndmin=2)
np.array(x, ndmin=3)[0]
np.array(x[0, 0], ndmin=1)
np.array(x[0, 0], ndmin=2)
np.array(float(x[0, 0]), ndmin=1)
np.array([x[0, 0], x[1, 1]], ndmin=2)
np.array([x[0], x[1]], float, ndmin=3)
np.array((x[0, 0], 2), dtype=float, ndmin=1)
np.array(x, dtype=np.float64, copy=True, order="K", subok=False, ndmin=2)
np.array(x, copy=None, subok=True, ndmin=1)
np.array(x, order="F")
np.array(x, order="C", like=None)
np.asarray(x, copy=True)
np.asarray(x, order="F", copy=None, device="cpu")
np.copy(x, "F", True)
np.copy(x, subok=False)
np.reshape(x, (3, 2), order="F", copy=True)
np.broadcast_to(x, (3, 2, 3), True)
np.broadcast_to(x, shape=(3, 2, 3), subok=True)
np.sort(x, stable=True)
np.sort(x, 0, "stable")
np.partition(x, 1, 0, "introselect")
np.nan_to_num(x, True, 0.0, None, None)
np.nan_to_num(x, copy=True, nan=1.0)
""".split("\n")[1:-1]

PLACES = """
np.sum(x, 0, float)
np.sum(x, 0, None, None, True)
np.sum(x, 0, None, None, True, 1.0, x > 0.6)
x.sum(0, float)
x.sum(0, None, None, True)
np.mean(x, 0, None, None, True)
x.mean(1, float, None, True)
np.min(x, 0, None, True)
x.max(0, None, True)
np.var(x, 0, None, None, 1, True)
x.std(0, float, None, 1)
np.nansum(x, 0, float)
np.prod(x, 0, None, None, True)
np.add.reduce(x, 0, float)
np.add.reduce(x, 0, None, None, True, 1.0)
np.multiply.reduce(x, 1, None, None, True)
np.add.accumulate(x, 0, float, None)
np.cumsum(x, 1, float, None)
np.ptp(x, 0, None, True)
np.average(x, 0, np.array([1.0, 2.0]), False)
np.median(x, 0, None, False, True)
np.quantile(x, 0.3, 0, None, False, "linear", True)
np.linspace(x[0, 0], x[0, 1], 5, True, False, float)
np.take(x, [0, 1], 0, None, "clip")
x.take([0, 1], 1, None, "wrap")
np.compress([True, False], x, 0, None)
np.clip(x, 0.3, 1.05, None)
np.concatenate([x, x], 0, None)
np.dot(x, x.T, None)
np.outer(x[0], x[1], None)
np.interp(0.5, X[:3], x[0], 0.0, 1.0, None)
np.polyfit(X[:3], x[0], 1, None, False, None, False)
np.fft.fft(x, 4, -1, None, None).real
linalg.inv(x[:, :2], True, False)
linalg.solve(x[:, :2], x, False, True, True, True)
linalg.det(x[:, :2], overwrite_a=True)
""".split("\n")[1:-1]

TYPES = """
np.add(x, x, dtype=float)
np.multiply(x, 2, dtype=np.float64, casting="unsafe")
np.power(x, 2, dtype="float64")
np.exp(x, dtype=float)
np.exp(x, casting="unsafe")
np.matmul(x, x.T, dtype=float)
np.subtract(1, x[0, 0], dtype=float)
np.concatenate([x, x], dtype=float)
np.concatenate([x, np.arange(3).reshape(1, 3)], axis=0, dtype=float, casting="unsafe")
np.stack([x, x], dtype=float)
np.vstack([x, [1, 2, 3]])
np.hstack([x, x], casting="unsafe")
np.vstack((x, x), dtype=np.float64)
np.trace(x, dtype=float)
np.arange(x[0, 1], x[0, 1] + 3, dtype=float)
np.arange(x[0, 1], x[0, 1] + 3, 1, dtype=np.float64)
np.einsum("ij,ij->i", x, x, out=None, dtype=None, order="K", casting="safe", optimize=False)
np.clip(x, 0.3, 1.05, casting="unsafe")
np.sqrt(0.9 - x, dtype=complex).imag
np.sqrt(x - 8, dtype="complex128").imag
np.exp(1j * x, dtype=np.complex128).real
np.multiply(x, 1 + 2j, dtype=complex).imag
np.add(x, 2, dtype=complex).real
""".split("\n")[1:-1]

DENSITIES = """
stats.multivariate_normal.logpdf(x[0], X[:3], np.eye(3), True)
stats.multivariate_normal.pdf(x, X[:3], np.eye(3), allow_singular=True)
stats.multivariate_normal.logpdf(X[:3], x[0], np.diag(x[1]), True)
stats.multivariate_normal.logpdf(X[:3], x[0], cov=2.0 * x[0, 0], allow_singular=True)
stats.multivariate_normal(X[:3], np.eye(3), True).logpdf(x[0])
stats.multivariate_normal(x[0], cov=np.eye(3), allow_singular=True).pdf(X[:3])
""".split("\n")[1:-1]

OPTIONS_NOT_TAKEN = [
    ("np.array(x, like=x)", "like"),
    ("np.array(x, ndmin=n)", "ndmin"),
    ("np.nanvar(x, mean=np.mean(x))", "mean"),
    ("np.median(x, overwrite_input=True)", "overwrite_input"),
    ("np.quantile(x, 0.3, method='inverted_cdf', weights=x)", "weights"),
    ("np.add(x, x, dtype=np.longdouble)", "dtype"),
    ("np.add(x, 1j, dtype=float, casting='unsafe')", "dtype"),
    ("np.add(x, x, order='F')", "order"),
    ("np.clip(x, 0.3, 1.0, dtype=float)", "dtype"),
    ("np.concatenate([x, x], dtype=float, casting='safe')", "dtype"),
    ("linalg.inv(x[:, :2], lower=True)", "lower"),
]


def program(expression: str, more: str = "") -> Callable[..., Any]:
    text = (
        "import numpy as np\nfrom scipy import linalg, stats\n"
        "X = np.array([0.3, 1.7, 0.9, 2.2])\n"
        f"def f(x{more}):\n    y = {expression}\n"
        "    return np.sum(np.sin(y) * (1.0 + np.arange(np.size(y)).reshape(np.shape(y))))\n"
    )
    return written(text)


def differences(f: Any, x: np.ndarray) -> np.ndarray:
    steps = 1e-6 * np.eye(x.size).reshape(-1, *x.shape)
    return np.array([(f(x + s) - f(x - s)) / 2e-6 for s in steps]).reshape(x.shape)


@pytest.mark.parametrize("expression", [*ARRAYS, *PLACES, *TYPES, *DENSITIES])
def test_the_derivative_is_right(expression: str) -> None:
    f = program(expression)
    expected, direction = differences(f, A), np.cos(np.arange(A.size)).reshape(A.shape)
    np.testing.assert_allclose(rg.grad(f, strict=True)(A.copy()), expected, rtol=1e-5, atol=1e-6)
    value, along = rg.jvp(f, (A.copy(),), (direction,), strict=True)
    assert value == pytest.approx(f(A), rel=1e-12)
    np.testing.assert_allclose(along, np.sum(expected * direction), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("expression", [*ARRAYS, *PLACES[:25], *TYPES, *DENSITIES[:4]])
def test_so_it_is_on_the_tape(expression: str) -> None:
    f = program(expression)
    _, pull = taped(f, A.copy())
    np.testing.assert_allclose(pull(1.0), differences(f, A), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("expression", ["np.array(x, ndmin=2)", "np.multiply(x, x, dtype=float)"])
def test_second_derivatives(expression: str) -> None:
    f = program(expression)
    rows = np.array([differences(lambda y: rg.grad(f)(y)[k], X) for k in range(X.size)])  # noqa: B023
    np.testing.assert_allclose(rg.hessian(f, strict=True)(X), rows, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("x", [1.3, np.float64(1.3), np.array(1.3), np.array([1.3, 0.2])], ids=repr)
def test_numbers_get_axes(x: Any) -> None:
    """What ``ndmin`` is asked for: a number is a row."""
    f = program("np.array(x, ndmin=1)")
    assert np.shape(rg.grad(f, strict=True)(x)) == np.shape(x)
    np.testing.assert_allclose(
        rg.grad(f, strict=True)(x), np.cos(x) * (1.0 + np.arange(np.size(x)).reshape(np.shape(x)))
    )
    assert f([1.3, 0.2]) == rg.value_and_grad(f, strict=True)([1.3, 0.2])[0]


@pytest.mark.parametrize(("expression", "option"), OPTIONS_NOT_TAKEN)
def test_what_is_not_taken_is_named(expression: str, option: str) -> None:
    f = program(expression, ", n=1")
    with pytest.raises(RetrogradError, match=f"the option `{option}`"):
        rg.grad(f, strict=True)(A.copy(), 2)


COPIES = """
def copied(x):
    y = np.array(x, ndmin={least}, copy={copy})
    y[..., 0] = 3.0 * x[..., 1]
    return np.sum(y**2) + np.sum(x**3)

def viewed(x):
    y = np.array(x, order="F")
    z = x * x
    w = np.asarray(z, copy={copy})
    w[0] = 7.0 * x[1]
    return np.sum(y**2) + np.sum(z**3) + np.sum(w)
"""


@pytest.mark.parametrize("copy", [True, None])
@pytest.mark.parametrize("least", [1, 2, 3])
@pytest.mark.parametrize("name", ["copied", "viewed"])
def test_writes_after(name: str, least: int, copy: Any) -> None:
    """A copy is written to alone; what is no copy shows its writes, or is refused."""
    f = written(COPIES.format(least=least, copy=copy), name)
    expected = differences(lambda a: f(a.copy()), S)
    try:
        found = rg.grad(f, strict=True)(S.copy())
    except RetrogradError:
        assert copy is None
        return
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_types_of_results() -> None:
    single = A.astype(np.float32)
    for text in ("np.add(x, 1.0, dtype=np.float32)", "np.stack([x, x], dtype=np.float32)"):
        f = program(text)
        value, gradient = rg.value_and_grad(f, strict=True)(single)
        assert value == f(single)
        assert gradient.dtype == np.float32
        assert rg.value_and_grad(f, strict=True)(A)[0] == f(A)


def test_a_singular_covariance_is_refused() -> None:
    def f(x: Any) -> Any:
        return stats.multivariate_normal.logpdf(
            x, np.zeros(2), np.array([[1.0, 1.0], [1.0, 1.0]]), allow_singular=True
        )

    with pytest.raises(RetrogradError, match="singular covariance"):
        rg.grad(f)(np.array([0.5, 0.5]))


def test_places_are_names() -> None:
    """Every operation that tells its parameters: the last argument by position is one of its options."""
    asked = 0
    for op, rule in book.rules.items():
        try:
            parameters = list(inspect.signature(op).parameters.values())
        except (TypeError, ValueError):
            continue
        if isinstance(op, np.ufunc) or any(
            p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters
        ):
            continue
        given = tuple(p.name for p in parameters if p.kind is not p.KEYWORD_ONLY)
        if None in given or any(p.kind is p.POSITIONAL_ONLY for p in parameters[1:]):
            continue
        args, kwargs = named(op, rule.differential, given, {})
        assert all(name == value for name, value in kwargs.items())
        assert (*args, *kwargs.values()) == given
        asked += bool(kwargs)
    assert asked > 40
