"""`[tool.retrograd]` in pyproject.toml: `retrograd sync`, and `retrograd check` in a repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Done
from .test_check import edit

Call = Callable[..., Done]
ROOT = Path(__file__).resolve().parents[2]
PROJECT = """
[project]
name = "fits"

[tool.retrograd]
standalone = true

[[tool.retrograd.gradients]]
function = "model.py:typed"
output = "gradients/typed.py"
modes = ["grad", "hessian"]

[[tool.retrograd.gradients]]
functions = ["model.py:two", "model.py:smooth"]
output = "gradients/both.py"
wrt = ["w", "b"]
value = true
standalone = false

[[tool.retrograd.gradients]]
function = "model:Net.size"
output = "gradients/both.py"
name = "size_slope"
standalone = false
"""


@pytest.fixture
def project(folder: Path) -> Path:
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    return folder


def test_what_is_listed_is_written_and_then_left_alone(project: Path, call: Call) -> None:
    assert call("sync", "--check").code == 1
    assert not (project / "gradients").exists()
    assert call("sync").code == 0
    typed, both = (project / "gradients" / name for name in ("typed.py", "both.py"))
    assert "def typed_hessian(w, x, y):" in typed.read_text("utf-8")
    assert "from retrograd" not in typed.read_text("utf-8")
    text = both.read_text("utf-8")
    for name in ("two_value_and_grad", "smooth_value_and_grad", "size_slope"):
        assert f"\ndef {name}(" in text
    assert "    retrograd sync gradients/both.py\n" in text
    before = [path.stat().st_mtime_ns for path in (typed, both)]
    done = call("sync")
    assert (done.code, done.out.count("is up to date")) == (0, 2)
    assert [path.stat().st_mtime_ns for path in (typed, both)] == before


def test_it_works_from_a_folder_of_the_project(
    project: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("sync").code == 0
    monkeypatch.chdir(project / "gradients")
    assert call("sync", "--check").out == "typed.py is up to date\nboth.py is up to date\n"
    assert call("check", "both.py").code == 0
    edit(project / "model.py", "SCALE = 2.0", "SCALE = 2.5")  # none of them reads it
    assert call("check").code == 0
    edit(project / "model.py", "(w * x + b) ** 2", "(w * x + b) ** 4")
    done = call("sync", "both.py")
    assert done.out == "both.py written: the function `two` changed\n" or (
        done.out == "both.py written: `two`, which it calls, changed\n"
    )


def test_a_changed_table_is_seen(project: Path, call: Call) -> None:
    assert call("sync").code == 0
    edit(project / "pyproject.toml", 'wrt = ["w", "b"]', 'wrt = "x"')
    edit(project / "pyproject.toml", '"grad", "hessian"', '"grad", "vjp"')
    done = call("check", "--json")
    states = {Path(one["file"]).name: one for one in json.loads(done.out)}
    assert done.code == 1
    assert states["typed.py"]["reasons"] == ["it is asked for in other words"]
    assert states["both.py"]["state"] == "stale"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('output = "gradients/typed.py"', "", "has no `output`"),
        ('function = "model.py:typed"', "", "has no `function`"),
        ("modes =", "moods =", "`moods` is no option; did you mean mode"),
        ("value = true", 'value = "yes"', "`value` is true or false"),
        ('wrt = ["w", "b"]', "wrt = [[1]]", "`wrt` is a text, or a list of texts"),
        ("[[tool.retrograd.gradients]]", "[tool.retrograd.gradients", "pyproject.toml: "),
    ],
)
def test_a_table_that_cannot_be_read(
    project: Path, call: Call, old: str, new: str, message: str
) -> None:
    text = PROJECT.replace(old, new, 1)
    (project / "pyproject.toml").write_text(text, encoding="utf-8")
    done = call("sync")
    assert (done.code, message in done.err) == (2, True), done.err


def test_what_is_not_listed_is_said(project: Path, call: Call) -> None:
    said = call("sync", "gradients/typd.py").err
    assert "does not list gradients/typd.py; did you mean gradients/typed.py" in said
    (project / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    done = call("sync")
    assert (done.code, "[[tool.retrograd.gradients]]" in done.err) == (2, True)


def test_a_file_of_somebody_else_is_left_alone(project: Path, call: Call) -> None:
    (project / "gradients").mkdir()
    (project / "gradients" / "typed.py").write_text("x = 1\n", encoding="utf-8")
    done = call("sync")
    assert (done.code, "was not written by retrograd" in done.err) == (2, True)
    assert (project / "gradients" / "typed.py").read_text("utf-8") == "x = 1\n"


EVERY_MODE = """
[[tool.retrograd.gradients]]
function = "model.py:typed"
output = "every_mode.py"
mode = ["grad", "value_and_grad", "vjp", "jvp", "jacobian", "hvp", "hessian"]
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_commit_with_a_stale_gradient_is_stopped(project: Path, call: Call) -> None:
    """The entry of `.pre-commit-hooks.yaml`, as the hook of a repository."""
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    entry = hooks.partition("id: retrograd-check\n")[2].partition("entry: ")[2].splitlines()[0]
    assert entry == "retrograd check"
    (project / "pyproject.toml").write_text(PROJECT + EVERY_MODE, encoding="utf-8")
    git = git_in(project)
    git("init", "-q")
    hook = project / ".git" / "hooks" / "pre-commit"
    command = entry.replace("retrograd", f"{sys.executable} -m retrograd", 1)
    hook.write_text(f"#!/bin/sh\nexec {command}\n", encoding="utf-8")
    hook.chmod(0o755)
    assert call("sync").code == 0
    git("add", ".")
    git("commit", "-q", "-m", "all of it")
    edit(project / "model.py", "(w * x + b) ** 2", "(w * x + b) ** 3")
    stopped = git("commit", "-q", "-a", "-m", "another loss", check=False)
    assert stopped.returncode != 0
    assert (
        "gradients/both.py is stale: the function `two` changed" in stopped.stdout + stopped.stderr
    )
    assert call("sync").code == 0
    git("commit", "-q", "-a", "-m", "another loss")


def git_in(folder: Path) -> Any:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "GIT_CONFIG_GLOBAL": os.devnull}

    def run(*words: str, check: bool = True) -> Any:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        return subprocess.run(
            ["git", *who, *words], cwd=folder, env=environment, check=check,
            capture_output=True, encoding="utf-8",
        )  # fmt: skip

    return run
