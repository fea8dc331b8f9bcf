"""The first ``+=`` into an element of new zeros becomes ``=``.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... def f(x, w):
...     total = 0.0
...     for i in range(len(x)):
...         total = total + w * x[i]
...     return total
... ''', "x: f8[n], w: float", first_writes)
def f_grad(x, w):
    x_bar = np.zeros(x.shape)
    for i in range(len(x)):
        # `total = total + w * x[i]`
        x_bar[i] += w
    return x_bar
# becomes
def f_grad(x, w):
    x_bar = np.zeros(x.shape)
    for i in range(len(x)):
        # `total = total + w * x[i]`
        x_bar[i] = w
    return x_bar

Elements are told apart by their subscripts: whole numbers, slices that end where others begin, and
the index of a loop, which is different in each iteration.
"""

from __future__ import annotations

import operator

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    values_in,
    values_read,
    walk,
)
from ...ir.types import Array, Number, kind_of

__all__ = ["first_writes"]

Product = tuple[int, Operand]  # a factor, and a size


def first_writes(function: Function) -> Function:
    """Note, in ``function.facts.first``, the sums that may be assignments."""
    function.facts.first = Finder(function).run() | function.facts.stored
    return function


class Finder:
    """Follows every new array of zeros through what is added to it."""

    def __init__(self, function: Function) -> None:
        self.body = function.body
        self.found: set[Value] = set()
        self.defs: dict[Value, Apply] = {}
        self.readers: dict[Value, list[Op | None]] = {}  # None: the end of a region
        self.branches: dict[Value | None, tuple[If, int]] = {}  # that end with a value, and where
        self.learn(function.body)

    def learn(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Apply):
                self.defs.update((r, op) for r in op.results)
            for v in values_read(op):
                self.readers.setdefault(v, []).append(op)
            for inner in op.blocks:
                self.learn(inner)
                if type(op) is If:
                    self.branches |= {
                        v: (op, k) for k, v in enumerate(inner.yields) if isinstance(v, Value)
                    }
        for v in values_in(block.yields):
            self.readers.setdefault(v, []).append(None)

    def run(self) -> set[Value]:
        for op in walk(self.body):
            if isinstance(op, Apply) and is_new(op):
                self.follow(op.result, [])
        return self.found

    def follow(self, v: Value, places: list[Operand]) -> None:
        """Follow ``v``, after additions to ``places``."""
        reader = self.only_reader(v)
        if isinstance(reader, Loop) and not places:
            adds = self.within(reader, v)
            if adds is not None and is_number(adds.args[2]):
                self.found.add(adds.result)
        elif isinstance(reader, Apply) and is_add(reader, v):
            _, index, c = reader.args
            if is_number(c) and all(self.apart(index, other) for other in places):
                self.found.add(reader.result)
            self.follow(reader.result, [*places, index])

    def only_reader(self, v: Value) -> Op | None:
        """The one operation that reads a value, which no region ends with."""
        uses = self.readers.get(v, [])
        return uses[0] if len(uses) == 1 else None

    def within(self, loop: Loop, v: Value) -> Apply | None:
        """The only thing a loop does with what it carries: at most one sum in an iteration, elsewhere in each."""
        at = next((k for k, x in enumerate(loop.inits) if x is v), None)
        if at is None:
            return None
        param, end = loop.carried[at], loop.body.yields[at]
        reader = next((op for op in self.readers.get(param, []) if op is not None), None)
        adds: Apply | None = None
        if isinstance(reader, Apply) and is_add(reader, param):
            adds = reader
        elif isinstance(reader, Loop):
            adds = self.within(reader, param)
        if adds is None or reader is None or not goes_over(loop, adds.args[1]):
            return None
        made = next((r for r in reader.results if self.readers.get(r) == [None]), None)
        return adds if end is self.joined(param, made) else None

    def joined(self, before: Value, after: Value | None) -> Value | None:
        """What ``after`` is called behind the branches it was made in, where other sides leave what was ``before``.

        None, if something else reads either.
        """
        sides = 0
        while after in self.branches:
            branch, k = self.branches[after]
            result = branch.results[k]
            if before not in (branch.then.yields[k], branch.orelse.yields[k]):
                return None
            after, sides = result, sides + 1
            if self.readers.get(after) != [None]:
                return None
        uses = self.readers[before]
        return after if len(uses) == sides + 1 and uses.count(None) == sides else None

    def apart(self, a: Operand, b: Operand) -> bool:
        """True if two subscripts never name one place."""
        pairs = zip(components(a), components(b), strict=False)
        return any(self.separate(x, y) or self.separate(y, x) for x, y in pairs)

    def separate(self, a: Operand, b: Operand) -> bool:
        """True if ``a`` ends where ``b`` begins, or before."""
        first, second = whole(a), whole(b)
        if first is not None and second is not None:
            return first != second and (first < 0) == (second < 0)
        if isinstance(a, slice) and isinstance(b, slice) and forward(a) and forward(b):
            return self.at_most(a.stop, b.start)
        return False

    def at_most(self, a: Operand, b: Operand) -> bool:
        """True if one bound is the other, or certainly no more: ``2 * n`` and ``3 * n``."""
        if is_none(a) or is_none(b):
            return False
        if a is b:
            return True
        (m, x), (n, y) = self.product(a), self.product(b)
        return 0 <= m <= n and x is y

    def product(self, v: Operand) -> Product:
        """A bound as a multiple of a size, which is not negative, or of one."""
        number = whole(v)
        if number is not None:
            return number, None
        op = self.defs.get(v) if isinstance(v, Value) else None
        if op is not None and op.fn is operator.mul and op.args:
            for factor, size in (op.args, op.args[::-1]):
                if whole(factor) is not None and self.is_size(size):
                    return whole(factor) or 0, size
        return (1, v) if self.is_size(v) else (-1, v)

    def is_size(self, v: Operand) -> bool:
        op = self.defs.get(v) if isinstance(v, Value) else None
        known = getattr(v, "type", None)
        return op is not None and (
            op.fn is len or (isinstance(known, Number) and known.size is not None)
        )


