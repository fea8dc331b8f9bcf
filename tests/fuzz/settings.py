"""Functions with options, as libraries have them, called with many settings: ``python -m tests.fuzz.settings COUNT FIRST``.

With ``c``, ``numba`` or ``tape`` behind it, derivatives of that backend, or on the tape.

A program is a few steps, each of which reads some of the options, also through helpers, objects and containers.
One derivative is called with several settings in turn, of other lengths, ranks, kinds, words, flags and None:
what was found out about one setting may not reach another.
"""

from __future__ import annotations

import copy
import random
import sys
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import GradientMismatch, InternalError, RetrogradError
from retrograd.transforms import api
from retrograd.transforms.specialise.eager_fallback import eager
from tests.written import namespace

from .run import prepared
from .settings_steps import HEAD, STEPS
from .shrink import timed

__all__ = ["Program", "judged", "program"]

Draw = Callable[[random.Random, int], Any]  # of a number that is the length of the vector


class Program(NamedTuple):
    text: str
    settings: tuple[dict[str, Any], ...]


def numbers(rng: random.Random, n: int) -> Any:
    """None is zero, and no two are equal: at a tie of what is sorted differences say nothing."""
    return np.array(rng.sample([*range(-1500, 0), *range(1, 1500)], n)) / 1000.0


def one_of(*values: Any) -> Draw:
    return lambda rng, n: copy.deepcopy(rng.choice(values))


OPTIONS: dict[str, Draw] = {
    "flag": one_of(True, False),
    "whole": one_of(True, False, np.True_, 0, 1),
    "mode": one_of("full", "half", "none"),
    "axis": one_of(None, 0, -1),
    "count": one_of(0, 1, 2, 3),
    "power": one_of(1, 2, 2.0, 3, 0.5),
    "factor": one_of(2, 0.5, np.float64(1.5), np.int64(3), 1),
    "bounds": one_of(None, (-0.6, 0.9), (None, 0.5), [0.1, None]),
    "weights": lambda rng, n: None if rng.random() < 0.4 else np.abs(numbers(rng, n)) + 0.2,
    "start": lambda rng, n: rng.choice((None, 0.0, 0, numbers(rng, n))),
    "items": lambda rng, n: [float(v) for v in numbers(rng, rng.randrange(1, 4))],
    "names": one_of(("a", "b"), ["b"], ("b", "a", "c"), ()),
    "dtype": one_of(float, None, np.float64, "float64"),
    "of": one_of(np.sin, np.tanh, np.square, abs),
    "more": one_of({}, {"gain": 0.7}, {"gain": 2, "bias": 0.1}, {"bias": -1}),
    "index": lambda rng, n: rng.choice((0, -1, n - 1, slice(None, 2), [0, n - 1], np.array([1, 0]))),
    "dims": one_of(1, 2),
}  # fmt: skip


def program(seed: int) -> Program:
    """A function with options of a few steps, and the settings that it is called with."""
    rng = random.Random(seed)
    steps = STEPS.strip().split("\n--\n")
    chosen = [rng.choice(steps) for _ in range(rng.randint(1, 4))]
    lines = [
        step.format(k=k, c=round(rng.uniform(0.2, 1.4) * rng.choice((1, -1)), 2))
        for k, step in enumerate(chosen)
    ]
    body = "\n".join(lines)
    used = [name for name in OPTIONS if name in body]
    head = f"def main({', '.join(['x', *used])}):\n    y = {rng.choice(('x * 1.0', 'x[0] * x[1]', 'x ** 2', '1.0'))}\n"
    text = f"{HEAD}\n{head}{textwrap.indent(body, '    ')}\n    return np.sum(y)\n"
    return Program(text, tuple(setting(rng, used) for _ in range(5)))


def setting(rng: random.Random, used: list[str]) -> dict[str, Any]:
    n = rng.choice((2, 3, 3, 3, 5))
    return {"x": numbers(rng, n), **{name: OPTIONS[name](rng, n) for name in used}}


def gradient_of(f: Any, seed: int, how: str) -> Any:
    """A gradient, made in one way or another."""
    if how == "tape":
        taped = eager(api.chain_of(f).then("grad", (0,), False))
        return lambda x, **options: np.ravel(taped(x, *options.values()))
    if how:
        return rg.grad(f, backend=how)
    return rg.differentiate(f, wrt="x").grad if seed % 3 == 1 else rg.grad(f, strict=seed % 3 == 0)


