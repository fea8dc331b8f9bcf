"""Views, copies, and names whose arrays change: W1, W2, W7, W14, C1, C10, C11."""

from __future__ import annotations

import itertools

import numpy as np

from .judge import Program, case

X = np.array([1.3, 0.4, 2.1, 0.8])
M = np.array([[1.0, 0.2, 0.7], [0.5, 1.6, 0.3], [0.4, 0.9, 1.2]])


def mlp(params, x):
    for W, b in params:
        out = x @ W + b
        x = np.tanh(out)
    return np.sum(out**2)


def chain(ws, x):
    for w in ws:
        y = w * x
        x = np.sum(y) * np.ones(len(w) + 1)
    return np.sum(y * y)


def network(*sizes):
    rng = np.random.default_rng(1)
    pairs = list(itertools.pairwise(sizes))
    return [(rng.normal(size=s), rng.normal(size=s[1])) for s in pairs]


INPUT = np.random.default_rng(2).normal(size=(4, 3))


def rotation(a, i, j):
    R = np.zeros((3, 3))
    s = np.sin(a)
    R[..., i, j] = 2 * s
    R[..., j, i] = s
    return np.sum(R * R)


def rotation_by_integers(a, i, j):
    R = np.zeros((3, 3))
    s = np.sin(a)
    R[i, j] = 2 * s
    R[j, i] = s
    return np.sum(R * R)


def item_of_an_ellipsis(x):
    y = x * 2.0
    z = y[..., 1]
    y[1] = 5.0
    return np.sum(y * y) + z * x[0]


def two_views(x):
    y = 2.0 * x
    b = y[1:]
    a = y[:2]
    a *= 5.0
    return np.sum(b)


def view_in_an_inner_loop(x):
    t = 2.0 * x
    for i in range(3):
        for _ in range(3):
            u = t.reshape(-1)
            u[0] = i
    return np.sum(u * u)


def view_of_zeros_in_an_inner_loop(x):
    t = np.zeros((2, 2))
    for i in range(3):
        for j in range(3):
            u = t.reshape(-1)
            u[i] = x[i] * x[j]
    return np.sum(u * u)


def parts_of_a_complex_array(x):
    y = np.zeros(4, dtype=complex)
    y.real = x
    y.imag[1:] = x[1:] ** 2
    return np.sum(np.abs(y) ** 2)


def array_of_a_number(x):
    y = np.asarray(2.0 * x)
    y[y < 0] = 0.0
    return np.sum(y)


def of_reversed(x):
    z = (2.0 * x)[::-1].ravel()
    z[0] = 10.0
    return np.sum(z * z)


def of_transposed(m):
    y = m.copy().T
    z = y.ravel()
    z[1] = 3.0
    return np.sum(z * z) + np.sum(y**3)


def of_transposed_by_reshape(m):
    y = m.copy().T
    z = y.reshape(-1)
    z[1] = 3.0
    return np.sum(z * z) + np.sum(y**3)


def of_every_second(x):
    y = 2.0 * x
    z = y[::2].ravel()
    z[0] = 10.0
    return np.sum(z * z) + np.sum(y**3)


def of_flipped(x):
    y = 2.0 * x
    z = np.flip(y).ravel()
    z[0] = 10.0
    return np.sum(z * z) + np.sum(y**3)


def of_real(x):
    y = x * (1.0 + 2.0j)
    z = y.real.ravel()
    z[0] = 10.0
    return np.sum(z * z) + np.sum(np.abs(y) ** 2)


def of_imag(x):
    y = x * (1.0 + 2.0j)
    z = y.imag.ravel()
    z[0] = 10.0
    return np.sum(z * z) + np.sum(np.abs(y) ** 2)


def of_ifft(x):
    y = np.fft.ifft(x)
    z = np.real(y).ravel()
    z[0] = 10.0
    return np.sum(z * z) + np.sum(np.abs(y) ** 2)


def of_a_column(m):
    y = 2.0 * m
    z = y[:, 1].ravel()
    z[0] = 10.0
    return np.sum(z * z) + np.sum(y**3)


def scaled_in_place(x):
    y = 2.0 * x
    z = y[::-1].ravel()
    z *= 3
    return np.sum(z * z) + np.sum(y**3)


def of_sorted(x):
    y = np.sort(x)
    z = y[::-1].ravel()
    z[0] = 10.0
    return np.sum(z * z) + np.sum(y**3)


def only_transposed(m):
    z = m.copy().T.ravel()
    z[1] = 3.0
    return np.sum(z * z)


def only_transposed_by_reshape(m):
    z = m.copy().T.reshape(-1)
    z[1] = 3.0
    return np.sum(z * z)


def only_a_column(m):
    z = (2.0 * m)[:, 1].ravel()
    z[0] = 10.0
    return np.sum(z * z)


def only_every_second(x):
    z = (2.0 * x)[::2].ravel()
    z[0] = 10.0
    return np.sum(z * z)


def only_flipped(x):
    z = np.flip(2.0 * x).ravel()
    z[0] = 10.0
    return np.sum(z * z)


def only_real(x):
    z = (x * (1.0 + 2.0j)).real.ravel()
    z[0] = 10.0
    return np.sum(z * z)


def only_imag(x):
    z = (x * (1.0 + 2.0j)).imag.ravel()
    z[0] = 10.0
    return np.sum(z * z)


def only_ifft(x):
    z = np.real(np.fft.ifft(x)).ravel()
    z[0] = 10.0
    return np.sum(z * z)


def only_scaled(x):
    z = (2.0 * x)[::-1].ravel()
    z *= 3
    return np.sum(z * z)


def only_sorted(x):
    z = np.sort(x)[::-1].ravel()
    z[0] = 10.0
    return np.sum(z * z)


ALONE = [
    only_transposed, only_transposed_by_reshape, only_a_column, of_reversed, only_every_second, only_flipped,
    only_real, only_imag, only_ifft, only_scaled, only_sorted,
]  # fmt: skip

FLATTENED = [
    of_transposed, of_transposed_by_reshape, of_a_column, of_every_second, of_flipped,
    of_real, of_imag, of_ifft, scaled_in_place, of_sorted,
]  # fmt: skip

SHARED = "cannot tell whether `y` and `z` share memory"  # the other array is read after the write

PROGRAMS: list[Program] = [
    case("W1 widths 3-1-5", mlp, network(3, 1, 5), INPUT),
    case("W1 widths 3-5-2", mlp, network(3, 5, 2), INPUT),
    case("W1 chain", chain, [np.array([1.5]), np.array([1.0, 2.0])], np.ones(1)),
    *[case(f"W2 {f.__name__}", f, M if k < 3 else X) for k, f in enumerate(ALONE)],
    *[
        case(f"W2 {f.__name__}", f, M if k < 3 else X, reverse=SHARED, forward=SHARED)
        for k, f in enumerate(FLATTENED)
    ],
    case("W7", two_views, X),
    case("W14", rotation, 0.7, 1, 2),
    case("W14 integers", rotation_by_integers, 0.7, 1, 2),
    case("W14 read before a write", item_of_an_ellipsis, X),
    case("C1", view_in_an_inner_loop, X),
    case("C1 of zeros", view_of_zeros_in_an_inner_loop, X),
    case("C10", parts_of_a_complex_array, X),
    case("C11 positive", array_of_a_number, 1.0),
    case("C11 negative", array_of_a_number, -1.0),
]
