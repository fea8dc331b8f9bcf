"""Calls that write into an array: ``out=``, ``np.add.at``, ``np.copyto``, ``x.sort()`` and their kin.

Each is a value computed as usual, and a write of it.
"""

from __future__ import annotations

import functools
import inspect
import operator
from typing import Any

import gast
import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import operator_of, traits_of
from retrograd.runtime.traits.out_dtype import computes_as_out, computes_between

from ...analyses.aliasing.memory_facts import may_repeat
from ...analyses.class_protocols import is_opaque
from ...analyses.effects import OUTPUTS
from ...analyses.random_numbers import WRITING, is_draw
from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.types import Array, Number, same_shape
from ..interface.lowerer import Lowerer
from ..nodes import Node
from .array_kinds import is_rank_0

__all__ = ["ArrayWrites", "settled", "writes"]


IN_TURNS = """
places = {places}
{given}
places = places.reshape(-1)
order = turn_order(places)
begin = 0
for end in turn_ends(places):
    chosen = order[begin:end]
    place = {place}
    x[place] = f(x[place]{amount})
    begin = end
"""


def writes(fn: Any, args: list[Node], kwargs: dict[str, Node]) -> bool:
    """True if a call changes one of its arguments: ``out=``, ``x.sort()``, ``np.add.at`` ..."""
    if isinstance(fn, np.ufunc) and len(args) > fn.nin:
        return True
    if isinstance(own_attribute(fn, "__self__"), np.ufunc) and fn.__name__ == "at":
        return True
    known = traits_of(fn)
    listed = known.writes == "argument" or known.augments is not None or is_shuffle(fn)
    if not (listed or isinstance(fn, np.ufunc) or is_of_library(fn)):
        return False  # a function of the user's may call a parameter `out`
    given = by_name(fn, args) | kwargs
    output = output_of(given) is not None
    return listed or output or (fn is np.nan_to_num and not copies(given))


def output_of(given: dict[str, Node]) -> str | None:
    """The parameter that is given an array to write the result to: ``out``, or ``output``, which may be a dtype."""
    return next((name for name in OUTPUTS if is_output(given.get(name))), None)


def is_output(node: Node) -> bool:
    if isinstance(node, Const):
        return is_ndarray(node.value)
    is_dtype = is_opaque(node) and node.type.own
    return not is_absent(node) and not is_dtype


def is_shuffle(fn: Any) -> bool:
    return own_attribute(fn, "__name__", "") in WRITING and is_draw(fn)


def by_name(fn: Any, args: list[Node]) -> dict[str, Node]:
    """Positional arguments of a function of NumPy or SciPy by the names of its parameters."""
    if isinstance(fn, np.ufunc) or not is_of_library(fn):
        return {}
    like: Any = fn if not is_numpy(fn) else getattr(np, own_attribute(fn, "__name__", ""), None)
    for form in (fn, like):  # x.sum is like np.sum
        try:
            return signature_of(form).bind_partial(*args).arguments
        except (TypeError, ValueError):
            continue
    at = {"dot": 2, "concatenate": 2}.get(own_attribute(fn, "__name__", ""), len(args))
    return {"out": args[at]} if at < len(args) else {}


@functools.lru_cache(4096)
def signature_of(fn: Any) -> inspect.Signature:
    return inspect.signature(fn)


def is_numpy(fn: Any) -> bool:
    return root_of(fn) == "numpy"


def is_of_library(fn: Any) -> bool:
    return root_of(fn) in ("numpy", "scipy")


def root_of(fn: Any) -> str:
    owner = own_attribute(fn, "__objclass__") or type(own_attribute(fn, "__self__"))
    module = own_attribute(fn, "__module__") or owner.__module__
    return str(module).partition(".")[0]


def copies(given: dict[str, Node]) -> bool:
    asked = given.get("copy", Const(True))
    return isinstance(asked, Const) and asked.value is True


def is_absent(node: Node) -> bool:
    return node is None or (isinstance(node, Const) and node.value is None)