def judged(seed: int, how: str = "") -> str:
    """What comes of a program: ``ok``, ``refused``, or what is wrong with it."""
    text, settings = program(seed)
    f = namespace(text)["main"]
    gradient = gradient_of(f, seed, how)
    tangent = rg.differentiate(f, wrt="x").jvp if seed % 2 and not how else None
    verdicts = set()
    for given in settings:
        x, options = given["x"], {k: v for k, v in given.items() if k != "x"}
        slope = slope_of(f, x, options)
        if slope is None:
            verdicts.add("discarded")
            continue
        try:
            found = {"reverse": gradient(x.copy(), **copy.deepcopy(options))}
            if tangent is not None:
                found["forward"] = tangent_of(tangent, x, options, slope)
            if seed % 5 == 0 and not how:
                found["second order"] = slope + second_order(f, gradient, x, options)
        except (InternalError, GradientMismatch) as error:
            return f"failed: {error} for {options}, x = {x}"
        except RetrogradError as error:
            verdicts.add(f"refused: {getattr(error, 'reason', error)}")
            continue
        except Exception as error:
            return f"failed: {type(error).__name__}: {error} for {options}"
        for mode, values in found.items():
            if not near(values, slope):
                return f"failed: {mode} gives {values} for {options}, x = {x}; should be {slope}"
    return max(verdicts, default="ok")


def tangent_of(tangent: Any, x: Any, options: dict[str, Any], slope: Any) -> Any:
    """The slope along a direction, put where the sum of the whole would stand."""
    direction = np.linspace(0.5, 1.5, len(x))
    args = (x.copy(), *copy.deepcopy([*options.values()]))
    _, found = tangent(args, (direction, *[None] * len(options)))
    return slope + (found - slope @ direction)


def second_order(f: Any, gradient: Any, x: Any, options: dict[str, Any]) -> Any:
    """What a product with the Hessian is too large, in sizes of it; zero where differences say nothing."""
    direction = np.linspace(0.5, 1.5, len(x))
    args = (x.copy(), *copy.deepcopy([*options.values()]))
    product = rg.differentiate(f, wrt="x").hvp(args, direction)
    slopes = [
        (gradient(x + h * direction, **copy.deepcopy(options)) - gradient(x - h * direction, **copy.deepcopy(options))) / (2 * h)
        for h in (1e-5, 2e-5)
    ]  # fmt: skip
    size = 1.0 + np.max(np.abs(slopes))
    if np.any(np.abs(slopes[0] - slopes[1]) > 1e-6 * size):
        return 0.0
    return (product - slopes[0]) / size


def near(found: Any, slope: Any) -> bool:
    size = 1.0 + np.max(np.abs(slope))
    return np.shape(found) == slope.shape and bool(np.all(np.abs(found - slope) <= 1e-5 * size))


def slope_of(f: Any, x: Any, options: dict[str, Any]) -> Any:
    """Differences, or None where they say nothing: at a kink, or where the function itself fails."""
    made = []
    for step in (1e-5, 2e-5):
        slopes = []
        for k in range(len(x)):
            h = np.zeros_like(x)
            h[k] = step
            try:
                up = f(x + h, **copy.deepcopy(options))
                slopes.append((up - f(x - h, **copy.deepcopy(options))) / (2 * step))
            except Exception:
                return None
        made.append(np.array(slopes, dtype=float))
    return made[0] if np.all(np.isfinite(made)) and np.allclose(*made, 1e-6, 1e-7) else None


def main() -> None:
    prepared()
    warnings.simplefilter("ignore")
    how = sys.argv.pop() if sys.argv[-1] in ("c", "numba", "tape") else ""
    count, first = [*map(int, sys.argv[1:]), *(500, 0)[len(sys.argv) - 1 :]][:2]
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for seed in range(first, first + count):
        rg.set_check(None if seed % 4 else "first")
        try:
            found = timed(lambda k=seed: judged(k, how))
        except TimeoutError:
            found = "failed: takes too long"
        kind, _, reason = found.partition(": ")
        verdicts[kind] += 1
        reasons[reason] += kind == "refused"
        if kind == "failed":
            print(
                f"{seed}: {reason}",
                program(seed).text.partition("def main")[2],
                sep="\n",
                flush=True,
            )
    print(dict(verdicts))
    for reason, times in reasons.most_common(20):
        print(f"{times:7d} {reason}")


if __name__ == "__main__":
    main()
