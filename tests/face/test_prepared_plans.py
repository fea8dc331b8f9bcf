"""Plans of Jacobians: which calls have one, how many directions they take, and when they are left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.jacobian import few_directions, prepared_plan
from tests.fuzz.structured import differences, flat
from tests.written import namespace

pytest.importorskip("scipy.sparse")
RNG = np.random.default_rng(4)
TEXT = """
def band(x):
    return x[:-2] * x[1:-1] - np.sin(x[2:])

def whole(x, a):
    return np.tanh(a @ x)

def seen(cameras, weights, by):
    c = cameras[by]
    return np.concatenate([c[:, 0] * np.sin(c[:, 1]) * c[:, 2] * c[:, 3] * c[:, 4] * c[:, 5] * weights, weights ** 2])

def seen_and_read(cameras, weights, by):
    c = cameras[by]
    return c[:, 0] * np.sin(c[:, 1]) * c[:, 2] * c[:, 3] * c[:, 4] * c[:, 5] * weights + cameras[0, 0]

def neighbours(cameras, by):
    c = cameras[by]
    return np.sum(c[1:] * c[:-1] ** 2, axis=1)

def roots(x):
    return x[:-1] * np.sqrt(x[1:])

def largest(x):
    return x[np.argsort(x)] ** 2

def counted(x):
    calls.append(1)
    return x[:-1] * x[1:]

def logistic(w, X, y):
    z = X @ w
    return np.sum(np.logaddexp(0, z) - y * z) + 0.5 * np.sum(w ** 2)

def linear(w, X, y):
    return X @ w

def arrow(x):
    return np.sum(x[0] * x[1:] ** 2)
"""
SCOPE = namespace(TEXT, calls=[])


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The sweeps of plans: their kind, and their directions."""
    found: list[tuple[str, int]] = []
    matrices = prepared_plan.Prepared.matrices

    def noted(self: Any, *args: Any) -> Any:
        found.append((self.kind, self.k))
        return matrices(self, *args)

    monkeypatch.setattr(prepared_plan.Prepared, "matrices", noted)
    return found


def test_a_dense_matrix_has_a_plan_when_it_is_asked_for_again(used: list[Any]) -> None:
    f, x = SCOPE["band"], RNG.normal(size=40)
    made = rg.jacobian(f)
    first = made(x)
    made(x)
    assert used == []
    np.testing.assert_array_equal(made(x), first)
    assert used == [("pushes", 3)]
    np.testing.assert_allclose(made(x + 1.0), differences(f, (x + 1.0,), (0,)), atol=1e-7)
    made(RNG.normal(size=50))
    assert len(used) == 2


def test_a_sparse_one_has_it_from_the_second_call_on(used: list[Any]) -> None:
    made, x = rg.jacobian(SCOPE["band"], sparse=True), RNG.normal(size=40)
    first = made(x)
    again = made(x)
    assert used == [("pushes", 3)]
    np.testing.assert_array_equal(first.toarray(), again.toarray())
    again.indices[:], again.indptr[:], again.data[:] = 0, 0, 0.0  # it is the caller's
    np.testing.assert_array_equal(made(x).toarray(), first.toarray())


def test_a_dense_function_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    find = few_directions.found_in_program
    monkeypatch.setattr(
        few_directions, "found_in_program", lambda *args: asked.append(1) or find(*args)
    )
    made = rg.jacobian(SCOPE["whole"])
    for _ in range(5):
        x, a = RNG.normal(size=20), RNG.normal(size=(24, 20))
        np.testing.assert_allclose(made(x, a), (1 - np.tanh(a @ x) ** 2)[:, None] * a, atol=1e-12)
    assert len(asked) == 1


