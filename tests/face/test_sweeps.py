"""Jacobians from one sweep for all directions: equal to those from a sweep for each, and to finite differences."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError
from retrograd.transforms.api import chain_of
from retrograd.transforms.jacobian import batched_products
from retrograd.transforms.jacobian.batched_products import Products, why_one_by_one

X = np.linspace(0.5, 1.5, 6)
A = np.random.default_rng(0).uniform(-1, 1, (4, 6))


def scan(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = y[i - 1] * x[i] + np.sin(x[i])
    return y


def while_small(x):
    y = x
    while np.max(y) < 9.0:
        y = y * y[0] + 1.0
    return y


def branches(x):
    if x[0] > 1.0:
        return x * x[1]
    return np.exp(x) / np.sum(x)


def layers(x):
    h = np.tanh(A @ x)
    return (h[:, None] * A).T @ np.maximum(h, 0.1) + np.outer(h, x).sum(axis=0)


def helper(v, k):
    total = 0.0
    for j in range(k):
        total = total + v**j
    return total


def calls(x):
    return np.stack([helper(x, 3), helper(x, 2) * x.mean()], axis=-1)


def scalars(x):
    return [math.sin(x[0]) * x[1], float(x[2]) ** 2]


def products_of_all(x):
    return np.prod(x) + np.cumsum(x)[::-1] * np.linalg.norm(x) - np.sort(x).reshape(2, 3).T.ravel()


def systems(x):
    matrix = np.eye(6) * 4.0 + np.outer(x, x)
    return np.linalg.solve(matrix, x) + np.einsum("ij,j->i", matrix, x)


def rows_of_lists(x):
    made = []
    for i in range(3):
        made.append(x[i : i + 3] * x[i])
    return np.concatenate(made)


STACK = np.random.default_rng(1).uniform(-1, 1, (3, 2, 2))


def turned(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0], [0, 0, 1.0]])


def chain_of_bones(x):
    """A list of matrices, each made with one of the matrices before it."""
    made = []
    for i, parent in enumerate([-1, 0, 0, 2]):
        turn = turned(x[i])
        made.append(turn if parent == -1 else made[parent] @ turn)
    return np.sum(np.stack(made) @ np.arange(3.0), axis=0) * x[5]


def stacks_of_matrices(x):
    left, right = x.reshape(3, 1, 2), x.reshape(2, 3) * x[0]
    return (left @ STACK @ x[:2])[:, 0] + (STACK @ right).sum(axis=(0, 1)) + (x[:2] @ STACK)[:, 1]


def crossed(x):
    rows = x.reshape(2, 3)
    return np.cross(rows, rows[::-1] * x[0]) + np.cross(rows.T, x[:3], axisa=0)


FUNCTIONS = [
    scan, while_small, branches, layers, calls, scalars, products_of_all, systems, rows_of_lists,
    chain_of_bones, stacks_of_matrices, crossed,
]  # fmt: skip


def one_by_one(monkeypatch: pytest.MonkeyPatch, made: Any) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(batched_products, "swept", lambda *_: None)
        return made()


def flat(tree: Any) -> Any:
    return np.concatenate([np.ravel(leaf) for leaf in batched_products.leaves(tree)])


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_as_one_by_one(monkeypatch: pytest.MonkeyPatch, f: Any, mode: str) -> None:
    jacobian = rg.jacobian(f, mode=mode)
    chain = chain_of(f)
    kind = "pushes" if mode == "forward" else "pulls"
    assert not why_one_by_one(chain, kind, chain.positions(0)[0], [X])
    made = jacobian(X)
    wanted = one_by_one(monkeypatch, lambda: jacobian(X))
    np.testing.assert_allclose(flat(made), flat(wanted), rtol=1e-12, atol=1e-13)
    assert [np.shape(m) for m in batched_products.leaves(made)] == [
        np.shape(w) for w in batched_products.leaves(wanted)
    ]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_finite_differences(f: Any) -> None:
    whole = np.concatenate(
        [np.reshape(part, (-1, 6)) for part in batched_products.leaves(rg.jacobian(f)(X))]
    )
    for j in range(6):
        h = 1e-6 * np.eye(6)[j]
        column = (flat(f(X + h)) - flat(f(X - h))) / 2e-6
        np.testing.assert_allclose(whole[:, j], column, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f is not scalars])
def test_hessians(monkeypatch: pytest.MonkeyPatch, f: Any) -> None:
    def squared(x):
        return np.sum(f(x) ** 2)

    hessian = rg.hessian(squared)
    made, wanted = hessian(X), one_by_one(monkeypatch, lambda: hessian(X))
    np.testing.assert_allclose(made, wanted, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(made, made.T, rtol=1e-9, atol=1e-10)


def affine(params, x):
    return params["w"] @ x + params["b"] * x.sum()


def test_containers_and_several_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    params = {"w": A, "b": 0.5}
    for mode in ("forward", "reverse"):
        jacobian = rg.jacobian(affine, wrt=(1, 0), mode=mode)
        made = jacobian(params, X)
        wanted = one_by_one(monkeypatch, lambda: jacobian(params, X))  # noqa: B023
        np.testing.assert_allclose(flat(made), flat(wanted), rtol=1e-12)
        assert made[1]["w"].shape == (4, 4, 6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtypes(dtype: Any) -> None:
    for mode in ("forward", "reverse"):
        made = rg.jacobian(scan, mode=mode)(X.astype(dtype))
        assert made.dtype == dtype


def test_complex_results() -> None:
    def turned(x):
        return np.exp(1j * x) * x[0]

    made = rg.jacobian(turned)(X)
    wanted = np.diag(1j * np.exp(1j * X) * X[0])
    wanted[:, 0] += np.exp(1j * X)
    np.testing.assert_allclose(made, wanted, rtol=1e-13)


def test_many_directions_come_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rg.jacobian(scan)(X)
    monkeypatch.setattr(batched_products, "ENTRIES", 1)
    x = np.linspace(0.5, 1.5, 21)
    np.testing.assert_array_equal(rg.jacobian(scan)(X), whole)
    assert rg.jacobian(scan)(x).shape == (21, 21)


def fold(x, n):
    return x if n == 0 else fold(x * x[0], n - 1)


def test_recursion_is_done_one_by_one() -> None:
    chain = chain_of(fold)
    why = why_one_by_one(chain, "pushes", chain.positions(0)[0], [X, 2])
    assert "fold" in why
    made = rg.jacobian(fold)(X, 2)
    np.testing.assert_allclose(np.diag(made)[1:], np.full(5, X[0] ** 3), rtol=1e-12)


@pytest.mark.parametrize("f", [layers, chain_of_bones, stacks_of_matrices, crossed])
def test_forms_are_used(f: Any) -> None:
    """What linear algebra can do at once is not called once for each direction."""
    chain = chain_of(f)
    for kind in ("pushes", "pulls"):
        products = Products(chain, [X], chain.positions(0)[0])
        made = products.sweep(kind)
        assert made is not None
        assert "rt.each" not in made.text, made.text


# -- few directions ---------------------------------------------------------------------------------


def on_numbers(x):
    a, b, c = x[0], x[1], x[2]
    for _ in range(3):
        a, b = np.sin(a) * b + c, a * c - b
    return np.array([a * b, b * c])


def on_arrays(x):
    return A[:2] @ np.tanh(x * x)


def test_on_numbers_few_directions_are_taken_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    swept = []
    pull_many = Products.pull_many

    def spied(self: Products, made: Any, seeds: Any) -> Any:
        swept.append(self.chain.name)
        return pull_many(self, made, seeds)

    monkeypatch.setattr(Products, "pull_many", spied)
    for f in (on_numbers, on_arrays):
        wanted = rg.jacobian(f, mode="forward")(X)
        np.testing.assert_allclose(rg.jacobian(f, mode="reverse")(X), wanted, rtol=1e-13)
    assert swept == ["on_arrays"]


def test_how_many_are_few() -> None:
    """Several on numbers, one on arrays; fewer where each computes the values, too."""
    few = {}
    for f in (on_numbers, on_arrays):
        products = Products(chain_of(f), [X], chain_of(f).positions(0)[0])
        few[f] = [made.few for kind in ("pulls", "pushes") if (made := products.sweep(kind))]
    assert few[on_arrays] == [1, 0]
    assert few[on_numbers][0] >= 2 > few[on_arrays][0]


needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


def from_a_branch(x, p):
    y = 0.0
    if x[0] > 5.0:
        y = x[1]
    return np.array([x[0] * x[0] + y**p, x[1] * y**p])


@pytest.mark.parametrize("p", [0.5, 1.5, 2.5])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("backend", ["numpy", pytest.param("c", marks=needs_compiler)])
def test_arithmetic_of_python_that_only_a_derivative_raises(
    backend: str, mode: str, p: float
) -> None:
    """``0.0 ** -0.5`` stands in the sweep's text, times a zero; the function has a value."""
    jacobian = rg.jacobian(from_a_branch, mode=mode, backend=backend)
    np.testing.assert_array_equal(jacobian(np.array([2.0, 3.0]), p), [[4.0, 0.0], [0.0, 0.0]])
    hessian = rg.hessian(lambda x, p: np.sum(from_a_branch(x, p)), backend=backend)
    np.testing.assert_array_equal(hessian(np.array([2.0, 3.0]), p), [[2.0, 0.0], [0.0, 0.0]])


@needs_compiler
def test_a_sweep_that_raises_by_a_bug_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batched_products, "compiled_sweep", lambda made, chain: {}.__getitem__)
    with pytest.raises(InternalError, match="running its sweep failed for `scan`"):
        rg.jacobian(scan, mode="forward", backend="c")(X)


@needs_compiler
def test_kernels_of_sweeps_are_held_against_their_text(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from retrograd.compiler.native import compile as native

    whole = native.compiled

    def wrong(*given: Any) -> Any:
        kernel = whole(*given)
        return lambda *args: kernel(*args) * 1.01

    monkeypatch.setattr(native, "compiled", wrong)
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))  # where nothing was checked yet
    with pytest.raises(rg.GradientMismatch, match="the kernel of backend='c'"):
        rg.jacobian(branches, mode="forward", backend="c")(X)
