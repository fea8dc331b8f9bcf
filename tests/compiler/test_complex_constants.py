"""Complex values that a real argument meets: whatever they are held in, the derivative is that of a complex program."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.differentiate import transformations
from retrograd.compiler.simplify import builder
from retrograd.runtime.errors import GradientMismatch
from tests.written import written

C = np.array([1 + 2j, 3 - 1j])


class Table:
    """An object that answers by looking things up."""

    def __init__(self) -> None:
        self.entries = {"a": C}

    def __getitem__(self, key: str) -> Any:
        return self.entries[key]

    def get(self, key: str) -> Any:
        return self.entries[key]


NAMES: dict[str, Any] = {
    "C": C, "ENTRIES": {"a": C}, "ITEMS": [C, 2 * C], "PAIR": (0.5, (C,)), "TABLE": Table(), "ONE": np.complex64(1 + 2j),
    "HELD": SimpleNamespace(c=C, inner={"a": C}), "OBJECTS": np.array([1 + 2j, 2.0], object), "Z": 1 - 2j,
}  # fmt: skip
SPELLED = {
    "array": "C", "entry": "ENTRIES['a']", "entry by name": "ENTRIES[key]", "item": "ITEMS[k]", "inner item": "PAIR[1][0]",
    "attribute": "HELD.c", "inner": "HELD.inner['a']", "looked up": "TABLE['a']",
    "by method": "TABLE.get(key)", "by method of a constant": "TABLE.get('a')", "scalar": "ONE", "number": "Z",
    "loaded": "np.load(path)", "roots": "np.roots([1.0, 0.0, 1.0])", "made": "np.array([1.0, 2.0], dtype=complex)",
    "from text": "np.array([complex('1+2j'), 1.0])", "element": "C[k]", "by function": "getattr(HELD, 'c')",
}  # fmt: skip
LOOPS = {
    "carried": "z = x\n    for k in range(2):\n        z = z * {c}",
    "begins complex": "k = 1\n    z = {c}\n    for k in range(2):\n        z = z * x",
    "None first": "z = None\n    for k in range(2):\n        z = {c} * 1 if z is None else z * x",
    "while": "z, k = x, 0\n    while k < 2:\n        z, k = z * z + {c}, k + 1",
}
RESULTS = {"size": "np.sum(np.abs(z * z))", "part": "np.sum(z.real ** 2)"}


def program(spelled: str, loop: str, result: str) -> Any:
    body = LOOPS[loop].format(c=SPELLED[spelled])
    return written(f"def f(x, key, path):\n    {body}\n    return {RESULTS[result]}\n", **NAMES)


@pytest.mark.sampled(5)
@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("spelled", SPELLED)
def test_meets_a_complex_value(spelled: str, loop: str, result: str, tmp_path: Path) -> None:
    path = str(tmp_path / "c.npy")
    np.save(path, C)
    f = program(spelled, loop, result)
    x, d = np.array([0.4, 0.7]), np.array([1.0, -0.5])
    want = (f(x + 1e-6 * d, "a", path) - f(x - 1e-6 * d, "a", path)) / 2e-6
    bar = rg.grad(f)(x, "a", path)
    dot = rg.jvp(f, (x, "a", path), (d, None, None))[1]
    assert bar.dtype == x.dtype
    assert not np.iscomplexobj(dot)
    np.testing.assert_allclose([bar @ d, dot], want, rtol=1e-6)


def by_parts(x):
    z = x
    for _ in range(2):
        z = z * C
    return np.sum(z.real**2)


def test_a_complex_tangent_of_a_real_result_is_a_mismatch(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (builder, transformations):
        monkeypatch.setattr(module, "mentions_complex", lambda block: False)
    with pytest.raises(GradientMismatch, match="tangent of the result is complex"):
        rg.jvp(by_parts, (np.array([0.4, 0.7]),), (np.array([1.0, -0.5]),))
