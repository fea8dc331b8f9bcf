"""``try``: what names hold where it failed half way, and who reads that: other iterations, what follows the loop."""

from __future__ import annotations

import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedSyntax

from ..written import written

TORN = "is bound in a `try` that may have failed before or after that"
LOOPS = ["for v in (x, 1.5 - x)", "for v in np.array([x, 1.5 - x, 0.5 * x])"]
LOOP = """
def f(x):
    y = z = w = n = x
    LOOP:
        AROUND:
            try:
                y = y * v
                z = np.log(check(v)) + v
            except ValueError:
                HANDLER
        FOLLOWS
    return RETURNED
"""
AROUND = ["if True", "if n > 0.0", "with np.errstate(all='ignore')"]
# The handler, what follows in the iteration, what is returned, and whether all of it is known.
HANDLERS = [
    ("continue", "w = w + z * y", "w", True),  # the next iteration reads y
    ("break", "w = w + z * y", "y", True),
    ("continue", "y = 2.0 * w", "y", True),
    ("y = w; continue", "w = w + z * y", "w * y + z", True),
    ("y = 1.0; break", "w = w + z * y", "w * y + z", True),
    ("return 5.0 * x", "w = w + z * y", "w * y + z", True),
    ("raise KeyError", "w = w + z * y", "w * y + z", True),
    ("y = z = w", "w = w + z * y", "w * y + z", True),
]
ONCE = """
def f(x):
    y = w = n = x
    row = np.ones(2)
    try:
        LAST
    except (ValueError, IndexError):
        n = 3.0 * x
    return n * w * y
"""
LAST = [
    ("y = np.sqrt(check(w := 0.5 - x))", False),
    ("y += np.sqrt(check(w := 0.5 - x))", False),
    ("w, row[5] = 2.0 * x, y", False),
    ("w = y = np.sqrt(check(0.5 - x))", True),
    ("w, y = x, np.sqrt(check(0.5 - x))", True),
    ("w = np.sqrt(check(0.5 - x))", True),
]


def check(v: float) -> float:
    if v < 0.0:
        raise ValueError(v)
    return v


def holds(text: str, known: bool) -> None:
    """The derivatives are those of the function where every name is known; else one is refused."""
    f = written(text, check=check)
    for x in (1.3, 2.0, 0.4):
        try:
            value = f(x)
        except KeyError:
            continue
        slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        if known:
            assert rg.value_and_grad(f)(x) == (value, pytest.approx(slope, rel=1e-6, abs=1e-6))
            assert rg.jvp(f, (x,), (1.0,)) == (value, pytest.approx(slope, rel=1e-6, abs=1e-6))
            continue
        for derivative in (rg.grad(f), rg.hessian(f)):
            with pytest.raises(UnsupportedSyntax, match=TORN):
                derivative(x)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("handler", "follows", "returned", "known"), HANDLERS)
def test_a_handler_that_leaves(
    loop: str, around: str, handler: str, follows: str, returned: str, known: bool
) -> None:
    parts = {"LOOP": loop, "AROUND": around, "HANDLER": handler, "FOLLOWS": follows, "RETURNED": returned}  # fmt: skip
    text = LOOP
    for name, part in parts.items():
        text = text.replace(name, part)
    holds(text, known)


@pytest.mark.parametrize(("last", "known"), LAST)
def test_the_last_statement_may_bind_before_it_fails(last: str, known: bool) -> None:
    holds(ONCE.replace("LAST", last), known)
