"""The type of a result from the types of the arguments: looks the operation up in the shape tables."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of

from ...frontend.source import source_of
from ...ir.containers import Record
from ...ir.lattice import as_type, is_array, join
from ...ir.operations import UNDEFINED, Const, Operand, Value
from ...ir.primitives import BUNDLE
from ...ir.types import (
    BOTTOM,
    CUT,
    STRANGER,
    Array,
    Number,
    Numeric,
    Opaque,
    Tree,
    Type,
    array,
    broadcast,
    is_numeric,
)
from ..class_protocols import FUNCTIONS, is_foreign, is_foreign_operand
from ..random_numbers import of_draw
from ..text_types import of_texts
from .elementwise import common_dims, elementwise
from .table import SHAPES, UNKNOWN

__all__ = ["infer", "type_of"]


def type_of(operand: Operand) -> Type:
    """The type of an operand: a value, a literal, or a container of them."""
    if isinstance(operand, Value):
        return operand.type
    if operand is UNDEFINED:
        return BOTTOM
    if isinstance(operand, Const):
        return STRANGER if is_object(operand.value) else as_type(operand.value)
    if isinstance(operand, (tuple, list)):
        kind = "tuple" if isinstance(operand, tuple) else "list"
        return Tree(kind, tuple(range(len(operand))), tuple(type_of(item) for item in operand))
    if isinstance(operand, dict):
        cls = operand.of if isinstance(operand, Record) else None
        return Tree("dict", tuple(operand), tuple(map(type_of, operand.values())), cls)
    return None


def is_object(value: Any) -> bool:
    """True of an object with methods of its own: no number, array, text or function, and no container."""
    return not isinstance(value, FUNCTIONS) and is_foreign(type(value)) and not is_array(value)


def described(operand: Operand) -> Any:
    """An argument as shape functions see it: a plain constant, a type, or containers of these."""
    if isinstance(operand, Value):
        if isinstance(operand.type, Opaque) and operand.type.dtype:
            return np.dtype(operand.type.dtype)
        unknown = operand.type in (None, BOTTOM) or isinstance(operand.type, (Opaque, Numeric))
        return UNKNOWN if unknown else operand.type
    if isinstance(operand, Const):
        value = operand.value
        array = is_ndarray(value) or is_array(value)
        return (as_type(value) or UNKNOWN) if array else value
    if isinstance(operand, (tuple, list)):
        return type(operand)([described(item) for item in operand])
    if isinstance(operand, dict):
        items = {k: described(item) for k, item in operand.items()}
        return Record(operand.of, items) if isinstance(operand, Record) else items
    if isinstance(operand, slice):
        return slice(*[described(p) for p in (operand.start, operand.stop, operand.step)])
    return operand


def infer(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Type:
    """The type of ``fn(*args, **kwargs)``, or None where nothing certain is known."""
    found = by_readings(fn, args, kwargs) or of_texts(
        fn, [*map(type_of, args)], {k: type_of(v) for k, v in kwargs.items()}
    )
    if found is not None:
        return found
    given = [*args, *kwargs.values()]
    if any(type_of(a) is BOTTOM for a in given):
        return BOTTOM  # what never is gives nothing
    if not is_plain(fn, args, kwargs) or any(map(is_foreign_operand, given)):
        return None
    if gives_array(fn):
        return Array()
    return of_numeric(fn, args) if any(isinstance(type_of(a), Numeric) for a in args) else None


@functools.cache
def gives_array(fn: Any) -> bool:
    """True if an operation of NumPy's gives one array, or one of its scalars, whatever it is given."""
    owner = own_attribute(fn, "__objclass__") or own_attribute(fn, "__module__")
    numpys = isinstance(fn, np.ufunc) or owner is np.ndarray or str(owner).startswith("numpy")
    if not numpys or fn not in book.rules or traits_of(fn).gives not in (None, "truth"):
        return False
    return results(book.rules[fn].differential) == 1


def is_plain(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> bool:
    """True if a call has the arguments that the rule knows, and no others: `np.where(mask)`, `retstep=True`."""
    if getattr(type(fn), "__hash__", None) is None or fn not in book.rules:
        return False
    names, required = arguments_of(book.rules[fn].differential)
    given = {*names[: len(args)], *kwargs}
    return len(args) <= len(names) and given <= {*names} and required <= given


@functools.cache
def arguments_of(differential: Any) -> tuple[tuple[str, ...], frozenset[str]]:
    """The arguments that a rule knows, and those that it needs; none, and one, of a rule for any number."""
    _, *known = inspect.signature(differential).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in known):
        return (), frozenset({"*"})
    known = [p for p in known if p.kind is not p.KEYWORD_ONLY]
    return tuple(p.name for p in known), frozenset(p.name for p in known if p.default is p.empty)


def of_numeric(fn: Any, args: tuple[Operand, ...]) -> Type:
    """The type of what is computed with numbers or arrays."""
    numbers = all(is_numeric(type_of(a)) for a in args)
    return Numeric() if numbers and traits_of(fn).elementwise is True else None


