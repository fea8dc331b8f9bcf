"""Sparse Jacobians and Hessians: equal to the dense ones, in as few directions as they should need."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import retrograd as rg
from retrograd.compiler.analyses.sparsity import operation_patterns
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch
from retrograd.transforms.api import chain_of, grad
from retrograd.transforms.jacobian.batched_products import Products
from retrograd.transforms.jacobian.sparse_recovery import both_ways, plan_of
from retrograd.transforms.jacobian.sparsity_pattern import found_in_program
from tests.written import namespace

sparse = pytest.importorskip("scipy.sparse")
X = np.linspace(0.5, 1.5, 36)


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation_patterns, "STRICT", True)


def colours(f: Any, *args: Any, hessian: bool = False) -> int:
    """The directions that a sparse derivative takes."""
    chain = chain_of(grad(f) if hessian else f)
    products = Products(chain, list(args), chain.positions(0)[0])
    pattern = found_in_program(products).pattern
    pattern = both_ways(pattern) if hessian else pattern
    return plan_of(pattern, "forward" if hessian else None, hessian).count


def check(f: Any, *args: Any, hessian: bool = False, exact: bool = True, **options: Any) -> Any:
    transform = rg.hessian if hessian else rg.jacobian
    made = transform(f, sparse=True, **options)(*args)
    dense = np.asarray(transform(f)(*args)).reshape(made.shape)
    assert isinstance(made, sparse.csr_array)
    np.testing.assert_allclose(made.toarray(), dense, rtol=1e-12, atol=1e-13)
    if exact:
        assert made.nnz == np.count_nonzero(dense)
    return made


def tridiagonal(x):
    return x[:-2] * x[1:-1] ** 2 - np.exp(x[2:])


def written(x):
    y = np.zeros(x.shape[0])
    y[1:-1] = x[:-2] * x[1:-1] * x[2:]
    y[0] = x[0] * x[1]
    y[-1] = x[-1] ** 2 * x[-2]
    return y


def in_a_loop(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] * x[i] - np.sin(x[i + 1])
    return y


def collected(x):
    rows = []
    for i in range(len(x) - 1):
        rows.append(x[i] * math_of(x[i + 1]))
    return np.array(rows)


def math_of(v):
    return np.tanh(v) * v


def arrow(x):
    return x * x[0] + x**2


def first_row(x):
    return np.concatenate([np.array([np.sum(x**2)]), x[1:] ** 3])


def laplace(u):
    grid = np.pad(u.reshape(6, 6), 1)
    around = grid[2:, 1:-1] + grid[:-2, 1:-1] + grid[1:-1, 2:] + grid[1:-1, :-2]
    return (around - 4 * grid[1:-1, 1:-1] + grid[1:-1, 1:-1] ** 3).ravel()


def runge_kutta(u):
    k1 = periodic(u)
    return u + 0.1 * periodic(u + 0.05 * k1)


def periodic(u):
    return u * (np.roll(u, 1) - np.roll(u, -1))


@pytest.mark.parametrize(
    ("f", "wanted"),
    [
        (tridiagonal, 3), (written, 3), (in_a_loop, 3), (collected, 2), (arrow, 2), (first_row, 2),
        (runge_kutta, 6),
    ],
)  # fmt: skip
def test_jacobian(f: Any, wanted: int) -> None:
    check(f, X)
    assert colours(f, X) == wanted


def test_laplace_takes_few() -> None:
    check(laplace, X)
    assert 5 <= colours(laplace, X) <= 7


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def quartic(x):
    return np.sum((x[2:] - x[1:-1] * x[:-2]) ** 4)


def hub(x):
    return np.sum(x[0] * x[1:] ** 2)


def separable(x):
    return np.sum(np.log(x) * x)


def chain_in_a_loop(x):
    total = 0.0
    for i in range(len(x) - 1):
        total += x[i] ** 2 * x[i + 1]
    return total


@pytest.mark.parametrize(
    ("f", "wanted"), [(rosenbrock, 3), (quartic, 5), (hub, 2), (separable, 1), (chain_in_a_loop, 3)]
)
def test_hessian(f: Any, wanted: int) -> None:
    made = check(f, X, hessian=True, exact=f is not chain_in_a_loop)
    assert abs(made - made.T).max() < 1e-14
    assert colours(f, X, hessian=True) == wanted


# -- gathers and matrices ----------------------------------------------------------------


def residuals(params, cameras, points):
    """Two numbers per observation, of the camera and the point that it is of."""
    views, places = params[:12].reshape(4, 3), params[12:].reshape(-1, 3)
    seen = places[points] - views[cameras]
    return (seen[:, :2] / seen[:, 2:]).ravel()


def test_bundle_adjustment() -> None:
    rng = np.random.default_rng(0)
    cameras, points = rng.integers(0, 4, 30), np.arange(30) % 8
    params = np.concatenate([rng.uniform(-1, 1, 12), rng.uniform(3, 5, 24)])
    made = check(residuals, params, cameras, points, exact=False)
    assert made.nnz == 60 * 4  # one coordinate and the depth, of a camera and of a point
    assert colours(residuals, params, cameras, points) < 36
    check(
        residuals, params, cameras[::-1].copy(), points, exact=False
    )  # other indices, other pattern


DIFFERENCES = np.diff(np.eye(36), axis=0)


def with_matrix(x):
    return np.tanh(DIFFERENCES @ x)


def from_the_left(x):
    return x @ DIFFERENCES.T


def with_argument(x, matrix):
    return matrix @ x**2


def test_zeros_of_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    check(with_matrix, X)
    check(from_the_left, X)
    assert colours(with_matrix, X) == 2
    changed = DIFFERENCES.copy()
    monkeypatch.setattr(sys.modules[__name__], "DIFFERENCES", changed)
    check(with_matrix, X)
    changed[0, 20] = 5.0  # in place: the object is the same, the pattern another
    check(with_matrix, X)
    for seed in range(3):
        matrix = np.random.default_rng(seed).uniform(size=(7, 36))
        check(with_argument, X, np.where(matrix > 0.9, matrix, 0.0))


def test_sparse_matrix_in_the_function() -> None:
    matrix = sparse.csr_array(DIFFERENCES)

    def f(x):
        return np.sin(matrix @ x)

    check(f, X)
    assert colours(f, X) == 2


# -- what may change the pattern ---------------------------------------------------------


def branching(x):
    if x[0] > 1:
        return x * x[1]
    return x**2


def chosen_places(x):
    return x[np.argsort(x)] ** 2


def as_often(x, n):
    y = x
    for _ in range(n):
        y = np.concatenate([y[:1], y[1:] * y[:-1]])
    return y


def test_pattern_is_that_of_the_call() -> None:
    check(branching, X)
    check(branching, X + 1)
    check(branching, X)
    for seed in range(3):
        check(chosen_places, np.random.default_rng(seed).permutation(X))
    for n in (1, 3, 2):
        check(as_often, X, n)


def test_pattern_is_kept_where_it_can_be() -> None:
    rg.jacobian(branching, sparse=True)(X)
    assert not chain_of(branching).made["patterns"]
    for scale in (1.0, 2.0):
        rg.jacobian(tridiagonal, sparse=True)(scale * X)
    assert len(chain_of(tridiagonal).made["patterns"]) == 1


@pytest.mark.parametrize(
    "f", [lambda x: -x * x, lambda x: +x, lambda x: abs(x) * x], ids=["minus", "plus", "abs"]
)
def test_signs_are_taken_entry_by_entry(f: Any) -> None:
    assert check(f, X).nnz == X.size


def test_where_is_the_union() -> None:
    def f(x):
        return np.where(x > 1, x, x[::-1])

    made = check(f, X, exact=False)
    assert made.nnz == 72


# -- containers, modes, options ------------------------------------------------------------


def test_containers() -> None:
    def f(params):
        return {"a": params["w"][1:] * params["w"][:-1], "b": params["w"] * params["b"]}

    params = {"w": X, "b": 2.0}
    made, dense = rg.jacobian(f, sparse=True)(params), rg.jacobian(f)(params)
    for out in made:
        for name in params:
            rows = made[out][name].shape[0]
            np.testing.assert_allclose(
                made[out][name].toarray(), dense[out][name].reshape(rows, -1)
            )


@pytest.mark.parametrize("mode", ["forward", "reverse", None])
def test_modes(mode: Any) -> None:
    for f in (arrow, first_row, tridiagonal):
        check(f, X, mode=mode)


def test_probe_and_given() -> None:
    check(tridiagonal, X, pattern="probe")
    check(rosenbrock, X, hessian=True, pattern="probe")
    pattern = rg.jacobian(tridiagonal, sparse=True)(X)
    check(tridiagonal, X, pattern=pattern)
    check(tridiagonal, X, pattern=pattern.toarray() != 0)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_missing_entry_is_named(mode: str) -> None:
    pattern = rg.jacobian(tridiagonal, sparse=True)(X).tolil()
    pattern[7, 8] = 0
    with pytest.raises(rg.GradientMismatch, match=r"\(7, 8\)"):
        rg.jacobian(tridiagonal, sparse=True, pattern=pattern, mode=mode)(X)
    unchecked = rg.jacobian(tridiagonal, sparse=True, pattern=pattern, mode=mode, check=False)
    assert unchecked(X).shape == (34, 36)


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SignatureMismatch, match="sparse=True"):
        rg.jacobian(arrow, pattern="probe")
    with pytest.raises(SignatureMismatch, match="probe"):
        rg.jacobian(arrow, sparse=True, pattern="guess")(X)
    with pytest.raises(SignatureMismatch, match="shape"):
        rg.jacobian(arrow, sparse=True, pattern=np.eye(3))(X)
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(NotDifferentiable, match="SciPy"):
        rg.jacobian(arrow, sparse=True)(X)


@rg.custom_gradient
def odd(x):
    return np.sum(x**2)


@odd.vjp
def odd_vjp(c, z, x):
    return c * np.concatenate([x[1:] ** 2, x[:1]])


def through_odd(x):
    return odd(x)


def test_hessian_that_is_not_symmetric() -> None:
    """A gradient of the user's own need not be one: then columns are coloured."""
    check(through_odd, X, hessian=True, exact=False)


