"""Functions that call themselves, and give numbers, arrays and containers: what a call of itself gives is known by what ends it.

Programs as one writes them: sorting, transforms, minors, quadrature, trees, generators.
"""

# ruff: noqa: RUF005

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import TapeWarning

X = np.array([0.9, 0.35, 0.6, 0.52])


def merged(a, b):
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] < b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + list(a[i:]) + list(b[j:])


def merge_sorted(x):
    if len(x) <= 1:
        return list(x)
    m = len(x) // 2
    return merged(merge_sorted(x[:m]), merge_sorted(x[m:]))


def quick_sorted(x):
    if len(x) <= 1:
        return x
    low = [v for v in x[1:] if v < x[0]]
    high = [v for v in x[1:] if v >= x[0]]
    return quick_sorted(low) + [x[0]] + quick_sorted(high)


def ranked(sort):
    return lambda x: sum(v * v * (k + 1) for k, v in enumerate(sort(list(x))))


def transformed(re, im):
    n = len(re)
    if n == 1:
        return re, im
    er, ei = transformed(re[0::2], im[0::2])
    odd_re, odd_im = transformed(re[1::2], im[1::2])
    real, imaginary = [0.0] * n, [0.0] * n
    for k in range(n // 2):
        c, s = np.cos(2 * np.pi * k / n), -np.sin(2 * np.pi * k / n)
        tr, ti = c * odd_re[k] - s * odd_im[k], s * odd_re[k] + c * odd_im[k]
        real[k], imaginary[k] = er[k] + tr, ei[k] + ti
        real[k + n // 2], imaginary[k + n // 2] = er[k] - tr, ei[k] - ti
    return real, imaginary


def spectrum(x):
    re, im = transformed(list(x), [0.0] * len(x))
    return sum(r * r * (k + 1) for k, r in enumerate(re)) + im[1]


def minors(m):
    if len(m) == 1:
        return m[0][0]
    total = 0.0
    for j in range(len(m)):
        total += (-1) ** j * m[0][j] * minors([row[:j] + row[j + 1 :] for row in m[1:]])
    return total


def determinant(x):
    return minors([[x[0], x[1], 1.0], [x[2], 2.0, x[3]], [x[1], x[0], 3.0 * x[2]]])


def simpson(f, a, b, fa, fm, fb, tol, depth):
    m = 0.5 * (a + b)
    fl, fr = f(0.5 * (a + m)), f(0.5 * (m + b))
    whole = (b - a) / 6 * (fa + 4 * fm + fb)
    left, right = (m - a) / 6 * (fa + 4 * fl + fm), (b - m) / 6 * (fm + 4 * fr + fb)
    if depth == 0 or abs(left + right - whole) < 15 * tol:
        return left + right
    first = simpson(f, a, m, fa, fl, fm, tol / 2, depth - 1)
    return first + simpson(f, m, b, fm, fr, fb, tol / 2, depth - 1)


def quadrature(x):
    def f(t):
        return np.exp(-x[0] * t * t) * np.cos(x[1] * t)

    return simpson(f, 0.0, 2.0, f(0.0), f(1.0), f(2.0), 1e-6, 8)


def again(z, k, scale):
    """Two lists and a number; the call of itself stands before the lists are made."""
    v = z[0] * k[1]
    if v < scale:
        inverse = [1.0 / u for u in k]
        _, xs, ys = again(z, inverse, -1.0)
        return v, ys, xs
    xs, ys = [0.0] * len(z), [0.0] * len(z)
    for i in range(len(z)):
        xs[i], ys[i] = z[i] * v, k[i] * v
    return v, xs, ys


def phases(x):
    v, xs, ys = again(x[:2], x[2:], 5.0)
    return v * xs[0] + ys[1] ** 2


def permutations(items):
    if len(items) == 0:
        return [[]]
    found = []
    for i in range(len(items)):
        for rest in permutations(items[:i] + items[i + 1 :]):
            found.append([items[i]] + rest)
    return found


def permuted(x):
    return sum(p[0] * p[1] ** 2 * (k + 1) for k, p in enumerate(permutations(list(x[:3]))))


def grown(x, depth):
    if depth == 0:
        return {"value": x[0], "left": None, "right": None}
    return {
        "value": x[1] * depth,
        "left": grown(0.5 * x, depth - 1),
        "right": grown(x + 1, depth - 1),
    }


def summed(tree):
    if tree is None:
        return 0.0
    return tree["value"] + summed(tree["left"]) * summed(tree["right"])


def left_in_a_loop(xs, n):
    for i in range(n):
        if xs[0] > 1.5:
            return left_in_a_loop([0.5 * v for v in xs], n - i)
        xs = [1.5 * v for v in xs]
    return [2.0 * v for v in xs]


def halved(x, n):
    try:
        if n == 0:
            raise ValueError
        return halved(1.5 * x, n - 1)
    except ValueError:
        return x**2


def even(n, xs):
    return xs if n == 0 else odd(n - 1, [1.1 * v for v in xs])


def odd(n, xs):
    if n == 0:
        return [0.5 * v for v in xs]
    return even(n - 1, [np.sin(v) for v in xs])


def stepped(f, y, t, h, n):
    if n == 0:
        return y, [t]
    k1 = f(t, y)
    k2 = f(t + h, y + h * k1)
    last, times = stepped(f, y + h / 2 * (k1 + k2), t + h, h, n - 1)
    return last, [t, *times]


def integrated(x):
    y, times = stepped(lambda t, y: -x[0] * y + t, x[1:], 0.0, 0.1, 3)
    return np.sum(y**2) * len(times)


def taken(items):
    if not items:
        return []
    first = items.pop(0)
    return [2.0 * first] + taken(items)


PROGRAMS: dict[str, Any] = {
    "merge sort": ranked(merge_sorted),
    "quicksort": ranked(quick_sorted),
    "a transform": spectrum,
    "minors": determinant,
    "quadrature": quadrature,
    "two lists": phases,
    "permutations": permuted,
    "a tree": lambda x: summed(grown(x, 2)),
    "in a loop": ranked(lambda x: left_in_a_loop(x, 4)),
    "in a try": lambda x: np.sum(halved(x, 3)),
    "each other": ranked(lambda x: even(3, x)),
    "an array and a list": integrated,
    "items that are taken": ranked(lambda x: taken([x[0], x[1] * x[2], x[3]])),
}

REFUSED = {
    "permutations": "what ends it is a list of an empty list: nothing tells the kind of its items"
}


def differences(f: Any) -> Any:
    return np.array([(f(X + d) - f(X - d)) / 2e-6 for d in 1e-6 * np.eye(len(X))])


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_compiled_and_right(name: str) -> None:
    program = PROGRAMS[name]
    expected = differences(program)
    if name in REFUSED:
        with pytest.raises(rg.RetrogradError):
            rg.grad(program, strict=True)(X)
        with pytest.warns(TapeWarning):
            np.testing.assert_allclose(rg.grad(program)(X), expected, rtol=1e-5, atol=1e-7)
        return
    np.testing.assert_allclose(rg.grad(program, strict=True)(X), expected, rtol=1e-5, atol=1e-7)
    forward = rg.jacobian(program, mode="forward", strict=True)(X)
    np.testing.assert_allclose(forward, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", ["quicksort", "two lists", "in a loop", "each other"])
def test_second_order(name: str) -> None:
    program = PROGRAMS[name]
    derive = rg.grad(program, strict=True)
    along = np.array([0.3, -0.2, 0.5, 0.1])
    expected = (derive(X + 1e-6 * along) - derive(X - 1e-6 * along)) / 2e-6
    found = rg.hvp(program, (X,), along)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_a_function_without_an_end_never_returns() -> None:
    def endless(x):
        return endless(2.0 * x)

    with pytest.raises(rg.RetrogradError, match="always raises"):
        rg.grad(endless)(1.0)
