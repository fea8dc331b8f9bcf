"""The derivative of every example as a written file agrees with the face and with differences."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg

from .conftest import Done

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(6, 3)), RNG.uniform(size=6)
LAYERS = [
    (RNG.normal(size=(3, 4)), RNG.normal(size=4)),
    (RNG.normal(size=(4, 1)), RNG.normal(size=1)),
]
THETA = np.array([0.1, -0.2, -1.0])
CASES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "equilibrium": ("loss", ((np.eye(3), X[:2], X[0]), X[:4, :2], Y[:4])),
    "gaussian_process": ("loss", (THETA, np.linspace(0, 3, 6), Y)),
    "heat": ("loss", (np.full(5, 0.8), Y, np.sin(Y), 3)),
    "logistic_regression": ("loss", (X[0], X, (Y > 0.5).astype(float))),
    "mlp": ("loss", (LAYERS, X, Y[:, None])),
    "newton": ("anomaly", (0.8, 0.3)),
    "rk4": ("loss", (np.array([1.2, 0.8, 1.2, 2.6]), np.ones(2), RNG.uniform(size=(4, 2)), 0.1)),
    "rosenbrock": ("rosenbrock", (RNG.normal(size=5),)),
    "softmax": ("loss", (RNG.normal(size=(3, 2)), np.zeros(2), X, np.eye(2)[[0, 1, 1, 0, 1, 0]])),
}

JACOBIANS = ("bratu",)  # examples of something else than a gradient


def test_every_example_is_here() -> None:
    assert sorted([*CASES, *JACOBIANS]) == sorted(path.stem for path in EXAMPLES.glob("*.py"))


def flat(tree: Any) -> Any:
    """All numbers of nested containers in a row."""
    if isinstance(tree, (tuple, list)):
        return np.concatenate([flat(item) for item in tree])
    return np.ravel(tree)


def moved(tree: Any, direction: Any, h: float) -> Any:
    """The numbers moved along a direction of the same structure."""
    if isinstance(tree, (tuple, list)):
        return type(tree)(moved(a, b, h) for a, b in zip(tree, direction, strict=True))
    return tree + h * direction


@pytest.fixture
def made(
    request: pytest.FixtureRequest,
    folder: Path,
    call: Callable[..., Done],
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[Any, Any]:
    """The example's function and the one that was written for it."""
    name = (
        f"written_{request.param}"  # a name of its own, next to the example as other tests know it
    )
    shutil.copy(EXAMPLES / f"{request.param}.py", folder / f"{name}.py")
    entry = CASES[request.param][0]
    done = call("grad", f"{name}.py:{entry}", "-o", f"{name}_grad.py")
    assert done.code == 0, done.err
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    written = importlib.import_module(f"{name}_grad")
    importlib.import_module(name)
    return getattr(sys.modules[name], entry), getattr(written, f"{entry}_grad")


@pytest.mark.parametrize(
    ("made", "args"), [(n, args) for n, (_, args) in CASES.items()], ids=CASES, indirect=["made"]
)
def test_the_written_gradient_is_right(made: Any, args: tuple[Any, ...]) -> None:
    function, gradient = made
    found = gradient(*args)
    np.testing.assert_allclose(flat(found), flat(rg.grad(function)(*args)), rtol=1e-9, atol=1e-12)
    ahead, behind = (function(moved(args[0], found, h), *args[1:]) for h in (1e-6, -1e-6))
    norm = np.sum(flat(found) ** 2)
    np.testing.assert_allclose((ahead - behind) / 2e-6, norm, rtol=1e-5)
