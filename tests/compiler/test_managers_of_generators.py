"""``with`` of a generator's context manager: those that may swallow an exception are refused, all others are run."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.lowering.control_flow.with_statement import lets_through

from ..written import namespace

X = np.array([0.3, 0.7])
PASSING = [
    "yield", "try: yield\nfinally: noted.append(1)", "try: yield\nfinally:\n    try: noted.append(1)\n    except Exception: pass",
    "try: yield\nexcept ValueError:\n    noted.append(1)\n    raise", "try: yield\nexcept ValueError as e: raise TypeError from e",
    "try: noted.append(1)\nexcept Exception: pass\nyield", "try: noted.append(1)\nexcept Exception: yield\nelse: yield",
    "with np.errstate(all='ignore'): yield", "with Passing(): yield", "with PASSING: yield", "with other(): yield",
    "with other(), np.errstate(all='ignore'):\n    yield",
]  # fmt: skip
SWALLOWING = [
    "try: yield\nexcept ValueError: pass", "try: yield\nfinally: return", "with suppress(ValueError): yield", "with contextlib.suppress(ValueError): yield",
    "try: yield\nexcept ValueError:\n    if noted is not None: return\n    raise", "while True:\n    try: yield\n    finally: break",
    "try:\n    try: yield\n    finally: noted.append(1)\nexcept ValueError: pass", "with suppress(KeyError), suppress(ValueError):\n    yield",
    "try: noted.append(1)\nexcept KeyError: raise\nelse: yield\nfinally: return",
    "try: yield\nexcept KeyError: raise\nexcept ValueError: noted.append(1)",
    "with Swallowing(): yield", "with SWALLOWING: yield", "with other(), Swallowing():\n    yield", "with swallowing(): yield",
    "quiet = suppress\nwith quiet(ValueError): yield", "from contextlib import suppress as other\nwith other(ValueError): yield",
    "with contextlib.ExitStack() as stack:\n    stack.enter_context(suppress(ValueError))\n    yield", "with made(): yield",
]  # fmt: skip


MANAGERS = """
class Passing:
    def __enter__(self):
        return self

    def __exit__(self, *told):
        return None

class Swallowing(Passing):
    def __exit__(self, *told):
        return True

PASSING, SWALLOWING, made = Passing(), Swallowing(), lambda: Swallowing()

@contextmanager
def other():
    yield

@contextmanager
def swallowing():
    with SWALLOWING:
        yield
"""


def made(body: str) -> dict[str, Any]:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    text = f"{MANAGERS}\n@contextmanager\ndef manager():\n{lines}\ndef f(x):\n    with manager():\n        y = x * x\n    return np.sum(y * y)\n"
    names = {"contextmanager": contextlib.contextmanager, "suppress": contextlib.suppress}
    return namespace(text, contextlib=contextlib, noted=[], **names)


def swallows(manager: Any) -> bool:
    try:
        with manager():
            raise ValueError("something")
    except (ValueError, TypeError):
        return False
    return True


@pytest.mark.parametrize("body", [*PASSING, *SWALLOWING])
def test_what_a_generator_does_with_an_exception(body: str) -> None:
    found = made(body)
    assert swallows(found["manager"]) is (body in SWALLOWING)
    assert lets_through(found["manager"]) is (body in PASSING)
    gradient = rg.grad(found["f"], strict=True)
    if body in PASSING:
        np.testing.assert_allclose(gradient(X), 4 * X**3)
        return
    with pytest.raises(rg.RetrogradError, match="may swallow exceptions"):
        gradient(X)
