"""Loops that threads share: which ones, that nothing depends on how many there are, and what may go wrong."""

from __future__ import annotations

import copy
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native import thread_count
from retrograd.compiler.native.c import shared_library, toolchain
from tests.fuzz.native import same
from tests.threads import everything_shared, one_thread

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)

RNG = np.random.default_rng(0)
N = 41
X = RNG.normal(size=N)
PLACES = RNG.integers(0, N, N)
W = RNG.normal(size=(N, N + 3))
SHARE = "rg_share(run_part_"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    before = rg.get_num_threads()
    yield
    rg.set_num_threads(before)


# -- loops that may be shared ------------------------------------------------------------


def elementwise(x: Any, places: Any) -> Any:
    return np.sum(np.sin(x) * np.exp(-x * x))


def scattered(x: Any, places: Any) -> Any:
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[places[i]] += np.sin(x[i])
    return np.sum(out * out)


def gathered(x: Any, places: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        total += x[places[i]] * x[i]
    return total


def binned(x: Any, places: Any) -> Any:
    bins = np.zeros(8)
    for i in range(x.shape[0]):
        bins[places[i] % 8] += np.exp(x[i])
    return np.sum(bins**2)


def skipped(x: Any, places: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            continue
        total += x[i] ** 3
    return total


def halved(x: Any, places: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        y = x[i] * x[i] + 3.0
        while y > 1.0:
            y = y * 0.5
        total += y
    return total


def pairs(x: Any, places: Any) -> Any:
    """An energy that each iteration hands on: the sum of all."""
    energy = 0.0
    for i in range(x.shape[0]):
        energy = energy - 0.1 * x[i]
        for j in range(i):
            energy = energy + 1.0 / (1.0 + (x[i] - x[j]) ** 2)
    return energy


def triangle(x: Any, places: Any) -> Any:
    """The first inner loop has no iteration: the number stays Python's till the second."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            d = x[i] - x[j]
            total += 1.0 / (1.0 + d * d)
    return total


def rooms(w: Any, places: Any) -> Any:
    """Memory of each iteration, more than fits the stack and less."""
    total = 0.0
    for i in range(w.shape[0]):
        e = np.exp(w[i] - np.max(w[i]))
        p = e / np.sum(e)
        few = np.zeros(3)
        for k in range(3):
            few[k] = p[k] * p[k + 1]
        total += few[0] * few[1] + few[2] + np.sum(p * p)
    return total


SHARED: list[tuple[Callable[..., Any], Any]] = [
    *((f, X) for f in (elementwise, scattered, gathered, binned, skipped, halved, pairs, triangle)),
    (rooms, W),
]  # fmt: skip


# -- loops that may not ------------------------------------------------------------------


def recurrent(x: Any, places: Any) -> Any:
    u = x.copy()
    for i in range(1, x.shape[0]):
        u[i] = u[i] + 0.5 * u[i - 1]
    return u[-1]


def handed_on(x: Any, places: Any) -> Any:
    total, s = 0.0, 1.0
    for i in range(x.shape[0]):
        total = total + s * x[i]
        s = np.cos(x[i] * s)
    return total


def multiplied(x: Any, places: Any) -> Any:
    found = 1.0
    for i in range(x.shape[0]):
        found *= 1.0 + 0.1 * x[i]
    return found


def left_early(x: Any, places: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] > 1.5:
            break
        total += x[i] ** 2
    return total


def overwritten(x: Any, places: Any) -> Any:
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[places[i]] = x[i] * x[i]
    return out[3] * out[5]


def prefixes(w: Any, places: Any) -> Any:
    seen, total = np.zeros(w.shape[1]), 0.0
    for i in range(w.shape[0]):
        seen += w[i]
        total += seen[0] * seen[1]
    return total


APART: list[tuple[Callable[..., Any], Any]] = [
    *((f, X) for f in (recurrent, handed_on, multiplied, left_early, overwritten)),
    (prefixes, W),
]


def kernels() -> list[str]:
    """The C of the kernels in the cache, without what is the same in all."""
    found = (Path(os.environ["RETROGRAD_CACHE"]) / "native").glob("k_*.c")
    texts = (path.read_text() for path in found)
    return [text.partition("/* Room is made")[2] for text in texts if "rg_entry(" in text]


def text() -> str:
    return "".join(kernels())


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("function", "x"), [*SHARED, *APART])
def test_numbers_do_not_depend_on_the_threads(function: Any, x: Any) -> None:
    wanted = rg.value_and_grad(function)(x.copy(), PLACES)
    with everything_shared(count=4):
        gradient = rg.value_and_grad(function, backend="c")
        gradient(x, PLACES)
        assert gradient.__native__.notes == []  # type: ignore[attr-defined]
        found = gradient(x, PLACES)
        with one_thread():
            alone = gradient(x, PLACES)
    assert same(found, wanted, 1e-12), (found, wanted)
    assert same(found, alone, 0.0)


@pytest.mark.parametrize(("function", "x"), SHARED)
def test_loops_that_are_shared(function: Any, x: Any) -> None:
    with everything_shared():
        rg.value_and_grad(function, backend="c")(x, PLACES)
    c = text()
    assert SHARE in c


@pytest.mark.parametrize(("function", "x"), APART)
def test_loops_that_are_not(function: Any, x: Any) -> None:
    """The function's own loop: what is around it may be shared."""
    with everything_shared():
        kernel = rg.grad(function, backend="c")
        kernel(x, PLACES)
    c = text()
    forward = next(line for line in c.splitlines() if line.strip().startswith("for (int64_t k"))
    assert "part" not in forward, forward


def test_an_index_out_of_range_in_a_part() -> None:
    with everything_shared():
        gradient = rg.grad(gathered, backend="c")
        gradient(X, PLACES)
        assert "goto end_of_part" in text()
        wrong = PLACES.copy()
        wrong[17] = 1000
        with pytest.raises(IndexError, match="1000"):
            gradient(X, wrong)
        wrong[17] = -3  # this is none
        np.testing.assert_allclose(gradient(X, wrong), rg.grad(gathered)(X, wrong))


def test_short_loops_are_left_alone() -> None:
    x = RNG.normal(size=500)
    alone = rg.value_and_grad(elementwise, backend="c")(x, PLACES)
    rg.set_num_threads(3)
    gradient = rg.value_and_grad(elementwise, backend="c")
    assert same(gradient(x, PLACES), alone, 1e-13)
    assert "if ((parts_1 > 1)) {" in text()


def test_a_long_loop_is_shared_without_being_asked() -> None:
    x = RNG.normal(size=200_000)
    wanted = rg.value_and_grad(elementwise)(x, PLACES)
    rg.set_num_threads(2)
    gradient = rg.value_and_grad(elementwise, backend="c")
    gradient(x, PLACES)
    found = gradient(x, PLACES)
    assert SHARE in text()
    assert same(found, wanted, 1e-12)
    with one_thread():
        assert same(gradient(x, PLACES), found, 0.0)


# -- how many ----------------------------------------------------------------------------


def test_kernels_are_made_anew_for_threads() -> None:
    def loss(x: Any) -> Any:
        return np.sum(np.tanh(x) ** 2)

    gradient = rg.grad(loss, backend="c")
    x = RNG.normal(size=100)
    gradient(x)
    wanted = gradient(x)
    assert len(kernels()) == 1
    rg.set_num_threads(2)
    np.testing.assert_allclose(gradient(x), wanted, rtol=1e-12)
    assert len(kernels()) == 2
    rg.set_num_threads(3)  # the same kernel
    np.testing.assert_allclose(gradient(x), wanted, rtol=1e-12)
    rg.set_num_threads(1)
    np.testing.assert_allclose(gradient(x), wanted, rtol=1e-12)
    assert len(kernels()) == 2
    assert sum(SHARE in c for c in kernels()) == 1


@pytest.mark.parametrize("wrong", [0, -1, 2.0, "2", None, True, 10**6])
def test_no_number_of_threads(wrong: Any) -> None:
    with pytest.raises(
        rg.errors.SignatureMismatch, match="a number of threads is an integer from 1"
    ):
        rg.set_num_threads(wrong)
    assert rg.get_num_threads() == 1


@pytest.mark.parametrize(("text", "wanted"), [("3", 3), ("", None), ("many", None), ("0", None)])
def test_the_environment(text: str, wanted: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(thread_count.VARIABLE, text)
    if wanted is None:
        with pytest.raises(rg.errors.SignatureMismatch, match=thread_count.VARIABLE):
            thread_count.wanted()
    else:
        assert thread_count.wanted() == wanted


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_goes_on_alone() -> None:
    """Threads do not survive a fork; a process that waited for them would wait for ever."""
    program = """
import os, sys
import numpy as np
import retrograd as rg
from tests.compiler.native.test_threads import elementwise

rg.set_num_threads(3)
x = np.linspace(-2.0, 2.0, 200_000)
gradient = rg.grad(elementwise, backend="c")
gradient(x, None)  # makes the kernel
wanted = gradient(x, None)
child = os.fork()
if not child:
    same = np.array_equal(gradient(x, None), wanted) and rg.get_num_threads() == 1
    rg.set_num_threads(2)  # threads of its own
    gradient(x, None)
    same = same and np.array_equal(gradient(x, None), wanted)
    os._exit(0 if same else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", program], timeout=120, check=False)
    assert done.returncode == 0


def test_a_compiler_without_threads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "simple_cc"
    path.write_text(
        '#!/bin/sh\nfor a in "$@"; do\n  if [ "$a" = -pthread ]; then echo no >&2; exit 1; fi\n'
        f'done\nexec {shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")} "$@"\n'
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("CC", str(path))
    monkeypatch.setattr(shared_library, "LIBRARY", [])
    for known in (toolchain.compiler, toolchain.stamp):
        known.cache_clear()
    try:
        with everything_shared():
            gradient = rg.value_and_grad(scattered, backend="c")
            gradient(X, PLACES)
            found = gradient(X, PLACES)
        assert shared_library.known() is None and SHARE in text()
        rg.empty_cache()
    finally:
        for known in (toolchain.compiler, toolchain.stamp):
            known.cache_clear()
    assert same(found, rg.value_and_grad(scattered)(X, PLACES), 1e-12)


def test_calls_from_several_threads() -> None:
    x = RNG.normal(size=200_000)
    rg.set_num_threads(3)
    gradient = rg.value_and_grad(elementwise, backend="c")
    gradient(x, PLACES)
    wanted = gradient(x, PLACES)
    with ThreadPoolExecutor(4) as callers:
        found = list(callers.map(lambda _: gradient(x, PLACES), range(40)))
    assert all(same(f, wanted, 0.0) for f in found)


def test_many_short_jobs() -> None:
    """Threads that come late, go to sleep and wake up."""
    x = RNG.normal(size=3000)
    with everything_shared(count=4):
        gradient = rg.value_and_grad(elementwise, backend="c")
        gradient(x, PLACES)
        wanted = gradient(x, PLACES)
        for k in range(400):
            thread_count.COUNT.value = 1 + k % 5
            assert same(gradient(x, PLACES), wanted, 0.0)
            if k % 40 == 0:
                time.sleep(0.002)


@pytest.mark.slow
@pytest.mark.parametrize(("function", "x"), [(gathered, X), (rooms, W)])
def test_numba(function: Any, x: Any) -> None:
    pytest.importorskip("numba")
    wanted = rg.value_and_grad(function)(copy.copy(x), PLACES)
    with everything_shared(count=2):
        gradient = rg.value_and_grad(function, backend="numba")
        gradient(x, PLACES)
        found = gradient(x, PLACES)
        assert gradient.__native__.notes == []  # type: ignore[attr-defined]
        with one_thread():
            alone = gradient(x, PLACES)
        if function is gathered:
            wrong = PLACES.copy()
            wrong[17] = 1000
            with pytest.raises(IndexError, match="1000"):
                gradient(x, wrong)
    assert same(found, wanted, 1e-12)
    assert same(found, alone, 0.0)
