"""What a function leaves behind that was differentiated and dropped: nothing that grows."""

from __future__ import annotations

import gc
import linecache
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.cache import loader
from retrograd.compiler.frontend import source
from retrograd.compiler.lowering import rule_text

TEXT = """
import numpy as np

def f{k}(x):
    return np.sum(np.sin(x) * x) * {k}.0
"""


def differentiated(k: int) -> None:
    """Make a function, differentiate it, and forget it."""
    file, text = f"<function {k}>", TEXT.format(k=k)
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope: dict[str, Any] = {}
    exec(compile(text, file, "exec"), scope)
    x = np.linspace(0.0, 1.0, 3)
    np.testing.assert_allclose(rg.grad(scope[f"f{k}"])(x), k * (np.sin(x) + x * np.cos(x)))
    del linecache.cache[file]


def test_fifty_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setattr(loader, "MOST", 4)
    monkeypatch.setattr(rule_text, "MOST", 4)

    def counts() -> list[int]:
        gc.collect()
        generated = [name for name in sys.modules if name.startswith(loader.GENERATED)]
        return [len(source.SOURCES), len(linecache.cache), len(generated), len(gc.get_objects())]

    for k in range(1, 26):
        differentiated(k)
    before = counts()
    for k in range(26, 76):
        differentiated(k)
    after = counts()
    assert [b - a for a, b in zip(before[:3], after[:3], strict=True)] == [0, 0, 0]
    assert after[3] - before[3] < 500  # ten of each


def test_a_module_lives_as_long_as_its_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """That its text was let go of is not seen."""
    monkeypatch.setattr(loader, "MOST", 2)
    made = [
        loader.load(f"def f(x): return x + {k} + k", None, f"many{k}", {"k": k}) for k in range(9)
    ]
    functions = [m.f for m in made]
    del made
    gc.collect()
    assert [f(0) for f in functions] == [2 * k for k in range(9)]
    assert len(loader._names) <= 2


def test_the_source_of_a_function_goes_with_its_code() -> None:
    """A code object that is made later, at the same address, is another one."""
    for k in range(30):
        scope: dict[str, Any] = {}
        text = f"def f(x): return x + {k}\n"
        file = f"<text {k}>"
        linecache.cache[file] = (len(text), None, [text], file)
        exec(compile(text, file, "exec"), scope)
        assert source.source_of(scope["f"]).text == text
        del linecache.cache[file], scope