@pytest.mark.parametrize("sparse", [False, True])
def test_entries_that_are_picked_are_inputs(sparse: bool, used: list[Any]) -> None:
    f = SCOPE["seen"]
    made = rg.jacobian(f, (0, 1), sparse=sparse)
    for by in (RNG.integers(0, 4, 20), RNG.integers(-4, 4, 20), np.zeros(20, int)):
        for _ in range(3):
            args = RNG.normal(size=(4, 6)), RNG.normal(size=20), by
            wanted = differences(f, args, (0, 1))
            np.testing.assert_allclose(flat(made(*args), 40), wanted, atol=1e-6)
    assert ("gathered", 2) in used


@pytest.mark.parametrize("name", ["seen_and_read", "neighbours"])
def test_what_is_read_as_a_whole_or_twice_is_no_such_input(name: str, used: list[Any]) -> None:
    f = SCOPE[name]
    own = (RNG.normal(size=20),) if name == "seen_and_read" else ()
    args = RNG.normal(size=(4, 6)), *own, np.tile([0, 0, 1, 2, 3], 4)
    made = rg.jacobian(f, 0, sparse=True)
    for _ in range(3):
        wanted = differences(f, args, (0,))
        np.testing.assert_allclose(made(*args).toarray(), wanted, atol=1e-6)
    assert "gathered" not in dict(used)


def test_what_is_not_finite_is_found_column_by_column(used: list[Any]) -> None:
    f, x = SCOPE["roots"], RNG.uniform(0.5, 1.0, size=30)
    made = rg.jacobian(f)
    for _ in range(3):
        made(x)
    assert len(used) == 1
    x[3] = 0.0
    with np.errstate(all="ignore"):
        found, wanted = made(x), rg.jacobian(f)(x)
    np.testing.assert_array_equal(found, wanted)
    assert np.isposinf(found[2, 3])


def test_a_pattern_that_hangs_on_numbers_has_no_plan(used: list[Any]) -> None:
    made, dense = rg.jacobian(SCOPE["largest"], sparse=True), rg.jacobian(SCOPE["largest"])
    for _ in range(4):
        x = RNG.normal(size=20)
        wanted = np.zeros((20, 20))
        wanted[np.arange(20), np.argsort(x)] = 2 * np.sort(x)
        np.testing.assert_allclose(made(x).toarray(), wanted)
        np.testing.assert_allclose(dense(x), wanted)
    assert used == []


def test_a_function_that_leaves_traces_runs_as_often_as_before() -> None:
    calls, made = SCOPE["calls"], rg.jacobian(SCOPE["counted"])
    counts = []
    for _ in range(4):
        calls.clear()
        made(np.linspace(0.0, 1.0, 30))
        counts.append(len(calls))
    assert len(set(counts)) == 1


@pytest.mark.parametrize("sparse", [False, True])
def test_an_arrow_has_two_directions_and_one_to_check_them(sparse: bool, used: list[Any]) -> None:
    made, x = rg.hessian(SCOPE["arrow"], sparse=sparse), RNG.normal(size=30)
    wanted = np.diag(np.r_[0.0, np.full(29, 2 * x[0])])
    wanted[0, 1:] = wanted[1:, 0] = 2 * x[1:]
    for _ in range(4):
        found = made(x)
        np.testing.assert_allclose(found.toarray() if sparse else found, wanted)
    assert ("pushes", 3) in used


def test_the_hessian_of_a_sum_over_data() -> None:
    w, X, y = RNG.normal(size=5), RNG.normal(size=(40, 5)), RNG.uniform(size=40)
    p = 1 / (1 + np.exp(-(X @ w)))
    for _ in range(2):
        found = rg.hessian(SCOPE["logistic"])(w, X, y)
        np.testing.assert_allclose(found, (X.T * (p * (1 - p))) @ X + np.eye(5), rtol=1e-10)


def test_a_jacobian_that_is_an_argument_is_no_part_of_it() -> None:
    w, X = RNG.normal(size=5), RNG.normal(size=(40, 5))
    found = rg.jacobian(SCOPE["linear"])(w, X, w)
    np.testing.assert_array_equal(found, X)
    assert not np.may_share_memory(found, X)
