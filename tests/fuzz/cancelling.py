"""Random losses in which much cancels: sigmoids and their cross entropies, shifted exponentials, choices, quotients.

``python -m tests.fuzz.cancelling COUNT FIRST``: gradients and tangents of so many programs, with types and without,
against differences of the function.
"""

from __future__ import annotations

import linecache
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch

__all__ = ["Losses", "differing", "program"]

COUNT = 300
SHAPE = (4, 3)
LARGEST = 1e4
LABELS = ("i8", "i1", "i4", "u4")


class Losses:
    """Statements over matrices of one shape, columns of them and numbers."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.names = ["x"]

    def name(self) -> str:
        return self.rng.choice(self.names)

    def let(self, value: str) -> str:
        name = f"v{len(self.names)}"
        self.lines.append(f"    {name} = {value}")
        self.names.append(name)
        return name

    def statement(self) -> None:
        kinds: list[Callable[[], Any]] = [
            self.sigmoid, self.softmax, self.log_softmax, self.choice, self.quotient, self.scaled, self.square,
            self.difference, self.normalised, self.root, self.entropy, self.standardised, self.reciprocal,
            self.shares, self.by_a_number, self.factor, self.swept, self.beside_labels, self.read_twice,
        ]  # fmt: skip
        self.rng.choice(kinds)()

    def beside_labels(self) -> None:
        """Sums and differences with labels, which may be of whole numbers: the halves of cross entropies."""
        form = self.rng.choice(
            ["np.logaddexp(0.0, {0}) - y * {0}", "y - {0}", "{0} * (1 - y)", "-y * {0} + {0} ** 2"]
        )
        self.let(form.format(self.bounded()))

    def bounded(self) -> str:
        return f"np.tanh({self.name()})"

    def number(self) -> str:
        return self.rng.choice(["0.5", "2", "-1.5", "c", "1 / x.size", "3.0"])

    def sigmoid(self) -> str:
        form = self.rng.choice(
            [
                "1 / (1 + np.exp(-{0}))",
                "1.0 / (np.exp(-{0}) + 1.0)",
                "np.exp({0}) / (1 + np.exp({0}))",
            ]
        )
        return self.let(form.format(self.bounded()))

    def entropy(self) -> None:
        p = self.sigmoid()
        form = self.rng.choice(["-(y * np.log({0}) + (1 - y) * np.log(1 - {0}))", "y / {0} - (1 - y) / (1 - {0})",
                                "y * np.log({0}) - {0}", "np.log({0} / (1 - {0}))"])  # fmt: skip
        self.let(form.format(p))

    def shifted(self) -> str:
        of = self.name()
        top = self.rng.choice(["max", "min"])
        axis = self.rng.choice(
            ["axis=1, keepdims=True", "axis=0, keepdims=True", "axis=-1, keepdims=True", ""]
        )
        m = self.let(f"np.{top}({of}{', ' * bool(axis)}{axis})")
        self.names.pop()
        return f"({of} - {m})"

    def softmax(self) -> None:
        axis = self.rng.choice(["axis=1, keepdims=True", "axis=0, keepdims=True"])
        e = self.let(f"np.exp({self.shifted()})")
        self.let(f"{e} / np.sum({e}, {axis})")

    def log_softmax(self) -> None:
        s = self.let(self.shifted())
        self.let(f"{s} - np.log(np.sum(np.exp({s}), axis=1, keepdims=True))")

    def choice(self) -> None:
        test = f"{self.name()} < {self.rng.choice(['0.1', 'c', 'y'])}"
        sides = [self.name(), self.rng.choice(["0.0", "c", "1.0", f"c * {self.name()}"])]
        self.rng.shuffle(sides)
        self.let(f"np.where({test}, {', '.join(sides)})")

    def quotient(self) -> None:
        below = self.rng.choice(["(1.5 + {0})", "(2.0 * (2 + {0}))", "np.exp({0})"]).format(
            self.bounded()
        )
        self.let(f"{self.rng.choice(['', '-', '2 * '])}{self.name()} / {below}")

    def scaled(self) -> None:
        self.let(
            f"{self.number()} * {self.name()} {self.rng.choice('+-')} {self.name()} * {self.number()}"
        )

    def square(self) -> None:
        self.let(f"{self.bounded()} ** {self.rng.choice(['2', '3'])}")

    def difference(self) -> None:
        self.let(f"{self.name()} * (1 - {self.name()})")

    def normalised(self) -> None:
        v = self.name()
        self.let(f"{v} - np.mean({v}, axis={self.rng.choice('01')}, keepdims=True)")

    def standardised(self) -> None:
        axis = self.rng.choice(["axis=1, keepdims=True", "axis=0, keepdims=True", ""])
        centred = self.let(f"{self.name()} - np.mean({self.name()}{', ' * bool(axis)}{axis})")
        spread = f"np.sqrt(np.mean({centred} ** 2{', ' * bool(axis)}{axis}) + 0.1)"
        self.let(f"{centred} / {spread}")

    def reciprocal(self) -> None:
        """A pair potential: powers of one over a power."""
        u, n = self.let(f"1.5 + {self.bounded()}"), self.rng.choice("1234")
        r = self.let(f"1 / {u} ** {n}")
        self.let(self.rng.choice([f"{r} ** 2 - {r}", f"{u} * {r}", f"{r} * (1 - {r}) / {u} ** 2"]))

    def read_twice(self) -> None:
        """A product that is divided by two things: what is saved of it stands beside their reciprocals."""
        u, v = self.bounded(), self.let(f"1.5 + {self.bounded()}")
        w = self.let(f"{u} * {v} * {v}")
        below = self.rng.choice(["2.0", "3", v, "(2.5 + y)"])
        self.let(f"np.sin({w} / {below}) {self.rng.choice('+-')} np.tanh({w} / (1.2 + {u}))")

    def shares(self) -> None:
        """Shares in a total that is read again."""
        v = self.let(f"np.exp({self.bounded()})")
        total = self.let(f"np.sum({v}, axis={self.rng.choice('01')}, keepdims=True)")
        self.names.pop()
        share = self.let(f"{v} / {total}")
        self.let(self.rng.choice([f"{share} * {self.name()}", f"{share} + np.log({total})"]))

    def by_a_number(self) -> None:
        """A matrix times, or over, a number that depends on it."""
        v = self.name()
        s = self.rng.choice([f"(2.0 + np.sum(np.tanh({v}) ** 2))", f"(1.5 + np.tanh({v}[0, 0]))"])
        self.let(f"{v} {self.rng.choice('*/')} {s}{self.rng.choice(['', ' ** 2'])}")

    def factor(self) -> None:
        """The determinant of a Cholesky factor, and what the identity is multiplied with."""
        v = self.bounded()
        gram = self.let(f"{v}.T @ {v} + 1.5 * np.eye(3)")
        low = self.let(f"np.linalg.cholesky({gram})")
        del self.names[-2:]
        form = self.rng.choice(["np.diag({0})", "np.diagonal({0})", "{0}.diagonal()"]).format(low)
        extra = self.rng.choice(["", f" + np.sum({gram} * np.eye(3))", f" + {low}[2, 0]"])
        self.lines.append(
            f"    d{len(self.lines)} = {self.number()} * np.sum(np.log({form})){extra}"
        )
        self.let(f"{self.name()} * d{len(self.lines) - 1}")

    def swept(self) -> None:
        """A part that is written from what stands around it."""
        v = self.let(f"{self.name()}.copy()")
        self.lines.append(
            f"    {v}[1:-1] = {self.rng.choice(['', '0.5 * '])}{v}[1:-1] {self.rng.choice('+-')} "
            f"{self.number()} * ({v}[2:] - 2 * {v}[1:-1] {self.rng.choice('+-')} {v}[:-2])"
        )

    def root(self) -> None:
        self.let(f"np.sqrt(1.5 + {self.bounded()})")

    def text(self) -> str:
        for _ in range(self.rng.randint(2, 7)):
            self.statement()
        last = self.names[-1]
        ends = [
            f"np.mean({last})",
            f"np.sum({last} * y)",
            f"-np.sum({last}) / x.size",
            f"0.5 * np.sum({last} ** 2)",
        ]
        return "\n".join(
            ["def f(x, y, c):", *self.lines, f"    return {self.rng.choice(ends)}", ""]
        )


def program(seed: int) -> tuple[str, Callable[..., Any]]:
    text = Losses(seed).text()
    file = f"<cancelling {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), scope)
    return text, scope["f"]


def arguments(seed: int) -> tuple[Any, ...]:
    """Labels are floats, or whole numbers of some width, with a sign or without."""
    rng = np.random.default_rng(seed)
    whole = {0: "u1", 1: LABELS[seed // 6 % len(LABELS)]}.get(seed % 6 % 4)
    y = rng.integers(0, 2, size=SHAPE).astype(whole) if whole else rng.uniform(size=SHAPE)
    return 0.7 * rng.normal(size=SHAPE), y, 0.4


def differing(seed: int) -> str | None:
    """What is wrong with a program's derivatives; None if nothing."""
    text, f = program(seed)
    x, y, c = arguments(seed)
    along = np.random.default_rng(seed + 1).normal(size=SHAPE)
    with np.errstate(all="ignore"):
        ends = [(f(x + h * along, y, c) - f(x - h * along, y, c)) / (2 * h) for h in (1e-5, 2e-5)]
        if not np.all(np.isfinite(ends)) or abs(ends[0] - ends[1]) > 1e-5 * (1 + abs(ends[0])):
            return None  # a kink, or too steep
        if abs(f(x, y, c)) > LARGEST:
            return None  # of which differences tell nothing
        found = {
            "the call": np.sum(rg.grad(f)(x, y, c) * along),
            "the pullback": np.sum(rg.vjp(f, x, y, c, wrt=0)[1](1.0)[0] * along),
        }
        if y.dtype == np.float64:  # whole numbers have no tangent
            found["the tangent"] = rg.jvp(f, (x, y, c), (along, np.zeros(SHAPE), 0.0))[1]
        labels = "f8" if y.dtype == np.float64 else y.dtype.name
        for kind, sig in (
            ("types", f"x: f8[n, d], y: {labels}[n, d], c: float"),
            ("no types", None),
        ):
            scope: dict[str, Any] = {}
            exec(rg.differentiate(f).source("grad", sig=sig), scope)
            try:
                found[kind] = np.sum(scope["f_grad"](x, y, c) * along)
            except SignatureMismatch:
                assert sig is None  # floats are expected where nothing is said
        gradient = rg.grad(f)
        bars = [gradient(x + h * along, y, c) for h in (1e-5, -1e-5)]
        found["twice"] = (
            ends[0]
            + np.max(np.abs(rg.hvp(f, (x, y, c), along) - (bars[0] - bars[1]) / 2e-5)) * 1e-2
        )
    wrong = [k for k, got in found.items() if not np.isclose(got, ends[0], rtol=1e-4, atol=1e-6)]
    return f"{', '.join(wrong)}: {found}, not {ends[0]}\n{text}" if wrong else None


def main() -> None:
    count, first = [*map(int, sys.argv[1:]), *(COUNT, 0)[len(sys.argv) - 1 :]][:2]
    found = [(seed, told) for seed in range(first, first + count) if (told := differing(seed))]
    for seed, told in found:
        print(f"seed {seed}: {told}")
    print(f"{count} programs, {len(found)} differ")


if __name__ == "__main__":
    main()
