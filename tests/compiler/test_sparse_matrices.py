"""Sparse matrices that are made of what is differentiated: assembled, added, multiplied, solved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import linalg

import retrograd as rg

ROW, COL = (
    np.array([0, 1, 2, 0, 1, 2, 0]),
    np.array([0, 1, 2, 1, 2, 0, 0]),
)  # one place is given twice
B = np.array([1.0, -2.0, 3.0])
X = np.array([3.0, 4.0, 5.0, 0.3, 0.7, 0.2, 0.1])
SHIFT = sparse.eye(3).tocsr()
MAKERS = {
    "csr_matrix": sparse.csr_matrix, "csc_matrix": sparse.csc_matrix, "coo_matrix": sparse.coo_matrix,
    "csr_array": sparse.csr_array, "csc_array": sparse.csc_array, "coo_array": sparse.coo_array,
}  # fmt: skip


def solved(x, make):
    a = make((x, (ROW, COL)), shape=(3, 3))
    return np.sum(linalg.spsolve(a.tocsc(), B) ** 2) + np.sum(linalg.spsolve(a.tocsc(), x[:3]))


def several_right_hand_sides(x, make):
    a = make((x, (ROW, COL))).tocsc()
    return np.sum(linalg.spsolve(a, np.outer(B, x[:2])) ** 2)


def stiffness(x, make):
    """Elements that are put together, and held at one end."""
    k = np.concatenate((x, x, -x, -x))
    left, right = np.arange(7), np.arange(1, 8)
    row = np.concatenate((left, right, left, right))
    col = np.concatenate((left, right, right, left))
    whole = make((k, (row, col)), shape=(8, 8)) + sparse.csr_matrix(
        ([10.0], ([0], [0])), shape=(8, 8)
    )
    u = linalg.spsolve(whole.tocsc(), np.arange(8.0))
    return u @ np.arange(8.0)


def arithmetic(x, make):
    a = make((x, (ROW, COL)), shape=(3, 3))
    total = (2.0 * a - a.T / 3.0 + SHIFT * 1.5) @ B + (-a) @ x[:3] + B @ a + a.dot(x[1:4])
    return np.sum(total * x[:3])


def parts(x, make):
    a = make((x, (ROW, COL)), shape=(3, 3)).copy()
    return (
        np.sum(a.diagonal() ** 2)
        + a.sum() * a.trace()
        + np.sum(a.toarray() ** 3)
        + a.shape[0] * a.ndim
    )


PROGRAMS = [solved, several_right_hand_sides, stiffness, arithmetic, parts]


def slope(f: Any) -> np.ndarray:
    return np.array([(f(X + s) - f(X - s)) / 2e-6 for s in 1e-6 * np.eye(X.size)])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(program: Any, made: str) -> None:
    def f(x: Any) -> Any:
        return program(x, MAKERS[made])

    np.testing.assert_allclose(rg.grad(f, strict=True)(X), slope(f), rtol=1e-6, atol=1e-7)
    if made == "csc_matrix":
        rg.check_grads(f, (X,), order=2)


def test_a_product_of_matrices_and_one_of_entries() -> None:
    def by_star(x: Any) -> Any:
        return np.sum((sparse.csr_matrix((x, (ROW, COL)), shape=(3, 3)) * B) ** 2)

    np.testing.assert_allclose(rg.grad(by_star, strict=True)(X), slope(by_star), rtol=1e-6)
    for wrong in (
        lambda x: np.sum((sparse.csr_array((x, (ROW, COL)), shape=(3, 3)) * B).toarray()),
        lambda x: np.sum(sparse.csr_matrix((x, (ROW, COL)), shape=(3, 3)) + np.ones((3, 3))),
    ):
        with pytest.raises(rg.RetrogradError):
            rg.grad(wrong)(X)


def test_shapes_are_scipys() -> None:
    """A column is solved as a vector; what has no solution is told."""

    def column(x: Any) -> Any:
        return linalg.spsolve(sparse.csc_matrix((x, (ROW, COL)), shape=(3, 3)), B[:, None])

    value, _ = rg.vjp(column, X)
    assert np.shape(value) == np.shape(column(X)) == (3,)
    with pytest.raises(rg.RetrogradError, match="singular"):
        rg.grad(lambda x: np.sum(column(0.0 * x)))(X)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtypes_are_scipys(dtype: Any) -> None:
    x = X.astype(dtype)
    for f in (
        lambda x: linalg.spsolve(sparse.csc_matrix((x, (ROW, COL)), shape=(3, 3)), B.astype(dtype)),
        lambda x: sparse.diags(x).toarray(),
        lambda x: sparse.csr_array((x, (ROW, COL))) @ x[:3],
    ):
        value, pull = rg.vjp(f, x)
        assert value.dtype == f(x).dtype == dtype
        assert pull(np.ones_like(value))[0].dtype == dtype


def test_empty_rows_read_only_and_complex() -> None:
    y = X.copy()
    y.flags.writeable = False
    views = np.stack((X, X))[0]
    for x in (y, views):
        np.testing.assert_allclose(
            rg.grad(
                lambda x: np.sum(sparse.csr_matrix((x, (ROW, COL)), shape=(5, 4)).toarray() ** 2)
            )(x),
            rg.grad(
                lambda x: np.sum(sparse.csr_matrix((x, (ROW, COL)), shape=(5, 4)).toarray() ** 2)
            )(X),
        )
    none = np.zeros(0, int)
    assert rg.grad(lambda x: np.sum(sparse.csr_matrix((x, (none, none)), shape=(2, 2)).toarray()))(
        np.zeros(0)
    ).shape == (0,)
    rg.check_grads(
        lambda x: np.sum(np.abs(sparse.csc_matrix((x * 1j, (ROW, COL)), shape=(3, 3)) @ B) ** 2),
        (X,),
    )


def test_numbers_on_diagonals() -> None:
    def laplace(k: Any) -> Any:
        a = sparse.diags([-k, 2.0 * k + 1.0, -k], [-1, 0, 1], shape=(5, 5), format="csc")
        return np.sum(linalg.spsolve(a, np.arange(5.0)) ** 2)

    expected = (laplace(0.7 + 1e-6) - laplace(0.7 - 1e-6)) / 2e-6
    np.testing.assert_allclose(rg.grad(laplace, strict=True)(0.7), expected, rtol=1e-6)
    with pytest.raises(rg.RetrogradError):
        rg.grad(lambda x: np.sum(sparse.diags([x, x], [0, 1]).toarray()))(X)


def test_diagonals() -> None:
    def banded(x: Any) -> Any:
        a = sparse.diags([x, x[:6], x[1:]], [0, 1, -1], format="csc")
        return np.sum(linalg.spsolve(a + 2.0 * sparse.diags(np.ones(7)), np.ones(7)) ** 2)

    def alone(x: Any) -> Any:
        return np.sum(sparse.diags(x) @ np.arange(7.0)) + np.sum(
            sparse.diags(x[:2], 1).toarray() ** 2
        )

    for f in (banded, alone):
        np.testing.assert_allclose(rg.grad(f, strict=True)(X), slope(f), rtol=1e-6, atol=1e-7)


def test_a_constant_matrix_stays_scipys() -> None:
    def f(x: Any) -> Any:
        a = sparse.diags(np.ones(3) * 3.0).tocsc()
        return np.sum(linalg.spsolve(a, x[:3]) ** 2)

    np.testing.assert_allclose(rg.grad(f, strict=True)(X), slope(f), rtol=1e-6, atol=1e-9)
