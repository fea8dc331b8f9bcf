"""A derivative is checked when it is first computed: what is found, what is left out, and what it costs later."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd import runtime as rt
from retrograd.compiler.cache import loader
from retrograd.transforms.check import checked_results as births
from retrograd.transforms.check import first_call

from ..written import written

X, Y = np.array([0.3, -1.2]), np.array([2.0, 0.5])
LOG: list[float] = []


@pytest.fixture(autouse=True)
def _checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.delenv("RETROGRAD_CHECK", raising=False)
    loader.forget()
    yield
    loader.forget()
    rg.set_check("default")


@pytest.fixture
def _wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper that the derivatives of a norm go through, wrong by a factor."""
    right = rt.norm_weight
    monkeypatch.setattr(rt, "norm_weight", lambda *a: 3.0 * right(*a))


def spread(x, y):
    return np.sum(np.linalg.norm(x * y, axis=1))


B = np.array([[1.0, 2.0], [3.0, 4.0]])
NUMBERS = re.compile(r"`(\w)` is (\S+) at \((\d),\), finite differences say ([-.\d]+)\.  ")


@pytest.mark.usefixtures("_wrong")
def test_a_wrong_gradient_is_found_and_the_entry_is_named() -> None:
    with pytest.raises(rg.GradientMismatch, match="report it with the function") as caught:
        rg.grad(spread)(X, B)
    found = NUMBERS.search(str(caught.value))
    assert found is not None
    name, got, at, want = found.groups()
    assert (name, at) == ("x", "1")
    assert float(got) == pytest.approx(3 * float(want))
    with pytest.raises(rg.GradientMismatch, match="spread"):
        rg.value_and_grad(spread)(X, B)
    with pytest.raises(rg.GradientMismatch, match="spread"):
        rg.vjp(spread, X, B)


@pytest.mark.usefixtures("_wrong")
def test_it_fails_until_it_is_right() -> None:
    f = rg.grad(spread)
    for _ in range(2):
        with pytest.raises(rg.GradientMismatch):
            f(X, B)


@pytest.mark.usefixtures("_wrong")
def test_nothing_is_checked_where_it_is_not_asked_for() -> None:
    wrong = rg.differentiate(check=None)(spread).grad(X, B)
    rg.set_check(None)
    np.testing.assert_array_equal(rg.grad(spread)(X, B), wrong)
    with pytest.raises(rg.GradientMismatch):
        rg.differentiate(check="always")(spread).grad(X, B)


def test_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, want in [("", "first"), ("NONE", None), ("always", "always")]:
        monkeypatch.setenv("RETROGRAD_CHECK", said)
        rg.set_check("default")
        assert rg.get_check() == want
    monkeypatch.setenv("RETROGRAD_CHECK", "maybe")
    rg.set_check("default")
    with pytest.raises(rg.RetrogradError, match="not 'maybe'"):
        rg.grad(lambda x: x * x)(2.0)


def test_other_words_are_refused() -> None:
    with pytest.raises(
        rg.RetrogradError, match="check is 'first', 'always', 'nan' or None, not 'twice'"
    ):
        rg.differentiate(check="twice")(spread)


def counted() -> tuple[Any, list[int]]:
    """A function whose runs can be counted without its knowing."""
    runs = [0]

    def curve(x):
        return np.sum(np.sin(x) * x)

    def profile(frame: Any, event: str, arg: Any) -> None:
        runs[0] += event == "call" and frame.f_code is curve.__code__

    sys.setprofile(profile)
    return curve, runs


@pytest.mark.parametrize("kind", ["grad", "value_and_grad", "jvp", "vjp", "jacobian"])
def test_three_runs_of_the_function_once(kind: str) -> None:
    before = sys.getprofile()
    try:
        curve, runs = counted()

        def ask() -> None:
            if kind == "jvp":
                rg.jvp(curve, (X,), (Y,))
            elif kind == "vjp":
                rg.vjp(curve, X)
            else:
                getattr(rg, kind)(curve)(X)

        ask()
        own = runs[0]
        ask()
        again = runs[0] - own
    finally:
        sys.setprofile(before)
    assert own - again == 3


