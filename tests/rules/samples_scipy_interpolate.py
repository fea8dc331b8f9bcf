"""Calls of the splines of ``scipy.interpolate``."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate

from retrograd.runtime.helpers.scipy import interpolate as rt

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, N = A((5,)), A(())
KNOTS = np.linspace(-0.5, 3.0, 9)
LINE = interpolate.splrep(KNOTS, np.sin(KNOTS))
FLAT = interpolate.splrep(KNOTS, np.cos(KNOTS), k=5)
MADE = interpolate.RectBivariateSpline(
    KNOTS, KNOTS, np.outer(np.sin(KNOTS), np.cos(KNOTS)), kx=4, ky=4
)
FACE = (*MADE.tck, *MADE.degrees)
SAMPLES: dict[Any, list[Sample]] = {
    interpolate.splev: [Sample((V, LINE)), Sample((V, FLAT), {"der": 1}), Sample((N, LINE, 0, 3))],
    rt.spline: [Sample((V, FLAT, 1)), Sample((V, FLAT, 1, 3)), Sample((N, FLAT, 2))],
    interpolate.splint: [Sample((N, N, LINE))],
    rt.surface: [Sample((V, V, FACE)), Sample((V, V, FACE, 1, 0))],
}
