"""Random programs whose examples part: loops to convergence, early exits and unsafe branches: ``program(seed)``.

How often a loop runs follows from the arguments, so each example of a batch (`tests.fuzz.batches`) leaves it elsewhere.
Every loop ends: what it tests shrinks or grows by a factor, or it counts.
"""

from __future__ import annotations

import random

__all__ = ["program"]

HEAD = """import math

import numpy as np


def halved(a, limit):
    while abs(a) > limit:
        a = a * 0.55
    return a


def root(a):
    r = 1.0 + 0.1 * a
    for k in range(40):
        step = (r * r - (a * a + 0.5)) / (2.0 * r)
        r = r - step
        if abs(step) < 1e-9:
            return r
    return r


def steps(a, rate):
    t, h = 0.0, 0.3
    while t < 1.0:
        h = min(h, 1.0 - t)
        err = abs(h * h * rate * a) + 1e-6
        if err < 0.05:
            t, a = t + h, a - h * rate * a
        h = h * min(2.0, max(0.3, 0.9 * math.sqrt(0.05 / err)))
    return a


def main(x, y, v, n):
    s = x * 0.5
    w = v.copy()
    k = 0
"""
NUMBERS = ("x", "y", "s", "v[0]", "w[1]", "np.sum(w)", "v[k % 3]", "0.3", "k")
SAFE = (
    "{a} * {b}",
    "{a} + 0.3 * {b}",
    "np.tanh({a})",
    "np.sin({a}) * {b}",
    "{a} - {b} * 0.2",
    "abs({a})",
)
UNSAFE = (
    "np.log(0.2 + {a} * {a})",
    "np.sqrt({a} * {a} + 0.1)",
    "{a} / (1.5 + {b} * {b})",
    "math.exp(-abs({a}))",
    "{a} / (abs({b}) + 0.3)",
)
HELPED = ("halved({a}, 0.3)", "root({a})", "steps({a}, 0.4 + abs({b}))")
TESTS = (
    "{a} > 0.4",
    "{a} < {b}",
    "abs({a}) > 0.5",
    "np.sum(w * w) > 0.6",
    "k > 3",
    "k % 2 == 0",
    "{a} > 0.1 and {b} < 0.9",
)
WRITES = (
    "w[k % 3] = {e}",
    "w[1] += {e}",
    "w = w * 0.7 + 0.1 * v",
    "w[:2] = w[1:] * 0.5",
    "w = np.where(v > 0.2, w, {e})",
)
LOOPS = ("while", "while", "counted", "until", "vector", "upto", "adaptive", "listed", "shared")


