"""Attributes and calls: a table of what is known of each function."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from . import elementwise, linalg, products, reductions, runtime_calls, runtime_shaping, shaping
from .elementwise import UFUNCS, cast, literal, mapped
from .indexing import add_at
from .loop_ir import Lit, Op, affine, integer, minus, plus, times
from .values import Constant, Items, Iteration, Scalar, Tape, Unsupported, View, all_weak, scalar

if TYPE_CHECKING:
    from .reader import Reader

from .expressions import evaluate, known

__all__ = ["attribute", "call", "common", "where"]


# -- attributes -----------------------------------------------------------------------------


def attribute(r: Reader, node: ast.Attribute) -> Any:
    owner = evaluate(r, node.value)
    return attribute_of(r, owner, node.attr)


def attribute_of(r: Reader, owner: Any, attr: str) -> Any:
    if isinstance(owner, Constant) and not isinstance(owner.value, (str, type(None))):
        try:
            return known(getattr(owner.value, attr))
        except AttributeError:
            raise Unsupported(f"the attribute {attr}") from None
    if isinstance(owner, Items) and owner.kind == "SlogdetResult" and attr in ("sign", "logabsdet"):
        return owner.values[attr == "logabsdet"]
    if isinstance(owner, (View, Scalar)):
        if attr == "shape":
            return Items(tuple(Scalar(affine(n)) for n in owner.dims))
        if attr == "ndim":
            return scalar(len(owner.dims))
        if attr == "size":
            return Scalar(shaping.size_of(owner.dims))
        if attr == "dtype" and not (isinstance(owner, Scalar) and owner.weak):
            from .values import dtype_of

            return Constant(dtype_of(owner.dtype))
        if attr == "T" and isinstance(owner, View):
            return shaping.transposed(r, owner)
        if attr == "real":
            return owner
        if attr in METHODS:
            return Constant(functools.partial(METHODS[attr], r, owner))
    raise Unsupported(f"the attribute `{attr}`")


METHODS: dict[str, Any] = {
    "copy": lambda r, x: shaping.copy(r, x),
    "sum": reductions.total,
    "mean": reductions.mean,
    "max": functools.partial(reductions.extreme, np.maximum),
    "min": functools.partial(reductions.extreme, np.minimum),
    "reshape": shaping.reshape_method,
    "ravel": lambda r, x: shaping.reshape(r, x, scalar(-1)),
    "flatten": lambda r, x: shaping.reshape(r, x, scalar(-1)),
    "swapaxes": shaping.swapaxes,
    "transpose": shaping.transpose_method,
    "astype": shaping.astype,
    "dot": products.dot,
}


# -- calls ------------------------------------------------------------------------------


def call(r: Reader, node: ast.Call) -> Any:
    fn = evaluate(r, node.func)
    args: list[Any] = []
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            inner = evaluate(r, arg.value)
            if not isinstance(inner, Items):
                raise Unsupported("a starred array")
            args += inner.values
        else:
            args.append(evaluate(r, arg))
    if any(k.arg is None for k in node.keywords):
        raise Unsupported("keywords of a dict")
    kwargs = {str(k.arg): evaluate(r, k.value) for k in node.keywords}
    if not isinstance(fn, Constant):
        raise Unsupported(f"a call of `{ast.unparse(node.func)}`")
    return called(r, fn.value, args, kwargs, ast.unparse(node.func))


def called(r: Reader, fn: Any, args: list[Any], kwargs: dict[str, Any], text: str) -> Any:
    """``fn(*args, **kwargs)`` for a function that is known."""
    handler = handler_of(fn)
    if handler is not None:
        try:
            inspect.signature(handler).bind(r, *args, **kwargs)
        except TypeError:
            raise Unsupported(f"these arguments of {text}") from None
        return handler(r, *args, **kwargs)
    if isinstance(fn, functools.partial):
        return fn(*args, **kwargs)
    if isinstance(fn, np.ufunc) and fn in UFUNCS and not kwargs and len(args) == fn.nin:
        return elementwise.elementwise(r, fn, *args)
    if isinstance(fn, np.ufunc) and not kwargs and fn.__name__ in SPECIAL and is_scipy(fn):
        return special(r, fn.__name__, args)
    if isinstance(fn, types.BuiltinFunctionType) and fn.__module__ == "math" and not kwargs:
        return elementwise.math_call(r, fn.__name__, args)
    if isinstance(fn, types.FunctionType):
        return of_text(r, fn, args, kwargs)
    raise Unsupported(text)


SPECIAL = ("erf", "erfc", "expit", "ndtr")


def is_scipy(fn: Any) -> bool:
    special_functions = sys.modules.get("scipy.special")
    return getattr(special_functions, fn.__name__, None) is fn


def special(r: Reader, name: str, args: list[Any]) -> Any:
    """A function of ``scipy.special`` that the inline math has, too."""
    (x,) = (r.array(a) for a in args)
    dtype = "f4" if x.dtype == "f4" else "f8"

    def point(e: Any) -> Any:
        e = cast(e, dtype)
        if name == "expit":
            return Op("sigmoid", (e,), dtype)
        if name == "ndtr":
            scaled = Op("multiply", (e, Lit(-(0.5**0.5), dtype)), dtype)
            return Op("multiply", (Lit(0.5, dtype), Op("erfc", (scaled,), dtype)), dtype)
        return Op(name, (e,), dtype)

    return mapped(r, point, dtype, (x,))


def of_text(r: Reader, fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of another function of the module."""
    from .statements import inlined

    definition = r.functions.get(fn.__name__)
    if definition is None or fn.__globals__ is not r.scope:
        raise Unsupported(f"{fn.__module__}.{fn.__name__}".replace("retrograd.runtime.", "rt."))
    return inlined(r, definition, args, kwargs)


