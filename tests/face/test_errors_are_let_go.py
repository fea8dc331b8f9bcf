"""An error that has been dealt with leaves nothing behind: no frame that holds the exception it is in the traceback of."""

from __future__ import annotations

import contextlib
import gc
import shutil
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def beyond(x, k):
    return x[k - 4] * np.sum(x)


def refused_by_itself(x, k):
    if k > 5:
        raise ValueError("too large")
    return np.sum(x * k)


def of_floats(x, k):
    return float(np.sum(x)) / (7.0 - k)


def not_compiled(x, k):
    return np.sum(x) + eval("k")


def unequal_sizes(x, k):
    return np.sum(x + np.ones(k))


FUNCTIONS = [beyond, refused_by_itself, of_floats, not_compiled, unequal_sizes]
DERIVATIVES: dict[str, Callable[[Any], Any]] = {
    "grad": rg.grad,
    "value_and_grad": rg.value_and_grad,
    "vjp": lambda f: lambda *args: rg.vjp(f, *args),
    "jvp": lambda f: lambda x, k: rg.jvp(f, (x, k), (np.ones_like(x), 0.0)),
    "hessian": rg.hessian,
    "decorated": lambda f: rg.differentiate(f).grad,
    "tape": lambda f: rg.differentiate(f, fallback="tape").grad,
    "c": lambda f: rg.grad(f, backend="c"),
}


@pytest.fixture(autouse=True)
def collector_is_quiet() -> Iterator[None]:
    gc.collect()
    gc.freeze()  # what was there before is nothing that the test left behind
    gc.disable()
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("how", DERIVATIVES)
@pytest.mark.parametrize("f", FUNCTIONS)
def test_no_frame_is_left(f: Any, how: str) -> None:
    if how == "c" and not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no compiler")
    derivative = DERIVATIVES[how](f)
    for k in (4, 7):
        called(derivative, k)
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    for k in (4, 7, 7, 1000):
        called(derivative, k)
    gc.collect()
    names = [x.f_code.co_qualname for x in gc.garbage if isinstance(x, FrameType)]
    assert names == []


def called(derivative: Callable[..., Any], k: int) -> None:
    with contextlib.suppress(
        IndexError, ValueError, ArithmeticError, TypeError, rg.RetrogradError, NameError
    ):
        derivative(np.arange(1.0, 5.0), k)
