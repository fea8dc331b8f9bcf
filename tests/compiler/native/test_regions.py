"""Regions: what the loop IR cannot take stays NumPy, the rest is compiled, and the numbers are the same."""

from __future__ import annotations

import ast
import random
import shutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native import compile as compiling
from retrograd.compiler.native.partition import cut_regions as cutting
from retrograd.compiler.native.partition.run_regions import Regions
from retrograd.transforms.star_arguments import apart

from ...golden_case import Case, cases, flat

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
RNG = np.random.default_rng(5)
LONG = "a Fourier transform of a length that NumPy's is quicker for"


# -- programs of which something stays --------------------------------------------------------


def likelihood(theta, x, y):
    length, signal, noise = np.exp(theta[0]), np.exp(theta[1]), np.exp(theta[2])
    d = x[:, None, :] - x[None, :, :]
    square = np.sum(d * d, axis=-1)
    K = signal * np.exp(-0.5 * square / (length * length)) + noise * np.diag(np.ones(y.shape[0]))
    L = np.linalg.cholesky(K)
    a = np.linalg.solve(L, y)
    return 0.5 * np.sum(a * a) + np.sum(np.log(np.diag(L)))


def decomposed(theta, x, y):
    length, signal, noise = np.exp(theta[0]), np.exp(theta[1]), np.exp(theta[2])
    d = x[:, None, :] - x[None, :, :]
    square = np.sum(d * d, axis=-1)
    K = signal * np.exp(-0.5 * square / (length * length)) + noise * np.diag(np.ones(y.shape[0]))
    w, v = np.linalg.eigh(K)
    a = v.T @ y
    return 0.5 * np.sum(a * a / w) + 0.5 * np.sum(np.log(w))


def of_lists(x, y, s):
    """What lists are made of stays, and the names in them are their own."""
    rows = np.stack([y * j for j in range(len(x))])
    total = sum([0.1 * j * t for j, t in enumerate(y)])
    out = 0.0
    for _ in range(3):
        out = out + 0.1 * np.sum(np.array([y[j] * total for j in range(len(x))]))
    return out + np.mean(rows) * s + x[0]


def filtered(q, A, C, R, ys):
    x, P, total = np.zeros(A.shape[0]), np.diag(np.ones(A.shape[0])), 0.0
    Q = np.exp(q) * P
    for t in range(ys.shape[0]):
        x = A @ x
        P = A @ P @ A.T + Q
        e = ys[t] - C @ x
        S = C @ P @ C.T + R
        K = P @ C.T @ np.linalg.pinv(S)
        total = total - 0.5 * e @ np.linalg.solve(S, e)
        x = x + K @ e
        P = P - K @ C @ P
    return total


def spectrum(x, w):
    z = np.sin(x) * np.exp(-x * x) + w
    power = np.abs(np.fft.rfft(z)) ** 2
    return np.sum(np.tanh(power / 10.0) * np.sqrt(1.0 + power))


@rg.custom_gradient
def sorted_by_hand(x):
    return np.sort(x)


@sorted_by_hand.vjp
def sorted_by_hand_vjp(c, z, x):
    back = np.empty_like(c)
    back[np.argsort(x)] = c
    return back


def ordered(x, w):
    a = np.sin(x) * np.exp(-x * x)
    b = sorted_by_hand(a)
    return np.sum(np.tanh(b) * np.cos(b) * w)


def branches(x, flag):
    y = np.exp(-x * x) * np.sin(x)
    if flag:
        z = np.linalg.pinv(np.diag(y + 2.0)) @ x
        y = y * np.cos(z) + z * z
    else:
        y = np.sqrt(1.0 + y * y) * np.cos(y)
    return np.sum(y * np.tanh(y))