def handler_of(fn: Any) -> Any:
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, np.ufunc):
        return UFUNC_METHODS.get((owner, fn.__name__))
    try:
        found = HANDLERS.get(fn)
    except TypeError:
        return None
    if found is None and (getattr(fn, "__module__", None) or "").startswith("retrograd.runtime"):
        found = RUNTIME.get(fn.__name__)
    return found


def range_(r: Reader, *args: Any) -> Iteration:
    values = [r.integer(a) for a in args]
    lo, hi, step = {1: (integer(0), *values, integer(1)), 2: (*values, integer(1))}.get(
        len(values), tuple(values)
    )
    k = literal(step)
    if k is None or k == 0:
        raise Unsupported("a range whose step is not known")
    if k == 1:
        count = Op("maximum", (minus(hi, lo), integer(0)), "i8")
        return Iteration(r.named(count, "count"), lambda i: Scalar(affine(i)), (lo, hi))
    gap = minus(hi, lo) if k > 0 else minus(lo, hi)
    steps = Op("floor_divide", (plus(gap, abs(k) - 1), affine(abs(k))), "i8")
    count = r.named(Op("maximum", (affine(r.named(steps)), integer(0)), "i8"), "count")
    return Iteration(count, lambda i: Scalar(plus(lo, times(k, i))))


def reversed_(r: Reader, value: Any) -> Iteration:
    from .looping import iteration

    over = iteration(r, value)
    return Iteration(over.count, over.element, over.direct, not over.backwards)


def zip_(r: Reader, *values: Any, strict: Any = None) -> Iteration:
    from .looping import iteration

    parts = [iteration(r, v) for v in values]
    count = parts[0].count
    for part in parts[1:]:
        if r.norm(part.count) != r.norm(count):
            r.bail(Op("not_equal", (affine(part.count), affine(count)), "b1"))

    def element(k: Any) -> Any:
        return Items(tuple(p.element(position(p, k)) for p in parts))

    def position(part: Iteration, k: Any) -> Any:
        at = minus(minus(count, 1), k) if part.backwards else affine(k)
        return plus(part.direct[0], at) if part.direct else at

    return Iteration(count, element)


def enumerate_(r: Reader, value: Any, start: Any = None) -> Iteration:
    first = integer(0) if start is None else r.integer(start)
    over = zip_(r, value)
    return Iteration(
        over.count, lambda k: Items((Scalar(plus(first, k)), over.element(k).values[0]))
    )


def length(r: Reader, value: Any) -> Scalar:
    from .tapes import count_of

    if isinstance(value, Items):
        return scalar(len(value.values))
    if isinstance(value, Tape):
        return Scalar(r.named(count_of(r, value), "count"))
    if isinstance(value, Iteration):
        return Scalar(affine(value.count))
    if isinstance(value, View) and value.dims:
        return Scalar(affine(value.dims[0]))
    raise Unsupported("the length of this")


def float_(r: Reader, value: Any) -> Scalar:
    return Scalar(cast(r.number(value).expr, "f8"))


def int_(r: Reader, value: Any) -> Scalar:
    found = r.number(value)
    if found.dtype[0] == "f":
        raise Unsupported("int() of a float")
    e = r.named(cast(found.expr, "i8"))
    if found.weak is not True and found.literal is None:
        r.check_small(e)
    return Scalar(e)


def abs_(r: Reader, value: Any) -> Any:
    value = r.array(value)
    return elementwise.elementwise(r, np.absolute, value, weak=all_weak(value))


