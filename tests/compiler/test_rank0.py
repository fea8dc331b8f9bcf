"""Arrays of rank 0 that are written to: NumPy code that takes numbers and arrays alike."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg


def written_in_a_branch(x):
    a = np.asarray(x, float)
    b = np.zeros_like(a)
    if np.any(a > 0):
        b[...] = a * 3
    b += a * a
    return b


def written_in_a_loop(x):
    a = np.asarray(x, float)
    b = np.zeros_like(a)
    for k in range(3):
        if k > 0:
            b[()] = b + a * k
        else:
            b[a > 0] = a[a > 0]
    return b * b


def written_by_masks(x):
    a = np.asarray(x, float)
    b = np.empty_like(a)
    m = a > 1
    b[m] = np.sin(a[m])
    b[~m] = np.cos(a[~m])
    return b


def grown_to_rank_one(x):
    a = np.array(x, float, copy=True)
    if a.ndim == 0:
        a = a[None]
    a[a > 1] *= 2
    for _ in range(3):
        a[...] = a * 1.5
    return np.sum(a) * a


def filled_where_finite(x):
    a = np.asarray(x, float)
    out = np.full(a.shape, np.nan)
    ok = np.isfinite(a)
    if ok.any():
        t = a[ok]
        g = t * t
        for _ in range(2):
            g = g + t
        out[ok] = g
    return out[()]


def at_least_one(x):
    a = np.atleast_1d(np.asarray(x, float))
    s = np.ndim(x) == 0
    r = np.zeros_like(a)
    r[a > 0] = np.sqrt(a[a > 0])
    return r[0] if s else r


def written_in_try(x):
    a = np.asarray(x, float)
    b = a.copy()
    try:
        b[...] = b * 2
    except ValueError:
        pass
    b[b > 3] -= a[b > 3]
    return b


def new_array_in_a_branch(x):
    a = np.asarray(x, float)
    m = a > 0
    b = np.where(m, a, 0.0)
    if m.all():
        b = np.array(b)
        b[m] += 1.0 * a[m]
    else:
        b = np.array(b * 2)
    b[...] += a
    return b


PROGRAMS = [written_in_a_branch, written_in_a_loop, written_by_masks, grown_to_rank_one, filled_where_finite,
            at_least_one, written_in_try, new_array_in_a_branch]  # fmt: skip
ARGUMENTS = [
    3.0,
    -0.7,
    np.float64(3.0),
    np.array(3.0),
    np.array([3.0]),
    np.array([[3.0]]),
    np.zeros(0),
]
H = 1e-6


def slopes(f, x):
    return (np.asarray(f(x + H)) - np.asarray(f(x - H))) / (2 * H)


@pytest.mark.parametrize("x", ARGUMENTS, ids=repr)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_numbers_and_arrays_alike(f, x):
    want = slopes(f, x)
    value, pull = rg.vjp(f, x)
    np.testing.assert_allclose(pull(np.ones_like(value))[0], want, rtol=1e-6)
    one = np.ones_like(x) if isinstance(x, np.ndarray) else 1.0
    np.testing.assert_allclose(rg.jvp(f, (x,), (one,))[1], want, rtol=1e-6)


def of_both_precisions(x):
    return np.float32(x) * np.float32(3.0) + x * 1.123456789012


def test_a_cotangent_of_a_float_is_a_double():
    """A float and a ``np.float32`` make a ``np.float32``: the sum of two cotangents would be one, too."""
    assert rg.grad(of_both_precisions)(0.1) == pytest.approx(4.123456789012, rel=1e-14)
