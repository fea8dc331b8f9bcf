"""SciPy's functions of several numbers, all of them anywhere: of some, whole numbers are made (``kn(1.7, x)`` is that of 1)."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.scipy import registry

special = pytest.importorskip("scipy.special")
NUMBERS = (0.3, 0.7, 1.2, 1.7, 2.3, 3.4, -0.3, -0.5, -1.5)
STEP = 1e-5


def functions() -> list[str]:
    """The functions of real numbers, one result, that have rules."""
    registry.load()
    known = [(name, getattr(special, name)) for name in sorted(dir(special))]
    return [
        name for name, fn in known
        if isinstance(fn, np.ufunc) and fn in book.rules and 2 <= fn.nin <= 4 and fn.nout == 1
        and any(kinds.startswith("d" * fn.nin) for kinds in fn.types)
    ]  # fmt: skip


def slope(fn, args, k):
    """The difference quotient by one argument; None where two steps do not agree."""

    def at(t):
        return fn(*args[:k], args[k] + t, *args[k + 1 :])

    wide, narrow = ((at(h) - at(-h)) / (2 * h) for h in (2 * STEP, STEP))
    smooth = np.isfinite(narrow) and abs(wide - narrow) <= 1e-4 * (1 + abs(narrow))
    return narrow if smooth else None


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", functions())
def test_slopes_anywhere(name):
    """What is no number may be none: where SciPy goes on and the formula of the derivative does not."""
    fn = getattr(special, name)
    derived = rg.differentiate(check=None, strict=True)(fn)
    draw = np.random.default_rng(7)
    for _ in range(12):
        args = [float(x) for x in draw.choice(NUMBERS, fn.nin)]
        if not np.isfinite(fn(*args)):
            continue
        for k in range(fn.nin):
            want = slope(fn, args, k)
            try:
                got = rg.grad(derived, wrt=k)(*args) if want is not None else np.nan
            except rg.RetrogradError:
                continue  # whole numbers have no derivative, and what has no rule none
            assert not np.isfinite(got) or abs(got - want) <= 1e-3 * (1 + abs(want)), (args, k)