def pick(r: Reader, better: str, args: tuple[Any, ...]) -> Any:
    """``max`` / ``min`` of numbers, or of a container of them: the first of equal ones."""
    if len(args) == 1 and isinstance(args[0], Items):
        args = args[0].values
    numbers = [r.number(a) for a in args]
    kinds = {n.dtype for n in numbers}
    if len(kinds) != 1:
        raise Unsupported("max() of different kinds")
    (kind,) = kinds
    best, weak = r.named(numbers[0].expr), numbers[0].weak
    for other in numbers[1:]:
        e = r.named(other.expr)
        taken = r.named(Op(better, (e, best), "b1"))
        if weak is not other.weak:
            soft = Op("where", (taken, other.softness, Scalar(best, weak).softness), "b1")
            weak = r.named(soft)
        best = r.named(Op("where", (taken, e, best), kind))
    return Scalar(best, weak)


def where(r: Reader, cond: Any, a: Any, b: Any) -> Any:
    cond, a, b = (r.array(v) for v in (cond, a, b))
    dtype = common(a, b)
    return mapped(
        r,
        lambda c, x, y: Op("where", (cast(c, "b1"), cast(x, dtype), cast(y, dtype)), dtype),
        dtype,
        (cond, a, b),
    )


def common(*values: Any) -> str:
    """The dtype of several values together."""
    from .values import code_of, dtype_of

    weak = {"f8": 1.0, "i8": 1, "b1": True}

    def found(mixed: bool) -> str:
        given = [
            weak[v.dtype]
            if isinstance(v, Scalar) and (mixed if v.mixed else v.weak)
            else dtype_of(v.dtype)
            for v in values
        ]
        return code_of(np.result_type(*given))

    if found(True) != found(False):
        raise Unsupported("a number that is Python's or NumPy's, of another dtype")
    return found(True)


def clip(r: Reader, x: Any, a_min: Any = None, a_max: Any = None) -> Any:
    value = x
    for limit, pick_ in ((a_min, np.maximum), (a_max, np.minimum)):
        if limit is not None and not (isinstance(limit, Constant) and limit.value is None):
            value = elementwise.elementwise(r, pick_, value, limit)
    return value


def isinstance_(r: Reader, value: Any, cls: Any) -> Any:
    classes = cls.value if isinstance(cls, Constant) else r.literal(cls)
    classes = classes if isinstance(classes, tuple) else (classes,)
    kind: Any
    if isinstance(value, View):
        kind = np.ndarray
    elif isinstance(value, Scalar):
        from .values import dtype_of

        if value.mixed:
            raise Unsupported("isinstance of a number that is Python's or NumPy's")
        kind = (
            {"f8": float, "i8": int, "b1": bool}[value.dtype]
            if value.weak
            else dtype_of(value.dtype).type
        )
    elif isinstance(value, Items):
        kind = {"list": list, "dict": dict}.get(value.kind, tuple)
    else:
        raise Unsupported("isinstance of this")
    return scalar(any(issubclass(kind, c) for c in classes))


def same(r: Reader, value: Any, *rest: Any) -> Any:
    """A function that gives back its first argument."""
    return value


def like_first(r: Reader, c: Any, like: Any) -> Any:
    """``rt.unbroadcast``: sums over what was stretched."""
    return reductions.unbroadcast(r, c, like)


def if_float(r: Reader, c: Any, like: Any) -> Any:
    if r.array(like).dtype[0] != "f":
        raise Unsupported("rt.if_float of an integer")
    return c


def sum_of(r: Reader, a: Any, b: Any) -> Any:
    """``rt.add``: of containers by their leaves; None is zero."""
    if isinstance(a, Constant) and a.value is None:
        return b
    if isinstance(b, Constant) and b.value is None:
        return a
    if isinstance(a, Items) and isinstance(b, Items) and a.keys == b.keys:
        if len(a.values) != len(b.values):
            raise Unsupported("rt.add of containers of different sizes")
        values = tuple(sum_of(r, x, y) for x, y in zip(a.values, b.values, strict=True))
        return Items(values, a.keys, a.kind)
    if isinstance(a, Items) or isinstance(b, Items):
        raise Unsupported("rt.add of different containers")
    return elementwise.binary(r, ast.Add(), a, b)


def sign(r: Reader, x: Any) -> Any:
    """``rt.sign``: a Python number's is one, too."""
    x = r.array(x)
    return elementwise.elementwise(r, np.sign, x, weak=all_weak(x))


