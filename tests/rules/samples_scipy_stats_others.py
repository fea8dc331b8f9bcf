"""Calls of descriptive statistics, of multivariate distributions, and of the helpers of both."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from retrograd.runtime.helpers.scipy import stats as helpers

from .sample import A, Sample

__all__ = ["OTHERS"]

V, M = A((5,)), A((4, 3))


def near(low: float, high: float, *samples: tuple[Any, dict[str, Any]]) -> list[Sample]:
    return [Sample(args, named, low, high) for args, named in samples]


def reductions(low: float, high: float, *more: dict[str, Any]) -> list[Sample]:
    """A vector, a matrix along each axis and as a whole, kept axes, and other keywords."""
    axes: list[dict[str, Any]] = [{"axis": 1}, {"axis": None}, {"axis": 0, "keepdims": True}]
    return near(low, high, ((V,), {}), ((M,), {}), *(((M,), named) for named in [*axes, *more]))


def positive(r: Any) -> Any:
    """A covariance near to a diagonal one."""
    return (np.diag([1.5, 1.0, 2.0]) + 0.1 * (r + r.T)).astype(r.dtype)


COV = A((3, 3), positive)
NORMAL = [
    Sample((A((4, 3)), A((3,)), COV), {}, -1.0, 1.0),
    Sample((A((3,)),), {"mean": A((3,)), "cov": COV}, -1.0, 1.0),
    Sample((A((2, 2, 3)), A((3,)), 1.3), {}, -1.0, 1.0, order2=False),
    Sample((A((4, 3)), A((3,)), A((), lambda r: r * 0 + 1.5, True)), {}, -1.0, 1.0),
    Sample((A((1, 3)), None, COV), {}, -1.0, 1.0, order2=False),
    Sample((A((3,)), A((1,)), A((1,))), {}, 0.5, 1.5, order2=False),
]
OTHERS: dict[Any, list[Sample]] = {
    stats.gmean: reductions(0.5, 2.0),
    stats.hmean: reductions(0.5, 2.0),
    stats.pmean: near(0.5, 2.0, ((V, 2.5), {}), ((M, -1.0), {"axis": 1, "keepdims": True})),
    stats.sem: reductions(-1.0, 2.0, {"ddof": 0}),
    stats.variation: reductions(1.0, 2.0, {"ddof": 1}),
    stats.moment: reductions(-1.0, 2.0, {"order": 3}, {"order": 2, "axis": 1}),
    stats.skew: reductions(-1.0, 2.0, {"bias": False}, {"axis": 1, "bias": False}),
    stats.kurtosis: reductions(-1.0, 2.0, {"bias": False}, {"fisher": False}),
    stats.zscore: near(
        -1.0, 2.0, ((V,), {}), ((M,), {"axis": 1}), ((M,), {"axis": None, "ddof": 1})
    ),
    stats.zmap: near(-1.0, 2.0, ((V, A((5,))), {}), ((M, A((4, 3))), {"axis": 1, "ddof": 1})),
    stats.entropy: near(
        0.2, 1.0, ((V,), {}), ((V, A((5,))), {}), ((M, A((4, 3))), {"axis": 1, "base": 2.0}),
        ((M,), {"base": 10.0, "keepdims": True}),
    ),
    stats.pearsonr: near(-1.0, 1.0, ((V, A((5,))), {})),
    stats.multivariate_normal.logpdf: NORMAL,
    stats.multivariate_normal.pdf: NORMAL,
    helpers.kernel_density: [
        Sample((A((4,)), A((5,))), {}, -1.0, 1.0),
        Sample((A((2, 3)), A((2, 6)), "silverman"), {}, -1.0, 1.0),
        Sample((A((2,)), A((2, 6)), 0.7), {"weights": np.arange(1.0, 7.0)}, -1.0, 1.0, order2=False),
    ],
    helpers.reference: near(0.2, 1.0, ((V, np.ones(5)), {})),
    helpers.vonmises_partial: [
        Sample((n, A((2, 3)), A((3,))), {}, 0.2, 3.0) for n in (0, 1, 2)
    ],
    helpers.vonmises_tail: [Sample((n, A((2, 3)), A((3,))), {}, 0.2, 2.5) for n in (1, 2)],
}  # fmt: skip
# With the last component left out, so that differences stay on the simplex.
DIRICHLET = [
    Sample((A((2,), lambda r: 0.2 + 0.2 * r), A((3,), lambda r: r + 1.5)), {}, 0.0, 1.0),
    Sample((A((2, 4), lambda r: 0.2 + 0.2 * r), A((3,), lambda r: r + 1.5)), {}, 0.0, 1.0),
]
OTHERS[stats.dirichlet.logpdf] = OTHERS[stats.dirichlet.pdf] = DIRICHLET
