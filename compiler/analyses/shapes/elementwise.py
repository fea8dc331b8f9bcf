"""Shape functions of arithmetic and of the elementary functions, in NumPy and in `math`."""

from __future__ import annotations

import builtins
import cmath
import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ir.lattice import join
from ...ir.types import Array, Number, Stack, Tree, Type, broadcast, join_dims, kind_of
from .table import shape

WIDE = {"b": "bool", "i": "int64", "f": "float64", "c": "complex128"}
WEAK: dict[str, Any] = {"b": np.dtype(bool), "i": int, "f": float, "c": complex}


def as_type(x: Any) -> Type:
    """A literal as a `Number`; types as they are; None where unknown."""
    if isinstance(x, (Array, Number, Tree)):
        return x
    if isinstance(x, (bool, int, float, complex)):
        return Number(np.asarray(x).dtype.kind)
    if isinstance(x, (list, tuple)):  # a display of types and literals
        return Tree(type(x).__name__, tuple(range(len(x))), tuple(map(as_type, x)))
    return None


def as_array(t: Type) -> Array | None:
    """``t`` as the result of a NumPy function: a Python number becomes a NumPy scalar."""
    if isinstance(t, Number):
        return Array(np.dtype(WEAK[t.kind]).name, (), t.kind)
    return t if isinstance(t, Array) else None


def common_dims(*types: Type) -> Any:
    """The dims of an elementwise result; None if unknown."""
    dims: Any = ()
    for t in types:
        dims = join_dims(dims, t.dims) if isinstance(t, (Array, Number)) else None
    return dims


def result_dtypes(ufunc: np.ufunc, types: tuple[Type, ...]) -> list[str | None]:
    """The dtypes of a ufunc's results, by NumPy's own resolution."""
    known = [t for t in types if isinstance(t, Number) or (isinstance(t, Array) and t.dtype)]
    if len(known) != ufunc.nin:
        return [None] * ufunc.nout
    return resolved(
        ufunc, *[(type(t), t.kind if isinstance(t, Number) else t.dtype) for t in known]
    )


@functools.lru_cache(maxsize=4096)
def resolved(ufunc: np.ufunc, *known: tuple[type, str]) -> list[str | None]:
    """The same, of weak kinds and of names of dtypes."""
    unknown: list[Any] = [None] * ufunc.nout
    of = [WEAK[name] if weak is Number else np.dtype(name) for weak, name in known]
    if len(of) == 1 and isinstance(of[0], type):
        of = [np.dtype(of[0])]
    try:
        return [d.name for d in ufunc.resolve_dtypes((*of, *unknown))[ufunc.nin :]]
    except TypeError:
        return unknown


def ufunc_types(ufunc: np.ufunc, *args: Any) -> list[Array | None]:
    """The result types of ``ufunc(*args)``."""
    types = tuple(map(as_type, args))
    kinds = least_kinds(ufunc)
    if not all(isinstance(t, (Array, Number)) for t in types):
        return [Array(None, None, "c") if kind == "c" else None for kind in kinds]
    dims = common_dims(*types)
    dtypes = result_dtypes(ufunc, types)
    likely = widest_kinds(ufunc, types) if dims == () else [None] * ufunc.nout
    return [
        Array(d, dims, np.dtype(d).kind if d else kind or wide)
        for d, kind, wide in zip(dtypes, kinds, likely, strict=True)
    ]


def widest_kinds(ufunc: np.ufunc, types: tuple[Type, ...]) -> list[str | None]:
    """The kinds of numbers that floats or complex numbers of unknown width give.

    >>> widest_kinds(np.add, (Array(None, (), "f"), Number("f"))), widest_kinds(np.less, (Number(),) * 2)
    (['f'], ['b'])
    """
    kinds = [kind_of(t) for t in types]
    if None in kinds or not {"f", "c"}.intersection(kinds):  # type: ignore[arg-type]
        return [None] * ufunc.nout
    of = tuple(Array(WIDE[k], (), k) for k in kinds if k is not None)
    return [np.dtype(d).kind if d else None for d in result_dtypes(ufunc, of)]


