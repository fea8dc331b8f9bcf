"""Rules of what is computed element by element: ufuncs, and functions like them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .batch import Batch, rule, rule_of_first
from .batched_array import MORE, NotBatched

__all__: list[str] = []

_function: Any


def element_by_element(batch: Batch, function: Any, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """The function of operands that are broadcast against each other as they are for one example."""
    out = kwargs.get("out")
    outs = out if type(out) is tuple else (out,)
    if any(one is not None and not batch.has(one) for one in outs):
        raise NotBatched(MORE)
    where = kwargs.get("where", True)
    rank = max(np.ndim(x) for x in (*inputs, where, *(o for o in outs if o is not None)))
    named = dict(kwargs)
    if out is not None:
        named["out"] = tuple(o.value for o in outs) if type(out) is tuple else out.value
    if "where" in named:
        named["where"] = batch.aligned(where, rank)
    made = function(*(batch.aligned(x, rank) for x in inputs), **named)
    return made if out is None else outs[0] if len(outs) == 1 else outs


@rule(("ufunc", "__call__"))
def ufunc(batch: Batch, ufunc: Any, *inputs: Any, **kwargs: Any) -> Any:
    return element_by_element(batch, ufunc, inputs, kwargs)


@rule(("ufunc", "outer"))
def outer(batch: Batch, ufunc: Any, a: Any, b: Any, **kwargs: Any) -> Any:
    if kwargs:
        return NotImplemented
    x, rank = batch.own(a), np.ndim(b)
    return ufunc(x.reshape(*np.shape(x), *(1,) * rank), batch.aligned(b, np.ndim(a) + rank))


def entered(function: Any, count: int = 1) -> None:
    """A function whose first arguments are the operands, and whose others are options."""

    def apply(batch: Batch, *args: Any, **kwargs: Any) -> Any:
        named = {k: v for k, v in kwargs.items() if v is not None}
        given, options = args[:count], args[count:]
        if any(batch.has(v) for v in (*options, *(v for k, v in named.items() if k != "out"))):
            return NotImplemented

        def call(*inputs: Any, **rest: Any) -> Any:
            return function(*inputs, *options, **rest)

        return element_by_element(batch, call, given, named)

    rule(function)(apply)


for _function in (
    np.around, np.round, np.fix, np.angle, np.iscomplex, np.isreal, np.nan_to_num, np.sinc, np.i0, np.isneginf,
    np.isposinf,
):  # fmt: skip
    entered(_function)
for _function in (np.clip, np.where):
    entered(_function, 3)
entered(np.isclose, 2)


@rule_of_first(np.real)
def real(batch: Batch, val: Any) -> Any:
    return val.value.real


@rule_of_first(np.imag)
def imag(batch: Batch, val: Any) -> Any:
    return val.value.imag


@rule(np.copyto)
def copyto(batch: Batch, dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> Any:
    if not batch.has(dst):
        raise NotBatched(MORE)
    np.copyto(dst.value, batch.aligned(src, dst.ndim), casting, batch.aligned(where, dst.ndim))
    return None
