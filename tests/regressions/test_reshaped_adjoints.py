"""An adjoint that is no array in C order was written to through a reshaped copy of it."""

from __future__ import annotations

from typing import Any

import numpy as np

import retrograd as rg

W = np.arange(6.0).reshape(3, 2)


def flat(x: Any) -> Any:
    a = np.zeros((2, 3))
    a[:] = np.outer(x[:2], x)
    b = a.ravel()
    b[1] = x[0]
    return np.sum(a.T * W)


def folded(x: Any) -> Any:
    a = np.zeros((2, 3))
    a[:] = np.outer(x[:2], x)
    a.reshape(3, 2)[1] *= x[0]
    return np.sum((W @ a).T * a[0, 1])


def test_the_write_is_not_lost() -> None:
    x = np.array([0.3, 0.2, 0.5])
    np.testing.assert_allclose(rg.grad(flat)(x), [4.2, 4.0, 2.2])
    for f in (flat, folded):
        rg.check_grads(f, (x,), order=2)
