"""Small random programs of sums: one adjoint arrives in many places, and each must have memory of its own.

All values have one shape, and most operations are ``+`` and ``-``, through which an adjoint goes as it is.
They stand in names, in a dict, in an object, and in names that an inner function binds.
"""

from __future__ import annotations

import random

__all__ = ["program"]

NAMES = ("y", "z", "w", "u")
UNARY = ("np.sin({})", "np.cos({})", "np.tanh({})", "-{}", "{}.copy()", "np.abs({})")
BINARY = ("{} + {}", "{} + {}", "{} + {}", "{} - {}", "{} * {}", "np.maximum({}, {})")
KINDS = ("vector", "vector", "matrix", "number")
CALLS = ("mixed({}, {})", "scaled({})", "grown({}, {})")
HEAD = """import numpy as np


class State:
    def __init__(self, q, r):
        self.q = q
        self.r = r

    def kick(self, a):
        self.q = self.q + a
        return self.r

    @property
    def both(self):
        return self.q + self.r


def mixed(a, b):
    return a + b if np.sum(a) > 0.3 else a - b


def scaled(a):
    for k in range(2):
        a = a + 0.5 * k
    return a


def grown(a, b):
    total = a
    for k in range(2):
        total = total + b * k
        b = b + a
    return total + b


def {signature}:
"""


