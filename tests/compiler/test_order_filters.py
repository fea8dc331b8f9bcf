"""Filters of ``scipy.ndimage`` that take the least or the largest of a window, as programs of NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.replacements import images

X = np.array([0.3, 1.7, -0.6, 0.9, 2.2, 0.1, -1.3, 0.8])
M = np.random.default_rng(4).normal(size=(5, 6))
FILTERS = [name for name in images.__all__ if name != "map_coordinates"]


def slopes(f, x):
    steps = 1e-6 * np.eye(x.size).reshape(-1, *x.shape)
    return np.array([(f(x + s) - f(x - s)) / 2e-6 for s in steps]).reshape(x.shape)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("mode", ["reflect", "nearest", "mirror", "wrap", "constant"])
def test_the_program_is_the_filter(name, mode):
    given, ours = getattr(ndimage, name), getattr(images, name)
    for x, size in ((X, 3), (X, 4), (M, 3), (M, (2, 5)), (M, [4, 1])):
        np.testing.assert_array_equal(
            ours(x, size, mode=mode, cval=0.2), given(x, size, mode=mode, cval=0.2)
        )


@pytest.mark.parametrize("name", FILTERS)
def test_it_is_differentiated(name):
    given = getattr(ndimage, name)
    programs = {
        "row": (lambda x: np.sum(given(x, 3) ** 2 * x), X),
        "even": (lambda x: np.sum(given(x * x, size=4, mode="nearest") * np.arange(8.0)), X),
        "image": (lambda x: np.sum(np.sin(given(x, (3, 2))) * x), M),
        "list": (lambda x: np.sum(given(x, [3] * x.ndim) * x), M),
    }
    for f, x in programs.values():
        gradient = rg.grad(f, strict=True)(x)
        np.testing.assert_allclose(gradient, slopes(f, x), rtol=1e-6, atol=1e-8)
        v = np.cos(np.arange(x.size)).reshape(x.shape)
        assert rg.jvp(f, (x,), (v,))[1] == pytest.approx(np.sum(gradient * v))
        second = (rg.grad(f)(x + 1e-6 * v) - rg.grad(f)(x - 1e-6 * v)) / 2e-6
        np.testing.assert_allclose(rg.hvp(f, (x,), v), second, rtol=1e-5, atol=1e-6)


def smoothed(x, half):
    for k in range(1, half + 1):
        opened = ndimage.grey_opening(x, [2 * k + 1] * x.ndim)
        x = np.minimum(x, 0.5 * (opened + x))
    return np.sum(x * x)


def test_windows_that_only_the_run_knows():
    gradient = rg.grad(smoothed, strict=True)
    for half in (1, 2, 3):
        np.testing.assert_allclose(
            gradient(X, half),
            slopes(lambda x, half=half: smoothed(x, half), X),
            rtol=1e-6,
            atol=1e-8,
        )


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(ndimage.minimum_filter(x, footprint=np.array([1, 0, 1]))),
        lambda x: np.sum(ndimage.grey_dilation(x, structure=np.ones(3))),
        lambda x: np.sum(ndimage.maximum_filter(x, 3, origin=1)),
        lambda x: np.sum(ndimage.grey_opening(x, 3, output=np.empty(8))),
    ],
)
def test_what_is_not_taken_is_refused(f):
    with pytest.raises((RetrogradError, TypeError)):
        rg.grad(f, strict=True)(X)