def test_always_checks_always(monkeypatch: pytest.MonkeyPatch) -> None:
    f = rg.differentiate(check="always")(spread)
    seen = []
    real = births.first_result
    monkeypatch.setattr(births, "first_result", lambda *a: seen.append(1) or real(*a))
    for _ in range(3):
        assert f.grad(X, B).shape == (2,)
    assert len(seen) == 3


@pytest.mark.parametrize("backend", ["numpy", "c"])
def test_what_is_said_later_holds_for_what_was_made_before(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    real = births.first_result
    monkeypatch.setattr(births, "first_result", lambda *a: seen.append(1) or real(*a))
    f = rg.grad(spread, backend=backend)
    counts = []
    for said in (None, "always", None, "first", "always"):
        rg.set_check(said)
        for _ in range(3):
            f(X, B)
        counts.append(len(seen))
        seen.clear()
    assert counts == [0, 3, 0, 0, 3]  # by then it was checked for the first time


SECOND = """
    import numpy as np
    import retrograd as rg
    from retrograd.transforms.check import checked_results as births

    def bowl(x):
        return np.sum(x * x * np.cos(x))

    seen = []
    real = births.first_result
    births.first_result = lambda *a: seen.append(1) or real(*a)
    rg.grad(bowl)(np.ones(3))
    print(len(seen))
"""


def test_another_process_does_not_check_again(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(SECOND))
    out = [
        subprocess.run(
            [sys.executable, file], capture_output=True, text=True, check=True, timeout=100
        ).stdout.strip()
        for _ in range(2)
    ]
    assert out == ["1", "0"]


# -- never a false alarm -----------------------------------------------------------------------------


def kinked(x):
    return np.sum(np.abs(x - 1.0) * np.array([1.0, 2.0])) + np.sum(np.maximum(x, 1.0))


def test_a_kink_is_no_verdict() -> None:
    assert np.all(np.isfinite(rg.grad(kinked)(np.array([1.0, 1.0 + 1e-6]))))


def test_a_function_that_fails_nearby_is_not_judged() -> None:
    def positive(x):
        if x < 1.0:
            raise ValueError("too small")
        return x * x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rg.grad(positive)(1.0) == 2.0


def test_noise_is_no_verdict() -> None:
    def noisy(x):
        return x * x + 1e-3 * np.random.default_rng(int(x * 1e12) % 2**31).normal()

    assert rg.differentiate(noisy).grad(0.5) == pytest.approx(1.0)


@pytest.mark.parametrize("x", [1.3, 0.7, 2.0])
def test_the_rounding_of_a_part_is_no_verdict(x: float) -> None:
    def rest(x):
        return ((-x) ** 0.5).real

    assert abs(rg.grad(rest)(x)) < 1e-15
    assert abs(rg.jvp(rest, (x,), (1.0,))[1]) < 1e-15


@pytest.mark.parametrize("steps", [60, 100, 200, 400])
def test_chaos_is_no_verdict(steps: int) -> None:
    def orbit(x):
        for _ in range(steps):
            x = 3.9 * x * (1.0 - x)
        return x

    want = 1.0
    x = 0.3
    for _ in range(steps):
        want, x = want * 3.9 * (1.0 - 2.0 * x), 3.9 * x * (1.0 - x)
    assert rg.grad(orbit)(0.3) == pytest.approx(want)
    assert rg.jvp(orbit, (0.3,), (1.0,))[1] == pytest.approx(want)


def test_the_rounding_of_a_constant_is_no_verdict() -> None:
    def nothing(x):
        return np.sum(np.sin(x) ** 2 + np.cos(x) ** 2) - 1000.0

    x = np.linspace(0.0, 9.0, 1000)
    assert abs(rg.jvp(nothing, (x,), (x,))[1]) < 1e-12
    assert np.max(np.abs(rg.grad(nothing)(x))) < 1e-12


def test_random_numbers_are_put_back() -> None:
    rng = np.random.default_rng(3)

    def drawn(x):
        return np.sum(x * rng.normal(size=2)) + np.sum(x * np.random.normal(size=2))

    np.random.seed(1)
    got = rg.grad(drawn)(X)
    state = rng.bit_generator.state, np.random.get_state()[2]
    rng = np.random.default_rng(3)
    np.random.seed(1)
    np.testing.assert_array_equal(got, rng.normal(size=2) + np.random.normal(size=2))
    assert (rng.bit_generator.state, np.random.get_state()[2]) == state


def test_arguments_are_not_written_to() -> None:
    def scaled_in_place(x, y):
        y *= 2.0
        return np.sum(x * y)

    y = Y.copy()
    np.testing.assert_array_equal(rg.grad(scaled_in_place)(X, y), 2 * Y)
    np.testing.assert_array_equal(y, 2 * Y)


def test_effects_are_not_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    def logging(x):
        LOG.append(1.0)
        print("computed")
        return x * x

    LOG.clear()
    rg.grad(logging)(2.0)
    assert LOG == [1.0]
    assert capsys.readouterr().out == "computed\n"
    assert "not checked when it is first computed" in str(rg.differentiate(logging).explain(2.0))


def test_a_derivative_of_ones_own_is_not_judged() -> None:
    @rg.custom_gradient
    def straight(x):
        return np.round(x)

    @straight.vjp
    def straight_vjp(c, z, x):
        return c

    @rg.differentiate
    def loss(x):
        return np.sum(straight(x) * x)

    np.testing.assert_allclose(loss.grad(X), np.round(X) + X)
    assert "`straight` has a derivative of its own" in str(loss.explain(X))


@pytest.mark.parametrize("backend", ["c"])
def test_kernels_are_held_against_the_text(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from retrograd.compiler.native import compile as native

    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    real = native.compiled
    monkeypatch.setattr(native, "compiled", lambda *a, **k: lambda *x: 1.5 * real(*a, **k)(*x))
    with pytest.raises(rg.GradientMismatch, match="the kernel of backend='c' gives "):
        rg.grad(spread, backend=backend)(X, B)


@pytest.mark.usefixtures("_wrong")
def test_what_a_wrong_derivative_wrote_is_undone() -> None:
    def shifted(x, y):
        y += 1.0
        return np.sum(np.linalg.norm(x * y, axis=1))

    f = rg.value_and_grad(shifted)
    y = B.copy()
    with pytest.raises(rg.GradientMismatch):
        f(X, y)
    np.testing.assert_array_equal(y, B)


def likelihood(a, y):
    factor = np.linalg.cholesky(a)
    return np.sum(np.linalg.solve(factor, y) ** 2)


def test_functions_that_read_one_triangle_are_asked_along_symmetric_directions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a = np.array([[2.0, 0.3], [0.3, 1.5]])
    assert rg.grad(likelihood)(a, Y).shape == (2, 2)
    assert rg.grad(likelihood)(a + np.array([[0.0, 0.1], [0.0, 0.0]]), Y).shape == (2, 2)
    loader.forget()
    right = rt.solve_lower
    monkeypatch.setattr(rt, "solve_lower", lambda *x: 2.0 * right(*x))
    with pytest.raises(rg.GradientMismatch):
        rg.differentiate(check="always")(likelihood).grad(a, Y)


def norms(a):
    return np.sum(np.linalg.norm(a, axis=1))


def norms_of_symmetric(a):
    if np.max(np.abs(a - a.T)) > 1e-12:
        raise ValueError("not symmetric")
    return norms(a)


SYMMETRIC = np.array([[2.0, 0.3], [0.3, 1.5]])


@pytest.mark.usefixtures("_wrong")
def test_functions_that_take_only_symmetric_matrices_are_asked_there() -> None:
    with pytest.raises(rg.GradientMismatch):
        rg.grad(norms_of_symmetric)(SYMMETRIC)


def test_another_shape_is_a_mismatch(monkeypatch: pytest.MonkeyPatch) -> None:
    right = rt.norm_weight
    monkeypatch.setattr(rt, "norm_weight", lambda *a: right(*a)[None])
    with pytest.raises(rg.GradientMismatch, match=r"`a` has the shape \(1, 2, 2\), not \(2, 2\)"):
        rg.grad(norms)(B)


def test_tangents_of_one_triangle_are_asked_along_symmetric_directions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one_sided = np.array([[0.0, 1.0], [0.0, 0.0]])
    right = rg.jvp(likelihood, (SYMMETRIC, Y), (one_sided, Y))[1]
    loader.forget()
    half = rt.phi
    monkeypatch.setattr(rt, "phi", lambda x: 2.0 * half(x))
    with pytest.raises(rg.GradientMismatch):
        rg.differentiate(check="always")(likelihood).jvp((SYMMETRIC, Y), (one_sided, Y))
    assert np.isfinite(right)


def one_apart(x):
    return 0.0 * x if x == 1.0 else x - 1.0


def test_a_branch_at_one_point_is_found() -> None:
    """The function is ``x - 1``; the statements that run at 1 have another derivative, in every tool."""
    with pytest.raises(rg.GradientMismatch, match="branches at this very point"):
        rg.grad(one_apart)(1.0)
    assert rg.grad(one_apart)(1.5) == 1.0


def halved(x, tolerance):
    steps = 0
    while x > tolerance:
        x, steps = x / 2, steps + 1
    return x * steps


def test_a_run_that_never_ends_nearby_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a tolerance below zero, ``halved`` runs forever."""
    monkeypatch.setattr(first_call, "PATIENCE", 0.2)
    assert np.isfinite(rg.jvp(halved, (1.0, 1e-9), (1.0, -1.0))[1])
    np.testing.assert_allclose(rg.grad(halved)(1.0, 1e-9), 30 / 2**30)


def positive_part(x):
    return x[x > 0.0]


def test_results_that_have_another_shape_nearby_are_no_verdict() -> None:
    _, pull = rg.vjp(positive_part, np.array([1e-9, 1.0, 2.0]))
    np.testing.assert_array_equal(pull(np.ones(3))[0], np.ones(3))
    tangent = rg.jvp(positive_part, (np.array([1e-9, 1.0]),), (np.array([-1.0, 1.0]),))[1]
    np.testing.assert_array_equal(tangent, [-1.0, 1.0])


@pytest.mark.parametrize("way", ["grad", "vjp", "jvp"])
@pytest.mark.parametrize("write", ["k.setdefault('a', 2.0)", "k['a'] = 2.0", "k.update(a=2.0)"])
def test_options_are_the_functions_own(write: str, way: str) -> None:
    """A function may write to its ``**options``: they are new in each call."""
    f = written(f"def f(x, *more, **k):\n    {write}\n    return x * k['a'] * more[0]\n")
    made = {
        "grad": lambda: rg.grad(f, wrt=0)(1.5, 3.0),
        "vjp": lambda: rg.vjp(f, 1.5, 3.0, wrt=0)[1](1.0)[0],
        "jvp": lambda: rg.jvp(f, (1.5, 3.0), (1.0, None))[1],
    }
    assert made[way]() == 6.0


class Plain:
    """An object that is no container."""

    def __init__(self, a):
        self.a, self.b = a, a * 2.0


def test_differences_see_nothing_in_an_object_of_a_plain_class():
    def made(x):
        return [Plain(x * 3.0), x]

    value, pull = rg.vjp(made, 2.0, strict=True)
    assert pull(value) == (3.0 * 6.0 + 6.0 * 12.0 + 2.0,)
