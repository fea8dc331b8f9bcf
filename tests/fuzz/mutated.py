"""Programs as people write them, changed at random: ``python -m tests.fuzz.mutated --count 2000``.

Statements of the golden programs (and of random ones) are left out, doubled, swapped and wrapped,
operands replaced.  What still runs in plain Python must have its derivative, or be refused with a
reason: no exception of the compiler's may show.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import inspect
import io
import os
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from tests.golden_case import FOLDER, MARK

from .checks import Outcome, check
from .programs import program
from .run import prepared
from .shrink import timed

__all__ = ["judged", "mutated"]

Body = list[ast.stmt]
WRAPPED = (
    "np.sin({e})", "abs({e})", "np.asarray({e})", "({e},)[0]", "[{e}][-1]", "{{'a': {e}}}['a']",
    "(lambda t: t)({e})", "[{e} for _ in range(2)][1]", "np.where({e} > 0, {e}, 0.5 * {e})",
    "({e} if {e} is not None else 0.0)", "sum([{e}, {e}])", "np.tanh({e}) * 1.5", "({e} or 1.0)",
    "max({e}, 0.25)", "float({e})", "np.sum({e})", "np.copy({e})", "np.atleast_1d({e})", "-{e}",
    "next(iter([{e}]))", "list(reversed([{e}, 1.0]))[-1]", "dict(a={e}).get('a', 0.0)",
    "(t_ := {e})", "np.array([{e}, {e}])[0]", "np.stack([{e}, {e}]).mean(axis=0)", "{e} ** 2",
    "getattr({e}, 'real', 1.0)", "np.reshape({e}, (-1,))", "sorted([{e}])[0]", "np.ravel({e})",
)  # fmt: skip
AROUND = (
    "for _k in range(2):\n    pass", "for _k in range(0):\n    pass", "if True:\n    pass",
    "try:\n    pass\nexcept ValueError:\n    raise", "with np.errstate(all='ignore'):\n    pass",
    "try:\n    pass\nexcept Exception:\n    pass", "try:\n    pass\nfinally:\n    print('done')",
    "while True:\n    pass\n    break", "for _k, _v in enumerate((1.0, 2.0)):\n    pass",
    "for _v in [2.0, 0.5]:\n    pass\nelse:\n    _v = 1.0",
)  # fmt: skip
BESIDE = (
    "print('here')", "assert True", "import math", "pass", "t_ = 1.5", "def inner_(a):\n    return a",
    "if np.random is None:\n    return 0.0", "t_ = [k for k in range(3)]", "t_ = lambda a: 2 * a",
    "t_, u_ = 1.0, 2.0", "del_ = [1.0, 2.0]\ndel del_[0]",
)  # fmt: skip


@cache
def programs() -> tuple[str, ...]:
    """The golden programs, each with ``main``, ``ARGS`` and ``WRT`` at its end."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        text = path.read_text().partition("\n" + MARK)[0]
        head = next((s for s in text.splitlines() if s.startswith("# differentiate:")), "")
        name = head.removeprefix("# differentiate:").partition(" wrt ")[0].strip()
        if name.isidentifier() and "def arguments" in text and "def keywords" not in text:
            end = f"\nmain = getattr({name}, 'fn', {name})\nARGS = tuple(arguments())\nWRT = None\n"
            found.append(text + end)
    return tuple(found)


def mutated(seed: int) -> str:
    """A program with one to four changes."""
    rng = random.Random(seed)
    base = program(seed) if rng.random() < 0.2 else rng.choice(programs())
    tree = ast.parse(base)
    for _ in range(rng.randint(1, 4)):
        rng.choice(CHANGES)(tree, rng)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    return [f for f in found if f.name not in ("arguments", "keywords")]


def bodies(tree: ast.Module) -> list[Body]:
    inner = (n for f in functions(tree) for n in ast.walk(f))
    lists = (getattr(n, name, None) for n in inner for name in ("body", "orelse"))
    return [body for body in lists if isinstance(body, list) and body]


def leave_out(tree: ast.Module, rng: random.Random) -> None:
    body = rng.choice(bodies(tree))
    del body[rng.randrange(len(body))]
    body += [] if body else [ast.Pass()]


def double(tree: ast.Module, rng: random.Random) -> None:
    body = rng.choice(bodies(tree))
    at = rng.randrange(len(body))
    body.insert(at, ast.parse(ast.unparse(ast.fix_missing_locations(body[at]))).body[0])


def swap(tree: ast.Module, rng: random.Random) -> None:
    body = rng.choice(bodies(tree))
    a, b = rng.randrange(len(body)), rng.randrange(len(body))
    body[a], body[b] = body[b], body[a]


def wrap(tree: ast.Module, rng: random.Random) -> None:
    """Some statements inside of a loop, a branch, a ``try`` or a ``with``."""
    body = rng.choice(bodies(tree))
    start = rng.randrange(len(body))
    end = rng.randint(start + 1, len(body))
    around: Any = ast.parse(rng.choice(AROUND)).body[0]
    around.body[:1] = body[start:end]
    body[start:end] = [around]


def put(tree: ast.Module, rng: random.Random) -> None:
    body = rng.choice(bodies(tree))
    at = rng.randint(0, len(body))
    body[at:at] = ast.parse(rng.choice(BESIDE)).body