def square(x):
    return x**2


def total_cube(x):
    return np.sum(x**3)


def between(x):
    return np.interp(x, np.linspace(0.0, 2.0, 5), np.linspace(0.0, 2.0, 5) ** 2)


def test_numbers_and_nothing() -> None:
    assert rg.jacobian(square, sparse=True)(3.0).toarray() == [[6.0]]
    assert rg.jacobian(square, sparse=True)(X[:0]).shape == (0, 0)
    assert rg.hessian(total_cube, sparse=True)(X[:0]).shape == (0, 0)
    assert rg.jacobian(square)(X[:0]).shape == (0, 0)
    assert rg.jacobian(square, sparse=True)(X.astype(np.float32)).dtype == np.float32
    half = rg.jacobian(square, sparse=True)(X.astype(np.float16))
    np.testing.assert_array_equal(half.diagonal(), 2 * X.astype(np.float16))
    assert rg.hessian(lambda x: np.mean(x * x), sparse=True)(X[:0]).shape == (0, 0)
    check(between, X)


def first_small(x):
    for i in range(len(x)):
        if x[i] < 1.0:
            return x[i] ** 2
    return np.sum(x)


def test_equal_rows_of_other_lengths() -> None:
    for n in (4, 6, 3):
        check(first_small, np.array([2.0, 0.5, 1.5, 3.0, 0.5, 0.5])[:n])


