"""Random programs: helpers, a `main` that returns a number, example arguments; one seed, one text."""

from __future__ import annotations

import random
from typing import Any

from .expressions import INT, Record, Signature, literal, written
from .structures import CLASSES, Structures
from .writes import Writes

__all__ = ["program"]

POOL = (
    "a", "b", "c", "d", "x", "y", "z", "w", "t", "s", "u", "v", "h", "p", "q", "np_bar", "x_bar", "t_bar", "d_bar", "x_dot",
    "result", "sum_", "stop", "left", "returned", "product", "total", "part", "rt", "saved", "chosen", "k", "i", "j", "n_2",
    "t_2", "value", "grad", "out", "acc", "tmp", "main_grad", "linear", "size", "shape", "range_", "lam", "minus",
)  # fmt: skip
COUNTERS = ("i", "j", "k", "m", "step", "idx", "it", "n_2", "t")


class Program(Structures, Writes):
    """One module; ``lines`` grows from the top."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))
        self.writes = random.Random(f"writes {seed}").random() < 0.5
        self.lines: list[str] = []
        self.protected: set[str] = set()
        self.result: Any = ()
        self.inner = 0
        self.globals: dict[str, Any] = {}
        self.structured = self.chance(0.5)
        self.begin()

    # -- the module --------------------------------------------------------------------

    def text(self) -> str:
        self.lines = ["import math", "", "import numpy as np", ""]
        self.constants()
        if self.structured:
            self.lines += CLASSES.rstrip().split("\n")
        for k in range(self.pick((0, 1, 1, 2))):
            self.helper(f"helper{k}")
        if self.chance(0.2):
            self.recursive("recur")
        if self.chance(0.2):
            self.factory("scaled")
        self.main()
        return "\n".join(self.lines) + "\n"

    def constants(self) -> None:
        if self.chance(0.5):
            self.lines += [f"SCALE = {literal(self.rng.uniform(0.2, 1.5))}"]
            self.globals["SCALE"] = ()
        if self.chance(0.3):
            self.lines += ["TABLE = np.array([0.3, -0.6, 1.1])"]
            self.globals["TABLE"] = (3,)
        if self.chance(0.2):
            self.lines += ["STEPS = 2"]
            self.globals["STEPS"] = INT

    def some_type(self) -> Any:
        a, b = self.size(), self.size()
        return self.pick(((), (), (a,), (a,), (a, b)))

    def parameters(self) -> list[tuple[str, Any]]:
        names = self.rng.sample(POOL, self.rng.randint(1, 3))
        kinds = [INT if self.chance(0.12) else self.some_type() for _ in names]
        return list(zip(names, kinds, strict=True))

    def define(
        self,
        name: str,
        params: list[tuple[str, Any]],
        defaults: list[str],
        result: Any,
        indent: str = "",
    ) -> None:
        """A function of random statements."""
        first = len(params) - len(defaults)
        shown = [
            p if k < first else f"{p}={defaults[k - first]}" for k, (p, _) in enumerate(params)
        ]
        saved = self.scope, self.protected, self.result, self.functions
        self.scope = dict(self.globals) | dict(params)
        self.protected = set(self.globals) | {p for p, kind in params if kind == INT}
        self.result, self.calls_left, self.in_main = result, 3, name == "main"
        body = self.body(self.rng.randint(1, 7) if name == "main" else self.rng.randint(0, 3))
        self.lines += ["", "", f"{indent}def {name}({', '.join(shown)}):"]
        self.lines += [f"{indent}    {line}" for line in body]
        self.scope, self.protected, self.result, self.functions = saved

    def body(self, budget: int) -> list[str]:
        first = self.make(0) + self.make(0) if self.structured and self.in_main else []
        lines = first + self.block(budget, loop=False, nested=0)
        if (
            not ends(lines)
            and self.structured
            and self.in_main
            and self.grown + self.boxes + self.logs
        ):
            lines.append(f"return {self.expression(self.result)} + {self.number()}")
        if not ends(lines):
            lines.append(f"return {self.expression(self.result)}")
        if self.chance(0.04):
            lines.append("return 0.0")
        return lines

    def helper(self, name: str) -> None:
        params = self.parameters()
        result = self.some_type()
        if self.chance(0.3):
            parts = (self.some_type(), self.some_type())
            result = Record(self.pick(("tuple", "tuple", "list")), (0, 1), parts)
            if self.chance(0.2):
                result = Record("dict", ("u", "v"), parts)
        defaults = self.defaults(params)
        self.define(name, params, defaults, result)
        self.functions.append(Signature(name, tuple(params), len(defaults), result))

    def defaults(self, params: list[tuple[str, Any]]) -> list[str]:
        """Defaults for trailing parameters that are numbers."""
        made: list[str] = []
        for _, kind in reversed(params):
            if kind not in ((), INT) or not self.chance(0.4):
                break
            made.insert(0, "2" if kind == INT else literal(self.rng.uniform(-1, 1)))
        return made

    def recursive(self, name: str) -> None:
        kind = self.some_type()
        self.scope = dict(self.globals) | {"u": kind, "n": INT}
        base, more = self.expression(kind, 1), self.expression(kind, 2)
        self.scope["v"] = kind
        last = self.expression(kind, 2)
        self.lines += ["", "", f"def {name}(u, n):", "    if n <= 0:", f"        return {base}"]
        self.lines += [
            f"    v = {name}(np.tanh(u) if n % 2 else {more}, n - 1)",
            f"    return {last} + v",
        ]
        self.functions.append(Signature(name, (("u", kind), ("n", INT)), 0, kind))

    def factory(self, name: str) -> None:
        """A closure over a number and over a function's local."""
        kind, result = self.some_type(), self.some_type()
        self.scope = dict(self.globals) | {"c": (), "u": kind, "offset": ()}
        self.lines += [
            "",
            "",
            "def make(c):",
            f"    offset = {literal(self.rng.uniform(-1, 1))}",
            "",
            "    def inner(u):",
        ]
        self.lines += [
            f"        return {self.expression(result, 2)}",
            "",
            "    return inner",
            "",
            "",
            f"{name} = make(0.8)",
        ]
        self.functions.append(Signature(name, (("u", kind),), 0, result))

    def main(self) -> None:
        names = self.rng.sample(POOL, self.rng.randint(1, 4))
        params = [(name, self.argument_type(first=k == 0)) for k, name in enumerate(names)]
        defaults = self.defaults(params[1:])
        self.define("main", params, defaults, ())
        wrt = tuple(k for k, (_, kind) in enumerate(params) if kind != INT)
        self.lines += [
            "",
            "",
            f"ARGS = ({', '.join(self.example(kind) for _, kind in params)},)",
            f"WRT = {wrt}",
        ]

    def argument_type(self, first: bool) -> Any:
        if not first and self.chance(0.2):
            return INT
        if self.chance(0.2):
            kinds = (self.some_type(), self.some_type())
            name = self.pick(("tuple", "list", "dict"))
            return Record(name, ("w", "b") if name == "dict" else (0, 1), kinds)
        return self.some_type()

    def example(self, kind: Any) -> str:
        if kind == INT:
            return str(self.rng.randint(1, 4))
        if isinstance(kind, Record):
            return written(kind, [self.example(item) for item in kind.items])
        count = 1
        for n in kind:
            count *= n
        values = [literal(self.rng.uniform(-1.5, 1.5)) for _ in range(count)]
        if kind == ():
            return values[0]
        made = f"np.array([{', '.join(values)}])"
        return made if len(kind) == 1 else f"{made}.reshape({kind})"

    # -- statements --------------------------------------------------------------------

    def block(self, budget: int, loop: bool, nested: int) -> list[str]:
        """Some statements; the last may leave the loop or the function."""
        lines: list[str] = []
        for _ in range(budget):
            made = self.statement(loop, nested)
            lines += made
            if ends(made):
                return lines
        return lines

    def statement(self, loop: bool, nested: int) -> list[str]:
        makers: list[tuple[float, Any]] = [
            (5, self.assignment), (1, self.unpacking), (1.5, self.augmented), (0.5, self.printed), (0.3, self.asserted),
            (0.3, self.annotated),
        ]  # fmt: skip
        if self.writes:
            makers += [
                (7, self.write),
                (2, self.another_name),
                (1.5, self.made),
                (0.7, self.called_for_writing),
            ]
        if nested < 3:
            makers += [(2.5, self.branch), (2, self.for_loop), (0.8, self.while_loop)]
        if nested == 0:
            makers += [(0.5, self.local_function), (0.6, self.container)]
        if self.structured and self.in_main:
            makers += [(4, self.structure)]
        if loop:
            makers += [(1.5, self.leaving)]
        if nested:
            makers += [(0.3, self.returning)]
        weights, functions = zip(*makers, strict=True)
        maker = self.rng.choices(functions, weights)[0]
        if maker in (self.branch, self.for_loop, self.while_loop, self.leaving):
            return list(maker(loop, nested))
        return list(maker(nested))

    def target(self, kind: Any, nested: int) -> str | None:
        """A name to assign: an old one of this type, any old one at the top, or a new one."""
        free = [n for n in self.names(kind) if n not in self.protected]
        if free and self.chance(0.6):
            return str(self.pick(free))
        fresh = [
            n
            for n in POOL
            if n not in self.protected
            and (n not in self.scope or (nested == 0 and self.chance(0.3)))
        ]
        return str(self.pick(fresh)) if fresh else None

    def assignment(self, nested: int) -> list[str]:
        kind = self.some_type()
        known = [
            (n, k)
            for n, k in self.scope.items()
            if isinstance(k, tuple) and not isinstance(k, Record) and n not in self.protected
        ]
        if known and self.chance(0.5):
            kind = self.pick(known)[1]
        text = (
            self.pick(self.names(kind))
            if self.names(kind) and self.chance(0.2)
            else self.expression(kind)
        )
        return self.assign(kind, text, nested)

    def assign(self, kind: Any, text: str, nested: int) -> list[str]:
        name = self.target(kind, nested)
        if name is None:
            return ["pass"]
        line = f"{name} = {text}"
        if nested == 0 and self.chance(0.05):
            other = self.target(kind, nested)
            if other is not None and other != name:
                line = f"{name} = {other} = {text}"
                self.scope[other] = kind
        self.scope[name] = kind
        return [line]

    def annotated(self, nested: int) -> list[str]:
        line = self.assignment(nested)[0]
        name, _, text = line.partition(" = ")
        return [f"{name}: object = {text}" if " = " in line and " = " not in text else line]

    def unpacking(self, nested: int) -> list[str]:
        """A swap, a tuple, or what a helper returns."""
        several = [
            f for f in self.functions if isinstance(f.result, Record) and f.result.kind != "dict"
        ]
        if several and self.calls_left and self.chance(0.6):
            self.calls_left -= 1
            fn = self.pick(several)
            targets = self.targets(fn.result.items, nested)
            text = self.called(fn, 2)
            return self.bound(targets, fn.result.items, text)
        if self.chance(0.4):
            kind = self.some_type()
            free = [n for n in self.names(kind) if n not in self.protected]
            if len(free) > 1:
                a, b = self.rng.sample(free, 2)
                return [f"{a}, {b} = {b}, {a}"]
        kinds = (self.some_type(), self.some_type())
        texts = [self.expression(kind, 2) for kind in kinds]
        return self.bound(self.targets(kinds, nested), kinds, ", ".join(texts))

    def targets(self, kinds: Any, nested: int) -> list[str | None]:
        found: list[str | None] = []
        for kind in kinds:
            name = self.target(kind, nested)
            found.append(None if name in found else name)
        return found

    def bound(self, targets: list[str | None], kinds: Any, text: str) -> list[str]:
        if None in targets:
            return ["pass"]
        for name, kind in zip(targets, kinds, strict=True):
            self.scope[str(name)] = kind
        return [f"{', '.join(map(str, targets))} = {text}"]

    def augmented(self, nested: int) -> list[str]:
        known = [
            (n, k)
            for n, k in self.scope.items()
            if isinstance(k, tuple) and not isinstance(k, Record) and n not in self.protected
        ]
        numbers = [pair for pair in known if pair[1] == ()]
        if not known:
            return ["pass"]
        name, kind = self.pick(numbers) if numbers and self.chance(0.75) else self.pick(known)
        lines = [f"{name} = {self.expression(kind, 1)} + 0.5"] if kind != () else []
        operand = self.expression(kind if self.chance(0.6) else (), 2)
        return [*lines, f"{name} {self.pick(('+=', '-=', '*=', '+='))} {operand}"]

    def printed(self, nested: int) -> list[str]:
        a = self.expression((), 1)
        return [
            self.pick((f'print("value", {a})', f'print(f"{{{a.replace(chr(34), chr(39))}:.4f}}")'))
        ]

    def asserted(self, nested: int) -> list[str]:
        return [f'assert np.isfinite({self.expression((), 1)}), "finite"']

    def returning(self, nested: int) -> list[str]:
        return [f"return {self.expression(self.result, 2)}"]

    def leaving(self, loop: bool, nested: int) -> list[str]:
        word = self.pick(("break", "continue", "break", "return"))
        if word == "return":
            word = self.returning(nested)[0]
        return [f"if {self.condition()}:", f"    {word}"]

    def local_function(self, nested: int) -> list[str]:
        """An inner function or a lambda that reads our names, as they will be when it is called."""
        self.inner += 1
        name, param, kind, result = (
            f"local{self.inner}",
            self.pick(POOL),
            self.some_type(),
            self.some_type(),
        )
        saved, reading, left = self.scope, dict(self.scope), self.calls_left
        self.scope, self.calls_left = reading | {param: kind}, 0
        text = self.expression(result, 2)
        read = {n for n in saved if n in text}
        self.scope, self.calls_left = saved, left
        if self.chance(0.5):  # what an inner function reads may change later, not its type
            self.protected = self.protected | read
        self.functions = [*self.functions, Signature(name, ((param, kind),), 0, result)]
        if self.chance(0.4):
            return [f"{name} = lambda {param}: {text}"]
        return [f"def {name}({param}):", f"    return {text}"]

    # -- branches and loops --------------------------------------------------------------

    def inside(self, budget: int, loop: bool, nested: int) -> tuple[list[str], Any]:
        """A nested block and the names in scope at its end."""
        before, functions = dict(self.scope), self.functions
        lines = self.block(budget, loop, nested) or ["pass"]
        after, self.scope, self.functions = self.scope, before, functions
        return lines, after

    def branch(self, loop: bool, nested: int) -> list[str]:
        test = self.pick(("False", "True", "0 > 1")) if self.chance(0.03) else self.condition(2)
        lines, ends_of = [f"if {test}:"], []
        body, after = self.inside(self.rng.randint(1, 3), loop, nested + 1)
        lines += indented(body)
        ends_of.append((body, after))
        if self.chance(0.25):
            lines.append(f"elif {self.condition()}:")
            body, after = self.inside(self.rng.randint(1, 2), loop, nested + 1)
            lines += indented(body)
            ends_of.append((body, after))
        if self.chance(0.5):
            lines.append("else:")
            body, after = self.inside(self.rng.randint(1, 2), loop, nested + 1)
            lines += indented(body)
            ends_of.append((body, after))
            self.merge([after for body, after in ends_of if not ends(body)])
        return lines

    def merge(self, scopes: list[Any]) -> None:
        """Names that every branch which goes on has set are in scope after it."""
        if scopes:
            common = {n: k for n, k in scopes[0].items() if all(s.get(n) == k for s in scopes)}
            self.scope = common | self.scope

    def for_loop(self, loop: bool, nested: int) -> list[str]:
        head, bound, ran = self.head()
        outer, protected = dict(self.scope), self.protected
        if any(n in outer and (outer[n] != k or n in protected) for n, k in bound.items()):
            return ["pass"]
        self.scope = outer | bound
        self.protected = protected | set(bound) if self.chance(0.9) else protected
        takes_apart = head.endswith("]:") or ".items()" in head
        body, after = self.inside(
            self.rng.randint(1, 4), loop=not takes_apart, nested=3 if takes_apart else nested + 1
        )
        self.protected = protected
        self.scope = outer
        leaves = any(word in line for line in body for word in ("break", "continue", "return"))
        if ran and nested == 0 and self.chance(0.6):
            self.scope = (outer | bound) if leaves else (after | outer | bound)
        lines = [head, *indented(body)]
        if not leaves and self.chance(0.05):
            lines += ["else:", *indented(self.assignment(nested + 1))]
        return lines

    def head(self) -> tuple[str, dict[str, Any], bool]:
        """The head of a loop, what it binds, and whether it certainly runs."""
        i, x, y = self.rng.sample([*COUNTERS, *("row", "item", "e", "g", "xi", "yi")], 3)
        makers = [self.over_range(i)] * 3
        vectors, matrices = self.arrays(1), self.arrays(2)
        if vectors:
            (a, na), (b, nb) = self.pick(vectors), self.pick(vectors)
            makers += [
                (f"for {x} in {a}:", {x: ()}, True), (f"for {x}, {y} in zip({a}, {b}):", {x: (), y: ()}, True),
                (f"for {i}, {x} in enumerate({a}):", {i: INT, x: ()}, True), (f"for {x} in reversed({a}):", {x: ()}, True),
                (f"for {i}, ({x}, {y}) in enumerate(zip({a}, {b})):", {i: INT, x: (), y: ()}, True),
                (f"for {i} in range(len({a})):", {i: INT}, True), (f"for {x} in {a}[1:]:", {x: ()}, na[0] > 1),
                (f"for {i}, {x} in zip(range(1, 9), {b}):", {i: INT, x: ()}, nb[0] > 0),
            ]  # fmt: skip
        if matrices:
            m, (_, n) = self.pick(matrices)
            makers += [
                (f"for {x} in {m}:", {x: (n,)}, True), (f"for {i}, {x} in enumerate({m}, 1):", {i: INT, x: (n,)}, True),
                (f"for {x} in {m}.T:", {x: (self.scope[m][0],)}, True), (f"for {x}, {y} in zip({m}, {m}[::-1]):", {x: (n,), y: (n,)}, True),
            ]  # fmt: skip
        kind = self.some_type()
        if self.names(kind):
            items = ", ".join(self.pick(self.names(kind)) for _ in range(2))
            makers.append((f"for {x} in [{items}]:", {x: kind}, True))
        for name, known in self.scope.items():
            if isinstance(known, Record) and known.kind == "dict" and len(set(known.items)) == 1:
                makers.append((f"for {i}, {x} in {name}.items():", {x: known.items[0]}, True))
        return self.pick(makers)

    def over_range(self, i: str) -> tuple[str, dict[str, Any], bool]:
        ints = self.names(INT)
        if ints and self.chance(0.5):
            n = self.pick(ints)
            return self.pick((
                (f"for {i} in range({n}):", {i: INT}, False), (f"for {i} in range({n}, -1, -1):", {i: INT}, True),
                (f"for {i} in range(1, {n} + 2):", {i: INT}, True), (f"for {i} in reversed(range({n})):", {i: INT}, False),
            ))  # fmt: skip
        return self.pick((
            (f"for {i} in range(3):", {i: INT}, True), (f"for {i} in range(1, 6, 2):", {i: INT}, True),
            (f"for {i} in range(3, 0, -1):", {i: INT}, True), (f"for {i} in range(2):", {i: INT}, True),
            (f"for {i} in range(2, 2):", {i: INT}, False), (f"for {i} in reversed(range(1, 4)):", {i: INT}, True),
        ))  # fmt: skip

    def while_loop(self, loop: bool, nested: int) -> list[str]:
        free = [n for n in COUNTERS if n not in self.scope and n not in self.protected]
        if not free:
            return ["pass"]
        count, limit = self.pick(free), self.rng.randint(1, 4)
        start = [f"{count} = 0"]
        protected = self.protected
        self.scope[count] = INT
        self.protected = protected | {count}
        head = f"while {count} < {limit}:"
        if self.chance(0.4):
            head = f"while {count} < {limit} and {self.condition()}:"
        first = [f"{count} += 1"]
        if self.chance(0.2):
            leave = "break" if self.chance(0.6) else f"return {self.expression(self.result, 2)}"
            head, first = "while True:", [f"{count} += 1", f"if {count} > {limit}:", f"    {leave}"]
        body, _ = self.inside(self.rng.randint(1, 3), loop=True, nested=nested + 1)
        self.protected = protected
        return [*start, head, *indented([*first, *body])]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def ends(lines: list[str]) -> bool:
    """Whether these lines certainly leave: their last statement stands unindented and is an exit."""
    return bool(lines) and lines[-1].startswith(("return", "break", "continue"))


FLOW = 10_000_000  # from this seed on, programs have the statements of ``flow``
ALIASES = 20_000_000  # from this seed on, programs are those of ``aliases``
PLAIN = 30_000_000  # from this seed on, programs are those of ``plain``
COMPLEXES = 40_000_000  # from this seed on, programs are those of ``complexes``

CHANGING = 50_000_000  # from this seed on, programs are those of ``changing``


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    from . import aliases, changing, complexes, plain
    from .flow import FlowProgram

    if seed >= CHANGING:
        return changing.program(seed - CHANGING)
    if seed >= COMPLEXES:
        return complexes.program(seed)
    if seed >= PLAIN:
        return plain.program(seed)
    if seed >= ALIASES:
        return aliases.program(seed)
    return (Program if seed < FLOW else FlowProgram)(seed).text()
