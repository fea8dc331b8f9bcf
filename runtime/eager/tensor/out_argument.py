"""``out=``: a result is written into a tensor that is given for it, which is never recorded."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from ..graph.grad_mode import count_write, modes
from ..graph.push_tangents import has_duals
from .devices import place
from .tensor import Tensor
from .views import check_inference

__all__ = ["into", "refuse_out", "taking_out"]


def refuse_out(name: str, out: Any, *args: Any) -> None:
    """``out=`` cannot be recorded, and takes no tangent."""
    if out is None:
        return
    if len(args) == 1 and isinstance(args[0], (tuple, list)):
        args = tuple(args[0])
    if has_duals((*args, out)):
        raise NotImplementedError(
            f"Trying to use forward AD with {name}_out that does not support it because it is an out= function"
        )
    if modes.grad and any(isinstance(a, Tensor) and a.requires_grad for a in (*args, out)):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of "
            "the arguments requires grad."
        )


def into(out: Any, made: Tensor) -> Tensor:
    """The value, written into ``out`` where that is given."""
    if out is None:
        return made
    check_inference(out)
    if modes.mutation is not None:
        modes.mutation.before_write(out)
    if type(out._array) is not type(made._array) and place(out._array) != place(made._array):
        raise RuntimeError(
            f"Expected out tensor to have device {made.device}, but got {out.device} instead"
        )
    if out._array.shape != made._array.shape:
        resized(out, made)
    count_write(out)
    out._array[...] = made._array
    return out  # type: ignore[no-any-return]


def taking_out(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes ``out=`` too."""

    @functools.wraps(function)
    def with_out(*args: Any, out: Any = None, **options: Any) -> Any:
        if out is None:
            return function(*args, **options)
        refuse_out(name, out, *args, *options.values())
        return into(out, function(*args, **options))

    return with_out


def resized(out: Tensor, made: Tensor) -> None:
    """Give the tensor the sizes of what is written into it."""
    if out._array.size:
        warnings.warn(
            f"An output with one or more elements was resized since it had shape {list(out._array.shape)}, which does "
            f"not match the required output shape {list(made._array.shape)}. This behavior is deprecated, and in a "
            "future PyTorch release outputs will not be resized unless they have zero elements.",
            stacklevel=5,
        )
    out._array = made._array.astype(out._array.dtype)
