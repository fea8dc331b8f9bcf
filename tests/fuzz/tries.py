"""``try`` around what may fail, is certain to, or cannot: ``python -m tests.fuzz.tries COUNT FIRST``.

A program draws a body, handlers and what follows; its derivative is held against differences at several points,
and where Python raises, it raises the same or is refused.  Some go over a generator; in half of them, loops,
branches and other ``try``s stand in the body, and what is read after it tells how far it got.
"""

from __future__ import annotations

import random
import sys
import textwrap
import traceback
import warnings
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError
from tests.written import namespace

from .run import prepared

__all__ = ["judged", "program"]

HEAD = """
import math
TABLE = {"a": 2.0, "b": 3.0, 1: 4.0, (0, 1): 5.0}
PAIR = (1.5, 2.5)

def checked(v):
    if np.any(v < 0.0):
        raise KeyError("below")
    return v * v

def plain(v):
    return np.cumsum(v) * 2.0 if np.ndim(v) else v * 2.0

def below(v):
    if v < 0.3:
        raise NameError("below")
    return v

def items(v, k):
    for i in range(k):
        yield v * (i + 1)

def stops(v, k):
    for i in range(k):
        if i * v > 1.0:
            return
        yield v + i

def fails(v, k):
    for i in range(k):
        yield checked(v - 0.2 * i)

"""
FIRST = (
    "y = np.asarray(x) * 2.0", "y = x * s", "y = TABLE['a'] * x", "y = TABLE['none'] * x", "y = TABLE[k] * x", "y = PAIR[k] * x",
    "y = PAIR[2] * x", "y = checked(x)", "y = plain(x)", "y = below(s) * x", "y = math.sqrt(s - 0.5) * x", "y = x * (1.0 / (k - 1))",
    "y = np.where(x > 0.5, x, s)", "y = x[k] * x", "s[0] = 1.0", "x = x * 1.0\\nx[x > 1.0] = s\\ny = x", "y = x.reshape(3, 1)[:, 0]",
    "y = float(s) * x", "y = np.broadcast_arrays(x, s)[1] * x", "raise ValueError('v')", "y = [s, x[0]][k] * x", "y = x.mean() + x",
    "y = sum(items(x, k + 1))", "y = x * sum(stops(s, 3))", "y = sum(list(fails(x, k + 1)))", "y = next(items(x, 2))",
    "y = 0.0 * x\\nfor v in items(x, 3):\\n    y = y + v * s", "y = 0.0 * x\\nfor v in fails(x, 2):\\n    y = y + v",
)  # fmt: skip
SECOND = (
    "", "", "z = y * y", "z = np.sin(y) + x", "z = TABLE['b'] * y", "if s > 0.6:\\n    raise KeyError('k')\\nz = y",
    "z = checked(y)", "z = y\\ny = y + 1.0", "z = y[k] * y", "return np.sum(y * s)", "z = max(items(s, 3)) * y",
)  # fmt: skip
CLASSES = (
    "NameError", "KeyError", "(AttributeError, KeyError)", "IndexError", "TypeError", "ValueError", "ZeroDivisionError",
    "LookupError", "Exception", "ImportError", "(NameError, TypeError)", "ArithmeticError",
)  # fmt: skip
HANDLED = (
    "y = x * 3.0",
    "y = z = x * s",
    "return np.sum(x) * s",
    "pass",
    "z = x * x\\ny = z",
    "y = checked(x)",
    "raise",
)
FORMS = (
    "try:\n{first}\n{second}\nexcept {kind}:\n{handled}\nreturn end(y)",
    "z = x\ntry:\n{first}\n{second}\nexcept {kind}:\n{handled}\nreturn end(y * z)",
    "y = x + 1.0\ntry:\n{first}\nexcept {kind}:\n{handled}\nelse:\n{second}\nreturn end(y)",
    "y = z = x\nfor i in range(2):\n    try:\n{first4}\n{second4}\n    except {kind}:\n{handled4}\nreturn end(y + z)",
    "y = x\nif s > 0.5:\n    try:\n{first4}\n    except {kind}:\n{handled4}\nreturn end(y) * s",
    "y = x\ntry:\n{first}\nexcept {kind}:\n{handled}\nexcept {other}:\n    y = x * 7.0\nreturn end(y)",
    "y = x\nwith suppress({kind}):\n{first}\n{second}\nreturn end(y)",
    "y = x\ntry:\n{first}\nexcept {kind}:\n{handled}\nfinally:\n    s = s * 2.0\nreturn end(y) * s",
)  # fmt: skip
STEPS = (
    "y = y * 1.5 + x", "y = checked(y + x)", "y = plain(y) * 0.5", "z = checked(x - 0.1) + y", "y, z = z, y + 0.3", "out[k] = s * x[k]",
    "out[0] += s", "out = out * y", "xs.append(s * x[k])", "xs.append(float(below(s)))", "r = r + np.sum(y)", "r = r * below(s)",
    "checked(x - s)", "w = TABLE[k] * y", "w = PAIR[k] * z", "r = r + d['a']", "d['b'] = s * x[0]", "d['a'] = d['b'] * s", "y = w * 2.0",
    "raise KeyError('step')", "raise ValueError(k)", "return np.sum(y) * s + r", "r = r + s / (k - 1)", "r = r + math.sqrt(s - 0.3)",
)  # fmt: skip
HOLDING = (
    "if s > 0.5:\n{a}\nelse:\n{b}", "if np.sum(checked(x + 0.2)) > 1.0:\n{a}", "for i in range(2):\n{a}", "for i in range(k + 1):\n{a}\n{b}",
    "while r < 3.0:\n{a}\n    r = r + 1.5", "try:\n{a}\nexcept {kind}:\n{b}", "try:\n{a}\nexcept {kind} as error:\n{b}\n    r = r + len(str(error))",
    "try:\n{a}\nexcept {kind}:\n{b}\nelse:\n{c}", "with suppress({kind}):\n{a}", "try:\n{a}\nfinally:\n    r = r + 0.25",
    "for i in range(3):\n{a}\n    if i == k:\n        break\n{b}", "for i in range(3):\n{a}\n    if i == k:\n        continue\n{b}",
)  # fmt: skip
STARTS = "y = z = w = x\nout, xs, r, d = np.zeros(3), [], 0.0, {'a': s}\n"
ENDS = "\nreturn end(y) + np.sum(z * w) + r * s + np.sum(out * x) + sum(xs) + sum(d.values())"


