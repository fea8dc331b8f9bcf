"""A name that one attempt at a loop finds, twice, not to be carried: refused with a line, not a failure of ours."""

import numpy as np
import pytest

import retrograd as rg


def shared_with_itself(x, u):
    grad = np.ones(4)
    range_ = grad
    grad[-1] = x
    if np.ones(3).max() <= -0.3:
        range_ = np.hypot(np.ones(4), x)
    for _, _ in zip(grad, grad, strict=True):
        grad = grad
        range_[1] *= 0.5 * abs(range_[u % 4])
    range_[-2] *= grad.min()
    return grad.sum()


def test_it_is_refused() -> None:
    with pytest.raises(rg.errors.MutationError, match="share memory"):
        rg.grad(shared_with_itself, strict=True)(0.232, 3)
