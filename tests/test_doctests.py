"""The examples in docstrings run, and give what they show."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from retrograd import ADAPTERS
from retrograd.compiler.passes import stages as pipeline_stages
from retrograd.compiler.passes.manager import Pass, Stage

pytestmark = pytest.mark.quick
ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("cli", "compiler", "retrograd", "runtime")
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def name_of(path: Path) -> str:
    """The module of a file: ``compiler/ir/operations.py`` is ``retrograd.compiler.ir.operations``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "retrograd" else ("retrograd", *parts))


def module_of(one: Pass) -> str:
    """The module that a pass is written in."""
    return str(getattr(one.rewrite, "func", one.rewrite).__module__)


def has_examples(path: Path) -> bool:
    return re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


FILES = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py") if not p.is_symlink()]
MODULES = sorted(name_of(p) for p in FILES if has_examples(p))
PASSES = sorted(
    {
        module_of(one)
        for stages in vars(pipeline_stages).values()
        if isinstance(stages, tuple) and all(isinstance(stage, Stage) for stage in stages)
        for stage in stages
        for one in stage.passes
    }
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    _, _, adapter = name.partition("retrograd.adapters.")
    if adapter.partition(".")[0] in ADAPTERS:
        pytest.importorskip(adapter.partition(".")[0])
    module = importlib.import_module(name)
    assert isinstance(module.__doc__, str)
    result = doctest.testmod(module, optionflags=OPTIONS)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_shows_what_it_does(name: str) -> None:
    assert ">>> " in (importlib.import_module(name).__doc__ or ""), (
        f"{name}: a before/after example"
    )
