"""A batch of no examples: what a loop over them would give cannot be stacked, and is written as empty arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.compiler.ir.types import Array, Tree
from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.objects.pytree import children, leaves
from retrograd.runtime.records import replace

from ..specialise.known_arguments import Kinds

__all__ = ["has_none", "of_none"]

Call = Callable[[Any, Any], Any]


def has_none(args: Sequence[Any], error: Exception) -> bool:
    """True if a batch may have failed because it has no examples: there is nothing to stack."""
    stacks = isinstance(error, ValueError) and not isinstance(error, RetrogradError)
    return stacks and any(is_ndarray(x) and not x.size for x in leaves(list(args)))


def of_none(chain: Any, args: Sequence[Any], called: Call) -> Any:
    """The results of a program that is written for no examples; a `ValueError` is the function's own."""
    values = dict(zip(chain.full.parameters, chain.bound, strict=False))
    values |= dict(zip(chain.parameters, args, strict=True))
    kinds = {name: emptied(kind, values[name]) for name, kind in chain.types(args).items()}
    made = chain.load(Kinds(kinds, [*values], [*values.values()]))
    return called(next(iter(made.functions.values())), args)


def emptied(kind: Any, value: Any) -> Any:
    """The kind of an argument of which is known along which axes there is nothing."""
    if isinstance(kind, Array) and kind.dims is not None and is_ndarray(value):
        return kind.with_dims(
            tuple(n if size else 0 for n, size in zip(kind.dims, value.shape, strict=True))
        )
    inner = children(value)
    if isinstance(kind, Tree) and inner is not None and len(inner) == len(kind.items):
        items = zip(kind.items, inner, strict=True)
        return replace(kind, items=tuple(emptied(item, x) for item, (_, x) in items))
    return kind
