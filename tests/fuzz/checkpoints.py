"""Random programs that keep little: every loop with snapshots, every helper run again, same derivatives."""

from __future__ import annotations

import contextlib
import copy
import io
import random
import re
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import CompileError, InternalError

from .checks import (
    Outcome,
    close,
    inner,
    loaded,
    mapped,
    quiet,
    shortened,
    unloaded,
    where,
    without_names,
)

__all__ = ["compared", "frugal"]

LOOP = re.compile(r"^(\s*for .+? in )(.+):$")
WHILE = re.compile(r"^(\s*while )(.+):$")


def frugal(text: str, seed: int) -> str:
    """The program with `checkpointed` around every loop, and `checkpoint` on every other helper."""
    rng = random.Random(seed)
    lines = ["import retrograd as rg"]
    for line in text.splitlines():
        for pattern in (LOOP, WHILE):
            found = pattern.match(line)
            literal = found and (found[2].startswith(("(", "[")) or found[2].endswith(".items()"))
            if found and "xs" not in found[2] and not literal:
                line = f"{found[1]}rg.checkpointed({found[2]}, snapshots={rng.randint(1, 3)}):"
        if line.startswith("def helper") and rng.random() < 0.5:
            lines.append("@rg.checkpoint")
        lines.append(line)
    return "\n".join(lines) + "\n"


def compared(text: str, seed: int, second: bool) -> Outcome:
    """Whether a program and its frugal form have the same derivatives."""
    try:
        plain, other = loaded(text), loaded(frugal(text, seed))
    except Exception as error:
        return Outcome("discarded", f"does not load: {type(error).__name__}")
    try:
        with quiet(), contextlib.redirect_stdout(io.StringIO()):
            return judged(plain, other, seed, second)
    finally:
        unloaded(plain)
        unloaded(other)


def judged(plain: Any, other: Any, seed: int, second: bool) -> Outcome:
    try:
        value = plain.main(*copy.deepcopy(plain.ARGS))
        if not plain.WRT or not isinstance(value, float) or not abs(value) < 1e4:
            return Outcome("discarded", "nothing to differentiate")
        wanted = derivatives(plain.main, plain, seed, second)
    except Exception as error:
        return Outcome("discarded", f"the plain program: {type(error).__name__}")
    try:
        for main in (other.main, rg.differentiate(checkpoint=2)(plain.main),
                     rg.differentiate(checkpoint="elementwise")(plain.main)):  # fmt: skip
            found = derivatives(main, plain, seed, second)
            if not all(close(a, b, 1e-8) for a, b in zip(found, wanted, strict=True)):
                return Outcome("failed", "differs", f"{found}, not {wanted}")
    except InternalError as error:
        return Outcome("failed", f"the compiler fails: {shortened(error)}", where(error))
    except CompileError as error:
        return Outcome("refused", without_names(error.reason), str(error))
    except Exception as error:
        return Outcome("failed", f"{type(error).__name__}: {shortened(error)}", where(error))
    return Outcome("ok")


def derivatives(main: Any, module: Any, seed: int, second: bool) -> list[float]:
    """The value, the derivative along a direction in both modes; in second order too."""
    wrt, rng = module.WRT, np.random.default_rng(seed)

    def args() -> Any:
        return copy.deepcopy(module.ARGS)  # the program may write to them

    def random(x: Any) -> Any:
        return float(rng.normal()) if isinstance(x, float) else rng.normal(size=np.shape(x))

    v = tuple(mapped(random, module.ARGS[k]) for k in wrt)
    value, gradient = rg.value_and_grad(main, wrt)(*args())
    tangents = [v[wrt.index(k)] if k in wrt else None for k in range(len(module.ARGS))]
    found = [float(value), inner(gradient, v), float(rg.jvp(main, args(), tangents)[1])]
    if second:
        back = rg.vjp(rg.grad(main, wrt), *args(), wrt=wrt)[1](v)
        found += [inner(rg.hvp(main, args(), v, wrt), v), inner(back, v)]
    return found


def main() -> None:
    """``python -m tests.fuzz.checkpoints FIRST COUNT``."""
    import sys
    from collections import Counter

    from .programs import program

    first, count = map(int, sys.argv[1:3])
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        outcome = compared(program(seed), seed, second=seed % 3 == 0)
        seen[outcome.verdict if outcome.verdict != "refused" else outcome.reason] += 1
        if outcome.verdict == "failed":
            print(f"seed {seed}: {outcome.reason}\n{outcome.detail}", flush=True)
    print(dict(seen.most_common()))


if __name__ == "__main__":
    main()
