"""Derivatives that fit on their lines: what is nested in one that would be broken gets a name instead."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ...ir.containers import Pack
from ...ir.operations import Apply, Function, Op, Value, values_in, values_read
from ...ir.primitives import BUNDLE, FORMAT, STAR
from .widths import Widths

__all__ = ["Fitting"]

LINE = 88
MANY = 3  # items of a list, a dict
SPELLED = (BUNDLE, FORMAT, STAR)  # what is no call
PART = 16  # what is shorter than this is no better for a name


class Fitting:
    """``nested``: values without a statement of their own; ``ops``: what computes them."""

    widths: Widths
    uses: Counter[Value]
    final: set[Value]  # what the last statement returns
    end: Op | None

    def __init__(self) -> None:
        self.ops: dict[Value, Op] = {}
        self.nested: set[Value] = set()
        self.fitted: dict[Apply, int] = {}  # what is one line, and how far it is indented
        self.fits_return: Callable[[], bool] = lambda: True

    def fit(self, op: Apply, depth: int | None) -> None:
        """Give names to parts of a derivative until its statement fits on its line."""
        if depth is None or not op.results or not all(r.made for r in op.results):
            return  # the user's lines are as long as the user wrote them
        if is_display(op):
            return
        if self.shortened(lambda: self.excess(op, depth), lambda: values_read(op), depth):
            self.fitted[op] = depth

    def fit_return(self, function: Function) -> None:
        """The same of several results that are returned side by side."""
        tree, values = function.tree, list(values_in(function.body.yields))
        if len(values) < 2 or (isinstance(tree, Pack) and tree.kind is not tuple):
            return
        brackets = 2 * str(tree).count("Pack(") if isinstance(tree, Pack) else 0

        def excess() -> int:
            items = [self.widths.of_operand(y) + 2 for y in function.body.yields]
            return len("    return ") + sum(items) - 2 + max(brackets - 2, 0) - LINE

        if self.shortened(excess, lambda: values, 1):
            self.fits_return = lambda: excess() <= 0

    def are_lines(self) -> bool:
        """True if all statements fit that were made to, with the names that the values have."""
        statements = (i for i in self.fitted.items() if i[0].result not in self.nested)
        return self.fits_return() and all(self.excess(*item) <= 0 for item in statements)

    def excess(self, op: Apply, depth: int) -> int:
        """By how many columns a statement is too wide."""
        wide = self.widths
        last = op is self.end and op.result in self.final
        return 4 * depth - LINE + (len("return ") + wide.of(op) if last else wide.of_statement(op))

    def shortened(
        self, excess: Callable[[], int], read: Callable[[], Iterable[Value]], depth: int
    ) -> bool:
        """Name one part after another until nothing is in excess; if that cannot be, all stay where they are."""
        named: dict[Value, Op] = {}
        while (over := excess()) > 0:
            part = self.part_to_name(over, [*self.parts_of(read())], depth)
            if part is None:
                self.nested.update(named)
                self.ops.update(named)
                self.widths.forget()
                return False
            self.nested.remove(part)
            named[part] = self.ops.pop(part)
            self.widths.forget()
        self.fitted.update((op, depth) for op in named.values() if isinstance(op, Apply))
        return True

    def part_to_name(
        self, excess: int, level: list[tuple[Value, Apply]], depth: int
    ) -> Value | None:
        """The outermost part without which the rest fits, or else the widest that fits on a line itself."""
        widest, most = None, PART
        while level:
            widths = {v: self.widths.of(op) for v, op in level if self.excess(op, depth) <= 0}
            saved = {v: wide - len(self.widths.names[v]) for v, wide in widths.items()}
            enough = [v for v, wide in widths.items() if saved[v] >= excess and wide >= PART]
            if enough:
                return max(enough, key=widths.__getitem__)
            for v, wide in widths.items():
                if wide >= most and saved[v] > 0:
                    widest, most = v, wide
            inner = (op for _, op in level if not is_display(op))
            level = [part for op in inner for part in self.parts_of(values_read(op))]
        return widest

    def parts_of(self, values: Iterable[Value]) -> Iterator[tuple[Value, Apply]]:
        """What may be given a name; of ``-v``, ``v``."""
        for v in values:
            op = self.ops.get(v)
            if v not in self.nested or not isinstance(op, Apply) or op.fn in SPELLED:
                continue
            if op.fn is operator.neg:
                yield from self.parts_of(values_read(op))
            elif self.uses[v] == 1:
                yield v, op


def is_display(op: Apply) -> bool:
    """True of ``np.array([a, b, c])`` and its like, of which each item has a line where one is too short."""
    return any(isinstance(a, (list, dict)) and len(a) >= MANY for a in op.args)
