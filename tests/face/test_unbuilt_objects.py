"""Cotangents and tangents of objects are no objects of the user's making: no constructor sees them."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError

pytestmark = pytest.mark.usefixtures("unchecked")


def positive(self):
    if self.m < 0 or self.w < 0:
        raise ValueError("negative")


@dataclass
class Plain:
    m: float
    w: float


@dataclass
class Changing:
    m: float
    w: float

    def __post_init__(self):
        self.m = abs(self.m)


@dataclass
class Checking:
    m: float
    w: float
    __post_init__ = positive


@dataclass(frozen=True)
class Frozen:
    m: float
    w: float
    __post_init__ = positive


@dataclass(slots=True)
class Slots:
    m: float
    w: float
    __post_init__ = positive


@dataclass(frozen=True, slots=True)
class FrozenSlots:
    m: float
    w: float


@dataclass(kw_only=True)
class Named:
    m: float
    w: float
    __post_init__ = positive


@dataclass
class Derived:
    m: float
    w: float = field(init=False)

    def __post_init__(self):
        self.w = self.m + 1.0


@dataclass
class Given:
    m: float
    by: InitVar[float]
    w: float = 0.0

    def __post_init__(self, by):
        self.w = by * self.m


@dataclass
class Child(Changing):
    v: float = 4.0


@dataclass
class Own:
    m: float
    w: float

    def __init__(self, both):
        self.m, self.w = both, 1.5 * both


class Record(NamedTuple):
    m: float
    w: float


@dataclass(frozen=True)
class Around:
    inner: Checking
    w: float

    def __post_init__(self):
        positive(self.inner)

    @property
    def m(self):
        return self.inner.m


OBJECTS = [
    Plain(2.0, 3.0), Changing(2.0, 3.0), Checking(2.0, 3.0), Frozen(2.0, 3.0), Slots(2.0, 3.0),
    FrozenSlots(2.0, 3.0), Named(m=2.0, w=3.0), Derived(2.0), Given(2.0, 1.5), Child(2.0, 3.0), Own(2.0),
    Record(2.0, 3.0), Around(Checking(2.0, 7.0), 3.0),
]  # fmt: skip


def loss(p):
    return -p.m * p.m * p.w


def nested_loss(p):
    return -p.inner.m * p.inner.m * p.w


def handed(p):
    return p


def part(p: Any, name: str) -> Any:
    return getattr(p.inner, "m") if name == "m" and isinstance(p, Around) else getattr(p, name)  # noqa: B009


def with_parts(like: Any, m: float, w: float) -> Any:
    """An object like another one, made past its constructor."""
    if isinstance(like, tuple):
        return Record(m, w)
    made = object.__new__(type(like))
    for f in fields(like):
        object.__setattr__(made, f.name, 0.0)
    object.__setattr__(made, "w", w)
    if isinstance(like, Around):
        object.__setattr__(made, "inner", with_parts(like.inner, m, 0.0))
    else:
        object.__setattr__(made, "m", m)
    return made


def numbers(p: Any) -> list[float]:
    return [float(part(p, "m")), float(part(p, "w"))]


def of(p: Any) -> Any:
    return nested_loss if isinstance(p, Around) else loss


kinds = pytest.mark.parametrize("p", OBJECTS, ids=lambda p: type(p).__name__)


@kinds
def test_first_derivatives_by_arguments(p: Any) -> None:
    f, (m, w) = of(p), numbers(p)
    want = [-2 * m * w, -m * m]
    backwards = [rg.grad(f)(p), rg.value_and_grad(f)(p)[1], rg.vjp(f, p)[1](1.0)[0]]
    whole = [rg.jacobian(f, mode=mode)(p) for mode in (None, "forward", "reverse")]
    for found in backwards + whole:
        assert type(found) is type(p)
        np.testing.assert_allclose(numbers(found), want)
    value, tangent = rg.jvp(f, (p,), (with_parts(p, -1.0, 2.0),))
    assert (value, tangent) == (f(p), 2 * m * w - 2 * m * m)


@kinds
def test_second_derivatives_by_arguments(p: Any) -> None:
    f, (m, w) = of(p), numbers(p)
    found = rg.hessian(f)(p)
    rows = [numbers(part(found, "m")), numbers(part(found, "w"))]
    np.testing.assert_allclose(rows, [[-2 * w, -2 * m], [-2 * m, 0.0]])
    product = rg.hvp(f, (p,), with_parts(p, -1.0, 2.0))
    np.testing.assert_allclose(numbers(product), [2 * w - 4 * m, 2 * m])


@kinds
def test_results_that_are_arguments(p: Any) -> None:
    tangent = with_parts(p, -1.0, -2.0)
    value, pushed = rg.jvp(handed, (p,), (tangent,))
    assert type(pushed) is type(value) is type(p)
    assert numbers(value) == numbers(p)
    assert numbers(pushed) == [-1.0, -2.0]
    assert numbers(rg.vjp(handed, p)[1](tangent)[0]) == [-1.0, -2.0]
    for mode in ("forward", "reverse"):
        found = rg.jacobian(handed, mode=mode)(p)
        assert numbers(part(found, "m")) == [1.0, 0.0]
        assert numbers(part(found, "w")) == [0.0, 1.0]


def plain(x):
    return Plain(x * x, 3.0 * x)


def changing(x):
    return Changing(x * x, 3.0 * x)


def checking(x):
    return Checking(x * x, 3.0 * x)


def slots(x):
    return Slots(x * x, 3.0 * x)


def frozen_slots(x):
    return FrozenSlots(x * x, 3.0 * x)


def named(x):
    return Named(m=x * x, w=3.0 * x)


def derived(x):
    return Derived(x * x)


def given(x):
    return Given(x * x, 2.0)


def child(x):
    return Child(x * x, 3.0 * x, x)


def own(x):
    return Own(x * x)


def record(x):
    return Record(x * x, 3.0 * x)


def around(x):
    return Around(Checking(x * x, 1.0), 3.0 * x)


RESULTS = [plain, changing, checking, slots, frozen_slots, named, derived, given, child, own, record,
           around]  # fmt: skip
NOT_COMPILED = {given}


@pytest.mark.parametrize("f", RESULTS, ids=lambda f: f.__name__)
def test_results(f: Any) -> None:
    if f in NOT_COMPILED:
        with pytest.raises(RetrogradError) as refusal:
            rg.jvp(f, (2.0,), (-1.0,))
        assert not isinstance(refusal.value, InternalError)
        return
    high, low = (numbers(f(2.0 + h)) for h in (1e-6, -1e-6))
    slope = (np.array(high) - np.array(low)) / 2e-6
    value, tangent = rg.jvp(f, (2.0,), (-1.0,))
    assert numbers(value) == numbers(f(2.0))
    assert type(tangent) is type(value) is type(f(2.0))
    np.testing.assert_allclose(numbers(tangent), -slope, rtol=1e-6)
    value, pull = rg.vjp(f, 2.0)
    assert numbers(value) == numbers(f(2.0))
    np.testing.assert_allclose(
        pull(with_parts(value, -1.0, 2.0))[0], slope @ [-1.0, 2.0], rtol=1e-6
    )
    for mode in ("forward", "reverse"):
        np.testing.assert_allclose(numbers(rg.jacobian(f, mode=mode)(2.0)), slope, rtol=1e-6)
