"""How often the compiler looks at a function, and at its types: once, however many ways lead there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import retrograd as rg
from retrograd.compiler.analyses import written_dtypes
from retrograd.compiler.ir.operations import Value
from retrograd.compiler.ir.types import Array
from retrograd.compiler.lowering import attempt, rule_text
from retrograd.compiler.passes.in_place import item_writes
from retrograd.compiler.passes.in_place.ownership import Ownership
from retrograd.compiler.passes.redundancy import unify_dimensions
from retrograd.compiler.simplify import inline_helpers
from retrograd.transforms.specialise import known_arguments

from ..written import written

DEPTH = 12


def doubled(depth: int) -> Any:
    """Helpers of which each calls the next twice: there are ``2 ** depth`` ways to the last."""
    last = f"def h{depth}(x):\n    for _ in range(2):\n        x = np.sin(x)\n    return x\n"
    call = "def h{k}(x):\n    y = h{n}(x)\n    return y * h{n}(x + y)\n"
    rest = "".join(call.format(k=k, n=k + 1) for k in reversed(range(depth)))
    return written(f"{last}{rest}def f(x):\n    return h0(x)\n")


def counted(monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> Counter[str]:
    found: Counter[str] = Counter()
    old: Callable[..., Any] = getattr(where, name)

    def run(*args: Any, **kwargs: Any) -> Any:
        found[name] += 1
        return old(*args, **kwargs)

    monkeypatch.setattr(where, name, run)
    return found


@pytest.mark.parametrize(
    ("where", "name", "most"),
    [
        (written_dtypes, "lent_by", 4 * DEPTH),
        (inline_helpers, "visit", 8 * DEPTH),
        (unify_dimensions, "backwards", 200 * DEPTH),
    ],
)
def test_each_function_is_looked_at_once(
    where: Any, name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = counted(monkeypatch, where, name)
    rg.differentiate(strict=True)(doubled(DEPTH)).source("grad", 0.7)
    assert 0 < found[name] <= most


def test_memory_is_traced_once_for_all_writes_to_items(monkeypatch: pytest.MonkeyPatch) -> None:
    found = counted(monkeypatch, Ownership, "__init__")
    writes = counted(monkeypatch, item_writes, "foreign")
    body = "".join(f"    z[{k}] = x * {k}.5\n" for k in range(30))
    f = written(f"def f(x, n):\n    z = [0.0 for _ in range(n)]\n{body}    return sum(z)\n")
    rg.differentiate(strict=True)(f).source("grad", 0.7, 30)
    assert writes["foreign"] >= 30
    assert found["__init__"] < 10


def test_a_refused_function_of_numbers_is_not_lowered_for_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No value of an argument can be asked for: there is no other text to look for."""
    given: list[Any] = []
    old = known_arguments.compiled_for

    def run(pinned: Any, types: Any, compiled: Any, consulted: Any, tape: bool = False) -> Any:
        ask = lambda known: given.append(known) or consulted(known)
        return old(pinned, types, compiled, ask, tape)

    monkeypatch.setattr("retrograd.transforms.transformed_function.compiled_for", run)
    for text, args, asked in (
        ("def f(x):\n    return x * float.fromhex(str(x))\n", (0.7,), 0),
        ("def f(x, n):\n    return x * float.fromhex(str(x)) if n else x\n", (0.7, 1), 1),
    ):
        given.clear()
        with pytest.raises(rg.RetrogradError):
            rg.grad(written(text), strict=True)(*args)
        assert len(given) == asked


def test_what_comes_to_no_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, and no other attempt is made: each would take as long."""
    monkeypatch.setattr(attempt, "MOST", 40)
    entered = counted(monkeypatch, attempt.Attempt, "enter")
    lines = "".join(f"    x = np.sin(x) + {k}.5\n" for k in range(60))
    f = written(f"def f(x):\n{lines}    return x\n")
    with pytest.raises(rg.RetrogradError, match="no end is in sight"):
        rg.grad(f, strict=True)(0.7)
    assert entered["enter"] <= 2 * 41


def test_the_texts_of_rules_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are lowered in one program for all, which never ends."""
    monkeypatch.setattr(attempt, "MOST", 40)
    for k in range(60):
        rule_text.plainly(cube, {"x": Value("x", Array("float64", (k,), "f"))})


def cube(x: Any) -> Any:
    return x * x * x
