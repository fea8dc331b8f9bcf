"""The user's names that the generated text uses, too: in every place, for every kind of derivative."""

from __future__ import annotations

import ast
import builtins
import importlib.util
import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.ir.reserved_names import MODULES
from retrograd.runtime.errors import InternalError, RetrogradError

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]
GOLDEN = Path(__file__).parent.parent / "golden"
LOOP = """    y = 0.0
    for _i in range_(3):
        y = y + xp.sin({x}) * {k} * mm.exp({x}) * {x} ** 3 + abs_({x})
    return y
"""
HEAD = "import numpy as xp\nimport math as mm\nrange_, abs_ = range, abs\n"


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


PLACES: dict[str, Callable[[str], str]] = {
    "global number": lambda n: f"{n} = 2.0\ndef f(x):\n" + LOOP.format(x="x", k=n),
    "global function": lambda n: f"def {n}(a):\n    return a * a\ndef f(x):\n" + LOOP.format(x="x", k=f"{n}(x)"),
    "cell": lambda n: f"def make():\n    {n} = 2.0\n    def f(x):\n" + indented(LOOP.format(x="x", k=n))
    + "    return f\nf = make()\n",
    "parameter": lambda n: f"def f({n}):\n" + LOOP.format(x=n, k="2.0"),
    "local": lambda n: f"def f(x):\n    {n} = x * x\n" + LOOP.format(x="x", k=n),
    "attribute": lambda n: f"class C: pass\nc = C()\nc.{n} = 2.0\ndef f(x):\n" + LOOP.format(x="x", k=f"c.{n}"),
}  # fmt: skip


def used_by_golden_texts() -> set[str]:
    """The names that the golden texts read and do not bind."""
    found: set[str] = set()
    for path in sorted(GOLDEN.rglob("*.py"))[:200]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
    return {name for name in found if hasattr(builtins, name) and not hasattr(object, name)}


def from_text(f: Any, x: float) -> Any:
    """The gradient by its text alone."""
    scope: dict[str, Any] = {}
    exec(rg.differentiate(f).source("grad", x), scope)
    return scope["f_grad"](x)


MODES: dict[str, Callable[[Any, float], Any]] = {
    "grad": lambda f, x: rg.grad(f)(x),
    "jvp": lambda f, x: rg.jvp(f, (x,), (1.0,))[1],
    "second": lambda f, x: rg.grad(rg.grad(f))(x),
    "text": from_text,
    "c": lambda f, x: rg.grad(f, backend="c")(x),
}
DISPATCH = ("miss__", "target_0__", "at__", "errors__")
NAMES = sorted(
    {"_", "__", "tape", "x_bar", "f_grad", "k", *MODULES, *DISPATCH, *used_by_golden_texts()}
)
ALL = list(itertools.product(NAMES, PLACES))
CASES = [(name, "global number") for name in NAMES] + ALL[::5]
SAMPLE = [(*case, list(MODES)[k % len(MODES)]) for k, case in enumerate(CASES)]


def module(folder: Path, text: str) -> ModuleType:
    path = folder / "named.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("named", path)
    assert spec is not None
    assert spec.loader is not None
    made = sys.modules["named"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "place", "mode"), SAMPLE)
def test_a_name_is_the_users(name: str, place: str, mode: str, tmp_path: Path) -> None:
    f = module(tmp_path, HEAD + PLACES[place](name)).f
    x, h = 0.7, 1e-4
    first = (f(x + h) - f(x - h)) / (2 * h)
    want = (f(x + h) - 2 * f(x) + f(x - h)) / h**2 if mode == "second" else first
    refused = False
    try:
        found = MODES[mode](f, x)
    except InternalError:
        raise
    except RetrogradError:
        refused = True
    assert refused == (place == "parameter" and name in DISPATCH)
    assert refused or found == pytest.approx(want, rel=1e-4)


def asks_a_module(x):
    return np.sum(np.sin(x)) if hasattr(np, "sin") else x


def test_a_module_that_the_text_imports_is_a_value_too() -> None:
    x = np.array([0.5, 0.7])
    assert np.isclose(rg.jvp(asks_a_module, (x,), (np.ones(2),))[1], np.sum(np.cos(x)))
    np.testing.assert_allclose(rg.grad(asks_a_module)(x), np.cos(x))
