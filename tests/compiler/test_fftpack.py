"""The transforms of ``scipy.fftpack``: values and slopes, in both modes and to second order."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import fftpack
from scipy.fftpack import fft

import retrograd as rg
from retrograd.runtime.tape.calls import taped

X = np.array([[0.3, 1.2, -0.7, 2.1], [1.1, 0.4, 0.9, -0.2], [0.5, 0.8, 1.6, 0.1]])
PROGRAMS = {
    "fft": lambda x: np.sum(np.abs(fft(x)) ** 2 * np.arange(4.0)),
    "length": lambda x: np.sum(np.abs(fft(x, 6)) ** 2 * np.arange(6.0)),
    "axis": lambda x: np.sum(np.abs(fftpack.fft(x, axis=0)) ** 2 * x),
    "memory": lambda x: np.sum(np.abs(fftpack.fft(x * x, overwrite_x=True)) ** 2 * x),
    "ifft": lambda x: np.sum(fftpack.ifft(x * x, n=3).real ** 2 * np.arange(3.0)),
    "there and back": lambda x: np.sum(fftpack.ifft(fftpack.fft(x) * x).real ** 3),
    "fft2": lambda x: np.sum(fftpack.fft2(x).imag ** 2 * x),
    "ifft2": lambda x: np.sum(fftpack.ifft2(x * x, shape=(3, 5)).real ** 2),
    "fftn": lambda x: np.sum(fftpack.fftn(x, axes=(0,)).real ** 2 * x),
    "ifftn": lambda x: np.sum(fftpack.ifftn(x).real ** 3),
    "shift": lambda x: np.sum(np.abs(fftpack.fftshift(fft(x))) ** 2 * np.arange(4.0)),
} | {
    f"{name} {type} {norm}": (
        lambda x, name=name, type=type, norm=norm: np.sum(
            getattr(fftpack, name)(x, type, norm=norm) ** 2 * x
        )
    )
    for name in ("dct", "idct", "dst", "idst")
    for type in (1, 2, 3, 4)
    for norm in (None, "ortho")
}


def slopes(f, x):
    steps = 1e-5 * np.eye(x.size).reshape(-1, *x.shape)
    return np.array([(f(x + s) - f(x - s)) / 2e-5 for s in steps]).reshape(x.shape)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_differentiated(name):
    f = PROGRAMS[name]
    value, gradient = rg.value_and_grad(f, strict=True)(X)
    assert value == pytest.approx(f(X), rel=1e-13)
    np.testing.assert_allclose(gradient, slopes(f, X), rtol=1e-6, atol=1e-6)
    v = np.cos(np.arange(12.0)).reshape(3, 4)
    assert rg.jvp(f, (X,), (v,))[1] == pytest.approx(np.sum(gradient * v))
    ahead, behind = (rg.grad(f)(X + s * v) for s in (1e-5, -1e-5))
    np.testing.assert_allclose(rg.hvp(f, (X,), v), (ahead - behind) / 2e-5, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["fft", "there and back", "fft2"])
def test_on_the_tape(name):
    f = PROGRAMS[name]
    np.testing.assert_allclose(taped(f, X)[1](1.0), slopes(f, X), rtol=1e-6, atol=1e-6)
