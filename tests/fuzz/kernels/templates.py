"""Programs put together from lines with holes: ``{v}`` is some vector, ``{m}`` a matrix, ``{=}`` the new name.

A line is ``kind: text``; several statements are parted by ``;;``, and a text without ``{=}`` makes nothing new.
Of ``«a|b»`` one is taken.  Vectors have n elements, matrices n by n; ``z`` and ``q`` are complex ones, ``s`` numbers,
``i`` integers below n; and where a table asks for them, ``c`` are two matrices in one array, ``f`` vectors of single
precision, ``b`` booleans, ``p`` arrays without axes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

__all__ = ["filled", "program_of"]

HOLE = re.compile(r"\{([svmizqcfbp])\}")
CHOICE = re.compile(r"«([^«»]*)»")
MORE = {
    "c": "RNG.normal(size=(2, {n}, {n}))", "f": "RNG.normal(size={n}).astype(np.float32)", "b": "RNG.normal(size={n}) > 0.0",
    "p": "np.array(0.4)",
}  # fmt: skip
SUMS = {
    "v": "np.sum({})", "s": "{}", "m": "np.mean({})", "z": "np.sum({}).real", "q": "np.abs(np.sum({}) + 3.0)", "c": "np.mean({})",
    "f": "np.sum({})", "b": "0.1 * np.sum({})", "p": "{}",
}  # fmt: skip
COMMON = [
    "v: {=} = np.sin({v}) + {s} * {v}", "v: {=} = 0.5 * ({m} @ {v})", "v: {=} = np.tanh({m}.sum(axis=0))", "v: {=} = {v} * {v} - {v}",
    "s: {=} = np.sum({v} * {v})", "s: {=} = np.tanh({v}[k])", "m: {=} = 0.3 * np.outer({v}, {v})", "m: {=} = {m} * {v}",
    "v: {=} = {v} / (1.5 + {v} ** 2)", "v: {=} = np.exp(-{v} * {v})", "s: {=} = 0.5 * {s} + np.mean({v})", "m: {=} = np.cos({m}.T)",
]  # fmt: skip


class Filling:
    """One program; ``names`` are those of each kind that are bound here, ``more`` arguments beside the usual ones."""

    common = COMMON

    def __init__(self, table: list[str], seed: int, more: str = "") -> None:
        self.rng = np.random.default_rng(seed)
        self.table = table
        self.names: dict[str, list[str]] = {
            "v": ["x", "y"], "m": ["w"], "s": ["s"], "i": ["i"], "z": [], "q": [],
            **{kind: [kind] if kind in more else [] for kind in MORE},
        }  # fmt: skip
        self.count = 0

    def pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))]

    def fits(self, line: str) -> bool:
        return all(self.names[kind] for kind in HOLE.findall(line))

    def chosen(self, text: str) -> str:
        return CHOICE.sub(lambda choice: self.pick(choice[1].split("|")), text)

    def statement(self) -> list[str]:
        table = self.table if self.rng.random() < 0.75 else self.common
        kind, _, text = self.pick([line for line in table if self.fits(line)]).partition(": ")
        text = self.chosen(text)
        text = HOLE.sub(lambda hole: self.pick(self.names[hole[1]][-4:]), text)
        if "{=}" in text:
            self.count += 1
            name = f"{kind}{self.count}"
            text = text.replace("{=}", name)
            self.names[kind].append(name)
        return text.replace("{#}", str(self.count)).split(";;")

    def statements(self, low: int, high: int) -> list[str]:
        return [line for _ in range(int(self.rng.integers(low, high))) for line in self.statement()]

    def block(self) -> list[str]:
        """Statements, or a loop or a branch of some of them that adds to ``total``."""
        r = self.rng.random()
        if r < 0.6:
            return self.statements(1, 3)
        outer = {kind: list(names) for kind, names in self.names.items()}
        inner = self.statements(1, 3)
        last = f"total = total + 0.1 * np.sum({self.pick(self.names['v'][-2:])})"
        self.names = outer
        if r < 0.8:
            head = self.pick(["for k in range(2):", "for k in range(n - 1):", "for k in reversed(range(3)):",
                              "for k in range(1, n):"])  # fmt: skip
            return [head, *("    " + line for line in [*inner, last])]
        test = self.pick(["total > 0.1", "np.sum(x) > 0.2", "s > 0.3 and n > 2", "x[0] < y[0]"])
        return [f"if {test}:", *("    " + line for line in [*inner, last]), "else:", "    total = 0.7 * total"]  # fmt: skip

    def result(self) -> str:
        parts = ["total"]
        for kind, form in SUMS.items():
            parts += [form.format(name) for name in self.names[kind][-2:]]
        return " + ".join(parts)


def filled(table: list[str], seed: int, more: str = "", backs: Sequence[str] = ()) -> list[str]:
    """The statements of a program, and what it returns: a number, or one of ``backs``."""
    filling = Filling(table, seed, more)
    lines = [line for _ in range(int(filling.rng.integers(2, 4))) for line in filling.block()]
    if not backs:
        return [*lines, f"return 0.1 * ({filling.result()})"]
    filling.names["s"].append("total")
    back = filling.pick([text for text in backs if filling.fits(text)])
    given = HOLE.sub(lambda hole: filling.pick(filling.names[hole[1]][-3:]), back)
    return [*lines, f"return {given}"]


def program_of(
    table: list[str], seed: int, head: str = "", more: str = "", backs: Sequence[str] = ()
) -> str:
    """The text of a program; ``head``: what stands before it in its module, ``more``: kinds of more arguments."""
    rng = np.random.default_rng(seed + 1)
    small, large = int(rng.integers(4, 8)), int(rng.integers(34, 40))
    first, second = (small, large) if rng.random() < 0.7 else (large, small)
    made = []
    for n in (first, second):
        given = "".join(", " + MORE[kind].format(n=n) for kind in more)
        made.append(
            f"(RNG.normal(size={n}), RNG.normal(size={n}), RNG.normal(size=({n}, {n})), RNG.integers(0, {n}, {n}), 0.7{given})"
        )
    wrt = (0, 1, 2, 4, *(5 + k for k, kind in enumerate(more) if kind != "b"))
    return "\n".join([
        "import numpy as np", head, "", f"def main({', '.join(['x, y, w, i, s', *more])}):", "    n = len(x)", "    k = 1",
        "    total = 0.3 * s", *("    " + line for line in filled(table, seed, more, backs)), "", "",
        f"RNG = np.random.default_rng({seed})", f"ARGS = {made[0]}", f"OTHERS = ({made[1]},)", f"WRT = {wrt}", "",
    ])  # fmt: skip
