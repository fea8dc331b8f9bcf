"""Every kind of object, from every place, asked by every construct: ``python -m tests.fuzz.protocols``.

Each program is right (value and gradient, against the plain function and differences), or refused.
"""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import textwrap
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from tests.verdicts import is_refusal

from .checks import loaded, unloaded
from .protocol_table import ACTIVE, CONSTRUCTS, KINDS, SOURCES, STILL
from .shrink import timed

__all__ = ["Case", "Verdict", "cases", "judged"]

X = np.array([1.1, 0.7, 1.3])
STEP = 1e-6
HEAD = """
import array, collections, decimal, fractions, functools, itertools, math, types
import numpy as np
from tests.fuzz.protocol_objects import *
"""
TOTAL = """
def total(d, x):
    s = 0.0
    for v in d:
        s = s * 0.5 + v * x[0]
    return s
"""


class Case(NamedTuple):
    kind: str
    source: str
    construct: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.source}/{self.construct}"


class Verdict(NamedTuple):
    """``right``, ``refused``, ``wrong`` or ``crashed``; None: the plain function has no value here."""

    compiled: str | None
    taped: str | None
    why: str = ""


def cases() -> Iterator[Case]:
    return itertools.starmap(Case, itertools.product(KINDS, SOURCES, CONSTRUCTS))


def text_of(case: Case) -> str:
    """A module whose ``case()`` gives a new function and new arguments."""
    still = KINDS[case.kind].format(**STILL)
    active = KINDS[case.kind].format(**ACTIVE)
    params, first, before, args = "x", "", "", ""
    if case.source in ("made", "made_still"):
        first = f"d = {active if case.source == 'made' else still}"
    elif case.source == "passed":
        params, args = "x, d", still
    elif case.source == "attribute":
        params, first, args = "x, h", "d = h.held", f"Holder({still})"
    elif case.source == "entry":
        params, first, args = "x, h", "d = h['held']", f"{{'held': {still}, 'n': 2.0}}"
    elif case.source == "item":
        params, first, args = "x, h", "d = h[0]", f"[{still}, 2.0]"
    elif case.source == "global":
        first, before = "d = D", f"global D\nD = {still}"
    elif case.source == "closure":
        first, before = "d = e", f"e = {still}"
    elif case.source == "default":
        params = f"x, d={still}"
    body = "\n".join(
        [*([first] if first else []), "s = 0.0", CONSTRUCTS[case.construct], "return s"]
    )
    if case.source == "callee":
        body = CONSTRUCTS[case.construct]
        made = f"def g(x, d):\n    s = 0.0\n{textwrap.indent(body, '    ')}\n    return s\n"
        made += f"def f(x):\n    return g(x, {active})\n"
    else:
        made = f"def f({params}):\n{textwrap.indent(body, '    ')}\n"
    inner = f"{before}\n{made}" if case.source != "callee" else ""
    outside = made if case.source == "callee" else ""
    panda = "import pandas as pd\n" if "pd." in still else ""
    case_of = f"def case():\n{textwrap.indent(inner, '    ')}\n    return f, ({args},)\n"
    return HEAD + panda + TOTAL + outside + case_of.replace("(,)", "()")


def judged(case: Case) -> Verdict:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = loaded(text_of(case))
        try:
            return verdict(module.case)
        except TimeoutError as error:
            return Verdict("crashed", "crashed", str(error))
        finally:
            unloaded(module)


def verdict(make: Callable[[], Any]) -> Verdict:
    try:
        value, slope = timed(lambda: differences(make), 2)
    except Exception:
        return Verdict(None, None)
    found = [held_against(run, make, value, slope) for run in (compiled, taped)]
    return Verdict(found[0][0], found[1][0], "; ".join(why for _, why in found if why))


def plain(make: Callable[[], Any], x: Any) -> float:
    f, args = make()
    value = f(x.copy(), *args)
    if np.ndim(value) or isinstance(value, complex) or not np.isfinite(float(value)):
        raise ValueError("no real number")
    return float(value)


def differences(make: Callable[[], Any]) -> tuple[float, Any]:
    value = plain(make, X)
    found = [
        np.array([(plain(make, X + h) - plain(make, X - h)) / (2 * step) for h in np.eye(3) * step])
        for step in (STEP, 10 * STEP)
    ]
    if plain(make, X) != value or not np.allclose(*found, rtol=1e-4, atol=1e-4):
        raise ValueError("no derivative")
    return value, found[0]


def compiled(f: Any, args: Any) -> tuple[Any, Any]:
    found: tuple[Any, Any] = rg.value_and_grad(f, wrt=0)(X.copy(), *args)
    return found


def taped(f: Any, args: Any) -> tuple[Any, Any]:
    """The whole function on the tape, as one that is decorated and refused runs."""
    from retrograd.runtime.tape import calls
    from retrograd.runtime.tape.boxed_functions import followed

    value, pull = calls.taped(followed(f), X.copy(), *args, wrt=(0,))
    slope = pull(1.0)
    return value, slope[0] if isinstance(slope, tuple) else slope


def held_against(run: Any, make: Any, value: float, slope: Any) -> tuple[str, str]:
    f, args = make()
    try:
        mine, grad = timed(lambda: run(f, args))
    except Exception as error:
        verdict = "refused" if is_refusal(error) else "crashed"
        return verdict, f"{type(error).__name__}: {str(error).splitlines()[0]}"
    try:
        same = abs(float(mine) - value) < 1e-9 * max(1.0, abs(value))
        fits = np.allclose(np.asarray(grad, float), slope, rtol=1e-5, atol=1e-6)
    except Exception as error:
        return "wrong", f"no number: {type(error).__name__}: {error}"
    if same and fits:
        return "right", ""
    return "wrong", f"{float(mine):.6g} and {grad}, not {value:.6g} and {slope}"


def chosen(asked: Any) -> Iterable[Case]:
    for number, case in enumerate(cases()):
        wanted = all(
            not pattern or part in pattern.split(",")
            for part, pattern in zip(case, (asked.kind, asked.source, asked.construct), strict=True)
        )
        if wanted and number % asked.every == asked.offset % asked.every:
            yield case


def main() -> int:
    asked = arguments()
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="fuzz_cache_")
    counts: Counter[tuple[str, str]] = Counter()
    began = time.monotonic()
    failed: Counter[str] = Counter()
    for case in chosen(asked):
        found = judged(case)
        for name, one in (("compiled", found.compiled), ("taped", found.taped)):
            if one is not None:
                counts[name, one] += 1
        bad = {"wrong", "crashed"} & {found.compiled, found.taped}
        if bad:
            failed[case.kind] += 1
        if bad or asked.verbose:
            print(f"{case}: {found.compiled}, {found.taped}: {found.why}", flush=True)
    for name in ("compiled", "taped"):
        row = {v: counts[name, v] for v in ("right", "refused", "wrong", "crashed")}
        print(f"{name}: {row}")
    print(f"{time.monotonic() - began:.0f} s; failures by kind: {dict(failed)}")
    return 1 if failed else 0


def arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("kind", "source", "construct"):
        parser.add_argument(f"--{name}", default="", help="those only, by comma")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
