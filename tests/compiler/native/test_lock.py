"""Kernels let other threads run, answer Ctrl-C, and may be run by several threads at once."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.loop_ir.ir import Buffer, Kernel
from retrograd.compiler.native.loop_ir.values import Constant, Items, plain_view
from retrograd.compiler.native.passes import interrupt_polls

needs_c = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
BACKENDS = [
    pytest.param("c", marks=needs_c),
    pytest.param("numba", marks=pytest.mark.skipif(
        importlib.util.find_spec("numba") is None, reason="no numba")),
]  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RETROGRAD_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def steps(x, n):
    y = 0.5 * x
    for _ in range(n):
        y = np.sin(y) + 0.1 * x
    return np.sum(y)


def numbers(x, n):
    y = x
    for _ in range(n):
        y = y + 0.001 * (x - y)
    return y


def backwards(x, n):
    """Its loop over what it kept runs backwards."""
    y = x
    for _ in range(n):
        y = np.sin(y) + 0.1
    return y


def halves(x, n):
    """A loop of Python that ends when it is told to."""
    y, k = x, 0
    while k < n:
        y = y * 0.999 + x
        k += 1
    return y


LONG: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "arrays in a loop": (steps, (np.linspace(0.0, 1.0, 2000), 20_000)),
    "numbers in a loop": (numbers, (0.7, 2_000_000_000)),
    "numbers that are kept": (backwards, (0.7, 100_000_000)),
    "while": (halves, (0.7, 2_000_000_000)),
}


def interrupted(call: Callable[[], Any]) -> float:
    """How long after Ctrl-C a call ends."""
    sent: list[float] = []

    def press() -> None:
        time.sleep(0.15)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    presser.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.perf_counter() - sent[0]
    finally:
        presser.join()
        signal.signal(signal.SIGINT, before)


@needs_c
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_is_answered(name: str) -> None:
    function, args = LONG[name]
    kernel = rg.grad(function, backend="c")
    short = (args[0], 5)
    wanted = kernel(*short)
    kernel(args[0], 200_000 if np.ndim(args[0]) == 0 else 200)  # there is memory for large arrays
    assert kernel.__native__.notes == []  # type: ignore[attr-defined]
    before = np.copy(args[0])
    took = interrupted(lambda: kernel(*args))
    assert took < 5.0  # some hundredths of a second, on a machine that has nothing else to do
    assert np.array_equal(args[0], before)
    np.testing.assert_allclose(kernel(*short), wanted, rtol=1e-13)


@pytest.mark.parametrize("backend", BACKENDS)
def test_other_threads_run_meanwhile(backend: str) -> None:
    kernel = rg.grad(steps, backend=backend)
    kernel(np.ones(5), 2)
    kernel(np.ones(50), 2)
    over, turns = threading.Event(), 0

    def count() -> None:
        nonlocal turns
        while not over.wait(0.001):
            turns += 1

    other = threading.Thread(target=count)
    other.start()
    begun = time.perf_counter()
    while time.perf_counter() - begun < 0.3:
        kernel(np.linspace(0.0, 1.0, 2000), 1500)
    over.set()
    other.join()
    assert turns > 20


@pytest.mark.parametrize("backend", BACKENDS)
def test_many_threads_run_one_kernel(backend: str) -> None:
    kernel, text = rg.value_and_grad(steps, backend=backend), rg.value_and_grad(steps)
    inputs = [np.linspace(0.1 * k, 1.0, 300 + 100 * (k % 3)) for k in range(12)]
    wanted = [text(x, 400) for x in inputs]
    kernel(inputs[0], 400)
    with ThreadPoolExecutor(6) as pool:
        for _ in range(2):
            for (value, slope), (v, s) in zip(
                pool.map(lambda x: kernel(x, 400), inputs), wanted, strict=True
            ):
                assert np.isclose(value, v, rtol=1e-12)
                assert np.allclose(slope, s, rtol=1e-12)


def of_list(xs, n):
    y = xs[0]
    for _ in range(n):
        y = np.sin(y) + 0.1 * xs[1]
    return np.sum(y)


@needs_c
def test_arrays_of_a_list_that_is_emptied_meanwhile() -> None:
    kernel = rg.grad(of_list, backend="c")
    xs = [np.linspace(0.0, 1.0, 4000), np.linspace(1.0, 2.0, 4000)]
    kernel(list(xs), 3000)  # it makes memory for large arrays
    wanted = kernel(list(xs), 3000)
    assert kernel.__native__.notes == []  # type: ignore[attr-defined]
    given = [x.copy() for x in xs]
    over = threading.Event()

    def empty() -> None:
        time.sleep(0.02)
        given.clear()
        while not over.wait(0.001):
            np.full(4000, np.nan)  # what was let go of is another's by now

    other = threading.Thread(target=empty)
    other.start()
    try:
        found = kernel(given, 3000)
    finally:
        over.set()
        other.join()
    assert given == []
    for a, b in zip(found, wanted, strict=True):
        assert np.array_equal(a, b)


def test_the_lock_is_kept_where_an_index_is_an_argument() -> None:
    """A place that was tested must stay what it is."""

    def of(*kinds: str) -> Kernel:
        views = tuple(plain_view(Buffer(f"a{k}", kind, ())) for k, kind in enumerate(kinds))
        return Kernel("f", [Items(views)], [], Constant(None))

    assert interrupt_polls.may_let_go(of("f8", "f4"))
    assert not interrupt_polls.may_let_go(of("f8", "i8"))
    assert not interrupt_polls.may_let_go(of("b1"))
    assert interrupt_polls.held_arrays(of("f8", "f4")) == 2
