"""Random functions that are left early: from loops in loops, with all kinds of results, some of them None, some by a call of itself.

::

    def found0(x, n):
        s, y, held = x[0], 1.0 * x, None
        for i in range(3):
            y[i] = s * 0.5
            if s < 0.3:
                return s, y
            held = (y[0], i)
        return held[0], x
"""

from __future__ import annotations

import random

__all__ = ["program"]

HEAD = """import numpy as np


class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b


"""
RESULTS = {  # kinds of results: what is returned, of numbers `{n}`
    "number": ("{n}", "s", "{n} * {n}"),
    "array": ("y", "{n} * y", "x", "y.copy()", "y[:2]"),
    "list": ("grown", "[{n}, {n}]", "[v * {n} for v in grown]", "items", "items[:2]", "list(y)"),
    "pair": ("(s, {n})", "({n}, {n})"),
    "mixed": ("(s, y)", "({n}, x)", "({n}, {n} * y)"),
    "nested": ("(s, [{n}, s])", "({n}, items)", "({n}, grown)"),
    "dict": ("{{'v': s, 'w': y}}", "{{'v': {n}, 'w': x}}", "table"),
    "point": ("Point(s, {n})", "Point({n}, {n})"),
}
READ = {  # by the caller
    "number": "r{k} * r{k}", "array": "np.sum(r{k} ** 2)", "list": "sum(v * v for v in r{k})", "pair": "r{k}[0] * r{k}[1]",
    "mixed": "r{k}[0] + np.sum(r{k}[1] ** 2)", "nested": "r{k}[0] * 0.5 + sum(r{k}[1])",
    "dict": "r{k}['v'] + np.sum(r{k}['w'] ** 2)", "point": "r{k}.a * r{k}.b",
}  # fmt: skip
HELD = {  # what a name holds that may be None: made, and a number of it
    "tuple": ("({n}, s)", "held[0] * held[1]"),
    "list": ("[s, {n}]", "held[1] + 0.3 * held[0]"),
    "dict": ("{{'v': {n}, 'w': s}}", "held['v'] * held['w']"),
    "point": ("Point({n}, s)", "held.a - held.b"),
    "number": ("{n}", "held"),
    "array": ("y * {n}", "held[0]"),
}
NUMBERS = (
    "s",
    "x[{i}]",
    "y[{i}]",
    "0.5 * s",
    "s * x[{i}]",
    "np.sin(y[{i}])",
    "s + 0.2",
    "items[{i}] * 0.7",
    "0.4",
    "table['v']",
)
STEPS = (
    "s = {n}", "s = s * 0.8 + 0.1 * {n}", "y[{i}] = {n}", "y = y * {n} + 0.1", "grown.append({n})", "items[{i}] = {n}",
    "y *= 0.9", "table['v'] = {n}", "grown = grown + [{n}]", "items = [0.5 * v for v in items]", "y = np.roll(y, 1)",
)  # fmt: skip
TESTS = ("s < {t}", "{n} > {t}", "y[{i}] < {t}", "len(grown) > 2", "np.sum(y) > {t}", "{n} < {n}")
START = (
    "s, y, grown, items = x[0], 1.0 * x, [], [x[0], x[1] * x[2], 0.3]",
    "table = {'v': x[1], 'w': x}",
    "held = None",
)
DEEPEST = 3