# -- random programs ------------------------------------------------------------------------

LINES = {
    "shift": lambda rng: f"x = x * np.roll(x, {rng.integers(1, 4)})",
    "stride": lambda rng: "x = np.concatenate([x[::2] ** 2, np.sin(x[1::2])])",
    "gather": lambda rng: f"x = x[np.array({rng.integers(0, 6, 6).tolist()})] * 2.0",
    "outer": lambda rng: "x = (x[:2, None] * x[None, 2:5]).ravel()",
    "sum": lambda rng: f"x = x * np.sum(x[:{rng.integers(1, 4)}])",
    "matrix": lambda rng: f"x = np.array({rng.integers(0, 2, (6, 6)).tolist()}) @ x",
    "where": lambda rng: "x = np.where(x > 1.0, x, np.flip(x))",
    "cumsum": lambda rng: "x = np.cumsum(x) / 6",
    "write": lambda rng: "y = x.copy(); y[1:] = y[1:] * x[:-1]; x = y",
    "twice": lambda rng: f"y = x * 1.0; y[np.array({rng.integers(0, 6, 3).tolist()})] *= x[:3]; x = y",
    "loop": lambda rng: f"for i in range({rng.integers(1, 4)}): x = x * np.sin(x[i])",
    "branch": lambda rng: f"x = x * x[0] if x[{rng.integers(0, 6)}] > 1.0 else x + np.diff(x, append=1.0)",
    "reduce": lambda rng: "x = x - np.mean(x.reshape(2, 3), axis=0).repeat(2)",
    "pairs": lambda rng: "x = np.stack([x, x[::-1]], axis=1).max(axis=1)",
}  # fmt: skip
KINDS = st.lists(st.sampled_from(sorted(LINES)), min_size=1, max_size=4)


def program(kinds: list[str], rng: np.random.Generator) -> Any:
    """A function of six numbers, with a text to read."""
    body = [LINES[kind](rng) for kind in kinds]
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in body) + "    return x\n"
    return namespace(text)["f"]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(KINDS, st.integers(0, 10**6))
def test_random_programs(kinds: list[str], seed: int) -> None:
    """Against columns of finite differences of the program itself."""
    rng = np.random.default_rng(seed)
    f, x = program(kinds, rng), rng.uniform(0.5, 1.5, 6)
    made = check(f, x, exact=False)
    for j in range(6):
        h = np.zeros(6)
        h[j] = 1e-6
        column = (f(x + h) - f(x - h)) / 2e-6
        size = 1.0 + abs(column).max(initial=0)  # slopes of a long program may be steep
        np.testing.assert_allclose(made[:, [j]].toarray()[:, 0], column, atol=1e-2 * size)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(KINDS, st.integers(0, 10**6))
def test_random_hessians(kinds: list[str], seed: int) -> None:
    rng = np.random.default_rng(seed)
    f, x = program([*kinds, "total"], rng), rng.uniform(0.5, 1.5, 6)
    check(f, x, hessian=True, exact=False)


LINES["total"] = lambda rng: "x = np.sum(x[1:] ** 3 * x[:-1])"
