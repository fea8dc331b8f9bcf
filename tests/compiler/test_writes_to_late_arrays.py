"""Writes to what a call gives that carries no derivative: whoever reads it later finds what was written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ..both_modes import agrees
from ..written import written

WRITES = {
    "out by name": "np.square(v, out=v)",
    "out by position": "np.add(v, 1.5, v)",
    "out of a reduction": "np.cumsum(v, axis=0, out=v)",
    "clipped": "np.clip(v, -0.5, 0.4, out=v)",
    "augmented": "v *= v",
    "an item": "v[0] = 2.0",
    "a slice": "v[1:] = v[:-1] * 2.0",
    "a mask": "v[v < 0.1] = 0.3",
    "through a view": "np.multiply(v[:2], 3.0, out=v[:2])",
    "through a view that has a name": "w = v[:2]\n    np.exp(w, out=w)",
    "sorted": "v.sort(axis=0)",
    "filled": "v.fill(1.5)",
    "copied to": "np.copyto(v, 2.0 * v)",
    "in a loop": "for k in range(3):\n        np.add(v, k, out=v)",
    "under a condition": "if v.sum() < 9.0:\n        np.square(v, out=v)",
}
USES = {
    "a product": ("y = np.sum(v * x)", "y + np.sum(late(v) * x)"),
    "a column": ("y = np.mean(v[:, None] * x[:, None], axis=0)", "np.sum(y / np.sum(late(v) ** 2))"),
    "parts that are written": ("y = x.copy()\n    y[1:] *= v[:2]", "np.sum(y * late(v)) + np.sum(y * y)"),
    "itself": ("y = np.sum(v * x)", "y * np.sum(v * x)"),
}  # fmt: skip
pytestmark = pytest.mark.usefixtures("unchecked")
MAKERS = {"given": "late(b)", "computed": "b - 0.5 * late(b)", "a matrix": "late(b[:, None])[:, 0]"}


def late(b: Any) -> Any:
    return eval("b * 1.0", {"b": b})


@pytest.mark.sampled(4)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("maker", MAKERS)
def test_later_reads_find_what_was_written(write: str, use: str, maker: str) -> None:
    before, after = USES[use]
    f = written(
        f"def f(x, b):\n    v = {MAKERS[maker]}\n    {before}\n    {WRITES[write]}\n    return {after}\n",
        late=late,
    )
    agrees(f, np.array([0.3, 0.7, 1.1]), np.array([0.5, -0.2, 0.9]))
