"""Calls of SciPy's distributions: every method of each, at quantiles of its standard form."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from .sample import A, Sample
from .samples_scipy_stats_others import OTHERS

__all__ = ["SAMPLES"]

# The shapes around which each family is sampled.
CONTINUOUS: dict[Any, tuple[float, ...]] = {
    stats.norm: (),
    stats.cauchy: (),
    stats.laplace: (),
    stats.logistic: (),
    stats.hypsecant: (),
    stats.gumbel_r: (),
    stats.gumbel_l: (),
    stats.moyal: (),
    stats.johnsonsu: (0.4, 1.3),
    stats.t: (2.4,),
    stats.skewnorm: (1.3,),
    stats.gennorm: (1.7,),
    stats.vonmises: (1.6,),
    stats.expon: (),
    stats.halfnorm: (),
    stats.halfcauchy: (),
    stats.halflogistic: (),
    stats.rayleigh: (),
    stats.maxwell: (),
    stats.levy: (),
    stats.lognorm: (0.8,),
    stats.weibull_min: (1.6,),
    stats.weibull_max: (1.6,),
    stats.pareto: (2.2,),
    stats.lomax: (2.2,),
    stats.fisk: (2.2,),
    stats.gamma: (2.3,),
    stats.erlang: (2,),
    stats.chi2: (2.7,),
    stats.invgamma: (2.3,),
    stats.invgauss: (0.9,),
    stats.f: (3.3, 5.1),
    stats.chi: (2.6,),
    stats.nakagami: (1.4,),
    stats.burr12: (1.6, 2.1),
    stats.rice: (0.8,),
    stats.ncx2: (2.7, 1.9),
    stats.ncf: (3.3, 5.1, 1.9),
    stats.uniform: (),
    stats.beta: (1.8, 2.6),
    stats.powerlaw: (1.7,),
    stats.loguniform: (0.4, 3.0),
    stats.reciprocal: (0.4, 3.0),
    stats.triang: (0.4,),
    stats.truncnorm: (-1.1, 1.4),
}
BEYOND_0 = (stats.pareto, stats.loguniform, stats.reciprocal)  # their supports begin above 0
METHODS = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf")
# Of the composed rules these say the most at second order: every score, how shapes move the tails.
TWICE = {"logpdf": CONTINUOUS, "ppf": (stats.norm, stats.gamma, stats.weibull_min)}
SCALARS = ("logpdf", "sf")
DISCRETE: dict[Any, tuple[Any, ...]] = {
    stats.poisson: (1.7,),
    stats.bernoulli: (0.4,),
    stats.binom: (5, 0.4),
    stats.geom: (0.4,),
    stats.nbinom: (2.6, 0.4),
}
COUNTED = ("pmf", "logpmf", "cdf", "logcdf", "sf", "logsf")
COUNTS = {stats.bernoulli: np.zeros((2, 3)), stats.geom: np.array([[1, 2, 1], [3, 2, 4]])}


def around(shape: tuple[int, ...], middle: float, scalar: bool = False) -> A:
    """An array of values near ``middle``; the draws are between 0 and 1."""
    return A(shape, lambda r: (middle * (0.9 + 0.2 * r)).astype(r.dtype), scalar)


def at_quantiles(family: Any, shapes: tuple[float, ...], shape: tuple[int, ...], scalar: bool) -> A:
    def values(r: Any) -> Any:
        x = np.asarray(family.ppf(0.15 + 0.7 * r, *shapes), r.dtype)
        return x if r.shape else x[()]

    return A(shape, values, scalar)


def is_twice(family: Any, method: str) -> bool:
    if method == "cdf":
        return bool(CONTINUOUS[family])
    return family in TWICE.get(method, ())


def continuous(family: Any, method: str, shapes: tuple[float, ...]) -> list[Sample]:
    """All arguments stretched to one another; then numbers, with ``scale`` by its name."""
    found = []
    for big, scalar in [((2, 3), False), ((), True)][: 1 + (method in SCALARS)]:
        if method in ("ppf", "isf"):
            first = A(big, lambda r: (0.15 + 0.7 * r).astype(r.dtype), scalar)
        else:
            first = at_quantiles(family, shapes, big, scalar)
        own = [around((3,) if big else (), a, scalar) for a in shapes]
        own = [2] if family is stats.erlang else own
        loc, middle = (-0.1, 1.0) if family in BEYOND_0 else (0.1, 1.05)
        scale = around((2, 1) if big else (), middle, scalar)
        args = (first, *own, around((), loc, True)) if big else (first, *own)
        found.append(
            Sample(args, {"scale": scale}, 0.0, 1.0, order2=bool(big) and is_twice(family, method))
        )
    return found


def discrete(family: Any, method: str, shapes: tuple[Any, ...]) -> list[Sample]:
    own = [around((3,), a) if isinstance(a, float) else a for a in shapes]
    numbers = [around((), a, True) if isinstance(a, float) else a for a in shapes]
    twice = method in ("logpmf", "pmf", "cdf")
    return [
        Sample(
            (COUNTS.get(family, np.array([[1, 0, 1], [3, 2, 1]])), *own), {}, 0.0, 1.0, order2=twice
        ),
        Sample((2.0 - (family is stats.bernoulli), *numbers), {"loc": 1}, 0.0, 1.0, order2=False),
    ]


SAMPLES: dict[Any, list[Sample]] = dict(OTHERS)
for _family, _shapes in CONTINUOUS.items():
    for _method in METHODS:
        SAMPLES[getattr(_family, _method)] = continuous(_family, _method, _shapes)
for _family, _shapes in DISCRETE.items():
    for _method in COUNTED:
        SAMPLES[getattr(_family, _method)] = discrete(_family, _method, _shapes)
