"""What a function asks of a set: every question to every way of making one is answered rightly, or refused by its own name."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation, UnsupportedSyntax

from ..before_after import function

MADE = (
    "{3, 1}",
    "set((3, 1))",
    "frozenset((3, 1))",
    "frozenset({1, 3})",
    "OUTSIDE",
    "set('ab')",
    "frozenset()",
)
ASKED = (
    "len(s)", "3 in s", "'a' in s", "sum(s)", "max(s)", "sorted(s)[0]", "sum(sorted(s))", "bool(s)", "s == {1, 3}",
    "sum(k for k in s)", "len(s | {5})", "len(s & {3})", "len(s.union({5}))", "float(s.isdisjoint({5}))", "len(list(s))", "sum(float(k) for k in sorted(s))",
)  # fmt: skip


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("asked", ASKED)
def test_a_question_to_a_set_is_answered_as_python_does_or_refused(made: str, asked: str) -> None:
    f = function(f"OUTSIDE = {{3, 1}}\ndef f(x):\n    s = {made}\n    return x * x * ({asked})\n")
    try:
        want = 2 * 1.5 * eval(asked, {"s": eval(made, {"OUTSIDE": {3, 1}})})
    except (TypeError, ValueError, IndexError):
        return
    said, found = answer(f)
    if said is None:
        assert found == pytest.approx(want)
    else:
        assert "what to do" in said
        assert "Members" not in said


def answer(f: Any) -> tuple[str | None, Any]:
    """What a refusal says, or the slope."""
    try:
        return None, rg.grad(f, strict=True)(1.5)
    except (UnsupportedOperation, UnsupportedSyntax) as refusal:
        return str(refusal), None
