"""SciPy's public functions only look at what they are given, as the compiler believes: measured over all of them."""

from __future__ import annotations

import contextlib
import importlib
import io
import signal
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.effects import is_public_reader

from ..both_modes import agrees
from ..written import written

pytestmark = pytest.mark.usefixtures("unchecked")

PARTS = (
    "cluster.hierarchy", "cluster.vq", "fft", "fftpack", "integrate", "interpolate", "linalg", "optimize", "signal", "signal.windows", "spatial.distance", "special", "stats", "stats.contingency", "stats.mstats",
)  # fmt: skip
# Not ndimage's: some end the process, given what they do not take.
X = np.array([0.3, 1.7, 0.9, 2.2, 1.3, 0.4])
M = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.1]])
GIVEN: tuple[tuple[Any, ...], ...] = (
    (X,), (X, X[::-1]), (M,), (M, M[0]), (M, M), (X, 2), (M, 2), (X, 0.5), (2, X), (5, 0.3),
    (X, X[:3]), (X[:3], X), ([X, X[::-1]],), (X, X, X), (np.sort(X), X, 0.5), (X, 3, 1),
)  # fmt: skip


def readers(part: str) -> Iterator[Any]:
    module = importlib.import_module(f"scipy.{part}")
    for name in sorted(dir(module)):
        fn = getattr(module, name)
        if isinstance(fn, types.FunctionType) and is_public_reader(fn) and not name.startswith("_"):
            yield fn


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """No more than a second for a call."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("part", PARTS)
def test_nothing_is_written_to(part: str) -> None:
    pytest.importorskip(f"scipy.{part}")
    ran = 0
    for fn in readers(part):
        for given in GIVEN:
            args = [np.array(a) if isinstance(a, np.ndarray) else a for a in given]
            try:
                with limited():
                    fn(*args)
            except Exception:  # not the kinds of arguments that it takes
                continue
            ran += 1
            for before, after in zip(given, args, strict=True):
                if isinstance(before, np.ndarray):
                    assert before.tobytes() == after.tobytes(), (fn, given)
    assert ran > (3 if part in ("cluster.vq", "spatial.distance", "stats.contingency") else 10), ran


def test_what_only_decides_stays_a_call() -> None:
    stats = pytest.importorskip("scipy.stats")
    f = written(
        "def f(x):\n    return x @ x if stats.expectile(x) > 0.1 else np.sum(x)\n", stats=stats
    )
    agrees(f, X)
    assert "expectile(x)" in rg.differentiate(f).source("grad", X)


def test_what_has_outputs_is_no_reader() -> None:
    ndimage = pytest.importorskip("scipy.ndimage")
    linalg = pytest.importorskip("scipy.linalg")
    assert not is_public_reader(ndimage.median_filter)
    assert not is_public_reader(linalg.hessenberg)
    assert not is_public_reader(np.place)


def test_what_augments_a_parameter_is_no_reader() -> None:
    signal = pytest.importorskip("scipy.signal")
    assert not is_public_reader(signal.sweep_poly)
    assert is_public_reader(signal.hilbert)
