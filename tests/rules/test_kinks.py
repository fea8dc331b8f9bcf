"""Derivatives where a function has none: the choices, which are PyTorch's but for the exceptions.

Each exception says why: NumPy's own function differs from PyTorch's, or there is a right limit
where PyTorch returns nan.
"""

from __future__ import annotations

import operator

import numpy as np
import pytest

from retrograd.runtime.helpers import linear
from retrograd.runtime.rules.scipy import registry

from .harness import Case, Compiled, pull
from .kink import Kink, at
from .sample import Sample

NAN, INF = np.nan, np.inf
ONES, EYE = np.ones((2, 2)), np.eye(2)
RANK_ONE = np.array([[1.0, 2.0], [2.0, 4.0]])
PAIR = [0.0, 0.0]
KINKS = [
    Kink("abs(0)", np.abs, (at(0.0),), (0.0,)),
    Kink("abs(0j)", np.abs, (at(0j),), (0j,)),
    Kink("abs(3+4j)", np.abs, (at(3 + 4j),), (0.6 + 0.8j,)),
    Kink("sqrt(0)", np.sqrt, (at(0.0),), (INF,)),
    Kink("cbrt(0)", np.cbrt, (at(0.0),), (INF,)),
    Kink("norm(0)", np.linalg.norm, (at(PAIR),), (PAIR,)),
    Kink("norm ord=1 at [0,1]", np.linalg.norm, (at([0.0, 1.0]),), ([0.0, 1.0],), {"ord": 1}),
    Kink("norm ord=3 at [0,1]", np.linalg.norm, (at([0.0, 1.0]),), ([0.0, 1.0],), {"ord": 3}),
    Kink("norm inf tie", np.linalg.norm, (at([1.0, -1.0]),), ([0.5, -0.5],), {"ord": INF}),
    Kink("vector_norm(0)", np.linalg.vector_norm, (at(PAIR),), (PAIR,)),
    Kink("matrix norm 2 of identity", linear.spectral_norm, (at(EYE),), (EYE / 2,), {"ord": 2}),
    Kink("nuclear norm of identity", linear.spectral_norm, (at(EYE),), (EYE,), {"ord": "nuc"}),
    Kink("nuclear norm of zeros", linear.spectral_norm, (at(0 * EYE),), (EYE,), {"ord": "nuc"}),
    Kink("hypot(0,0)", np.hypot, (at(0.0), at(0.0)), (0.0, 0.0), why="like norm(0), not nan"),
    Kink("arctan2(0,0)", np.arctan2, (at(0.0), at(0.0)), (0.0, 0.0)),
    Kink("maximum tie", np.maximum, (at(2.0), at(2.0)), (0.5, 0.5)),
    Kink("minimum tie", np.minimum, (at(2.0), at(2.0)), (0.5, 0.5)),
    Kink("maximum(x,0) at 0", np.maximum, (at(0.0), 0.0), (0.5,)),
    Kink("maximum(nan,1)", np.maximum, (at(NAN), at(1.0)), (1.0, 1.0)),
    Kink("fmax(nan,1)", np.fmax, (at(NAN), at(1.0)), (0.0, 1.0)),
    Kink("fmin(1,nan)", np.fmin, (at(1.0), at(NAN)), (1.0, 0.0)),
    Kink("max() tie", np.max, (at([2.0, 2.0, 1.0]),), ([0.5, 0.5, 0.0],)),
    Kink(
        "max(axis) tie", np.max, (at([2.0, 2.0, 1.0]),), ([0.5, 0.5, 0.0],), {"axis": 0},
        why="the same as without axis: NumPy returns no index that would choose",
    ),
    Kink(
        "median even", np.median, (at([1.0, 2.0, 3.0, 4.0]),), ([0.0, 0.5, 0.5, 0.0],),
        why="NumPy's median is the mean of the middle two, PyTorch's the lower one",
    ),
    Kink("quantile .5 even", np.quantile, (at([1.0, 2.0, 3.0, 4.0]), 0.5), ([0.0, 0.5, 0.5, 0.0],)),
    Kink("median tie", np.median, (at([1.0, 2.0, 2.0, 3.0]),), ([0.0, 0.5, 0.5, 0.0],)),
    Kink("sort tie", np.sort, (at([1.0, 1.0]),), ([1.0, 2.0],), cotangent=np.array([1.0, 2.0])),
    Kink(
        "running maximum, tie", np.maximum.accumulate, (at([1.0, 3.0, 3.0, 2.0]),),
        ([1.0, 1.0, 2.0, 0.0],), cotangent=np.ones(4),
    ),
    Kink("interp at a point", np.interp, (at(1.0), np.arange(3.0), np.array([0.0, 1.0, 4.0])), (3.0,)),
    Kink("interp outside", np.interp, (at(9.0), np.arange(3.0), np.array([0.0, 1.0, 4.0])), (0.0,)),
    Kink("max(initial), tie", np.max, (at([2.0, 1.0]),), ([0.5, 0.0],), {"initial": 2.0}),
    Kink("clip at its bounds", np.clip, (at([-1.0, 1.0]), -1.0, 1.0), ([1.0, 1.0],)),
    Kink("x**2 at 0", operator.pow, (at(0.0), 2), (0.0,)),
    Kink("x**0 at 0", operator.pow, (at(0.0), 0), (0.0,)),
    Kink("x**1.0 at 0", operator.pow, (at(0.0), 1.0), (1.0,)),
    Kink("x**y at (0,0)", operator.pow, (at(0.0), at(0.0)), (0.0, 0.0)),
    Kink("x**y at (0,2)", operator.pow, (at(0.0), at(2.0)), (0.0, 0.0)),
    Kink("x**y at (-2,3)", operator.pow, (at(-2.0), at(3.0)), (12.0, NAN)),
    Kink("sinc(0)", np.sinc, (at(0.0),), (0.0,)),
    Kink("std of constants", np.std, (at([3.0, 3.0]),), (PAIR,)),
    Kink("prod, one zero", np.prod, (at([0.0, 2.0, 3.0]),), ([6.0, 0.0, 0.0],)),
    Kink("prod, two zeros", np.prod, (at([0.0, 0.0, 3.0]),), ([0.0, 0.0, 0.0],)),
    Kink("cumprod, a zero", np.cumprod, (at([2.0, 0.0, 3.0]),), ([1.0, 8.0, 0.0],)),
    Kink("tanh(400)", np.tanh, (at(400.0),), (0.0,)),
    Kink("mod(3,1)", np.mod, (at(3.0), at(1.0)), (1.0, -3.0)),
    Kink("fmod(-3.5,2)", np.fmod, (at(-3.5), at(2.0)), (1.0, 1.0)),
    Kink("sign(0)", np.sign, (at(0.0),), (0.0,)),
    Kink("arcsin(1)", np.arcsin, (at(1.0),), (INF,)),
    Kink("arccos(1)", np.arccos, (at(1.0),), (-INF,)),
    Kink("arccosh(1)", np.arccosh, (at(1.0),), (INF,)),
    Kink(
        "det of rank one, 2x2", np.linalg.det, (at(RANK_ONE),), ([[4.0, -2.0], [-2.0, 1.0]],),
        why="the cofactors are the gradient of a singular matrix too",
    ),
    Kink("det of rank one, 3x3", np.linalg.det, (at(np.ones((3, 3))),), (np.zeros((3, 3)),)),
    Kink("eigvalsh of identity", np.linalg.eigvalsh, (at(EYE),), (EYE,)),
    Kink(
        "eigvalsh**2 of identity", np.linalg.eigvalsh, (at(EYE),), (2 * EYE,),
        cotangent=np.array([2.0, 2.0]),
    ),
    Kink("eigvals of identity", np.linalg.eigvals, (at(EYE),), (EYE,)),
    Kink("svdvals of identity", np.linalg.svdvals, (at(EYE),), (EYE,)),
    Kink("angle(0)", np.angle, (at(0j),), (0j,)),
    Kink("angle(-1.0)", np.angle, (at(-1.0),), (0.0,)),
    Kink("x[[0,0]]", operator.getitem, (at([5.0, 6.0]), np.array([0, 0])), ([2.0, 0.0],)),
    Kink("z**2 at 1+2j", np.square, (at(1 + 2j),), (2 - 4j,), cotangent=1 + 0j),
    Kink("imag at 1+2j", np.imag, (at(1 + 2j),), (1j,)),
    Kink(
        "logaddexp(-inf,-inf)", np.logaddexp, (at(-INF), at(-INF)), (0.5, 0.5),
        why="a tie shares, as at every other point of the diagonal",
    ),
    Kink("logaddexp(0,-inf)", np.logaddexp, (at(0.0), at(-INF)), (1.0, 0.0)),
]  # fmt: skip

