"""Calls of polynomials, of what makes arrays by formulas, and of `cmath` and `math` on several numbers."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, W, M, N = A((4,)), A((3,)), A((2, 3)), A(scalar=True)
UP = A(scalar=True, make=lambda x: abs(x) + 1.5)
SMALL = A(scalar=True, make=lambda x: x * 0.3)
POSITIVE = A((3,), lambda x: np.abs(x) + x.dtype.type(0.5))
VALUE = np.polynomial.polynomial.polyval


def apart(x: np.ndarray) -> np.ndarray:
    """Coefficients of a polynomial whose roots are apart."""
    return np.poly([1.0, -2.0, 3.5]).astype(x.dtype) + x * x.dtype.type(0.01)


SAMPLES: dict[Any, list[Sample]] = {
    np.vander: [
        Sample((V,), complex=True),
        Sample((W, 2)),
        Sample((W, 5), {"increasing": True}),
    ],
    np.polyval: [
        Sample((V, W), complex=True),
        Sample((V, N)),
        Sample((W, M)),
        Sample(([N, 2.0, N], W)),
    ],
    VALUE: [Sample((W, V), complex=True), Sample((N, V)), Sample((M, W))],
    np.polyder: [Sample((V,), complex=True), Sample((V, 2)), Sample((V, 0))],
    np.polyint: [Sample((V,), complex=True), Sample((V, 2)), Sample((V, 1, 3.0))],
    np.polyadd: [Sample((V, W), complex=True), Sample((W, V)), Sample((V, V)), Sample((N, W))],
    np.polysub: [Sample((V, W), complex=True), Sample((W, V)), Sample((V, N))],
    np.polymul: [Sample((V, W), complex=True), Sample((W, N)), Sample(([0.0, 2.0], W))],
    np.polydiv: [Sample((A((5,)), POSITIVE)), Sample((V, POSITIVE)), Sample((W, POSITIVE))],
    np.roots: [Sample((A((4,), apart),))],
    np.linspace: [
        Sample((V, N, 3), {"axis": 1}),
        Sample((M, M), {"num": 4, "axis": -1, "endpoint": False}),
        Sample((N, N, 5), {"dtype": np.float64}),
    ],
    np.logspace: [
        Sample((N, N, 5)),
        Sample((N, N), {"num": 4, "base": UP, "endpoint": False}),
        Sample((V, V, 3), {"axis": 1, "base": 2.0}),
    ],
    np.geomspace: [
        Sample((UP, UP, 5)),
        Sample((POSITIVE, UP), {"num": 4, "axis": 1, "endpoint": False}),
        Sample((POSITIVE, POSITIVE, 3)),
    ],
    linear.stretch_along: [Sample((V, np.zeros((3, 4)))), Sample((N, np.zeros((4, 3)), 1))],
    linear.unstretch_along: [Sample((A((3, 4)), np.zeros(4))), Sample((A((3, 4)), 1.0, 1))],
    np.kaiser: [Sample((5, UP)), Sample((4, N)), Sample((1, UP))],
    math.prod: [
        Sample(([N, N, N],)),
        Sample(([N, 0.0, N],)),
        Sample(([N, N],), {"start": N}),
    ],
    math.dist: [Sample(((N, N), (N, 1.0))), Sample((W, W)), Sample(([N], [N]))],
    **({math.sumprod: [Sample(([N, 1.0], [N, N]))]} if hasattr(math, "sumprod") else {}),
    cmath.rect: [Sample((N, N))],
    **{
        fn: [Sample((UP,)), Sample((A((), lambda x: x + 2.5),), complex=True)]
        for fn in (
            cmath.exp, cmath.log, cmath.log10, cmath.sqrt, cmath.sin, cmath.cos, cmath.tan,
            cmath.atan, cmath.sinh, cmath.cosh, cmath.tanh, cmath.asinh, cmath.acosh,
        )
    },
    **{
        fn: [Sample((SMALL,)), Sample((A((), lambda x: x * 0.3),), complex=True)]
        for fn in (cmath.asin, cmath.acos, cmath.atanh)
    },
}  # fmt: skip
