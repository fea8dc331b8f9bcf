"""Which CuPy the tests marked ``cupy`` run on: the double, or under ``-m gpu`` the real one on a device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

__all__ = ["cupy_of_the_run", "give_cupy", "why_no_device"]

OF_THE_DOUBLE = "tests/strict_cupy"


def give_cupy(items: list[pytest.Item], expression: str) -> None:
    """Give tests marked ``cupy`` the fixture; where devices are asked for, they are tests of the device."""
    real = re.search(r"\bgpu\b", expression) is not None
    for item in items:
        if item.get_closest_marker("cupy") is None:
            continue
        if "cupy" not in item.fixturenames:
            item.fixturenames.insert(0, "cupy")
        if real and OF_THE_DOUBLE not in item.path.as_posix():
            item.add_marker(pytest.mark.gpu)


@contextmanager
def cupy_of_the_run(real: bool) -> Iterator[Any]:
    """The library, where imports find it."""
    from tests import strict_cupy

    if not real:
        with strict_cupy.installed() as double:
            yield double
        return
    why = why_no_device()
    if why:
        pytest.skip(why)
    import cupy

    with strict_cupy.uncounted():
        yield cupy


@cache
def why_no_device() -> str:
    """The reason why nothing can run on a device here; empty if it can."""
    try:
        import cupy

        cupy.arange(2).sum().get()
    except ImportError:
        return "CuPy is not installed"
    except Exception as error:  # of the driver or the library
        return f"no device for CuPy: {type(error).__name__}"
    return ""
