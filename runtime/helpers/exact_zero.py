"""Products and quotients in which an exact zero wins, whatever the other factor is.

``np.where(x > 0, np.log(x), 0.0)`` sends the cotangent 0 to the logarithm at 0, whose slope there is
infinite: ``0 * inf`` would be nan, and the derivative is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .elementwise import weak

__all__ = ["div0", "hazard", "mul0", "on_support", "reached"]

PLAIN = (float, np.float64, int, complex, bool)


def mul0(g: Any, p: Any) -> Any:
    """``g * p``, and 0 where ``g`` is 0, even if ``p`` is infinite or nan there.

    >>> mul0(np.array([0.0, 2.0]), np.array([np.inf, 3.0]))
    array([0., 6.])
    >>> mul0(0.0, float("nan")), mul0(2.0, 3.0)
    (0.0, 6.0)
    """
    if g.__class__ in PLAIN and p.__class__ in PLAIN:
        return g * p if g != 0 else g * 0.0
    zero = np.equal(g, 0)
    return g * np.where(zero, 0, weak(p, g)) if zero.any() else g * p


def div0(c: Any, y: Any) -> Any:
    """``c / y``, and 0 where ``c`` is 0, even if ``y`` is 0 or nan there.

    >>> div0(np.array([0.0, 2.0, 0.0]), np.array([0.0, 4.0, np.nan]))
    array([0. , 0.5, 0. ])
    >>> div0(0.0, 0.0), div0(1.0, 4.0)
    (0.0, 0.25)
    """
    if c.__class__ in PLAIN and y.__class__ in PLAIN:
        return c / y if c != 0 else c * 0.0
    zero = np.equal(c, 0)
    return c / np.where(zero, 1, weak(y, c)) if zero.any() else c / y


def reached(x: Any, of: Any, c: Any, columns: bool = False) -> Any:
    """``x``, and 0 where the factor ``of`` of a product is nan or infinite, in a row that is not asked about.

    ``c``, the cotangent of the product, is 0 all along such a row (a column of a second factor).

    >>> of = np.array([[1.0, 2.0], [np.nan, 3.0]])
    >>> reached(of, of, np.array([5.0, 0.0]))
    array([[1., 2.],
           [0., 3.]])
    """
    if not isinstance(of, np.ndarray) or of.dtype.kind not in "fc":
        return x
    odd = ~np.isfinite(of)
    return np.where(odd & ~asked(np.not_equal(c, 0), of.shape, columns), 0, x) if odd.any() else x


def asked(c: Any, shape: tuple[int, ...], columns: bool) -> Any:
    """The rows of a factor of this shape that a cotangent which is not 0 comes to; it may lack the axis of a vector."""
    if len(shape) < 2:
        return c.any()
    lines = c if c.ndim < len(shape) else c.any(axis=-2 if columns else -1)
    wanted = (*shape[:-2], shape[-1] if columns else shape[-2])
    lines = lines.any(axis=tuple(range(lines.ndim - len(wanted))))
    short = tuple(k for k, n in enumerate(wanted) if n != lines.shape[k])
    lines = lines.any(axis=short, keepdims=True)
    return lines[..., None, :] if columns else lines[..., None]


def on_support(c: Any, log_density: Any) -> Any:
    """``c``, and 0 where a density is 0: where its logarithm is ``-inf``.

    >>> on_support(np.array([np.nan, 2.0]), np.array([-np.inf, 0.5]))
    array([0., 2.])
    """
    out = np.where(np.equal(log_density, -np.inf), 0, weak(c, log_density))
    return np.where(np.isnan(log_density), log_density, out)[()]


def hazard(log_density: Any, log_tail: Any) -> Any:
    """The density over the probability of a tail, from their logarithms: far out both are 0.

    >>> hazard(-1000.0, -1002.0) == np.exp(2.0), hazard(-np.inf, -np.inf)
    (np.True_, np.float64(0.0))
    """
    out = np.equal(log_density, -np.inf)
    gap = np.subtract(np.where(out, 0, log_density), np.where(out, 0, log_tail))
    return np.where(out, 0, np.exp(gap))[()]