def steps(draw: random.Random, depth: int) -> str:
    """Some statements, some of them around others."""
    lines = [draw.choice(STEPS) for _ in range(draw.randint(1, 4))]
    for _ in range(draw.randint(0, 2) if depth else 0):
        parts = indented(steps(draw, depth - 1) for _ in "abc")
        form = draw.choice(HOLDING).replace("\\n", "\n")
        lines.insert(draw.randint(0, len(lines)), form.format(kind=draw.choice(CLASSES), **parts))
    return "\n".join(lines)


def indented(bodies: Iterable[str]) -> dict[str, str]:
    """Bodies by the names they have in a form; the first one also two levels deep."""
    parts = {n: textwrap.indent(body, " " * 4) for n, body in zip("abc", bodies, strict=True)}
    return parts | {"deep": textwrap.indent(parts["a"], " " * 4)}


def in_steps(draw: random.Random) -> str:
    """The body of a function with a ``try`` whose names tell how far it got."""
    parts = indented(steps(draw, 2 if n == "a" else 0) for n in "abc")
    whole = draw.choice([form for form in HOLDING if "try" in form or "suppress" in form])
    form = whole.replace("\\n", "\n").format(kind=draw.choice(CLASSES), **parts)
    return STARTS + form + ENDS


POINTS = ((np.array([0.43, 1.31, 2.13]), 0.71), (np.array([-0.43, 0.91, 0.23]), 0.27))


