"""``super()`` wherever it may stand; and texts made with ``%``."""

from __future__ import annotations

import decimal

import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError, TapeError, UnsupportedOperation
from retrograd.runtime.tape.calls import taped

from ..written import namespace, written

CLASSES = """
class Base:
    def __init__(self, a):
        self.a = a
    @classmethod
    def scale(cls):
        return 2.0
    @classmethod
    def of(cls, x):
        return x * cls.scale()
    @staticmethod
    def twice(x):
        return x * 2.0
    @property
    def cube(self):
        return self.a**3
    def m(self):
        return self.a * 7.0
class Child(Base):
    def __init__(self, a):
        super().__init__(a * 2.0)
    @classmethod
    def scale(cls):
        return 3.0 * super().scale()
    @classmethod
    def of(cls, x):
        return x * super().of(x)
    @staticmethod
    def twice(x):
        return super(Child, Child).twice(x) * x
    @property
    def cube(self):
        return super().cube * self.a
    def m(self):
        return super(Child, self).m() * super().m() * self.a
class Grand(Child):
    @classmethod
    def scale(cls):
        return 1.5 * super().scale() + super().twice(1.0) + super(Child, cls).scale()
class Changed(Child):
    def scale(self):
        return super().scale() * self.a
def f(x):
    return RETURNED
"""
CALLS = [
    "x * Child.scale()", "Child.of(x)", "Grand.of(x)", "x * Grand.scale()", "x * Child(x).scale()",
    "Child.twice(x)", "Child(x).twice(x)", "Child(x).cube", "Child(x).m()", "Grand(x).m() * Grand.scale()",
    "Changed(x).scale() * x",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_super(call: str) -> None:
    f = namespace(CLASSES.replace("RETURNED", call))["f"]
    expected = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    assert taped(f, 1.5)[1](1.0) == pytest.approx(expected, rel=1e-6)
    try:
        found = rg.grad(f)(1.5)
    except rg.errors.InternalError:
        raise
    except RetrogradError:
        assert "Changed" in call  # a classmethod of an object's class is refused
    else:
        assert found == pytest.approx(expected, rel=1e-6)


def test_formatting_is_no_remainder() -> None:
    f = written(
        "def f(x):\n    note = '%d of %s: %.2f%%' % (3, 'x', x)\n    if x > 9:\n"
        "        raise ValueError('%s is large: %d' % (x, 9), note)\n    return x * x\n"
    )
    assert rg.grad(f)(1.5) == 3.0
    with pytest.raises(ValueError, match="10.0 is large: 9"):
        rg.grad(f)(10.0)
    back = written("def f(x):\n    return float('%.6f' % x) * x\n")
    with pytest.raises(UnsupportedOperation, match="text"):
        rg.grad(back)(1.5)


def test_decimals_on_the_tape() -> None:
    with pytest.raises(TapeError, match="Decimal"):
        taped(lambda x: float(decimal.Decimal(x) * 2), 1.5)
