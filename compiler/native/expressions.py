"""Expressions of the emitted text: names, attributes, calls."""

from __future__ import annotations

import ast
import functools
import inspect
import operator
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from . import elementwise, products, reductions, runtime_calls, shaping
from .elementwise import UFUNCS, cast, literal, mapped
from .indexing import add_at, subscript
from .loop_ir import Op, affine, integer, minus, plus, times
from .tapes import new_tape
from .values import Constant, Either, Items, Iteration, Scalar, Tape, Unsupported, View, scalar

if TYPE_CHECKING:
    from .reader import Reader

__all__ = ["evaluate", "truth"]


def evaluate(r: Reader, node: ast.expr) -> Any:
    """The value of an expression."""
    reader = READERS.get(type(node))
    if reader is None:
        raise Unsupported(f"`{ast.unparse(node)}`")
    return reader(r, node)


def truth(r: Reader, value: Any) -> Any:
    """A condition: ``True``, ``False``, or an expression."""
    if isinstance(value, Constant):
        return bool(value.value)
    if isinstance(value, Items):
        return bool(value.values)
    found = r.number(value)
    known = found.literal
    return bool(known) if known is not None else cast(found.expr, "b1")


def name(r: Reader, node: ast.Name) -> Any:
    if node.id in r.env:
        return chosen(r, r.env[node.id])
    if node.id in r.scope:
        return known(r.scope[node.id])
    builtin = BUILTINS.get(node.id)
    if builtin is None:
        raise Unsupported(f"the name `{node.id}`")
    return Constant(builtin)


def chosen(r: Reader, value: Any) -> Any:
    """What a name stands for on this side of a branch that is taken again."""
    while isinstance(value, Either):
        if value.cond not in r.assumed:
            raise Unsupported("a name of two kinds")
        value = value.then if r.assumed[value.cond] else value.orelse
    return value


def known(value: Any) -> Any:
    """An object of the module."""
    if isinstance(value, (bool, int, float, np.generic)) and not isinstance(value, np.str_):
        return scalar(value)
    if isinstance(value, tuple):
        return Items(tuple(map(known, value)))
    return Constant(value)


def constant(r: Reader, node: ast.Constant) -> Any:
    return known(node.value)


def sequence(r: Reader, node: ast.Tuple | ast.List) -> Any:
    if isinstance(node, ast.List) and not node.elts:
        return new_tape(r, id(node))
    values = []
    for item in node.elts:
        if isinstance(item, ast.Starred):
            inner = evaluate(r, item.value)
            if not isinstance(inner, Items):
                raise Unsupported("a starred array")
            values += inner.values
        else:
            values.append(evaluate(r, item))
    return Items(tuple(values), kind="list" if isinstance(node, ast.List) else "tuple")


def dictionary(r: Reader, node: ast.Dict) -> Any:
    keys = tuple(r.literal(evaluate(r, k)) if k is not None else None for k in node.keys)
    if None in keys:
        raise Unsupported("a dict of another one")
    return Items(tuple(evaluate(r, v) for v in node.values), keys, "dict")


def binop(r: Reader, node: ast.BinOp) -> Any:
    return elementwise.binary(r, node.op, evaluate(r, node.left), evaluate(r, node.right))


def unaryop(r: Reader, node: ast.UnaryOp) -> Any:
    value = evaluate(r, node.operand)
    if isinstance(node.op, ast.Not):
        cond = truth(r, value)
        if isinstance(cond, bool):
            return scalar(not cond)
        return Scalar(Op("logical_not", (cond,), "b1"))
    return elementwise.unary(r, node.op, value)


def comparison(r: Reader, node: ast.Compare) -> Any:
    values = [evaluate(r, v) for v in [node.left, *node.comparators]]
    found = [compared(r, op, a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)]
    if len(found) == 1:
        return found[0]
    return both(r, [truth(r, f) for f in found])


def compared(r: Reader, op: ast.cmpop, a: Any, b: Any) -> Any:
    if isinstance(op, (ast.Is, ast.IsNot)):
        if not (isinstance(a, Constant) or isinstance(b, Constant)):
            raise Unsupported("`is` of values")
        same = isinstance(a, Constant) and isinstance(b, Constant) and a.value is b.value
        return scalar(same if isinstance(op, ast.Is) else not same)
    if isinstance(a, Constant) and isinstance(b, Constant):
        return scalar(bool(COMPARE[type(op)](a.value, b.value)))
    if isinstance(a, Items) and isinstance(b, Items):
        pairs = list(zip(a.values, b.values, strict=False))
        if not isinstance(op, ast.Eq) or len(a.values) != len(b.values):
            raise Unsupported("a comparison of containers")
        return both(r, [truth(r, compared(r, op, x, y)) for x, y in pairs])
    if isinstance(a, Scalar) and isinstance(b, Scalar) and a.dtype == b.dtype == "i8":
        gap = minus(r.norm(a.expr), r.norm(b.expr))
        if not gap.terms and type(op) in COMPARE:
            return scalar(bool(COMPARE[type(op)](gap.const, 0)))
    return elementwise.compare(r, op, a, b)


COMPARE = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


def both(r: Reader, conds: list[Any]) -> Any:
    """All of some conditions."""
    if any(c is False for c in conds):
        return scalar(False)
    open_ = [c for c in conds if c is not True]
    if not open_:
        return scalar(True)
    return Scalar(functools.reduce(lambda a, b: Op("logical_and", (a, b), "b1"), open_))


