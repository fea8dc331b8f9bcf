"""Random programs with containers in containers, which helpers write to, and which may have other names.

::

    def change0(a, b):
        for i in range(2):
            a[i][1] = b['u'][i] * 0.7
        a[0] = a[1]
"""

from __future__ import annotations

import random

__all__ = ["program"]

HEAD = """import numpy as np


class Box:
    def __init__(self, rows, w):
        self.rows = rows
        self.w = w

"""
MADE = {
    "rows": "[[x[0], 0.5 * x[1]], [x[2] * x[0], 1.0]]",
    "table": "{'u': [x[0], x[1]], 'v': [0.3, x[2]]}",
    "records": "[{'u': x[0], 'v': x[1]}, {'u': 0.4, 'v': x[2]}]",
    "box": "Box([[x[1], x[0]], [x[2], 0.2]], x[1])",
    "arrays": "[x[:2] * 0.7, np.sin(x[1:])]",
}
ITEM = {  # a number in one of the kind
    "rows": "{a}[{i}][{j}]", "table": "{a}[{key}][{j}]", "records": "{a}[{i}][{key}]", "box": "{a}.rows[{i}][{j}]",
    "arrays": "{a}[{i}][{j}]", "row": "{a}[{j}]", "record": "{a}[{key}]", "array": "{a}[{j}]",
}  # fmt: skip
WRITES = {
    "rows": ("{a}[{i}] = [{n}, {n}]", "{a}[0], {a}[1] = {a}[1], {a}[0]", "{a}[{i}] = {a}[{k}]", "{a}[{i}] = list({a}[{k}])",
             "for row in {a}:\n    row[{j}] = row[{j}] * 1.1", "{a}[{i}] = [v * 0.9 for v in {a}[{k}]]"),
    "table": ("{a}[{key}] = [{n}, {n}]", "{a}['u'] = {a}['v']", "{a}['u'] = list({a}['v'])",
              "for name in {a}:\n    {a}[name][{j}] = {a}[name][{j}] * 0.9"),
    "records": ("{a}[{i}] = {a}[{k}]", "{a}[{i}] = dict({a}[{k}])", "{a}[{i}] = {{'u': {n}, 'v': {n}}}",
                "for one in {a}:\n    one['u'] = one['u'] + 0.3 * one['v']"),
    "box": ("{a}.w = {n}", "{a}.rows = [{a}.rows[1], {a}.rows[0]]", "{a}.rows[{i}] = [{n}, {n}]",
            "{a}.rows[{i}] = {a}.rows[{k}]", "{a}.w += {a}.rows[{i}][{j}]"),
    "arrays": ("{a}[{i}] = {a}[{i}] * 1.2", "{a}[{i}] *= 0.8", "{a}[{i}] = {a}[{k}]", "{a}[{i}] = {a}[{k}].copy()",
               "for one in {a}:\n    one[{j}] = one[{j}] * 1.1"),
    "row": ("{a}[0], {a}[1] = {a}[1], {a}[0]",),
    "record": ("{a}['u'] = {a}['v'] * 0.5",),
    "array": ("{a} *= 0.9", "{a} += 0.1"),
}  # fmt: skip
PARTS = {  # what may have a name of its own
    "rows": ("row", "{a}[{i}]"), "table": ("row", "{a}[{key}]"), "records": ("record", "{a}[{i}]"),
    "box": ("row", "{a}.rows[{i}]"), "arrays": ("array", "{a}[{i}]"),
}  # fmt: skip
HOLDS = {  # a container with such a part in it
    "row": ("rows", "[{a}, [0.6, x[0]]]"), "record": ("records", "[{{'u': x[1], 'v': 0.1}}, {a}]"),
    "array": ("arrays", "[x[1:] * 0.5, {a}]"),
}  # fmt: skip
COPIES = {
    "rows": "[row[:] for row in {a}]", "records": "[dict(one) for one in {a}]", "arrays": "[one.copy() for one in {a}]",
    "table": "{{name: list(row) for name, row in {a}.items()}}",
}  # fmt: skip
DEEPEST = 3  # loops in loops
NUMBERS = ("{r} * 0.5", "np.sin({r})", "{r} + {r}", "0.3 * {r} * {r}", "{r} - 0.2", "0.7")


