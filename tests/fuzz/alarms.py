"""False alarms of the check at birth: ``python -m tests.fuzz.alarms --count 300``.

Right programs run as a user runs them, checked when they are first computed.  Each `GradientMismatch`
is judged by differences of several steps: a false alarm, where they agree with the derivative.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import itertools
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import GradientMismatch
from retrograd.runtime.objects.pytree import flatten, map_leaves

from .. import golden_case
from .checks import loaded, quiet, unloaded
from .idioms.compose import composed
from .programs import program
from .shrink import timed
from .test_found import FOUND

__all__ = ["judged"]

STEPS = (1e-4, 1e-5, 1e-6, 1e-7)
NEAR = 1e-4


def judged(main: Any, args: Any, wrt: Any) -> tuple[str, str]:
    """``quiet``, ``false alarm``, ``true alarm``, ``unclear``, or that there is no derivative to check."""
    try:
        timed(lambda: rg.value_and_grad(main, wrt)(*copy.deepcopy(args)), 10)
    except GradientMismatch as error:
        return alarm(main, args, wrt, str(error))
    except Exception as error:
        return "no derivative", type(error).__name__
    return "quiet", ""


def alarm(main: Any, args: Any, wrt: Any, why: str) -> tuple[str, str]:
    """The derivative, unchecked, against the difference quotients of every step."""
    try:
        _, gradient = rg.value_and_grad(rg.differentiate(main, check=None), wrt)(
            *copy.deepcopy(args)
        )
        mine, found = along(main, args, wrt, gradient)
    except Exception as error:
        return "unclear", f"{type(error).__name__}: {error}; {why}"
    scale = max(1.0, abs(mine), *map(abs, found))
    near = [abs(f - mine) <= NEAR * scale for f in found]
    settled = any(abs(a - b) <= NEAR * scale for a, b in itertools.pairwise(found))
    kind = "false alarm" if any(near) else "true alarm" if settled else "unclear"
    return kind, f"{mine:.8g} against {[f'{f:.8g}' for f in found]}: {why}"


def along(main: Any, args: Any, wrt: Any, gradient: Any) -> tuple[float, list[float]]:
    """The derivative along a random direction: by the gradient, and by central differences."""
    rng = np.random.default_rng(0)
    bars = gradient if isinstance(wrt, tuple) else (gradient,)
    places = wrt if isinstance(wrt, tuple) else (wrt,)
    ways: dict[int, list[Any]] = {}
    mine = 0.0
    for place, bar in zip(places, bars, strict=True):
        leaves, _ = flatten(args[place])
        ways[place] = [rng.normal(size=np.shape(leaf)) for leaf in leaves]
        mine += sum(
            float(np.sum(np.real(np.asarray(b) * way)))
            for b, way in zip(flatten(bar)[0], ways[place], strict=True)
        )
    found = [(moved(main, args, ways, h) - moved(main, args, ways, -h)) / (2 * h) for h in STEPS]
    return mine, found


def moved(main: Any, args: Any, ways: dict[int, list[Any]], h: float) -> float:
    new = list(copy.deepcopy(args))
    for place, way in ways.items():
        steps = iter(way)
        new[place] = map_leaves(lambda leaf, steps=steps: leaf + h * next(steps), new[place])
    return float(main(*new))


def programs(count: int, seed: int) -> Iterator[tuple[str, Any, Any, Any]]:
    """Golden programs, those that failed once, and composed ones: name, function, arguments, what is asked."""
    for path in sorted(golden_case.FOLDER.glob("*.py")):
        with contextlib.suppress(Exception):
            case = golden_case.Case(path)
            yield f"golden {path.stem}", *of_golden(case)
    texts = [(f"found {p.stem}", p.read_text(encoding="utf-8")) for p in FOUND]
    texts += [(f"programs {k}", program(k)) for k in range(seed, seed + count)]
    texts += [(f"idioms {k}", composed(k)) for k in range(seed, seed + count)]
    for name, text in texts:
        module: ModuleType | None = None
        try:
            module = loaded(text)
            yield name, module.main, module.ARGS, wanted(module)
        except AttributeError:
            continue
        finally:
            if module is not None:
                unloaded(module)


def wanted(module: ModuleType) -> tuple[int, ...]:
    asked = getattr(module, "WRT", None)
    return asked or tuple(k for k, a in enumerate(module.ARGS) if not isinstance(a, int))


def of_golden(case: Any) -> tuple[Any, Any, Any]:
    """The program itself, without what the file asks of it."""
    args = case.arguments()
    return case.function, args, tuple(k for k, a in enumerate(args) if is_real(a))


def is_real(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="seeds of each generator")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="fuzz_cache_")
    random.seed(asked.seed)
    counts: Counter[tuple[str, str]] = Counter()
    for name, fn, args, wrt in programs(asked.count, asked.seed):
        with quiet():
            verdict, why = judged(fn, args, wrt)
        counts[name.partition(" ")[0], verdict] += 1
        if "alarm" in verdict or verdict == "unclear":
            print(f"{name}: {verdict}: {why}", flush=True)
    for origin in ("golden", "found", "programs", "idioms"):
        print(origin, {v: n for (o, v), n in sorted(counts.items()) if o == origin})
    return int(any(verdict == "false alarm" for _, verdict in counts))


if __name__ == "__main__":
    raise SystemExit(main())