def by_readings(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Type:
    """The type by the table; of what may be one thing or another, the join of what either gives."""
    if any(map(is_of_two_kinds, (*args, *kwargs.values()))):
        return of_two_kinds(fn, args, kwargs)
    doubtful = [(i, t) for i, a in enumerate(args) if isinstance(t := type_of(a), Numeric)]
    if len(doubtful) != 1 or not doubtful[0][1].readings:
        return by_table(fn, args, kwargs)
    (i, kind) = doubtful[0]
    found = [by_table(fn, (*args[:i], Value("", t), *args[i + 1 :]), kwargs) for t in kind.readings]
    return functools.reduce(join, found) if all(map(is_numeric, found)) else None


def is_of_two_kinds(x: Operand) -> bool:
    """True of numbers and arrays that are of another kind on some way, and of what holds some."""
    if isinstance(x, Value):
        return readings_of(x.type) is not None
    if isinstance(x, (tuple, list)):
        return any(map(is_of_two_kinds, x))
    return isinstance(x, dict) and any(map(is_of_two_kinds, x.values()))


def of_two_kinds(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Type:
    """The join of what the arguments give as what they are at most, and as what they are at least."""
    most, least = (
        by_readings(fn, tuple(read(a, k) for a in args), {n: read(a, k) for n, a in kwargs.items()})
        for k in range(2)
    )
    if isinstance(most, (Array, Number)) and least is None:  # the power of an int
        return most if most.dtype else replace(most, least="i")
    if most is None and isinstance(least, Array):
        return array(None, least.dims, least.lowest)
    return join(most, least)


def readings_of(kind: Type) -> tuple[Any, ...] | None:
    """What a value is that is of two kinds."""
    if isinstance(kind, (Array, Number)) and kind.least is not None:
        return kind.readings
    return kind.readings if isinstance(kind, Opaque) and kind.whole else None


def read(x: Operand, k: int) -> Operand:
    """An operand with one of its readings."""
    if isinstance(x, Value):
        readings = readings_of(x.type)
        return x if readings is None else Value(x.hint, readings[k])
    if isinstance(x, (tuple, list)):
        return type(x)([read(item, k) for item in x])
    return {n: read(item, k) for n, item in x.items()} if isinstance(x, dict) else x


def by_table(fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Type:
    if fn is BUNDLE:
        return type_of(args[0])
    asked = args[:1] if fn is operator.getitem else [*args, *kwargs.values()]
    if asks_class(fn) and any(map(is_foreign_operand, asked)):
        return None  # whatever its class answers
    try:
        shape = SHAPES.get(fn)
    except TypeError:
        return None
    if fn is operator.getitem and isinstance(type_of(args[0]), Tree) and isinstance(args[1], Value):
        one = type_of(args[1]) not in (None, CUT)  # what nothing is known of may be a slice, too
        return item_type(type_of(args[0])) if one else None
    if fn is linear.stop_gradient:
        return type_of(args[0])
    unknown = len(args) == 1 and (
        type_of(args[0]) in (None, BOTTOM) or isinstance(type_of(args[0]), Numeric)
    )
    if unknown and not kwargs and reduces_all(fn):
        return Array(None, (), None)
    if shape is None and isinstance(fn, np.ufunc):
        shape = elementwise(fn)
    if shape is None and home_of(fn).startswith("numpy.random"):
        return of_draw(
            fn, [described(a) for a in args], {k: described(a) for k, a in kwargs.items()}
        )
    if shape is None and isinstance(fn, types.MethodType):
        return of_distribution(fn, [*args, *kwargs.values()])
    if shape is None:
        return stretched(fn, args)
    found: Type
    puts = traits_of(fn).puts is not None
    positional = [BOTTOM if puts and type_of(a) is BOTTOM else described(a) for a in args]
    try:
        found = shape(*positional, **{k: described(a) for k, a in kwargs.items()})
        return found
    except Exception:
        # A call the table does not foresee: nothing is known, and running it will tell.
        return None


def asks_class(fn: Any) -> bool:
    """True if the class of an operand may say what an operation gives."""
    return not traits_of(fn).answered and not home_of(fn).startswith("retrograd")


def reduces_all(fn: Any) -> bool:
    """True if a call without options makes one number of all entries; ``np.add.reduce`` goes along one axis."""
    whole = not isinstance(own_attribute(fn, "__self__"), np.ufunc)
    return whole and traits_of(fn).reduces is not None


def stretched(fn: Any, args: tuple[Operand, ...]) -> Type:
    """The type of an operation without a shape function: the common shape, or so many results."""
    rule = book.rules.get(fn)
    count = 1 if rule is None else results(rule.differential)
    if count > 1:
        return Tree("tuple", tuple(range(count)), (None,) * count)
    common = broadcast(*map(type_of, args)) if rule is not None and rule.broadcasts else None
    if rule is not None and rule.complex:
        return Array(None, common.dims if isinstance(common, Array) else None, "c")
    return Array(None, common.dims, common.kind) if isinstance(common, Array) else None


@functools.cache
def results(differential: Any) -> int:
    """How many results an operation has: its rule returns a tuple of them."""
    last = source_of(differential).tree.body[-1].value
    return len(last.elts) if type(last).__name__ == "Tuple" else 1


def of_distribution(fn: Any, given: list[Operand]) -> Type:
    """The type of a method of a SciPy distribution: double precision, of the common shape."""
    rule, known = book.rules.get(fn), list(map(type_of, given))
    if (
        rule is None
        or not rule.broadcasts
        or not all(isinstance(t, (Array, Number)) for t in known)
    ):
        return None
    return Array("float64", common_dims(*known), "f")


def item_type(tree: Any) -> Type:
    """The type that all items of a container have."""
    return functools.reduce(join, tree.items) if tree.items else None
