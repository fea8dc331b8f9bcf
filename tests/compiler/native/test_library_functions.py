"""Functions of NumPy in kernels: compiled as a whole, with NumPy's numbers."""

import shutil

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


def wrapped(x, box):
    d = x - box * np.round(x / box)
    return np.sum(d * d * d)


def in_decimals(x, box):
    return np.sum(np.round(x, 2) * x + np.around(x * box, -1) * x + x.round(3) * box)


def in_waves(x, box):
    k = 2 * np.pi * np.fft.fftfreq(x.shape[0])
    q = np.fft.rfftfreq(x.shape[0], d=box)
    return np.sum(np.exp(-k * k) * x) + np.sum(q * x[: len(q)] ** 2)


def beside(x, box):
    m = np.reshape(np.outer(x, x), (x.shape[0], -1))
    return np.sum(np.hstack((m * box, x[:, None], m)) ** 2) + np.sum(np.hstack((x, x * box)) ** 3)


def stacked(x, box):
    m = np.outer(x, x)
    return np.sum(np.vstack((m, x * box, m * m)) ** 2) + np.sum(np.column_stack((x, m, x)) ** 3)


@pytest.mark.parametrize("loss", [wrapped, in_decimals, in_waves, beside, stacked])
@pytest.mark.parametrize("n", [3, 8, 21])
def test_as_numpy_has_it(loss, n, tmp_path, monkeypatch):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    x = np.random.default_rng(n).normal(size=n)
    x[0] = 2.5
    made = rg.value_and_grad(loss, (0, 1), backend="c")
    for _ in range(2):
        got, want = made(x, 1.3), rg.value_and_grad(loss, (0, 1))(x, 1.3)
        np.testing.assert_allclose(got[0], want[0], rtol=1e-12)
        for one, other in zip(got[1], want[1], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)
    assert [part.why for part in made.__native__.parts() if not part.compiled] == []


def self_energies(re, im, d, where, total):
    """Complex numbers that are added to an argument, matrix by matrix, at places of a table."""
    G = re + 1j * im
    for k in range(G.shape[0]):
        for a in range(where.shape[0]):
            for b in range(where.shape[1]):
                if k - b >= 0:
                    total[k, a] += (G[k - b, where[a, b]] @ d[a, b]) @ (d[a, b] * (2.0 + G[k, a]))
    return np.sum(total.real * total.imag)


def test_complex_arguments_that_are_written_to(tmp_path, monkeypatch):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    rng = np.random.default_rng(0)
    re, im = rng.normal(size=(2, 3, 4, 2, 2))
    d = rng.normal(size=(4, 2, 2, 2)) + 1j * rng.normal(size=(4, 2, 2, 2))
    where = rng.integers(4, size=(4, 2))
    made = rg.value_and_grad(self_energies, (0, 1), backend="c")
    text = rg.value_and_grad(self_energies, (0, 1))
    for _ in range(2):
        mine, theirs = np.zeros((2, 3, 4, 2, 2), np.complex128)
        got, want = made(re, im, d, where, mine), text(re, im, d, where, theirs)
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(got[0], want[0], rtol=1e-11)
        for one, other in zip(got[1], want[1], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-11)
    assert [part.why for part in made.__native__.parts() if not part.compiled] == []


def into_real_ones(x):
    y = np.zeros(3)
    y[0] = (x + 2j) * (1 - 1j)
    return np.sum(y)


def test_complex_numbers_do_not_fit_into_real_ones(tmp_path, monkeypatch):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    with pytest.raises(Exception, match="complex") as text:
        rg.grad(into_real_ones)(1.0)
    with pytest.raises(type(text.value)):
        rg.grad(into_real_ones, backend="c")(1.0)


def resolvent(re, im, b):
    """A system of complex numbers, of which rows have to be exchanged, and an inverse."""
    A = re + 1j * im
    x = np.linalg.solve(A, b + 0j)
    y = np.linalg.inv(A) @ (b[:, None] * re)
    return np.sum(np.abs(x) ** 2) + np.sum(y.real * y.imag)


@pytest.mark.parametrize("n", [1, 3, 7, 20])
def test_systems_of_complex_numbers(n, tmp_path, monkeypatch):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    rng = np.random.default_rng(n)
    re, im = rng.normal(size=(2, n, n)) + 3.0 * np.eye(n)[::-1]
    b = rng.normal(size=n)
    made = rg.value_and_grad(resolvent, (0, 1, 2), backend="c")
    want = rg.value_and_grad(resolvent, (0, 1, 2))(re, im, b)
    for _ in range(2):
        got = made(re, im, b)
        np.testing.assert_allclose(got[0], want[0], rtol=1e-10)
        for one, other in zip(got[1], want[1], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
    assert [part.why for part in made.__native__.parts() if not part.compiled] == []
    with pytest.raises(np.linalg.LinAlgError):
        made(np.zeros((n, n)), np.zeros((n, n)), b)


def whole_powers(x, k, n):
    total = 0.0
    for i in range(n):
        total = total + x * k**i + x[: 2**i % 3 + 1].sum() * (i - 1) ** n
    return np.sum(total * x)


@pytest.mark.parametrize("k", [-3, -1, 0, 1, 2, 7])
def test_powers_of_whole_numbers(k, tmp_path, monkeypatch):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    made, text = rg.grad(whole_powers, backend="c"), rg.grad(whole_powers)
    x = np.linspace(0.5, 1.5, 4)
    for n in (3, 3, 5, 40):  # what is beyond 32 bits is the text's
        np.testing.assert_allclose(made(x, k, n), text(x, k, n), rtol=1e-12)
    assert [part.why for part in made.__native__.parts() if not part.compiled] == []