def rest():
    d = RNG.normal(size=(2, 4))
    return (0.3, 0.3 * RNG.normal(size=(4, 4)), d, np.eye(2), RNG.normal(size=(9, 2)))


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], set[str]]] = [
    (decomposed, (np.array([0.1, 0.2, -1.0]), RNG.normal(size=(40, 3)), RNG.normal(size=40)), {"np.linalg.eigh"}),
    (filtered, rest(), {"np.linalg.pinv"}),
    (spectrum, (RNG.normal(size=41), RNG.normal(size=41)), {LONG}),
    (ordered, (RNG.normal(size=33), RNG.normal(size=33)), {"sorted_by_hand", "sorted_by_hand_vjp"}),
    (branches, (RNG.normal(size=6), True), {"np.linalg.pinv"}),
]  # fmt: skip
each = pytest.mark.parametrize(
    ("f", "args", "stays"), PROGRAMS, ids=[f.__name__ for f, _, _ in PROGRAMS]
)


@each
def test_what_is_not_taken_stays(f: Any, args: Any, stays: set[str]) -> None:
    gradient = rg.grad(f, backend="c")
    want = rg.grad(f)(*args)
    for _ in range(6):
        np.testing.assert_allclose(gradient(*args), want, rtol=1e-9)
    parts = gradient.__native__.parts()
    assert stays <= {part.why for part in parts if not part.compiled}
    assert sum(part.compiled for part in parts) >= 2
    (regions,) = gradient.__native__.regions
    assert not regions.failed & {region.name for region in regions.made.regions}
    for region in regions.made.regions:  # a kernel is in its place
        if regions.families[region.name].known or regions.families[region.name].first is not None:
            assert type(regions.scope[region.name]).__name__ == "builtin_function_or_method"


@each
def test_the_arguments_stay_as_they_are(f: Any, args: Any, stays: set[str]) -> None:
    before = [np.copy(a) for a in args]
    gradient = rg.grad(f, backend="c")
    first = gradient(*args)
    second = gradient(*args)
    assert first is not second
    assert not (isinstance(first, np.ndarray) and np.shares_memory(first, second))
    for a, b in zip(args, before, strict=True):
        np.testing.assert_array_equal(a, b)


@each
def test_explain_has_a_line_for_each_region(f: Any, args: Any, stays: set[str]) -> None:
    found = rg.differentiate(f).explain(*args, backend="c")
    text = rg.differentiate(f).source("grad", *args).splitlines()
    assert any(part.how == "compiled" for part in found.native)
    for part in found.native:
        if part.how == "stays NumPy":
            assert part.why in str(found)
            assert text[part.first - 1].strip().startswith(part.text.removesuffix("..."))
    assert stays <= {part.why for part in found.native}
    assert not rg.differentiate(f).explain(*args).native


def test_explain_says_so_if_less_than_half_is_compiled() -> None:
    def ranks(x):
        for _ in range(3):
            x = np.partition(np.sin(np.partition(np.cos(x), 2)), 2) * x
        return np.sum(np.partition(x, 2))

    x = np.linspace(0.1, 1.0, 5)
    assert "less than half is compiled: " in str(rg.differentiate(ranks).explain(x, backend="c"))
    mostly = str(rg.differentiate(ordered).explain(*PROGRAMS[3][1], backend="c"))
    assert "stays NumPy" in mostly and "less than half" not in mostly


def test_explain_of_what_is_compiled_as_a_whole() -> None:
    @rg.differentiate(backend="c")
    def plain(x):
        return np.sum(np.sin(x) * x)

    found = plain.explain(np.ones(3))
    assert [(part.first, part.how) for part in found.native] == [(0, "compiled")]
    assert "all of it  compiled" in str(found)
    assert plain.explain(sig="x: f8[n]").native == []


