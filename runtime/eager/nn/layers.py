"""Linear maps, embeddings and normalisations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ...batching.batched_array import somewhere
from ...helpers import linear as linear_maps
from ..functions.pointwise import where
from ..graph.grad_mode import count_write
from ..graph.record_call import guarded, plain
from ..linalg.products import einsum, matmul
from ..sparse.gathers import rows_of
from ..tensor.registry import FUNCTIONS
from ..tensor.tensor import Tensor, wrapped
from ..tensor.transfers import check_one_place
from .tools import functional, keeping, refuse

__all__: list[str] = []


@functional
def linear(input: Tensor, weight: Tensor, bias: Any = None) -> Tensor:
    """``input @ weight.T + bias``."""
    x, w = input._array, weight._array
    if w.ndim == 2 and x.ndim and x.shape[-1] == w.shape[1] and x.dtype is w.dtype:
        if bias is None:
            return plain(linear_maps.times_transposed, input, weight, name=named(x.ndim, "Mm"))
        b = bias._array
        if b.shape == w.shape[:1] and b.dtype is w.dtype:
            return plain(linear_maps.affine, input, weight, bias, name=named(x.ndim, "Addmm"))
    made = matmul(input, weight.t() if w.ndim == 2 else weight)
    return made if bias is None else made + bias


def named(rank: int, name: str) -> str:
    """What the node of a linear map is called, by the rank of what it maps."""
    return f"{name}Backward0" if rank == 2 else "ViewBackward0"


@functional
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Any = None) -> Tensor:
    made = einsum("...i,oij,...j->...o", input1, weight, input2)
    return made if bias is None else made + bias


@functional
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of a table; no gradient reaches the row ``padding_idx``."""
    if max_norm is not None or scale_grad_by_freq:
        raise NotImplementedError("embedding() has no max_norm or scale_grad_by_freq here")
    check_one_place(weight, input)
    refuse(weight._array.ndim != 2, "'weight' must be 2-D")
    n = weight._array.shape[0]
    index = input._array
    if somewhere((index < 0) | (index >= n)):
        raise IndexError("index out of range in self")
    if padding_idx is not None and not -n <= padding_idx < n:
        raise AssertionError("Padding_idx must be within num_embeddings")
    if sparse:
        return rows_of(weight, input, None if padding_idx is None else padding_idx % n)
    rows = guarded(weight[index], input)
    if padding_idx is None:
        return rows
    padded = wrapped((index == padding_idx % n)[..., None])
    return where(padded, rows.detach(), rows)


@functional
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Ones at the classes, zeros elsewhere."""
    classes = tensor._array
    refuse(
        classes.dtype != np.int64, "one_hot is only applicable to index tensor of type LongTensor."
    )
    refuse(somewhere(classes < 0), "Class values must be non-negative.")
    if num_classes == -1:
        refuse(not classes.size, "Can not infer total number of classes from empty tensor.")
        num_classes = int(classes.max()) + 1
    refuse(
        somewhere(classes >= num_classes),
        "Class values must be smaller than num_classes.",
    )
    numbers = library_of([classes]).arange(num_classes)
    return wrapped((classes[..., None] == numbers).astype(np.int64))


# -- normalisations -----------------------------------------------------------------------------------------


def standardised(x: Tensor, dims: tuple[int, ...], eps: float) -> Tensor:
    """With mean zero and variance one along axes."""
    centred = x - x.mean(dims, keepdim=True)
    return centred * (centred.square().mean(dims, keepdim=True) + eps).rsqrt()


def per_channel(x: Tensor, value: Any) -> Any:
    return value.reshape([1, -1] + [1] * (x._array.ndim - 2))


def mapped(x: Tensor, made: Tensor, weight: Any, bias: Any) -> Tensor:
    """Scaled and shifted by channel."""
    made = made if weight is None else made * per_channel(x, weight)
    return made if bias is None else made + per_channel(x, bias)


@functional
def batch_norm(
    input: Tensor,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """By the statistics of the batch (and these go into the running ones), or by the running ones."""
    if not training:
        refuse(
            running_mean is None,
            "Expected running_mean and running_var to be defined when training=False",
        )
        centred = input - per_channel(input, running_mean)
        made = centred * (per_channel(input, running_var) + eps).rsqrt()
        return mapped(input, made, weight, bias)
    check_one_place(input, running_mean, running_var, weight, bias)
    dims = (0, *range(2, input._array.ndim))
    count = input.numel() // input._array.shape[1]
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {input.shape}"
        )
    update(running_mean, input._array.mean(dims), momentum)
    update(running_var, input._array.var(dims, ddof=1), momentum)
    return mapped(input, standardised(input, dims, eps), weight, bias)


def update(running: Any, value: Any, momentum: float) -> None:
    """A step of a running statistic, in place and not recorded."""
    if running is not None:
        running._array[...] = (1 - momentum) * running._array + momentum * value
        count_write(running)


@functional
def instance_norm(
    input: Tensor,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """By the statistics of each channel of each sample."""
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    check_one_place(input, running_mean, running_var, weight, bias)
    dims = tuple(range(2, input._array.ndim))
    if int(np.prod(input._array.shape[2:])) == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {input.shape}"
        )
    update(running_mean, input._array.mean(dims).mean(0), momentum)
    update(running_var, input._array.var(dims, ddof=1).mean(0), momentum)
    return mapped(input, standardised(input, dims, eps), weight, bias)


def last_axes(name: str, input: Tensor, normalized_shape: Any) -> tuple[int, ...]:
    shape = tuple(normalized_shape)
    refuse(
        input._array.shape[-len(shape) :] != shape,
        f"Given normalized_shape={list(shape)}, expected input with shape "
        f"[*, {', '.join(map(str, shape))}], but got input of size{list(input._array.shape)}",
    )
    return tuple(range(-len(shape), 0))


@functional
@keeping(1)
def layer_norm(
    input: Tensor, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-05
) -> Tensor:
    made = standardised(input, last_axes("layer_norm", input, normalized_shape), eps)
    made = made if weight is None else made * weight
    return made if bias is None else made + bias


@functional
def rms_norm(input: Tensor, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Tensor:
    """Divided by the root of the mean square."""
    dims = last_axes("rms_norm", input, normalized_shape)
    eps = float(np.finfo(input._array.dtype).eps) if eps is None else eps
    made = input * (input.square().mean(dims, keepdim=True) + eps).rsqrt()
    return made if weight is None else made * weight


@functional
def group_norm(
    input: Tensor, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-05
) -> Tensor:
    """By the statistics of groups of channels of each sample."""
    shape = input._array.shape
    refuse(
        shape[1] % num_groups,
        "Expected number of channels in input to be divisible by num_groups, but got input of shape "
        f"{list(shape)} and num_groups={num_groups}",
    )
    made = standardised(input.reshape(shape[0], num_groups, -1), (2,), eps).reshape(shape)
    return mapped(input, made, weight, bias)


for _made in (layer_norm, rms_norm, group_norm, batch_norm, instance_norm, embedding, bilinear):
    FUNCTIONS[_made.__name__] = _made
