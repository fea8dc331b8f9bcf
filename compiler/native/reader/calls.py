"""Attributes and calls: a table of what is known of each function."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd import runtime
from retrograd.runtime.objects import homes

from ..loop_ir.ir import Lit, Op, affine, integer, minus
from . import ranges, runtime_calls, runtime_shaping
from .helper_texts import is_helper, texts_of
from .indexing import add_at
from .module_objects import is_fixed, known
from .numpy import elementwise, joining, linalg, norms, products, reductions, searching, shaping
from .numpy.elementwise import UFUNCS, cast, mapped
from .values import (
    Constant,
    Items,
    Scalar,
    Unsupported,
    View,
    all_weak,
    code_of,
    dtype_of,
    scalar,
)

if TYPE_CHECKING:
    from .reader import Reader

from .expressions import evaluate

__all__ = ["attribute", "call", "common", "where"]


# -- attributes -----------------------------------------------------------------------------


def attribute(r: Reader, node: ast.Attribute) -> Any:
    owner = evaluate(r, node.value)
    return attribute_of(r, owner, node.attr)


def attribute_of(r: Reader, owner: Any, attr: str) -> Any:
    if isinstance(owner, Constant) and owner.value is not None and is_fixed(owner.value):
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
    "argmax": functools.partial(searching.arg_extreme, "greater"),
    "argmin": functools.partial(searching.arg_extreme, "less"),
    "any": functools.partial(searching.holds, False),
    "all": functools.partial(searching.holds, True),
    "var": lambda r, x, *a, **k: reductions.variance(r, x, *a, **k),
    "std": lambda r, x, *a, **k: reductions.deviation(r, x, *a, **k),
    "prod": lambda r, x, *a, **k: reductions.product(r, x, *a, **k),
    "cumsum": reductions.cumsum,
    "diagonal": joining.diagonal,
    "trace": shaping.trace,
    "searchsorted": searching.searchsorted,
    "clip": lambda r, x, *a, **k: clip(r, x, *a, **k),
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


def at_once(r: Reader, fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a helper gives for arguments that are all known."""
    try:
        given = [r.literal(a) for a in args], {k: r.literal(v) for k, v in kwargs.items()}
    except Unsupported:
        return None
    try:
        found = fn(*given[0], **given[1])
    except Exception:
        return None
    plain = isinstance(found, (int, float, str, tuple)) and not isinstance(found, np.generic)
    return known(found) if plain else None


SPECIAL = ("erf", "erfc", "expit", "ndtr")


def is_scipy(fn: Any) -> bool:
    special_functions = sys.modules.get("scipy.special")
    return getattr(special_functions, fn.__name__, None) is fn


def is_scipy_linalg(fn: Any, name: str) -> bool:
    module = sys.modules.get("scipy.linalg")
    return module is not None and getattr(module, name, None) is fn


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
    """A call of another function of the module, or of a helper of the runtime."""
    from .statements import inlined

    if fn.__globals__ is r.scope and fn.__name__ in r.functions:
        return inlined(r, r.functions[fn.__name__], args, kwargs)
    if is_helper(fn) and (done := at_once(r, fn, args, kwargs)) is not None:
        return done
    if not is_helper(fn):
        raise Unsupported(f"{fn.__module__}.{fn.__name__}")
    texts = texts_of(fn.__module__)
    if fn.__name__ not in texts:
        raise Unsupported(f"rt.{fn.__name__}")
    try:
        with r.elsewhere(fn.__globals__, texts):
            return inlined(r, texts[fn.__name__], args, kwargs)
    except Unsupported as error:  # its lines are not those of the text
        raise Unsupported(f"rt.{fn.__name__}") from error


def handler_of(fn: Any) -> Any:
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, np.ufunc):
        return UFUNC_METHODS.get((owner, fn.__name__))
    from .python_calls import PYTHON

    try:
        found = HANDLERS.get(fn) or PYTHON.get(fn)
    except TypeError:
        return None
    if found is None and is_scipy_linalg(fn, "solve_triangular"):
        return linalg.solve_triangular
    if found is None and (getattr(fn, "__module__", None) or "").startswith(homes.RUNTIME):
        found = RUNTIME.get(fn.__name__)
        if found is not None and getattr(runtime, fn.__name__, fn) is not fn:
            return None  # another one of that name, of a module of its own
    return found


def result_type(r: Reader, *values: Any) -> Constant:
    """``np.result_type``."""
    parts = [v for v in values if not isinstance(v, Constant)]
    known_types = [np.dtype(v.value) for v in values if isinstance(v, Constant)]
    if any(isinstance(v, Items) for v in parts):
        raise Unsupported("np.result_type of this")
    found = [dtype_of(common(*parts))] if parts else []
    return Constant(np.result_type(*found, *known_types))


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


