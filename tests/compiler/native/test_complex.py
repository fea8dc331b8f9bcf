"""Complex numbers and Fourier transforms in kernels."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.reader.all_handlers import complex_numbers
from retrograd.compiler.native.reader.handlers import FUNCTIONS
from retrograd.compiler.native.refusal import Unsupported
from tests.fuzz.complexes import program
from tests.fuzz.native import compared, same


def orbit(z, c):
    for _ in range(6):
        z = z * z + c
    return np.sum(np.abs(z) ** 2)


def wave(x, w):
    z = np.exp(1j * w * x)
    return np.sum(z.real * x + z.imag**2) + np.abs(np.sum(z)) + np.real(1.0 / (2.0 + z[0]))


def numbers(a, b):
    z = complex(a, b)
    for _ in range(3):
        z = z**3 / (2.0 + z) - z.conjugate()
    return abs(z) + z.real * z.imag


def matrices(x):
    a = x + 1j * x.T
    b = a @ np.conj(a).T
    return np.sum(np.real(b)) + np.sum(np.imag(b[0] * a[1]))


def chosen(x):
    z = np.where(x > 0.0, x * 1j, x + 0j)
    rows = np.stack([z, np.conj(z)]).reshape(-1)
    rows[1] = 2j * rows[0]
    return np.sum(np.abs(rows[::2]) * np.arange(len(rows[::2])))


def functions(x):
    z = x * (0.4 + 0.3j) + 1.2
    return np.sum(np.real(np.sqrt(z) + np.log(z) + np.sin(z) * np.cosh(z) + np.tanh(z) + z**2.5))


def filtered(x, k):
    return np.sum(np.real(np.fft.ifft2(np.fft.fft2(x) * k)) ** 2)


def half(x, h):
    y = np.fft.irfft(np.fft.rfft(x, axis=0, norm="ortho") * h[:, None], n=x.shape[0], axis=0)
    return np.sum(y**3)


def spectrum(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2 * np.arange(len(x)))


RNG = np.random.default_rng(8)


def z(*shape):
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


CASES = [
    (orbit, (0.1 * z(5), 0.1 * z(5))),
    (wave, (RNG.normal(size=7), 2.0)),
    (numbers, (0.3, 0.4)),
    (matrices, (RNG.normal(size=(3, 3)),)),
    (chosen, (RNG.normal(size=5),)),
    (functions, (RNG.normal(size=6),)),
    (filtered, (RNG.normal(size=(4, 6)), RNG.normal(size=(4, 6)))),
    (half, (RNG.normal(size=(9, 2)), RNG.normal(size=5))),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_one_kernel_with_the_numbers_of_the_text(case):
    fn, args = case
    wrt = tuple(range(len(args)))
    plain, kernel = (rg.value_and_grad(fn, wrt, backend=b) for b in (None, "c"))
    for _ in range(2):
        assert same(kernel(*args), plain(*args), 1e-11)
    assert kernel.__native__.notes == []


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 12, 35, 36, 64, 77, 128, 143, 1000])
def test_transforms_of_many_lengths(n):
    x = RNG.normal(size=n)
    kernel, plain = rg.grad(spectrum, backend="c"), rg.grad(spectrum)
    for given in (x, RNG.normal(size=n + 1), RNG.normal(size=97)):  # of other lengths, and a prime
        np.testing.assert_allclose(kernel(given), plain(given), rtol=1e-9, atol=1e-9 * n**2)


def test_complex_results_and_scalars():
    value, pull = rg.vjp(lambda a, b: a * np.exp(b), 1j, z(3), backend="c")
    assert value.dtype == complex
    bars, want = pull(np.ones(3) + 0j), rg.vjp(lambda a, b: a * np.exp(b), 1j, z(3))[1]
    assert type(bars[0]) is type(want(np.ones(3) + 0j)[0])


def test_an_order_of_complex_numbers_stays_numpy():
    def largest(x):
        return np.abs(np.max(x * (1 + 1j)))

    kernel = rg.grad(largest, backend="c")
    np.testing.assert_allclose(kernel(np.arange(3.0)), rg.grad(largest)(np.arange(3.0)))
    assert any("complex" in note for note in kernel.__native__.notes)


def test_what_does_not_know_complex_numbers_is_not_asked():
    number = complex_numbers.Scalar(complex_numbers.Lit(1j, "c16"))
    complex_numbers.check_taken(FUNCTIONS[np.sum], [number], {}, "np.sum")
    for taken in (FUNCTIONS[np.max], np.maximum, np.floor):
        with pytest.raises(Unsupported, match="of complex numbers"):
            complex_numbers.check_taken(taken, [number], {}, "it")


@pytest.mark.parametrize("seed", range(700, 706))
def test_random_programs(seed, monkeypatch):
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    outcome = compared(program(seed))
    assert outcome.verdict != "failed", outcome


def of_straight_lines(x):
    """Long straight lines of complex numbers, of which gcc 12 makes vectors of 64 bytes."""
    x = x.astype(complex)
    y = x - x[0]
    u = y[1] + 1j * x
    y = x + x
    for n in range(1, len(y)):
        y[n] += u[n]
    for _ in range(2):
        x = y * np.conj(x)
        u = np.abs(u)
    for _ in range(2):
        u = (x + 1j * u) * x
    out = np.sum(u[::-1] ** 3)
    return out.real


def test_straight_lines_of_complex_numbers():
    x = np.array([0.032, 0.917, -0.002, 0.648])
    wanted, kernel = rg.grad(of_straight_lines)(x), rg.grad(of_straight_lines, backend="c")
    for _ in range(3):
        np.testing.assert_allclose(kernel(x), wanted, rtol=1e-9)
