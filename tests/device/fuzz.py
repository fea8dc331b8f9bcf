"""Random programs on the double of CuPy: ``python -m tests.device.fuzz --seed 0 --count 1000``.

A program is what it computes on the device, where an item of an array is a view of it: the derivative is held against
the function there, run without the compiler if NumPy's protocols take it there; and against the host's derivative where the two
values are one.
"""

from __future__ import annotations

import argparse
import copy
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import CompileError, GradientMismatch, InternalError, RetrogradError
from retrograd.runtime.objects.pytree import leaves

from .. import strict_cupy
from ..fuzz import aliases, changing, complexes, leaving, nested, passing, plain, programs, rank0
from ..fuzz.checks import Outcome, loaded, unloaded
from ..fuzz.shrink import timed
from .golden_on_device import down, up

__all__ = ["GENERATORS", "judged"]

GENERATORS: dict[str, Callable[[int], str]] = {
    "programs": programs.program, "plain": plain.program, "rank0": rank0.program, "aliases": aliases.program,
    "changing": changing.program, "nested": nested.program, "leaving": leaving.program,
    "passing": passing.program, "complexes": complexes.program,
}  # fmt: skip
ROOM = 1e-7


def judged(text: str) -> Outcome:
    """The outcome of one program on the device."""
    import cupy

    try:
        module = loaded(text)
    except Exception as error:
        return Outcome("discarded", f"does not load: {type(error).__name__}")
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return timed(lambda: on_both(cupy, module))
    except TimeoutError:
        return Outcome("discarded", "takes too long: it may be another program on the device")
    finally:
        unloaded(module)


def on_both(cupy: Any, module: Any) -> Outcome:
    main, args = module.main, module.ARGS
    wrt = getattr(module, "WRT", None)
    if wrt is None:
        wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    if not any(isinstance(x, np.ndarray) for x in leaves(list(args))):
        return Outcome("discarded", "its arguments are numbers")
    try:
        here = derived(main, wrt, copy.deepcopy(args))
    except Exception as error:
        return Outcome("discarded", f"on the host: {type(error).__name__}")
    for name, value in list(vars(module).items()):
        if isinstance(value, np.ndarray):
            setattr(module, name, up(cupy, value))
    alone = value_alone(cupy, main, args)
    try:
        there = down(cupy, derived(main, wrt, up(cupy, copy.deepcopy(args))))
    except GradientMismatch as error:
        return Outcome("failed", "the check at birth", str(error))
    except InternalError:
        return Outcome("failed", "the compiler fails", traceback.format_exc())
    except (CompileError, RetrogradError) as error:
        return Outcome("refused", type(error).__name__, str(error))
    except Exception as error:
        if isinstance(alone, type(error)):
            return Outcome("refused", "by CuPy", str(error))
        return Outcome("failed", f"{type(error).__name__}: {error}"[:90], traceback.format_exc())
    if not isinstance(alone, Exception) and not same(alone, there[0]):
        return Outcome("failed", "another value than the function's", f"{there[0]}, not {alone}")
    if not same(here[0], there[0]):
        return Outcome("ok", "another program on the device")
    if not same(here[1], there[1]):
        return Outcome("failed", "another gradient", f"{there[1]}\n on the host\n{here[1]}")
    return Outcome("ok", "" if not isinstance(alone, Exception) else "by its text alone")


def derived(main: Any, wrt: Any, args: Any) -> Any:
    f = rg.differentiate(main, check="always", fallback=None)
    return rg.value_and_grad(f, wrt=wrt)(*args)


def value_alone(cupy: Any, main: Any, args: Any) -> Any:
    """What the function gives by itself on the device, or the error."""
    try:
        return down(cupy, main(*up(cupy, copy.deepcopy(args))))
    except Exception as error:
        return error


def same(a: Any, b: Any) -> bool:
    mine, theirs = leaves(a), leaves(b)
    return len(mine) == len(theirs) and all(map(is_near, mine, theirs))


def is_near(x: Any, y: Any) -> bool:
    if not all(np.asarray(v).dtype.kind in "biufc" for v in (x, y)):
        return True
    if x is None or y is None:
        return x is y
    room = 1e-3 if {np.asarray(v).dtype.itemsize for v in (x, y)} != {8} else ROOM
    return np.shape(x) == np.shape(y) and np.allclose(x, y, room, room, equal_nan=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--of", choices=sorted(GENERATORS), action="append")
    asked = parser.parse_args()
    failed = 0
    for name in asked.of or GENERATORS:
        found: Counter[str] = Counter()
        for seed in range(asked.seed, asked.seed + asked.count):
            text = GENERATORS[name](seed)
            with strict_cupy.installed():
                outcome = judged(text)
            found[f"{outcome.verdict}: {outcome.reason}"] += 1
            if outcome.verdict == "failed":
                failed += 1
                print(
                    f"{'=' * 80}\n{name} {seed}: {outcome.reason}\n{outcome.detail}\n\n{text}",
                    flush=True,
                )
        print(name, *(f"{n:6d} {what}" for what, n in found.most_common()), sep="\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
