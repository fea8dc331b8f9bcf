"""What is complex from a real argument is complex in its adjoint: roots of negative numbers, spectra, transforms."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import fft as scipy_fft

import retrograd as rg

Function = Callable[[Any], Any]


def augmented(x):
    y = -x
    y **= 0.5
    return y.imag


def in_a_loop(x):
    total = 0.0
    for k in range(3):
        total = total + ((k - x) ** 0.5).imag
    return total


def helped(x):
    return abs(root(x - 3.0))


def root(v):
    return v**0.3


NUMBERS: dict[str, Function] = {
    "modulus": lambda x: abs((-x) ** 0.5),
    "imaginary part": lambda x: ((-x) ** 1.5).imag,
    "real part": lambda x: ((x - 2.0) ** 0.3).real,
    "both": lambda x: ((x - 2.0) ** 0.3).real + 2.0 * ((x - 2.0) ** 0.3).imag,
    "np.real": lambda x: np.real((x - 2.0) ** -0.3) + np.abs((x - 2.0) ** 0.3),
    "pow": lambda x: abs(pow(-x, 0.5)),
    "squared": lambda x: ((-x) ** 0.75 * (-x) ** 0.75).imag,
    "augmented": augmented,
    "in a loop": in_a_loop,
    "in a helper": helped,
    "complex": lambda x: abs(complex(x, 0.5) ** 0.5),
    "cmath": lambda x: abs(cmath.sqrt(-x)) + cmath.log(-x).real + cmath.acos(x + 1.0).imag,
    "polar": lambda x: cmath.exp(1j * x).imag + cmath.phase(cmath.rect(1.0, x)),
}

A = np.array([[0.5, 2.0, 0.1], [-1.5, 0.4, 0.3], [0.2, -0.7, 1.1]])
V = np.array([-0.7, 1.3, -2.1])

ARRAYS: dict[str, tuple[Function, Any]] = {
    "eigvals": (lambda x: np.linalg.eigvals(x), A),
    "eig": (lambda a: np.linalg.eig(a)[1] * np.linalg.eig(a)[0], A),
    "fft": (lambda x: np.fft.fft(x), V), "ifft": (lambda x: np.fft.ifft(x), V), "rfft": (lambda x: np.fft.rfft(x), V), "ihfft": (lambda x: np.fft.ihfft(x), V),
    "fft2": (lambda x: np.fft.fft2(x), A), "fftn": (lambda x: np.fft.fftn(x), A), "rfft2": (lambda x: np.fft.rfft2(x), A), "rfftn": (lambda x: np.fft.rfftn(x), A),
    "scipy.fft": (lambda x: scipy_fft.fft(x) + scipy_fft.ifft(x), V),
    "astype": (lambda x: x.astype(complex) ** 0.5, V), "times 1j": (lambda x: 1j * x * x, V),
    "power of complex": (lambda x: (x + 0j) ** 0.3, V), "exponent": (lambda x: (0.3 - 0.5j) ** x, V),
    "scaled root": (lambda x: np.float64(3.0) * (x - 2.0) ** 0.3, 1.3),
    "root": (lambda x: (x - 2.0) ** 0.3, 1.3),
    "where": (lambda x: np.where(x > 0, x, 1j * x), V), "stack": (lambda x: np.stack([x, 1j * x]), V),
    "complex exponent": (lambda x: np.exp(1j * x) / (1 + 2j * x), V),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_real_functions_of_complex_roots(name: str) -> None:
    f, x, h = NUMBERS[name], 1.3, 1e-6
    slope = (f(x + h) - f(x - h)) / (2 * h)
    gradient = rg.grad(f)(x)
    assert isinstance(gradient, float)
    assert gradient == pytest.approx(slope, rel=1e-7, abs=1e-9)
    assert rg.jvp(f, (x,), (1.0,))[1] == pytest.approx(slope, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("name", ARRAYS)
def test_complex_cotangents_of_real_arguments(name: str) -> None:
    f, x = ARRAYS[name]
    rng = np.random.default_rng(0)
    v = rng.standard_normal(np.shape(x)) if np.shape(x) else 0.7
    h = 1e-6
    pushed = (f(x + h * v) - f(x - h * v)) / (2 * h)
    np.testing.assert_allclose(rg.jvp(f, (x,), (v,))[1], pushed, rtol=1e-6, atol=1e-8)
    value, pull = rg.vjp(f, x)
    for turn in (1.0, 1j, 0.6 - 0.8j):
        c = turn * rng.standard_normal(np.shape(value)) if np.shape(value) else turn
        bar = pull(c)[0]
        assert np.isrealobj(bar)
        slope = np.sum(np.real(np.conj(c) * pushed))
        assert np.sum(bar * v) == pytest.approx(slope, rel=1e-6, abs=1e-8)
