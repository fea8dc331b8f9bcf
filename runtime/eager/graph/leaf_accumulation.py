"""How a gradient arrives in ``.grad``: its layout, whose memory it is, and whether it can be taken over."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ...batching.batched_array import BatchedArray, NotBatched, levels_of
from ...device.places import is_far
from ..sparse.coo import Coo
from ..sparse.sparse_tensor import SparseTensor, of_array
from ..tensor.shape_errors import expanded_text, sizes_text
from ..tensor.tensor import Tensor, wrapped
from ..warned import warn_once
from .grad_mode import count_write, modes

__all__ = ["accumulate", "check_examples", "is_dense", "laid_out_like"]

SPARSE = (Coo, SparseTensor)
STRAY = (
    "vmap: a gradient of single examples leaves its batch: a hook was registered, after the batch, on a tensor of one "
    "example, and reads what all share; register it in the function that vmap calls"
)
LAYOUT = (
    "grad and param do not obey the gradient layout contract. This is not an error, but may impair performance.\n"
    "grad.sizes() = {}, strides() = {}\nparam.sizes() = {}, strides() = {}"
)


def accumulate(variable: Any, bar: Any, create: bool) -> None:
    """Add a gradient to that of a leaf, if it still is one, and call the hooks that wait for it."""
    if variable._grad_fn is not None:
        raise RuntimeError("leaf variable has been moved into the graph interior")
    if variable._requires:
        check_examples(bar, variable._array)
        add_to(variable, bar, create)
    hooks = variable._more.get("post") if variable._more else None
    for hook in list(hooks.values()) if hooks else []:
        found = hook(variable)
        if found is not None and found is not variable:
            raise RuntimeError("Tensor post accumulate grad hooks should return None.")


def check_examples(bar: Any, own: Any) -> None:
    """Refuse the gradient of single examples where no batch runs: it is to be that of all."""
    array = bar._array if isinstance(bar, Tensor) else bar
    if type(array) is not BatchedArray:
        return
    if levels_of(array) - levels_of(own) - {frame.level for frame in modes.frames}:
        raise NotBatched(STRAY)


def add_to(variable: Any, bar: Any, create: bool) -> None:
    """Add to ``variable.grad``: in place, unless the addition itself is to be differentiated.

    1. A dense leaf's gradient has the leaf's strides; 2. any other is row-major; 3. a gradient that is
    there is added to in place; 4. with ``create_graph`` it is replaced by the sum.
    """
    before = variable._grad
    if any(type(one) in SPARSE for one in (bar, before, variable)):
        variable._grad = with_sparse(before, bar, create)
        return
    if create:
        bar = bar if isinstance(bar, Tensor) else wrapped(bar)
        variable._grad = laid_out(variable, bar) if before is None else added(before, bar)
        return
    if before is None:
        mine = sys.getrefcount(bar) <= 4 and is_stealable(bar, variable._array)
        variable._grad = wrapped(bar if mine else laid_out_like(variable._array, bar))
        return
    before._array += bar
    count_write(before)
    if before._array.strides != strides_for(variable._array):
        told = (list(part) for one in (before, variable) for part in (one.shape, one.stride()))
        warn_once(LAYOUT.format(*told), "layout")


def with_sparse(before: Any, bar: Any, create: bool) -> Any:
    """The gradient of a leaf where it is sparse, or what is added to it.

    1. Sparse ones are added in place, as a longer list of entries; 2. so is a sparse one to a dense one;
    3. a dense one makes a sparse one dense.
    """
    new: Any = bar if isinstance(bar, Tensor) else of_array(bar)
    if before is None:
        return new.clone() if create else of_array(new._array.copy())
    is_added_to = type(before) is not SparseTensor
    if create or (not is_added_to and type(new) is not SparseTensor):
        return before + new if is_added_to or type(new) is SparseTensor else new + before
    if is_added_to:
        before._array += new._array
    else:
        before._array.replace(before._array + new._array)
    count_write(before)
    return before


def added(before: Any, bar: Any) -> Any:
    """The sum, a tensor of its own in the layout of the old gradient."""
    made = before + bar
    if made._array.strides != before._array.strides and made._array.shape == before._array.shape:
        made._array = laid_out_like(before._array, made._array)
    return made


def is_stealable(bar: Any, like: Any) -> bool:
    """True if an array nobody else holds is laid out as the leaf's gradient has to be."""
    return (
        type(bar) is type(like)
        and bar.base is None
        and (is_far(bar) or bar.flags.writeable)
        and bar.dtype == like.dtype
        and bar.shape == like.shape
        and bar.strides == strides_for(like)
    )


def strides_for(like: Any) -> tuple[int, ...]:
    """The strides of the gradient of a leaf."""
    if like.flags.c_contiguous:
        return like.strides  # type: ignore[no-any-return]
    return tuple(np.empty_like(like, order="K" if is_dense(like) else "C").strides)


def is_dense(array: Any) -> bool:
    """True if the elements fill their memory without gaps and overlaps, in any order of axes."""
    expected = array.itemsize
    for stride, n in sorted(
        (s, n) for s, n in zip(array.strides, array.shape, strict=True) if n != 1
    ):
        if stride != expected:
            return False
        expected *= n
    return True


def laid_out_like(like: Any, bar: Any) -> Any:
    """A copy with the layout of the gradient of a leaf with this array.

    The leaf may have got another shape since it was recorded: then the gradient is stretched to it.
    """
    refused = expanded_text(np.shape(bar), like.shape)
    if refused is not None:
        raise RuntimeError(sizes_text([like.shape, np.shape(bar)]) or refused)
    made = np.empty_like(
        like, dtype=getattr(bar, "dtype", None), order="K" if is_dense(like) else "C"
    )
    made[...] = bar
    return made


def laid_out(variable: Any, bar: Any) -> Any:
    """The first gradient of a leaf when it is part of a graph itself: a recorded copy."""
    made: Any = wrapped(laid_out_like(variable._array, bar._array))
    return made.copy_(bar)
