"""``retrograd check``: stale files, and functions whose derivatives are tried."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Done

Call = Callable[..., Done]


def write(call: Call, *argv: str) -> None:
    done = call("grad", *argv)
    assert done.code == 0, done.err


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    seconds = path.stat().st_mtime
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(
        path, (seconds + 2, seconds + 2)
    )  # Python's cache knows a text by its seconds and its length


def test_a_fresh_file_is_up_to_date(call: Call, folder: Path) -> None:
    write(call, "model.py:typed", "-o", "typed_grad.py")
    write(call, "model.py:two", "--wrt", "w,b", "--value", "--standalone", "-o", "two_grad.py")
    done = call("check", "typed_grad.py", "two_grad.py")
    assert done.code == 0
    assert done.out.count("is up to date") == 2


def test_a_changed_function_makes_it_stale_and_fix_writes_it(call: Call, folder: Path) -> None:
    write(call, "model.py:typed", "-o", "typed_grad.py")
    write(call, "model.py:two", "-o", "two_grad.py")
    before = (folder / "two_grad.py").stat().st_mtime_ns
    edit(folder / "model.py", "(x @ w - y) ** 2", "(x @ w - y) ** 4")
    stale = call("check", "typed_grad.py", "two_grad.py")
    assert stale.code == 1
    assert "typed_grad.py is stale: the function changed (source " in stale.out
    assert "two_grad.py is up to date" in stale.out
    assert "retrograd grad model.py:typed" in stale.err
    fixed = call("check", "typed_grad.py", "two_grad.py", "--fix")
    assert fixed.code == 0
    assert "typed_grad.py written" in fixed.out
    assert (folder / "two_grad.py").stat().st_mtime_ns == before
    assert call("check", "typed_grad.py").code == 0


def test_an_edited_file_and_a_changed_callee_are_stale(call: Call, folder: Path) -> None:
    write(call, "model.py:two", "-o", "two_grad.py")
    edit(folder / "two_grad.py", "def two_grad(w, b, x):", "def two_grad(w, b, x):  # mine")
    done = call("check", "two_grad.py")
    assert done.code == 1
    assert "it was edited, or something that the function calls" in done.out
    write(call, "model.py:loss", "-o", "loss_grad.py")
    edit(folder / "helper.py", "np.tanh(z)", "np.sin(z)")
    import sys

    del sys.modules["helper"]
    assert call("check", "loss_grad.py").code == 1


def test_other_files_are_refused(call: Call, folder: Path) -> None:
    assert "was not written by" in call("check", "model.py").err
    assert call("check", "model.py").code == 2
    assert call("check", "missing.py").code == 2


def test_a_function_is_tried_with_values_of_its_signature(call: Call) -> None:
    done = call("check", "model.py:typed", "--order", "2")
    assert done.code == 0, done.err
    assert "agree with finite differences up to order 2" in done.out


@pytest.mark.parametrize(
    "options",
    [
        ("--args", "[0.1, 0.2], 3.0, [1.0, 2.0]"),
        ("--sig", "w: f8[n], b: float, x: f8[n]"),
        ("--sig", "w: f8[n], b: f4, x: f8[n]"),
    ],
)
def test_values_or_types_of_the_arguments(call: Call, options: tuple[str, str]) -> None:
    done = call("check", "model.py:two", *options)
    assert done.code == 0, done.err


def test_what_is_missing_is_said(call: Call) -> None:
    done = call("check", "model.py:two")
    assert done.code == 2
    assert "no value for `w`" in done.err
    assert "--args" in done.err
    assert call("check", "model.py:two", "--args", "[0.1").code == 2
    assert call("check", "model.py:two", "--args", "1.0").code == 2


def test_annotations_say_what_to_try(call: Call, folder: Path) -> None:
    (folder / "noted.py").write_text(
        "def f(x: float, k: int, s=2.0):\n    return x**k * s\n", encoding="utf-8"
    )
    assert call("check", "noted.py:f").code == 0


def test_a_wrong_rule_is_found(call: Call, folder: Path) -> None:
    (folder / "wrong.py").write_text(WRONG, encoding="utf-8")
    done = call("check", "wrong.py:f", "--args", "0.5")
    assert done.code == 1
    assert "finite differences say" in done.err


WRONG = """
import retrograd as rg
def cube(x):
    return x * x * x
@rg.rule(cube)
def cube_rule(z, x, *, dx):
    return 2.0 * x * x * dx
def f(x):
    return cube(x)
"""