class Parting:
    """One program; ``fresh`` counts its names."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"parting {seed}")
        self.fresh = 0

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def number(self) -> str:
        return self.rng.choice(NUMBERS)

    def expression(self) -> str:
        kinds = self.rng.choice((SAFE, SAFE, UNSAFE, HELPED if self.rng.random() < 0.5 else UNSAFE))
        return self.filled(self.rng.choice(kinds))

    def filled(self, text: str) -> str:
        return text.format(a=self.number(), b=self.number(), e="{e}").format(e=self.number())

    def test(self) -> str:
        return self.filled(self.rng.choice(TESTS))

    # -- statements ------------------------------------------------------------------------

    def block(self, depth: int, inside: bool, most: int = 3) -> list[str]:
        found = [
            line for _ in range(self.rng.randint(1, most)) for line in self.statement(depth, inside)
        ]
        return found or ["s = s + 0.1"]

    def statement(self, depth: int, inside: bool) -> list[str]:
        drawn = self.rng.random()
        if drawn < 0.4 or depth > 2:
            return self.plain()
        if drawn < 0.62:
            return self.branch(depth, inside)
        if drawn < 0.66 and depth:
            return [f"if {self.test()}:", f"    return s * 0.5 + {self.number()}"]
        return getattr(self, f"loop_{self.rng.choice(LOOPS)}")(depth)  # type: ignore[no-any-return]

    def plain(self) -> list[str]:
        drawn = self.rng.random()
        if drawn < 0.55:
            return [f"s = 0.6 * s + 0.3 * {self.expression()}"]
        if drawn < 0.7:
            return [f"s = np.tanh({self.expression()})"]
        if drawn < 0.8:
            return ["k += 1"]
        return [self.rng.choice(WRITES).format(e=f"0.2 * {self.expression()}")]

    def branch(self, depth: int, inside: bool) -> list[str]:
        made = [f"if {self.test()}:", *indented(self.block(depth + 1, inside, 2))]
        if self.rng.random() < 0.5:
            made += ["else:", *indented(self.block(depth + 1, inside, 2))]
        return made

    def exits(self) -> list[str]:
        drawn = self.rng.random()
        if drawn < 0.6:
            return []
        return [
            f"if {self.test()}:",
            "    " + self.rng.choice(("break", "break", "continue", "return s + x")),
        ]

    # -- loops -----------------------------------------------------------------------------

    def loop_while(self, depth: int) -> list[str]:
        """It shrinks by a factor in each iteration, before anything may go on with the next."""
        z = self.name("z")
        head = [
            f"{z} = 1.0 + abs({self.expression()})",
            f"while {z} > {self.rng.choice(('0.3', '0.1 + 0.2 * abs(y)'))}:",
        ]
        first = f"{z} = {z} * {self.rng.choice(('0.5', '0.7', '(0.4 + 0.2 * np.cos(x))'))}"
        use = f"s = 0.7 * s + 0.2 * {z} * {self.number()}"
        return [*head, *indented([first, use, *self.exits(), *self.block(depth + 1, True, 2)])]

    def loop_counted(self, depth: int) -> list[str]:
        i = self.name("i")
        inner = [
            f"s = 0.8 * s + 0.1 * ({i} + 1) * {self.number()}",
            *self.block(depth + 1, True, 2),
        ]
        inner += [
            f"if abs({self.number()}) < 0.3 * {i}:",
            "    " + self.rng.choice(("break", "break", "return s")),
        ]
        made = [f"for {i} in range({self.rng.randint(3, 6)}):", *indented(inner)]
        if self.rng.random() < 0.2:
            made += ["else:", f"    s = s + 0.2 * {self.number()}"]
        return made

    def loop_until(self, depth: int) -> list[str]:
        r, old = self.name("r"), self.name("old")
        step = self.rng.choice(
            (
                "0.4 * np.cos({r}) + 0.1 * {a}",
                "{r} - ({r} * {r} - 1.5 - 0.1 * abs({a})) / (2.0 * {r})",
                "0.5 * ({r} + 0.3 / (abs({r}) + 0.4))",
            )
        )
        inner = [
            f"{old} = {r}",
            f"{r} = {step.format(r=r, a=self.number())}",
            f"if abs({r} - {old}) < 1e-6:",
            "    break",
        ]
        if self.rng.random() < 0.3:
            inner += self.block(depth + 2, True, 1)
        return [
            f"{r} = 1.0 + 0.2 * abs({self.number()})",
            "while True:",
            *indented(inner),
            f"s = 0.5 * s + 0.4 * {r}",
        ]

    def loop_vector(self, depth: int) -> list[str]:
        u, c = self.name("u"), self.name("c")
        inner = [
            f"{u} = 0.5 * np.tanh({u}) + {self.rng.choice(('0.1 * v', '0.05 * w', '0.1 * x'))}",
            f"{c} += 1",
        ]
        inner += self.exits() if self.rng.random() < 0.5 else []
        size = self.rng.choice((f"np.sum({u} * {u}) > 0.2", f"np.max(np.abs({u})) > 0.15"))
        return [
            f"{u}, {c} = v * 2.0, 0",
            f"while {size} and {c} < 9:",
            *indented(inner),
            f"s = s * 0.5 + np.sum({u}) * 0.3 + 0.01 * {c}",
        ]

    def loop_upto(self, depth: int) -> list[str]:
        i, m = self.name("i"), self.name("m")
        count = self.rng.choice((f"int(2.0 + 2.0 * abs({self.number()}))", "n", "n + k % 2"))
        return [
            f"{m} = min({count}, 5)",
            f"for {i} in range({m}):",
            *indented(
                [f"s = 0.7 * s + 0.1 * {i} * x", *self.exits(), *self.block(depth + 2, True, 1)]
            ),
        ]

    def loop_adaptive(self, depth: int) -> list[str]:
        t, h = self.name("t"), self.name("h")
        inner = [
            f"{h} = min({h}, 1.0 - {t})",
            f"if {h} * abs({self.number()}) < 0.2:",
            f"    {t} = {t} + {h}",
            f"    s = s + {h} * (0.3 * y - s)",
            f"    {h} = {h} * 1.3",
            "else:",
            f"    {h} = {h} * 0.5",
        ]
        return [f"{t}, {h} = 0.0, 0.4", f"while {t} < 1.0:", *indented(inner)]

    def loop_listed(self, depth: int) -> list[str]:
        xs, z, q = self.name("xs"), self.name("z"), self.name("q")
        ends = (
            f"s = s + 0.1 * {xs}[-1]",
            f"for {q} in {xs}:\n    s = s * 0.9 + 0.1 * {q}",
            f"s = s + 0.1 * sum({xs})",
            f"s = s + 0.01 * len({xs})",
            f"s = s + np.mean(np.array({xs}))",
        )
        inner = [f"{z} = {z} * 0.6", f"{xs}.append({z} * {self.number()})", *self.exits()]
        return [
            f"{z} = 1.0 + abs({self.number()})",
            f"{xs} = [{z}]",
            f"while {z} > 0.3:",
            *indented(inner),
            *self.rng.choice(ends).split("\n"),
        ]

    def loop_shared(self, depth: int) -> list[str]:
        """A loop that all examples leave together, if nothing in it leaves it before."""
        i = self.name("i")
        return [
            f"for {i} in range({self.rng.randint(2, 3)}):",
            *indented(self.block(depth + 1, True, 2)),
        ]


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    made = Parting(seed)
    body = [
        *made.block(0, False, 2),
        *getattr(made, f"loop_{made.rng.choice(LOOPS)}")(0),
        *made.block(0, False, 2),
    ]
    numbers = [f"{made.rng.uniform(0.2, 1.4):.3f}" for _ in range(5)]
    args = f"ARGS = ({numbers[0]}, np.float64({numbers[1]}), np.array([{', '.join(numbers[2:])}]), {made.rng.randint(2, 4)})"
    return HEAD + "\n".join(
        [
            *indented([*body, "return s + 0.1 * np.sum(w) + 0.01 * k"]),
            "",
            "",
            args,
            "WRT = (0, 1, 2)",
            "",
        ]
    )
