"""The mistakes that the mutation test makes: one place each, and still a program."""

from __future__ import annotations

import ast
from pathlib import Path

from .mutations import mutants_of

RULE = '''
def solve_b(c, a, like={"x", "y"}):
    """A text is left alone: 1 + 1."""
    assert c.ndim > 0
    if like and c.ndim == 2:
        c += 1
    return -np.swapaxes(a, 0, 1) @ c.T + 2 * c
'''
KINDS = {
    "sign", "dropped term", "dropped factor", "quotient", "transpose", "without swapaxes", "number",
    "condition", "condition dropped", "overwritten",
}  # fmt: skip


def test_each_mutant_is_one_edit_that_parses(tmp_path: Path) -> None:
    (tmp_path / "rule.py").write_text(RULE)
    found = mutants_of(tmp_path, "rule.py")
    assert {m.kind for m in found} == KINDS
    texts = [m.applied(RULE) for m in found]
    assert len(set(texts)) == len(texts)
    for text in texts:
        ast.parse(text)
        assert "assert c.ndim > 0" in text
        assert "1 + 1." in text
