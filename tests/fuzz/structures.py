"""Random statements about containers that change, objects with state, and functions as arguments."""

from __future__ import annotations

from typing import Any

from .expressions import Record, written

__all__ = ["CLASSES", "Structures"]

CLASSES = """
class Box:
    rate = 0.5

    def __init__(self, start):
        self.total = start
        self.items = [start]

    def add(self, v):
        self.total = self.total * self.rate + v
        self.items.append(v)

    def damp(self, c):
        self.total = self.total * np.tanh(c)
        return self.total

    @property
    def last(self):
        return self.items[-1]

    def __call__(self, t):
        return self.total * t


def note(log, v):
    log["sum"] = log["sum"] + v
    log["all"].append(v)


def twice(fn, u):
    return fn(fn(u))
"""


class Structures:
    """``grown``: lists of numbers; ``boxes``: objects; ``logs``: dicts that a helper writes to."""

    rng: Any
    scope: dict[str, Any]
    protected: set[str]
    pick: Any
    chance: Any
    expression: Any
    assign: Any
    condition: Any
    some_type: Any

    def begin(self) -> None:
        """Nothing is made yet."""
        self.grown: list[str] = []
        self.boxes: list[str] = []
        self.logs: list[str] = []

    def numbered(self, base: str, names: list[str]) -> str:
        name = f"{base}{len(names)}"
        names.append(name)
        return name

    def number(self) -> str:
        """A number read from one of them."""
        found = [f"sum({g})" for g in self.grown] + [f"{g}[-1]" for g in self.grown]
        found += [f"np.sum(np.array({g}))" for g in self.grown]
        found += [f"{g}[0] * len({g})" for g in self.grown]
        found += [
            t
            for b in self.boxes
            for t in (f"{b}.total", f"{b}.last", f"{b}(0.3)", f"sum({b}.items)")
        ]
        found += [
            t for g in self.logs for t in (f'{g}["sum"]', f'{g}["all"][-1]', f'sum({g}["all"])')
        ]
        return str(self.pick(found)) if found else str(self.expression((), 1))

    def container(self, nested: int) -> list[str]:
        """A list or dict made here, and perhaps changed."""
        kinds = (self.some_type(), self.some_type())
        kind = self.pick(
            (
                Record("list", (0, 1), kinds),
                Record("dict", ("p", "q"), kinds),
                Record("tuple", (0, 1), kinds),
            )
        )
        name = self.pick(("xs", "table", "pair"))
        lines = [f"{name} = {written(kind, [self.expression(k, 1) for k in kinds])}"]
        if kind.kind == "dict" and self.chance(0.4):
            more = self.some_type()
            lines.append(f'{name}["r"] = {self.expression(more, 1)}')
            kind = Record("dict", ("p", "q", "r"), (*kinds, more))
        if kind.kind == "list" and self.chance(0.4):
            more = self.some_type()
            lines.append(f"{name}.append({self.expression(more, 1)})")
            kind = Record("list", (0, 1, 2), (*kinds, more))
        self.scope[name] = kind
        return lines

    def structure(self, nested: int) -> list[str]:
        """One statement; what it makes is made at the top only, and changed anywhere."""
        makers = [self.read, self.change, self.change, self.applied]
        if nested == 0:
            makers += [self.make, self.make, self.collect]
        return list(self.pick(makers)(nested))

    def make(self, nested: int) -> list[str]:
        value = self.expression((), 1)
        kind = self.pick(("grown", "box", "log", "alias"))
        if kind == "grown":
            return [f"{self.numbered('grown', self.grown)} = [{value}]"]
        if kind == "box":
            return [f"{self.numbered('box', self.boxes)} = Box({value})"]
        if kind == "log":
            return [f'{self.numbered("log", self.logs)} = {{"sum": {value}, "all": [{value}]}}']
        old = [(n, names) for names in (self.grown, self.boxes, self.logs) for n in names]
        if not old:
            return ["pass"]
        name, names = self.pick(old)
        return [f"{self.numbered(names[0].rstrip('0123456789'), names)} = {name}"]

    def collect(self, nested: int) -> list[str]:
        """A list that a loop appends to."""
        value = self.expression((), 1)
        name = self.numbered("grown", self.grown)
        body = [f"    {name}.append({name}[-1] * 0.5 + {value})"]
        if self.chance(0.5):
            body = [f"    {name}.append({value} * n_items)"]
        if self.chance(0.3):
            body.insert(
                0, f"    if {self.condition()}:\n            {self.pick(('continue', 'break'))}"
            )
        lines = [f"{name} = [{value}]", "for n_items in range(3):"]
        return [*lines, *flattened(body)]

    def change(self, nested: int) -> list[str]:
        value = self.expression((), 1)
        found = [f"{g}.append({value})" for g in self.grown]
        found += [f"{g}[{self.pick((0, -1))}] = {value}" for g in self.grown]
        found += [f"{g}[0] += {value}" for g in self.grown]
        found += [
            t
            for b in self.boxes
            for t in (f"{b}.add({value})", f"{b}.damp({value})", f"{b}.total = {value}")
        ]
        found += [t for g in self.logs for t in (f"note({g}, {value})", f'{g}["sum"] = {value}')]
        if nested == 0:
            found += [f"{g}.extend([{value}, 0.5])" for g in self.grown]
            found += [f"{g}.reverse()" for g in self.grown]
            found += [f"{g} = {g}[::-1]" for g in self.grown]
            found += [f"{g} = dict({g})" for g in self.logs]
        return [self.pick(found)] if found else ["pass"]

    def read(self, nested: int) -> list[str]:
        return list(self.assign((), f"{self.number()} * {self.expression((), 1)}", nested))

    def applied(self, nested: int) -> list[str]:
        """A lambda handed to a helper, or a method."""
        held = self.scope
        self.scope = held | {"arg": ()}
        body = self.expression((), 1)
        self.scope = held
        fn = f"lambda arg: {body}"
        if self.boxes and self.chance(0.3):
            fn = self.pick((f"{self.boxes[-1]}", f"{self.boxes[-1]}.damp"))
        return list(self.assign((), f"twice({fn}, {self.expression((), 1)})", nested))


def flattened(body: list[str]) -> list[str]:
    """An ``if`` with its one statement as two lines."""
    lines: list[str] = []
    for text in body:
        head, _, rest = text.partition("\n")
        lines.append(head)
        if rest:
            lines.append(f"        {rest.strip()}")
    return lines
