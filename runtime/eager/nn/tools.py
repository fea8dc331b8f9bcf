"""Tools that the functions of neural networks share."""

from __future__ import annotations

import functools
import warnings
from typing import Any

from ...arrays.transfers import library_of
from ..graph.record_call import guarded
from ..tensor.registry import member
from ..tensor.tensor import Tensor, wrapped

__all__ = ["functional", "keeping", "reduced", "refuse", "tuple_of"]

functional = member("nn.functional")


def keeping(n: int) -> Any:
    """The first ``n`` arguments of a function may not be written to before the way back, as in PyTorch."""

    def decorate(made: Any) -> Any:
        @functools.wraps(made)
        def apply(*args: Any, **kwargs: Any) -> Tensor:
            return guarded(made(*args, **kwargs), *args[:n])

        return apply

    return decorate


def reduced(
    values: Tensor, reduction: str = "mean", size_average: Any = None, reduce: Any = None
) -> Tensor:
    """The losses of the entries: their mean, their sum, or each."""
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    if reduction == "none":
        return values
    if reduction in ("mean", "sum"):
        return values.mean() if reduction == "mean" else values.sum()
    raise ValueError(f"{reduction} is not a valid value for reduction")


def tuple_of(value: Any, n: int) -> tuple[int, ...]:
    """``3`` or ``(3, 3)``."""
    if isinstance(value, (tuple, list)):
        return tuple(int(v) for v in value) * (n if len(value) == 1 else 1)
    return (int(value),) * n


def warn_of_sizes(input: Tensor, target: Tensor) -> None:
    if input._array.shape != target._array.shape:
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )


def ones(shape: Any, like: Tensor) -> Tensor:
    return wrapped(library_of([like._array]).ones(shape, like._array.dtype))


def refuse(condition: Any, text: str) -> None:
    if condition:
        raise RuntimeError(text)
