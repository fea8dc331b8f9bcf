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


def reached(x: Any, of: Any, c: Any, letters: str) -> Any:
    """``x``, and 0 where the factor ``of`` of a product is nan or infinite, and nobody asks for what it is part of.

    ``c``, the cotangent of the product, is 0 there; the ``letters`` of both say which entries meet.

    >>> of = np.array([[1.0, 2.0], [np.nan, 3.0]])
    >>> reached(of, of, np.array([5.0, 0.0]), "ij->i")
    array([[1., 2.],
           [0., 3.]])
    """
    if not isinstance(of, np.ndarray) or of.dtype.kind not in "fc":
        return x
    odd = ~np.isfinite(of)
    return np.where(odd & ~asked(np.not_equal(c, 0), of, letters), 0, x) if odd.any() else x


def asked(c: Any, of: Any, letters: str) -> Any:
    """Where in a factor there are entries that a cotangent which is not 0 comes to; axes of 1 stand for any."""
    mine, product = letters.split("->")
    met = np.any(c, axis=tuple(k for k, x in enumerate(product) if x not in mine))
    kept = [x for x in product if x in mine]
    met = np.transpose(met, [kept.index(x) for x in mine if x in kept])
    met = np.expand_dims(met, tuple(k for k, x in enumerate(mine) if x not in kept))
    few = tuple(k for k, n in enumerate(met.shape) if n > of.shape[k])
    return np.any(met, axis=few, keepdims=True)


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
