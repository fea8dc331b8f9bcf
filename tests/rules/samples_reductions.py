"""Calls of reductions, running sums, norms, sorting and quantiles, and of their helpers."""

import builtins
import math

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, M, T, E = A((5,)), A((3, 4)), A((2, 3, 4)), A((0, 3))
FORMS = [
    (M, {}),
    (V, {}),
    (A(), {}),
    (V, {"axis": 0}),
    (M, {"axis": 0}),
    (M, {"axis": -1}),
    (M, {"axis": 1, "keepdims": True}),
    (T, {"axis": (0, 2)}),
    (T, {"axis": (0, -1), "keepdims": True}),
    (M, {"axis": None, "keepdims": True}),
    (T, {"axis": 1}),
    (A((3, 1)), {"axis": 1}),
]
AXES = [(V, {}), (M, {}), (M, {"axis": 0}), (T, {"axis": -2}), (M, {"axis": 1}), (T, {})]


def with_holes(x: np.ndarray) -> np.ndarray:
    """``x`` with a NaN in it, where there is room for one."""
    if x.size > 2:
        x = x.copy()
        x.flat[1] = np.nan
    return x


def with_zeros(x: np.ndarray) -> np.ndarray:
    """``x`` with two exact zeros."""
    x = x.copy()
    x.flat[1] = x.flat[-1] = 0.0
    return x


def holes(a: A) -> A:
    return A(a.shape, with_holes)


def reductions(complex: bool = False, empty: bool = False) -> list[Sample]:
    forms = FORMS + ([(E, {}), (E, {"axis": 0})] if empty else [])
    return [Sample((x,), kw, complex=complex) for x, kw in forms]


def methods(complex: bool = False, empty: bool = False) -> list[Sample]:
    """The same as methods of arrays, which NumPy's scalars are not."""
    return [s for s in reductions(complex, empty) if s.args[0].shape]


def reduce_methods(complex: bool = False) -> list[Sample]:
    """``ufunc.reduce``: an axis of 0 unless told otherwise."""
    forms = [(V, {}), (M, {}), *(f for f in FORMS[3:])]
    return [Sample((x,), kw, complex=complex) for x, kw in forms]


def spreads(nan: bool = False) -> list[Sample]:
    """Variances: every form, with less degrees of freedom too."""
    forms = [(x, kw) for x, kw in FORMS if x.shape not in ((), (3, 1))]
    forms += [(M, {"axis": 0, "ddof": 1}), (T, {"axis": (0, 2), "ddof": 2, "keepdims": True})]
    return [Sample((holes(x) if nan else x,), kw, complex=not nan) for x, kw in forms]


def holed(forms: list) -> list[Sample]:
    return [Sample((holes(x),), kw) for x, kw in forms if x.shape != (3, 1)]


MASK = np.array([True, False, True, True])
MASKS = np.array([[True, False, True, True], [True, True, False, False], [True, True, True, True]])
N = A(scalar=True)


def chosen(initial: bool = True, nan: bool = False, only: bool = False) -> list[Sample]:
    """``where=``, ``initial=``: entries left out, and a value to start from."""
    x, t = (holes(M), holes(T)) if nan else (M, T)
    first = {"initial": -9.0} if only else {}
    forms = [
        Sample((x,), {"where": MASK, **first}),
        Sample((x,), {"where": MASKS, "axis": 0, **first}),
        Sample((x,), {"where": MASKS[:, :1], "axis": 1, "keepdims": True, **first}),
        Sample((t,), {"where": MASKS, "axis": (0, 2), **first}),
    ]
    starts = [Sample((x,), {"initial": N}), Sample((x,), {"initial": N, "axis": 1, "where": MASKS})]
    return forms + (starts if initial else [])


