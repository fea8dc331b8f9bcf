"""Functions whose text a test writes: the compiler finds it where it finds that of a notebook's cell."""

from __future__ import annotations

import hashlib
import linecache
from typing import Any

import numpy as np

__all__ = ["namespace", "written"]


def namespace(text: str, **names: Any) -> dict[str, Any]:
    """What a module of this text defines, with `np` and these names in it."""
    file = f"<written {hashlib.sha256(text.encode()).hexdigest()[:16]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"np": np, "__name__": "written"} | names
    exec(compile(text, file, "exec", dont_inherit=True), scope)
    return scope


def written(text: str, name: str = "f", **names: Any) -> Any:
    """One function of a text."""
    return namespace(text, **names)[name]
