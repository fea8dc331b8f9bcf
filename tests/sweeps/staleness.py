"""Every thing a function depends on, changed in every way, for every way to ask: `python -m tests.sweeps.staleness`.

Arguments: the ways to ask (``held,anew``; all by default), and a part of the names of the cases.
"""

from __future__ import annotations

import builtins
import importlib.util
import itertools
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.transforms.api import chain_of
from retrograd.transforms.specialise.eager_fallback import eager
from tests.programs.changed_lookups import LOOKUPS
from tests.programs.changed_modules import CASES, Case
from tests.verdicts import is_refusal

__all__ = ["FINE", "WAYS", "outcome"]

X = 1.5
NUMBERS = itertools.count()
FINE = ("ok", "refused before", "refused after", "own error")  # the change; the function's own

Way = Callable[[Any], Callable[[], Any]]


def kept(make: Callable[[Any], Callable[[Any], Any]]) -> Way:
    """A derivative that is asked for once, and called before and after the change."""

    def way(f: Any) -> Callable[[], Any]:
        g = make(f)
        return lambda: g(X)

    return way


def second(g: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: g(x)[1]


def pushed(d: Any) -> Callable[[Any], Any]:
    return lambda x: d.jvp((x,), (1.0,))[1]


def on_tape(f: Any) -> Callable[[Any], Any]:
    """The gradient without a compiled text."""
    chain = chain_of(f)
    places, _ = chain.positions([0])
    made = eager(chain.then("grad", places, True))
    return lambda x: made(*chain.bind((x,), {}))


WAYS: dict[str, Way] = {
    "held": kept(rg.grad),
    "anew": lambda f: lambda: rg.grad(f)(X),
    "decorated": kept(lambda f: rg.differentiate(f).grad),
    "jvp": lambda f: lambda: rg.jvp(f, (X,), (1.0,))[1],
    "vjp": lambda f: lambda: rg.vjp(f, X)[1](1.0)[0],
    "value": kept(lambda f: second(rg.value_and_grad(f))),
    "caller": kept(lambda f: rg.grad(lambda x: f(x))),
    "jacobian": kept(rg.jacobian),
    "decorated_jacobian": kept(lambda f: rg.differentiate(f).jacobian),
    "decorated_jvp": kept(lambda f: pushed(rg.differentiate(f))),
    "c": kept(lambda f: rg.grad(f, backend="c")),
    "tape": kept(on_tape),
    "numba": kept(lambda f: rg.grad(f, backend="numba")),
}


def module(folder: Path, name: str, text: str) -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


def slope(f: Callable[[float], Any]) -> Any:
    h = 1e-4
    return (f(X + h) - f(X - h)) / (2 * h)


def outcome(case: Case, way: Way, folder: Path) -> str:
    """``ok``, ``refused before`` or ``after`` the change, ``own error``, or what is wrong."""
    name = f"stale_case_{next(NUMBERS)}"
    module(folder, "stale_other", "K = 1.0\n")
    module(folder, "stale_reloaded", "K = 2.0\ndef g(x):\n    return x * x\n")
    m = module(folder, name, case.text)
    try:
        go = way(m.f)
        first = go()
    except RetrogradError as error:
        return "refused before" if is_refusal(error) else f"{type(error).__name__}: {error}"
    assert np.allclose(first, slope(m.f), rtol=1e-5)
    old, python = np.tanh, dict(vars(builtins))
    try:
        changes = folder / f"{name}_change.py"  # functions made there have a text
        changes.write_text(case.statements)
        exec(compile(case.statements, str(changes), "exec"), vars(m))
        return compared(go, m.f)
    finally:
        np.tanh = old  # type: ignore[misc]
        vars(builtins).update(python)


def compared(go: Callable[[], Any], f: Any) -> str:
    want: Any
    try:
        want = slope(f)
    except Exception as error:
        want = error
    try:
        got = go()
    except Exception as error:
        if is_refusal(error):
            return "refused after"
        return "own error" if type(error) is type(want) else f"{type(error).__name__}: {error}"
    right = not isinstance(want, Exception) and np.allclose(got, want, rtol=1e-5)
    return "ok" if right else f"stale: {got} where it is {want!r}"


def main(ways: str = ",".join(WAYS), part: str = "") -> None:
    warnings.simplefilter("ignore")
    folder = Path(tempfile.mkdtemp(prefix="stale"))
    sys.path.insert(0, str(folder))
    for way in ways.split(","):
        counts: Counter[str] = Counter()
        for case in (c for c in [*CASES, *LOOKUPS] if part in c.name):
            try:
                found = outcome(case, WAYS[way], folder)
            except Exception as error:
                found = f"before: {type(error).__name__}: {error}"
            counts[found if found in FINE else "wrong"] += 1
            if found not in FINE:
                print(f"{way:10s} {case.name:50s} {found}")
        print(way, dict(counts), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