@functools.cache
def least_kinds(ufunc: np.ufunc) -> tuple[str, ...]:
    """The kind of each result that every loop of a ufunc has at least: some are always complex."""
    ends = [loop.partition("->")[2] for loop in ufunc.types if "O" not in loop]
    kinds = [[np.dtype(end[k]).kind for end in ends] for k in range(ufunc.nout)]
    return tuple("c" if found and set(found) == {"c"} else "" for found in kinds)


@functools.cache
def elementwise(ufunc: np.ufunc) -> Callable[..., Type]:
    """The shape function of a ufunc: one type, or a tuple of them."""

    def function(*args: Any) -> Type:
        out = ufunc_types(ufunc, *args)
        return out[0] if len(out) == 1 else Tree("tuple", tuple(range(len(out))), tuple(out))

    return function


def of_operator(ufunc: np.ufunc, kind: Callable[..., Any]) -> Callable[..., Type]:
    """An operator: as its ufunc on arrays; between Python numbers of ``kind(*kinds)``."""
    whole = elementwise(ufunc)

    def function(*args: Any) -> Type:
        types = [as_type(x) for x in args]
        if not all(isinstance(t, Number) for t in types):
            return None if None in types else whole(*types)
        result = kind(*(kind_of(t) for t in types))
        return Number(result) if result else None

    return function


def joined(*kinds: str) -> str:
    """Python's kind of a sum: of the widest operand, bools counting as ints."""
    return max(("i", *kinds), key="bifc".index)


def float_joined(*kinds: str) -> str:
    return max(("f", *kinds), key="bifc".index)


def power_kind(x: str, y: str) -> str | None:
    """Unknown for a negative whole power of an int, a broken one of a negative number."""
    if "c" in (x, y):
        return "c"
    return "f" if x == "f" and y in "bi" else None


def bool_kind(*kinds: str) -> str:
    return "b"


def whole_kind(*kinds: str) -> str | None:
    """Whole numbers of whole numbers, bools counting as such; none of others."""
    return "i" if set(kinds) <= {"b", "i"} else None


def bit_kind(*kinds: str) -> str | None:
    """The same, where two bools give a bool."""
    return "b" if set(kinds) == {"b"} else whole_kind(*kinds)


def real_kind(x: str) -> str:
    return "f" if x in "fc" else "i"


shape(operator.add, operator.iadd)(of_operator(np.add, joined))
shape(operator.sub, operator.isub)(of_operator(np.subtract, joined))
shape(operator.mul, operator.imul)(of_operator(np.multiply, joined))
shape(operator.truediv, operator.itruediv)(of_operator(np.divide, float_joined))
shape(operator.mod, operator.imod)(of_operator(np.remainder, joined))
shape(operator.floordiv, operator.ifloordiv)(of_operator(np.floor_divide, joined))
shape(operator.neg)(of_operator(np.negative, joined))
shape(operator.pos)(of_operator(np.positive, joined))
shape(operator.abs, builtins.abs)(of_operator(np.absolute, real_kind))
shape(operator.lt)(of_operator(np.less, bool_kind))
shape(operator.le)(of_operator(np.less_equal, bool_kind))
shape(operator.gt)(of_operator(np.greater, bool_kind))
shape(operator.ge)(of_operator(np.greater_equal, bool_kind))
shape(operator.eq)(of_operator(np.equal, bool_kind))
shape(operator.ne)(of_operator(np.not_equal, bool_kind))


shape(operator.and_, operator.iand)(of_operator(np.bitwise_and, bit_kind))
shape(operator.or_, operator.ior)(of_operator(np.bitwise_or, bit_kind))
shape(operator.xor, operator.ixor)(of_operator(np.bitwise_xor, bit_kind))
shape(operator.lshift)(of_operator(np.left_shift, whole_kind))
shape(operator.rshift)(of_operator(np.right_shift, whole_kind))
shape(operator.invert, operator.inv)(of_operator(np.invert, whole_kind))


@shape(operator.pow, operator.ipow, builtins.pow)
def _(x: Any, y: Any) -> Type:
    base, exponent = as_type(x), as_type(y)
    if not isinstance(base, Number) or not isinstance(exponent, Number):
        return of_operator(np.power, power_kind)(x, y)
    if base.kind in "bi" and type(y) in (int, bool) and y >= 0:
        return Number("i")
    known = power_kind(base.kind, exponent.kind)
    if known is None and is_real_power(x, y, base.kind, exponent.kind):
        known = "f"
    return Number(known) if known else Array(None, (), None)


