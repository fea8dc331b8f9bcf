"""Every kind of parameter and every layout of an array, with every back end: what NumPy's text gives."""

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

BACKENDS = [
    pytest.param("c", marks=pytest.mark.skipif(
        not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler")),
    pytest.param("numba", marks=pytest.mark.skipif(
        importlib.util.find_spec("numba") is None, reason="no numba")),
]  # fmt: skip


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))


def plain(x, k=2.0):
    return np.sum(k * x * x)


def positional_only(x, k=2.0, /):
    return np.sum(k * x * x)


def keyword_only(x, *, k=2.0):
    return np.sum(k * x * x)


def needed_keyword(x, *, k):
    return np.sum(k * x * x)


def all_kinds(x, /, a, b=3.0, *, k=2.0):
    return np.sum(k * x * x * a + b * x)


def starred(x, *rest):
    total = np.sum(x * x)
    for r in rest:
        total = total + r * np.sum(x)
    return total


def named(x, **rest):
    return np.sum(x * x) * rest["k"]


def both_starred(x, *rest, k=2.0, **more):
    return np.sum(k * x * x) * rest[0] + more["m"] * np.sum(x)


X = np.array([1.0, -2.0, 0.5])
CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (plain, (X,), {}), (plain, (X, 3.0), {}), (plain, (), {"k": 3.0, "x": X}),
    (positional_only, (X,), {}), (positional_only, (X, 3.0), {}),
    (keyword_only, (X,), {}), (keyword_only, (X,), {"k": 3.0}), (keyword_only, (1.5,), {}),
    (keyword_only, (), {"x": X, "k": 4.0}), (needed_keyword, (X,), {"k": 3.0}),
    (all_kinds, (X, 1.5), {}), (all_kinds, (X,), {"a": 1.5, "k": 0.5}),
    (all_kinds, (X, 1.5, 2.5), {"k": 0.5}),
    (starred, (X,), {}), (starred, (X, 1.5), {}), (starred, (X, 1.5, 2.5), {}),
    (named, (X,), {"k": 2.0}), (both_starred, (X, 1.5), {"m": 2.0}),
    (both_starred, (X, 1.5), {"k": 1.0, "m": 2.0}),
]  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_kind_of_signature(backend: str) -> None:
    made: dict[Any, Any] = {}
    for function, args, named_args in CALLS if backend == "c" else CALLS[5:9]:
        kernel, text = made.setdefault(
            function,
            (rg.value_and_grad(function, 0, backend=backend), rg.value_and_grad(function, 0)),
        )
        wanted = text(*args, **named_args)
        for _ in range(2):  # the first call compiles
            found = kernel(*args, **named_args)
            assert same(found, wanted, 1e-12), (function.__name__, args, named_args)


# -- layouts --------------------------------------------------------------------------------


def energy(x):
    return np.sum(np.sin(x) * x)


def misaligned(x: Any) -> Any:
    raw = np.zeros(x.nbytes + 1, np.uint8)
    raw[1:] = np.frombuffer(x.tobytes(), np.uint8)
    return raw[1:].view(x.dtype).reshape(x.shape)


def frozen(x: Any) -> Any:
    x = x.copy()
    x.flags.writeable = False
    return x


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "C": np.array, "reversed": lambda x: x[::-1], "misaligned": misaligned,
    "misaligned and reversed": lambda x: misaligned(x)[::-1], "strided": lambda x: np.repeat(x, 2, 0)[::2],
    "F": np.asfortranarray, "read-only": frozen, "broadcast": lambda x: np.broadcast_to(x[:1], x.shape),
    "other bytes": lambda x: x.astype(x.dtype.newbyteorder()),
    "misaligned other bytes": lambda x: misaligned(x.astype(x.dtype.newbyteorder())),
}  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("first", ["C", "misaligned"])
def test_every_layout(backend: str, first: str) -> None:
    vars(energy).clear()
    text = rg.grad(energy)
    kernel = rg.grad(energy, backend=backend)
    for shape in ((3,), (4, 3)) if backend == "c" else ((3,),):
        base = np.linspace(0.1, 1.0, int(np.prod(shape))).reshape(shape)
        kernel(LAYOUTS[first](base))
        for name, layout in LAYOUTS.items():
            x = layout(base)
            for _ in range(2):
                assert np.allclose(kernel(x), text(x), rtol=1e-13), (name, shape)


@pytest.mark.parametrize("backend", BACKENDS[:1])
def test_a_layout_that_is_called_most(backend: str) -> None:
    """What stands in front then makes copies; they are what the kernel takes."""
    vars(energy).clear()
    kernel, x = rg.grad(energy, backend=backend), misaligned(np.linspace(0.1, 1.0, 5))
    kernel(np.ones(5))
    for _ in range(60):
        assert np.allclose(kernel(x), rg.grad(energy)(x), rtol=1e-13)
    assert kernel.__native__.family.call == kernel.__native__.family.straight  # type: ignore[attr-defined]


def mixed_in_order(p):
    mixed = 0.0
    for k, v in p.items():
        mixed = mixed * 0.5 + v * v * (1 if k == "a" else 2)
    return mixed


@pytest.mark.parametrize("backend", BACKENDS)
def test_kernels_look_at_the_order_of_dicts(backend: str) -> None:
    numpy, compiled = rg.grad(mixed_in_order), rg.grad(mixed_in_order, backend=backend)
    for p in 2 * [{"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}]:
        assert list(compiled(p).items()) == list(numpy(p).items())
