"""Singular values that are counted as zero: a derivative where they are none but zero, else a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.tape.calls import taped

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]
linalg = pytest.importorskip("scipy.linalg")

Q = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
B = np.array([0.3, -1.2, 0.7, 2.0])
T = np.array([0.1, 0.5, 0.9, 1.3])

CALLS: dict[str, Callable[[Any, float], Any]] = {
    "np.linalg.pinv": lambda a, c: np.sum(np.linalg.pinv(a, c) @ B),
    "np.linalg.pinv, rtol": lambda a, c: np.sum(np.linalg.pinv(a, rtol=c) @ B),
    "np.linalg.lstsq": lambda a, c: np.sum(np.linalg.lstsq(a, B, c)[0]),
    "linalg.pinv": lambda a, c: np.sum(linalg.pinv(a, rtol=c) @ B),
    "linalg.pinv, atol": lambda a, c: np.sum(linalg.pinv(a, atol=c, rtol=0.0) @ B),
    "linalg.lstsq": lambda a, c: np.sum(linalg.lstsq(a, B, c)[0]),
}


@pytest.mark.parametrize("tape", [False, True])
@pytest.mark.parametrize("cutoff", [1e-12, 1e-3, 0.3])
@pytest.mark.parametrize("name", CALLS)
def test_right_or_refused(name: str, cutoff: float, tape: bool) -> None:
    """A matrix of three columns with a singular value of 0.1: only a cutoff under that keeps it."""
    call = CALLS[name]
    a = Q[:, :3] @ np.diag([1.0, 0.5, 0.1]) @ Q[:3, :3]
    steps = 1e-7 * np.eye(a.size).reshape(-1, *a.shape)
    slopes = np.reshape(
        [(call(a + s, cutoff) - call(a - s, cutoff)) / 2e-7 for s in steps], a.shape
    )
    way = (
        (lambda: taped(lambda x: call(x, cutoff), a)[1](1.0))
        if tape
        else (lambda: rg.grad(call, strict=True)(a, cutoff))
    )
    if cutoff > 0.1:
        with pytest.raises(RetrogradError, match="singular values are counted as zero"):
            way()
    else:
        np.testing.assert_allclose(way(), slopes, rtol=1e-4, atol=1e-4)


FITS: dict[str, Callable[[Any, Any, float], Any]] = {
    "np.linalg.lstsq": lambda a, b, c: np.sum(np.linalg.lstsq(a, b, c)[0] * B[:3]),
    "linalg.lstsq": lambda a, b, c: np.sum(linalg.lstsq(a, b, c)[0] * B[:3]),
    "np.polyfit": lambda a, b, c: np.sum(np.polyfit(a[:, 0], b, 2, c) * B[:3]),
}


@pytest.mark.parametrize("cutoff", [None, -1.0, 0.0, 1e-12, 0.3, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("name", FITS)
def test_fits_depend_on_their_right_sides_at_any_cutoff(name: str, cutoff: float | None) -> None:
    fit = FITS[name]
    a = Q[:, :3] @ np.diag([1.0, 0.5, 0.1]) @ Q[:3, :3]
    slopes = [(fit(a, B + s, cutoff) - fit(a, B - s, cutoff)) / 2e-6 for s in 1e-6 * np.eye(4)]
    np.testing.assert_allclose(
        rg.grad(fit, 1, strict=True)(a, B, cutoff), slopes, rtol=1e-5, atol=1e-6
    )
    if cutoff in (0.3, 0.7):
        with pytest.raises(RetrogradError, match="singular values are counted as zero"):
            rg.grad(fit, strict=True)(a, B, cutoff)
