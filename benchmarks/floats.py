"""Functions of numbers: what value and gradient cost, as parts of what the function takes.

    python -m benchmarks.floats [--rounds N] [--kind float,scalar,three] [--json FILE] [NAME ...]

``float``: arguments are Python's floats; ``scalar``: NumPy's; ``three``: the functions of vectors,
and line shapes summed over an array of three.  The figures are the least of the rounds: a call takes so
little that anything else on the machine shows.  The geometric means stand in the last lines.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import argparse
import json
import linecache
import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks.float_functions import (
    FLOATS,
    THREES,
    damped_oscillator,
    doniach,
    exponential_gaussian,
    gaussian,
    lorentzian,
    morse,
    voigt,
)
from benchmarks.measure import timed
from benchmarks.problem import over, peer

__all__ = ["cells", "main"]

SHAPES = (
    gaussian, lorentzian, voigt, doniach, exponential_gaussian, damped_oscillator, morse,
)  # fmt: skip
POINTS = np.array([0.4, 0.7, 1.6])


def summed(f: Callable[..., Any]) -> Callable[..., Any]:
    """The sum of a line shape over its points, with the parameters of the shape."""
    names = ", ".join(f.__code__.co_varnames[: f.__code__.co_argcount])
    scope: dict[str, Any] = {"np": np, "shape": f}
    text = f"def {f.__name__}({names}):\n    return np.sum(shape({names}))\n"
    file = f"<sum of {f.__name__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), scope)
    return scope[f.__name__]  # type: ignore[no-any-return]


def scalars(value: Any) -> Any:
    """The same arguments as NumPy's numbers."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(scalars, value))
    return np.float64(value) if type(value) is float else value


def cells() -> dict[str, list[tuple[str, Callable[..., Any], tuple[Any, ...]]]]:
    """By kind: names, functions, arguments."""
    numbers = [(f.__name__, f, args) for f, args in FLOATS.items()]
    return {
        "float": numbers,
        "scalar": [(name, f, tuple(map(scalars, args))) for name, f, args in numbers],
        "three": [
            *[(f.__name__, f, args) for f, args in THREES.items()],
            *[(f.__name__, summed(f), (POINTS, *FLOATS[f][1:])) for f in SHAPES],
        ],
    }


def in_retrograd(f: Any, args: tuple[Any, ...], **options: Any) -> Callable[[], Any]:
    made = rg.value_and_grad(f, tuple(range(len(args))), **options)
    return lambda: made(*args)


def in_autograd(f: Any, args: tuple[Any, ...]) -> Callable[[], Any]:
    numpy, special = peer("autograd.numpy"), peer("autograd.scipy.special")
    other = foreign(f, numpy, special)
    made = peer("autograd").value_and_grad(other, tuple(range(len(args))))
    return lambda: made(*args)


def in_jax(f: Any, args: tuple[Any, ...]) -> Callable[[], Any]:
    jax = peer("jax")
    jax.config.update("jax_enable_x64", True)
    other = foreign(f, jax.numpy, peer("jax.scipy.special"))
    made = jax.jit(jax.value_and_grad(other, tuple(range(len(args)))))
    return lambda: jax.block_until_ready(made(*args))


ARCS = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}


class Mathematics:
    """Python's module ``math``, in the language of a peer."""

    def __init__(self, numpy: Any, special: Any) -> None:
        self.numpy, self.special = numpy, special

    def __getattr__(self, name: str) -> Any:
        home = self.special if name in ("erf", "erfc", "gammaln") else self.numpy
        return getattr(home, ARCS.get(name, name))


def foreign(f: Any, numpy: Any, special: Any) -> Callable[..., Any]:
    """The same function in the language of a peer."""
    others = {"math": Mathematics(numpy, special), "special": special, "max": numpy.maximum}
    if "shape" in f.__globals__:  # a sum
        inner = foreign(f.__globals__["shape"], numpy, special)
        return lambda *args: numpy.sum(inner(*args))
    shared = {g.__name__: over(numpy, g, **others) for g in (gaussian, lorentzian)}
    return over(numpy, f, **others, **shared)


CONTENDERS: dict[str, Callable[..., Callable[[], Any]]] = {
    "text": in_retrograd,
    "C": lambda f, args: in_retrograd(f, args, backend="c"),
    "jax.jit": in_jax,
    "autograd": in_autograd,
}


def measured(f: Any, args: tuple[Any, ...], names: Sequence[str], rounds: int) -> dict[str, float]:
    """The least, in seconds, of the function and of those who take part and are right."""
    running: dict[str, Callable[[], Any]] = {"function": lambda: f(*args)}
    wanted = None
    for name in names:
        try:
            run = CONTENDERS[name](f, args)
            value, gradients = run()
        except Exception as error:  # a contender that fails is a result
            print(f"    {name}: {type(error).__name__}: {str(error).partition(chr(10))[0][:100]}")
            continue
        found = np.concatenate([np.ravel(value), *(np.ravel(g) for g in flat(gradients))])
        wanted = found if wanted is None else wanted
        if np.allclose(found, wanted, rtol=1e-6, atol=0):
            running[name] = run
        else:
            print(f"    {name}: another result: {found} {wanted}")
    return {name: min(s) for name, s in timed(running, rounds).items()}


def flat(value: Any) -> list[Any]:
    return [x for v in value for x in flat(v)] if isinstance(value, (tuple, list)) else [value]


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.floats", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--kind", default="float,scalar,three")
    parser.add_argument("--only", default=",".join(CONTENDERS), help="contenders")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


def line(name: str, medians: dict[str, float], contenders: Sequence[str]) -> str:
    cells = [
        f"{medians[c] / medians['function']:>9.2f}" if c in medians else " " * 9 for c in contenders
    ]
    return f"{name:<22} {medians['function'] * 1e6:>9.2f} " + " ".join(cells)


def main(arguments: list[str] | None = None) -> int:
    given = options(arguments)
    contenders, found, kinds = given.only.split(","), {}, cells()
    for kind in given.kind.split(","):
        print(f"\n{kind:<22} {'us':>9} " + " ".join(f"{c:>9}" for c in contenders))
        rows = {}
        for name, f, args in kinds[kind]:
            if not given.names or name in given.names:
                rows[name] = measured(f, args, contenders, given.rounds)
                print(line(name, rows[name], contenders), flush=True)
        found[kind] = rows
        for c in contenders:
            logs = [math.log(m[c] / m["function"]) for m in rows.values() if c in m]
            if logs:
                mean = math.exp(statistics.fmean(logs))
                print(f"geometric mean of {len(logs)}: {c} {mean:.2f}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
