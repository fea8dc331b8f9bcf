"""Single precision: the value that is handed out has the function's dtype, and a gradient its argument's."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.tape.calls import taped

pytest.importorskip("scipy")

import scipy.integrate as si
import scipy.interpolate as sip
import scipy.ndimage as nd
import scipy.sparse as ssp
import scipy.spatial.distance as ssd

pytestmark = pytest.mark.usefixtures("unchecked")
X = np.array([0.5, 0.7, 0.9, 1.1], np.float32)
PLACES = (np.array([0, 1, 2, 3]), np.array([1, 0, 3, 2]))

NUMPY: list[Callable[[Any], Any]] = [
    lambda x: np.diff(x, append=0.5),
    lambda x: np.diff(x, prepend=np.float32(1)),
    lambda x: np.ediff1d(x, to_begin=0.5),
    lambda x: np.ediff1d(x, to_end=np.array([0.5, 1.0])),
    lambda x: np.gradient(x, 0.5),
]
OTHERS: list[Callable[[Any], Any]] = [
    lambda x: np.poly(x),
    lambda x: np.cumulative_sum(x, include_initial=True),
    lambda x: si.trapezoid(x),
    lambda x: si.trapezoid(x, dx=0.3),
    lambda x: si.cumulative_trapezoid(x, initial=0),
    lambda x: si.simpson(x[:3], dx=0.5),
    lambda x: si.simpson(x),
    lambda x: si.simpson(x, dx=0.3),
    lambda x: si.cumulative_simpson(x),
    lambda x: si.cumulative_simpson(x[:2]),
    lambda x: nd.map_coordinates(np.outer(x, x), [x, x], order=1),
    lambda x: sip.RegularGridInterpolator((np.arange(4.0),), x, method="nearest")([[0.3]]),
    lambda x: sip.CubicSpline(np.arange(4.0), x)(x),
    lambda x: ssp.csr_matrix((x, PLACES), shape=(4, 4)) @ x,
    lambda x: ssd.cdist(np.outer(x, x), np.outer(x, x)),
    lambda x: ssd.pdist(np.outer(x, x)),
]


def judge(f: Callable[[Any], Any], value: Any, bar: Any) -> None:
    wanted = f(X)
    assert np.asarray(value).dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose(value, wanted, rtol=3e-6, atol=1e-7)
    assert bar.dtype == np.float32


@pytest.mark.parametrize("k", range(len(NUMPY) + len(OTHERS)))
def test_in_the_text(k: int) -> None:
    f = [*NUMPY, *OTHERS][k]
    value, pull = rg.vjp(f, X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judge(f, value, *pull(np.ones_like(value)))


@pytest.mark.parametrize("k", range(len(NUMPY)))
def test_on_the_tape(k: int) -> None:
    value, pull = taped(NUMPY[k], X)
    judge(NUMPY[k], value, pull(np.ones_like(value)))
