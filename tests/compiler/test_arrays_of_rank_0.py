"""What is made of rank 0, an array or NumPy's number: `v += e` writes to the one, and binds the name of the other anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError

from ..both_modes import agrees
from ..written import written

GIVEN = {"array": np.array(0.7), "number": np.float64(0.7), "float": 0.7, "below": np.array(-0.3)}

# What makes a value of `t`, an array that was made in the function, of `x`, which may be either, and of `s`, a number.
FORMS = (
    "np.array({t} * 1.3)", "np.zeros(()) + {t}", "{t}.copy()", "np.asarray({t})", "np.asanyarray({t})", "np.copy({t})",
    "{t}[...]", "{t}[()]", "{t}[None]", "np.zeros_like({t})", "np.full((), {t})", "np.full_like({t}, 0.3)",
    "{t}.reshape(())", "{t}.squeeze()", "np.squeeze({t})", "{t}.T", "np.transpose({t})", "np.real({t})", "{t}.real",
    "{t}.astype(float)", "{t}.astype(float, copy=False)", "np.where({t} > 9, 2.0, {t})", "np.sin({t})", "np.sum({t})",
    "{t}.sum()", "{t} * 1.0", "np.add({t}, {t}, out=np.zeros(()))", "np.flip({t})", "np.dot({t}, {t})",
    "np.nan_to_num({t})", "np.tensordot({t}, {t}, 0)", "np.stack([{t}, {t}])[0, ...]", "np.stack([{t}, {t}])[0]",
    "np.require({t})"
)  # fmt: skip
WRITES = {
    "augmented, then written to": "v *= x\nv[...] = v * 3",
    "on a way": "v *= 2 * x\nif x > 0.1:\n    v[...] = v * x\nv[...] += x * x",
    "augmented on a way": "if x > 0.1:\n    v *= x\nnp.copyto(v, v * v)",
    "in a loop": "for k in range(3):\n    v += x * k\n    v[...] = v * x",
    "with another name": "w = v\nv += x\nv = v * w",
    "numbers": "v += x\nv *= v",
}


def program(form: str, of: str, write: str) -> str:
    made = form.format(t=of)
    lines = f"t = np.array(x * 0.8)\ns = x * 0.6\nv = {made}\n{WRITES[write]}\nreturn np.sum(v * x + t * s)"
    return "def f(x):\n    " + lines.replace("\n", "\n    ") + "\n"


@pytest.mark.sampled(6)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("of", "txs")
@pytest.mark.parametrize("form", FORMS)
def test_it_is_right_or_refused(form: str, of: str, write: str) -> None:
    """Where NumPy runs: never an error of the compiler's, and never another number."""
    f = written(program(form, of, write))
    for x in GIVEN.values():
        try:
            slope = (f(moved(x, STEP)) - f(moved(x, -STEP))) / (2 * STEP)
        except (TypeError, AttributeError, ValueError):
            refused(f, x)
            continue
        try:
            gradient = rg.grad(f, strict=True)(moved(x, 0.0))
        except InternalError:
            raise
        except RetrogradError:
            continue
        assert gradient == pytest.approx(slope, rel=1e-6, abs=1e-7)
        agrees(f, x) if isinstance(x, np.ndarray) or type(x) is float else None


STEP = 1e-6


def moved(x: Any, by: float) -> Any:
    return np.array(x + by) if isinstance(x, np.ndarray) else type(x)(x + by)


def refused(f: Any, x: Any) -> None:
    with pytest.raises((RetrogradError, TypeError, AttributeError, ValueError)):
        rg.grad(f, strict=True)(x)


CERTAIN = [
    form for form in FORMS
    if form.startswith(("np.array", "np.as", "np.copy", "np.zeros_like", "np.full", "np.where", "np.ten"))
    or form in ("{t}.copy()", "{t}[...]", "{t}.squeeze()", "{t}.T", "{t}.astype(float)")
]  # fmt: skip


@pytest.mark.parametrize("write", [w for w in WRITES if w not in ("numbers", "with another name")])
@pytest.mark.parametrize("form", CERTAIN)
def test_what_is_certainly_an_array_is_written_to(form: str, write: str) -> None:
    f = written(program(form, "t", write))
    for x in GIVEN.values():
        agrees(f, x)


RENEWED = {
    "in a loop in a loop": "p = np.zeros(2) + x\nfor i in range(2):\n    for d in (0.3, 0.7):\n        p = 0.5 - p\n        p -= d * x\n    p[:1] = p[1] * x",
    "in a loop": "p = np.array(x)\nfor i in range(2):\n    p = np.array(0.5 - p)\n    p -= x\np[...] = p * x",
    "a number in a loop": "p = np.array(x)\nfor i in range(2):\n    p = 0.5 - p\n    p -= x\np = np.array(p)\np[...] = p * x",
    "on a way": "p = np.array(x)\nif x > 0:\n    p = np.array(0.5 - p)\n    p -= x\np[...] = p * x",
    "by a copy of what may be either": "p = np.sum(x)\nfor i in range(2):\n    p = np.zeros(2)[i:].sum() - p\n    p -= x\n    p = np.asarray(p)\n    p[...] = p * x",
}


@pytest.mark.parametrize("x", [0.7, -0.3, np.array(0.7)])
@pytest.mark.parametrize("renewed", RENEWED)
def test_what_is_bound_anew_is_looked_at_itself(renewed: str, x: Any) -> None:
    lines = RENEWED[renewed].replace("\n", "\n    ")
    agrees(written(f"def f(x):\n    {lines}\n    return np.sum(p) * x\n"), x)
