"""Powers: the sign and the kind of the base and of the exponent, and which of them is differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.tape.calls import taped

from ..written import written

pytestmark = pytest.mark.usefixtures("unchecked")

BASES = {
    "float": 1.5, "negative": -1.5, "integer": -2, "scalar": np.float64(-1.5), "complex": -1.5 + 0.2j,
    "on the cut": -1.5 + 0j, "0-d": np.array(-1.5), "array": np.array([-1.5, 2.0]),
}  # fmt: skip
EXPONENTS = {
    "float": 1.7, "scalar": np.float64(1.7), "complex": 1.7 + 0.1j, "array": np.array([1.7, 3.0]), "whole": 2.0
}  # fmt: skip
TEXTS = {
    "real": "(x**y).real", "imag": "pow(x, y).imag", "abs": "abs(x**y)",
    "power": "np.real(np.power(x, y) * (1 + 2j))",
}  # fmt: skip


def along(f: Any, args: list[Any], k: int) -> Any:
    """The slope of the sum of the results along argument ``k``, real steps only; None: there is none."""
    with np.errstate(all="ignore"):
        ends = [
            f(*(type(a)(a + step) if j == k and not np.ndim(a) and not isinstance(a, np.ndarray)
                else a + step if j == k else a for j, a in enumerate(args)))
            for step in (-1e-6, 0.0, 1e-6)
        ]  # fmt: skip
    kinds = {np.iscomplexobj(args[0] ** (args[1] + (s if k else 0.0))) for s in (0.0, 1e-6)}
    slope = (np.sum(ends[2]) - np.sum(ends[0])) / 2e-6
    smooth = np.isfinite(slope) and len(kinds) == 1
    return slope if smooth else None  # at a whole exponent a power of a negative number is real


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("text", TEXTS)
def test_powers(text: str, base: str) -> None:
    f = written(f"def f(x, y):\n    return {TEXTS[text]}\n")
    for kind, exponent in EXPONENTS.items():
        args = [BASES[base], exponent]
        for k in (0, 1):
            if isinstance(args[k], int):
                continue
            with np.errstate(all="ignore"):
                expected = along(f, args, k)
            on_the_cut = base == "on the cut" and k == 0
            if expected is None or on_the_cut:
                continue
            one = args[k] * 0 + 1.0
            _, moved = rg.jvp(f, tuple(args), tuple(one if j == k else None for j in (0, 1)))
            value, pull = taped(f, *args, wrt=(k,))
            compiled = rg.vjp(f, *args, wrt=k)[1](np.ones_like(value)[()])
            for way, found in (
                ("jvp", moved),
                ("vjp", compiled),
                ("tape", pull(np.ones_like(value)[()])),
            ):
                total = np.sum(np.real(found[0] if isinstance(found, tuple) else found))
                assert np.isclose(total, expected, rtol=1e-4, atol=1e-5), (way, kind, "xy"[k])