def same(r: Reader, value: Any, *rest: Any) -> Any:
    """A function that gives back its first argument."""
    return value


def like_first(r: Reader, c: Any, like: Any) -> Any:
    """``rt.unbroadcast``: sums over what was stretched."""
    return reductions.unbroadcast(r, c, like)


def cast_like(r: Reader, c: Any, like: Any) -> Any:
    """``rt.cast``: in the precision of what has one."""
    if isinstance(c, Items):
        raise Unsupported("rt.cast of a container")
    c, like = r.array(c), r.array(like)
    if any(isinstance(v, Scalar) and v.mixed and v.dtype != "f8" for v in (c, like)):
        raise Unsupported("rt.cast of a number that is Python's or NumPy's")
    typed = not (isinstance(like, Scalar) and like.weak) and like.dtype[0] == "f"
    if not typed or c.dtype == like.dtype or (isinstance(c, Scalar) and c.weak):
        return c
    return shaping.astype(r, c, Constant(dtype_of(like.dtype)))


def one_less(r: Reader, y: Any, x: Any = None) -> Any:
    """``rt.one_less``: the exponent of the slope of a power of a Python number."""
    y = r.number(y)
    if y.weak is not True:
        raise Unsupported("rt.one_less of this")
    if y.dtype == "i8":
        if y.literal == 0:
            base = r.number(x)
            if base.weak is not True:
                raise Unsupported("rt.one_less of 0")
            zero = Op("not_equal", (cast(base.expr, "f8"), Lit(0.0, "f8")), "b1")
            return Scalar(r.named(Op("negative", (cast(zero, "i8"),), "i8")))
        if y.literal is None:
            r.bail(Op("equal", (y.expr, integer(0)), "b1"))
        return Scalar(minus(y.expr, 1))
    if y.literal is None:
        r.bail(Op("equal", (y.expr, Lit(0.0, "f8")), "b1"))
    return Scalar(Op("subtract", (y.expr, Lit(1.0, "f8")), "f8"))


def direction_count(r: Reader, tree: Any) -> Any:
    """``rt.direction_count``: the size of the last axis."""
    if isinstance(tree, Items):
        leaf = next((v for v in tree.values if isinstance(v, (View, Items))), None)
        return direction_count(r, leaf)
    if not isinstance(tree, View) or not tree.dims:
        raise Unsupported("directions of this")
    return Scalar(affine(tree.dims[-1]))


def repeated(r: Reader, x: Any, k: Any) -> Any:
    """``rt.repeated``: the same in each direction, as memory of its own."""
    if isinstance(x, Items):
        return Items(tuple(repeated(r, v, k) for v in x.values), x.keys, x.kind)
    x = r.array(x)
    if x.dtype[0] != "f":
        return x
    dims = (*x.dims, r.norm(r.integer(k)))
    if isinstance(x, Scalar):
        return r.copied(View(dims, x.dtype, lambda _: x.expr))
    whole = r.materialised(x)
    return r.copied(View(dims, x.dtype, lambda index: whole.at(index[:-1])))


def typed(r: Reader, c: Any, like: Any) -> Any:
    """``rt.typed`` of what is an array."""
    if not isinstance(c, View):
        raise Unsupported("rt.typed of a number")
    return c


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
    listed = [isinstance(v, View) and v.listed for v in (a, b)]
    if any(listed) and not all(listed):
        raise Unsupported("rt.add of a list and an array")
    found = elementwise.binary(r, ast.Add(), a, b)
    return replace(r.materialised(found), listed=True) if any(listed) else found


def absolute(r: Reader, x: Any) -> Any:
    """``np.abs``."""
    return elementwise.elementwise(r, np.absolute, r.array(x))


def sign(r: Reader, x: Any) -> Any:
    """``rt.sign``: a Python number's is one, too."""
    x = r.array(x)
    return elementwise.elementwise(r, np.sign, x, weak=all_weak(x))


def einsum(r: Reader, subscripts: Any, *operands: Any, optimize: Any = None) -> Any:
    """``np.einsum``: ``optimize`` asks for another order of the same sums."""
    from .numpy.einsum import einsum as of_letters

    return of_letters(r, subscripts, *operands)


def einsum_pull(r: Reader, *args: Any) -> Any:
    from .numpy.einsum import einsum_pull as of_letters

    return of_letters(r, *args)