class Nested:
    """One program; ``kinds`` are those of the names that may be read and written to."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"nested {seed}")
        self.helpers: list[tuple[str, list[str]]] = []
        self.counters: list[str] = []

    def text(self) -> str:
        parts = [self.helper(k) for k in range(self.rng.randint(1, 3))]
        return f"{HEAD}\n{''.join(parts)}{self.main()}\nARGS = (np.array([0.8, -0.6, 1.3]),)\nWRT = (0,)\n"

    def helper(self, number: int) -> str:
        names = ["a", "b"][: self.rng.choice([1, 1, 2])]
        kinds = {name: self.rng.choice([*MADE, "row"]) for name in names}
        lines = self.statements(dict(kinds), self.rng.randint(1, 3))
        if self.rng.random() < 0.3:
            lines.append(f"return {self.number(kinds)}")
        self.helpers.append((f"change{number}", list(kinds.values())))
        return f"def change{number}({', '.join(names)}):\n{indented(lines)}\n\n"

    def main(self) -> str:
        kinds = {f"c{k}": self.rng.choice(list(MADE)) for k in range(self.rng.randint(1, 3))}
        lines = [f"{name} = {MADE[kind]}" for name, kind in kinds.items()]
        lines += self.statements(kinds, self.rng.randint(2, 5), main=True)
        read = " + ".join(
            f"{weight} * {self.item(name, kinds)}" for name in kinds for weight in (1.0, 0.6)
        )
        return f"def main(x):\n{indented([*lines, f'return {read}'])}\n"

    def statements(self, kinds: dict[str, str], count: int, main: bool = False) -> list[str]:
        lines = []
        for _ in range(count):
            way = self.rng.random()
            if way < 0.2:
                lines += self.around(kinds)
            elif way < (0.45 if main else 0.25):
                lines += self.named(kinds, main)
            elif way < (0.75 if main else 0.4):
                lines += self.call(kinds)
            else:
                lines.append(self.write(kinds))
        return [one for line in lines for one in line.splitlines()]

    def around(self, kinds: dict[str, str]) -> list[str]:
        """Statements in a loop or a branch."""
        if self.rng.random() < 0.3 or len(self.counters) == DEEPEST:
            inner = self.statements(dict(kinds), self.rng.randint(1, 2))
            return [
                f"if {self.number(kinds)} > {self.rng.choice([-0.2, 0.1, 5.0])}:",
                *tabbed(inner),
            ]
        counter = f"k{len(self.counters)}"
        self.counters.append(counter)
        inner = self.statements(dict(kinds), self.rng.randint(1, 2))
        self.counters.pop()
        return [
            f"for {counter} in range({self.rng.choice(['2', '2', 'len([0, 1])'])}):",
            *tabbed(inner),
        ]

    def named(self, kinds: dict[str, str], main: bool) -> list[str]:
        """A name for a part, or a container that holds it, too."""
        name = self.rng.choice(list(kinds))
        if kinds[name] in COPIES and self.rng.random() < 0.25:
            return self.buffered(name, kinds)
        kind, text = PARTS.get(kinds[name], (None, ""))
        if kind is None:
            return [self.write(kinds)]
        part = self.filled(text, name, kinds)
        made = f"p{len(kinds)}"
        if main and self.rng.random() < 0.4:
            kinds[made], text = HOLDS[kind]
            return [f"{made} = {text.format(a=part)}"]
        kinds[made] = kind
        return [f"{made} = {part}"]

    def buffered(self, name: str, kinds: dict[str, str]) -> list[str]:
        """A copy that is written to, which the name may stand for from then on."""
        made = f"p{len(kinds)}"
        kinds[made] = kinds[name]
        lines = [f"{made} = {COPIES[kinds[name]].format(a=name)}", self.write({made: kinds[made]})]
        lines.append(f"{self.item(made, kinds)} = {self.number({name: kinds[name]})}")
        return [*lines, *([f"{name} = {made}"] if self.rng.random() < 0.7 else [])]

    def call(self, kinds: dict[str, str]) -> list[str]:
        fitting = [
            (helper, [[n for n, k in kinds.items() if k == wanted] for wanted in takes])
            for helper, takes in self.helpers
        ]
        fitting = [(helper, choices) for helper, choices in fitting if all(choices)]
        if not fitting:
            return [self.write(kinds)]
        helper, choices = self.rng.choice(fitting)
        return [f"{helper}({', '.join(map(self.rng.choice, choices))})"]

    def write(self, kinds: dict[str, str]) -> str:
        name = self.rng.choice(list(kinds))
        if self.rng.random() < 0.5:
            target, sign = self.item(name, kinds), self.rng.choice(["=", "=", "+=", "*="])
            return f"{target} {sign} {self.number(kinds)}"
        return self.filled(self.rng.choice(WRITES[kinds[name]]), name, kinds)

    def item(self, name: str, kinds: dict[str, str]) -> str:
        return self.filled(ITEM[kinds[name]], name, kinds)

    def number(self, kinds: dict[str, str]) -> str:
        text = self.rng.choice(NUMBERS)
        while "{r}" in text:
            text = text.replace("{r}", self.item(self.rng.choice(list(kinds)), kinds), 1)
        return text

    def filled(self, text: str, name: str, kinds: dict[str, str]) -> str:
        places = {p: self.rng.choice(["0", "1", *self.counters]) for p in "ijk"}
        key = self.rng.choice(["'u'", "'v'"])
        made = text.replace("{n}", "{{n}}").format(a=name, key=key, **places)
        while "{n}" in made:
            made = made.replace("{n}", self.number(kinds), 1)
        return made


def tabbed(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def indented(lines: list[str]) -> str:
    return "\n".join(tabbed(lines)) + "\n"


def program(seed: int) -> str:
    """The text of a module with ``main``, ``ARGS`` and ``WRT``."""
    return Nested(seed).text()
