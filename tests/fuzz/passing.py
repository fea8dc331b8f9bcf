"""Random programs of three arrays that loops pass to each other and write to: ``program(seed)``.

Small on purpose: each is about what a tape, a tangent or a name still holds of memory written to.
"""

from __future__ import annotations

import random

__all__ = ["program"]

NAMES = ("a", "b", "c")
START = ["a = x * 1.0", "b = np.sin(x)", "c = x * x", "s = 0.0"]


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    rng = random.Random(f"passing {seed}")
    lines = START + [line for _ in range(rng.randint(3, 6)) for line in statement(rng, 0, 0)]
    body = indented([*lines, "return s + np.sum(a * b) + np.sum(c)"])
    head = ["import numpy as np", "", "", "def main(x):"]
    return "\n".join(
        [*head, *body, "", "", "ARGS = (np.array([0.31, -0.77, 0.52]),)", "WRT = (0,)", ""]
    )


def statement(rng: random.Random, nested: int, loops: int) -> list[str]:
    kind, name = rng.random(), rng.choice(NAMES)
    if kind < 0.3:
        return [f"{name} = {expression(rng)}"]
    if kind < 0.5:
        return [part_written(rng, name, loops)]
    if kind < 0.6:
        return [f"{name} {rng.choice(('+=', '*='))} {expression(rng)}"]
    if kind < 0.7:
        other = rng.choice([n for n in NAMES if n != name])
        return [
            f"{name}, {other} = {other}, {rng.choice((name, expression(rng), f'np.sin({name})'))}"
        ]
    if kind < 0.8 or nested >= 2:
        return [f"s = s + np.sum({expression(rng)})"]
    return loop(rng, nested, loops, name) if kind < 0.92 else branch(rng, nested, loops, name)


def expression(rng: random.Random) -> str:
    p, q = rng.choice(NAMES), rng.choice(NAMES)
    return rng.choice((
        f"np.sin({p})", f"0.5 * {p} * {q}", f"np.exp(-{p} * {p})", f"{p} + 0.3 * {q}",
        f"np.tanh({p} - {q})", f"{p} * 1.0", f"np.cos({p}) * {q}[{rng.randrange(3)}]",
    ))  # fmt: skip


def part_written(rng: random.Random, name: str, loops: int) -> str:
    index = rng.choice(("0", "1", "-1", "1:", "::-1", f"k{loops - 1} % 3" if loops else "2"))
    value = rng.choice((f"0.5 * {rng.choice(NAMES)}[0]", "s * 0.1", "0.3"))
    return f"{name}[{index}] {rng.choice(('=', '+=', '*='))} {value}"


def loop(rng: random.Random, nested: int, loops: int, name: str) -> list[str]:
    body = [x for _ in range(rng.randint(2, 4)) for x in statement(rng, nested + 1, loops + 1)]
    if rng.random() < 0.33:
        head, first = f"for k{loops}, e{loops} in enumerate({name}):", [f"s = s + e{loops} * 0.2"]
    else:
        head, first = f"for k{loops} in range({rng.randint(2, 3)}):", []
    return [head, *indented(first + body)]


def branch(rng: random.Random, nested: int, loops: int, name: str) -> list[str]:
    then = [x for _ in range(rng.randint(1, 2)) for x in statement(rng, nested + 1, loops)]
    test = f"if {name}[0] > {rng.uniform(-0.5, 0.5):.3f}:"
    return [test, *indented(then), "else:", *indented(statement(rng, nested + 1, loops))]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