def is_new(op: Apply) -> bool:
    """Zeros that the derivative made, of double precision."""
    kind = op.result.type
    made = op.fn in (np.zeros, np.zeros_like, linear.zeros_like) and op.result.made
    return made and isinstance(kind, Array) and kind.dtype == "float64" and bool(kind.dims)


def is_add(op: Apply, v: Value) -> bool:
    return op.fn is linear.index_add and op.args[0] is v


def is_number(c: Operand) -> bool:
    """True if a contribution is real: what is assigned is of the array's type, too."""
    return kind_of(type_of(c)) == "f"


def goes_over(loop: Loop, index: Operand) -> bool:
    """True if a subscript names another place in every iteration: it has the loop's index in it."""
    if loop.bounds is None or loop.index is None:
        return False
    lo, _, step = map(whole, loop.bounds)
    upward = lo is not None and lo >= 0 and step is not None and step > 0
    return upward and any(i is loop.index for i in components(index))


def components(index: Operand) -> list[Operand]:
    """The subscripts of the leading axes, one for each axis: whole numbers and slices."""
    parts = list(index) if isinstance(index, tuple) else [index]
    for k, part in enumerate(parts):
        known = type_of(part)
        if not isinstance(part, slice) and not (isinstance(known, Number) and known.kind == "i"):
            return parts[:k]
    return parts


def whole(operand: Operand) -> int | None:
    known = operand.value if isinstance(operand, Const) else None
    return known if type(known) is int else None


def is_none(operand: Operand) -> bool:
    return operand is None or (isinstance(operand, Const) and operand.value is None)


def forward(s: slice) -> bool:
    return is_none(s.step) or whole(s.step) == 1
