"""`retrograd cache`: list, where, prune, clear."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .conftest import Done

Call = Callable[..., Done]


@pytest.fixture
def filled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with one gradient in it."""
    home = folder / "cache"
    monkeypatch.setenv("RETROGRAD_CACHE", str(home))
    monkeypatch.syspath_prepend(str(folder))
    model = __import__("model")
    model.typed.grad(np.ones(2), np.ones((3, 2)), np.ones(3))
    assert sys.modules["model"] is model
    return home


def test_list_shows_what_was_made(call: Call, filled: Path) -> None:
    for done in (call("cache"), call("cache", "list")):
        assert done.code == 0
        first, last = done.out.splitlines()
        assert re.fullmatch(r"model:typed_grad +\d+(\.\d)? (B|KiB) +just now", first)
        assert re.fullmatch(rf"1 modules, .* in {re.escape(str(filled))}", last)


def test_where(call: Call, filled: Path) -> None:
    assert call("cache", "where").out == f"{filled}\n"


def test_clear_removes_everything(call: Call, filled: Path) -> None:
    assert list(filled.rglob("*.py"))
    done = call("cache", "clear")
    assert done.code == 0
    assert not list(filled.rglob("*.py"))
    assert call("cache").out.startswith("0 modules")


def test_prune_keeps_what_fits(call: Call, filled: Path) -> None:
    assert call("cache", "prune").out.startswith("removed 0 files")
    assert list(filled.rglob("*.py"))
    assert call("cache", "prune", "--keep", "0").code == 0
    assert not list(filled.rglob("*.py"))


@pytest.mark.parametrize("keep", ["-1", "much", "nan"])
def test_what_to_keep_is_a_number(call: Call, filled: Path, keep: str) -> None:
    assert call("cache", "prune", f"--keep={keep}").code == 2
    assert list(filled.rglob("*.py"))


def test_a_cache_that_others_can_write_is_refused(call: Call, filled: Path) -> None:
    filled.chmod(0o777)
    done = call("cache", "list")
    assert done.code == 1
    assert "can be written by others" in done.err
