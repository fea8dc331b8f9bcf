"""What the tests of the surface share: rows, the module under test, messages."""

from __future__ import annotations

import contextlib
import os
import re
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

__all__ = ["DIFFERS", "ROWS", "check", "close", "module", "raises", "row", "same", "warns"]

ROWS: dict[str, list[Callable[..., Any]]] = {}
DIFFERS: dict[str, str] = {}
ORACLE = os.environ.get("RETROGRAD_SURFACE_OF", "retrograd")


def module() -> Any:
    """The module under test: retrograd, or what ``RETROGRAD_SURFACE_OF`` names."""
    return import_module(ORACLE)


def row(name: str, differs: str = "") -> Callable[[Any], Any]:
    """Register a test as one of a row; ``differs``: why the real torch does not pass it."""

    def register(test: Any) -> Any:
        ROWS.setdefault(name, []).append(test)
        if differs:
            DIFFERS[name] = differs
            if ORACLE == "torch":
                return pytest.mark.skip(reason=differs)(test)
        return test

    return register


def spoken(text: str) -> str:
    """A message of torch as the module under test says it."""
    return text if ORACLE == "torch" else re.sub(r"\btorch\b", "retrograd", text)


@contextlib.contextmanager
def raises(kind: type[BaseException], text: str) -> Iterator[Any]:
    """The body raises that error, with a message that starts so (``...`` stands for anything)."""
    with pytest.raises(kind) as caught:
        yield caught
    check(str(caught.value), text)


def check(found: str, text: str) -> None:
    parts = [re.escape(part) for part in spoken(text).split("...")]
    pattern = ".*".join(parts)
    assert re.match(pattern, found, re.DOTALL), f"{found!r} does not begin with {spoken(text)!r}"


@contextlib.contextmanager
def warns(kind: type[Warning], text: str) -> Iterator[Any]:
    """The body warns so."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught
    said = [str(w.message) for w in caught if issubclass(w.category, kind)]
    pattern = ".*".join(re.escape(part) for part in spoken(text).split("..."))
    assert any(re.search(pattern, message, re.DOTALL) for message in said), said


def numbers(value: Any) -> Any:
    value = value.detach() if hasattr(value, "detach") else value
    return value.tolist() if hasattr(value, "tolist") else value


def close(found: Any, expected: Any, tolerance: float = 1e-3) -> bool:
    """Whether the numbers are near the expected ones, which may be nested lists."""
    import numpy as np

    found, expected = np.asarray(numbers(found)), np.asarray(numbers(expected))
    return found.shape == expected.shape and bool(
        np.allclose(found, expected, tolerance, tolerance, equal_nan=True)
    )


def same(found: Any, expected: Any) -> bool:
    """Whether the numbers are exactly the expected ones."""
    return bool(numbers(found) == numbers(expected))
