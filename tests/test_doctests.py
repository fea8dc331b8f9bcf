"""The examples in docstrings run, and give what they show."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick
ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("cli", "compiler", "retrograd", "runtime")
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def name_of(path: Path) -> str:
    """The module of a file: ``compiler/ir/operations.py`` is ``retrograd.compiler.ir.operations``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "retrograd" else ("retrograd", *parts))


def has_examples(path: Path) -> bool:
    return "\n    >>> " in path.read_text(encoding="utf-8")


FILES = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py") if not p.is_symlink()]
MODULES = sorted(name_of(p) for p in FILES if has_examples(p))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    assert isinstance(module.__doc__, str)
    result = doctest.testmod(module, optionflags=OPTIONS)
    assert result.attempted
    assert not result.failed
