"""Losses, with what `reduction` makes of the entries' losses."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ...batching.batched_array import as_array, everywhere, somewhere
from ...device.places import is_far
from ..functions.joining import promoted
from ..functions.pointwise import clamp, where
from ..functions.pointwise_composed import xlogy
from ..functions.reductions import log_softmax
from ..functions.shaping_composed import broadcast_tensors
from ..graph.record_call import plain
from ..linalg.norms import pairwise_distance
from ..tensor.tensor import Tensor, wrapped
from ..tensor.transfers import check_one_place
from .activation import logsigmoid
from .tools import functional, keeping, reduced, refuse, warn_of_sizes

__all__: list[str] = []


def weighted(values: Tensor, weight: Any) -> Tensor:
    return values if weight is None else values * weight


def of_one_type(input: Tensor, target: Tensor) -> list[Tensor]:
    """Both in the type of their difference, for which a number counts as much as the entries it is compared with."""
    if input._array.dtype != target._array.dtype:
        input, target = broadcast_tensors(input, target)
    return promoted([input, target])


@functional
@keeping(2)
def mse_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    weight: Any = None,
) -> Tensor:  # fmt: skip
    warn_of_sizes(input, target)
    input, target = of_one_type(input, target)
    values = (input - target).square()
    if weight is not None and reduction == "mean":
        return (values * weight).sum() / weight.expand(values._array.shape).sum()
    return reduced(weighted(values, weight), reduction, size_average, reduce)


@functional
def l1_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    weight: Any = None,
) -> Tensor:  # fmt: skip
    warn_of_sizes(input, target)
    input, target = of_one_type(input, target)
    values = (input - target).abs()
    if weight is not None and reduction == "mean":
        return (values * weight).sum() / weight.expand(values._array.shape).sum()
    return reduced(weighted(values, weight), reduction, size_average, reduce)


@functional
@keeping(2)
def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:  # fmt: skip
    warn_of_sizes(input, target)
    if beta == 0:
        return l1_loss(input, target, size_average, reduce, reduction)
    refuse(beta < 0, "smooth_l1_loss does not support negative values for beta.")
    input, target = of_one_type(input, target)
    difference = (
        input - target
    )  # its square has a second derivative at zero, that of its size has none
    size = difference.abs()
    squares = difference * difference * (0.5 / beta)
    values = where(wrapped(size._array < beta), squares, size - 0.5 * beta)
    return reduced(values, reduction, size_average, reduce)


@functional
@keeping(2)
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Any = None
) -> Tensor:
    warn_of_sizes(input, target)
    refuse(delta <= 0, "huber_loss does not support non-positive values for delta.")
    input, target = of_one_type(input, target)
    difference = input - target
    size = difference.abs()
    squares = difference * difference * 0.5
    values = where(wrapped(size._array <= delta), squares, (size - 0.5 * delta) * delta)
    return reduced(weighted(values, weight), reduction)


# -- classes --------------------------------------------------------------------------------------------


@functional
def nll_loss(
    input: Tensor, target: Tensor, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Minus the entries that the target names, weighted by class; the mean is by these weights."""
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    refuse(
        weight is not None and weight.requires_grad,
        "the derivative for 'weight' is not implemented",
    )
    check_one_place(input, target, weight)
    axis = 0 if input._array.ndim == 1 else 1
    classes = input._array.shape[axis]
    shape = input._array.shape[:axis] + input._array.shape[axis + 1 :]
    if target._array.shape != shape:
        if target._array.shape[:1] != input._array.shape[:1]:
            raise ValueError(
                f"Expected input batch_size ({input._array.shape[0]}) to match target batch_size "
                f"({target._array.shape[0] if target._array.ndim else 1})."
            )
        raise RuntimeError(f"Expected target size {list(shape)}, got {list(target._array.shape)}")
    named = target._array.copy()
    counted = named != ignore_index
    is_whole = not is_far(counted) and bool(counted.all())
    classes_named = named if is_whole else np.where(counted, named, 0)
    outside = (classes_named < 0) | (classes_named >= classes)
    if somewhere(outside):
        raise IndexError(f"Target {target._array[outside].ravel()[0]} is out of bounds.")
    if input._array.ndim == 2:
        index = library_of([named]).arange(len(classes_named)), classes_named
        chosen = plain(operator.getitem, input, index, name="GatherBackward0")
    else:
        at = wrapped(np.expand_dims(classes_named, axis))
        chosen = plain(np.take_along_axis, input, at, axis, name="GatherBackward0").squeeze(axis)
    if is_whole and weight is None and reduction in ("mean", "sum"):
        return -reduced(chosen, reduction)
    ones = library_of([input._array]).ones
    own = ones(classes, input._array.dtype) if weight is None else weight._array
    weights = wrapped(np.where(counted, np.take(own, classes_named), 0).astype(input._array.dtype))
    values = where(wrapped(counted), -chosen, 0) * weights
    if reduction == "mean":
        with np.errstate(invalid="ignore"):  # no target counts: the mean is nan
            return values.sum() / weights.sum()
    return reduced(values, reduction)