def test_other_kinds_of_arguments_come_later() -> None:
    gradient, plain = rg.grad(spectrum, backend="c"), rg.grad(spectrum)
    x, w = RNG.normal(size=41), RNG.normal(size=41)
    wide = np.stack([x, w], axis=1)
    for a, b in [(x, w), (x[:20], w[:20]), (x.astype("f4"), w.astype("f4")), (wide[:, 0], wide[:, 1])]:  # fmt: skip
        for _ in range(3):
            found, want = gradient(a, b), plain(a, b)
            assert found.dtype == want.dtype
            tolerance = 1e-9 if want.dtype == np.float64 else 1e-4
            np.testing.assert_allclose(found, want, rtol=tolerance, atol=tolerance)


def test_a_list_of_arrays_of_changing_sizes_is_compiled() -> None:
    def solved(L, b):
        x = b.copy()
        for i in range(len(x)):
            x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
        return np.sum(np.exp(x) * np.cos(x) * b)

    L, b = np.tril(RNG.normal(size=(40, 40))) + 9.0 * np.eye(40), RNG.normal(size=40)
    gradient = rg.grad(solved, backend="c")
    for _ in range(4):
        np.testing.assert_allclose(gradient(L, b), rg.grad(solved)(L, b), rtol=1e-10)
    assert not gradient.__native__.notes and not gradient.__native__.family.taken[None]  # type: ignore[attr-defined]


def test_errors_come_from_the_numpy_text() -> None:
    gradient = rg.grad(likelihood, backend="c")
    theta, x, y = PROGRAMS[0][1]
    gradient(theta, x, y)
    with pytest.raises(np.linalg.LinAlgError):
        gradient(np.array([0.0, 0.0, -1e3]), np.ones_like(x), y)
    with pytest.raises(ValueError, match="shape|mismatch|broadcast"):
        gradient(theta, x, y[:-1])
    np.testing.assert_allclose(gradient(theta, x, y), rg.grad(likelihood)(theta, x, y), rtol=1e-9)


def test_a_couple_of_operations_is_not_worth_a_call() -> None:
    def short(x):
        return np.median(x * 2.0)

    gradient = rg.grad(short, backend="c")
    x = RNG.normal(size=(3, 3))
    np.testing.assert_allclose(gradient(x), rg.grad(short)(x))
    (regions,) = gradient.__native__.regions
    assert regions.made.regions == []


# -- what the kernels get ----------------------------------------------------------------------

WEIGHTS = np.linspace(0.0, 1.0, 40)


def weighted(x):
    return np.sum(np.exp(-x * WEIGHTS) * WEIGHTS)


def test_arrays_of_the_module_are_read_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    x = RNG.normal(size=40)
    gradient = rg.grad(weighted, backend="c")

    def check() -> None:
        want = -WEIGHTS * WEIGHTS * np.exp(-x * WEIGHTS)
        np.testing.assert_allclose(gradient(x), want, rtol=1e-12)

    check()
    assert [part.compiled for part in gradient.__native__.parts()] == [True]
    monkeypatch.setitem(globals(), "WEIGHTS", WEIGHTS.copy())
    check()
    WEIGHTS[3] = 7.0
    check()
    monkeypatch.setitem(globals(), "WEIGHTS", WEIGHTS * 2.0)
    check()
    monkeypatch.setitem(globals(), "WEIGHTS", 3.0)
    check()


def test_two_functions_of_one_text_have_their_own_arrays() -> None:
    def made(w):
        def f(x):
            return np.sum(np.exp(-x * w))

        return f

    x = RNG.normal(size=9)
    for w in (np.ones(9), np.arange(9.0)):
        gradient = rg.grad(made(w), backend="c")
        for _ in range(2):
            np.testing.assert_allclose(gradient(x), -w * np.exp(-x * w), rtol=1e-12)


SCALARS = [0.5, np.float64(0.5), np.float32(0.5)]
COUNTS = [3, np.int64(3)]
FLAGS = [True, False, np.True_, np.False_]


def scaled(a, k, x, flag):
    s = a * a
    if flag:
        s = s * 2.0
    return np.sum(np.sin(x * s)) * k


