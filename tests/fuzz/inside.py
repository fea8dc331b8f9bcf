"""Small random programs over containers that live when they run: lists of lists, dicts, deques; what holds what is mixed up.

Rows are read under names, put into other containers, swapped, sliced and written to, in loops and branches: a
derivative is right, or the program is refused because two containers may hold one row.
"""

from __future__ import annotations

import random

__all__ = ["program"]

HEAD = """import numpy as np
from collections import Counter, OrderedDict, defaultdict, deque


def fill(row, v):
    row[0] = v
    row[1] = row[0] * v


def fill_at(rows, i, v):
    rows[i][1] = v + rows[i][0]


def made(v, n):
    row = [v] * n
    row[1] = v * v
    return row


def main(x):
    n = len(x)
"""

STARTS = (
    "a = [0.0] * n",
    "a = [v * v for v in x]",
    "a = [x[0], x[1], x[2], x[3]]",
    "a = list(x)",
)
TABLES = (
    "m = [[0.5] * 3 for _ in range(n)]",
    "m = [[v, v * v, 1.0] for v in x]",
    "m = [[x[i] * x[j] for j in range(n)] for i in range(n)]",
    "m = [[x[0], 1.0, x[1]], [2.0, x[2], x[3]], [x[1], x[2], 0.5]]",
    "m = []\n    for i in range(n):\n        m.append([x[i]] * (i + 3))",
)
DICTS = (
    "d = {}\n    for i in range(n):\n        d[i] = x[i]",
    "d = {i: v * v for i, v in enumerate(x)}",
    "d = dict(zip(range(n), x))",
    "d = {0: x[0], 1: 1.0, 2: x[1] * x[2], 3: 0.5}",
    "d = OrderedDict()\n    for i in range(n):\n        d[i] = x[i] * i",
    "d = defaultdict(float)\n    d[0] += x[0]\n    d[1] += x[1]\n    d[2] += 1.0\n    d[3] -= x[2]",
)
GROUPS = (
    "g = {}\n    for i in range(n):\n        g.setdefault(i % 2, []).append(x[i])",
    "g = defaultdict(list)\n    for i, v in enumerate(x):\n        g[i % 2].append(v * v)",
    "g = [[] for _ in range(2)]\n    for i, v in enumerate(x):\n        g[i % 2].append(v)",
    "g = {0: [x[0]], 1: [x[1], 1.0]}",
)
QUEUES = (
    "q = deque(x)",
    "q = deque([x[0], 0.5], maxlen=3)",
    "q = deque(maxlen=2)\n    for v in x:\n        q.append(v * v)",
)
PUTS = (
    "a[{i}] = {e}",
    "a[{i}] += {e}",
    "a[{i}] *= 0.5",
    "a[{i}], a[{j}] = a[{j}], a[{i}]",
    "a.append({e})",
    "a[1:n - 1] = [{e}, {f}]",
    "m[{i}][{k}] = {e}",
    "m[{i}][{k}] += {e}",
    "m[{i}][{k}] = {e}",
    "m[{i}] = [{e}, {f}, 0.3]",
    "m[{i}] = made({e}, 3)",
    "m.append([{e}, 1.0, {f}])",
    "m[{i}], m[{j}] = m[{j}], m[{i}]",
    "fill(m[{i}], {e})",
    "fill_at(m, {i}, {e})",
    "d[{i}] = {e}",
    "d[{i}] += {e}",
    "d[n + {i}] = d.get({j}, 0.0) + {e}",
    "d.update({{{i}: {e}}})",
    "g[{b}].append({e})",
    "g[{b}][0] = {e}",
    "g[{b}] = [{e}, {f}]",
    "q.append({e})",
    "q.appendleft({e})",
    "q.rotate({k})",
    "q[0] = {e}",
)
ROWS = (
    "row = m[{i}]",
    "row = m[{i}]\n{t}row[{k}] = {e}",
    "row = m[{i}]\n{t}row[0] += row[1] * 0.5\n{t}m[{j}][1] = row[0]",
    "row = m[{i}][:]\n{t}row[{k}] = {e}\n{t}m[{j}] = row",
    "row = list(m[{i}])",
    "group = g[{b}]\n{t}group.append({e})",
    "kept = m[:]",
    "kept = [r[:] for r in m]",
    "kept = [m[{i}], m[{j}]]",
    "m = [r[::-1] for r in m]",
    "for r in m:\n{t}    r[{k}] = r[{k}] * 0.5 + {e}",
    "for key, v in d.items():\n{t}    a[key % 3] += v * 0.5",
    "for key in g if isinstance(g, dict) else range(2):\n{t}    g[key].append({e})",
    "b = [v for r in m for v in r if v > 0.2]\n{t}a[0] += sum(b)",
    "first, *rest = a\n{t}a[1] = first * sum(rest)",
)
READS = ("row[{k}]", "kept[0][{k}]", "group[-1]")


