"""Names that ``global`` and ``nonlocal`` declare: read where they are, and refused where they are bound."""

from __future__ import annotations

import functools
import inspect

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError, TapeWarning

SIGNATURE, TABLE, rate = None, None, 5.0


def slope(f, x=0.7):
    return (f(x + 1e-6) - f(x - 1e-6)) / 2e-6


def with_memo(fn):
    """As decorators that ask for a signature when it is first needed."""
    known = None

    @functools.wraps(fn)
    def inner(*args, **kwargs):
        nonlocal known
        if known is None:
            known = inspect.signature(fn)
        given = known.bind(*args, **kwargs)
        given.apply_defaults()
        return fn(*given.args, **given.kwargs)

    def forget():
        nonlocal known
        known = None

    inner.forget = forget
    return inner


@with_memo
def scaled(x, by=2.0, *, power=3):
    return by * x**power


def tabulated(x):
    global TABLE
    if TABLE is None:
        TABLE = np.linspace(0.0, 3.0, 4)
    return x * x * TABLE[2]


def hidden_by_a_local(x):
    rate = x * 2

    def of_module():
        global rate
        return rate

    return of_module() * x * rate


def in_two_functions(x):
    def first():
        global rate
        return rate * x

    def second():
        rate = x
        return rate * first()

    return second()


def of_a_function(x):
    value = x * 3

    def inner():
        nonlocal value
        return value * x

    return inner()


def bound_later(x):
    def inner():
        nonlocal value
        return value * x

    value = x * 3
    return inner()


def counter():
    gain = 2.0

    def f(x):
        nonlocal gain
        return gain * x * x

    def put(value):
        nonlocal gain
        gain = value

    return f, put


READ = [hidden_by_a_local, in_two_functions, of_a_function, bound_later, counter()[0]]


@pytest.mark.parametrize("f", READ, ids=lambda f: f.__qualname__)
def test_what_is_read_is_of_its_own_scope(f):
    for x in (0.7, -1.3):
        assert rg.grad(f, strict=True)(x) == pytest.approx(slope(f, x), rel=1e-6)
        assert rg.jvp(f, (x,), (1.0,))[1] == pytest.approx(slope(f, x), rel=1e-6)


def test_what_is_changed_outside_is_seen(monkeypatch):
    f, put = counter()
    gradient, of_module = rg.grad(f, strict=True), rg.grad(hidden_by_a_local, strict=True)
    for value in (3.0, 4.0):
        put(value)
        monkeypatch.setitem(globals(), "rate", value)
        assert gradient(0.7) == pytest.approx(slope(f))
        assert of_module(0.7) == pytest.approx(slope(hidden_by_a_local))


CALLS = [lambda x: scaled(x), lambda x: scaled(x, power=2), lambda x: scaled(by=x, x=x), tabulated]


@pytest.mark.parametrize("f", CALLS)
def test_what_is_filled_when_it_is_first_needed(f):
    expected = slope(f)  # fills it
    gradient = rg.grad(f, strict=True)
    assert gradient(0.7) == pytest.approx(expected)
    assert rg.hvp(f, (0.7,), 1.0) == pytest.approx(
        (slope(f, 0.71) - slope(f, 0.69)) / 0.02, rel=1e-3
    )


def test_what_is_forgotten_is_not_filled_by_a_derivative():
    gradient, expected = rg.grad(lambda x: scaled(x), strict=True), slope(scaled)
    assert gradient(0.7) == pytest.approx(expected)
    scaled.forget()
    with pytest.raises(RetrogradError, match="outside of the function"):
        gradient(0.7)
    assert slope(scaled) == pytest.approx(expected)
    assert gradient(0.7) == pytest.approx(expected)


def test_what_is_not_filled_yet_is_filled_on_the_tape():
    def cubed(x, by=2.0):
        return by * x**3

    f = with_memo(cubed)
    with pytest.warns(TapeWarning):
        assert rg.grad(f, strict=False)(0.7) == pytest.approx(slope(cubed))
    assert rg.grad(f, strict=True)(0.7) == pytest.approx(slope(cubed))


def counted(x):
    global rate
    rate += 1.0
    return rate * x


def bound_by_a_loop(x):
    global rate
    for rate in (1.0, 2.0):
        x = x * rate
    return x


def deleted(x):
    global rate
    y = rate * x
    if x > 5.0:
        del rate
    return y


def named_on_the_way(x):
    global rate
    return x * (rate := 3.0)


def imported(x):
    global math
    import math

    return math.sin(x)


def defined(x):
    global rate

    def rate(v):
        return v * v

    return rate(x)


def caught(x):
    global rate
    try:
        y = float(x) / 1.0
    except ValueError as rate:
        y = len(str(rate)) * x
    return y * x


BOUND = [counted, bound_by_a_loop, deleted, named_on_the_way, imported, defined, caught]


@pytest.mark.parametrize("f", BOUND, ids=lambda f: f.__name__)
def test_what_is_bound_outside_is_refused(f):
    before = dict(globals())
    with pytest.raises(RetrogradError):
        rg.grad(f, strict=True)(0.7)
    assert before == globals()
