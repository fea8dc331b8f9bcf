"""Counted loops, however they count, end and are read: ``python -m tests.fuzz.counted COUNT FIRST``.

A program takes one entry of each table; the lengths of the tables have no common divisor, so program
number ``k`` takes the entries ``k`` modulo these lengths, and all combinations come.
"""

from __future__ import annotations

import math
import sys
import textwrap
from collections import Counter
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import CompileError, InternalError

from .checks import loaded, quiet, unloaded
from .run import judged, prepared

__all__ = ["COUNT", "in_c_and_in_sweeps", "program"]

RANGES = (  # over the entries of x, which has n = 4: start, end, step
    ("0", "4", "1"), ("1", "4", "1"), ("1", "4", "2"), ("3", "-1", "-1"), ("n - 1", "0", "-2"), ("m", "n", "1"),
    ("3", "1", "1"), ("2", "3", "1"), ("i + 1", "n", "1"), ("0", "i", "1"), ("i", "-1", "-1"), ("m * i", "n", "m"),
    ("i - m", "n - 2", "1"),
)  # fmt: skip
WAYS = (
    "for j in {range}:\n    {work}",
    "for j in {range}:\n    if x[j] > 2.0:\n        break\n    {work}",
    "for j in {range}:\n    {work}\n    if x[j] > 2.0:\n        s = s + x[j] ** 2\n        break",
    "for j in {range}:\n    if x[j] < 0.5:\n        continue\n    {work}",
    "for j in {range}:\n    {work}\n    if x[j] * s > 3.0:\n        return s * x[j]",
    "for j in {range}:\n    {work}\n    if j == m + 1:\n        break\nelse:\n    s = s * 1.5",
    "w = {lo}\nwhile {step} * ({hi} - w) > 0:\n    j = w\n    {work}\n    w += {step}",
    "for j in {range}:\n    if x[j] > 1.0:\n        {work}\n    else:\n        s = s * 0.7",
    "for j in {range}:\n    while True:\n        {work}\n        if s > -9.0:\n            break\n    if s > 30.0:\n        break",
)
WORKS = (
    "s = s + x[j] ** 2",
    "s += np.sum(x[j:] ** 2) * x[j]",
    "s += np.sum(x[:j]) * x[j]",
    "y[j] = y[j] * y[j - 1]",
    "s = s * 0.5 + x[(2 * j + 1) % n] * x[j]",
    "s += x[j] * (j + 1)",
    "t = x[j] * s",
    "s += sum(x[k] * x[j] for k in range(j))",
    "h[j % 2] += x[j] ** 2",
    "y = y * x[j]",
    "s, t = s + x[j], s * x[n - 1 - j]",
)
AFTERS = ("s", "s * (j + 1)", "s * x[j]", "s * t", "s + sum(x[j:])")
BEFORE = ("j, t = 0, x[1]", "t = x[1]")
COUNT = math.prod(map(len, (RANGES, WAYS, WORKS, AFTERS, BEFORE)))


def program(k: int) -> str:
    """The text of program number ``k``."""
    counted, way, work, after, before = (
        table[k % len(table)] for table in (RANGES, WAYS, WORKS, AFTERS, BEFORE)
    )
    lo, hi, step = counted
    shortest = ", ".join(counted if step != "1" else (lo, hi) if lo != "0" else (hi,))
    loop = way.format(range=f"range({shortest})", lo=lo, hi=hi, step=step, work=work)
    whole = f"{loop}\ns = {after}"
    if "i" in "".join(counted):
        inner = textwrap.indent(whole, "    ")
        whole = f"for i in range(3):\n{inner}"
    whole = f"{before}\n{whole}"
    body = f"s = 1.0\ny = x * 1.0\nh = [0, 0]\n{whole}\nreturn s + np.sum(y ** 2) + h[0] * h[1]"
    lines = ["import numpy as np", "", "", "def main(x, n, m):", textwrap.indent(body, "    ")]
    return "\n".join(
        [*lines, "", "", "ARGS = (np.array([1.3, 0.4, 2.1, 0.8]), 4, 1)", "WRT = (0,)", ""]
    )


def in_c_and_in_sweeps(k: int) -> str:
    """What comes of the Hessian, and of kernels in C, held against differences of the gradient and the gradient."""
    module = loaded(program(k))
    try:
        with quiet():
            return compared(module.main, *module.ARGS)
    finally:
        unloaded(module)


def compared(f: Any, x: Any, *rest: Any) -> str:
    try:
        f(x, *rest)
    except Exception:
        return "discarded"
    try:
        gradient = rg.grad(f)
        first = gradient(x, *rest)
        shifts = STEP * np.eye(len(x))
        second = [(gradient(x + v, *rest) - gradient(x - v, *rest)) / (2 * STEP) for v in shifts]
        found = rg.hessian(f)(x, *rest)
        in_c = rg.grad(f, backend="c")(x, *rest)
    except InternalError:
        return "failed"
    except CompileError:
        return "refused"
    right = np.allclose(found, second, rtol=1e-5, atol=1e-5)
    return "ok" if right and np.allclose(in_c, first, rtol=1e-10, atol=1e-12) else "failed"


STEP = 1e-5


def main() -> None:
    prepared()
    rg.set_check(None)
    count, first = [*map(int, sys.argv[1:]), *(COUNT, 0)[len(sys.argv) - 1 :]][:2]
    verdicts: Counter[str] = Counter()
    for k in range(first, first + count):
        outcome = judged(program(k), second=k % 3 == 0)
        also = in_c_and_in_sweeps(k) if k % 3 else "left out"
        verdicts.update([outcome.verdict, f"in C and in sweeps: {also}"])
        if "failed" in (outcome.verdict, also):
            print(
                f"{k}: {outcome.reason}\n{outcome.detail}\nin C and in sweeps: {also}\n{program(k)}",
                flush=True,
            )
    print(dict(verdicts))


if __name__ == "__main__":
    main()
