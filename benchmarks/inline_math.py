"""The inline functions in C beside NumPy's ufuncs and libm: time per element, in turn.

    python -m benchmarks.inline_math [--rounds N] [--size N] [NAME ...]

A ratio is the median of the ratios of the rounds, each of which measures all three.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import argparse
import ctypes
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.compiler.native.math.to_c import BOUNDS, BOUNDS_F, math_text

__all__ = ["main"]

FLAGS = "-std=gnu11 -O3 -march=native -ffp-contract=fast -fno-math-errno -fno-trapping-math -fopenmp-simd"
TWO = ("logaddexp", "pow", "arctan2", "hypot")
REPEATS = 20  # calls per measurement


def plain(name: str) -> str:
    base = name if name in BOUNDS else name.removesuffix("f")
    return base.removeprefix("rg_").removesuffix("_near")


def library(names: list[str], accuracy: str, folder: Path) -> ctypes.CDLL:
    text = ["#include <stdint.h>", math_text(set(names), accuracy)]
    for name in names:
        kind = "double" if name in BOUNDS else "float"
        call = f"{name}(x[i], z[i])" if plain(name) in TWO else f"{name}(x[i])"
        arrays = f"{kind} *restrict y, const {kind} *restrict x, const {kind} *restrict z, long n"
        text.append(f"void v_{name}({arrays}) {{ for (long i = 0; i < n; i++) y[i] = {call}; }}")
    source, made = folder / f"{accuracy}.c", folder / f"{accuracy}.so"
    source.write_text("\n".join(text) + "\n")
    compiler = shutil.which("cc") or "gcc"
    command = [compiler, *FLAGS.split(), "-fPIC", "-shared", str(source), "-o", str(made), "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(made))


def arguments(name: str, size: int) -> list[Any]:
    """Usual ones: inside the domain, of the size that occurs."""
    rng = np.random.default_rng(0)
    x = 3 * rng.standard_normal(size)
    if plain(name) in ("arcsin", "arccos", "arctanh"):
        x = rng.uniform(-0.99, 0.99, size)
    if plain(name).startswith("log") or plain(name) in ("pow", "arccosh"):
        x = rng.uniform(1.0, 9.0, size)
    dtype = np.float64 if name in BOUNDS else np.float32
    return [x.astype(dtype), rng.uniform(0.1, 5.0, size).astype(dtype)]


def in_c(made: ctypes.CDLL, name: str, y: Any, inputs: list[Any]) -> Callable[[], Any]:
    function = getattr(made, f"v_{name}")
    places = [*(ctypes.c_void_p(a.ctypes.data) for a in (y, *inputs)), ctypes.c_long(y.size)]
    return lambda: function(*places)


def in_numpy(name: str, y: Any, inputs: list[Any]) -> Callable[[], Any] | None:
    function = getattr(np, plain(name), None)
    if function is None:
        return None
    given = inputs if plain(name) in TWO else inputs[:1]
    return lambda: function(*given, out=y)


def per_element(run: Callable[[], Any], size: int) -> float:
    start = time.perf_counter()
    for _ in range(REPEATS):
        run()
    return (time.perf_counter() - start) / REPEATS / size * 1e9


def main() -> None:
    """Print a line per function: nanoseconds, and how many times longer the others take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=sorted([*BOUNDS, *BOUNDS_F]))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--size", type=int, default=8192)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = [library(options.names, how, Path(folder)) for how in ("inline", "libm")]
    print(f"{'function':16}{'inline':>10}{'libm/inline':>14}{'NumPy/inline':>14}")
    for name in options.names:
        inputs = arguments(name, options.size)
        y = np.empty_like(inputs[0])
        runs = [in_c(one, name, y, inputs) for one in made]
        runs += [run for run in [in_numpy(name, y, inputs)] if run]
        rounds = [[per_element(run, y.size) for run in runs] for _ in range(options.rounds)]
        ratios = [statistics.median(row[k] / row[0] for row in rounds) for k in range(1, len(runs))]
        once = statistics.median(row[0] for row in rounds)
        print(f"{name:16}{once:>8.2f}ns{''.join(f'{ratio:>14.2f}' for ratio in ratios)}")


if __name__ == "__main__":
    main()
