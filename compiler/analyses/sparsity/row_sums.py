"""Programs that are a sum, or a mean, over the rows of some arguments: what comes out of all rows comes out of blocks.

Every value is followed from the arguments: it has a row for each of theirs along an axis, or it is a sum or a mean over
them, or their number (times something), or the same for any rows.  What an operation makes of these is known of those
that work element by element, of sums and means, products of matrices, whole rows taken apart; of any other one it is
not, and neither is it where rows meet what came of all of them (``x - x.mean(0)``).

    r = np.tanh(x @ w) - y        rows along axis 0
    np.sum(r ** 2) / len(x)       a sum, and by the number of rows: a mean
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.records import dataclass
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    With,
    values_in,
)
from ...ir.primitives import ASSERT, UNPACK
from ...ir.types import Array, Number
from ..shapes.infer import type_of
from ..shapes.reductions import axes_in

__all__ = ["NotOverRows", "over_rows"]


@dataclass(frozen=True)
class Along:
    """What a value is of the rows: "rows" along an axis, "sum", "mean", "count", "share" (one by their
    number), "shape" (of rows along an axis)."""

    what: str
    axis: int = 0


Known = Along | None  # None: the same for any rows
SUM, MEAN, COUNT, SHARE = Along("sum"), Along("mean"), Along("count"), Along("share")
ADDITIVE = (SUM, MEAN)


class NotOverRows(Exception):
    """What stands in the way, and the operation that it is."""

    def __init__(self, why: str, op: Op | None = None) -> None:
        super().__init__(why)
        self.why, self.loc = why, None if op is None else op.loc


def over_rows(function: Function, split: Iterable[int]) -> str:
    """Whether a function is the "sum" or the "mean" over the rows of these parameters; or `NotOverRows`."""
    given = [Along("rows") if k in set(split) else None for k in range(len(function.body.params))]
    if function.facts.writes:
        raise NotOverRows("it writes into its arguments")
    (found,) = Rows().of_function(function, given)[:1]
    if found not in ADDITIVE:
        raise NotOverRows(f"its value is {spelled(found)}")
    return str(found.what)  # type: ignore[union-attr]


def spelled(known: Known) -> str:
    """What a value is, in words.

    >>> spelled(Along("rows", 0)), spelled(None)
    ('a row for each row', 'the same for any rows')
    """
    if known is None:
        return "the same for any rows"
    words = {
        "rows": "a row for each row",
        "count": "the number of rows",
        "share": "one by the number of rows",
        "shape": "a shape",
    }
    return words.get(known.what, f"a {known.what} over rows")


class Rows:
    """One walk through a program."""

    def __init__(self, inside: tuple[Function, ...] = ()) -> None:
        self.known: dict[Value, Known] = {}
        self.inside = inside  # of these functions

    def of_function(self, function: Function, given: Sequence[Known]) -> list[Known]:
        self.known.update(zip(function.body.params, given, strict=True))
        return self.block(function.body)

    def block(self, block: Block) -> list[Known]:
        for op in block.ops:
            self.op(op)
        return [self.of(y) for y in block.yields]

    def of(self, x: Operand) -> Known:
        if isinstance(x, Value):
            return self.known.get(x)
        if any(self.known.get(v) is not None for v in values_in(x)):
            raise NotOverRows("a container holds rows")
        return None

    # -- operations ----------------------------------------------------------------------------

    def op(self, op: Op) -> None:
        if isinstance(op, Apply):
            self.applied(op)
        elif isinstance(op, Call):
            self.call(op)
        elif isinstance(op, Loop):
            self.loop(op)
        elif isinstance(op, If) and not isinstance(op, (Try, With)):
            self.branch(op)
        elif self.touches(op):
            raise NotOverRows("its rows go through a statement of another kind", op)

    def applied(self, op: Apply) -> None:
        if op.effect and op.fn is not ASSERT:
            raise NotOverRows(f"`{name_of(op.fn)}` does something besides computing", op)
        whole = self.of(op.args[0]) if op.fn is UNPACK and op.args else None
        if whole is not None and whole.what == "shape":  # n, d = x.shape
            for k, result in enumerate(op.results):
                self.known[result] = COUNT if k == whole.axis else None
            return
        found = self.apply(op)
        if found is not None and len(op.results) != 1:
            raise NotOverRows(f"`{name_of(op.fn)}` gives several values of rows", op)
        self.known.update(dict.fromkeys(op.results, found))

    def call(self, op: Call) -> None:
        given = [self.of(x) for x in op.args]
        plain_one = isinstance(op.callee, Function) and op.callee not in self.inside
        if not plain_one or op.callee.facts.writes:
            raise NotOverRows("a function calls itself, or writes into its arguments", op)
        if len(given) != len(op.callee.body.params):
            raise NotOverRows("a function is called with defaults", op)
        found = Rows((*self.inside, op.callee)).of_function(op.callee, given)
        if len(found) != len(op.results):
            raise NotOverRows("a function gives what is not read here", op)
        self.known.update(zip(op.results, found, strict=True))

    def branch(self, op: If) -> None:
        if self.of(op.cond) is not None:
            raise NotOverRows("a branch is decided by what its rows hold", op)
        sides = zip(self.block(op.then), self.block(op.orelse), strict=True)
        for result, (one, other) in zip(op.results, sides, strict=True):
            if one != other:
                raise NotOverRows("two sides of a branch differ in what they make of rows", op)
            self.known[result] = one

    def loop(self, op: Loop) -> None:
        """What is carried is after an iteration what it was before."""
        if not self.touches(op):
            return
        feeds = [stack for stack, _ in op.feeds]
        bounds = [self.of(x) for x in op.bounds or ()]
        if op.cond is not None or any(k is not None for k in [*map(self.of, feeds), *bounds]):
            raise NotOverRows("a loop goes over rows, or as long as they say", op)
        carried = [self.of(x) for x in op.inits]
        counted = [None] if op.bounds is not None else []
        params = [*counted, *carried, *[None for _ in feeds]]
        self.known.update(zip(op.body.params, params, strict=True))
        after = self.block(op.body)
        if after[: len(carried)] != carried or any(k is not None for k in after[len(carried) :]):
            raise NotOverRows("a loop makes something else of its rows each time", op)
        for result, known in zip(op.results, carried, strict=False):
            self.known[result] = known

    def touches(self, op: Op) -> bool:
        """Whether anything in a statement reads what has to do with rows, however deep it stands."""
        if any(self.known.get(v) is not None for v in read_by(op)):
            return True
        yielded = [v for block in op.blocks for y in block.yields for v in values_in(y)]
        if any(self.known.get(v) is not None for v in yielded):
            return True
        return any(self.touches(inner) for block in op.blocks for inner in block.ops)

    def apply(self, op: Apply) -> Known:
        operands = [*op.args, *op.kwargs.values()]
        if all(isinstance(x, (Value, Const)) for x in op.args[:1]) and op.fn is operator.getitem:
            return self.item(op)
        known = [self.of(x) for x in operands]
        if all(k is None for k in known):
            return None
        first = known[0]
        found = self.asked(op, first)
        if found != "unknown":
            return found  # type: ignore[no-any-return]
        if traits_of(op.fn).contracts in ("matmul", "dot") and len(operands) == 2:
            return self.product(op, known)
        traits = traits_of(op.fn)
        if traits.reduces is not None and first is not None and is_numpys(op):
            return self.reduced(op, first)
        if traits.elementwise is True or traits.identity == "copy":
            return self.elementwise(op, operands, known)
        raise NotOverRows(
            f"what `{name_of(op.fn)}` makes of {spelled(first or known[-1])} is not known", op
        )

    def asked(self, op: Apply, first: Known) -> Any:
        """Sizes and shapes, and views that turn the axes round."""
        name = name_of(op.fn)
        if first is None or first.what not in ("rows", "sum", "mean"):
            return "unknown"
        rows = first.what == "rows"
        if name == "ndim" or (name in ("shape", "size") and not rows):
            return None
        if rows and (op.fn is len or name in ("shape", "size")):
            counted = op.fn is not len or first.axis == 0
            whole = Along("shape", first.axis) if name == "shape" else COUNT
            return whole if counted else None
        if traits_of(op.fn).axes == "turned" and len(op.args) == 1 and not op.kwargs:
            return Along("rows", self.rank(op.args[0], op) - 1 - first.axis) if rows else first
        return "unknown"

    def item(self, op: Apply) -> Known:
        """Whole rows, or parts of them."""
        whole = self.of(op.args[0])
        if any(self.known.get(v) is not None for v in values_in(op.args[1])):
            raise NotOverRows("rows are picked by what they hold", op)
        if whole is None:
            return None
        index = plain(op.args[1])
        if whole.what == "shape":
            if type(index) is not int or index < 0:
                raise NotOverRows("which part of a shape is read is not known", op)
            return COUNT if index == whole.axis else None
        if whole.what != "rows":
            return whole
        parts = list(index) if isinstance(index, tuple) else [index]
        if not all(part is None or is_place(part) for part in parts):
            raise NotOverRows("how rows are indexed is not known", op)
        axis, made = 0, 0
        for part in parts:
            if part is None:
                made += 1
                continue
            if axis == whole.axis:
                if not (isinstance(part, slice) and part == slice(None)):
                    raise NotOverRows("some rows are picked", op)
                return Along("rows", made)
            if isinstance(part, slice):
                made += 1
            axis += 1
        return Along("rows", whole.axis - axis + made)

    def product(self, op: Apply, known: Sequence[Known]) -> Known:
        """A product of matrices: over rows it is a sum."""
        (a, b), (left, right) = op.args, known
        if left is None or right is None:
            other = left or right
            if other in ADDITIVE:
                return other
        ranks = self.rank(a, op), self.rank(b, op)
        if max(ranks) > 2 or min(ranks) < 1:
            raise NotOverRows("a product of stacks has rows", op)
        over_left, over_right = ranks[0] - 1, max(ranks[1] - 2, 0)
        summed_left = left == Along("rows", over_left)
        summed_right = right == Along("rows", over_right)
        if summed_left and summed_right:
            return SUM
        rows = [k for k in known if k is not None]
        if len(rows) == 1 and rows[0].what == "rows" and not (summed_left or summed_right):
            return Along("rows", 0) if left is not None else Along("rows", ranks[0] - 1)
        raise NotOverRows("a product mixes rows", op)

    def reduced(self, op: Apply, first: Known) -> Known:
        assert first is not None
        extra = set(op.kwargs) - {"axis", "keepdims"}
        axis = op.kwargs.get("axis", op.args[1] if len(op.args) > 1 else Const(None))
        keep = op.kwargs.get("keepdims", Const(False))
        at, kept = plain(axis), plain(keep)
        if extra or isinstance(at, Value) or not isinstance(kept, bool):
            raise NotOverRows(f"how `{name_of(op.fn)}` goes over rows is not known", op)
        if first in ADDITIVE and over(op.fn) is not None:
            return first  # of the parts of a sum
        if first.what != "rows":
            raise NotOverRows(f"`{name_of(op.fn)}` of {spelled(first)}", op)
        axes = axes_in(self.rank(op.args[0], op), at)
        if first.axis not in axes:
            return Along(
                "rows", first.axis if kept else first.axis - sum(a < first.axis for a in axes)
            )
        if over(op.fn) is not None:
            return over(op.fn)
        raise NotOverRows(f"`{name_of(op.fn)}` over all rows is no sum over them", op)

    def elementwise(self, op: Apply, operands: Sequence[Any], known: Sequence[Known]) -> Known:
        kinds = {k for k in known if k is not None}
        if all(k.what == "rows" for k in kinds):
            return self.aligned(op, operands, known)
        found = combined(op.fn, list(known))
        if found is None:
            said = " and ".join(sorted({spelled(k) for k in known}))
            raise NotOverRows(f"`{name_of(op.fn)}` of {said} is no sum over rows", op)
        return found

    def aligned(self, op: Apply, operands: Sequence[Any], known: Sequence[Known]) -> Known:
        """Rows beside rows, and beside them what has no axis there, or one of length 1."""
        ends = {
            k.axis - self.rank(x, op) for x, k in zip(operands, known, strict=True) if k is not None
        }
        if len(ends) != 1:
            raise NotOverRows("rows meet along different axes", op)
        end = ends.pop()
        for x, k in zip(operands, known, strict=True):
            if k is None:
                dims = dims_of(x)
                if dims is None or (len(dims) >= -end and dims[end] != 1):
                    raise NotOverRows("an array that is not split has an axis along the rows", op)
        return Along("rows", max(self.rank(x, op) for x in operands) + end)

    def rank(self, x: Operand, op: Op) -> int:
        dims = dims_of(x)
        if dims is None:
            raise NotOverRows("how many axes a value has is not known", op)
        return len(dims)


def over(fn: Any) -> Known:
    """What a reduction over all rows is: those that pass over some entries are none that is known."""
    known = {"sum": SUM, "mean": MEAN}
    return known.get(name_of(fn)) if traits_of(fn).reduces in known else None


def combined(fn: Any, known: list[Known]) -> Known:
    """What two values make that are sums, means or the number of rows; None: nothing that is known."""
    name = name_of(fn)
    if name in ("neg", "negative", "pos", "positive") or traits_of(fn).identity == "copy":
        return known[0]
    if len(known) != 2:
        return None
    a, b = known
    if name in ("add", "sub", "subtract"):
        if a == b and a in ADDITIVE:
            return a
        return MEAN if {a, b} == {MEAN, None} else None
    if name in ("mul", "multiply"):
        return PRODUCT.get((a, b)) or PRODUCT.get((b, a))
    if name in ("truediv", "divide", "true_divide"):
        return QUOTIENT.get((a, b))
    return None


PRODUCT: dict[Any, Along] = {
    (SUM, None): SUM, (MEAN, None): MEAN, (COUNT, None): COUNT, (SHARE, None): SHARE,
    (MEAN, COUNT): SUM, (SUM, SHARE): MEAN,
}  # fmt: skip
QUOTIENT: dict[Any, Along] = {
    (SUM, None): SUM, (MEAN, None): MEAN, (COUNT, None): COUNT, (SHARE, None): SHARE,
    (SUM, COUNT): MEAN, (None, COUNT): SHARE, (MEAN, SHARE): SUM,
}  # fmt: skip


def dims_of(x: Operand) -> Any:
    """The sizes along the axes of a number or an array; None of what is neither, or not known."""
    if not isinstance(x, Value):
        value = plain(x)
        simple = isinstance(value, (bool, int, float, complex, np.generic, np.ndarray))
        return np.shape(value) if simple else None
    kind = type_of(x)
    if isinstance(kind, Number):
        return ()
    return kind.dims if isinstance(kind, Array) else None


def is_place(part: Any) -> bool:
    """Whether an index is a number or a slice, which keep the other axes where they are."""
    if isinstance(part, slice):
        return all(x is None or is_place(x) for x in (part.start, part.stop, part.step))
    return type(part) is int or (isinstance(part, Value) and isinstance(type_of(part), Number))


def is_numpys(op: Apply) -> bool:
    """Whether a reduction goes over all axes unless it is told an axis, second or by name."""
    home = own_attribute(op.fn, "__module__") == "numpy"
    method = own_attribute(op.fn, "__objclass__") is np.ndarray
    most = 1 if traits_of(op.fn).reduces == "norm" else 2
    return (home or method or own_attribute(op.fn, "__module__") == "numpy.linalg") and len(
        op.args
    ) <= most


def read_by(op: Op) -> list[Value]:
    fields = [
        getattr(op, name, None) for name in ("args", "kwargs", "inits", "cond", "feeds", "bounds")
    ]
    return [v for field in fields if not isinstance(field, Block) for v in values_in(field)]


def plain(x: Operand) -> Any:
    """A constant as it is; what is computed stays a value."""
    if isinstance(x, Const):
        return x.value
    if isinstance(x, tuple):
        return tuple(map(plain, x))
    if isinstance(x, slice):
        return slice(plain(x.start), plain(x.stop), plain(x.step))
    return x


def name_of(fn: Any) -> str:
    return str(own_attribute(fn, "__name__") or fn)
