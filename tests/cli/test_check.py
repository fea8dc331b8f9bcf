"""``retrograd check``: stale files, and functions whose derivatives are tried."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
    assert "typed_grad.py is stale: the function `typed` changed\n" in stale.out
    assert "two_grad.py is up to date" in stale.out
    assert "retrograd grad model.py:typed" in stale.err
    fixed = call("check", "typed_grad.py", "two_grad.py", "--fix")
    assert fixed.code == 0
    assert "typed_grad.py written: the function `typed` changed" in fixed.out
    assert (folder / "two_grad.py").stat().st_mtime_ns == before
    assert call("check", "typed_grad.py").code == 0


def reason(call: Call, *argv: str) -> str:
    """What a stale file is said to be stale for."""
    done = call("check", *argv)
    assert done.code == 1
    return done.out.partition(" is stale: ")[2].strip()


def test_what_changed_is_named(call: Call, folder: Path) -> None:
    write(call, "model.py:loss", "-o", "loss_grad.py")
    edit(folder / "helper.py", "np.tanh(z)", "np.sin(z)")
    sys.modules.pop("helper")
    assert reason(call, "loss_grad.py") == "`squash`, which it calls, changed"
    edit(folder / "model.py", "SCALE = 2.0", "SCALE = 3.0")
    assert reason(call, "loss_grad.py") == (
        "`squash`, which it calls, changed; the constant `SCALE` changed"
    )
    edit(
        folder / "model.py",
        "return np.sum(squash(w * x * K)",
        "return 2 * np.sum(squash(w * x * K)",
    )
    assert reason(call, "loss_grad.py").startswith("the function `loss` changed; `squash`, which")


def test_a_file_edited_by_hand(call: Call, folder: Path) -> None:
    write(call, "model.py:two", "-o", "two_grad.py")
    edit(folder / "two_grad.py", "def two_grad(w, b, x):", "def two_grad(w, b, x, k=1):")
    assert reason(call, "two_grad.py") == "it was edited by hand"


def test_a_file_of_another_version(call: Call, folder: Path) -> None:
    write(call, "model.py:two", "-o", "two_grad.py")
    edit(folder / "two_grad.py", "by retrograd ", "by retrograd 0.0.")
    assert call("check", "two_grad.py").code == 0  # it says the same
    edit(folder / "two_grad.py", "def two_grad(w, b, x):", "def two_grad(w, b, x, k=1):")
    assert reason(call, "two_grad.py").startswith("it was written by retrograd 0.0.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def two(w, b, x):", "# a comment\n\ndef two(w, b, x):"),
        ("def two(w, b, x):", "def two(\n    w,\n    b,\n    x,\n):\n    # more"),
        ("def two(w, b, x):", 'def two(w, b, x):\n    "Squares."'),
        ("import helper", "import os\n\nimport helper"),
    ],
)
def test_a_function_that_only_moved_is_up_to_date(
    call: Call, folder: Path, old: str, new: str
) -> None:
    write(call, "model.py:two", "--value", "-o", "two_grad.py")
    edit(folder / "model.py", old, new)
    done = call("check", "two_grad.py")
    assert (done.code, done.out) == (0, "two_grad.py is up to date\n")


def test_a_formatter_and_a_sorter_of_imports_change_nothing(call: Call, folder: Path) -> None:
    write(call, "model.py:loss", "model.py:two", "--mode", "grad,hessian", "-o", "made.py")
    ruff = [sys.executable, "-m", "ruff"]
    if subprocess.run([*ruff, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("needs ruff")
    subprocess.run([*ruff, "format", "--line-length", "60", "made.py"], check=True)
    subprocess.run([*ruff, "check", "--select", "I", "--fix", "made.py"], check=True)
    before = (folder / "made.py").read_bytes()
    assert call("check", "made.py", "--fix").code == 0
    assert (folder / "made.py").read_bytes() == before


def test_from_anywhere(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "ci").mkdir()
    write(call, "model.py:two", "-o", "ci/two_grad.py")
    for place, target in [("ci", "two_grad.py"), ("..", f"{folder.name}/ci"), ("ci", "../ci")]:
        monkeypatch.chdir(folder / place)
        done = call("check", target)
        assert (done.code, done.out.endswith("two_grad.py is up to date\n")) == (0, True), done
    monkeypatch.chdir(folder.parent)
    assert call("check", f"{folder.name}/**/*.py").code == 0
    assert call("check", f"{folder.name}/nothing/*.py").code == 2


def test_a_moved_project_is_found_by_the_file(call: Call, folder: Path) -> None:
    (folder / "sub").mkdir()
    write(call, "model.py:two", "-o", "two_grad.py")
    for name in ("model.py", "helper.py", "two_grad.py"):
        (folder / name).rename(folder / "sub" / name)
    assert call("check", "sub/two_grad.py").out == "sub/two_grad.py is up to date\n"


def test_no_target_means_all_that_were_written(call: Call, folder: Path) -> None:
    assert "nothing to check" in call("check").err
    (folder / "sub").mkdir()
    (folder / ".venv").mkdir()
    write(call, "model.py:two", "-o", "two_grad.py")
    write(call, "model.py:typed", "-o", "sub/typed_grad.py")
    (folder / ".venv" / "two_grad.py").write_text(
        (folder / "two_grad.py").read_text("utf-8"), "utf-8"
    )
    done = call("check")
    assert (done.code, done.out.count("is up to date")) == (0, 2)


def test_the_difference_and_the_state_for_programs(call: Call, folder: Path) -> None:
    write(call, "model.py:two", "-o", "two_grad.py")
    write(call, "model.py:typed", "-o", "typed_grad.py")
    edit(folder / "model.py", "(w * x + b) ** 2", "(w * x + b) ** 3")
    diff = call("check", "two_grad.py", "--diff").out
    assert "\n--- two_grad.py\n+++ two_grad.py (anew)\n@@ " in diff
    done = call("check", "--json")
    stale, fine = sorted(json.loads(done.out), key=lambda one: str(one["file"]))
    assert (done.code, stale["state"], fine["state"]) == (1, "stale", "up to date")
    assert stale["reasons"] == ["the function `two` changed"]
    assert stale["diff"].startswith("--- two_grad.py\n")
    assert stale["command"].startswith("retrograd grad model.py:two ")
    assert fine["diff"] == ""


def test_one_that_cannot_be_written_does_not_hide_the_others(call: Call, folder: Path) -> None:
    write(call, "model.py:two", "-o", "two_grad.py")
    write(call, "model.py:power", "-o", "power_grad.py")
    write(call, "model.py:typed", "-o", "typed_grad.py")
    edit(folder / "model.py", "def two(", "def three(")
    edit(folder / "model.py", "return x**3.0 * k", "return np.unique_values(x)")
    done = call("check")
    assert done.code == 2
    assert "two_grad.py cannot be written: model.py has no 'two'" in done.out
    assert "power_grad.py cannot be written: " in done.out
    assert "typed_grad.py is up to date" in done.out
    before = (folder / "power_grad.py").read_bytes()
    assert call("check", "power_grad.py", "--fix").code == 1
    assert (folder / "power_grad.py").read_bytes() == before


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
