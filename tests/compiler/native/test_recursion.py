"""Functions that call themselves, as functions of a kernel: numbers, arrays, records, and where they leave."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.compile import text_of
from tests.fuzz.native import compared, same
from tests.fuzz.recursions import helper_program
from tests.written import written


def minors(a):
    n = a.shape[0]
    if n == 1:
        return a[0, 0]
    total = 0.0
    for j in range(n):
        rest = np.concatenate([a[1:, :j], a[1:, j + 1 :]], axis=1)
        total = total + (-1.0) ** j * a[0, j] * minors(rest)
    return total


def tree(x):
    n = len(x)
    if n == 1:
        return np.exp(x[0])
    h = n // 2
    return np.tanh(tree(x[:h]) + tree(x[h:]))


def halves(x, y):
    n = len(x)
    if n == 1:
        return x, y
    a, b = halves(x[0::2], y[0::2])
    c, d = halves(x[1::2], y[1::2])
    k = np.arange(n // 2)
    p, q = np.cos(2 * np.pi * k / n), -np.sin(2 * np.pi * k / n)
    e, f = p * c - q * d, p * d + q * c
    return np.concatenate([a + e, a - e]), np.concatenate([b + f, b - f])


def spectrum(x, y):
    a, b = halves(x, y)
    return np.sum((a * a + b * b) * np.arange(len(x)))


def area(a, b, w, deep):
    m = 0.5 * (a + b)
    whole = (b - a) * np.sin(w * m)
    parts = 0.5 * (b - a) * (np.sin(w * 0.5 * (a + m)) + np.sin(w * 0.5 * (m + b)))
    if deep == 0 or abs(whole - parts) < 1e-4:
        return parts
    return area(a, m, w, deep - 1) + area(m, b, w, deep - 1)


def quadrature(w):
    return area(0.0, 2.0, w, 12)


def even(x, n):
    return x if n == 0 else odd(x, n - 1) * np.sin(x)


def odd(x, n):
    return x * x if n == 0 else even(x, n - 1) + x


def circle(x, n):
    return np.sum(even(x, n))


def with_state(x, state, deep):
    y, w = state["y"], state["w"]
    if deep == 0:
        return np.sum(x * y) * w
    total = 0.0
    for k in range(2):
        total = total + with_state(x * x[k], {"y": 0.5 * y, "w": w}, deep - 1)
    return total * x[0]


def stateful(x, y, w):
    return with_state(x, {"y": y, "w": w}, 3)


def deep_down(x, n):
    return x if n == 0 else 0.999 * deep_down(x, n - 1) + 0.001


def endless(x):
    if x < -1e9:
        return x
    return endless(x + 1.0) * x


def root(a):
    x = a
    while abs(x * x - a) > 1e-10:
        x = 0.5 * (x + a / x)
    return x


def two_roots(a):
    t = 0.0
    for i in range(len(a)):
        t = t + root(a[i]) * root(a[i] + 1.0)
    return t


RNG = np.random.default_rng(5)
CASES = [
    (minors, (RNG.normal(size=(4, 4)),), [(RNG.normal(size=(n, n)),) for n in (2, 3, 6)]),
    (tree, (RNG.normal(size=9),), [(RNG.normal(size=n),) for n in (2, 40, 100)]),
    (spectrum, (RNG.normal(size=8), RNG.normal(size=8)), [(RNG.normal(size=64), RNG.normal(size=64))]),
    (quadrature, (1.3,), [(0.001,), (7.0,)]),
    (circle, (0.7, 4), [(0.2, 0), (1.1, 7)]),
    (stateful, (RNG.normal(size=4), RNG.normal(size=4), 0.3), []),
    (two_roots, (RNG.uniform(1.0, 2.0, 6),), [(np.array([1.0, 4.0]),)]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_one_kernel_with_the_numbers_of_the_text(case):
    fn, args, others = case
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    plain, kernel = (rg.value_and_grad(fn, wrt, backend=b) for b in (None, "c"))
    for given in (args, *others, args):
        assert same(kernel(*given), plain(*given), 1e-10)
    assert kernel.__native__.notes == []


def test_a_function_is_one_in_the_kernel_too():
    chain = rg.grad(minors).__retrograd__
    args = (RNG.normal(size=(5, 5)),)
    made = chain.load(chain.types(args))
    name, target = next(iter(made.functions.items()))
    text = text_of("c", made.text, name, target, args)
    assert text.count("\nstatic int rg_fn_") == 4  # two, declared and defined


def test_what_is_too_deep_is_pythons_to_answer():
    kernel = rg.grad(deep_down, backend="c")
    assert kernel(1.0, 20) == pytest.approx(0.999**20)
    assert kernel(1.0, 700) == pytest.approx(0.999**700)
    with pytest.raises(RecursionError):
        kernel(1.0, 100_000)
    assert kernel(1.0, 30) == pytest.approx(0.999**30)


def test_without_an_end_it_raises():
    with pytest.raises(RecursionError):
        rg.grad(endless, backend="c")(1.0)


def test_a_bail_within_gives_the_memory_back():
    """An index that is outside, three calls down: the text raises, and the kernel goes on afterwards."""

    def pick(x, k, n):
        if n == 0:
            return x[k] * x[0]
        return pick(x * x[1], k, n - 1) + x[0]

    kernel = rg.grad(pick, backend="c")
    plain = rg.grad(pick)
    x = RNG.normal(size=5)
    np.testing.assert_allclose(kernel(x, 2, 3), plain(x, 2, 3))
    with pytest.raises(IndexError):
        kernel(x, 9, 3)
    np.testing.assert_allclose(kernel(x, 4, 3), plain(x, 4, 3))


@pytest.mark.parametrize("seed", range(4000, 4008))
def test_random_helpers(seed, monkeypatch):
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    outcome = compared(helper_program(seed))
    assert outcome.verdict != "failed", outcome


def test_a_function_that_cannot_be_read_is_refused_wherever_it_is_called() -> None:
    """The second derivative of a loop over children: it was called, and had no body."""
    f = written("""
def node(x, state, deep):
    y, w = state['y'], state['w']
    if deep == 0:
        return np.sum(x) * w
    total = 0.0
    for k in range(len(x) // 2):
        total = total + node(x * x[k], {'y': 0.5 * y, 'w': w}, deep - 1)
    return total * x[0] + 0.1


def f(x, y, w):
    return node(x[:4], {'y': y, 'w': w}, 2)
""")
    rng = np.random.default_rng(5)
    args = rng.normal(size=5), rng.normal(size=5), 0.7
    wanted, found = (rg.hessian(f, (0, 2), backend=b)(*args) for b in (None, "c"))
    for row, other in zip(found, wanted, strict=True):
        for a, b in zip(row, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)
