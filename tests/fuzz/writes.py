"""Random statements that write to arrays, through any of their names."""

from __future__ import annotations

from typing import Any

from .expressions import Expressions, Record, Shape, literal

__all__ = ["Writes"]

Index = tuple[str, Shape | None]  # a subscript, and the shape of what it names (None: nobody knows)


class Writes(Expressions):
    """Elements, slices, masks and positions; views and aliases; helpers called for what they write."""

    globals: dict[str, Any]
    writes = False

    def written_names(self) -> list[tuple[str, Shape]]:
        """The arrays that may be written to, as far as their names tell."""
        return [(n, k) for n, k in self.arrays(1) + self.arrays(2) if n not in self.globals and k]

    # -- one write ---------------------------------------------------------------------

    def write(self, nested: int) -> list[str]:
        known = self.written_names()
        if not known:
            return self.made(nested)
        name, kind = self.pick(known)
        if self.chance(0.1):
            return [self.swapped(name, kind)]
        if self.chance(0.2):
            return [f"{name} {self.operation()} {self.operand(name, kind)}"]
        index, part = self.index(name, kind)
        target = f"{name}[{index}]"
        if self.chance(0.1) and kind == part:
            target = f"{name}.T[{index}]" if len(set(kind)) == 1 else target
        if part is None:
            value = self.pick((self.expression((), 1), f"{target} * {self.expression((), 1)}"))
            return [f"{target} {self.pick(('=', '=', '+=', '*='))} {value}"]
        if self.chance(0.45):
            return [f"{target} {self.operation()} {self.operand(name, part)}"]
        return [f"{target} = {self.operand(name, part)}"]

    def operation(self) -> str:
        return self.pick(("+=", "-=", "*=", "+=", "/= 1.5 +", "*= 0.5 *"))

    def operand(self, name: str, part: Shape) -> str:
        """What is written: often made of the array itself, which overlaps the part written to."""
        kind = part if self.chance(0.7) else self.narrower(part)
        text = self.expression(kind, 2)
        if self.chance(0.4):
            own = self.seen(name, self.scope[name], kind)
            text = f"{own} * {text}" if own and self.chance(0.6) else own or text
        return f"abs({text})" if self.chance(0.1) else f"({text})"

    def swapped(self, name: str, kind: Shape) -> str:
        a, b = (self.position(kind[0]) for _ in range(2))
        if len(kind) == 2:
            if self.chance(0.5):
                return f"{name}[[{a}, {b}]] = {name}[[{b}, {a}]]"
            a, b = f"{a}, {self.position(kind[1])}", f"{b}, {self.position(kind[1])}"
        return f"{name}[{a}], {name}[{b}] = {name}[{b}], {name}[{a}]"

    # -- subscripts --------------------------------------------------------------------

    def index(self, name: str, kind: Shape) -> Index:
        if self.chance(0.08):
            return self.mask(name), None
        if self.chance(0.05):
            return "...", kind
        found = [self.along(kind[0], advanced=True)]
        if len(kind) == 2 and self.chance(0.75):
            found.append(self.along(kind[1], advanced="[" not in found[0][0]))
            return ", ".join(text for text, _ in found), (*found[0][1], *found[1][1])
        return found[0][0], (*found[0][1], *kind[1:])

    def mask(self, name: str) -> str:
        return f"{name} {self.pick(('<', '>'))} {literal(self.rng.uniform(-1, 1))}"

    def along(self, n: int, advanced: bool) -> tuple[str, Shape]:
        """A subscript of one axis."""
        if self.chance(0.5):
            return self.position(n), ()
        if advanced and self.chance(0.2):
            places = [self.rng.randint(-n, n - 1) for _ in range(self.rng.randint(1, 3))]
            return self.pick((f"{places}", f"np.array({places})")), (len(places),)
        return self.slice(n)

    def slice(self, n: int) -> tuple[str, Shape]:
        text = self.pick((":", "::-1", "::2", "1:", ":-1", "-2:", ":2", "1::2", "-1::-2"))
        parts = [int(p) if p else None for p in (*text.split(":"), "")][:3]
        count = len(range(n)[slice(*parts)])
        return (text, (count,)) if count else (":", (n,))

    def seen(self, name: str, kind: Shape, part: Shape) -> str | None:
        """A part of an array, of a given shape."""
        for _ in range(8):
            index, found = self.index(name, kind)
            if found == part:
                return f"{name}[{index}]"
        return None

    # -- names -------------------------------------------------------------------------

    def made(self, nested: int) -> list[str]:
        """An array that is only ours."""
        kind = self.pick(((self.size() + 1,), (self.size(), self.size())))
        name = self.target(kind, nested)
        if name is None:
            return ["pass"]
        text = self.pick((
            f"np.zeros({kind})", f"np.ones({kind})", f"({self.expression(kind, 2)}).copy()",
            f"np.array({self.expression(kind, 1)})", f"1.0 * {self.expression(kind, 2)}",
        ))  # fmt: skip
        self.scope[name] = kind
        return [f"{name} = {text}"]

    def another_name(self, nested: int) -> list[str]:
        """An alias or a view."""
        known = self.written_names()
        if not known:
            return ["pass"]
        base, kind = self.pick(known)
        text, part = self.pick(((base, kind), self.view(base, kind), self.view(base, kind)))
        name = self.target(part, nested) if part else None
        if name is None:
            return ["pass"]
        self.scope[name] = part
        return [f"{name} = {text}"]

    def view(self, base: str, kind: Shape) -> tuple[str, Shape]:
        if len(kind) == 2 and self.chance(0.3):
            return f"{base}.T", kind[::-1]
        if self.chance(0.1):
            count = kind[0] * (kind[1] if len(kind) == 2 else 1)
            return self.pick(((f"{base}.reshape(-1)", (count,)), (f"{base}.ravel()", (count,))))
        index, part = self.slice(kind[0]) if self.chance(0.6) else (self.position(kind[0]), ())
        if len(kind) == 2 and self.chance(0.5):
            return f"{base}[:, {self.position(kind[1])}]", (kind[0],)
        return f"{base}[{index}]", (*part, *kind[1:])

    def called_for_writing(self, nested: int) -> list[str]:
        options = [
            f for f in self.functions if any(isinstance(k, tuple) and k for _, k in f.params)
        ]
        if not options or not self.calls_left:
            return ["pass"]
        self.calls_left -= 1
        fn = self.pick(options)
        given = []
        for _, kind in fn.params[: len(fn.params) - fn.defaults]:
            names = [] if isinstance(kind, (str, Record)) or not kind else self.names(kind)
            views = (
                [v for n, k in self.written_names() if (v := self.seen(n, k, kind))]
                if names
                else []
            )
            given.append(self.pick(names + views) if names else self.expression(kind, 1))
        return [f"{fn.name}({', '.join(given)})"]

    def target(self, kind: Any, nested: int) -> str | None:
        raise NotImplementedError
