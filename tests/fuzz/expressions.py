"""Random expressions of a given type over the names in scope; values stay bounded and smooth almost everywhere.

A type is the shape of a float array (``()`` is a number), ``INT``, or a ``Record`` of types.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

__all__ = ["INT", "Expressions", "Record", "Scope", "Signature", "literal"]

INT = "int"
T = TypeVar("T")
Shape = tuple[int, ...]


class Record(NamedTuple):
    """A tuple, list or dict of known structure."""

    kind: str
    keys: tuple[Any, ...]
    items: tuple[Any, ...]


class Signature(NamedTuple):
    """A function that a program may call: parameters, how many have defaults, and the result."""

    name: str
    params: tuple[tuple[str, Any], ...]
    defaults: int
    result: Any


Scope = dict[str, Any]

SMOOTH = ("tanh", "sin", "cos", "arctan", "arcsinh")
SCALAR = ("tanh", "sin", "cos", "atan", "asinh", "erf")
BINARY = ("+", "-", "*")


def literal(value: float) -> str:
    return repr(round(value, 3))


class Expressions:
    """Generates text; every choice comes from one random source, so a seed is a program."""

    spreads = False  # whether calls spread lists whose length only the run knows

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.scope: Scope = {}
        self.functions: list[Signature] = []
        self.calls_left = 3

    # -- choices -----------------------------------------------------------------------

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def pick(self, options: Iterable[T]) -> T:
        return self.rng.choice(list(options))

    def names(self, kind: Any) -> list[str]:
        return [name for name, known in self.scope.items() if known == kind]

    def arrays(self, rank: int) -> list[tuple[str, Shape]]:
        found = [
            (n, k)
            for n, k in self.scope.items()
            if isinstance(k, tuple) and not isinstance(k, Record)
        ]
        return [(n, k) for n, k in found if len(k) == rank]

    def size(self) -> int:
        return self.pick((1, 2, 3, 3, 3, 2))

    # -- any type ----------------------------------------------------------------------

    def expression(self, kind: Any, depth: int = 3) -> str:
        """Text of an expression of type ``kind``."""
        if kind == INT:
            return self.integer(depth)
        if isinstance(kind, Record):
            return self.record(kind, depth)
        if depth <= 0:
            return self.leaf(kind)
        if self.chance(0.07):
            return self.choice(kind, depth)
        if self.calls_left and self.chance(0.12):
            called = self.call(kind, depth)
            if called is not None:
                return called
        if self.chance(0.05):
            found = self.stored(kind)
            if found is not None:
                return found
        makers = (self.scalar, self.vector, self.matrix)
        return makers[len(kind)](kind, depth)

    def record(self, kind: Record, depth: int) -> str:
        known = self.names(kind)
        if known and self.chance(0.6):
            return str(self.pick(known))
        items = [self.expression(item, depth - 1) for item in kind.items]
        return written(kind, items)

    def leaf(self, kind: Shape) -> str:
        known = self.names(kind)
        if known and self.chance(0.85):
            return str(self.pick(known))
        found = self.stored(kind)
        if found is not None and self.chance(0.7):
            return found
        arrays = [n for n, _ in self.arrays(1) + self.arrays(2)]
        if kind == ():
            if arrays and self.chance(0.6):
                return f"np.mean({self.pick(arrays)})"
            return literal(self.rng.uniform(-1.5, 1.5))
        numbers = [n for n, _ in self.arrays(0)] + [f"{n}.mean()" for n in arrays]
        if numbers and self.chance(0.75):
            return self.pick(
                (
                    f"np.full({kind}, {self.pick(numbers)})",
                    f"({self.pick(numbers)} * {self.ramp(kind)})",
                )
            )
        return self.pick((f"np.ones({kind})", f"np.full({kind}, 0.7)", self.ramp(kind)))

    def ramp(self, kind: Shape) -> str:
        count = kind[0] * (kind[1] if len(kind) > 1 else 1)
        base = f"np.linspace(-1.0, {literal(self.rng.uniform(0.5, 1.5))}, {count})"
        return base if len(kind) == 1 else f"{base}.reshape({kind})"

    def stored(self, kind: Any) -> str | None:
        """An item of a container in scope that has this type."""
        found = []
        for name, known in self.scope.items():
            if isinstance(known, Record):
                found += [
                    f"{name}[{k!r}]"
                    for k, item in zip(known.keys, known.items, strict=True)
                    if item == kind
                ]
        return self.pick(found) if found else None

    def choice(self, kind: Any, depth: int) -> str:
        a, b = (self.expression(kind, depth - 1) for _ in range(2))
        return f"({a} if {self.condition(depth - 1)} else {b})"

    def call(self, kind: Any, depth: int) -> str | None:
        """A call of a helper with this result, by position, by keyword or with defaults."""
        options = [f for f in self.functions if f.result == kind]
        if not options:
            return None
        self.calls_left -= 1
        return self.called(self.pick(options), depth)

    def called(self, fn: Signature, depth: int) -> str:
        required = len(fn.params) - fn.defaults
        parts: list[str] = []
        keyword = False
        for k, (name, kind) in enumerate(fn.params):
            if k >= required and self.chance(0.5):
                keyword = True
                continue
            keyword = keyword or self.chance(0.15)
            given = self.small(depth) if kind == INT else self.expression(kind, depth - 2)
            parts.append(f"{name}={given}" if keyword else given)
        if self.spreads and not (fn.defaults or keyword) and self.chance(0.3):
            parts = self.spread([kind for _, kind in fn.params], parts)
        return f"{fn.name}({', '.join(parts)})"

    def spread(self, kinds: list[Any], parts: list[str]) -> list[str]:
        """The last numbers of a call in a list whose length only the run knows."""
        first = len(kinds)
        while first and kinds[first - 1] == ():
            first -= 1
        if len(kinds) - first < 2:
            return parts
        numbers = ", ".join(parts[first:])
        return [*parts[:first], f"*[number for number in ({numbers}) if number == number]"]

    def small(self, depth: int) -> str:
        known = self.names(INT)
        return self.pick(known) if known and self.chance(0.4) else str(self.rng.randint(1, 3))

    # -- numbers -----------------------------------------------------------------------

    def integer(self, depth: int) -> str:
        known = self.names(INT)
        if known and self.chance(0.8):
            name = self.pick(known)
            return (
                name
                if self.chance(0.6)
                else self.pick((f"{name} + 1", f"{name} % 2", f"{name} // 2"))
            )
        arrays = self.arrays(1)
        if arrays and self.chance(0.5):
            name, _ = self.pick(arrays)
            return self.pick((f"len({name})", f"{name}.size", f"{name}.shape[0]"))
        return str(self.rng.randint(0, 3))

    def condition(self, depth: int = 1) -> str:
        """A test, rarely close to its switching point."""
        if self.chance(0.2) and depth > 0:
            word = self.pick(("and", "or"))
            return f"{self.condition(depth - 1)} {word} {self.condition(depth - 1)}"
        if self.chance(0.08):
            return f"not ({self.condition(depth - 1)})"
        if self.names(INT) and self.chance(0.35):
            name = self.pick(self.names(INT))
            return self.pick(
                (f"{name} % 2 == 0", f"{name} > 1", f"{name} == 1", f"{name} != 2", f"{name} < 2")
            )
        value = self.expression((), min(depth, 1))
        if self.chance(0.1):
            return (
                f"{literal(self.rng.uniform(-1, 0))} < {value} <= {literal(self.rng.uniform(0, 1))}"
            )
        return f"{value} {self.pick(('<', '>', '<=', '>='))} {literal(self.rng.uniform(-1, 1))}"

    def scalar(self, kind: Shape, depth: int) -> str:
        makers: list[tuple[float, Callable[[int], str | None]]] = [
            (3, self.scalar_binary), (2, self.scalar_function), (3, self.reduction), (1.5, self.element),
            (1, self.product_of_vectors), (1, self.extremum), (1, lambda d: self.leaf(())),
            (0.5, self.scalar_power), (0.4, self.of_integer),
        ]  # fmt: skip
        return self.first(makers, kind, depth)

    def first(self, makers: Any, kind: Shape, depth: int) -> str:
        weights, functions = zip(*makers, strict=True)
        for _ in range(6):
            made = self.rng.choices(functions, weights)[0](depth)
            if made is not None:
                return str(made)
        return self.leaf(kind)

    def scalar_binary(self, depth: int) -> str:
        a, b = self.expression((), depth - 1), self.expression((), depth - 1)
        if self.chance(0.2):
            return f"({a} / (1.5 + ({b}) ** 2))"
        return f"({a} {self.pick(BINARY)} {b})"

    def scalar_function(self, depth: int) -> str:
        a = self.expression((), depth - 1)
        return self.pick((
            f"math.{self.pick(SCALAR)}({a})", f"np.{self.pick(SMOOTH)}({a})", f"math.exp(math.tanh({a}))",
            f"np.exp(-({a}) ** 2)", f"math.sqrt(1.0 + ({a}) ** 2)", f"np.log1p(({a}) * ({a}))", f"-({a})", f"abs({a})",
            f"float({a})", f"math.log(2.0 + math.sin({a}))",
        ))  # fmt: skip

    def scalar_power(self, depth: int) -> str:
        a = self.expression((), depth - 1)
        return self.pick(
            (
                f"({a}) ** 2",
                f"({a}) ** 3",
                f"(1.1 + ({a}) ** 2) ** 0.5",
                f"(1.2 + ({a}) ** 2) ** -1.5",
            )
        )

    def of_integer(self, depth: int) -> str | None:
        name = self.integer(depth)
        return self.pick((f"0.3 * ({name})", f"({name}) * {self.expression((), depth - 1)}"))

    def extremum(self, depth: int) -> str:
        a, b = self.expression((), depth - 1), self.expression((), depth - 1)
        return f"{self.pick(('max', 'min', 'np.maximum', 'np.minimum', 'np.hypot'))}({a}, {b})"

    def reduction(self, depth: int) -> str:
        kind: Shape = (self.size(),) if self.chance(0.5) else (self.size(), self.size())
        if self.arrays(len(kind)) and self.chance(0.8):
            kind = self.pick(self.arrays(len(kind)))[1]
        a = self.expression(kind, depth - 1)
        method = self.pick(("sum", "mean", "sum", "max", "min", "var", "prod", "std"))
        if method == "std":
            return f"np.sqrt(0.1 + np.var({a}))"
        return f"({a}).{method}()" if self.chance(0.3) else f"np.{method}({a})"

    def element(self, depth: int) -> str | None:
        rank = self.pick((1, 1, 2))
        arrays = self.arrays(rank)
        if not arrays:
            return None
        name, kind = self.pick(arrays)
        index = [self.position(n) for n in kind]
        return f"{name}[{']['.join(index) if self.chance(0.3) else ', '.join(index)}]"

    def position(self, size: int) -> str:
        ints = self.names(INT)
        if ints and self.chance(0.4):
            return f"{self.pick(ints)} % {size}"
        return str(self.rng.randint(-size, size - 1))

    def product_of_vectors(self, depth: int) -> str:
        n = self.pick(self.arrays(1))[1] if self.arrays(1) and self.chance(0.9) else (self.size(),)
        a, b = self.expression(n, depth - 1), self.expression(n, depth - 1)
        return self.pick(
            (
                f"({a} @ {b})",
                f"np.dot({a}, {b})",
                f"np.linalg.norm({a} + 2.5 * np.ones({n[0]}))",
                f"np.inner({a}, {b})",
            )
        )

    # -- vectors -----------------------------------------------------------------------

    def vector(self, kind: Shape, depth: int) -> str:
        makers: list[tuple[float, Callable[[int], str | None]]] = [
            (3, lambda d: self.elementwise(kind, d)), (3, lambda d: self.combined(kind, d)), (1.5, lambda d: self.leaf(kind)),
            (1.5, lambda d: self.matvec(kind, d)), (1.5, lambda d: self.along_axis(kind, d)),
            (1, lambda d: self.row(kind)), (1, lambda d: self.joined(kind, d)), (1, lambda d: self.rearranged(kind, d)),
            (1, lambda d: self.selected(kind, d)),
        ]  # fmt: skip
        return self.first(makers, kind, depth)

    def elementwise(self, kind: Shape, depth: int) -> str:
        a = self.expression(kind, depth - 1)
        return self.pick((
            f"np.{self.pick(SMOOTH)}({a})", f"np.exp(np.tanh({a}))", f"np.sqrt(1.0 + ({a}) ** 2)", f"np.log1p(({a}) ** 2)",
            f"np.abs({a})", f"-({a})", f"({a}) ** 2", f"np.clip({a}, -0.8, 0.9)", f"np.square({a})", f"np.logaddexp({a}, 0.3)",
        ))  # fmt: skip

    def combined(self, kind: Shape, depth: int) -> str:
        """Two operands that broadcast to ``kind``."""
        a, b = self.expression(kind, depth - 1), self.expression(self.narrower(kind), depth - 1)
        if self.chance(0.3):
            a, b = b, a
        if self.chance(0.2):
            return f"({a} / (1.5 + ({b}) ** 2))"
        if self.chance(0.2):
            return f"np.{self.pick(('maximum', 'minimum', 'add', 'multiply', 'subtract', 'hypot', 'arctan2'))}({a}, 0.1 + {b})"
        return f"({a} {self.pick(BINARY)} {b})"

    def narrower(self, kind: Shape) -> Shape:
        options: list[Shape] = [kind, kind, ()]
        if len(kind) == 1:
            options.append((1,))
        if len(kind) == 2:
            options += [(kind[1],), (kind[0], 1), (1, kind[1])]
        return tuple(self.pick(options))

    def matvec(self, kind: Shape, depth: int) -> str:
        m = self.size()
        if self.chance(0.5):
            return (
                f"({self.expression((kind[0], m), depth - 1)} @ {self.expression((m,), depth - 1)})"
            )
        return f"({self.expression((m,), depth - 1)} @ {self.expression((m, kind[0]), depth - 1)})"

    def along_axis(self, kind: Shape, depth: int) -> str:
        m, axis = self.size(), self.pick((0, 1, -1))
        shape = (m, kind[0]) if axis == 0 else (kind[0], m)
        a = self.expression(shape, depth - 1)
        method = self.pick(("sum", "mean", "max", "min", "prod", "var"))
        return (
            f"({a}).{method}(axis={axis})" if self.chance(0.4) else f"np.{method}({a}, axis={axis})"
        )

    def row(self, kind: Shape) -> str | None:
        options = []
        for name, (m, n) in self.arrays(2):
            if n == kind[0]:
                options += [f"{name}[{self.position(m)}]", f"{name}[{self.position(m)}, :]"]
            if m == kind[0]:
                options += [f"{name}[:, {self.position(n)}]"]
        return self.pick(options) if options else None

    def joined(self, kind: Shape, depth: int) -> str:
        n = kind[0]
        if n > 1 and self.chance(0.6):
            cut = self.rng.randint(1, n - 1)
            a, b = self.expression((cut,), depth - 1), self.expression((n - cut,), depth - 1)
            return f"np.{self.pick(('concatenate', 'hstack'))}(({a}, {b}))"
        items = ", ".join(self.expression((), depth - 2) for _ in range(n))
        return f"np.{self.pick(('array', 'stack'))}([{items}])"

    def rearranged(self, kind: Shape, depth: int) -> str:
        n = kind[0]
        a = self.expression(kind, depth - 1)
        if self.chance(0.35):
            lo, hi = self.rng.randint(0, 2), self.rng.randint(0, 2)
            wide = self.expression((n + lo + hi,), depth - 1)
            return f"({wide})[{lo or ''}:{lo + n if hi else ''}]"
        square = [f"np.diag({self.expression((n, n), depth - 1)})"]
        return self.pick([
            f"({a})[::-1]", f"np.cumsum({a})", f"np.sort({a})", f"np.roll({a}, {self.rng.randint(-2, 2)})",
            f"np.diff({self.expression((n + 1,), depth - 1)})", f"({a})[np.argsort({a})]", f"np.flip({a})",
            f"np.repeat({self.expression((1,), depth - 1)}, {n})", f"({a}).copy()", *square,
        ])  # fmt: skip

    def selected(self, kind: Shape, depth: int) -> str:
        a, b = self.expression(kind, depth - 1), self.expression(self.narrower(kind), depth - 1)
        test = f"{self.expression(kind, depth - 2)} > {literal(self.rng.uniform(-1, 1))}"
        return f"np.where({test}, {a}, {b})"

    # -- matrices ----------------------------------------------------------------------

    def matrix(self, kind: Shape, depth: int) -> str:
        makers: list[tuple[float, Callable[[int], str | None]]] = [
            (3, lambda d: self.elementwise(kind, d)), (3, lambda d: self.combined(kind, d)), (2, lambda d: self.leaf(kind)),
            (1.5, lambda d: self.product(kind, d)), (1, lambda d: self.kept(kind, d)), (1, lambda d: self.outer(kind, d)),
            (1, lambda d: self.stacked(kind, d)), (1, lambda d: self.turned(kind, d)), (1, lambda d: self.selected(kind, d)),
        ]  # fmt: skip
        return self.first(makers, kind, depth)

    def product(self, kind: Shape, depth: int) -> str:
        k = self.size()
        return f"({self.expression((kind[0], k), depth - 1)} @ {self.expression((k, kind[1]), depth - 1)})"

    def kept(self, kind: Shape, depth: int) -> str:
        """A reduction with keepdims, combined with what it came from."""
        a = self.expression(kind, depth - 1)
        method, axis = self.pick(("sum", "mean", "max")), self.pick((0, 1, -1, "None"))
        return f"({a} - np.{method}({a}, axis={axis}, keepdims=True))"

    def outer(self, kind: Shape, depth: int) -> str:
        a, b = self.expression((kind[0],), depth - 1), self.expression((kind[1],), depth - 1)
        return self.pick(
            (
                f"np.outer({a}, {b})",
                f"(({a})[:, None] * {b})",
                f"(({a})[:, np.newaxis] + ({b})[None, :])",
            )
        )

    def stacked(self, kind: Shape, depth: int) -> str:
        m, n = kind
        if self.chance(0.5):
            rows = ", ".join(self.expression((n,), depth - 2) for _ in range(m))
            return f"np.stack([{rows}])"
        if self.chance(0.5):
            columns = ", ".join(self.expression((m,), depth - 2) for _ in range(n))
            return f"np.stack(({columns},), axis=-1)"
        a = self.expression((1, n), depth - 1)
        return (
            f"np.concatenate([{', '.join([a] * m)}], axis=0)"
            if m < 3
            else f"np.tile({a}, ({m}, 1))"
        )

    def turned(self, kind: Shape, depth: int) -> str:
        m, n = kind
        return self.pick((
            f"({self.expression((n, m), depth - 1)}).T", f"({self.expression((m * n,), depth - 1)}).reshape({m}, {n})",
            f"np.reshape({self.expression((n, m), depth - 1)}, ({m}, -1))", f"np.cumsum({self.expression(kind, depth - 1)}, axis=1)",
            f"np.sort({self.expression(kind, depth - 1)}, axis=0)", f"({self.expression(kind, depth - 1)})[::-1, :]",
            f"np.transpose({self.expression((n, m), depth - 1)})", f"np.tril({self.expression(kind, depth - 1)})",
            f"np.broadcast_to({self.expression((n,), depth - 1)}, ({m}, {n}))",
        ))  # fmt: skip


def written(kind: Record, items: list[str]) -> str:
    """A container display of these items."""
    if kind.kind == "dict":
        return "{" + ", ".join(f"{k!r}: {v}" for k, v in zip(kind.keys, items, strict=True)) + "}"
    if kind.kind == "list":
        return "[" + ", ".join(items) + "]"
    return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"
