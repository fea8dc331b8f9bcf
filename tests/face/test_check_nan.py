"""``check="nan"``: the line that made NaN or infinity, the pass, the operands; and what does not count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg


def distance(x, y):
    d = x - y
    return np.sqrt(np.sum(d * d))


def logs(x):
    y = x * 2.0
    for _ in range(3):
        y = y - 1.0
        z = np.log(y)
    return np.sum(z)


def ratio(a, b):
    c = a
    for _ in range(2):
        c = c / b
    return c


def through_helper(x):
    t = ratio(x, x - 1.0)
    return np.sum(t - t)


def in_place(x):
    out = np.zeros(3)
    for i in range(3):
        out[i] = 1.0 / x[i]
    return np.sum(out * out)


def power(x):
    return x**0.5


def entropy(x):
    return np.log(x) * x


def on_tape(x):
    y = eval("x * 1.0")
    r = np.sqrt(y)
    return np.sum(r)


def in_branch(x):
    if x > 0.0:
        z = np.tan(x)
    else:
        z = 1.0 / np.float64(x * x)
    return z * 2.0


# The call, and what the error says: kind, line of the program, pass, statement or operand.
ONES = np.ones(3)
MADE = [
    (lambda: rg.grad(distance)(ONES, ONES), "nan", "np.sqrt(np.sum(d * d))", "backward", "np.sqrt(np.sum(d * d))"),
    (lambda: rg.value_and_grad(logs)(np.array([3.0, 1.0, 2.0])), "nan", "z = np.log(y)", "forward", "-1.0 at [1]"),
    (lambda: rg.grad(through_helper)(np.array([3.0, 1.0, 2.0])), "nan", "c = c / b", "backward", "0.0 at [1]"),
    (lambda: rg.grad(in_place)(np.array([0.0, 1.0, 2.0])), "inf", "out[i] = 1.0 / x[i]", "", "0.0"),
    (lambda: rg.grad(power)(0.0), "inf", "return x**0.5", "backward", "ZeroDivisionError"),
    (lambda: rg.vjp(entropy, np.array([0.0, 1.0])), "nan", "np.log(x) * x", "forward", "-inf at [0]"),
    (lambda: rg.jvp(distance, (ONES, ONES), (ONES, ONES)), "nan", "np.sqrt(np.sum(d * d))", "tangent", "0.0"),
    (lambda: rg.hvp(distance, (ONES, ONES), ONES), "nan", "np.sqrt(np.sum(d * d))", "tangent", "0.0"),
    (lambda: rg.jacobian(entropy)(np.array([0.0, 1.0])), "nan", "np.log(x) * x", "forward", "-inf"),
    (lambda: rg.grad(in_branch)(0.0), "nan", "z = 1.0 / np.float64(x * x)", "backward", ""),
]  # fmt: skip


@pytest.fixture
def watched() -> Any:
    before = rg.get_check()
    rg.set_check("nan")
    yield
    rg.set_check(before)


@pytest.mark.usefixtures("watched")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("call", "kind", "line", "phase", "part"), MADE)
def test_the_line_that_made_it(call: Any, kind: str, line: str, phase: str, part: str) -> None:
    with pytest.raises(rg.NonFiniteError) as caught:
        call()
    error = caught.value
    assert str(error).startswith(f"{kind} in the ")
    assert error.place is not None
    assert error.place.file == __file__
    assert line in error.place.text
    assert phase in error.phase
    assert part in str(error)
    assert isinstance(error, FloatingPointError)


@pytest.mark.usefixtures("watched")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_infinity_is_named_with_the_nan_that_it_became() -> None:
    with pytest.raises(rg.NonFiniteError, match=r"`np.log\(x\)` in the forward pass"):
        rg.vjp(entropy, np.array([0.0, 1.0]))


@pytest.mark.usefixtures("watched", "taped")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("x", "kind", "phase"), [(0.0, "inf", "backward"), (-1.0, "nan", "forward")]
)
def test_on_the_tape(x: float, kind: str, phase: str) -> None:
    with pytest.raises(rg.NonFiniteError) as caught:
        rg.value_and_grad(on_tape)(np.array([x, 1.0]))
    assert caught.value.phase == phase
    assert caught.value.place is not None
    assert "np.sqrt(y)" in caught.value.place.text
    assert f"np.sqrt makes {kind}" in str(caught.value)


# -- what does not count ------------------------------------------------------------------------


def masked(x):
    safe = np.where(x > 0, np.log(np.where(x > 0, x, 1.0)), 0.0)
    return np.sum(safe) + np.sum(np.exp(-np.inf * np.ones(2)))


def log_density(x):
    return np.where(x > 0.0, -x, -np.inf)[()]


def without_gaps(x):
    return np.nansum(x * x)


@pytest.mark.usefixtures("watched")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_cut_off_on_the_way_does_not_count() -> None:
    assert np.array_equal(rg.grad(masked)(np.array([-1.0, 2.0, 0.0])), [0.0, 0.5, 0.0])
    assert rg.value_and_grad(log_density)(np.float64(-1.0)) == (-np.inf, 0.0)
    assert np.array_equal(rg.grad(without_gaps)(np.array([1.0, np.nan])), [2.0, 0.0])


@pytest.mark.usefixtures("watched")
def test_an_argument_that_holds_it_is_named() -> None:
    with pytest.raises(rg.NonFiniteError, match="it came with `x`: .*nan at \\[1\\]"):
        rg.grad(distance)(np.array([1.0, np.nan, 2.0]), ONES)


# -- how it is asked for --------------------------------------------------------------------------


def root(x):
    return np.sqrt(x)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_for_one_derivative() -> None:
    zero = np.float64(0.0)
    assert rg.grad(root)(zero) == np.inf
    with pytest.raises(rg.NonFiniteError):
        rg.grad(root, check="nan")(zero)
    with pytest.raises(rg.NonFiniteError):
        rg.differentiate(check="nan")(root).grad(zero)
    assert rg.grad(root)(zero) == np.inf
    with pytest.raises(rg.NonFiniteError):
        rg.grad(root, check="nan")(zero)  # and each time
    assert rg.grad(root, check="nan")(np.float64(4.0)) == 0.25


def test_a_wrong_word_is_refused() -> None:
    with pytest.raises(TypeError, match="'nan'"):
        rg.grad(root, check="inf")
