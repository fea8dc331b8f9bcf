"""Small random programs whose names change in loops: shapes, ranks, kinds, lengths of lists, from one iteration to the next.

What a name holds is known to nobody who writes such a program, so every statement works for any number or array;
loops have no, one, two or more iterations, and what they bind is read after them.
"""

from __future__ import annotations

import random
from itertools import pairwise

__all__ = ["program"]

NAMES = ("y", "z", "w")
# Each takes a value of any shape, and may give one of another.
SAME = ("np.sin({})", "np.tanh({})", "0.5 * {}", "{} * {}", "-{}", "{} + 0.3", "np.copy({})", "{} * np.sum({other})",
        "{} + size({other})", "np.maximum({}, 0.1)", "{} / (1.5 + size({}))")  # fmt: skip
REAL_ONLY = ("np.maximum({}, 0.1)",)
OTHER = ("np.append({}, 0.4)", "np.append({}, np.sum({other}))", "np.ravel({})[1:]", "np.ravel({})[::2]", "np.sum({})",
         "np.sum({}) * np.ones(2)", "np.sum({}) * np.ones({k} + 1)", "np.stack([{}, {}])", "np.ravel({})",
         "np.outer({}, np.ravel({other})[:2])", "np.atleast_1d({})[None]", "np.atleast_1d({})[:2]", "np.transpose({})",
         "np.concatenate([np.ravel({}), np.ravel({other})])", "np.reshape({}, (-1, 1))", "np.atleast_1d({})[..., ::-1]",
         "np.cumsum({})", "np.mean(np.atleast_1d({}), axis=0)", "np.ravel({})[:{k} + 1]", "np.atleast_2d({}) @ np.atleast_2d({}).T",
         "np.ravel({}) @ np.ravel({})", "np.repeat({}, 2)", "np.ravel({})[-1]", "float(np.size({})) * {other}")  # fmt: skip
COMPLEX = ("{} * (0.5 + 0.2j)", "{} * 1j", "np.abs({} + 2.0)", "np.real({})", "np.imag({}) + {}", "np.conj({})",
           "np.exp(0.3j * {})", "np.fft.fft(np.atleast_1d({}))")  # fmt: skip
HEAD = """import numpy as np


def size(a):
    return np.sum(np.real(a * np.conj(a)))


def halved(a):
    a = np.ravel(a)
    while np.size(a) > 1:
        half = a[: np.size(a) // 2]
        a = half * 0.7 + a[-np.size(half):]
    return a


def folded(a, n):
    for k in range(n):
        b = np.append(a, np.sum(a) * 0.5)
        a = np.tanh(b)
    return a


def main({signature}):
"""
CALLS = ("halved({})", "folded({}, {k} % 3)", "folded({}, 2)")
STARTS = (
    "x",
    "np.sum(x)",
    "x * 0.5",
    "0.5",
    "x[0]",
    "np.zeros(2)",
    "np.outer(x, x)",
    "1.0",
    "x[:1]",
    "2",
)


