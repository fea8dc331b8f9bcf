"""``autograd._functions.Resize``: other sizes for the same entries, as a function of its own."""

from __future__ import annotations

import math
from typing import Any

from .function import Function

__all__ = ["Resize"]


class Resize(Function):
    """``apply(tensor, sizes)``: the tensor in other sizes."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: Any) -> Any:
        if tensor.numel() != math.prod(sizes):
            raise RuntimeError(
                f"requested resize to {'x'.join(map(str, sizes))} ({math.prod(sizes)} elements in total), but the given "
                f"tensor has a size of {'x'.join(map(str, tensor.shape))} ({tensor.numel()} elements). autograd's resize "
                "can only change the shape of a given tensor, while preserving the number of elements. "
            )
        ctx.input_sizes = tensor.shape
        return tensor.contiguous().detach().view(*sizes)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        return grad_output.contiguous().view(ctx.input_sizes), None
