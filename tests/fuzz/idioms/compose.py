"""Programs composed of idioms, the same one for a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from . import arrays, everyday, programs

__all__ = ["composed", "idioms", "of_idioms"]


class Idiom(NamedTuple):
    """A snippet with holes: the kinds of its inputs, that of its output, what it needs in the module."""

    name: str
    inputs: tuple[str, ...]
    output: str
    text: str
    preludes: tuple[str, ...]


HEAD = re.compile(r"== (.+?)(?: \[(.+)\])?: ([vms ]+) -> ([vms])")
IMPORTS = """import dataclasses
import functools
import itertools
import math
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum

import numpy as np
"""
WAYS_OUT = {"v": "np.sum({0} * np.cos({0}))", "m": "np.sum(np.sin({0}))", "s": "{0}"}
SQUASHED = {"v": "np.tanh", "m": "np.tanh", "s": "np.sin"}


@cache
def idioms() -> tuple[Idiom, ...]:
    """All of them."""
    return tuple(
        i for text in (arrays.IDIOMS, programs.IDIOMS, everyday.IDIOMS) for i in parsed(text)
    )


def parsed(text: str) -> list[Idiom]:
    found = []
    for block in filter(None, re.split(r"^(?=== )", text.strip(), flags=re.MULTILINE)):
        head, _, body = block.partition("\n")
        match = HEAD.fullmatch(head.strip())
        assert match is not None, head
        name, preludes, inputs, output = match.groups()
        needed = tuple((preludes or "").split()) if preludes else ()
        found.append(Idiom(name, tuple(inputs.split()), output, body.rstrip("\n"), needed))
    return found


def composed(seed: int) -> str:
    """A module with ``main``, ``ARGS`` and ``WRT``, of a few idioms."""
    return Composer(random.Random(seed)).module()


def of_idioms(chosen: Sequence[Idiom], seed: int = 0) -> str:
    """A module of these idioms, one after the other."""
    made = Composer(random.Random(seed))
    for idiom in chosen:
        made.add(idiom)
    return made.text()


class Composer:
    """Picks idioms whose inputs there are, one after the other."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.size = rng, rng.choice((3, 4))
        self.names: dict[str, list[str]] = {"v": ["x"], "m": ["A"], "s": ["s"]}
        self.used: list[Idiom] = []
        self.lines: list[str] = []
        self.count = 0

    def module(self) -> str:
        for _ in range(self.rng.randint(2, 6)):
            self.add(self.rng.choice(idioms()))
        return self.text()

    def text(self) -> str:
        preludes = {p: programs.PRELUDES[p] for i in self.used for p in i.preludes}
        body = "\n".join(f"    {line}" for line in [*self.lines, f"return {self.result()}"])
        head = IMPORTS + "\n" + "\n".join(preludes.values())
        more = "P" in preludes
        given, arguments = (
            "x, A, s, p" if more else "x, A, s",
            self.arguments(", P" if more else ""),
        )
        return f"{head}\n\ndef main({given}):\n{body}\n\n\n{arguments}"

    def add(self, idiom: Idiom) -> None:
        self.count += 1
        n = self.count
        holes = {name: self.input(kind) for name, kind in zip("abc", idiom.inputs, strict=False)}
        holes |= {name: f"{name}{n}" for name in ("t", "u", "w")}
        holes |= {"o": f"y{n}", "k": self.constant(), "l": self.constant()}
        holes |= {"i": str(self.rng.randrange(self.size)), "j": str(self.rng.randrange(self.size))}
        text = idiom.text.format(**holes).replace("SIZE", str(self.size))
        self.lines += text.replace("nonlocal_list", f"seen{n}").splitlines()
        if self.rng.random() < 0.4:
            self.lines.append(f"y{n} = {SQUASHED[idiom.output]}(y{n})")
        self.names[idiom.output].append(f"y{n}")
        self.used.append(idiom)

    def input(self, kind: str) -> str:
        """A name of this kind, rather a late one."""
        known = self.names[kind]
        return known[-1] if self.rng.random() < 0.6 else self.rng.choice(known)

    def constant(self) -> str:
        return repr(round(self.rng.choice((-1, 1)) * self.rng.uniform(0.2, 1.4), 2))

    def result(self) -> str:
        """All that is there, so that nothing is in vain."""
        parts = []
        for kind, known in self.names.items():
            for name in known[1:]:
                parts.append(WAYS_OUT[kind].format(name))
        parts.append(self.rng.choice(("np.sum(x * x)", "np.sum(x * (A @ x))", "s * s")))
        return " + ".join(parts)

    def arguments(self, more: str) -> str:
        def numbers(count: int) -> str:
            drawn = (round(self.rng.uniform(-1.5, 1.5), 3) for _ in range(count))
            return f"np.array([{', '.join(map(str, drawn))}])"

        n = self.size
        s = round(self.rng.uniform(-1.5, 1.5), 3)
        matrix = f"{numbers(n * n)}.reshape({n}, {n})"
        return f"ARGS = ({numbers(n)}, {matrix}, {s}{more})\nWRT = (0, 1, 2)\n"