HANDLERS: dict[Any, Any] = {
    np.result_type: result_type, np.iscomplexobj: lambda r, x: scalar(False), np.where: where, np.clip: clip, np.abs: absolute,
    np.sum: reductions.total, np.mean: reductions.mean,
    np.max: functools.partial(reductions.extreme, np.maximum),
    np.min: functools.partial(reductions.extreme, np.minimum),
    np.dot: products.dot, np.matmul: products.matmul, np.outer: products.outer,
    np.vdot: products.vdot, np.inner: products.inner,
    np.zeros: shaping.zeros, np.ones: shaping.ones, np.empty: shaping.zeros, np.full: shaping.full,
    np.zeros_like: shaping.zeros_like, np.empty_like: shaping.zeros_like,
    np.ones_like: shaping.ones_like,
    np.broadcast_to: shaping.broadcast_to, np.reshape: shaping.reshape,
    np.transpose: shaping.transposed, np.swapaxes: shaping.swapaxes, np.ravel: lambda r, x: shaping.reshape(r, x, scalar(-1)),
    np.expand_dims: shaping.expand_dims, np.squeeze: shaping.squeeze, np.copy: shaping.copy,
    np.concatenate: shaping.concatenate, np.stack: joining.stack, np.arange: ranges.arange,
    np.array: joining.array_of, np.asarray: joining.array_of, np.shape: lambda r, x: attribute_of(r, x, "shape"),
    np.size: lambda r, x: attribute_of(r, x, "size"), np.ndim: lambda r, x: attribute_of(r, x, "ndim"),
    np.float64: lambda r, x: shaping.numpy_number(r, x, "f8"),
    np.float32: lambda r, x: shaping.numpy_number(r, x, "f4"),
    np.conj: same, np.real: same, np.diff: shaping.diff, np.roll: shaping.roll, np.flip: shaping.flip,
    np.take: shaping.take, np.cumsum: reductions.cumsum, np.diag: joining.diag, np.eye: ranges.eye,
    np.linspace: ranges.linspace, np.trace: shaping.trace, np.diagonal: joining.diagonal,
    np.triu: functools.partial(joining.triangle, True), np.tril: functools.partial(joining.triangle, False),
    np.split: joining.split, np.searchsorted: searching.searchsorted,
    np.argmax: functools.partial(searching.arg_extreme, "greater"),
    np.argmin: functools.partial(searching.arg_extreme, "less"),
    np.any: functools.partial(searching.holds, False), np.all: functools.partial(searching.holds, True),
    np.var: reductions.variance, np.std: reductions.deviation, np.prod: reductions.product,
    np.einsum: einsum, np.moveaxis: joining.moveaxis,
    np.linalg.solve: linalg.solve, np.linalg.inv: linalg.inv, np.linalg.det: linalg.det,
    np.linalg.slogdet: linalg.slogdet, np.linalg.cholesky: linalg.cholesky, np.linalg.norm: norms.norm,
}  # fmt: skip
RUNTIME: dict[str, Any] = {
    "stop_gradient": same, "mul": lambda r, a, b: elementwise.binary(r, ast.Mult(), a, b),
    "div": lambda r, a, b: elementwise.binary(r, ast.Div(), a, b),
    "add": sum_of,
    "copy": shaping.copy, "zeros_like": shaping.zero_of, "unbroadcast": like_first,
    "stretch": shaping.stretch, "index_add": lambda r, x, i, v: runtime_shaping.index_add(r, x, i, v, add_at),
    "match": runtime_shaping.match, "if_larger": runtime_shaping.if_larger, "sign": sign,
    "unreduce": reductions.unreduce,
    "split_like": runtime_shaping.split_like,
    "unstack_like": runtime_shaping.unstack_like,
    "untake": runtime_shaping.untake, "unpack": runtime_shaping.unpack,
    "check_scalar": same, "direction_count": direction_count, "repeated": repeated, "scatter": runtime_shaping.scatter, "reshape_like": shaping.reshape_like,
    "cast": cast_like, "typed": typed, "undiagonal": joining.undiagonal, "one_less": one_less, "count": reductions.count, "einsum_pull": einsum_pull, "unsplit": joining.unsplit, "cofactor": linalg.cofactor, "spread": runtime_shaping.spread, "untrace": joining.untrace,
    "undiff": runtime_shaping.undiff, "sum_to": reductions.sum_to, "norm_weight": norms.norm_weight,
    "if_float": if_float, "hermitian": linalg.hermitian,
    **{f.__name__: f for f in (
        runtime_calls.div0, runtime_calls.divide_or_zero, runtime_calls.if_inside, runtime_calls.mul0,
        runtime_calls.others, runtime_calls.share, runtime_calls.share_ties, runtime_calls.steps, runtime_calls.uncumsum,
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
