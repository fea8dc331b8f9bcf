"""What fails gives NaN in its place; the rest is what NumPy computes, in CuPy's kinds and shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from . import counted

pytestmark = pytest.mark.cupy
DRAW = np.random.default_rng(5)
SQUARE = DRAW.standard_normal((3, 3)) + 3 * np.eye(3)
TALL = DRAW.standard_normal((5, 3))


@pytest.mark.parametrize(
    ("name", "args"),
    [("inv", (SQUARE,)), ("det", (SQUARE,)), ("slogdet", (SQUARE,)), ("solve", (SQUARE, SQUARE[0])), ("solve", (SQUARE, SQUARE)),
     ("cholesky", (SQUARE @ SQUARE.T,)), ("pinv", (TALL,)), ("eigvalsh", (SQUARE + SQUARE.T,)), ("norm", (TALL,)),
     ("matrix_rank", (TALL,)), ("matrix_power", (SQUARE, 3)), ("tensorinv", (DRAW.standard_normal((2, 3, 6)),)),
     ("tensorsolve", (DRAW.standard_normal((6, 2, 3)), np.ones(6))), ("cond", (SQUARE,)), ("trace", (SQUARE,))],
)  # fmt: skip
def test_values(cupy: Any, name: str, args: tuple[Any, ...]) -> None:
    found = getattr(cupy.linalg if hasattr(cupy.linalg, name) else cupy, name)(
        *(cupy.array(one) if np.ndim(one) else one for one in args)
    )
    expected = getattr(np.linalg if hasattr(np.linalg, name) else np, name)(*args)
    for ours, theirs in zip(
        *(one if isinstance(one, tuple) else (one,) for one in (found, expected)), strict=True
    ):
        assert isinstance(ours, cupy.ndarray)
        assert np.allclose(ours.get(), theirs, rtol=1e-10)


@pytest.mark.parametrize("mode", ["reduced", "complete", "r", "raw"])
def test_qr(cupy: Any, mode: str) -> None:
    found, expected = cupy.linalg.qr(cupy.array(TALL), mode), np.linalg.qr(TALL, mode)
    for ours, theirs in zip(
        *(tuple(one) if isinstance(one, tuple) else (one,) for one in (found, expected)),
        strict=True,
    ):
        assert type(found) is type(found) and np.allclose(ours.get(), theirs)


def test_svd_and_eigh_are_plain_tuples(cupy: Any) -> None:
    for found in (
        cupy.linalg.svd(cupy.array(TALL)),
        cupy.linalg.eigh(cupy.array(SQUARE + SQUARE.T)),
        cupy.linalg.slogdet(cupy.array(SQUARE)),
    ):
        assert type(found) is tuple
        with pytest.raises(AttributeError):
            found.U  # noqa: B018


def test_layouts_are_cusolvers(cupy: Any) -> None:
    """As CuPy's sources return them: matrices by columns, stacks in C order."""
    c, f = cupy.array(SQUARE), cupy.asfortranarray(cupy.array(SQUARE))
    tall = cupy.array(TALL)
    by_columns = [
        cupy.linalg.solve(c, c), cupy.linalg.inv(f), *cupy.linalg.qr(tall), cupy.linalg.qr(tall, "r"), cupy.linalg.svd(tall)[0],
        cupy.linalg.svd(tall)[2], cupy.linalg.eigh(c)[1],
    ]  # fmt: skip
    by_rows = [cupy.linalg.inv(c), cupy.linalg.cholesky(cupy.array(SQUARE @ SQUARE.T)), *cupy.linalg.svd(tall.T.copy())[::2],
               cupy.linalg.eig(c)[1], cupy.linalg.solve(cupy.stack([c, c]), cupy.stack([c, c]))]  # fmt: skip
    assert all(one.flags.f_contiguous and not one.flags.c_contiguous for one in by_columns)
    assert all(one.flags.c_contiguous and not one.flags.f_contiguous for one in by_rows)


def test_a_stack_is_one_launch(cupy: Any) -> None:
    stack = cupy.array(np.stack([SQUARE] * 4))
    with counted() as counts:
        cupy.linalg.inv(stack)
    assert counts.launches == {"getrf": 1}


def test_one_failure_of_many(cupy: Any) -> None:
    stack = np.stack([np.eye(2), np.zeros((2, 2)), 2 * np.eye(2)])
    found = cupy.linalg.inv(cupy.array(stack)).get()
    assert (
        np.isnan(found[1]).all()
        and (found[0] == np.eye(2)).all()
        and (found[2] == np.eye(2) / 2).all()
    )
    lower = cupy.linalg.cholesky(cupy.array(np.stack([np.eye(2), -np.eye(2)]))).get()
    assert (lower[0] == np.eye(2)).all() and np.isnan(lower[1]).any()


def test_what_is_not_finite_does_not_raise(cupy: Any) -> None:
    bad = cupy.full((3, 3), np.nan)
    for name in ("svd", "eigh", "eig", "eigvals", "pinv", "qr", "det", "inv"):
        found = getattr(cupy.linalg, name)(bad)
        assert all(
            np.isnan(one.get()).any() for one in (found if isinstance(found, tuple) else (found,))
        ), name


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [(lambda cp: cp.linalg.inv(np.eye(2)), np.linalg.LinAlgError, r"cupy\.linalg only supports cupy\.ndarray"),
     (lambda cp: cp.linalg.inv(cp.ones((2, 3))), np.linalg.LinAlgError, "Last 2 dimensions of the array must be square"),
     (lambda cp: cp.linalg.inv(cp.ones(2)), np.linalg.LinAlgError, "1-dimensional array given"),
     (lambda cp: cp.linalg.inv(cp.eye(2, dtype="e")), TypeError, "float16 is unsupported in linalg"),
     (lambda cp: cp.linalg.solve(cp.eye(2), cp.ones(())), ValueError, "b must have at least one dimension"),
     (lambda cp: cp.linalg.eigh(cp.eye(2), "X"), ValueError, "UPLO argument must be"),
     (lambda cp: cp.linalg.lstsq(cp.ones((2, 2)), cp.ones(3)), np.linalg.LinAlgError, "Incompatible dimensions")],
)  # fmt: skip
def test_refusals(cupy: Any, call: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        call(cupy)


def test_lstsq_asks_for_the_rank(cupy: Any) -> None:
    with counted() as counts:
        x, residuals, rank, values = cupy.linalg.lstsq(cupy.ones((4, 2)), cupy.ones(4))
    assert counts.transfers == {"bool": 1} and residuals.shape == (0,)
    assert rank.item() == 1 and values.shape == (2,) and np.allclose(x.get(), 0.5)


def test_triangular_solves_do_not_raise(cupy: Any) -> None:
    pytest.importorskip("scipy")
    import cupyx.scipy.linalg

    found = cupyx.scipy.linalg.solve_triangular(cupy.zeros((2, 2)), cupy.ones(2))
    assert np.isinf(found.get()).all()
    upper = cupyx.scipy.linalg.solve_triangular(
        cupy.array([[2.0, 1.0], [0.0, 4.0]]), cupy.array([4.0, 4.0])
    )
    assert upper.tolist() == [1.5, 1.0]
