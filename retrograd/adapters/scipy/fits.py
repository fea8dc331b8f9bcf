"""Fits of curves, with the covariance of their parameters by exact derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ..parameter_slopes import parameter_slopes

__all__ = ["curve_fit"]


def curve_fit(
    f: Callable[..., Any],
    xdata: Any,
    ydata: Any,
    p0: Any = None,
    *,
    backend: str | None = None,
    **options: Any,
) -> Any:
    """`scipy.optimize.curve_fit` of ``f(xdata, *params)``, its Jacobian and so its covariance exact.

    >>> def decay(t, a, rate):
    ...     return a * np.exp(-rate * t)
    >>> t = np.linspace(0.0, 3.0, 7)
    >>> found, covariance = curve_fit(decay, t, 2.0 * np.exp(-0.7 * t) + 0.01 * np.cos(9 * t), p0=(1.0, 1.0))
    >>> found.round(2), np.sqrt(np.diag(covariance)).round(3)
    (array([2.01, 0.7 ]), array([0.007, 0.004]))
    """
    slopes = parameter_slopes(f, backend)
    options.setdefault("jac", lambda x, *params: np.stack(slopes(x, *params), axis=-1))
    return optimize.curve_fit(f, xdata, ydata, p0, **options)