@functional
def cross_entropy(
    input: Tensor, target: Tensor, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """Of the softmax of the input: with classes, or with their probabilities."""
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    check_one_place(input, target, weight)
    axis = 0 if input._array.ndim == 1 else 1
    logs = log_softmax(input, axis)
    n = input._array.shape[axis]
    if target._array.shape == input._array.shape and target._array.dtype.kind == "f":
        if label_smoothing:
            target = target * (1 - label_smoothing) + label_smoothing / n
        values = -(along_classes(logs, weight, axis) * target).sum(axis)
        return (
            values.sum() / (values.numel() or 1)
            if reduction == "mean"
            else reduced(values, reduction)
        )
    plain = nll_loss(logs, target, weight, None, ignore_index, None, reduction)
    if not label_smoothing:
        return plain
    counted = target._array != ignore_index
    smooth = where(wrapped(counted), -along_classes(logs, weight, axis).sum(axis), 0)
    if reduction == "mean":
        kept = np.where(counted, target._array, 0)
        ones = library_of([input._array]).ones
        each = ones(n, input._array.dtype) if weight is None else weight._array
        smooth = smooth.sum() / wrapped(as_array(np.where(counted, np.take(each, kept), 0).sum()))
    else:
        smooth = reduced(smooth, reduction)
    return plain * (1 - label_smoothing) + smooth * (label_smoothing / n)


def along_classes(logs: Tensor, weight: Any, axis: int) -> Tensor:
    if weight is None:
        return logs
    return logs * weight.reshape([-1] + [1] * (logs._array.ndim - 1 - axis))


@functional
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Any = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Of probabilities; their logarithms count as -100 at least."""
    if input._array.shape != target._array.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is deprecated. "
            "Please ensure they have the same size."
        )
    refuse(
        not everywhere((input._array >= 0) & (input._array <= 1)),
        "all elements of input should be between 0 and 1",
    )
    with np.errstate(divide="ignore"):
        yes, no = held(input), held(1 - input)
    values = -(target * yes + (1 - target) * no)
    return reduced(weighted(values, weight), reduction, size_average, reduce)


def held(p: Tensor) -> Tensor:
    """The logarithm, held at -100: no entry meets the slope of the logarithm at zero."""
    low = wrapped(p._array < math.exp(-100))
    return where(low, -100.0, where(low, 1.0, p).log())


@functional
@keeping(2)
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Any = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean", pos_weight: Any = None,
) -> Tensor:  # fmt: skip
    if input._array.shape != target._array.shape:
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    logs = logsigmoid(input)
    if pos_weight is not None:
        logs = logs * ((pos_weight - 1) * target + 1)
    values = (1 - target) * input - logs
    return reduced(weighted(values, weight), reduction, size_average, reduce)


@functional
def kl_div(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:  # fmt: skip
    """Of logarithms of probabilities, from the target's probabilities (or their logarithms)."""
    values = (
        target.exp() * (target - input) if log_target else xlogy(target, target) - target * input
    )
    if reduction == "batchmean":
        return values.sum() / input._array.shape[0]
    return reduced(values, reduction, size_average, reduce)


# -- pairs and distances ------------------------------------------------------------------------------------


def hinge(x: Tensor) -> Tensor:
    return clamp(x, 0)


@functional
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    far = where(wrapped(target._array != 1), hinge(margin - input), 0)
    near = where(wrapped(target._array != -1), input, 0)
    return reduced(far + near, reduction, size_average, reduce)


@functional
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Any = None,
    reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    if not input1._array.ndim == input2._array.ndim == target._array.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return reduced(hinge(-target * (input1 - input2) + margin), reduction, size_average, reduce)


@functional
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    near, far = (
        pairwise_distance(anchor, positive, p, eps),
        pairwise_distance(anchor, negative, p, eps),
    )
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return reduced(hinge(margin + near - far), reduction, size_average, reduce)


@functional
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Any = None,
    reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    tiny = 1e-12
    sizes = ((input1 * input1).sum(-1) + tiny) * ((input2 * input2).sum(-1) + tiny)
    cosine = (input1 * input2).sum(-1) / sizes.sqrt()
    near = where(wrapped(target._array == 1), 1 - cosine, 0)
    far = where(wrapped(target._array == -1), hinge(cosine - margin), 0)
    return reduced(near + far, reduction, size_average, reduce)


@functional
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    return reduced((-target * input).exp().log1p(), reduction, size_average, reduce)


@functional
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Any = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    values = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    return reduced(weighted(values, weight).mean(-1), reduction, size_average, reduce)


# -- likelihoods ----------------------------------------------------------------------------------------------


@functional
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: Any = None,
    eps: float = 1e-8, reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    values = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        many = wrapped(target._array > 1)
        safe = where(many, target, 2.0)
        stirling = safe * safe.log() - safe + 0.5 * (2 * math.pi * safe).log()
        values = values + where(many, stirling, 0)
    return reduced(values, reduction, size_average, reduce)


@functional
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Any,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    if not isinstance(var, Tensor):
        var = wrapped(library_of([input._array]).full(input._array.shape, var, input._array.dtype))
    if somewhere(var._array < 0):
        raise ValueError("var has negative entry/entries")
    if var._array.shape != input._array.shape:
        if input._array.shape[:-1] == var._array.shape:
            var = var.unsqueeze(-1)
        elif input._array.shape[:-1] != var._array.shape[:-1] or var._array.shape[-1] != 1:
            raise ValueError("var is of incorrect size")
    small = wrapped(var._array < eps)  # held at eps without changing the gradient
    var = var + where(small, eps - var.detach(), 0)
    values = 0.5 * (var.log() + (input - target).square() / var)
    if full:
        values = values + 0.5 * math.log(2 * math.pi)
    return reduced(values, reduction)