TYPED = [Sample((M,), {"dtype": np.float64}), Sample((M,), {"dtype": np.complex128, "axis": 0})]
ZEROS = [Sample((A((4,), with_zeros),)), Sample((A((2, 3), with_zeros),), {"axis": 1})]
CORRECTED = [Sample((M,), {"axis": 0, "correction": 1})]
RUNNING = [Sample((x,), kw, complex=True) for x, kw in AXES]
NORMS = [
    *(Sample((V,), {"ord": p}, complex=True) for p in (None, 1, 2, 3, 2.5, np.inf, -np.inf, -1)),
    *(Sample((M,), {"ord": p}, complex=True) for p in ("fro", 1, -1, np.inf, -np.inf)),
    *(Sample((T,), {"ord": p, "axis": 1}, complex=True) for p in (1, 2, 3, np.inf)),
    *(Sample((T,), {"ord": p, "axis": (2, 0)}) for p in (None, "fro", 1, -np.inf)),
    Sample((T,), {"axis": -1, "keepdims": True}),
    Sample((M,), {}, complex=True),
    Sample((T,), {"ord": np.inf, "axis": (0, 1), "keepdims": True}),
    Sample((V,), {"ord": 0}),
]
W3, W4 = A((3,), np.abs), A((4,), np.abs)
Q = np.array([0.1, 0.5, 0.95])
METHODS = (
    "linear", "lower", "higher", "nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf",
    "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased",
    "normal_unbiased",
)  # fmt: skip


def portion(x: np.ndarray) -> np.ndarray:
    """Numbers between 0.3 and 0.45: no place among a few entries is a whole one there."""
    return 0.3 + 0.15 * (np.abs(x) % 1)


def percent(x: np.ndarray) -> np.ndarray:
    return 100 * portion(x)


part = A((), portion)
QUANTILES = [
    (V, 0.3, {}),
    (M, 0.25, {"axis": 0}),
    (M, Q, {"axis": -1}),
    (T, Q, {"axis": (0, 2)}),
    (T, Q.reshape(3, 1), {"axis": 1, "keepdims": True}),
    (M, [0.0, 1.0], {}),
    (M, 0.5, {"keepdims": True}),
]

