"""Kernels in C: values and types as the NumPy text has them, whatever they are called with."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from benchmarks.problems import PROBLEMS
from retrograd.compiler.native.compile import text_of
from retrograd.runtime.errors import SignatureMismatch
from tests.fuzz.native import compared, same, small_program

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))


def both(function: Any, *args: Any) -> tuple[Any, Any, Any]:
    """The result of a kernel (called twice: the first call compiles), of the text, and the notes."""
    kernel, plain = rg.value_and_grad(function, backend="c"), rg.value_and_grad(function)
    kernel(*args)
    return kernel(*args), plain(*args), kernel.__native__.notes  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name", ["rosenbrock-10", "logistic-100x10", "mlp-32-64-64-10", "gmm-1000x8x10", "rk4-1000"]
)
def test_a_problem_of_the_benchmarks(name: str) -> None:
    if name not in PROBLEMS:
        pytest.skip("the suite has other sizes")
    problem = PROBLEMS[name]
    args = problem.arguments(0)
    kernel = rg.value_and_grad(problem.function, wrt=problem.wrt, backend="c")
    plain = rg.value_and_grad(problem.function, wrt=problem.wrt)
    kernel(*args)
    assert same(kernel(*args), plain(*args), 1e-10)
    assert kernel.__native__.notes == []  # type: ignore[attr-defined]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(12))
def test_a_random_program(seed: int) -> None:
    outcome = compared(small_program(seed))
    assert outcome.verdict in ("ok", "numpy", "discarded"), outcome


def energy(x: Any, k: float = 2.0) -> Any:
    return np.sum(np.tanh(x) * k)


def test_other_sizes_dtypes_and_layouts() -> None:
    kernel, plain = rg.value_and_grad(energy, backend="c"), rg.value_and_grad(energy)
    base = np.linspace(0.1, 1.0, 200)
    for x in (base[:10], base[:11], base, base[::2], base[::-1], base[:1], base.reshape(20, 10),
              base.reshape(20, 10).T, base.astype(np.float32), np.zeros(0), np.zeros((0, 3))):  # fmt: skip
        tolerance = 1e-5 if x.dtype == np.float32 else 1e-12
        assert same(kernel(x), plain(x), tolerance), x.shape
        assert same(kernel(x=x, k=3.0), plain(x, 3.0), tolerance)


def test_the_kind_that_is_called_most_stands_in_front() -> None:
    kernel, plain = rg.grad(energy, backend="c"), rg.grad(energy)
    kernel(np.ones(3))
    x = np.linspace(0.0, 1.0, 12).reshape(3, 4)
    for _ in range(60):
        assert same(kernel(x), plain(x), 1e-12)
    family = kernel.__native__.family  # type: ignore[attr-defined]
    assert family.front in family.known.values()
    assert same(kernel(np.ones(3)), plain(np.ones(3)), 1e-12)


def test_what_is_no_array_goes_to_the_text() -> None:
    kernel = rg.grad(energy, backend="c")
    kernel(np.ones(3))
    assert kernel(np.float64(0.5)) == pytest.approx(rg.grad(energy)(np.float64(0.5)))
    with pytest.raises(rg.RetrogradError):
        kernel(np.ma.masked_array([1.0]))
    with pytest.raises(TypeError):
        kernel(np.arange(3))


def test_what_python_raises_is_raised() -> None:
    def ratio(x: float, y: float) -> float:
        return x / y

    kernel = rg.grad(ratio, wrt=(0, 1), backend="c")
    assert kernel(1.0, 2.0) == (0.5, -0.25)
    with pytest.raises(ZeroDivisionError):
        kernel(1.0, 0.0)
    assert kernel(1.0, 4.0) == (0.25, -0.0625)


def test_math_that_is_not_defined_is_left_to_python() -> None:
    def root(x: float) -> float:
        return math.sqrt(x) * math.log(x)

    kernel = rg.grad(root, backend="c")
    assert kernel(2.0) == pytest.approx(rg.grad(root)(2.0), rel=1e-14)
    with pytest.raises(ValueError, match="math domain|positive"):
        kernel(-1.0)


def test_integers_that_grow_are_pythons() -> None:
    def powers(x: float, n: int) -> float:
        k = 1
        for _ in range(n):
            k = k * 3
        return x * float(k)

    kernel = rg.grad(powers, backend="c")
    assert kernel(2.0, 4) == 81.0
    assert kernel(2.0, 60) == float(3**60)


def test_an_index_that_is_outside() -> None:
    def pick(x: Any, k: int) -> Any:
        return x[k] * 2.0

    kernel = rg.grad(pick, backend="c")
    assert kernel(np.ones(4), 3).tolist() == [0.0, 0.0, 0.0, 2.0]
    assert kernel(np.ones(4), -4).tolist() == [2.0, 0.0, 0.0, 0.0]
    for k in (4, -5):
        with pytest.raises(IndexError):
            kernel(np.ones(4), k)


def test_shapes_that_do_not_fit() -> None:
    def inner(x: Any, y: Any) -> Any:
        return np.sum(x * y)

    kernel = rg.value_and_grad(inner, backend="c")
    assert kernel(np.ones(3), np.ones(3))[0] == 3.0
    with pytest.raises(ValueError, match="shape"):
        kernel(np.ones(3), np.ones(4))
    assert kernel(np.ones(3), np.ones(1))[1].tolist() == [1.0, 1.0, 1.0]


def test_the_arguments_stay() -> None:
    def smooth(x: Any) -> Any:
        y = x.copy()
        for k in range(1, x.shape[0]):
            y[k] += 0.5 * y[k - 1]
        return np.sum(y * y)

    x = np.linspace(0.0, 1.0, 9)
    kept = x.copy()
    found, wanted, notes = both(smooth, x)
    assert same(found, wanted, 1e-13) and notes == []
    assert np.array_equal(x, kept)


def test_what_is_kept_in_loops_and_branches() -> None:
    def walk(x: Any, n: int) -> Any:
        total, v = 0.0, x * 1.0
        for k in range(n):
            if k % 2 == 0:
                v = np.sin(v) + x
            else:
                for j in range(k):
                    v = 0.5 * v * v - 0.1 * j
            total = total + np.sum(v)
        while total > 10.0:
            total = 0.5 * total
        return total

    found, wanted, notes = both(walk, np.linspace(0.1, 0.9, 7), 5)
    assert same(found, wanted, 1e-12) and notes == []


def test_structures_in_and_out() -> None:
    def model(p: Any, x: Any) -> Any:
        return np.sum(np.tanh(x @ p["w"] + p["b"][0]) * p["b"][1])

    rng = np.random.default_rng(0)
    p = {"w": rng.normal(size=(4, 3)), "b": (rng.normal(size=3), 0.3)}
    found, wanted, notes = both(model, p, rng.normal(size=(5, 4)))
    assert same(found, wanted, 1e-13) and notes == []


def test_second_order_and_forward_mode() -> None:
    @rg.differentiate(backend="c")
    def f(x: float) -> float:
        return x**3 * math.sin(x)

    @rg.differentiate
    def g(x: float) -> float:
        return x**3 * math.sin(x)

    assert rg.grad(rg.grad(f))(0.7) == pytest.approx(rg.grad(rg.grad(g))(0.7), rel=1e-13)
    assert f.jvp((0.7,), (1.0,)) == pytest.approx(g.jvp((0.7,), (1.0,)), rel=1e-13)


def test_what_cannot_be_compiled_runs_as_numpy() -> None:
    def ranked(x: Any) -> Any:
        return np.sum(np.partition(x, 3) ** 2 * np.arange(8))

    found, wanted, notes = both(ranked, np.linspace(0.0, 1.0, 8))
    assert same(found, wanted, 1e-12) and notes


def test_the_strict_functions_are_those_of_the_library() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.exp(x))

    strict = rg.value_and_grad(f, backend="c", accuracy="libm")
    x = np.linspace(-3.0, 3.0, 50)
    strict(x)
    assert strict(x)[1].tolist() == [math.exp(v) for v in x]
    with pytest.raises(SignatureMismatch):
        rg.grad(f, backend="c", accuracy="fast")


def turning(x: Any, a: float) -> Any:
    return np.sum(np.sin(a * x) * np.cos(x) + np.tan(0.1 * x))


@pytest.mark.parametrize("backend", ["c", "numba"])
def test_huge_angles_are_numpys(backend: str) -> None:
    if backend == "numba":
        pytest.importorskip("numba")
    kernel = rg.value_and_grad(turning, wrt=(0, 1), backend=backend)
    plain = rg.value_and_grad(turning, wrt=(0, 1))
    x = np.linspace(-300.0, 300.0, 333)
    for place in (None, 1e8, -1e9, 1e22, np.nan, 1.0):
        x[7] = 2.0 if place is None else place
        kernel(x, 1.25)
        assert same(kernel(x, 1.25), plain(x, 1.25), 1e-12), place
    assert kernel.__native__.notes == []  # type: ignore[attr-defined]
    assert same(kernel(x.astype(np.float32), 1.25), plain(x.astype(np.float32), 1.25), 1e-5)


def test_an_unknown_back_end() -> None:
    with pytest.raises(SignatureMismatch, match="backend is"):
        rg.grad(energy, backend="fortran")


def test_the_text_is_the_same_each_time() -> None:
    chain = rg.value_and_grad(energy).__retrograd__  # type: ignore[attr-defined]
    args = (np.linspace(0.0, 1.0, 50), 2.0)
    made = chain.load(chain.types(args))
    name, target = next(iter(made.functions.items()))
    texts = {text_of("c", made.text, name, target, args) for _ in range(3)}
    assert len(texts) == 1
