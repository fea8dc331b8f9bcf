"""Memory that C kernels keep: it is used again, never while somebody holds it, and given back."""

from __future__ import annotations

import pickle
import shutil
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.c import allocator_control, shared_library

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)

BLOCKS = 64
N = 200_000  # 1.6 MB: large
X = np.linspace(-1.0, 1.0, N)


def loss(x: Any) -> Any:
    return np.sum(np.sin(x) * x)


def wanted(x: Any) -> Any:
    return np.cos(x) * x + np.sin(x)


@pytest.fixture
def gradient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    vars(loss).clear()
    found = rg.grad(loss, backend="c")
    found(X)
    found(X)
    rg.empty_cache()
    yield found
    rg.empty_cache()
    assert allocator_control.kept_bytes() == 0


def place(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def test_memory_is_used_again(gradient: Any) -> None:
    first = gradient(X)
    where = place(first)
    assert allocator_control.kept_bytes() == 0
    del first
    assert allocator_control.kept_bytes() == 8 * N
    again = gradient(2.0 * X)
    assert place(again) == where
    assert allocator_control.kept_bytes() == 0
    np.testing.assert_allclose(again, wanted(2.0 * X), rtol=1e-12)


def test_never_while_somebody_holds_it(gradient: Any) -> None:
    held = [gradient(k * X) for k in range(1, 6)]
    views = [gradient(k * X)[::2] for k in range(1, 6)]
    assert len({place(a) for a in [*held, *views]}) == 10
    for k in range(20):
        gradient(-k * X)
    for k in range(5):
        np.testing.assert_allclose(held[k], wanted((k + 1) * X), rtol=1e-12)
        np.testing.assert_allclose(views[k], wanted((k + 1) * X)[::2], rtol=1e-12)


def test_a_loop_of_an_optimiser_needs_two(gradient: Any) -> None:
    x, places = X.copy(), set()
    for _ in range(10):
        g = gradient(x)
        places.add(place(g))
        x = x - 0.1 * g
    assert len(places) == 2
    del g
    assert allocator_control.kept_bytes() <= 3 * 8 * N


def test_arrays_are_arrays(gradient: Any) -> None:
    """They own their memory, may be resized, pickled and written to, and NumPy allocates as before."""
    g = gradient(X)
    assert g.flags.owndata and g.flags.writeable and g.base is None and place(g) % 64 == 0
    names = np._core.multiarray.get_handler_name  # type: ignore[attr-defined]
    assert names(g) == "retrograd"
    assert names(np.empty(N)) == names() == "default_allocator"
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(g)), g)
    kept = g[:10].copy()
    g.resize(2 * N, refcheck=False)
    np.testing.assert_array_equal(g[:10], kept)
    np.testing.assert_array_equal(g[N:], 0.0)
    g.resize(10, refcheck=False)
    np.testing.assert_array_equal(g, kept)


def test_short_arrays_have_nothing_to_do_with_it(gradient: Any) -> None:
    g = gradient(X[:1000])
    assert np._core.multiarray.get_handler_name(g) == "default_allocator"  # type: ignore[attr-defined]
    del g
    assert allocator_control.kept_bytes() == 0


def test_no_more_is_kept_than_so_much(gradient: Any) -> None:
    library: Any = shared_library.known()
    library.rg_keep_at_most(5 * 8 * N)
    try:
        kept_at_most(gradient)
    finally:
        library.rg_keep_at_most(2**29)


def kept_at_most(gradient: Any) -> None:
    held = [gradient(X) for _ in range(8)]
    held.clear()
    assert 4 * 8 * N <= allocator_control.kept_bytes() <= 5 * 8 * N
    many = np.linspace(0.0, 1.0, 6 * N)
    del many
    gradient(np.linspace(0.0, 1.0, 6 * N))  # too large to be kept
    assert allocator_control.kept_bytes() <= 5 * 8 * N
    for n in range(N, 3 * N, N // 10):  # of many sizes: the oldest go first
        gradient(np.linspace(0.0, 1.0, n))
        assert allocator_control.kept_bytes() <= 5 * 8 * N


def test_more_blocks_than_there_are_places(gradient: Any) -> None:
    held = [gradient(X[:140_000]) for _ in range(BLOCKS + 10)]
    held.clear()
    assert allocator_control.kept_bytes() == BLOCKS * 8 * 140_000


def test_memory_inside_of_a_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))

    def steps(x: Any) -> Any:
        for _ in range(5):
            x = x + 0.1 * np.sin(np.roll(x, 1))
        return np.sum(x * x)

    rg.empty_cache()
    compiled = rg.value_and_grad(steps, backend="c")
    found = [compiled(X) for _ in range(4)]
    plain = rg.value_and_grad(steps)(X)
    for value, g in found:
        np.testing.assert_allclose(value, plain[0], rtol=1e-12)
        np.testing.assert_allclose(g, plain[1], rtol=1e-12)
    assert allocator_control.kept_bytes() > 0
    rg.empty_cache()
    assert allocator_control.kept_bytes() == 0


def test_a_tape_that_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the stack to the heap, and from there to large blocks."""
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))

    def decay(x: float, rate: float) -> float:
        while x > 0.01:
            x = x - rate * x * x
        return x

    compiled = rg.grad(decay, backend="c")
    for rate in (0.5, 0.01, 0.0001, 0.5):
        for _ in range(3):
            np.testing.assert_allclose(compiled(0.9, rate), rg.grad(decay)(0.9, rate), rtol=1e-8)
    rg.empty_cache()


def test_tracemalloc_sees_it(gradient: Any) -> None:
    tracemalloc.start()
    try:
        g = gradient(X)
        assert tracemalloc.get_traced_memory()[0] > 8 * N
        del g
        assert tracemalloc.get_traced_memory()[0] < 8 * N
    finally:
        tracemalloc.stop()
