"""A package that is installed for one test: a module in a folder of the name that installed ones have."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

__all__ = ["installed"]


def installed(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any
) -> Iterator[Any]:
    """The module with this text, under a name of this test's own; what a fixture yields."""
    name = f"installed_{abs(hash(request.node.nodeid))}"
    home = tmp_path / "site-packages"
    home.mkdir()
    (home / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(home))
    importlib.invalidate_caches()
    yield importlib.import_module(name)
    del sys.modules[name]
