"""Functions of NumPy and SciPy without a rule are compiled from their own text, where that is what refuses a program."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.lowering.library.functions_by_text import text_behind
from retrograd.runtime.errors import CompileError

from ..both_modes import agrees
from ..written import written

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]
X = np.array([0.3, 1.7, 0.9, 2.2, 1.3])

SIGNAL = {
    "chirp": "signal.chirp(x, 1.0, 2.0, 3.0).sum()",
    "chirp of another method": "signal.chirp(x, 1.0, 2.0, x[1], method='quadratic').sum()",
    "gausspulse": "signal.gausspulse(x, 5.0).sum()",
    "sweep_poly": "signal.sweep_poly(x, np.poly1d([1.0, 2.0])).sum()",
    "exponential": "signal.windows.exponential(5, None, x[0])[1]",
    "gaussian": "signal.windows.gaussian(5, x[0])[1]",
    "kaiser": "signal.windows.kaiser(5, x[0])[1]",
    "tukey": "signal.windows.tukey(5, x[0])[1]",
}
OTHERS = {
    "mahalanobis": "spatial.distance.mahalanobis(x, y, np.eye(5))",
    "jensenshannon": "spatial.distance.jensenshannon(x, y)",
    "seuclidean": "spatial.distance.seuclidean(x, y, np.ones(5))",
    "gaussian_filter1d": "ndimage.gaussian_filter1d(x, 1.0)[1]",
    "sobel": "ndimage.sobel(x)[1]",
    "variance": "ndimage.variance(x)",
    "convolution_matrix": "(linalg.convolution_matrix(x, 3) ** 2).sum()",
    "boxcox": "stats.boxcox(x, 0.3)[0]",
    "energy_distance": "stats.energy_distance(x, y)",
    "wasserstein_distance": "stats.wasserstein_distance(x, y)",
    "kstat": "stats.kstat(x, 2)",
    "fixed_quad": "integrate.fixed_quad(lambda t: np.exp(-t * x[0]), 0, 1)[0]",
}
NUMPY = {
    "chebval": "np.polynomial.chebyshev.chebval(x, [1.0, 2.0, 0.5]).sum()",
    "polyfit": "np.polynomial.polynomial.polyfit(np.arange(5.0), x, 1)[0]",
    "emath.sqrt": "np.emath.sqrt(x).sum()",
    "emath.logn": "np.emath.logn(2, x).sum()",
    "getmask": "np.sum(x * x) if not np.ma.getmask(x).any() else np.sum(x)",
    "filled": "np.ma.filled(x, 0.0) @ x",
}
ALL = SIGNAL | OTHERS | NUMPY


def program(expression: str, before: str = "") -> object:
    scipy = pytest.importorskip("scipy")
    parts = ["signal", "spatial", "ndimage", "linalg", "stats", "integrate"]
    for part in parts:
        pytest.importorskip(f"scipy.{part}")
    text = f"def f(x, y):\n    {before}return {expression}\n"
    return written(text, **{part: getattr(scipy, part) for part in parts})


@pytest.mark.parametrize("name", ALL)
def test_they_are_differentiated(name: str) -> None:
    agrees(program(ALL[name]), X, np.array([0.5, 1.1, 0.4, 1.9, 2.5]))


@pytest.mark.parametrize("name", ["chirp", "tukey", "gausspulse", "chebval", "jensenshannon"])
def test_to_second_order(name: str) -> None:
    agrees(program(ALL[name]), X, np.array([0.5, 1.1, 0.4, 1.9, 2.5]), second=True)


def test_they_are_left_where_nobody_asks_for_their_derivative() -> None:
    f = program("x @ x if stats.expectile(x) > 0.1 else np.sum(x)")
    text = rg.differentiate(f).source("grad", X, X)
    assert "expectile(x)" in text
    agrees(f, X, X)


@pytest.mark.parametrize(
    "expression",
    ["signal.medfilt(x, 3)[1]", "stats.lmoment(x)[0]", "ndimage.median_filter(x, 3)[1]"],
)
def test_what_their_text_does_not_help_is_refused_as_before(expression: str) -> None:
    f = program(expression)
    name = expression.partition("(")[0].rpartition(".")[2]
    with pytest.raises(
        CompileError, match=f"{name}: no rule for a value that is being differentiated"
    ):
        rg.grad(f, strict=True)(X, X)


def test_a_helper_is_not_taped_for_them() -> None:
    f = written(
        "def window(x):\n    return signal.windows.tukey(5, x[0]) * x\n\ndef f(x):\n    return np.sum(window(x))\n",
        signal=pytest.importorskip("scipy.signal"),
    )
    agrees(f, X)
    assert "taped" not in rg.differentiate(f).source("grad", X)


def test_which_text_says_all() -> None:
    """A statistic of one axis is what it wraps for arrays of that axis alone."""
    stats = pytest.importorskip("scipy.stats")
    assert text_behind(stats.kstat, [], {}) is stats.kstat.__wrapped__
    assert text_behind(stats.kstat, [], {"axis": None}) is None
    assert text_behind(np.emath.sqrt, [], {}) is np.emath.sqrt.__wrapped__
    assert text_behind(np.sin, [], {}) is None
