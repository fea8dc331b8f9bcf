"""Views of an array of rank 0: its cotangent may be a number, which is no array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..written import written

VIEWS = [
    "a.T", "a.T.T", "a.transpose()", "np.transpose(a)", "a.real", "a.conj().T", "a.reshape(())", "a.squeeze()", "a[()]", "a[...].T",
    "a.ravel()[0]", "a[None][0]", "np.atleast_2d(a).T[0, 0]", "np.expand_dims(a, 0).T[0]", "a.astype(float).T", "np.asarray(a).T",
    "a.view().T", "np.broadcast_to(a, ()).T", "np.squeeze(a.T)", "a.swapaxes(0, 0) if a.ndim else a.T",
]  # fmt: skip


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", [float, np.float64, np.array])
def test_the_derivative_of_a_view(view: str, kind: Any) -> None:
    f = written(f"def f(x):\n    a = np.array(x)\n    return {view} * 3\n")
    g = written(f"def f(x):\n    a = np.array(x)\n    return {view}\n")
    x, one = kind(1.5), kind(1.0)
    assert rg.grad(f, strict=True)(x) == 3.0
    assert rg.vjp(rg.differentiate(strict=True)(g), x)[1](1.0) == (1.0,)
    assert rg.jvp(f, (x,), (one,), strict=True)[1] == 3.0
    assert (
        rg.grad(rg.grad(written(f"def f(x):\n    a = np.array(x) ** 2\n    return {view} * 3\n")))(
            1.5
        )
        == 6.0
    )