SAMPLES = {
    np.sum: reductions(True, True) + chosen() + TYPED,
    np.ndarray.sum: methods(True, True) + chosen() + TYPED,
    np.mean: reductions(True) + chosen(initial=False) + TYPED,
    np.ndarray.mean: methods(True) + chosen(initial=False) + TYPED,
    np.add.reduce: reduce_methods(True) + chosen() + TYPED,
    np.var: spreads() + CORRECTED + chosen(initial=False) + TYPED[:1],
    np.std: spreads() + CORRECTED + chosen(initial=False) + TYPED[:1],
    np.ndarray.var: spreads() + chosen(initial=False) + TYPED[:1],
    np.ndarray.std: spreads() + chosen(initial=False) + TYPED[:1],
    np.prod: reductions(True, True) + ZEROS + chosen() + TYPED,
    np.ndarray.prod: methods(True) + ZEROS + chosen() + TYPED,
    np.multiply.reduce: reduce_methods(True) + chosen() + TYPED,
    np.max: reductions() + chosen(only=True),
    np.min: [
        *reductions(),
        Sample((M,), {"initial": N}),
        Sample((M,), {"initial": 9.0, "where": MASK}),
    ],
    np.amax: reductions() + chosen(only=True),
    np.amin: reductions(),
    np.ndarray.max: methods() + chosen(only=True),
    np.ndarray.min: methods(),
    np.ptp: reductions(),
    np.maximum.reduce: reduce_methods() + chosen(only=True),
    np.fmax.reduce: [Sample((M,)), Sample((holes(M),), {"axis": 1})],
    np.fmin.reduce: [Sample((holes(T),), {"axis": (0, 2)})],
    np.minimum.reduce: reduce_methods(),
    np.logaddexp.reduce: reduce_methods(),
    np.nansum: holed(FORMS) + chosen(nan=True),
    np.nanmean: holed(FORMS) + chosen(initial=False, nan=True),
    np.nanprod: holed(FORMS) + chosen(nan=True),
    np.nanmax: holed(FORMS) + chosen(nan=True, only=True),
    np.nanmin: holed(FORMS),
    np.nanvar: spreads(nan=True) + chosen(initial=False, nan=True),
    np.nanstd: spreads(nan=True) + chosen(initial=False, nan=True),
    np.nancumsum: holed(AXES),
    np.nancumprod: holed(AXES),
    np.average: [
        *(Sample((x,), kw, complex=True) for x, kw in FORMS),
        Sample((V,), {"weights": A((5,), np.abs)}),
        Sample((M, 0, W3)),
        Sample((M, -1), {"weights": W4}),
        Sample((M,), {"weights": A((3, 4), np.abs)}),
        Sample((M,), {"weights": [1.0, 2.0, 3.0], "axis": 0}),
        Sample((T, (2, 1)), {"weights": A((4, 3), np.abs), "keepdims": True}),
        Sample((T, (0, 1)), {"weights": A((2, 3), np.abs)}),
    ],
    np.linalg.norm: NORMS,
    builtins.sum: [
        Sample(([A(scalar=True), A(scalar=True)],)),
        Sample(((V, A((5,)), A((1,))), A((5,)))),
        Sample((M,)),
        Sample((V, 2.0)),
        Sample(([A(), V], 1)),
    ],
    math.fsum: [Sample(([A(scalar=True), A(scalar=True), A(scalar=True)],))],
    np.cumsum: RUNNING + TYPED,
    np.ndarray.cumsum: RUNNING,
    np.cumprod: [*RUNNING, *TYPED, Sample((A((4,), with_zeros),))],
    np.ndarray.cumprod: RUNNING,
    np.add.accumulate: [Sample((V,)), Sample((M,)), Sample((T,), {"axis": 1})],
    np.multiply.accumulate: [Sample((V,)), Sample((M,)), Sample((T,), {"axis": -1})],
    np.diff: [
        Sample((V,), complex=True),
        Sample((M,)),
        Sample((M, 2, 0)),
        Sample((T,), {"n": 3, "axis": -1}),
        Sample((V,), {"n": 0}),
        Sample((A((2,)),), {"n": 4}),
        Sample((M,), {"axis": 0}),
    ],
    linear.edge: [Sample((N, np.zeros((2, 3)), 1)), Sample((V, np.zeros(3)))],
    np.ediff1d: [Sample((V,)), Sample((M,))],
    np.trapezoid: [
        Sample((V,)),
        Sample((M,), {"dx": 0.5}),
        Sample((M,), {"axis": 0, "dx": 2.0}),
        Sample((M, np.array([0.0, 1.0, 1.5, 4.0]))),
        Sample((M,), {"x": np.array([0.0, 2.0, 3.0]), "axis": 0}),
        Sample((M,), {"x": np.arange(12.0).reshape(3, 4) ** 1.5, "axis": 0}),
    ],
    np.median: [*reductions()],
    np.sort: [
        Sample((V,)),
        Sample((M,), {"axis": 0}),
        Sample((M,), {"axis": None}),
        Sample((T, 1)),
        Sample((V,), {"kind": "stable"}),
        Sample((E,)),
    ],
    np.partition: [
        Sample((V, 2)),
        Sample((M, 1), {"axis": 0}),
        Sample((M, 5, None)),
        Sample((T, [0, 2])),
    ],
    np.unique: [Sample((V,)), Sample((M,))],
    np.nanmedian: [Sample((holes(M),), {"axis": 1}), Sample((holes(T),), {"axis": (0, 2)})],
    np.quantile: [
        *(Sample((x, q), kw) for x, q, kw in QUANTILES),
        *(Sample((M, part), {"axis": 1, "method": m}) for m in METHODS),
        *(Sample((V, Q), {"method": m}) for m in METHODS),
        Sample((V, part)),
        Sample((M, A((2,), portion)), {"axis": 0, "method": "hazen"}),
        Sample((M, part), {"axis": 0, "keepdims": True}),
    ],
    np.nanquantile: [
        *(Sample((holes(M), 0.3), {"axis": 1, "method": m}) for m in METHODS),
        Sample((holes(T), Q), {"axis": (0, 2)}),
        Sample((holes(M), part), {"axis": 1}),
    ],
    np.nanpercentile: [Sample((holes(M), 30.0), {"axis": 1}), Sample((holes(M), [20.0, 70.0]))],
    linear.along_first: [Sample((A((2,)), np.zeros((2, 3)))), Sample((N, np.zeros(3)))],
    linear.trailing_sum: [Sample((M, np.zeros(3))), Sample((V, 1.0))],
    np.percentile: [
        *(Sample((x, (np.asarray(q) * 100).tolist()), kw) for x, q, kw in QUANTILES),
        Sample((M, A((), percent)), {"axis": 0}),
    ],
    # constants
    np.argsort: [Sample((V,), smooth=False), Sample((M,), {"axis": 0}, smooth=False)],
    np.argmax: [
        Sample((M,), smooth=False),
        Sample((M,), {"axis": 1, "keepdims": True}, smooth=False),
    ],
    np.argmin: [Sample((M,), {"axis": 0}, smooth=False)],
    np.any: [Sample((M,), {"axis": 0}, smooth=False)],
    np.all: [Sample((M,), smooth=False)],
    np.count_nonzero: [Sample((M,), smooth=False), Sample((M,), {"axis": 0}, smooth=False)],
    np.searchsorted: [
        Sample((np.arange(4.0), V), smooth=False),
        Sample((np.arange(4.0), A()), smooth=False),
    ],
    # helpers
    linear.unreduce: [
        Sample((A((3,)), np.zeros((3, 4)), 1), complex=True),
        Sample((A(), np.zeros((3, 4))), complex=True),
        Sample((A((1, 3, 1)), np.zeros((2, 3, 4)), (0, 2), True)),
        Sample((A((3,)), np.zeros((2, 3, 4)), (0, -1))),
        Sample((A(scalar=True), np.zeros((2, 3)))),
        Sample((A((1, 1)), np.zeros((2, 3)), None, True)),
    ],
    linear.one_if_none: [Sample((A((2, 3)),))],
    linear.align: [
        Sample((A((3,)), np.zeros((3, 4)), 0)),
        Sample((A((4, 3)), np.zeros((2, 3, 4)), (2, 1))),
    ],
    linear.unalign: [
        Sample((M, np.zeros(3), 0)),
        Sample((T, np.zeros((4, 3)), (2, 1))),
        Sample((V, np.zeros(5))),
    ],
    linear.total: [Sample(([V, A((5,))], A())), Sample((M,)), Sample(((A(), V), 0))],
    linear.spread: [
        Sample((V, [np.zeros(5), np.zeros(1), 0.0])),
        Sample((A((4,)), np.zeros((3, 4)))),
        Sample((A(), (1.0, 2.0))),
    ],
    linear.rows: [
        Sample((x,), {"axis": axis})
        for x, axis in [(V, 0), (M, None), (M, 0), (T, (2, 0)), (A(), None)]
    ],
    linear.unrows: [
        Sample((A((3, 8)), np.zeros((2, 3, 4)), (2, 0))),
        Sample((A((12,)), np.zeros((3, 4)))),
        Sample((A((4, 3)), np.zeros((3, 4)), 0)),
    ],
    linear.stretch_over: [
        Sample((V, None)),
        Sample((V, np.zeros((2, 1)))),
        Sample((A((2, 1)), 1.0)),
    ],
    linear.others: [
        Sample((V,)),
        Sample((M,)),
        Sample((M,), {"axis": 0}),
        Sample((T,), {"axis": (0, 2)}),
        Sample((A((4,), with_zeros),)),
        Sample((A((2, 3), with_zeros), 1)),
    ],
    linear.before: [Sample((V,)), Sample((M,)), Sample((A((4,), with_zeros),))],
    linear.recur: [Sample((V, A((5,)))), Sample((M, A((3, 4)))), Sample((V, A((5,), with_zeros)))],
    linear.recur_back: [
        Sample((V, A((5,)))),
        Sample((M, A((3, 4)))),
        Sample((V, A((5,), with_zeros))),
    ],
    linear.delay: [Sample((V,)), Sample((T,))],
    linear.advance: [Sample((V,)), Sample((T,))],
    linear.uncumsum: [
        Sample((V, np.zeros(5))),
        Sample((A((12,)), np.zeros((3, 4)))),
        Sample((M, np.zeros((3, 4)), 0)),
    ],
    linear.undiff: [
        Sample((A((4,)), np.zeros(5))),
        Sample((A((1, 4)), np.zeros((3, 4)), 2, 0)),
        Sample((A((0,)), np.zeros(2), 4)),
    ],
    linear.norm_weight: [
        *(Sample((A((), np.abs), V, p), complex=False) for p in (None, 1, 3, 2.5)),
        Sample((A((2, 1, 4), np.abs), T, 3, 1, True)),
        Sample((A((), np.abs), M, "fro")),
    ],
}
