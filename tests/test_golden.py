"""The golden files: what we write, word for word; that it is stable, that it runs, and that it is right."""

from __future__ import annotations

import ast
import copy
import dataclasses
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from retrograd.transforms.star_arguments import apart

from .golden_case import FOLDER, Case, cases, flat

pytestmark = pytest.mark.quick
CASES = list(cases())
each = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


def run(case: Case, kind: str, args: list[Any], text: Any = None) -> Any:
    """What the generated function returns for these arguments, which it must leave alone."""
    text = text or case.generated(kind)
    scope = dict(text.captured)
    exec(compile(text.text, "<golden>", "exec"), scope)
    before = copy.deepcopy(args)
    inner = case.derived(kind).inner
    given, named = apart(inner, args[: len(inner.parameters)])
    result = scope[text.names[0]](*given, *args[len(inner.parameters) :], **named)
    for a, b in zip(args, before, strict=True):
        np.testing.assert_array_equal(flat(a), flat(b)) if has_numbers(b) else None
    return result


def has_numbers(tree: Any) -> bool:
    plain = hasattr(tree, "__dict__") and not dataclasses.is_dataclass(tree)  # may be written to
    return not (plain or isinstance(tree, (str, type(None))))


@each
def test_the_text_is_the_expected_one(case: Case) -> None:
    assert case.parts[1], "no output yet: python -m tests.regenerate"
    assert case.generated(case.kind).text == case.parts[1]


@each
def test_generating_again_changes_nothing(case: Case) -> None:
    assert case.generate().text == case.generated(case.kind).text


@pytest.mark.parametrize("seed", ["0", "12345"])
def test_another_process_writes_the_same(seed: str) -> None:
    environment = os.environ | {"PYTHONHASHSEED": seed}
    command = [sys.executable, "-m", "tests.regenerate", "--check"]
    root = FOLDER.parent.parent
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@each
def test_reverse_mode_agrees_with_finite_differences(case: Case) -> None:
    got = run(case, "grad", case.arguments())
    want = case.numeric()
    np.testing.assert_allclose(flat(got), want, rtol=1e-5, atol=1e-6 * (1 + np.abs(want).max()))


@each
def test_forward_mode_agrees_with_reverse_mode(case: Case) -> None:
    args = case.arguments()
    dots = [copy.deepcopy(k.of(args)) for k in case.wrt]  # the argument itself is a fine direction
    value, dot = run(case, "jvp", [*args, *dots])
    bars = run(case, "grad", case.arguments())
    np.testing.assert_allclose(value, case.value(case.arguments()), rtol=1e-12)
    np.testing.assert_allclose(dot, flat(bars) @ flat(dots), rtol=1e-9)


@each
def test_value_and_gradient_together_are_the_same(case: Case) -> None:
    value, bars = run(case, "value_and_grad", case.arguments())
    np.testing.assert_allclose(value, case.value(case.arguments()), rtol=1e-12)
    np.testing.assert_allclose(flat(bars), flat(run(case, "grad", case.arguments())))


@each
def test_the_expected_text_itself_runs(case: Case) -> None:
    """What is committed, not what was generated just now."""
    text = dataclasses.replace(case.generated(case.kind), text=case.parts[1])
    args = case.arguments()
    dots = [copy.deepcopy(k.of(args)) for k in case.wrt] if case.kind == "jvp" else []
    result = run(case, case.kind, args + dots, text)
    assert np.all(np.isfinite(flat(result)))


@each
def test_the_text_is_well_formed(case: Case) -> None:
    text = case.generated(case.kind).text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    for line in text.splitlines():
        assert len(line) <= 88, line
        assert line == line.rstrip(), line
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef):
            assert unread_names(function) == set()


def unread_names(function: ast.FunctionDef) -> set[str]:
    """Names that a function binds and never reads."""
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
    read = {n.id for n in names if not isinstance(n.ctx, ast.Store)}
    return {n.id for n in names if isinstance(n.ctx, ast.Store)} - read - {"_"}


def test_every_golden_file_has_a_docstring_a_header_and_arguments() -> None:
    assert len(CASES) > 30
    for case in CASES:
        tree = ast.parse(case.parts[0])
        assert ast.get_docstring(tree), case.name
        assert case.header("differentiate"), case.name
        assert callable(case.module.arguments), case.name