class Leaving:
    """One program: helpers that search, and a main function that asks what they found."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"leaving {seed}")
        self.counters: list[str] = []
        self.kinds: list[str] = []  # of what the helpers give

    def text(self) -> str:
        parts = [self.helper() for _ in range(self.rng.randint(1, 2))]
        return f"{HEAD}{''.join(parts)}{self.main()}\nARGS = (np.array([0.8, -0.6, 1.3]),)\nWRT = (0,)\n"

    # -- functions ----------------------------------------------------------------------

    def helper(self) -> str:
        self.kind = self.rng.choice(list(RESULTS))
        self.may_be_none = self.rng.random() < 0.3
        self.recursive = self.rng.random() < 0.25
        self.held = self.rng.choice(list(HELD))
        self.name = f"found{len(self.kinds)}"
        lines = [*START, *self.block(self.rng.randint(2, 4), 0, False)]
        lines += self.question() if self.rng.random() < 0.6 else []
        lines.append(self.way_out(False))
        self.kinds.append(self.kind)
        return f"def {self.name}(x, n):\n{indented(lines)}\n\n"

    def main(self) -> str:
        reads = [f"r{k} = found{k}(x, {self.rng.randint(0, 2)})" for k in range(len(self.kinds))]
        read = " + ".join(
            READ.get(kind, "told(r{k})").format(k=k) for k, kind in enumerate(self.kinds)
        )
        return f"def main(x):\n{indented([*reads, f'return {read}'])}\n"

    # -- statements ---------------------------------------------------------------------

    def block(self, count: int, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            way = self.rng.random()
            if way < 0.3 and depth < DEEPEST:
                lines += self.loop(depth)
            elif way < 0.55:
                lines += self.exit(in_loop)
            elif way < 0.7:
                lines += self.holding()
            else:
                lines.append(self.filled(self.rng.choice(STEPS)))
        return lines

    def loop(self, depth: int) -> list[str]:
        name = "ijk"[depth]
        self.counters.append(name)
        body = self.block(self.rng.randint(1, 3), depth + 1, True)
        self.counters.pop()
        ways = [
            f"for {name} in range(3):",
            f"for {name} in range(n + 1):",
            f"for {name} in (2, 0, 1):",
        ]
        if self.rng.random() < 0.25:
            return [
                f"{name} = 0",
                f"while {name} < 3:",
                *tabbed([*body_without_continue(body), f"{name} += 1"]),
            ]
        return [self.rng.choice(ways), *tabbed(body)]

    def exit(self, in_loop: bool) -> list[str]:
        test = self.filled(self.rng.choice(TESTS))
        ways = [self.way_out(True)] * 3
        ways += ["break", "continue"] if in_loop else []
        body = [self.rng.choice(ways)]
        if self.rng.random() < 0.2:
            body.insert(0, self.filled(self.rng.choice(STEPS)))
        if in_loop and self.rng.random() < 0.15:
            return ["with np.errstate(all='ignore'):", *tabbed([f"if {test}:", *tabbed(body)])]
        return [f"if {test}:", *tabbed(body)]

    def way_out(self, early: bool) -> str:
        if early and self.may_be_none and self.rng.random() < 0.4:
            return "return None"
        if early and self.recursive and self.rng.random() < 0.4:
            return f"return {self.name}(0.7 * y, n - 1) if n > 0 else {self.result()}"
        return f"return {self.result()}"

    def result(self) -> str:
        return self.filled(self.rng.choice(RESULTS[self.kind]))

    def holding(self) -> list[str]:
        """Give a name that may be None something to hold, or ask it."""
        made, used = HELD[self.held]
        made, test = self.filled(made), self.filled(self.rng.choice(TESTS))
        return self.rng.choice([
            [f"held = {made}"],
            [f"if {test}:", f"    held = {made}"],
            [f"held = {made} if {test} else None"],
            [f"if held is None or {used} < s:", f"    held = {made}"],
            ["if held is not None:", f"    s = s + 0.3 * {used}"],
            [f"s = {self.filled('{n}')} if held is None else {used}"],
            ["held = None"],
        ])  # fmt: skip

    def question(self) -> list[str]:
        _, used = HELD[self.held]
        return self.rng.choice([
            ["if held is not None:", f"    s = s + {used}"],
            ["if held is None:", f"    {self.way_out(True)}", f"s = {used}"],
            [f"s = s if held is None else s - 0.5 * {used}"],
        ])  # fmt: skip

    def filled(self, text: str) -> str:
        made = text.replace("{n}", "\0").format(
            i=self.place(), t=round(self.rng.uniform(-0.6, 0.9), 2)
        )
        while "\0" in made:
            number = self.rng.choice(NUMBERS).format(i=self.place())
            made = made.replace("\0", number, 1)
        return made

    def place(self) -> str:
        return self.rng.choice(["0", "1", "2", *self.counters])


def body_without_continue(body: list[str]) -> list[str]:
    """A ``while`` that counts at its end goes on for ever if it is cut short."""
    return [line.replace("continue", "s = 0.9 * s") for line in body]


def tabbed(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def indented(lines: list[str]) -> str:
    return "\n".join(tabbed(lines)) + "\n"


def program(seed: int) -> str:
    """The text of a module with ``main``, ``ARGS`` and ``WRT``."""
    return Leaving(seed).text()
