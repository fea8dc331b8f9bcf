"""``retrograd.autograd.function``: operations with a backward of the user's own."""

from __future__ import annotations

from retrograd.runtime.eager.user_functions.function import (
    BackwardCFunction,
    Function,
    FunctionCtx,
    FunctionMeta,
    InplaceFunction,
    NestedIOFunction,
    _ContextMethodMixin,
    once_differentiable,
)

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "_ContextMethodMixin",
    "once_differentiable",
]
