"""SciPy takes stacks of matrices: their derivatives are those of each, or are refused, also where the sizes happen to fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import linalg

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation

RNG = np.random.default_rng(3)
A, B = RNG.normal(size=(2, 3, 3)) + 3 * np.eye(3), RNG.normal(size=(2, 3, 2))
CUBE, SQUARES = RNG.normal(size=(3, 3, 3)), RNG.normal(size=(3, 3, 3)) + 4 * np.eye(3)
V, W = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 2))
HEAVY, BANDS = np.array([6.0, 0, 0]), np.array([[0], [6.0], [0]])


def gram(a: Any) -> Any:
    return a @ a.swapaxes(-1, -2) + np.eye(3)


def solved(a: Any, b: Any) -> Any:
    return linalg.cho_solve(linalg.cho_factor(gram(a)), b)


STACKS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "block_diag": (lambda a, b: linalg.block_diag(a, b), (A, B)),
    "block_diag with one matrix": (lambda a, b: linalg.block_diag(a, b, a), (A, W)),
    "block_diag with a row and a number": (lambda a, b, c: linalg.block_diag(b, a, c), (A, V[0], 1.5)),
    "block_diag of grids": (lambda a, b: linalg.block_diag(a, b), (B[:, None], RNG.normal(size=(3, 1, 2)))),
    "khatri_rao": (lambda a, b: linalg.khatri_rao(a, b), (A, CUBE[:2])),
    "khatri_rao with one matrix": (lambda a, b: linalg.khatri_rao(a, b), (W, B)),
    "khatri_rao of two": (lambda a, b: linalg.khatri_rao(a, b), (W, B[0])),
    "cho_solve": (solved, (A, B)),
    "cho_solve of one matrix": (solved, (A[0], B)),
    "eigvalsh_tridiagonal": (lambda d, e: linalg.eigvalsh_tridiagonal(d, e), (V, W.T[:, :2])),
    "eigvalsh_tridiagonal with one row": (lambda d, e: linalg.eigvalsh_tridiagonal(d, e), (V, V[0, :2])),
    "eigvalsh_tridiagonal of one": (lambda d, e: linalg.eigvalsh_tridiagonal(d, e), (V[0], V[1, :2])),
    "eigh_tridiagonal": (lambda d, e: linalg.eigh_tridiagonal(d, e)[1] ** 2, (CUBE[0], CUBE[1, :, :2])),
    "eigh_tridiagonal of one": (lambda d, e: linalg.eigh_tridiagonal(d, e)[1] ** 2, (V[0], V[1, :2])),
    "solve_toeplitz of many": (lambda b: linalg.solve_toeplitz(V[0] + HEAVY, b), (B,)),
    "solve_toeplitz of one": (lambda c, b: linalg.solve_toeplitz(c + HEAVY, b), (V[0], B[0])),
}  # fmt: skip
REFUSED: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "solve_toeplitz": (lambda b: linalg.solve_toeplitz(CUBE[0] + HEAVY, b), (CUBE,)),
    "solve_toeplitz of a pair": (lambda b: linalg.solve_toeplitz((CUBE[0] + HEAVY, CUBE[0] + HEAVY), b), (CUBE,)),
    "solve_toeplitz's column": (lambda c: linalg.solve_toeplitz(c + HEAVY, CUBE[0]), (CUBE[1],)),
    "matmul_toeplitz": (lambda c, b: linalg.matmul_toeplitz(c, b), (CUBE[0], CUBE)),
    "matmul_toeplitz's column": (lambda c: linalg.matmul_toeplitz(c, CUBE), (V[0],)),
    "solve_banded": (lambda b: linalg.solve_banded((1, 1), SQUARES + BANDS, b), (CUBE,)),
    "solve_banded's bands": (lambda a: linalg.solve_banded((1, 1), a + BANDS, CUBE), (SQUARES[0],)),
    "solveh_banded": (lambda a: linalg.solveh_banded(a + BANDS[:2], CUBE), (0.1 * CUBE[:, :2],)),
    "cholesky_banded": (lambda a: linalg.cholesky_banded(a + BANDS[:2]), (0.1 * CUBE[:, :2],)),
}  # fmt: skip


def of_stacks(f: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What SciPy gives; older ones take one matrix."""
    try:
        return f(*args)
    except (ValueError, IndexError) as error:
        pytest.skip(f"this SciPy takes no stacks: {error}")


def slopes(f: Callable[..., Any], args: tuple[Any, ...], k: int) -> Any:
    out = np.zeros(np.shape(args[k]))
    for at in np.ndindex(out.shape):
        step = np.zeros(out.shape)
        step[at] = 1e-5
        ends = (f(*args[:k], args[k] + s, *args[k + 1 :]) for s in (step, -step))
        out[at] = (next(ends) - next(ends)) / 2e-5
    return out


def weighed(f: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any]:
    """A number of what ``f`` gives: no entry weighs as much as another."""
    weights = np.cos(np.arange(np.size(of_stacks(f, args))))

    def loss(*given: Any) -> Any:
        return np.sum(np.ravel(f(*given)) * weights)

    return loss


@pytest.mark.parametrize("name", STACKS)
def test_derivatives_of_each_matrix(name: str) -> None:
    f, args = STACKS[name]
    loss, places = weighed(f, args), tuple(range(len(args)))
    found = rg.grad(loss, wrt=places, strict=True)(*args)
    ways = [np.sin(1.0 + np.arange(np.size(a))).reshape(np.shape(a))[()] for a in args]
    want = [slopes(loss, args, k) for k in places]
    for one, other in zip(found, want, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)
    tangent = rg.jvp(loss, args, ways, strict=True)[1]
    assert tangent == pytest.approx(
        sum(np.sum(w * g) for w, g in zip(ways, want, strict=True)), rel=1e-5
    )
    again = rg.grad(lambda *given: np.sum(rg.grad(loss)(*given) * ways[0]), strict=True)
    ahead = slopes(lambda *given: np.sum(rg.grad(loss)(*given) * ways[0]), args, 0)
    np.testing.assert_allclose(again(*args), ahead, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    f, args = REFUSED[name]
    loss = weighed(f, args)
    with pytest.raises(UnsupportedOperation, match="no derivative for stacks of"):
        rg.grad(loss, wrt=tuple(range(len(args))), strict=True)(*args)