HANDLERS: dict[Any, Any] = {
    range: range_, reversed: reversed_, zip: zip_, enumerate: enumerate_, len: length,
    float: float_, int: int_, abs: abs_, isinstance: isinstance_,
    max: lambda r, *xs: pick(r, "greater", xs), min: lambda r, *xs: pick(r, "less", xs),
    tuple: same, np.where: where, np.clip: clip, np.abs: abs_,
    np.sum: reductions.total, np.mean: reductions.mean,
    np.max: functools.partial(reductions.extreme, np.maximum),
    np.min: functools.partial(reductions.extreme, np.minimum),
    np.dot: products.dot, np.matmul: products.matmul, np.outer: products.outer,
    np.vdot: products.dot, np.inner: products.inner,
    np.zeros: shaping.zeros, np.ones: shaping.ones, np.empty: shaping.zeros, np.full: shaping.full,
    np.zeros_like: shaping.zeros_like, np.empty_like: shaping.zeros_like,
    np.ones_like: shaping.ones_like,
    np.broadcast_to: shaping.broadcast_to, np.reshape: shaping.reshape,
    np.transpose: shaping.transposed, np.swapaxes: shaping.swapaxes, np.ravel: lambda r, x: shaping.reshape(r, x, scalar(-1)),
    np.expand_dims: shaping.expand_dims, np.squeeze: shaping.squeeze, np.copy: shaping.copy,
    np.concatenate: shaping.concatenate, np.stack: shaping.stack, np.arange: shaping.arange,
    np.array: shaping.array, np.asarray: shaping.array, np.shape: lambda r, x: attribute_of(r, x, "shape"),
    np.size: lambda r, x: attribute_of(r, x, "size"), np.ndim: lambda r, x: attribute_of(r, x, "ndim"),
    np.float64: lambda r, x: shaping.numpy_number(r, x, "f8"),
    np.float32: lambda r, x: shaping.numpy_number(r, x, "f4"),
    np.conj: same, np.real: same, np.diff: shaping.diff, np.roll: shaping.roll, np.flip: shaping.flip,
    np.take: shaping.take, np.cumsum: reductions.cumsum, np.diag: shaping.diag, np.eye: shaping.eye,
    np.linspace: shaping.linspace, np.trace: shaping.trace,
    np.linalg.solve: linalg.solve, np.linalg.inv: linalg.inv, np.linalg.det: linalg.det,
    np.linalg.slogdet: linalg.slogdet, np.linalg.cholesky: linalg.cholesky, np.linalg.norm: linalg.norm,
}  # fmt: skip
RUNTIME: dict[str, Any] = {
    "stop_gradient": same, "mul": lambda r, a, b: elementwise.binary(r, ast.Mult(), a, b),
    "div": lambda r, a, b: elementwise.binary(r, ast.Div(), a, b),
    "add": sum_of,
    "copy": shaping.copy, "zeros_like": shaping.zero_of, "unbroadcast": like_first,
    "stretch": shaping.stretch, "index_add": lambda r, x, i, v: runtime_shaping.index_add(r, x, i, v, add_at),
    "match": runtime_shaping.match, "if_larger": runtime_shaping.if_larger, "sign": sign,
    "unreduce": reductions.unreduce, "one_less": lambda r, k: Scalar(minus(r.integer(k), 1)),
    "split_like": runtime_shaping.split_like,
    "unstack_like": runtime_shaping.unstack_like,
    "untake": runtime_shaping.untake,
    "check_scalar": same, "scatter": runtime_shaping.scatter, "reshape_like": shaping.reshape_like,
    "if_float": if_float, "hermitian": linalg.hermitian,
    **{f.__name__: f for f in (
        runtime_calls.div0, runtime_calls.divide_or_zero, runtime_calls.if_inside, runtime_calls.mul0,
        runtime_calls.share, runtime_calls.share_ties, runtime_calls.uncumsum,
    )},
}  # fmt: skip
UFUNC_METHODS: dict[Any, Any] = {
    (np.add, "reduce"): reductions.add_reduce,
    (np.maximum, "reduce"): functools.partial(reductions.extreme_reduce, np.maximum),
    (np.minimum, "reduce"): functools.partial(reductions.extreme_reduce, np.minimum),
    (np.multiply, "reduce"): reductions.product_reduce,
    (np.add, "at"): lambda r, x, i, v: add_at(r, x, i, v),
    (np.multiply, "outer"): products.outer,
}
BUILTINS: dict[str, Any] = {
    f.__name__: f
    for f in (
        range,
        reversed,
        zip,
        enumerate,
        len,
        float,
        int,
        abs,
        isinstance,
        max,
        min,
        tuple,
        bool,
    )
}
