"""The functions of numbers that are timed have the derivatives that differences show, as text and in C."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

import retrograd as rg
from benchmarks.floats import cells, flat
from retrograd.runtime.objects.pytree import leaves

CELLS = [(kind, *cell) for kind, found in cells().items() for cell in found]
ALL = pytest.mark.parametrize(
    ("kind", "name", "f", "args"), CELLS, ids=[f"{kind} {name}" for kind, name, *_ in CELLS]
)


@ALL
def test_the_text_is_right(kind: str, name: str, f: Callable[..., Any], args: Any) -> None:
    rg.check_grads(f, args)


@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="needs a C compiler")
@ALL
def test_c_gives_what_the_text_gives(
    kind: str, name: str, f: Callable[..., Any], args: Any
) -> None:
    wrt = tuple(range(len(args)))
    in_c, text = rg.value_and_grad(f, wrt, backend="c"), rg.value_and_grad(f, wrt)
    for _ in range(2):
        found, want = in_c(*args), text(*args)
        assert [type(x) for x in leaves(found)] == [type(x) for x in leaves(want)]
        for a, b in zip(flat(found), flat(want), strict=True):
            np.testing.assert_allclose(
                a, b, rtol=1e-9, atol=1e-12 * float(np.abs(b).max(initial=0))
            )
