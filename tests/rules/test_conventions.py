"""The table of conventions against what NumPy and SciPy do: which functions read one triangle, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import linalg, optimize, stats

import retrograd as rg
from retrograd.compiler import pipeline
from retrograd.compiler.analyses.conventions import conventions_in
from retrograd.runtime.traits.conventions import CONVENTIONS, named, notes_of
from retrograd.transforms.api import unwrap

RNG = np.random.default_rng(4)
ROOT = RNG.standard_normal((3, 3))
A = ROOT @ ROOT.T + 3 * np.eye(3)
B = A + np.diag([1.0, 2.0, 3.0])
U = RNG.standard_normal(3)
W = RNG.standard_normal((3, 3))

Scalar = Callable[[Any], Any]

FUNCTIONS: dict[str, Scalar] = {
    "numpy.linalg.eigh": lambda a: np.sum(W * np.abs(np.linalg.eigh(a)[1])),
    "numpy.linalg.eigvalsh": lambda a: np.sum(U * np.linalg.eigvalsh(a)),
    "numpy.linalg.cholesky": lambda a: np.sum(W * np.linalg.cholesky(a)),
    "numpy.linalg.pinv": lambda a: np.sum(W * np.linalg.pinv(a, hermitian=True)),
    "scipy.linalg.eigh": lambda a: np.sum(W * np.abs(linalg.eigh(a)[1])),
    "scipy.linalg.eigvalsh": lambda a: np.sum(U * linalg.eigvalsh(B, a)),
    "scipy.linalg.cholesky": lambda a: np.sum(W * linalg.cholesky(a, lower=True)),
    "scipy.linalg.cho_factor": lambda a: np.sum(U * linalg.cho_solve(linalg.cho_factor(a), U)),
    "scipy.linalg.solve": lambda a: np.sum(W[0] * linalg.solve(a, U, assume_a="pos")),
    "scipy.stats.multivariate_normal.logpdf": lambda a: stats.multivariate_normal.logpdf(
        U, np.zeros(3), a
    ),
    "scipy.stats.multivariate_normal.pdf": lambda a: stats.multivariate_normal.pdf(
        U, np.zeros(3), a
    ),
}
OTHERS: list[Scalar] = [
    lambda a: np.sum(W * np.linalg.pinv(a)),
    lambda a: np.sum(W[0] * linalg.solve(a, U)),
    lambda a: np.sum(W[0] * linalg.solve_triangular(a, U)),
    lambda a: np.sum(W * np.linalg.inv(a)),
    lambda a: np.sum(W[0] * np.linalg.solve(a, U)),
    lambda a: np.linalg.det(a) + np.linalg.slogdet(a)[1],
    lambda a: np.sum(U * np.linalg.svd(a)[1]) + np.linalg.norm(a, 2),
    lambda a: np.sum(W * linalg.expm(a / 9)) + np.sum(W * np.real(linalg.sqrtm(a))),
]


def notes(f: Scalar) -> set[str]:
    return {found.note.kind for found in conventions_in([pipeline.lower(f, {}, unwrap)[1]])}


def agrees(f: Scalar, direction: Any) -> bool:
    h = 1e-6
    slope = (f(A + h * direction) - f(A - h * direction)) / (2 * h)
    return bool(np.isclose(np.sum(rg.grad(f)(A) * direction), slope, rtol=1e-5, atol=1e-7))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_reads_one_triangle_has_a_symmetric_derivative(name: str) -> None:
    f = FUNCTIONS[name]
    assert "triangle" in notes(f)
    assert agrees(f, W + W.T)
    assert not agrees(f, W)


def test_every_triangle_is_measured() -> None:
    kinds = {name: {note.kind for note in notes} for name, notes in CONVENTIONS.items()}
    assert {name for name, found in kinds.items() if "triangle" in found} == set(FUNCTIONS)


@pytest.mark.parametrize("f", OTHERS)
def test_what_reads_a_whole_matrix_has_no_such_note(f: Scalar) -> None:
    assert "triangle" not in notes(f)
    assert agrees(f, W)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_every_name_of_the_table_is_one(name: str) -> None:
    assert stats is not None and callable(named(name))


def test_a_note_may_hold_for_some_arguments_only() -> None:
    assert notes_of(linalg.solve, (A, U)) == ()
    assert len(notes_of(linalg.solve, (A, U), {"assume_a": "pos"})) == 1
    unknown = object()
    assert len(notes_of(linalg.solve, (A, U), {"assume_a": unknown})) == 1


def nearest(a: Any) -> Any:
    return np.sum(optimize.minimize(lambda z: np.sum((z - a) ** 4 + z**2), np.zeros(2)).x)


def test_what_stands_for_a_solver_has_its_note() -> None:
    assert notes(nearest) == {"close_value"}


@rg.differentiate
def whitened(a: Any, x: Any) -> Any:
    return np.sum(np.linalg.solve(np.linalg.cholesky(a), x) ** 2)


def test_explain_says_so() -> None:
    found = whitened.explain(A, U)
    assert [(n.name, n.kind) for n in found.notes] == [("cholesky", "triangle")]
    assert "reads one triangle" in str(found)


EQUAL = np.diag([2.0, 2.0, 5.0])
Q = np.linalg.qr(ROOT)[0]


@pytest.mark.parametrize(
    "f",
    [
        lambda a: np.linalg.eigh(a)[1],
        lambda a: np.linalg.eig(a)[1],
        lambda a: np.linalg.svd(a)[0],
        lambda a: linalg.eigh(a)[1],
        lambda a: linalg.svd(a)[2],
    ],
    ids=["eigh", "eig", "svd", "scipy eigh", "scipy svd"],
)
def test_vectors_of_equal_values_have_no_derivative(f: Scalar) -> None:
    assert "degenerate" in notes(f)
    turned = W @ W.T
    _, dot = rg.jvp(f, (EQUAL,), (turned,))
    assert np.isnan(dot).any()
    _, pull = rg.vjp(f, EQUAL)
    assert np.isnan(pull(W)[0]).any()


def values_only(a: Any) -> Any:
    w, _ = np.linalg.eigh(a)
    return np.sum(w**2)


def farthest_vector(a: Any) -> Any:
    return np.sum(W[0] * np.abs(np.linalg.eigh(a)[1][:, -1]))


def test_equal_values_and_the_other_vectors_have_theirs() -> None:
    np.testing.assert_allclose(rg.grad(values_only)(EQUAL), 2 * EQUAL)
    a = Q @ EQUAL @ Q.T
    a = (a + a.T) / 2
    exact = np.diag([2.0, 2.0, 5.0])
    assert np.isfinite(rg.grad(farthest_vector)(exact)).all()
    h, d = 1e-6, W + W.T
    slope = (farthest_vector(a + h * d) - farthest_vector(a - h * d)) / (2 * h)
    assert np.sum(rg.grad(farthest_vector)(a) * d) == pytest.approx(slope, rel=1e-4)


def test_vectors_of_real_matrices_have_no_phase_and_are_checked() -> None:
    def first(a: Any) -> Any:
        return np.sum(np.abs(np.linalg.eigh(a)[1][:, 0]) ** 3)

    for x, held in ((A, False), (A.astype(complex), True)):
        found = rg.differentiate(first).explain(x)
        assert ("phase" in {note.kind for note in found.notes}) == held
        assert any("holds fixed" in line for line in found.unchecked) == held
