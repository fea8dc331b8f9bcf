"""Random functions that collect lists in lists: groups, runs, windows, that are put in another list and begun anew.

::

    def main(x):
        out, cur, other = [], [x[0]], []
        for v in x:
            if v > 0.4:
                out.append(cur)
                cur = [v]
            cur.append(v * 0.5)
        return total(out) + total([cur, other])

Whether a list is in another one, or is another name's too, depends on the way that the branches took.
"""

from __future__ import annotations

import random

__all__ = ["program"]

HEAD = """import numpy as np


def total(rows):
    s = 0.0
    for k, row in enumerate(rows):
        for j, v in enumerate(row):
            s = s + v * v * (1.0 + 0.3 * k - 0.2 * j)
    return s


def put(rows, row):
    rows.append(row)


def fill(row, v):
    row.append(v)
    return row


"""
FRESH = (
    "[]",
    "[{v}]",
    "[{v}, 0.5]",
    "list(cur)",
    "cur[:]",
    "other + [{v}]",
    "[w * 0.9 for w in cur]",
)
STEPS = (
    "{a}.append({v})", "{a}.append({v})", "out.append({a})", "out.append({a})", "{a} = {fresh}", "{a} = {fresh}", "{a} = {b}",
    "{a} += [{v}]", "{a} = {a} + [{v}]", "out.append({fresh})", "out.append([{v}])", "out[-1].append({v})", "out[0] = {a}",
    "out[-1] = {fresh}", "{a}[-1] = {v}", "{a} = out[-1]", "{a}, {b} = {b}, {a}", "put(out, {a})", "{a} = fill({a}, {v})",
    "fill({a}, {v})", "out = [{a}]", "out = out + [{a}]", "out.append({a}); {a} = {fresh}", "table['k'] = {a}", "table['k'].append({v})",
    "{a} = table['k']", "{a}.extend({b})", "out.extend([{a}, {fresh}])", "pair = ({a}, {b})", "pair[0].append({v})", "s = s + sum({a})",
    "{a}.pop()", "{a} = {a} if {t} else {b}", "{a} = {a} or {fresh}",
)  # fmt: skip
TESTS = ("v > {c}", "len({a}) > {n}", "s < {c}", "{a} and {a}[-1] < v", "len(out) > {n}", "not {a}")
NEEDS = {"out[": "out", "[-1]": "", "pop": ""}


class Grouping:
    """One program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"grouping {seed}")

    def text(self) -> str:
        start = "out, cur, other, s = [], [x[0]], [], 0.1"
        lines = [start, "table, pair = {'k': []}, ([], cur)"]
        lines += self.block(self.rng.randint(0, 2), 2, in_loop=False)
        lines += self.loop(0)
        lines += self.block(self.rng.randint(0, 2), 1, in_loop=False)
        lines.append("return total(out) + total([cur, other, table['k'], *pair]) + s")
        body = "".join(f"    {line}\n" for line in lines)
        return (
            f"{HEAD}def main(x):\n{body}\n\nARGS = (np.array([0.8, -0.6, 0.5, 1.3]),)\nWRT = (0,)\n"
        )

    def loop(self, depth: int) -> list[str]:
        head = self.rng.choice(
            ["for v in x:", "for v in x[1:]:", "for v in (x[0], x[2] * x[1], x[3]):"]
        )
        return [head, *tabbed(self.block(self.rng.randint(2, 4), depth + 1, in_loop=True))]

    def block(self, count: int, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            way = self.rng.random()
            if way < 0.35 and depth < 4:
                lines += self.branch(depth, in_loop)
            elif way < 0.4 and depth < 2:
                lines += ["for v in x[:2]:", *tabbed(self.block(2, depth + 1, True))]
            else:
                lines += self.step(in_loop)
        return lines

    def branch(self, depth: int, in_loop: bool) -> list[str]:
        lines = [f"if {self.filled(self.rng.choice(TESTS), in_loop)}:"]
        lines += tabbed(self.block(self.rng.randint(1, 2), depth + 1, in_loop))
        if self.rng.random() < 0.5:
            lines += ["else:", *tabbed(self.block(self.rng.randint(1, 2), depth + 1, in_loop))]
        return lines

    def step(self, in_loop: bool) -> list[str]:
        line = self.filled(self.rng.choice(STEPS), in_loop)
        asked = [
            name
            for name in ("out", "cur", "other")
            if f"{name}[-1]" in line or f"{name}[0]" in line or f"{name}.pop" in line
        ]
        parts = line.split("; ")
        return [f"if {asked[0]}:", *tabbed(parts)] if asked else parts

    def filled(self, text: str, in_loop: bool) -> str:
        a = self.rng.choice(["cur", "cur", "other"])
        fresh = self.rng.choice(FRESH)
        v = (
            self.rng.choice(["v", "v * 0.5", "v * x[0]", "s"])
            if in_loop
            else self.rng.choice(["x[1]", "s", "x[0] * x[2]"])
        )
        if not in_loop:
            text = text.replace("< v", "< s").replace("v > ", "x[1] > ")
        text = (
            text.replace("{fresh}", fresh)
            .replace("{a}", a)
            .replace("{b}", "other" if a == "cur" else "cur")
        )
        text = text.replace("{t}", f"s < {round(self.rng.uniform(-0.5, 1.5), 2)}")
        return (
            text.replace("{v}", v)
            .replace("{c}", str(round(self.rng.uniform(-0.5, 1.2), 2)))
            .replace("{n}", str(self.rng.randint(0, 3)))
        )


def tabbed(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def program(seed: int) -> str:
    """The text of a module with ``main``, ``ARGS`` and ``WRT``."""
    return Grouping(seed).text()
