"""The largest of windows, and products with windows, are what going over the windows one by one gives."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

ENTRIES = {
    "ties": lambda rng: rng.integers(0, 3, (2, 9, 8)).astype(float),
    "none is a number": lambda rng: np.full((2, 9, 8), np.nan),
    "some are no numbers": lambda rng: np.where(rng.random((2, 9, 8)) < 0.1, np.nan, 1.0),
    "infinite": lambda rng: np.where(rng.random((2, 9, 8)) < 0.5, -np.inf, 0.0),
}  # fmt: skip


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("entries", ENTRIES)
def test_largest(torch: Any, entries: str, stride: int) -> None:
    x = ENTRIES[entries](np.random.default_rng(0))
    values, places = torch.nn.functional.max_pool2d(
        torch.tensor(x)[None], 3, stride, return_indices=True
    )
    flat = np.arange(72).reshape(9, 8)
    for c, i, j in itertools.product(*map(range, values[0].shape)):
        cut = np.s_[i * stride : i * stride + 3, j * stride : j * stride + 3]
        window, numbers = x[c][cut].ravel(), flat[cut].ravel()
        best = window.argmax()  # the first of several, or the first that is no number
        np.testing.assert_array_equal(values[0, c, i, j].item(), window[best])
        if entries != "none is a number":  # which of them is PyTorch's own business
            assert np.isnan(window[best]) or places[0, c, i, j].item() == numbers[best]


@pytest.mark.parametrize("dilation", [1, 2])
@pytest.mark.parametrize("stride", [1, 2])
def test_products(torch: Any, stride: int, dilation: int) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((2, 3, 11)), rng.standard_normal((4, 3, 3))
    given = [torch.tensor(v, requires_grad=True) for v in (x, w)]
    z = torch.nn.functional.conv1d(*given, stride=stride, dilation=dilation)
    c = rng.standard_normal(tuple(z.shape))
    z.backward(torch.tensor(c))
    x_bar, w_bar = np.zeros_like(x), np.zeros_like(w)
    for n, o, k in itertools.product(*map(range, z.shape)):
        cut = np.s_[:, k * stride : k * stride + 2 * dilation + 1 : dilation]
        assert z[n, o, k].item() == pytest.approx((x[n][cut] * w[o]).sum())
        x_bar[n][cut] += c[n, o, k] * w[o]
        w_bar[o] += c[n, o, k] * x[n][cut]
    np.testing.assert_allclose(given[0].grad.numpy(), x_bar)
    np.testing.assert_allclose(given[1].grad.numpy(), w_bar)