def boolop(r: Reader, node: ast.BoolOp) -> Any:
    """``and`` / ``or`` of conditions; a side that may bail is not read ahead of the first."""
    conds = []
    stop = isinstance(node.op, ast.Or)
    for k, part in enumerate(node.values):
        with r.into([]) as block:
            value = evaluate(r, part)
            cond = truth(r, value)
        if isinstance(value, Scalar) and value.dtype != "b1":
            raise Unsupported("`and` of numbers")
        if block and k:
            raise Unsupported("a condition that is not always computed")
        r.block.extend(block)
        if cond is stop:
            return scalar(stop)
        if not isinstance(cond, bool):
            conds.append(cond)
    if not conds:
        return scalar(not stop)
    name = "logical_or" if stop else "logical_and"
    return Scalar(functools.reduce(lambda a, b: Op(name, (a, b), "b1"), conds))


def conditional(r: Reader, node: ast.IfExp) -> Any:
    from .loop_ir import If
    from .statements import joined, settle, spec_of

    cond = truth(r, evaluate(r, node.test))
    if isinstance(cond, bool):
        return evaluate(r, node.body if cond else node.orelse)
    sides = []
    for part in (node.body, node.orelse):
        with r.into([]) as block:
            value = evaluate(r, part)
            value = r.materialised(value) if isinstance(value, View) else value
        sides.append((block, value))
    result = joined(r, [spec_of(v) for _, v in sides], "chosen")
    for block, value in sides:
        with r.into(block):
            settle(r, [(result, value)])
    r.emit(If(cond, sides[0][0], sides[1][0]))
    return result


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
    if isinstance(fn, types.BuiltinFunctionType) and fn.__module__ == "math" and not kwargs:
        return elementwise.math_call(r, fn.__name__, args)
    if isinstance(fn, types.FunctionType):
        return of_text(r, fn, args, kwargs)
    raise Unsupported(text)


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
    if found is None and getattr(fn, "__module__", "").startswith("retrograd.runtime"):
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
    from .statements import iteration

    over = iteration(r, value)
    return Iteration(over.count, over.element, over.direct, not over.backwards)


def zip_(r: Reader, *values: Any, strict: Any = None) -> Iteration:
    from .statements import iteration

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
    return Scalar(cast(found.expr, "i8"))


def abs_(r: Reader, value: Any) -> Any:
    value = r.array(value)
    return elementwise.elementwise(
        r, np.absolute, value, weak=isinstance(value, Scalar) and value.weak
    )


def pick(r: Reader, better: str, args: tuple[Any, ...]) -> Any:
    """``max`` / ``min`` of Python numbers: the first of equal ones."""
    if len(args) < 2:
        raise Unsupported("max() of a sequence")
    numbers = [r.number(a) for a in args]
    kinds = {n.dtype for n in numbers}
    if len(kinds) > 1 or not all(n.weak for n in numbers):
        raise Unsupported("max() of different kinds")
    (kind,) = kinds
    best = r.named(numbers[0].expr)
    for other in numbers[1:]:
        e = r.named(other.expr)
        best = Op("where", (Op(better, (e, best), "b1"), e, best), kind)
        best = r.named(best)
    return Scalar(best)


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
    given = [
        weak[v.dtype] if isinstance(v, Scalar) and v.weak else dtype_of(v.dtype) for v in values
    ]
    return code_of(np.result_type(*given))


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

        kind = (
            {"f8": float, "i8": int, "b1": bool}[value.dtype]
            if value.weak
            else dtype_of(value.dtype).type
        )
    elif isinstance(value, Items):
        kind = {"tuple": tuple, "list": list, "dict": dict}[value.kind]
    else:
        raise Unsupported("isinstance of this")
    return scalar(any(issubclass(kind, c) for c in classes))


def same(r: Reader, value: Any, *rest: Any) -> Any:
    """A function that gives back its first argument."""
    return value


def like_first(r: Reader, c: Any, like: Any) -> Any:
    """``rt.unbroadcast``: sums over what was stretched."""
    return reductions.unbroadcast(r, c, like)


def nan_free(name: str) -> Any:
    return lambda r, x: elementwise.elementwise(r, getattr(np, name), x)


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
    np.take: shaping.take, np.cumsum: reductions.cumsum, np.diag: shaping.diag, np.trace: shaping.trace,
}  # fmt: skip
RUNTIME: dict[str, Any] = {
    "stop_gradient": same, "mul": lambda r, a, b: elementwise.elementwise(r, np.multiply, a, b),
    "div": lambda r, a, b: elementwise.elementwise(r, np.divide, a, b),
    "add": lambda r, a, b: elementwise.elementwise(r, np.add, a, b),
    "copy": shaping.copy, "zeros_like": shaping.zero_of, "unbroadcast": like_first,
    "stretch": shaping.stretch, "index_add": lambda r, x, i, v: shaping.index_add(r, x, i, v, add_at),
    "match": shaping.match, "if_larger": shaping.if_larger, "sign": nan_free("sign"),
    "unreduce": reductions.unreduce, "one_less": lambda r, k: Scalar(minus(r.integer(k), 1)),
    "check_scalar": same, "scatter": shaping.scatter, "reshape_like": shaping.reshape_like,
    "if_float": lambda r, c, like: c,
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
READERS: dict[type, Any] = {
    ast.Name: name, ast.Constant: constant, ast.Tuple: sequence, ast.List: sequence,
    ast.Dict: dictionary, ast.BinOp: binop, ast.UnaryOp: unaryop, ast.Compare: comparison,
    ast.BoolOp: boolop, ast.IfExp: conditional, ast.Attribute: attribute, ast.Call: call,
    ast.Subscript: lambda r, node: subscript(r, evaluate(r, node.value), node.slice),
}  # fmt: skip