def is_real_power(x: Any, y: Any, base: str, exponent: str) -> bool:
    """True where one of the two is a literal that says so: a positive number, or a whole exponent."""
    if isinstance(x, (int, float)) and x > 0:
        return "f" in (base, exponent)
    return base == "f" and isinstance(y, float) and y.is_integer()


@shape(builtins.divmod)
def _(x: Any, y: Any) -> Type:
    pair = as_type(x), as_type(y)
    kinds = [t.kind for t in pair if isinstance(t, Number)]
    if len(kinds) == 2:
        part = Number(joined(*kinds))
        return Tree("tuple", (0, 1), (part, part))
    return elementwise(np.divmod)(*pair)


@shape(
    *(
        getattr(math, name)
        for name in [
            "exp",
            "exp2",
            "expm1",
            "log",
            "log2",
            "log10",
            "log1p",
            "sqrt",
            "cbrt",
            "pow",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "atan2",
            "hypot",
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "fabs",
            "copysign",
            "fmod",
            "remainder",
            "ldexp",
            "radians",
            "degrees",
            "erf",
            "erfc",
            "gamma",
            "lgamma",
            "ulp",
        ]
    )
)
def _(*args: Any) -> Type:
    return Number("f")


@shape(math.isnan, math.isinf, math.isfinite, math.isclose, np.allclose, np.array_equal)
def _(*args: Any, **options: Any) -> Type:
    return Number("b")


@shape(np.isclose)
def _(a: Any, b: Any, *tolerances: Any, **options: Any) -> Type:
    return Array("bool", common_dims(as_type(a), as_type(b)), "b")


@shape(np.isreal)
def _(x: Any) -> Type:
    given = as_type(x)
    return Number("b") if isinstance(given, Number) else Array("bool", common_dims(given), "b")


@shape(np.isin, np.isneginf, np.isposinf, np.iscomplex)
def _(x: Any, *others: Any, **options: Any) -> Type:
    return Array("bool", common_dims(as_type(x)), "b")


@shape(np.polynomial.polynomial.polyval)
def _(x: Any, c: Any, tensor: Any = True) -> Type:
    """Of one row of coefficients: the shape of the points."""
    x, c = as_array(as_type(x)), as_array(as_type(c))
    if x is None or c is None or c.rank != 1 or not {x.kind, c.kind} <= {"i", "f", "c"}:
        return None
    kind = max(x.kind, c.kind, key="ifc".index)
    return Array(None, x.dims, kind) if kind != "i" else None


@shape(np.broadcast_arrays)
def _(*args: Any) -> Type:
    """One shape for all, each of its own dtype: a list in older versions of NumPy."""
    types = [as_array(as_type(x)) for x in args]
    if None in types:
        return None
    dims = common_dims(*types)
    items = tuple(t.with_dims(dims) for t in types if t is not None)
    return Tree(type(np.broadcast_arrays(0.0)).__name__, tuple(range(len(items))), items)


@shape(math.floor, math.ceil, math.trunc, builtins.int, builtins.len, np.ndim, np.ndarray.ndim)
def _(*args: Any) -> Type:
    return Number("i")


@shape(
    builtins.isinstance, builtins.callable, builtins.bool, builtins.any, builtins.all, builtins.hasattr, operator.not_,
)  # fmt: skip
def _(*args: Any) -> Type:
    return Number("b")


@shape(builtins.float)
def _(x: Any = 0.0) -> Type:
    return Number("f")


@shape(builtins.complex)
def _(real: Any = 0.0, imag: Any = 0.0) -> Type:
    return Number("c")


@shape(math.modf)
def _(x: Any) -> Type:
    return Tree("tuple", (0, 1), (Number("f"), Number("f")))


@shape(math.frexp)
def _(x: Any) -> Type:
    return Tree("tuple", (0, 1), (Number("f"), Number("i")))


@shape(builtins.max, builtins.min)
def _(*xs: Any) -> Type:
    types = items_of(xs[0]) if len(xs) == 1 else tuple(map(as_type, xs))
    return functools.reduce(either, types) if types else None


