"""``if np.may_share_memory(k, h): k = k.copy()``: behind it the two are apart, and one may be written to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

X = np.array([0.3, -0.5, 0.7, 1.1, 0.2, -0.9])
SOURCES = ("np.sin(x)", "np.sin(x)[::2]", "np.sin(x.reshape(2, 3)).T", "x")
CONVERSIONS = (
    "np.asarray(h, dtype=float, order='C')",
    "np.require(h, float, 'F')",
    "h.reshape(-1)",
    "np.ravel(h)",
)
SHARED = (
    "np.may_share_memory(k, h)",
    "np.shares_memory(h, k)",
    "not (not np.may_share_memory(k, h))",
    "(np.may_share_memory(h, k) or len(x) > 9)",
)
PARTINGS = {
    "copied": "if {shared}:\n        k = k.copy()",
    "the other copied": "if {shared}:\n        h = h.copy()",
    "copied otherwise": "if not {shared}:\n        pass\n    else:\n        k = np.array(k)",
    "an expression": "k = k.copy() if {shared} else k",
    "a new name": "if {shared}:\n        k = 2 * h.reshape(-1)[: k.size].reshape(k.shape)",
    "refused": "if {shared}:\n        raise ValueError('shared')",
    "left": "if {shared}:\n        return np.sum(k) * 3",
    "in a loop": "for _ in range(2):\n        if {shared}:\n            k = k.copy()",
    "asked twice": "if {shared}:\n        k = k.copy()\n    assert not np.shares_memory(k, h)",
}
WRITES = {
    "k": "k[k < 0.5] = 0.25",
    "k in place": "k *= 2",
    "k in a helper": "clamp(k)",
    "h": "h[h < 0.5] = 0.25",
    "both": "k *= 2\n    h[h < 0.5] = 0.25\n    k += 1",
}


def program(lines: list[str], path: Path) -> Any:
    text = "import numpy as np\n\ndef clamp(k):\n    k[k < 0.5] = 0.25\n\ndef f(x):\n"
    path.write_text(text + "".join(f"    {line}\n" for line in lines))
    names: dict[str, Any] = {"__file__": str(path), "__name__": "program"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["f"]


def slopes(f: Any) -> np.ndarray:
    return np.array([(f(X + d) - f(X - d)) / 2e-6 for d in 1e-6 * np.eye(X.size)])


def check(f: Any, must_compile: bool) -> None:
    """The derivative is right, what is raised is raised, or it is refused."""
    try:
        want = slopes(f)
    except (ValueError, AssertionError) as error:
        with pytest.raises((type(error), *([] if must_compile else [MutationError]))):
            rg.grad(f, strict=True)(X.copy())
        return
    try:
        found = rg.grad(f, strict=True)(X.copy())
    except MutationError:
        assert not must_compile
        return
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("parting", PARTINGS)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.sampled(24)
@pytest.mark.parametrize("conversion", CONVERSIONS)
@pytest.mark.parametrize("shared", SHARED)
def test_parted(
    shared: str, conversion: str, source: str, parting: str, write: str, tmp_path: Path
) -> None:
    lines = [
        f"h = {source}",
        f"k = {conversion}",
        PARTINGS[parting].format(shared=shared),
        WRITES[write],
        "return np.sum(k * k) + np.sum(h * h * h)",
    ]
    certain = (
        source == "np.sin(x)" and parting != "in a loop"
    )  # what is asked of a part says nothing of the rest
    check(program(lines, tmp_path / "program.py"), certain)


NOTHING = {
    "where they may be one": "if np.may_share_memory(k, h):\n        k *= 2",
    "of parts": "if not np.shares_memory(k[:1], h[1:]):\n        k *= 2",
    "of either": "if not np.shares_memory(k, h) or len(x) > 2:\n        k *= 2",
    "before it is another": "apart = not np.may_share_memory(k, h)\n    k = h[...]\n    if apart:\n        k *= 2",
    "on one way": "if len(x) > 9:\n        if np.shares_memory(k, h):\n            raise ValueError\n    k *= 2",
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("told", NOTHING)
def test_what_says_nothing(told: str, source: str, tmp_path: Path) -> None:
    lines = [
        f"h = {source}",
        "k = np.asarray(h, dtype=float, order='C')",
        NOTHING[told],
        "return np.sum(k * k) + np.sum(h * h * h)",
    ]
    check(program(lines, tmp_path / "program.py"), must_compile=False)
