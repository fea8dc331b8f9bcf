"""Functions of SciPy that are differentiated as programs, themselves what is differentiated."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.tape.calls import taped

st = pytest.importorskip("scipy.stats")
si = pytest.importorskip("scipy.integrate")

X = np.array([1.3, 0.4, 2.1, 0.9, 1.15, 3.2])
ROWS = [
    st.iqr, st.median_abs_deviation, st.circmean, st.circvar, st.circstd, st.gstd, st.tmean, st.tvar, st.tstd, st.tsem,
    st.tmin, st.tmax, st.skew, st.kurtosis, st.gmean, si.trapezoid, si.simpson, np.mean, np.linalg.norm,
]  # fmt: skip


@pytest.mark.parametrize("f", ROWS, ids=lambda f: f.__name__)
def test_what_stands_alone(f) -> None:
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(6)]
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(
        rg.jvp(f, (X,), (X,), strict=True)[1], X @ expected, rtol=1e-5, atol=1e-7
    )
    np.testing.assert_allclose(taped(f, X)[1](1.0), expected, rtol=1e-5, atol=1e-7)


def test_options_of_its_own() -> None:
    """What SciPy's decorators add is given to no program."""
    found = taped(lambda x: st.tmin(x, _no_deco=False, nan_policy="propagate"), X)[1](1.0)
    np.testing.assert_array_equal(found, [0, 1, 0, 0, 0, 0])
