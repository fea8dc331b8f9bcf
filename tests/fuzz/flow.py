"""Random programs with more ways to go: comprehensions, ``try``, ``with``, ``match``, ``else`` on loops."""

from __future__ import annotations

from typing import Any

from .expressions import INT, literal
from .programs import COUNTERS, POOL, Program, ends, indented

__all__ = ["FlowProgram"]


class FlowProgram(Program):
    """Statements beside those of ``Program``."""

    spreads = True

    def statement(self, loop: bool, nested: int) -> list[str]:
        if self.chance(0.55) or nested > 2:
            return super().statement(loop, nested)
        makers: list[tuple[float, Any]] = [
            (3, self.comprehension), (2, self.try_block), (1, self.with_block), (1.5, self.match_block),
            (1.5, self.loop_with_else), (1.5, self.literal_loop), (0.7, self.walrus), (0.7, self.quantified),
            (0.5, self.starred),
        ]  # fmt: skip
        weights, functions = zip(*makers, strict=True)
        return list(self.rng.choices(functions, weights)[0](loop, nested))

    def fresh(self, *more: str) -> str:
        free = [n for n in ("v", "w", "r", "e", "i", "j", *more) if n not in self.scope]
        return self.pick(free or ["other"])

    # -- comprehensions ----------------------------------------------------------------

    def comprehension(self, loop: bool, nested: int) -> list[str]:
        name, kind, ints = self.fresh(), (), False
        vectors, matrices = self.arrays(1), self.arrays(2)
        size = None
        if matrices and self.chance(0.3):
            over, (rows, n) = self.pick(matrices)
            kind, size = (n,), rows
        elif vectors and self.chance(0.7):
            over, (size,) = self.pick(vectors)
        else:
            size = self.rng.randint(1, 6)
            over, ints = f"range({size})", True
        filters = ""
        saved, left = self.scope, self.calls_left
        self.scope = dict(saved) | {name: INT if ints else kind}
        self.calls_left = 0
        item = self.pick(((), (), kind))
        text = self.expression(item, 2)
        if self.chance(0.3):
            filters = f" if {self.condition()}"
        pair = self.fresh("s", "t", "u")
        if self.chance(0.25) and pair != name:
            self.scope = self.scope | {pair: INT if ints else kind}
            other = self.expression(item, 2)
            text, filters = (
                f"{text} + {other}",
                f" for {pair} in {over}" if not filters else filters,
            )
            size = None
            if " for " not in filters:
                text = text.replace(other, other, 1)
                return self.finished(saved, left, ["pass"])
        self.scope, self.calls_left = saved, left
        inner = f"{text} for {name} in {over}{filters}"
        return self.gathered(item, inner, None if filters else size, nested)

    def finished(self, saved: Any, left: int, lines: list[str]) -> list[str]:
        self.scope, self.calls_left = saved, left
        return lines

    def gathered(self, item: Any, inner: str, size: int | None, nested: int) -> list[str]:
        """A list or a generator, and what is made of it."""
        if item == ():
            forms = [f"sum({inner})", f"sum([{inner}])", f"np.sum([{inner}])"]
            if size:
                forms += [f"max({inner})", f"min([{inner}])", f"np.mean([{inner}])"]
            if size and self.chance(0.4):
                return self.assign((size,), f"np.array([{inner}])", nested)
            return self.assign((), self.pick(forms), nested)
        if size and self.chance(0.6):
            return self.assign((size, *item), f"np.stack([{inner}])", nested)
        if size:
            return self.assign((size * item[0],), f"np.concatenate([{inner}])", nested)
        return self.assign((), f"sum(np.sum(row) for row in [{inner}])", nested)

    def quantified(self, loop: bool, nested: int) -> list[str]:
        vectors = self.arrays(1)
        if not vectors:
            return ["pass"]
        over, name = self.pick(vectors)[0], self.fresh()
        saved = self.scope
        self.scope = dict(saved) | {name: ()}
        left, self.calls_left = self.calls_left, 0
        test = self.condition()
        self.scope, self.calls_left = saved, left
        body, _ = self.inside(1, loop, nested + 1)
        return [f"if {self.pick(('any', 'all'))}({test} for {name} in {over}):", *indented(body)]

    # -- regions -----------------------------------------------------------------------

    def try_block(self, loop: bool, nested: int) -> list[str]:
        """A step that fails for some arguments, and what is done then."""
        name = self.target((), nested)
        if name is None:
            return ["pass"]
        before = dict(self.scope)
        first, _ = self.inside(self.rng.randint(0, 2), loop, nested + 1)
        first = [line for line in first if line != "pass"]
        if ends(first):
            first = []
        bound = {line.split(" ")[0].strip(",") for line in first}
        self.scope = {n: k for n, k in before.items() if n not in bound}
        risky = f"math.{self.pick(('sqrt', 'log', 'sqrt'))}({self.expression((), 2)} + 0.0137)"
        if self.chance(0.3):
            risky = f"{risky} * {self.expression((), 1)}"
        lines = ["try:", *indented(first), f"    {name} = {risky}"]
        handler = self.pick((f"{name} = {self.expression((), 2)}", "return", f"{name} = 0.5"))
        if handler == "return":
            handler = self.returning(nested)[0]
        error = self.pick(
            (
                "ValueError",
                "(ValueError, ZeroDivisionError)",
                "ArithmeticError",
                "ValueError as error",
            )
        )
        if error == "ArithmeticError":
            lines += ["except ArithmeticError:", f"    {name} = 1.5"]
            error = "ValueError"
        lines += [f"except {error}:", f"    {handler}"]
        self.scope[name] = ()
        if self.chance(0.2):
            lines += ["else:", *indented(self.assignment(3))]
        if self.chance(0.15):
            lines += ["finally:", "    print('done')"]
        known = {name: ()} if name not in before or before[name] == () else {}
        self.scope = {n: k for n, k in before.items() if n not in bound} | known
        return lines

    def with_block(self, loop: bool, nested: int) -> list[str]:
        manager = self.pick(('np.errstate(all="ignore")', 'np.errstate(divide="warn")'))
        before = dict(self.scope)
        body = self.block(self.rng.randint(1, 3), loop, nested + 1) or ["pass"]
        if any(word in line for line in body for word in ("break", "continue", "return")):
            self.scope = before
        return [f"with {manager}:", *indented(body)]

    def match_block(self, loop: bool, nested: int) -> list[str]:
        ints = self.names(INT)
        subject = f"{self.pick(ints)} % 3" if ints and self.chance(0.8) else "len('ab')"
        lines, scopes = [f"match {subject}:"], []
        for pattern in self.rng.sample(("0", "1 | 2", "2"), 2):
            body, after = self.inside(self.rng.randint(1, 2), loop, nested + 1)
            guard = f" if {self.condition()}" if self.chance(0.2) else ""
            lines += [f"    case {pattern}{guard}:", *indented(indented(body))]
            scopes += [after] if not ends(body) else []
        body, after = self.inside(1, loop, nested + 1)
        lines += ["    case _:", *indented(indented(body))]
        self.merge([*scopes, *([after] if not ends(body) else [])])
        return lines

    # -- loops -------------------------------------------------------------------------

    def loop_with_else(self, loop: bool, nested: int) -> list[str]:
        lines = self.for_loop(loop, nested) if self.chance(0.6) else self.while_loop(loop, nested)
        if lines == ["pass"] or "else:" in lines:
            return lines
        body, _ = self.inside(1, loop, nested + 1)
        return [*lines, "else:", *indented(body)]

    def literal_loop(self, loop: bool, nested: int) -> list[str]:
        """A loop over a few values, left somewhere."""
        free = [n for n in COUNTERS if n not in self.scope]
        if not free:
            return ["pass"]
        name, before, protected = self.pick(free), dict(self.scope), self.protected
        items = [self.expression((), 1) for _ in range(self.rng.randint(2, 3))]
        self.scope = before | {name: ()}
        self.protected = protected | {name}
        body, _ = self.inside(self.rng.randint(1, 3), True, nested + 1)
        if not any(word in line for line in body for word in ("break", "continue", "return")):
            body = [f"if {self.condition()}:", f"    {self.pick(('break', 'continue'))}", *body]
        self.scope, self.protected = before, protected
        lines = [f"for {name} in ({', '.join(items)}):", *indented(body)]
        if self.chance(0.3):
            extra, _ = self.inside(1, loop, nested + 1)
            lines += ["else:", *indented(extra)]
        return lines

    # -- names -------------------------------------------------------------------------

    def walrus(self, loop: bool, nested: int) -> list[str]:
        name = self.target((), nested)
        free = [n for n in POOL if n not in self.scope and n != name]
        if name is None or not free:
            return ["pass"]
        other = self.pick(free)
        text, more = self.expression((), 2), self.expression((), 1)
        self.scope[name] = ()
        before = dict(self.scope)
        self.scope[other] = ()
        body, _ = self.inside(1, loop, nested + 1)
        self.scope = before
        limit = literal(self.rng.uniform(-1, 1))
        return [f"if ({name} := {text}) > {limit} and ({other} := {more}) < 5.0:", *indented(body)]

    def starred(self, loop: bool, nested: int) -> list[str]:
        first, rest = self.target((), nested), "others"
        if first is None or first == rest:
            return ["pass"]
        items = ", ".join(self.expression((), 2) for _ in range(3))
        self.scope[first] = ()
        return [f"{first}, *{rest} = {items}", f"{first} = {first} + sum({rest})"]
