"""Jacobians and Hessians of compiled sweeps: those of the NumPy text, in value, shape, dtype and order."""

from __future__ import annotations

import importlib.util
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.api import chain_value
from retrograd.transforms.jacobian import batched_products, dense_fast_path

RNG = np.random.default_rng(8)
BACKENDS = (["c"] if any(map(shutil.which, ("cc", "gcc", "clang"))) else []) + (
    ["numba"] if importlib.util.find_spec("numba") else []
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")


def curve(x: Any, a: float) -> Any:
    return np.stack([np.sin(x[0]) * a, x[1] * x[2] + a, np.exp(x[0] * x[1])])


def matrix_of(w: Any, x: Any) -> Any:
    return np.tanh(w @ x)


def energy(x: Any) -> Any:
    return np.sum(x[1:] * x[:-1] ** 2) + np.sum(np.sin(x))


def rational(x: float) -> float:
    return math.sin(x) / (1.0 + x * x)


def in_a_dict(p: Any, x: Any) -> Any:
    return {"y": np.tanh(p["w"] @ x + p["b"]), "n": np.sum(x) * p["w"][0]}


def of_eigenvalues(x: Any) -> Any:
    return np.linalg.eigvalsh(np.outer(x, x) + np.diag(np.arange(3.0))) * np.sum(np.exp(x) * x)


PROGRAMS: dict[str, tuple[Any, tuple[Any, ...], Any]] = {
    "a vector and a float": (curve, (RNG.normal(size=3), 0.7), (0, 1)),
    "in another order": (curve, (RNG.normal(size=3), 0.7), (1, 0)),
    "of one argument": (curve, (RNG.normal(size=3), 0.7), 0),
    "matrices": (matrix_of, (RNG.normal(size=(2, 3)), RNG.normal(size=(3, 4))), (0, 1)),
    "a number": (energy, (RNG.normal(size=5),), 0),
    "a float of a float": (rational, (0.3,), 0),
    "containers": (in_a_dict, ({"w": RNG.normal(size=(2, 3)), "b": RNG.normal(size=2)}, RNG.normal(size=3)), (0, 1)),
    "regions": (of_eigenvalues, (RNG.normal(size=3),), 0),
    "float32": (matrix_of, (RNG.normal(size=(2, 3)).astype("f4"), RNG.normal(size=(3, 4)).astype("f4")), (0, 1)),
    "another order in memory": (matrix_of, (RNG.normal(size=(3, 2)).T, RNG.normal(size=(4, 3)).T), (0, 1)),
}  # fmt: skip


def assert_same(found: Any, wanted: Any, tolerance: float) -> None:
    if isinstance(wanted, (tuple, list)):
        assert type(found) is type(wanted) and len(found) == len(wanted)
        for a, b in zip(found, wanted, strict=True):
            assert_same(a, b, tolerance)
    elif isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for key in wanted:
            assert_same(found[key], wanted[key], tolerance)
    else:
        assert type(found) is type(wanted) and np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_jacobian_is_that_of_the_text(name: str, mode: Any, backend: str) -> None:
    function, args, wrt = PROGRAMS[name]
    compiled = rg.jacobian(function, wrt, mode, backend=backend)
    wanted = rg.jacobian(function, wrt, mode)(*args)
    for _ in range(3):
        assert_same(compiled(*args), wanted, 1e-5 if name == "float32" else 1e-10)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_hessian_is_that_of_the_text(backend: str) -> None:
    x = RNG.normal(size=6)
    compiled = rg.hessian(energy, backend=backend)
    for _ in range(2):
        np.testing.assert_allclose(compiled(x), rg.hessian(energy)(x), rtol=1e-10)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_sparse_jacobian_is_that_of_the_text(backend: str) -> None:
    pytest.importorskip("scipy")

    def shifted(x: Any) -> Any:
        return x[1:] * np.sin(x[:-1])

    x = RNG.normal(size=40)
    found = rg.jacobian(shifted, sparse=True, backend=backend)(x)
    np.testing.assert_allclose(found.toarray(), rg.jacobian(shifted)(x), rtol=1e-10)


@pytest.mark.parametrize("backend", BACKENDS)
def test_other_sizes_and_kinds_in_turn(backend: str) -> None:
    compiled, plain = (
        rg.jacobian(matrix_of, (0, 1), backend=backend),
        rg.jacobian(matrix_of, (0, 1)),
    )
    for m, n, k in ((2, 3, 4), (5, 2, 1), (1, 1, 1), (2, 3, 4), (7, 40, 3)):
        args = RNG.normal(size=(m, n)), RNG.normal(size=(n, k))
        assert_same(compiled(*args), plain(*args), 1e-10)
    with pytest.raises(ValueError, match="shape|mismatch|dimension"):
        compiled(np.ones((2, 3)), np.ones((4, 2)))


@pytest.mark.parametrize("backend", ["numpy", *BACKENDS])
@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_nothing_in_or_out(mode: Any, backend: str) -> None:
    def twice(x: Any) -> Any:
        return 2.0 * x

    def none_of(x: Any) -> Any:
        return 2.0 * x[:0]

    x = np.ones((2, 3))
    for function, given, shape in (
        (twice, np.zeros(0), (0, 0)),
        (twice, np.zeros((0, 2)), (0, 2, 0, 2)),
        (none_of, x, (0, 3, 2, 3)),
        (none_of, x[0], (0, 3)),
    ):
        assert rg.jacobian(function, mode=mode, backend=backend)(given).shape == shape


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_the_function_runs_once(mode: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []

    def counted(chain: Any, full: Any) -> Any:
        ran.append(1)
        return chain_value(chain, full)

    for module in (dense_fast_path, batched_products):
        monkeypatch.setattr(module, "chain_value", counted)
    for function, args in (
        (matrix_of, (np.ones((2, 3)), np.ones((3, 4)))),
        (energy, (np.ones(5),)),
    ):
        ran.clear()
        rg.jacobian(function, mode=mode)(*args)
        assert len(ran) == 1


def test_rows_whose_number_changes() -> None:
    """One pullback after the other is what was best the last time; the result may be another now."""

    def some(x: Any, n: int) -> Any:
        return np.stack([np.sum(x) * np.sin(x[k]) for k in range(n)])

    jacobian = rg.jacobian(some)
    x = RNG.normal(size=6)
    for n in (2, 2, 3, 1, 6, 2):
        found = jacobian(x, n)
        assert found.shape == (n, 6)
        np.testing.assert_allclose(found, rg.jacobian(some, mode="forward")(x, n), rtol=1e-12)