def program(seed: int) -> tuple[str, int]:
    """The text of a program, and its number ``k``."""
    draw = random.Random(seed)
    if seed % 2:
        return whole_text(in_steps(draw), draw)
    form = draw.choice(FORMS)
    parts = {
        name: draw.choice(of)
        for name, of in (("first", FIRST), ("second", SECOND), ("handled", HANDLED))
    }
    if "finally" in form and "return" in parts["handled"]:
        parts["handled"] = "pass"
    lines = {n: (p or "pass").replace("\\n", "\n") for n, p in parts.items()}
    text = form.format(
        kind=draw.choice(CLASSES), other=draw.choice(CLASSES),
        **{n: textwrap.indent(p, " " * 4) for n, p in lines.items()},
        **{f"{n}4": textwrap.indent(p, " " * 8) for n, p in lines.items()},
    )  # fmt: skip
    return whole_text(text, draw)


def whole_text(body: str, draw: random.Random) -> tuple[str, int]:
    head = "from contextlib import suppress\n" + HEAD + "def end(v):\n    return np.sum(v * v)\n\n"
    return f"{head}def main(x, s, k):\n{textwrap.indent(body, '    ')}\n", draw.choice((0, 1, 2))


def judged(seed: int) -> str:
    """What comes of a program: ``ok``, ``refused``, or what is wrong with it."""
    text, k = program(seed)
    f = namespace(text)["main"]
    derive, verdicts = rg.grad(f, wrt=(0, 1)), set()
    for x, s in (*POINTS, POINTS[0]):
        expected = slopes(f, x, s, k)
        try:
            found = derive(x.copy(), s, k)
        except InternalError as error:
            return f"failed: {error}"
        except RetrogradError as error:
            verdicts.add(f"refused: {str(error).splitlines()[0]}")
            continue
        except Exception as error:
            if isinstance(expected, type):  # of two that fail, what nobody reads may come first
                verdicts |= set() if issubclass(expected, type(error)) else {"another"}
                continue
            return f"failed: {type(error).__name__}: {error}, for {expected}"
        if isinstance(expected, type):
            if issubclass(expected, Dead):
                continue  # what nobody reads is not computed
            return f"failed: no {expected.__name__}"
        if not all(np.all(np.isfinite(e)) for e in expected):
            continue
        size = 1.0 + max(np.max(np.abs(e)) for e in expected)
        close = [np.allclose(a, b, 1e-5, 1e-6 * size) for a, b in zip(found, expected, strict=True)]
        if not all(close):
            return f"failed: {found}, should be {expected}"
        way = np.array([0.3, -0.7, 0.5])
        slope = expected[0] @ way + 0.2 * expected[1]
        try:
            _, dot = rg.jvp(f, (x.copy(), s, k), (way, 0.2, None))
        except InternalError as error:
            return f"failed: {error}"
        except RetrogradError as error:
            verdicts.add(f"refused: {str(error).splitlines()[0]}")
            continue
        if not np.allclose(dot, slope, 1e-5, 1e-6 * size):
            return f"failed: {dot} forwards, should be {slope}"
    return min(verdicts, default="ok")


class Dead(Exception):
    """Raised where a name is bound that may be bound again before anybody reads it."""


def slopes(f: Any, x: np.ndarray, s: float, k: int) -> Any:
    """Differences, or the class of what Python raises."""
    try:
        f(x.copy(), s, k)
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[1].line or ""
        return type("Dead", (type(error), Dead), {}) if line.startswith("w = ") else type(error)
    steps = 1e-6 * np.eye(x.size)
    of_x = [(f(x + e, s, k) - f(x - e, s, k)) / 2e-6 for e in steps]
    return np.array(of_x), (f(x.copy(), s + 1e-6, k) - f(x.copy(), s - 1e-6, k)) / 2e-6


def main() -> None:
    prepared()
    rg.set_fallback("tape")
    warnings.simplefilter("ignore")
    count, first = [*map(int, sys.argv[1:]), *(500, 0)[len(sys.argv) - 1 :]][:2]
    verdicts: Counter[str] = Counter()
    for seed in range(first, first + count):
        rg.set_check(None if seed % 4 else "first")
        found = judged(seed)
        verdicts[found.partition(":")[0]] += 1
        if found.startswith("failed"):
            print(f"{seed}: {found}", program(seed)[0].split("def main")[1], flush=True)
    print(dict(verdicts))


if __name__ == "__main__":
    main()
