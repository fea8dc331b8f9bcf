"""Random programs about names of one memory: views by every function that makes them, containers, objects, closures.

All arrays are 3 x 3, so that everything may be stored, swapped and written everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

__all__ = ["program"]

HEAD = """import numpy as np


class Pair:
    def __init__(self, u):
        self.u = u
        self.v = u

    def part(self):
        return self.u[::-1]

    def put(self, w):
        self.u = w

    def bump(self, s):
        self.v[0] += s


def turned(a):
    return a.T


def bumped(a, b):
    a[0] += b[1, 1]
    return b


def both(a, b, k):
    if k > 1:
        return a, b
    return b, a[::-1]


def shifted(a):
    for i in range(2):
        a[i + 1] = a[i] * 0.5
    return a


def last(a, b, n):
    r = a
    for i in range(n):
        r = b
    return r


def keep(a, store):
    store.append(a)
    return a * 0.5


def put_in(d, a):
    d["k"] = a


W = np.arange(63.0).reshape(7, 3, 3) / 10 - 2


"""
VIEWS = (
    "{}.T", "{}[::-1]", "{}[:, ::-1]", "np.flip({}, axis=0)", "np.flip({}, axis=(0, 1))", "np.swapaxes({}, 0, 1)",
    "np.swapaxes({}, axis1=0, axis2=1)", "np.transpose({}, axes=(1, 0))", "np.transpose({})", "np.rot90({}, k=2)",
    "np.rot90({})", "np.squeeze({}[None], axis=0)", "{}[:]", "{}[...]", "np.expand_dims({}, axis=1)[:, 0]",
    "{}.reshape(3, 3)", "np.asarray({})", "np.moveaxis({}, 0, 1)", "np.fliplr({})", "np.flipud({})",
    "np.moveaxis({}, source=0, destination=-1)", "{}.transpose(1, 0)", "{}.swapaxes(0, 1)",
)  # fmt: skip
PERHAPS = (  # views, copies, and what is one or the other
    "{}.view()", "np.atleast_2d({})", "{}[None][0]", "{}[[0, 1, 2]]", "{}.ravel().reshape(3, 3)", "np.reshape({}, (3, 3))",
    "{}.squeeze()", "np.ascontiguousarray({})", "np.array({}, copy=False)", "np.matrix_transpose({})", "{}.mT", "{}.real",
    "np.real({})", "np.asarray({}, dtype=float)", "{}.astype(float)", "{}.astype(float, copy=False)",
    "np.broadcast_to({}, (3, 3))", "np.require({})", "np.asanyarray({})", "np.rollaxis({}, 1)",
    "np.permute_dims({}, (1, 0))", "np.atleast_1d({})", "np.positive({})", "(+{})", "np.clip({}, -9, 9)",
    "np.nan_to_num({}, copy=False)", "np.nan_to_num({})", "np.split({}, 1)[0]", "np.hsplit({}, 1)[0]",
    "np.lib.stride_tricks.sliding_window_view({}, (3, 3))[0, 0]", "np.take({}, [0, 1, 2], axis=0)",
    "np.diag(np.diag({}))", "np.array({})", "np.copy({})", "{}.copy()", "({} * 1.0)", "np.where({} > 0, {}, {})",
    "max({}, {}, key=np.sum)", "np.vstack([{}])", "turned({})", "shifted({})", "(lambda q: q)({})", "(lambda q: q[::-1])({})",
    "(lambda q=1.0, *r: r[0])(0, {})", "[{}][0]", "({}, 1)[0]", "dict(a={})['a']", "sorted([{}], key=np.sum)[0]",
    "list(reversed([{}]))[0]", "[{}].pop()", "(z := {})",
)  # fmt: skip
INDICES = ("0", "1", "-1", ":", "::2", "0, 1", "2, 2", "-1, 0", ":, 0", ":, ::-1", "[0, 1]", "[1, 0, 1]",
           "...", "1:", "np.array([2, 0])")  # fmt: skip


class Aliases:
    """One program; ``names`` are arrays, the other lists hold containers of arrays."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"aliases {seed}")
        self.names = ["x", "y"]
        self.lists: list[str] = []
        self.dicts: list[str] = []
        self.pairs: list[str] = []
        self.tuples: list[str] = []
        self.made = 0

    def pick(self, options: Sequence[str]) -> str:
        return self.rng.choice(options)

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def fresh(self, start: str) -> str:
        self.made += 1
        return f"{start}{self.made}"

    # -- expressions -------------------------------------------------------------------

    def held(self) -> str:
        """An array by one of its names."""
        return self.pick([
            *self.names * 3,
            *(f"{name}[{self.pick(('0', '1', '-1'))}]" for name in self.lists),
            *(f"{name}['k']" for name in self.dicts),
            *(f"{name}.{part}" for name in self.pairs for part in (self.pick("uv"), "part()")),
            *(f"{name}[{self.pick('01')}]" for name in self.tuples),
        ])  # fmt: skip

    def array(self) -> str:
        """An array, or something made of one."""
        found = self.held()
        if self.chance(0.5):
            found = self.pick(VIEWS if self.chance(0.6) else PERHAPS).replace("{}", found)
        if self.chance(0.06):
            found = f"({found} if {self.condition()} else {self.held()})"
        if self.chance(0.05):
            found = f"bumped({self.held()}, {found})"
        if self.chance(0.05):
            found = f"last({self.held()}, {found}, {self.pick('012')})"
        return found

    def number(self) -> str:
        name = self.held()
        item = f"{name}[{self.pick('012')}, {self.pick(('-2', '-1', '0', '1', '2'))}]"
        return self.pick([item, f"np.sum({name}) * 0.1", f"{self.rng.uniform(-1, 1):.2f}", "s"])

    def condition(self) -> str:
        compared = f"{self.number()} > {self.rng.uniform(-1, 1):.2f}"
        return self.pick([compared, "n > 1", "i0 > 0", "s < 0.5", "k > 0"])

    # -- statements --------------------------------------------------------------------

    def write(self) -> list[str]:
        target = self.pick(self.names) if self.chance(0.7) else self.held()
        index = self.pick(INDICES)
        value = self.number() if self.chance(0.7) else f"{self.array()}[{index}]"
        item = f"{target}[{index}] {self.pick(('=', '=', '+=', '*='))} {value}"
        whole = (
            f"{target} {self.pick(('+=', '*=', '-='))} {self.pick([self.number(), self.array()])}"
        )
        out = f"np.{self.pick(('add', 'multiply'))}({self.array()}, {self.number()}, out={target})"
        rare = [
            f"{target}[0], {target}[1] = {target}[1].copy(), {target}[0].copy()", out,
            f"np.copyto({target}, {self.array()})", f"{target}.fill({self.number()})", f"{target}.sort(axis=0)",
        ]  # fmt: skip
        return [self.rng.choices([item, whole, self.pick(rare)], (5, 2, 2))[0]]

    def name(self) -> list[str]:
        value = self.array()
        if self.chance(0.3):
            self.names.append(self.fresh("a"))
            return [f"{self.names[-1]} = {value}"]
        return [f"{self.pick(self.names)} = {value}"]

    def rename(self) -> list[str]:
        a, b = self.pick(self.names), self.pick(self.names)
        return [self.pick([f"{a} = {b}", f"{a}, {b} = {b}, {a}", f"{a}, {b} = {self.array()}, {self.array()}"])]  # fmt: skip

    def call(self) -> list[str]:
        a, b, c, d = self.array(), self.array(), self.pick(self.names), self.pick(self.names)
        return [self.pick([
            f"shifted({a})", f"bumped({a}, {b})", f"{c} = bumped({a}, {b})",
            f"{c}, {d} = both({a}, {b}, {self.pick('12n')})",
            *(f"{name}.bump({self.number()})" for name in self.pairs),
            *(f"{name}.put({a})" for name in self.pairs), *(f"put_in({name}, {a})" for name in self.dicts),
            *(f"{c} = keep({a}, {name})" for name in self.lists),
        ])]  # fmt: skip

    def store(self) -> list[str]:
        a = self.array()
        return [self.pick([
            f"{self.pick(self.names)} = {a}",
            *(f"{name}[{self.pick('01')}] = {a}" for name in self.lists),
            *(f"{name}.{how}" for name in self.lists for how in (f"append({a})", f"insert(0, {a})", "reverse()")),
            *(f"{name}['k'] = {a}" for name in self.dicts),
            *(f"{name}.{self.pick('uv')} = {a}" for name in self.pairs),
        ])]  # fmt: skip

    def container(self) -> list[str]:
        a, b = self.array(), self.array()
        kind, text = self.rng.choice([
            ("list", f"[{a}, {b}]"), ("dict", f"{{'k': {a}}}"), ("pair", f"Pair({a})"), ("tuple", f"({a}, {b})"),
            ("list", f"[q for q in ({a}, {b})]"), ("list", f"[{a} for _ in range(2)]"), ("list", f"[{a}] * 2"),
            ("list", f"[q[::-1] for q in ({a}, {b})]"), ("list", f"list(({a}, {b}))"), ("list", f"[{a}] + [{b}]"),
        ])  # fmt: skip
        name = self.fresh(kind[0])
        getattr(self, f"{kind}s").append(name)
        return [f"{name} = {text}"]

    def closure(self) -> list[str]:
        name, written, value = self.fresh("f"), self.pick(self.names), self.array()
        target = self.pick(self.names)
        if self.chance(0.3):
            return [f"{name} = lambda w: {value}", *self.body(1), f"{target} = {name}(1)"]
        return [
            f"def {name}(w):", f"    {written}[0] += w", f"    return {value}",
            f"{target} = {name}({self.number()})",
        ]  # fmt: skip

    def branch(self, depth: int) -> list[str]:
        out = [f"if {self.condition()}:", *indented(self.body(depth + 1))]
        return [*out, "else:", *indented(self.body(depth + 1))] if self.chance(0.6) else out

    def loop(self, depth: int) -> list[str]:
        head = self.pick([
            f"for i0 in range({self.pick('0123n')}):", "for i0 in range(1, 3):", f"for i0, s in enumerate({self.array()}[0]):",
        ])  # fmt: skip
        body = self.body(depth + 1)
        if self.chance(0.15):
            body += [f"if {self.condition()}:", f"    {self.pick(('break', 'continue'))}"]
            body += self.body(depth + 1)
        return [head, *indented(body)]

    def counted(self, depth: int) -> list[str]:
        c = self.fresh("c")
        return [f"{c} = 0", f"while {c} < {self.pick('123')}:", f"    {c} += 1", *indented(self.body(depth + 1))]  # fmt: skip

    def rows(self) -> list[str]:
        r, a = self.fresh("r"), self.array()
        head = self.pick([
            f"for {r} in {a}:", f"for {r}, s in zip({a}, {self.array()}[0]):", f"for i0, {r} in enumerate({a}):",
            f"for {r} in ({a}, {self.array()}):", *(f"for {r} in {name}:" for name in self.lists),
        ])  # fmt: skip
        written = f"{r}[0] {self.pick(('=', '+=', '*='))} {self.number()}"
        whole = f"{r} {self.pick(('+=', '*='))} {self.number()}"
        copied = (
            [f"{self.pick(self.names)}[{self.pick('012')}] = {r}[0]"] if self.chance(0.3) else []
        )
        return [head, *indented([self.pick([written, whole]), *copied])]

    def statement(self, depth: int) -> list[str]:
        makers = [self.write] * 4 + [self.name, self.name, self.rename, self.rename, self.store]
        makers += [self.rows, lambda: self.branch(depth), lambda: self.loop(depth), lambda: self.counted(depth)]  # fmt: skip
        if depth == 0:
            makers += [self.container, self.container, self.closure, self.store, self.call]
        return self.write() if depth > 1 else self.rng.choice(makers)()

    def body(self, depth: int) -> list[str]:
        known = self.names[:], self.lists[:]
        lines = [line for _ in range(self.rng.randint(1, 3)) for line in self.statement(depth)]
        self.names, self.lists = known  # what is bound here may be unbound afterwards
        return lines

    def text(self) -> str:
        lines = ["i0, k, s = 0, 1, 0.3"]
        for _ in range(self.rng.randint(3, 8)):
            lines += self.statement(0)
        terms = [f"np.sum({name} * W[{k % 7}])" for k, name in enumerate(self.names)]
        terms += [f"np.sum({name}[{k}] ** 2)" for name in self.lists for k in (0, -1)]
        terms += [f"np.sum({name}['k'] ** 2)" for name in self.dicts]
        terms += [f"np.sum({name}.u * {name}.v)" for name in self.pairs]
        terms += [f"np.sum({name}[0] ** 2)" for name in self.tuples]
        self.rng.shuffle(terms)
        lines.append(f"return {' + '.join(terms)}")
        main = "\n".join(["def main(x, y, n):", *indented(lines)])
        given = f"ARGS = ({self.matrix()}, {self.matrix()}, {self.rng.randint(0, 3)})"
        return f"{HEAD}{main}\n\n\n{given}\nWRT = (0, 1)\n"

    def matrix(self) -> str:
        rows = [[round(self.rng.uniform(-1.5, 1.5), 2) for _ in range(3)] for _ in range(3)]
        return f"np.array({rows})"


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    return Aliases(seed).text()