if registry.loaded:
    from .kinks_scipy import KINKS as OF_SCIPY

    KINKS += OF_SCIPY


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "untyped"])
@pytest.mark.parametrize("kink", KINKS, ids=lambda kink: kink.where)
def test_kink(kink: Kink, typed: bool) -> None:
    if not typed and any(isinstance(g, complex) for g in kink.gradients):
        pytest.skip("complex values need their kind")
    with np.errstate(all="ignore"):
        case = Case.of(kink.operation, Sample(kink.args, kink.kwargs), typed)
        assert case is not None
        c = np.broadcast_to(kink.cotangent, np.shape(case.expected[0]))
        bars = Compiled(pull(case.function, case.wrt))(*case.values, c.copy() if c.ndim else c[()])
    for bar, wanted in zip(bars, kink.gradients, strict=True):
        np.testing.assert_allclose(bar, wanted, rtol=1e-12, atol=1e-12)


def test_vectors_of_equal_eigenvalues_do_not_turn() -> None:
    """There is no derivative: nan, as PyTorch says."""
    case = Case.of(np.linalg.eigh, Sample((at(EYE),)), True)
    assert case is not None
    (bar,) = Compiled(pull(case.function, case.wrt))(*case.values, np.zeros(2), ONES)
    assert np.all(np.isnan(bar))


def test_gradient_of_cholesky_is_symmetric() -> None:
    case = Case.of(np.linalg.cholesky, Sample((at([[2.0, 0.3], [0.3, 1.0]]),)), True)
    assert case is not None
    (bar,) = Compiled(pull(case.function, case.wrt))(*case.values, ONES)
    np.testing.assert_allclose(bar, bar.T)