class Changing:
    """One program: ``known`` may be read, ``counters`` are those of the loops around."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"changing {seed}")
        self.known = ["x"]
        self.counters: list[str] = []
        self.lists: list[str] = []
        self.lines: list[str] = []
        self.complex = self.rng.random() < 0.25
        self.sequence = self.rng.choice(["ws", "params", None])
        self.count = 0

    def text(self) -> str:
        names = ["x", *([self.sequence] if self.sequence else []), "n"]
        for name in self.rng.sample(NAMES, self.rng.randint(0, 2)):
            self.add(1, f"{name} = {self.rng.choice(STARTS)}")
            self.known.append(name)
        if self.rng.random() < 0.4:
            self.add(1, self.rng.choice(["kept = []", "kept = [x]", "kept = [x, np.sum(x)]"]))
            self.lists.append("kept")
        for _ in range(self.rng.randint(1, 2)):
            self.loop(1)
            if self.rng.random() < 0.4:
                self.bind(1)
        terms = [f"size({name})" for name in dict.fromkeys(self.known)]
        terms += [f"sum(size(a) for a in {name})" for name in self.lists]
        terms += [f"size({name}[-1])" for name in self.lists if self.rng.random() < 0.3]
        self.rng.shuffle(terms)
        last = " + ".join(["0.0", *terms[: self.rng.randint(1, 3)]])
        body = "\n".join([*self.lines, f"    return np.tanh(0.1 * ({last})) + 0.01 * ({last})"])
        head = HEAD.format(signature=", ".join(names))
        wrt = tuple(range(len(names) - 1))
        return f"{head}{body}\n\n\nARGS = ({self.arguments()})\nWRT = {wrt}\n"

    def arguments(self) -> str:
        x = [round(self.rng.uniform(-0.9, 0.9), 3) for _ in range(self.rng.randint(1, 3))]
        given = [f"np.array({x})"]
        if self.sequence == "ws":
            shapes = [(self.rng.randint(1, 3),) for _ in range(self.rng.randint(1, 3))]
            given.append(f"[{', '.join(map(self.array, shapes))}]")
        if self.sequence == "params":
            widths = [len(x), *(self.rng.randint(1, 3) for _ in range(self.rng.randint(1, 3)))]
            layers = pairwise(widths)
            pairs = [f"({self.array((a, b))}, {self.array((b,))})" for a, b in layers]
            given.append(f"[{', '.join(pairs)}]")
        return ", ".join([*given, str(self.rng.choice([0, 1, 2, 2, 3]))])

    def array(self, shape: tuple[int, ...]) -> str:
        if len(shape) == 1:
            return f"np.array({[round(self.rng.uniform(-0.9, 0.9), 3) for _ in range(shape[0])]})"
        rows = [
            [round(self.rng.uniform(-0.9, 0.9), 3) for _ in range(shape[1])]
            for _ in range(shape[0])
        ]
        return f"np.array({rows})"

    def add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    # -- statements --------------------------------------------------------------------

    def loop(self, depth: int) -> None:
        """A loop; what it binds is known after it, whether or not it has an iteration."""
        self.count += 1
        k, before = f"k{self.count}", list(self.known)
        how = self.rng.random()
        bound: list[str] = []
        if self.sequence == "params" and how < 0.4:
            self.add(depth, "for W, b in params:")
            name = self.name()
            out = self.rng.choice(NAMES)
            shape = f"np.resize({name}, np.shape(W)[0])" if self.rng.random() < 0.5 else None
            source = shape or "np.sum(np.atleast_1d(x)) * np.ones(np.shape(W)[0])"
            self.add(depth + 1, f"{out} = {source} @ W + b")
            bound = [out]
        elif self.sequence == "ws" and how < 0.4:
            self.add(depth, "for v in ws:")
            bound = ["v"]
        elif how < 0.8:
            over = self.rng.choice(["n", "n", "3", "2", "1", "0", "n - 1"])
            self.add(depth, f"for {k} in range({over}):")
            self.counters.append(k)
        else:
            self.add(depth, f"{k} = 0")
            self.add(depth, f"while {k} < n:")
            self.add(depth + 1, f"{k} += 1")
            self.counters.append(k)
        had = len(self.counters)
        self.known = [*before, *bound]
        left = self.body(depth + 1)
        del self.counters[had:]
        if self.counters and self.counters[-1] == k:
            self.counters.pop()
        if left and self.rng.random() < 0.5:
            self.add(depth, "else:")
            self.bind(depth + 1)
        self.known = list(dict.fromkeys([*before, *self.known]))

    def body(self, depth: int) -> bool:
        """The statements of a loop; whether one of them leaves it."""
        left = False
        for _ in range(self.rng.randint(1, 4)):
            how = self.rng.random()
            if how < 0.10 and depth < 4:
                self.loop(depth)
            elif how < 0.20:
                self.add(depth, f"if {self.test()}:")
                self.bind(depth + 1)
                if self.rng.random() < 0.5:
                    self.add(depth, "else:")
                    self.bind(depth + 1)
            elif how < 0.27:
                self.add(depth, f"if {self.test()}:")
                word = self.rng.choice(["break", "continue"])
                left = left or word == "break"
                self.add(depth + 1, word)
            elif how < 0.45 and self.lists:
                self.on_list(depth)
            else:
                self.bind(depth)
        return left

    def on_list(self, depth: int) -> None:
        name = self.rng.choice(self.lists)
        form = self.rng.choice(
            ["{}.append({value})", "{}.append({value})", "{}[-1] = {value}", "{}.pop()", "{target} = {}.pop()",
             "{target} = {}[-1]", "{} = {} + [{value}]", "{} = {}[1:]", "{} = [0.5 * a for a in {}]",
             "{}.insert(0, {value})", "{} = [*{}, {value}]"]
        )  # fmt: skip
        target = self.rng.choice(NAMES)
        if any(part in form for part in ("pop", "[-1]", "[1:]")) and self.rng.random() < 0.8:
            self.add(depth, f"if len({name}) > 1:")
            depth += 1
        self.add(depth, form.replace("{target}", target).replace("{value}", self.value())
                 .replace("{}", name))  # fmt: skip
        if "{target}" in form:
            self.known.append(target)

    def bind(self, depth: int) -> None:
        value = self.value()
        name = self.rng.choice(NAMES)
        if name in self.known and self.rng.random() < 0.1:
            self.add(depth, f"{name} += {self.rng.choice(['0.25', f'np.sum({self.name()})'])}")
            return
        self.add(depth, f"{name} = {value}")
        self.known.append(name)

    def value(self) -> str:
        forms: tuple[str, ...] = SAME if self.rng.random() < 0.4 else OTHER
        if self.complex:
            forms = tuple(f for f in (*forms, *COMPLEX) if f not in REAL_ONLY)
        if self.rng.random() < 0.06:
            forms = CALLS
        name = self.name()
        form = self.rng.choice(forms)
        counter = self.counters[-1] if self.counters else "n"
        text = form.replace("{other}", self.name()).replace("{k}", counter).replace("{}", name)
        return f"np.sin({text})" if self.rng.random() < 0.15 and not self.complex else text

    def name(self) -> str:
        return self.rng.choice(self.known)

    def test(self) -> str:
        counter = self.counters[-1] if self.counters else "n"
        return self.rng.choice(
            [f"{counter} == 1", f"{counter} > 0", f"{counter} % 2 == 0", f"np.size({self.name()}) > 2",
             f"size({self.name()}) < 1.5", "n > 1", f"np.ndim({self.name()}) == 1"]
        )  # fmt: skip


def program(seed: int) -> str:
    """The text of one program."""
    return Changing(seed).text()
