"""Random programs of arrays of rank 0 that are written to: ``program(seed)``.

``python -m tests.fuzz.rank0 COUNT FIRST`` compiles so many; with ``tape`` behind it runs them on the tape.

NumPy code that takes numbers and arrays alike is full of them: ``np.asarray(x)``, masks, ``out=``.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

import numpy as np

from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.tape.calls import pushed, taped
from tests.verdicts import is_refusal

__all__ = ["on_the_tape", "program"]

NAMES = ("t", "u")
MADE = ("np.array({e})", "np.zeros_like(np.asarray(x))", "np.full((), 0.3)", "np.asarray({e}).copy()",
        "np.asarray({e} * 1.0)", "np.empty_like({other})\n{name}[...] = {e}", "np.where(x > 0.1, {e}, 0.2) + np.zeros(())",
        "np.zeros(())", "np.array(0.4)")  # fmt: skip
WRITES = ("{name}[...] = {e}", "{name}[()] = {e}", "{name} += {e}", "{name} *= {e}", "np.multiply({name}, {e}, out={name})",
          "{name}[{name} > 0.2] = {e}", "{name}[np.asarray(x) > 0] *= 1.5", "np.copyto({name}, {e})",
          "{name}[...] += {e}", "{name}.reshape(1)[0] = {e}", "{name}[None][0] += {e}", "v = {name}[...]\nv[...] = {e}",
          "np.add.at({name}, (), {e})", "{name} = np.array({name})\n{name}[...] = {e}")  # fmt: skip
READS = ("s = s + {name} * x", "s = s + {name}[()] * x", "s = s + float({name}) * 2.0", "s = s + {name}.item() * x",
         "s = s + np.sum({name}) * x", "s = s + np.atleast_1d({name})[0]", "w = {name}[()]", "w = {name}.copy()",
         "w = {name} * 1.0", "s = s + w * {name}", "s = s + np.where({name} > 0, {name}, w)")  # fmt: skip
VALUES = (
    "np.sin({a})",
    "{a} * x",
    "{a} * {b}",
    "x",
    "0.5",
    "w",
    "x * x",
    "np.tanh({a}) + {b}",
    "float(np.cos({a}))",
)


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    rng = random.Random(f"rank 0 {seed}")
    lines = ["s = 0.0", "w = x * 0.5", "t = np.array(x * 1.3)"]
    lines += filled(rng, f"u = {rng.choice(MADE)}", "u", ("t",))
    for _ in range(rng.randint(2, 5)):
        lines += statement(rng, 0)
    lines.append(
        f"return s + {rng.choice(('t * u', 't + u * x', 'np.sum(t) * u', 't[()] - u[()]'))}"
    )
    body = ["    " + line for line in lines]
    return "\n".join(["import numpy as np", "", "", "def main(x):", *body, "", "", f"ARGS = ({argument(rng)},)",
                      "WRT = (0,)", ""])  # fmt: skip


def argument(rng: random.Random) -> str:
    return rng.choice(("0.7", "np.float64(0.7)", "np.array(0.7)"))


def statement(rng: random.Random, nested: int) -> list[str]:
    kind, name = rng.random(), rng.choice(NAMES)
    if kind < 0.55 or nested >= 2:
        return filled(rng, rng.choice(WRITES), name, NAMES)
    if kind < 0.75:
        return filled(rng, rng.choice(READS), name, NAMES)
    head = rng.choice(("for k in range(2):", "if x > 0.2:", "if np.any(t > 5.0):", "if s > 0.1:"))
    inner = [line for _ in range(rng.randint(1, 2)) for line in statement(rng, nested + 1)]
    found = [head, *("    " + line for line in inner)]
    if head.startswith("if") and rng.random() < 0.5:
        found += ["else:", *("    " + line for line in statement(rng, nested + 1))]
    return found


def filled(rng: random.Random, text: str, name: str, known: tuple[str, ...]) -> list[str]:
    a, b, other = rng.choice(known), rng.choice(known), rng.choice(known)
    value = rng.choice(VALUES).format(a=a, b=b)
    return text.format(name=name, e=value, other=other).split("\n")


def on_the_tape(text: str) -> str:
    """What comes of a program on the tape, held against differences to second order."""
    from .checks import loaded, quiet, unloaded

    module = loaded(text)
    try:
        with quiet():
            return compared(module.main, module.ARGS[0])
    finally:
        unloaded(module)


def compared(f: Any, x: Any) -> str:
    def at(shift: float) -> float:
        return float(
            f(type(x)(x + shift) if not isinstance(x, np.ndarray) else np.array(x + shift))
        )

    try:
        left, value, right = (at(shift) for shift in (-STEP, 0.0, STEP))
    except TypeError:
        return "not run"
    if abs(left - 2 * value + right) > 1e-3 * STEP * (1 + abs(right)):
        return "at a kink"
    one = np.ones_like(x)
    try:
        on_tape, pull = taped(f, x)
        slope, tangent = pull(1.0), pushed(f, (one,), x)[1]
        bend = pushed(lambda z: taped(f, z)[1](1.0), (one,), x)[1]
    except RetrogradError as error:
        return "refused" if is_refusal(error) else "failed"
    wanted = (right - left) / (2 * STEP)
    far = (at(-WIDE) - 2 * value + at(WIDE)) / WIDE**2
    same = on_tape == value and np.allclose([slope, tangent], wanted, rtol=1e-5, atol=1e-5)
    return "ok" if same and np.allclose(bend, far, rtol=1e-3, atol=1e-3) else "failed"


STEP, WIDE = 1e-6, 1e-4


def main() -> None:
    from .run import judged, prepared

    prepared()
    numbers = [int(a) for a in sys.argv[1:] if a != "tape"]
    count, first = [*numbers, *(200, 0)[len(numbers) :]][:2]
    verdicts: Counter[str] = Counter()
    for seed in range(first, first + count):
        if "tape" in sys.argv:
            verdict, detail = on_the_tape(program(seed)), ""
        else:
            outcome = judged(program(seed), second=seed % 3 == 0)
            verdict, detail = outcome.verdict, f"{outcome.reason}\n{outcome.detail}"
        verdicts[verdict] += 1
        if verdict == "failed":
            print(f"seed {seed}: {detail}\n{program(seed)}")
    print(dict(verdicts))


if __name__ == "__main__":
    main()
