"""What the reader takes, expression by expression: one kernel, with the values and types of the text."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.fuzz.native import same

RNG = np.random.default_rng(3)


def backends() -> list[str]:
    found = ["c"] if any(map(shutil.which, ("cc", "gcc", "clang"))) else []
    return found + (["numba"] if importlib.util.find_spec("numba") else [])


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")


def matrix(n: int = 3) -> Any:
    a = RNG.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def vector(n: int = 3) -> Any:
    return RNG.normal(size=n)


def stack(n: int = 3) -> Any:
    return np.stack([matrix(n), matrix(n)])


def layers() -> Any:
    return [(RNG.normal(size=(3, 4)), vector(4)), (RNG.normal(size=(4, 2)), vector(2))]


def forward(params: Any, x: Any) -> Any:
    for w, b in params:
        x = np.tanh(x @ w + b)
    return np.sum(x * x)


def solved_twice(a: Any, b: Any) -> Any:
    x = np.linalg.solve(a, b)
    a = a.copy()
    a[0, 0] += 1.0
    return x @ np.linalg.solve(a, b) + x @ np.linalg.solve(a.T, b)


def recurrence(w: float, x: Any) -> Any:
    h = 0.0
    for k in range(len(x)):
        h = w * h + x[k]
    return h * h


def clipped(x: Any) -> Any:
    total = 0.0
    for v in x:
        total = total + max(0.0, v * v - 0.1)
    return total


def looked_up(x: float, table: Any) -> Any:
    k = int(x)
    return table[k] + (x - k) * (table[k + 1] - table[k])


def guarded(x: Any) -> Any:
    assert x.ndim == 1, "a vector"
    if x.shape[0] > 99:
        raise ValueError("too long")
    with np.errstate(divide="ignore"):
        return np.sum(np.log(x * x))


def list_of_numbers(weights: Any, x: Any) -> Any:
    total = 0.0
    for k, w in enumerate(weights):
        total = total + w * x**k
    return total * weights[-1] + sum(w * w for w in weights)


def comprehended(x: Any) -> Any:
    return sum([v * v for v in x]) + np.sum(np.array([np.sin(v) for v in x]))


def everything_of_a_row(x: Any) -> Any:
    best = x[np.argmax(x)] * x[np.argmin(x)]
    return best + np.sum(x[np.argsort(np.zeros(3))[:0]] if False else x)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "solve": (lambda a, b: np.sum(np.linalg.solve(a, b) ** 2), (matrix(), vector())),
    "solve for a matrix": (lambda a, b: np.sum(np.linalg.solve(a, b) ** 2), (matrix(), matrix()[:, :2].copy())),
    "solve stacks": (lambda a, b: np.sum(np.linalg.solve(a, b) ** 2), (stack(), stack())),
    "solve one for a stack": (lambda a, b: np.sum(np.linalg.solve(a, b) ** 2), (matrix(), stack())),
    "solve larger": (lambda a, b: np.sum(np.linalg.solve(a, b) ** 2), (matrix(20), vector(20))),
    "solve twice": (solved_twice, (matrix() + 0.3 * RNG.normal(size=(3, 3)), vector())),
    "solve in float32": (lambda a, b: np.sum(np.linalg.solve(a, b) ** 2), (matrix().astype("f4"), vector().astype("f4"))),
    "solve with exchanges": (lambda a, b: np.sum(np.linalg.solve(a, b) ** 2), (np.eye(3)[[1, 2, 0]] + 0.01 * matrix(), vector())),
    "inv": (lambda a: np.sum(np.linalg.inv(a) ** 3), (matrix() + RNG.normal(size=(3, 3)),)),
    "det": (lambda a: np.linalg.det(a) ** 2, (RNG.normal(size=(3, 3)),)),
    "slogdet": (lambda a: np.linalg.slogdet(a)[1] ** 2, (RNG.normal(size=(4, 4)),)),
    "slogdet by name": (lambda a: np.linalg.slogdet(a).logabsdet ** 2, (RNG.normal(size=(4, 4)),)),
    "slogdet of a stack": (lambda a: np.sum(np.linalg.slogdet(a)[1] ** 2), (stack(),)),
    "cholesky": (lambda a: np.sum(np.linalg.cholesky(a) ** 3), (matrix(5),)),
    "norm": (lambda x: np.linalg.norm(x) ** 3, (vector(),)),
    "norm of a matrix": (lambda x: np.linalg.norm(x * 2.0), (matrix(),)),
    "norms of rows": (lambda x: np.sum(np.linalg.norm(x, axis=1) ** 3), (matrix(),)),
    "einsum, a product": (lambda a, b: np.sum(np.einsum("ij,kj->ki", a, b) ** 2), (matrix(), matrix()[:2].copy())),
    "einsum, a quadratic form": (lambda x, a: np.einsum("i,ij,j->", x, a, x), (vector(), matrix())),
    "einsum, batched": (lambda a, b: np.sum(np.einsum("bij,bjk->bik", a, b) ** 2), (stack(), stack())),
    "einsum, outer": (lambda x, y: np.sum(np.einsum("i,j->ij", x, y) ** 2), (vector(), vector(4))),
    "einsum, a sum": (lambda a: np.sum(np.einsum("ij->j", a) ** 2), (matrix(),)),
    "argmax": (lambda x: x[np.argmax(x)] * x[np.argmin(x)], (vector(7),)),
    "argmax of rows": (lambda x: np.sum(x[np.arange(3), np.argmax(x, axis=1)] ** 2), (matrix(),)),
    "argmax with nan": (lambda x: x[np.argmax(x[1:])] ** 2, (np.array([1.0, 2.0, np.nan, 5.0]),)),
    "any and all": (lambda x: np.sum(x) if np.any(x > 0.0) and not np.all(x > 0.0) else np.sum(x * x), (vector(6),)),
    "searchsorted": (lambda x, v: np.sum(x[np.searchsorted(x, v)] * v), (np.arange(5.0), np.array([0.5, 2.0, 3.9]))),
    "triu": (lambda a: np.sum(np.triu(a, 1) ** 2 + np.tril(a) ** 3), (matrix(),)),
    "diagonals": (lambda a: np.sum(np.diag(a, 1) ** 2) + np.sum(np.diagonal(a) ** 3) + np.trace(a) ** 2, (matrix(),)),
    "diag of a vector": (lambda x: np.sum((np.diag(x, 1) + np.diag(x, -1)) @ np.ones(4) * np.arange(4.0)), (vector(),)),
    "split": (lambda x: np.sum(np.split(x, 2)[0] * np.split(x, [2, 4])[1][0]), (vector(6),)),
    "stack along an axis": (lambda x, y: np.sum(np.stack([x, x * y], axis=1) ** 2), (vector(), vector())),
    "var": (lambda x: np.var(x, axis=0).sum() + x.std() ** 2 + np.var(x, ddof=1), (matrix(),)),
    "prod": (lambda x: np.prod(x) ** 2, (vector(),)),
    "linspace": (lambda a, b: np.sum(np.linspace(a, b, 7, endpoint=False) ** 2), (0.3, 2.0)),
    "a list of layers": (forward, (layers(), RNG.normal(size=(5, 3)))),
    "a list of numbers": (list_of_numbers, ([0.3, -0.2, 0.5, 0.1, 0.2, 0.7], 0.9)),
    "a short list of numbers": (list_of_numbers, ([0.3, -0.2], 0.9)),
    "comprehensions": (comprehended, (vector(5),)),
    "a number that becomes NumPy's": (recurrence, (0.7, vector(6))),
    "max of a float and NumPy's": (clipped, (vector(6),)),
    "a table": (looked_up, (1.3, vector(5))),
    "assert, raise, errstate": (guarded, (vector(5),)),
}  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_one_kernel(name: str, backend: str) -> None:
    function, args = PROGRAMS[name]
    wrt = list(range(len(args)))
    kernel = rg.value_and_grad(function, wrt, backend=backend)
    wanted = rg.value_and_grad(function, wrt)(*args)
    tolerance = (
        1e-4
        if any(np.asarray(a).dtype == "f4" for a in args if isinstance(a, np.ndarray))
        else 1e-9
    )
    for _ in range(2):
        assert same(kernel(*args), wanted, tolerance), (kernel(*args), wanted)
    assert kernel.__native__.notes == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name", ["solve", "inv", "det", "slogdet", "cholesky", "argmax", "einsum, a product"]
)
def test_other_sizes_are_taken_by_one_kernel(name: str) -> None:
    function, args = PROGRAMS[name]
    wrt = list(range(len(args)))
    kernel, plain = (rg.value_and_grad(function, wrt, **k) for k in ({"backend": "c"}, {}))
    for n in (len(args[0]), 7, 5, 1, 40, 70):
        given = tuple(matrix(n) if a.ndim == 2 else vector(n) for a in args)
        for _ in range(2):
            assert same(kernel(*given), plain(*given), 1e-8), n


def test_what_the_library_refuses_raises_as_there() -> None:
    solve = rg.value_and_grad(lambda a, b: np.sum(np.linalg.solve(a, b)), [0, 1], backend="c")
    root = rg.value_and_grad(lambda a: np.sum(np.linalg.cholesky(a)), backend="c")
    a = matrix()
    solve(a, vector())
    root(a)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        solve(np.ones((3, 3)), vector())
    for bad in (-a, np.zeros((3, 3))):
        with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
            root(bad)
    value, _ = solve(a, np.array([1.0, np.nan, 0.0]))
    assert np.isnan(value)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("trans", [0, 1])
@pytest.mark.parametrize("lower", [False, True])
def test_triangular_systems(lower: bool, trans: int, unit: bool, backend: str) -> None:
    pytest.importorskip("scipy")
    from scipy.linalg import solve_triangular

    def solved(a: Any, b: Any) -> Any:
        x = solve_triangular(a, b, trans=trans, lower=lower, unit_diagonal=unit)
        return np.sum(x * x)

    kernel = rg.value_and_grad(solved, [0, 1], backend=backend)
    for b in (vector(), matrix()[:, :2].copy()):
        wanted = rg.value_and_grad(solved, [0, 1])
        a = matrix()
        for _ in range(2):
            assert same(kernel(a, b), wanted(a, b), 1e-9)
    assert kernel.__native__.notes == []  # type: ignore[attr-defined]
    bad = matrix()
    bad[0, 2] = np.inf
    with pytest.raises(ValueError, match="infs or NaNs"):
        kernel(bad, vector())
    if not unit:
        bad[0, 2], bad[1, 1] = 0.0, 0.0
        with pytest.raises(np.linalg.LinAlgError, match="singular"):
            kernel(bad, vector())


def test_what_raises_in_the_text_raises() -> None:
    kernel = rg.value_and_grad(guarded, backend="c")
    kernel(vector())
    with pytest.raises(AssertionError, match="a vector"):
        kernel(matrix())
    with pytest.raises(ValueError, match="too long"):
        kernel(vector(100))


def triangle(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            d = x[i] - x[j]
            total += 1.0 / (1.0 + d * d)
    return total


@pytest.mark.parametrize("backend", backends())
def test_an_inner_loop_without_iterations_does_not_leave_the_kernel(backend: str) -> None:
    """Whether the number is Python's or NumPy's depends on whether there was any, and is known."""
    gradient = rg.value_and_grad(triangle, backend=backend)
    x = np.linspace(0.0, 1.0, 40)
    gradient(x)
    family: Any = gradient.__native__.family  # type: ignore[attr-defined]
    for n in (40, 33, 2, 1, 0):
        found, wanted = gradient(x[:n].copy()), rg.value_and_grad(triangle)(x[:n].copy())
        assert type(found[0]) is type(wanted[0])
        np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12)
        np.testing.assert_allclose(found[1], wanted[1], rtol=1e-12, atol=1e-12)
    assert family.taken[None] == 0