def items_of(x: Any) -> tuple[Type, ...]:
    """The types of the items of what is gone over; one of an array of one dimension, or a list known at run time."""
    if isinstance(x, (list, tuple)):
        return tuple(map(as_type, x))
    if isinstance(x, Tree):
        return x.items if x.container in ("list", "tuple") else ()
    if isinstance(x, Stack):
        return () if x.keyed else (x.item, x.item)
    known = as_type(x)
    return (
        (Array(known.dtype, (), known.kind),)
        if isinstance(known, Array) and known.rank == 1
        else ()
    )


def either(a: Type, b: Type) -> Type:
    """The type of one of two numbers, chosen by size."""
    if not isinstance(a, (Array, Number)) or not isinstance(b, (Array, Number)):
        return None
    if a.dims != () or b.dims != ():
        return None
    return join(a, b)


def like_where(*types: Type, value: Type) -> Type:
    """The type of ``np.where(mask of types, value, 0)``; a number takes an unknown precision."""
    whole = as_array(broadcast(value, Number("i")))
    if whole is not None and isinstance(value, Number):
        whole = Array(None, (), None)
    return None if whole is None else whole.with_dims(common_dims(value, *types))


@shape(np.where)
def _(condition: Any, x: Any = None, y: Any = None) -> Type:
    whole = as_array(broadcast(as_type(x), as_type(y)))
    if whole is None:
        return None
    return whole.with_dims(common_dims(as_type(condition), as_type(x), as_type(y)))


@shape(np.clip, np.ndarray.clip)
def _(a: Any, a_min: Any = None, a_max: Any = None, min: Any = None, max: Any = None) -> Type:
    bounds = [x for x in (a_min, a_max, min, max) if x is not None]
    return as_array(broadcast(*map(as_type, (a, *bounds))))


@shape(np.select)
def _(condlist: Any, choicelist: Any, default: Any = 0) -> Type:
    if not isinstance(choicelist, Tree) or not isinstance(condlist, Tree):
        return None
    whole = as_array(broadcast(*choicelist.items, as_type(default)))
    if whole is None:
        return None
    return whole.with_dims(common_dims(whole, *condlist.items))


@shape(np.real, np.ndarray.real, np.imag, np.ndarray.imag)
def _(x: Any) -> Type:
    t = as_type(x)
    if isinstance(t, Number):
        return Number(real_kind(t.kind))
    return real_of(t)


def real_of(t: Type) -> Array | None:
    """The array type of the real part."""
    if not isinstance(t, Array):
        return None
    if t.dtype is None:
        return t if t.kind in ("b", "i", "f") else Array(None, t.dims, "f")
    return t.with_dtype(np.zeros(0, t.dtype).real.dtype.name)


@shape(np.ndarray.conj, np.ndarray.conjugate)
def _(x: Any) -> Type:
    return as_type(x)


def floated(t: Array) -> Array:
    """The float array that a NumPy function makes of integers."""
    return Array("float64", t.dims, "f") if t.dtype == "int64" else Array(None, t.dims)


@shape(np.angle)
def _(z: Any, deg: Any = False) -> Type:
    t = real_of(as_array(as_type(z)))
    return t if t is None or t.kind == "f" else floated(t)


@shape(np.sinc, np.i0)
def _(x: Any) -> Type:
    t = as_array(as_type(x))
    if t is None or t.kind in ("f", "c"):
        return t
    return floated(t)


@shape(np.nan_to_num)
def _(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Type:
    return as_array(as_type(x))


@shape(np.round, np.around, np.ndarray.round, np.fix)
def _(a: Any, decimals: Any = 0) -> Type:
    t = as_array(as_type(a))
    return t if t is not None and t.kind in ("f", "c") else None


@shape(
    cmath.exp, cmath.log, cmath.log10, cmath.sqrt, cmath.sin, cmath.cos, cmath.tan, cmath.asin,
    cmath.acos, cmath.atan, cmath.sinh, cmath.cosh, cmath.tanh, cmath.asinh, cmath.acosh,
    cmath.atanh, cmath.rect,
)  # fmt: skip
def _(*args: Any) -> Type:
    return Number("c")