def guard(tree: ast.Module, rng: random.Random) -> None:
    """An early end: of the function, or of an iteration."""
    f = rng.choice(functions(tree))
    loops = [n.body for n in ast.walk(f) if isinstance(n, (ast.For, ast.While))]
    names = [n.id for n in ast.walk(f) if isinstance(n, ast.Name)] or ["None"]
    test = f"if np.sum({rng.choice(names)}) > {rng.choice((-1, 0.5, 1e9))}:\n    "
    if loops and rng.random() < 0.6:
        body, way = rng.choice(loops), rng.choice(("break", "continue"))
    else:
        body, way = f.body, f"return np.sum({rng.choice(names)}) * 1.5"
    at = rng.randint(0, len(body))
    body[at:at] = ast.parse(test + way).body


def places(tree: ast.Module) -> Iterator[tuple[Any, str, int | None]]:
    """Where an expression that is read stands: its parent, field and position."""
    for f in functions(tree):
        for parent in ast.walk(f):
            if isinstance(parent, (ast.arguments, ast.FunctionDef, ast.JoinedStr)):
                continue
            for name, value in ast.iter_fields(parent):
                for k, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                    ctx = getattr(node, "ctx", None)
                    inside = [*getattr(node, "elts", ()), node]
                    other = any(isinstance(e, (ast.Slice, ast.Starred)) for e in inside)
                    kept = other or isinstance(ctx, (ast.Store, ast.Del))
                    if isinstance(node, ast.expr) and not kept:
                        yield parent, name, k


def replace(tree: ast.Module, rng: random.Random, change: Callable[[ast.expr], ast.expr]) -> None:
    found = list(places(tree))
    if not found:
        return
    parent, name, k = rng.choice(found)
    if k is None:
        setattr(parent, name, change(getattr(parent, name)))
    else:
        getattr(parent, name)[k] = change(getattr(parent, name)[k])


def other_operand(tree: ast.Module, rng: random.Random) -> None:
    f = rng.choice(functions(tree))
    names = [n.id for n in ast.walk(f) if isinstance(n, ast.Name)] + [a.arg for a in f.args.args]
    text = rng.choice([*names, *names, "1.5", "2", "-0.5", "None", "True", "()", "0"])
    replace(tree, rng, lambda _: ast.parse(text, mode="eval").body)


def other_form(tree: ast.Module, rng: random.Random) -> None:
    form = rng.choice(WRAPPED)
    replace(tree, rng, lambda e: ast.parse(form.format(e=f"({ast.unparse(e)})"), mode="eval").body)


def other_operator(tree: ast.Module, rng: random.Random) -> None:
    found = [n for f in functions(tree) for n in ast.walk(f) if isinstance(n, ast.BinOp)]
    if found:
        kinds = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.Mod, ast.MatMult)
        rng.choice(found).op = rng.choice(kinds)()


CHANGES = (
    leave_out, double, swap, wrap, wrap, put, guard, guard, other_operand, other_operand, other_form,
    other_form, other_form, other_operator,
)  # fmt: skip


def judged(text: str) -> Outcome:
    """The outcome of one program: refusals are right, exceptions of ours are not."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            outcome: Outcome = timed(lambda: check(with_places(text), second=False), 10)
    except TimeoutError:
        return Outcome("discarded", "takes too long")
    return outcome


def with_places(text: str) -> str:
    """``WRT = None`` as the arguments that are floats throughout."""
    if "WRT = None" not in text:
        return text
    scope: dict[str, Any] = {"__name__": "golden", "__file__": str(FOLDER / "x.py")}
    try:
        exec(compile(text, "<mutated>", "exec"), scope)
        whole = len(inspect.signature(scope["main"]).parameters) == len(scope["ARGS"])
        wrt = tuple(k for k, a in enumerate(scope["ARGS"]) if whole and is_float(a))
    except Exception:
        wrt = ()
    return text.replace("WRT = None", f"WRT = {wrt}")


def is_float(x: Any) -> bool:
    if isinstance(x, (tuple, list)):
        return type(x) in (tuple, list) and bool(x) and all(map(is_float, x))
    if isinstance(x, dict):
        return type(x) is dict and bool(x) and all(map(is_float, x.values()))
    return isinstance(x, float) or (isinstance(x, np.ndarray) and x.dtype == np.float64)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    prepared()
    verdicts: Counter[str] = Counter()
    failed: dict[str, list[int]] = {}
    for seed in range(asked.seed, asked.seed + asked.count):
        outcome = judged(mutated(seed))
        verdicts[outcome.verdict] += 1
        if outcome.verdict == "failed":
            failed.setdefault(outcome.reason, []).append(seed)
            print(f"seed {seed}: {outcome.reason}", flush=True)
    for reason, seeds in sorted(failed.items(), key=lambda pair: -len(pair[1])):
        print(f"{'=' * 80}\n{reason} ({len(seeds)} times)\n{judged(mutated(seeds[0])).detail}")
        print(mutated(min(seeds, key=lambda s: len(mutated(s)))))
    print(dict(verdicts), f"in {os.environ['RETROGRAD_CACHE']}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