class Plain:
    """One program: ``known`` are the names of arrays, ``counters`` those of loops around."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"plain {seed}")
        self.kind = self.rng.choice(KINDS)
        self.known = ["x", "v"][: 1 + (self.rng.random() < 0.4)]
        self.wrt = len(self.known)
        self.binary, self.unary = BINARY, UNARY
        if self.kind == "matrix":
            self.binary, self.unary = (*BINARY, "{} @ {}"), (*UNARY, "{}.T")
        if self.kind == "number":
            self.unary = tuple(form for form in UNARY if "copy" not in form)
        self.counters: list[str] = []
        self.lists: list[str] = []
        self.lines: list[str] = []

    def text(self) -> str:
        head = HEAD.format(signature=f"main({', '.join(self.known)})")
        args = ", ".join(self.argument() for _ in self.known)
        for name in self.rng.sample(NAMES, 2):
            self.add(1, f"{name} = {self.expression(1)}")
            self.known.append(name)
        if self.rng.random() < 0.4:
            self.add(1, f"d = {{'q': {self.expression(1)}, 'r': {self.expression(1)}}}")
            self.known += ['d["q"]', 'd["r"]']
        elif self.rng.random() < 0.4:
            self.add(1, f"s = State({self.expression(1)}, {self.expression(1)})")
            self.known += ["s.q", "s.r"]
            self.unary = (*self.unary, "s.kick({})", "(s.both - {})")
        if self.rng.random() < 0.3:
            self.inner()
        self.block(1, self.rng.randint(2, 4))
        terms = [f"np.sum({self.expression(2)})", f"np.sum(({self.expression(2)}) ** 3)"]
        terms += [f"np.sum({name}[-1])" for name in self.lists]
        self.add(1, f"return {' + '.join(terms)}")
        tail = f"\n\nARGS = ({args},)\nWRT = {tuple(range(self.wrt))}\n"
        return head + "\n".join(self.lines) + tail

    def argument(self) -> str:
        numbers = [round(self.rng.uniform(-0.9, 1.1), 3) for _ in range(4)]
        shape = ".reshape(2, 2)" if self.kind == "matrix" else ""
        return str(numbers[0]) if self.kind == "number" else f"np.array({numbers}){shape}"

    def add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def inner(self) -> None:
        """A function that binds a name of `main`."""
        name = next(n for n in self.known if n in NAMES)
        self.add(1, "def step(a):")
        self.add(2, f"nonlocal {name}")
        self.add(2, f"{name} = {name} {self.rng.choice('+-')} a")
        self.add(2, f"return {self.rng.choice((name, 'a', f'{name} + a'))}")
        self.unary = (*self.unary, "step({})")

    # -- statements --------------------------------------------------------------------

    def block(self, depth: int, count: int) -> None:
        for _ in range(count):
            loops = (self.loop, self.loop, self.choice) if depth < 4 else ()
            forms = (self.assign, self.assign, self.augment, self.item, self.recurrence, *loops)
            self.rng.choice(forms)(depth)

    def assign(self, depth: int) -> None:
        if self.rng.random() < 0.25:
            a, b = self.rng.choice(self.known), self.rng.choice(self.known)
            if a != b:
                return self.add(depth, f"{a}, {b} = {self.expression(1)}, {self.expression(1)}")
        self.add(depth, f"{self.rng.choice(self.known)} = {self.expression(2)}")
        return None

    def augment(self, depth: int) -> None:
        name = self.rng.choice(self.known)
        if self.rng.random() < 0.6 or name in ("x", "v"):  # else in place
            self.add(depth, f"{name} = {name} + {self.expression(1)}")
        else:
            self.add(depth, f"{name} = {name} + 0.0")
            self.add(depth, f"{name} += {self.expression(1)}")

    def recurrence(self, depth: int) -> None:
        """Items that are computed from the ones before them."""
        if self.kind == "number" or depth > 2:
            return self.assign(depth)
        name = self.rng.choice([n for n in self.known if n in NAMES])
        self.add(depth, f"{name} = {self.expression(1)} + 0.0")
        self.add(depth, f"for n in range(1, len({name})):")
        index = self.rng.choice(("n - 1", "n", "-n"))
        sign = self.rng.choice(("=", "+=", "-="))
        self.add(depth + 1, f"{name}[n] {sign} {name}[{index}] * 0.5 + {self.operand()}[n]")
        return None

    def item(self, depth: int) -> None:
        """A list of arrays, and its sum."""
        if self.lists or depth > 1:
            return self.assign(depth)
        value = self.expression(1)
        self.add(depth, f"parts = [{value} for k in range(2)]")
        self.add(depth, f"{self.rng.choice(self.known)} = sum(parts) + parts[0]")
        self.lists.append("parts")
        return None

    def loop(self, depth: int) -> None:
        k = "kji"[len(self.counters) % 3] + "_" * (len(self.counters) // 3)
        self.add(depth, f"for {k} in range({self.rng.randint(1, 3)}):")
        self.counters.append(k)
        self.block(depth + 1, self.rng.randint(1, 3))
        if self.rng.random() < 0.15:
            self.add(depth + 1, f"if np.sum({self.rng.choice(self.known)}) > 1.0:")
            self.add(depth + 2, "break")
        self.counters.pop()

    def choice(self, depth: int) -> None:
        test = f"np.sum({self.rng.choice(self.known)}) > 0.2"
        if self.counters and self.rng.random() < 0.5:
            test = f"{self.counters[-1]} > 0"
        self.add(depth, f"if {test}:")
        self.block(depth + 1, self.rng.randint(1, 2))
        if self.rng.random() < 0.6:
            self.add(depth, "else:")
            self.block(depth + 1, 1)

    # -- expressions -------------------------------------------------------------------

    def expression(self, depth: int) -> str:
        a = self.operand()
        form = self.rng.random()
        if depth and form < 0.55:
            first = a if depth == 1 else f"({self.expression(depth - 1)})"
            return self.rng.choice(self.binary).format(first, self.operand())
        if depth and form < 0.65:
            shape = self.rng.choice(CALLS)
            return shape.format(a, self.operand())
        if form < 0.8:
            return self.rng.choice(self.unary).format(a)
        if form < 0.9 and self.counters:
            return f"{a} * {self.rng.choice(self.counters)}"
        return f"{a} * 0.5"

    def operand(self) -> str:
        name = self.rng.choice(self.known)
        form = self.rng.random()
        if form < 0.08 and self.kind != "number":
            return f"{name}[::-1]"
        if form < 0.14 and self.kind != "number":
            return f"(x * 0.0 + {name}[{self.rng.randint(0, 1)}])"
        return name


def program(seed: int) -> str:
    """The text of one program."""
    return Plain(seed).text()
