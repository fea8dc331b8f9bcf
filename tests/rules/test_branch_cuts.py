"""Beside and on the branch cuts of complex functions, a derivative is that of the side its argument is on.

On a cut the sign of a zero says which side that is.  What these derivatives are held against are
differences along the cut, which stay on the side.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import linalg, special

import retrograd as rg
from retrograd import RetrogradError
from retrograd.runtime.helpers import linear
from retrograd.runtime.tape.calls import taped
from tests.written import written

pytestmark = pytest.mark.usefixtures("unchecked")

NEGATIVE, LOW, HIGH = (-2.0, 1.0), (-2.5, 1.0), (2.5, 1.0)  # a point of a cut, and its direction
UP, DOWN, ORIGIN = (2.5j, 1j), (-2.5j, 1j), (1.5, 1.0)
CUTS: dict[str, tuple[Any, ...]] = {
    "np.sqrt(x)": (NEGATIVE, ORIGIN),
    "np.log(x)": (NEGATIVE, ORIGIN),
    "np.log2(x)": (NEGATIVE,),
    "np.log10(x)": (NEGATIVE,),
    "np.log1p(x)": (LOW, ORIGIN),
    "np.arcsin(x)": (LOW, HIGH, UP),
    "np.arccos(x)": (LOW, HIGH, UP),
    "np.arctan(x)": (UP, DOWN, HIGH),
    "np.arcsinh(x)": (UP, DOWN, HIGH),
    "np.arccosh(x)": (LOW, HIGH, (0.5, 1.0), (-0.5, 1.0), UP),
    "np.arctanh(x)": (LOW, HIGH, UP),
    "np.power(x, 0.3)": (NEGATIVE, ORIGIN),
    "x ** (0.3 + 0.2j)": (NEGATIVE, ORIGIN),
    "x ** x": (NEGATIVE, ORIGIN),
    "(-2 + 0j) ** x": (ORIGIN,),
    "complex(-2.0, -0.0) ** x": (ORIGIN,),
    "np.power(-2 + 0j, x)": (ORIGIN,),
    "np.angle(x) + 0j * x": (NEGATIVE, ORIGIN),
    "scipy.xlogy(x, x)": (NEGATIVE, ORIGIN),
    "scipy.xlog1py(x, x)": (LOW, ORIGIN),
    "scipy.loggamma(x)": (LOW, ORIGIN),
    "scipy.spence(x)": (NEGATIVE, ORIGIN),
    "scipy.exp1(x)": (NEGATIVE, ORIGIN),
    "scipy.expi(x)": (NEGATIVE, ORIGIN),
    "scipy.lambertw(x)": (NEGATIVE, ORIGIN),
    "scipy.jv(0.5, x)": (NEGATIVE, ORIGIN),
    "scipy.hyp2f1(0.3, 0.4, 1.7, x)": (HIGH,),
}
CASES = [
    (text, *point, sign)
    for text, points in CUTS.items()
    for point, sign in itertools.product(points, (0.0, -0.0))
]


def beside(z: complex, step: complex, sign: float) -> np.complex128:
    """``z + step`` along a line where the other part is a zero of this sign."""
    along = complex(z) + complex(step)
    on_axis = complex(z).imag == 0
    return np.complex128(complex(along.real, sign) if on_axis else complex(sign, along.imag))


@pytest.mark.sampled(5)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("text", "z", "along", "sign"), CASES)
def test_the_derivative_is_that_of_the_side(text: str, z: Any, along: Any, sign: float) -> None:
    f = written(f"def f(x):\n    return {text}\n", scipy=special)
    x, step = beside(z, 0.0, sign), 1e-6 * along
    slope = (f(beside(z, step, sign)) - f(beside(z, -step, sign))) / 2e-6
    value, tangent = rg.jvp(f, (x,), (np.complex128(along),))
    assert value == f(x)
    assert tangent == pytest.approx(slope, rel=1e-7, abs=1e-8)
    pull = rg.vjp(f, x)[1]
    parts = [np.real(np.conj(pull(c)[0]) * along) for c in (1.0 + 0j, 1j)]
    assert complex(*parts) == pytest.approx(slope, rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("sign", [0.0, -0.0])
@pytest.mark.parametrize("helper", [linear.circle, linear.hyperbola, linear.hyperbola_above])
def test_so_are_the_roots_that_derivatives_read(helper: Any, sign: float) -> None:
    f = written("def f(x):\n    return helper(x)\n", helper=helper)
    for z, along in (LOW, HIGH, UP, DOWN):
        x, step = beside(z, 0.0, sign), 1e-6 * along
        slope = (f(beside(z, step, sign)) - f(beside(z, -step, sign))) / 2e-6
        assert rg.jvp(f, (x,), (np.complex128(along),))[1] == pytest.approx(slope, rel=1e-6)


# -- matrices: a negative eigenvalue is on the cut ---------------------------------------------

MATRICES = {
    2: np.array([[1.0, 2.0], [2.1, -1.5]]),
    3: np.array([[1.0, 2.0, 0.3], [2.1, -1.5, 0.4], [0.2, -0.1, 0.7]]),
}
OF_MATRICES = [
    "linalg.sqrtm(x)",
    "linalg.logm(x)",
    "linalg.fractional_matrix_power(x, 0.3)",
    "linalg.fractional_matrix_power(x, -1.5)",
    "linalg.signm(x)",
    "linalg.expm(linalg.logm(x) / 3)",
]


@pytest.mark.sampled(5)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", MATRICES)
@pytest.mark.parametrize("part", ["real", "imag", "abs"])
@pytest.mark.parametrize("text", OF_MATRICES)
def test_functions_of_matrices_keep_to_their_side(text: str, part: str, n: int) -> None:
    source = f"def f(x):\n    return np.sum(np.{part}({text}) * weights)\n"
    x, weights = MATRICES[n], np.arange(1.0, n * n + 1).reshape(n, n)
    f = written(source, linalg=linalg, weights=weights)
    e = np.cos(np.arange(n * n)).reshape(n, n)
    slope = (f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6
    for bar in (rg.grad(f)(x), taped(f, x)[1](1.0)):
        assert np.sum(bar * e) == pytest.approx(slope, rel=1e-6, abs=1e-8)
    assert rg.jvp(f, (x,), (e,))[1] == pytest.approx(slope, rel=1e-6, abs=1e-8)


def test_a_complex_matrix_on_the_cut_is_refused() -> None:
    """Rounding would choose the side."""
    f = written("def f(x):\n    return np.sum(np.real(linalg.sqrtm(x)))\n", linalg=linalg)
    with pytest.raises(RetrogradError, match="negative eigenvalue"):
        rg.grad(f)(np.array([[1.0, 2j], [-2j, -1.5]]))


POSITIVE = np.array([[4.0, 1.0, 0.3], [0.8, 5.0, 0.4], [0.2, -0.1, 3.0]])
REAL_HERE = [
    *(f"np.sum({text})" for text in OF_MATRICES),
    "linalg.sqrtm(x)[0, 1]",
    "np.linalg.eigvals(x)[1]",
    "np.roots(np.array([x[0, 0], -9.0, x[0, 1]]))[0]",
    "np.emath.sqrt(x[0, 1])",
    "np.emath.log(x[0, 0])",
]


@pytest.mark.parametrize("text", REAL_HERE)
def test_what_may_be_complex_and_is_real_has_a_gradient(text: str) -> None:
    f = written(f"def f(x):\n    return {text}\n", linalg=linalg)
    e = np.cos(np.arange(9.0)).reshape(3, 3)
    slope = (f(POSITIVE + 1e-6 * e) - f(POSITIVE - 1e-6 * e)) / 2e-6
    bar = rg.grad(f)(POSITIVE)
    assert bar.dtype == float
    assert np.sum(bar * e) == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("text", ["np.sum(linalg.sqrtm(x))", "np.emath.sqrt(x[0, 1])"])
def test_what_is_complex_has_none(text: str) -> None:
    f = written(f"def f(x):\n    return {text}\n", linalg=linalg)
    with pytest.raises(RetrogradError, match="complex number"):
        rg.grad(f)(-POSITIVE)