class Inside:
    """One program; ``counters`` are the loops around."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"inside {seed}")
        self.lines: list[str] = []
        self.counters: list[str] = []
        self.bound: set[str] = set()

    def text(self) -> str:
        starts = (STARTS, TABLES, DICTS, GROUPS, QUEUES)
        body = [f"    {self.rng.choice(forms)}" for forms in starts]
        self.block(1, self.rng.randint(2, 5))
        names = {"row": "row[0]", "kept": "kept[0][1]", "group": "group[0]"}
        extra = [names[n] for n in sorted(self.bound) if self.rng.random() < 0.5]
        total = ["sum(a) * a[1]", "sum(v * v for r in m for v in r)", "sum(d.values()) * d[1]"]
        total += ["sum(g[0]) * g[1][-1]", "q[0] * q[-1]", "m[1][2]", *extra]
        numbers = [round(self.rng.uniform(0.2, 1.3), 3) for _ in range(4)]
        tail = f"    return {' + '.join(total)}\n\n\nARGS = (np.array({numbers}),)\nWRT = (0,)\n"
        return HEAD + "\n".join([*body, *self.lines]) + "\n" + tail

    def add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def block(self, depth: int, count: int) -> None:
        for _ in range(count):
            form = self.rng.random()
            if form < 0.2 and depth < 3:
                counter = "ijk"[len(self.counters)] + "_"
                self.add(depth, f"for {counter} in range({self.rng.choice(('2', '3', 'n - 1'))}):")
                self.counters.append(counter)
                self.block(depth + 1, self.rng.randint(1, 2))
                self.counters.pop()
            elif form < 0.3 and depth < 3:
                self.add(depth, f"if {self.value()} > 0.6:")
                self.block(depth + 1, self.rng.randint(1, 2))
                if self.rng.random() < 0.5:
                    self.add(depth, "else:")
                    self.block(depth + 1, 1)
            else:
                self.put(depth, ROWS if form > 0.75 else PUTS)

    def put(self, depth: int, forms: tuple[str, ...]) -> None:
        form = self.rng.choice(forms)
        if depth == 1 and "=" in form and form.partition(" ")[0] in ("row", "kept", "group"):
            self.bound.add(form.partition(" ")[0])
        keys = {
            "i": self.index(), "j": self.index(), "k": self.rng.choice("012"), "b": self.rng.choice("01"),
            "e": self.value(), "f": self.value(), "t": "    " * depth,
        }  # fmt: skip
        self.add(depth, form.format(**keys))

    def index(self) -> str:
        if self.counters and self.rng.random() < 0.6:
            return self.rng.choice(self.counters)
        return self.rng.choice(("0", "1", "2", "n - 2"))

    def value(self) -> str:
        i, k = self.index(), self.rng.choice("012")
        forms = [f"x[{i}]", f"a[{i}]", f"m[{i}][{k}]", f"d[{i}]", "g[0][0]", "q[0]", "q[-1]"]
        forms += [form.format(k=k) for form in READS if form.partition("[")[0] in self.bound]
        return f"{self.rng.choice(forms)} * {self.rng.choice((0.4, 0.7, 1.1))}"


def program(seed: int) -> str:
    """The text of one program."""
    return Inside(seed).text()