@pytest.mark.parametrize("flag", FLAGS, ids=lambda v: f"{type(v).__name__} {v}")
@pytest.mark.parametrize("k", COUNTS, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("a", SCALARS, ids=lambda v: type(v).__name__)
def test_numbers_of_numpy_are_arguments(a: Any, k: Any, flag: Any) -> None:
    x = np.linspace(0.0, 3.0, 11)
    gradient, plain = rg.grad(scaled, (0, 2), backend="c"), rg.grad(scaled, (0, 2))
    for _ in range(2):
        found, want = gradient(a, k, x, flag), plain(a, k, x, flag)
        assert type(found[0]) is type(want[0])
        np.testing.assert_allclose(found[0], want[0], rtol=1e-6)
        np.testing.assert_allclose(found[1], want[1], rtol=1e-6)
    assert [part.compiled for part in gradient.__native__.parts()] == [True]


def test_a_number_of_another_kind_is_not_taken_for_it() -> None:
    gradient, plain = rg.grad(scaled, (0, 2), backend="c"), rg.grad(scaled, (0, 2))
    x = np.linspace(0.0, 3.0, 11)
    for a in [*SCALARS, *SCALARS]:
        for k in [*COUNTS, 2**40, np.int64(2**40)]:
            found, want = gradient(a, k, x, True), plain(a, k, x, True)
            assert type(found[0]) is type(want[0])
            np.testing.assert_allclose(found[1], want[1], rtol=1e-6)


# -- cut anywhere ------------------------------------------------------------------------------


def cut_at_random(case: Case, monkeypatch: pytest.MonkeyPatch, seed: int) -> tuple[Any, Any, Any]:
    """The function of a golden file with regions between statements drawn by chance, and as it is."""
    text = case.generated("grad")
    scope = dict(text.captured) | {"__name__": "golden"}
    exec(compile(text.text, "<golden>", "exec"), scope)
    rng = random.Random(seed)
    stays = {k + 1: "chance" for k in range(text.text.count("\n")) if rng.random() < 0.3}
    monkeypatch.setattr(cutting, "LEAST", 1)
    monkeypatch.setattr(
        "retrograd.compiler.native.partition.run_regions.cut",
        lambda text, name, scope, more, names: cutting.cut(text, name, scope, {**stays, **more}, names),
    )  # fmt: skip
    target = scope[text.names[0]]
    regions = Regions("c", text.text, text.names[0], target, "inline")
    inner = case.derived("grad").inner

    def called(fn: Any) -> Any:
        args = case.arguments()
        given, named = apart(inner, args[: len(inner.parameters)])
        return fn(*given, *args[len(inner.parameters) :], **named)

    return regions, called, target


CASES = list(cases())


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_function_cut_anywhere_is_the_same(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The regions run as NumPy: the cut itself changes no bit."""
    monkeypatch.setattr(
        compiling,
        "prepared",
        lambda backend, text, name, target, *more, **options: lambda fallback: target,
    )
    for seed in range(3):
        regions, called, target = cut_at_random(case, monkeypatch, seed)
        assert all(ast.parse(regions.made.text).body)
        want = called(target)
        for _ in range(2):
            np.testing.assert_array_equal(flat(called(regions.function)), flat(want))


FEW = ["gaussian_process", "kalman_filter", "branches", "heat_in_place", "lstm", "truss_elements"]


@pytest.mark.parametrize("name", FEW)
def test_compiled_regions_compute_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in CASES if case.name == name)
    regions, called, target = cut_at_random(case, monkeypatch, 1)
    want = flat(called(target))
    for _ in range(4):
        np.testing.assert_allclose(flat(called(regions.function)), want, rtol=1e-9, atol=1e-12)
    assert regions.made.regions


# -- what must not be cut ------------------------------------------------------------------------


def cut_of(text: str, stays: set[int]) -> cutting.Cut:
    counted: dict[Any, str] = {}
    return cutting.cut(
        text, "f", {"np": np}, dict.fromkeys(stays, "asked"),
        lambda key: counted.setdefault(key, f"kernel_{len(counted) + 1}"),
    )  # fmt: skip


def test_a_view_is_made_again_and_not_copied() -> None:
    text = """def f(x):
    y = np.sin(x) * np.cos(x) + x
    y_T = y.T
    return np.linalg.pinv(y_T)
"""
    made = cut_of(text, set()).text
    assert "    y = kernel_1(x)\n    y_T = y.T\n" in made


def test_a_number_of_an_array_is_not_read_again() -> None:
    text = """def f(x):
    y = np.sin(x) * np.cos(x) + x
    y_0 = y[0]
    y[0] = 2.0 * y_0
    return np.linalg.pinv(y), y_0
"""
    assert "    y, y_0 = kernel_1(x)\n    return" in cut_of(text, set()).text


def test_a_view_is_made_in_the_region_that_reads_it() -> None:
    text = """def f(x, y):
    x_T = x.T
    part = x_T[1:]
    x = np.linalg.pinv(x)
    y = np.linalg.pinv(y)
    y_T = y.T
    y_T = np.linalg.pinv(y.T)
    y_T = y.T
    z = np.linalg.pinv(y_T)
    w = np.sin(part) * np.cos(y_T) * np.exp(z)
    return w
"""
    (region,) = cut_of(text, {2, 3, 6, 8}).regions
    assert set(region.params) == {"x_T", "y", "z"}  # `x` is another array by then
    assert set(region.lines[:2]) == {("    y_T = y.T", 8), ("    part = x_T[1:]", 3)}


def test_an_array_that_two_names_hold_is_not_cut_off() -> None:
    """``z`` may be ``x``: a kernel would give another array, which the write would not reach."""
    text = """def f(x, k):
    z = np.reshape(x, k)
    y = np.sin(x) * np.cos(x) + np.exp(x)
    w = np.linalg.pinv(y)
    z[0] = 1.0
    return x, w
"""
    made = cut_of(text, set())
    assert made.stays[2] == "`z` is written to, and may be held by another name"
    assert "    z = np.reshape(x, k)\n    y = kernel_1(x)\n" in made.text


def test_a_name_that_may_not_be_bound_is_not_an_argument() -> None:
    text = """def f(x, flag):
    if flag:
        h = g(x)
    y = np.sin(x) * np.cos(x)
    if flag:
        y = y * np.exp(h) + np.sin(h)
    return y
"""
    made = cut_of(text, set())
    assert made.stays[5] == "`h` may not be bound"
    assert "kernel_1(x)" in made.text


def test_a_list_that_others_see_is_not_cut_off() -> None:
    text = """def f(x, n):
    tape = []
    for k in range(n):
        x = np.sin(x) * np.cos(x) + np.exp(x)
        tape.append(x)
    x = np.linalg.pinv(x)
    for y in reversed(tape):
        x = x + y * np.cos(y) * np.exp(y)
    return x
"""
    made = cut_of(text, set())
    assert [region.params for region in made.regions] == [("x",), ("x", "y")]
    assert {made.stays[line] for line in (2, 3, 5, 7)} == {
        "`tape`, a list, is seen by other statements"
    }


def test_a_loop_that_is_left_stays_and_its_body_is_cut() -> None:
    text = """def f(x, n):
    while True:
        x = np.sin(x) * np.cos(x) + np.exp(x)
        x = np.linalg.pinv(x)
        if n > 3:
            break
        n = n + 1
    return x
"""
    made = cut_of(text, set())
    assert [(region.first, region.last) for region in made.regions] == [(3, 3)]
    assert "        x = kernel_1(x)\n        x = np.linalg.pinv(x)\n" in made.text


def bound_in_a_try(x):
    try:
        y = x / 0.7
    except ZeroDivisionError:
        y = x
    part = y[1:]
    total = np.sum(np.sort(x) * x)
    a = part * 2.0
    b = np.sin(a) * part
    c = np.tanh(b) + a * b
    d = c * c - part * b
    return np.sum(d * np.cos(c)) + total


def test_a_view_of_what_may_not_be_bound_does_not_cut_for_ever() -> None:
    x = np.array([0.3, 1.2, -0.7])
    wanted = rg.value_and_grad(bound_in_a_try)(x)
    kernel = rg.value_and_grad(bound_in_a_try, backend="c")
    for _ in range(2):
        found = kernel(x)
        np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12)
        np.testing.assert_allclose(found[1], wanted[1], rtol=1e-12)


HISTORY = [1.0]


class Vec:
    def __init__(self, data):
        self.data = data

    def __add__(self, other):
        return Vec(self.data + (other.data if isinstance(other, Vec) else other))

    def __rmul__(self, k):
        return Vec(k * self.data)

    def dot(self, other):
        return self.data @ other.data


def columns_of_what_stays_inside(x, a, s):
    """The column of `t` is made twice in a region, and read in a later one; `t` is not."""
    HISTORY.extend([0.43, 2.0])
    v = x * HISTORY.pop() + s * HISTORY.pop() * len(HISTORY)
    e = (1.35 * (Vec(v) + Vec(v)) + -0.27).dot(Vec(v))
    t = 1.0 * a
    u = t[:, 2]
    u *= 1.07
    y = t[1] + u
    z = y * (1 + int(abs(0.3) * 10) % len(y))
    kept = [z]
    for _ in range(3):
        kept.append(np.tanh(kept[-1] * -0.21 + kept[0]))
    w = kept[-1] + kept[1]
    over = w > -0.79
    mean = np.sin(np.sum(w * over) / max(np.sum(over), 1))
    waves = np.sum(v * np.cos(v)) + np.sum(y * np.cos(y)) + np.sum(z * np.cos(z))
    return waves + np.sum(w * np.cos(w)) + e + mean + np.sum(x * (a @ x))


def test_a_view_of_what_stays_inside_a_region_is_handed_on() -> None:
    x, a = np.array([-0.862, 1.047, -0.066]), np.cos(np.arange(9.0)).reshape(3, 3)
    value, bars = rg.value_and_grad(columns_of_what_stays_inside, (0, 1, 2))(x, a, 0.221)
    f = rg.value_and_grad(columns_of_what_stays_inside, (0, 1, 2), backend="c")
    for _ in range(3):
        mine, found = f(x, a, 0.221)
        assert mine == pytest.approx(value, rel=1e-13)
        for one, other in zip(found, bars, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)


def spectrum_times_cubes(x, *ys):
    total = 0.0
    for y in ys[0]:
        total = total + y**3
    return np.sum(np.linalg.eigh(x @ x.T)[0]) * total


def test_tangents_of_a_function_in_regions() -> None:
    """They come after its own arguments, which may be gathered."""
    x, y = np.arange(9.0).reshape(3, 3) + np.eye(3), np.ones(3)
    in_regions = rg.differentiate(spectrum_times_cubes, wrt=0, backend="c")
    given = (x, y), (np.ones((3, 3)), None)
    found, wanted = rg.jvp(in_regions, *given), rg.jvp(spectrum_times_cubes, *given)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_names_of_comprehensions_are_their_own():
    x, y = RNG.normal(size=5), np.arange(5)
    kernel = rg.value_and_grad(of_lists, wrt=(0, 2), backend="c")
    value, slopes = rg.value_and_grad(of_lists, wrt=(0, 2))(x, y, 0.7)
    for _ in range(2):
        found, bars = kernel(x, y, 0.7)
        assert found == pytest.approx(value, rel=1e-12)
        for a, b in zip(bars, slopes, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)
