"""Arguments on the tape lie as the caller's do: what is a view of them, and what a copy, is as in the plain function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.memory_layout import copy_as_it_lies

pytestmark = [
    pytest.mark.usefixtures("taped"),
    pytest.mark.usefixtures("unchecked"),
    pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning"),
]
BASE = np.linspace(0.3, 2.0, 24).reshape(4, 6)
LAYOUTS = {
    "C": BASE[:2, :3].copy(), "F": np.asfortranarray(BASE[:2, :3]), "strided": BASE[::2, ::2], "reversed": BASE[1::-1, 2::-1],
    "transposed": BASE.T[:2, :3], "column": BASE[:2, 1:2], "row": BASE[1:2, :3], "broadcast": np.broadcast_to(BASE[0, :3], (2, 3)),
}  # fmt: skip
NEW = [
    "x * 1.0",
    "np.array(x)",
    "np.copy(x)",
    "np.exp(x)",
    "x.copy('K')",
    "x.astype(float)",
    "x.T * 1.0",
    "np.zeros_like(x) + x",
]
VIEWS = ["y.ravel()", "y.T.reshape(-1)", "y.ravel('F')"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_copy_lies_as_the_array_does(layout: str) -> None:
    x = LAYOUTS[layout]
    found = copy_as_it_lies(x)
    np.testing.assert_array_equal(found, x)
    assert [s for s, n in zip(found.strides, x.shape, strict=True) if n > 1] == [
        s for s, n in zip(x.strides, x.shape, strict=True) if n > 1
    ]
    assert not np.shares_memory(found, x)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("new", NEW)
def test_views_on_the_tape(new: str, view: str, layout: str) -> None:
    scope: dict[str, Any] = {"np": np}
    body = f"    y = {new}\n    z = {view}\n    z[1] = 5.0\n    return np.sum(y * y * np.arange(1.0 * y.size).reshape(y.shape)) + z[-1]\n"
    exec(f"def f(x):\n{body}", scope)  # no text to compile: it runs on the tape
    f, x = scope["f"], LAYOUTS[layout]
    value, bar = rg.differentiate(f).value_and_grad(x)
    assert value == f(x)
    if 0 in x.strides:  # nothing beside it lies as it does
        return
    d = np.cos(np.arange(1.0 * x.size)).reshape(x.shape)
    slope = (f(shifted(x, d, 1e-6)) - f(shifted(x, d, -1e-6))) / 2e-6
    np.testing.assert_allclose(np.sum(bar * d), slope, rtol=1e-6)


def shifted(x: Any, d: Any, h: float) -> Any:
    """``x + h * d``, lying as ``x`` does."""
    found = copy_as_it_lies(x)
    found += h * d
    return found