class ArrayWrites:
    """Lowers calls that write; the names of the methods are those of the functions."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def writing_call(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node:
        """A call for which ``writes`` holds."""
        owner = own_attribute(fn, "__self__")
        if isinstance(owner, np.ufunc) and fn.__name__ == "at":
            return self.write_at(owner, *args)
        given = by_name(fn, args) | kwargs
        if isinstance(fn, np.ufunc) and fn.nout > 1:
            raise self.no_writer(fn.__name__, fix="take its results: a, b = ...")
        if isinstance(fn, np.ufunc) and len(args) > fn.nin:
            return self.write_out(fn, args[: fn.nin], kwargs, args[fn.nin])
        output = output_of(given)
        if output is not None:
            names = list(by_name(fn, args))
            at = names.index(output) if output in names else len(args)
            kept, later = args[:at], dict(zip(names[at + 1 :], args[at + 1 :], strict=True))
            while at < len(args) and kept and is_absent(kept[-1]):
                kept = kept[:-1]
            rest = {k: v for k, v in (later | kwargs).items() if k != output}
            return self.write_out(fn, kept, rest, given[output])
        augments = traits_of(fn).augments
        if augments is not None:
            return self.write_augmented(augments, *args)
        name = own_attribute(fn, "__name__", "").strip("_")
        writer = getattr(self, f"write_{name}", None)
        if writer is None:
            raise self.no_writer(name)
        try:
            bound = inspect.signature(writer).bind(*args, **kwargs)
        except TypeError:
            raise self.no_writer(name) from None
        return writer(*bound.args, **bound.kwargs)

    def no_writer(self, name: str, fix: str = "") -> MutationError:
        return MutationError(
            f"`{name}` writes into an array, in a way that is not supported", place=self.scope.place(self.scope.node),
            fix=fix or "write `x[i] = v`, or use the form that returns a new array",
        )  # fmt: skip

    # -- the parts of a write ------------------------------------------------------------

    def target(self, node: Node) -> Value:
        """The array written to."""
        found: Value = self.lowerer.assignment.written(node, self.scope.node)
        if is_opaque(found):
            raise MutationError(
                "a value that may be differentiated is written into an object of unknown class, which is not followed",
                place=self.scope.place(self.scope.node), fix="write it into an array that is made here",
            )  # fmt: skip
        return found

    def value(self, node: Node) -> Operand:
        operand: Operand = self.lowerer.operations.operand(node)
        return (
            self.lowerer.operations.apply(np.array, (operand,), {})
            if isinstance(node, Pack)
            else operand
        )

    def write_out(self, fn: Any, args: list[Node], kwargs: dict[str, Node], out: Node) -> Node:
        """``np.add(x, y, out=z)``: the value, written into ``z``; ``where=`` leaves the rest of it."""
        if isinstance(out, Pack) and len(out.items) == 1:
            out = out.items[0]
        where = kwargs.pop("where", None) if isinstance(fn, np.ufunc) else None
        operands = tuple(self.lowerer.operations.operand(a) for a in args)
        named = {k: self.lowerer.operations.operand(v) for k, v in kwargs.items()}
        if computes_as_out(fn) and "dtype" not in by_name(fn, args) | kwargs:
            named |= self.dtype_of_out(fn, operands[0], self.lowerer.operations.operand(out))
        made = self.lowerer.operations.apply(fn, operands, named)
        if computes_between(fn):
            self.check_same_type(fn, made, self.lowerer.operations.operand(out))
        if not isinstance(fn, np.ufunc):  # those spread their results over `out`
            self.check_output(fn, made, self.lowerer.operations.operand(out))
        y = self.target(out)
        if where is not None:
            made = self.lowerer.operations.apply(np.where, (self.value(where), made, y), {})
        self.lowerer.versions.write(y, (), made, self.scope.node)
        return y

    def dtype_of_out(self, fn: Any, x: Operand, out: Operand) -> dict[str, Operand]:
        """``dtype=``, where it is another than that of what is added up."""
        given, wanted = (getattr(type_of(v), "dtype", None) for v in (x, out))
        if given == wanted is not None:
            return {}
        if computes_between(fn):
            raise self.of_another_type(fn)
        return {"dtype": self.lowerer.operations.apply(np.ndarray.dtype, (out,), {})}

    def check_same_type(self, fn: Any, made: Operand, out: Operand) -> None:
        given, wanted = (getattr(type_of(v), "dtype", None) for v in (made, out))
        if None not in (given, wanted) and given != wanted:
            raise self.of_another_type(fn)

    def check_output(self, fn: Any, made: Operand, out: Operand) -> None:
        """NumPy and SciPy raise where the shapes differ, and ``out[...] = made`` may not."""
        given, wanted = (getattr(type_of(v), "rank", None) for v in (made, out))
        if None in (given, wanted):
            checked = Apply(
                [Value(None)], self.scope.location(self.scope.node), linear.check_output, (made, out), effect=True,
            )  # fmt: skip
            self.scope.block.ops.append(checked)
        elif given != wanted:
            raise MutationError(
                f"`{fn.__name__}` gives a {given}-dimensional array, and is to write it into a {wanted}-dimensional one",
                place=self.scope.place(self.scope.node), fix="compute it first: y[...] = ...",
            )  # fmt: skip

    def of_another_type(self, fn: Any) -> MutationError:
        return MutationError(
            f"`{fn.__name__}` into an array of another dtype is not supported", place=self.scope.place(self.scope.node),
            fix="compute it first, y[...] = ..., or say in which type: dtype=...",
        )  # fmt: skip

    def write_augmented(self, fn: Any, x: Node, value: Node) -> Node:
        """``operator.iadd(x, v)`` is ``x += v``: a number is not changed, an array is."""
        sign = gast.parse(f"x {traits_of(fn).sign}= v").body[0].op
        statement = gast.AugAssign(target=self.scope.node, op=sign, value=self.scope.node)
        return self.lowerer.assignment.augmented(
            gast.copy_location(statement, self.scope.node), x, value
        )

    def write_at(self, ufunc: Any, x: Node, index: Node, value: Node | None = None) -> Node:
        """``np.add.at(x, i, v)``: places named twice count twice."""
        target, at = self.target(x), self.lowerer.operations.operand(index)
        if ufunc not in (np.add, np.subtract) and may_repeat(at):
            return self.write_in_turns(ufunc, target, index, value)
        amount = None if value is None else self.value(value)
        if amount is None or operator_of(ufunc) is None:
            part = self.lowerer.subscripts.getitem(target, at)
            made = self.lowerer.operations.apply(
                ufunc, (part,) if amount is None else (part, amount), {}
            )
            self.lowerer.versions.write_index(target, at, made, self.scope.node)
        elif ufunc in (np.add, np.subtract):
            if ufunc is np.subtract:
                amount = self.lowerer.operations.apply(operator.neg, (amount,), {})
            self.lowerer.versions.write(
                target, ((Const(operator.getitem), at),), amount, self.scope.node, add=True
            )
        else:
            self.lowerer.versions.augment_index(
                target, at, operator_of(ufunc), amount, self.scope.node
            )
        return Const(None)

    def write_in_turns(self, ufunc: Any, x: Value, index: Node, value: Node | None) -> Node:
        """``np.maximum.at(x, i, v)``: all places once, then those that are named twice again, and so on."""
        flat = isinstance(x.type, Array) and x.type.rank == 1
        names: dict[str, Node] = {"x": x, "at": index, "f": Const(ufunc)}
        for fn in (
            linear.turn_order,
            linear.turn_ends,
            np.broadcast_to,
            np.unravel_index,
            np.arange,
        ):
            names[fn.__name__] = Const(fn)
        if value is not None:
            names["v"] = self.value(value)
        text = IN_TURNS.format(
            places="arange(x.size)[at]" if flat else "arange(x.size).reshape(x.shape)[at]",
            place="places[chosen]" if flat else "unravel_index(places[chosen], x.shape)",
            given="" if value is None else "v = broadcast_to(v, places.shape).reshape(-1)",
            amount="" if value is None else ", v[chosen]",
        )
        self.lowerer.higher_order.run(text, names, self.scope.node, "begin")
        return Const(None)

    # -- functions by name -----------------------------------------------------------------

    def write_setitem(self, x: Node, index: Node, value: Node) -> Node:
        self.lowerer.versions.write_index(
            self.target(x),
            self.lowerer.operations.operand(index),
            self.value(value),
            self.scope.node,
        )
        return Const(None)

    def write_fill(self, x: Node, value: Node) -> Node:
        target = self.target(x)
        if is_rank_0(target) and target not in self.lowerer.versions.rank0:
            raise self.no_writer(
                "fill", "of a NumPy scalar it changes nothing: write `x = np.array(v)`"
            )
        self.lowerer.versions.write(target, (), self.value(value), self.scope.node)
        return Const(None)

    def write_copyto(self, dst: Node, src: Node, casting: Node = None, where: Node = None) -> Node:
        x, value = self.target(dst), self.value(src)
        if where is not None:
            value = self.lowerer.operations.apply(np.where, (self.value(where), value, x), {})
        self.lowerer.versions.write(x, (), value, self.scope.node)
        return Const(None)

    def write_sort(self, x: Node, axis: Node = None, **options: Node) -> Node:
        return self.write_function(np.sort, x, [] if axis is None else [axis], options)

    def write_partition(self, x: Node, kth: Node, axis: Node = None, **options: Node) -> Node:
        return self.write_function(
            np.partition, x, [kth] + ([] if axis is None else [axis]), options
        )

    def write_nan_to_num(self, x: Node, copy: Node = None, **options: Node) -> Node:
        if not (isinstance(copy, Const) and copy.value is False):
            if not (isinstance(copy, Const) and copy.value is True):
                raise self.no_writer("nan_to_num with a computed copy=")
            given = {k: self.lowerer.operations.operand(v) for k, v in options.items()}
            return self.lowerer.operations.apply(
                np.nan_to_num, (self.lowerer.operations.operand(x),), given
            )
        self.write_function(np.nan_to_num, x, [], options)
        return x

    def write_function(self, fn: Any, x: Node, args: list[Node], options: dict[str, Node]) -> Node:
        """``x.sort()``: what the function that returns a new array gives, written back."""
        target = self.target(x)
        kwargs = {k: self.lowerer.operations.operand(v) for k, v in options.items()}
        made = self.lowerer.operations.apply(
            fn, (target, *map(self.lowerer.operations.operand, args)), kwargs
        )
        self.lowerer.versions.write(target, (), made, self.scope.node)
        return Const(None)

    def write_put(self, x: Node, ind: Node, v: Node, mode: Node = None) -> Node:
        """``np.put(x, places, v)``: places count in C order; values are repeated as they are needed."""
        target = self.target(x)
        at = self.value(ind)
        if mode is not None and not (isinstance(mode, Const) and mode.value == "raise"):
            size = self.lowerer.operations.apply(np.ndarray.size, (target,), {})
            at = self.lowerer.operations.apply(
                linear.wrapped_places, (at, size, self.lowerer.operations.operand(mode)), {}
            )
        value = self.repeated(self.value(v), at)
        if not (isinstance(target.type, Array) and target.type.rank == 1):
            shape = self.lowerer.operations.apply(np.ndarray.shape, (target,), {})
            at = self.lowerer.operations.apply(np.unravel_index, (at, shape), {})
        self.lowerer.versions.write_index(target, at, value, self.scope.node)
        return Const(None)

    def repeated(self, value: Operand, places: Operand) -> Operand:
        """As many values as there are places: the first ones, or all of them again and again."""
        dims, wanted = getattr(type_of(value), "dims", None), getattr(type_of(places), "dims", None)
        if dims == () or (dims is not None and same_shape(type_of(value), type_of(places))):
            return value
        if wanted == ():
            return self.lowerer.operations.apply(
                operator.getitem,
                (self.lowerer.operations.apply(np.ravel, (value,), {}), Const(0)),
                {},
            )
        return self.lowerer.operations.apply(
            np.resize, (value, self.lowerer.operations.apply(np.shape, (places,), {})), {}
        )

    def write_put_along_axis(self, arr: Node, indices: Node, values: Node, axis: Node) -> Node:
        """``np.put_along_axis``: the subscript it makes of its indices."""
        target = self.target(arr)
        if not isinstance(axis, Const) or not isinstance(axis.value, int):
            raise self.no_writer("put_along_axis", "give the axis as a number")
        parts = (target, self.value(indices), axis)
        at = self.lowerer.operations.apply(linear.along_axis_index, parts, {})
        self.lowerer.versions.write_index(target, at, self.value(values), self.scope.node)
        return Const(None)

    def write_place(self, arr: Node, mask: Node, vals: Node) -> Node:
        """``np.place``: the first values, in their order, where the mask is true."""
        target, value = self.target(arr), self.value(vals)
        at = self.mask_of(mask, target)
        if getattr(type_of(value), "dims", None) != ():
            count = self.lowerer.operations.apply(np.count_nonzero, (at,), {})
            value = self.lowerer.operations.apply(np.resize, (value, count), {})
        self.lowerer.versions.write_index(target, at, value, self.scope.node)
        return Const(None)

    def write_putmask(self, a: Node, mask: Node, values: Node) -> Node:
        """``np.putmask``: the values, repeated to the shape of the array, where the mask is true."""
        target, value = self.target(a), self.value(values)
        kind = type_of(value)
        if getattr(kind, "dims", None) != () and not same_shape(kind, target.type):
            shape = self.lowerer.operations.apply(np.ndarray.shape, (target,), {})
            value = self.lowerer.operations.apply(np.resize, (value, shape), {})
        made = self.lowerer.operations.apply(
            np.where, (self.mask_of(mask, target), value, target), {}
        )
        self.lowerer.versions.write(target, (), made, self.scope.node)
        return Const(None)

    def mask_of(self, mask: Node, x: Value) -> Operand:
        """A mask as NumPy reads it: true where it is not zero, laid out as the array is."""
        given = self.value(mask)
        kind = type_of(given)
        if isinstance(kind, Array) and kind.kind == "b" and same_shape(kind, x.type):
            return given
        return self.lowerer.operations.apply(linear.mask_of, (given, x), {})

    def write_fill_diagonal(self, a: Node, val: Node, wrap: Node = None) -> Node:
        """``np.fill_diagonal`` of a matrix; values are repeated as they are needed."""
        x = self.target(a)
        if not (isinstance(x.type, Array) and x.type.rank == 2):
            raise self.no_writer("fill_diagonal", "pass a matrix")
        if wrap is not None and not (isinstance(wrap, Const) and wrap.value is False):
            raise self.no_writer("fill_diagonal with wrap=", "write the parts of the diagonal")
        shape = self.lowerer.operations.apply(np.ndarray.shape, (x,), {})
        sizes = [
            self.lowerer.operations.apply(operator.getitem, (shape, Const(k)), {}) for k in (0, 1)
        ]
        at = self.lowerer.operations.apply(
            np.arange, (self.lowerer.operations.apply(min, tuple(sizes), {}),), {}
        )
        self.lowerer.versions.write_index(
            x, (at, at), self.repeated(self.value(val), at), self.scope.node
        )
        return Const(None)

    def flat(self, x: Value, index: Operand) -> tuple[Any, Operand]:
        """Where ``x.flat[index]`` lies: the views that lead there, and an index of what they show."""
        if isinstance(x.type, Array) and x.type.rank == 1:
            return (), index
        if self.lowerer.versions.is_ordered(x):
            return ((Const(np.ravel),),), index
        apply = self.lowerer.operations.apply
        places = apply(np.arange, (apply(np.ndarray.size, (x,), {}),), {})
        chosen = apply(operator.getitem, (places, index), {})
        return (), apply(np.unravel_index, (chosen, apply(np.ndarray.shape, (x,), {})), {})


WHOLE = (Const(operator.getitem), Const(Ellipsis))


def settled(lowerer: Lowerer, version: Operand, path: Any, value: Operand) -> Operand:
    """What is written on the device at the end of a path, for each place the last one.

    Any of several writes to one place may win there: they are made the same, so that value, tangent and adjoint
    are of one outcome.
    """
    *views, last = path or (WHOLE,)
    kind = type_of(value)
    rank = kind.rank if isinstance(kind, (Array, Number)) else None
    if last[0].value is not operator.getitem or not may_repeat(last[1]) or rank == 0:
        return value
    apply = lowerer.operations.apply
    part: Operand = version
    for fn, *args in views:
        part = apply(fn.value, (part, *args), {})
    places = apply(linear.last_places, (part, last[1]), {})
    if rank != getattr(type_of(places), "rank", None):
        value = apply(np.broadcast_to, (value, apply(np.ndarray.shape, (places,), {})), {})
    return apply(operator.getitem, (apply(np.ravel, (value,), {}), places), {})
