"""Activations, dropout and attention."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ...helpers import linear
from ..functions.pointwise import relu, sigmoid, where
from ..functions.reductions import log_softmax, softmax
from ..functions.special import called
from ..graph.record_call import elementwise, guarded, in_place, plain
from ..linalg.linalg import matmul
from ..random import generator
from ..tensor.registry import FUNCTIONS, SPACES, member
from ..tensor.tensor import Tensor, wrapped
from .tools import functional, keeping

__all__: list[str] = []


def activation(made: Any) -> Any:
    """Register a function of which ``inplace=True`` writes the result into its argument."""

    def apply(input: Tensor, *args: Any, inplace: bool = False, **kwargs: Any) -> Tensor:
        if inplace:
            return in_place(input, lambda old: made(old, *args, **kwargs))
        return guarded(made(input, *args, **kwargs), input)

    apply.__name__ = apply.__qualname__ = made.__name__
    apply.__doc__ = made.__doc__
    functional(apply)
    member("nn.functional", f"{made.__name__}_")(
        lambda input, *args, **kwargs: apply(input, *args, inplace=True, **kwargs)
    )
    return made


activation(relu)
for _name in ("sigmoid", "tanh"):
    member("nn.functional")(FUNCTIONS[_name])


def below(x: Tensor) -> Tensor:
    """The entries that are not positive, zero for the others: exponentials of it do not overflow."""
    return where(wrapped(x._array > 0), 0, x)


def piecewise(name: str, condition: Any, x: Tensor, other: Any) -> Tensor:
    """``x`` where the condition is, ``other`` elsewhere: both slopes are constant but for steps."""
    if not isinstance(other, Tensor):
        other = wrapped(library_of([x._array]).full(x._array.shape, other, x._array.dtype))
    return plain(np.where, wrapped(condition), x, other, name=f"{name}Backward0")


@activation
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    x = input._array
    held = wrapped(np.clip(x, min_val, max_val).astype(x.dtype))
    return piecewise("Hardtanh", (x > min_val) & (x < max_val), input, held)


@activation
def relu6(input: Tensor) -> Tensor:
    return hardtanh(input, 0.0, 6.0)


@activation
def hardsigmoid(input: Tensor) -> Tensor:
    return hardtanh(input, -3.0, 3.0) / 6 + 0.5


@activation
def hardswish(input: Tensor) -> Tensor:
    x = input._array
    middle = input * (input + 3) / 6
    return where(wrapped(x <= -3), 0, where(wrapped(x >= 3), input, middle))


@activation
def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    return piecewise("LeakyRelu", input._array > 0, input, input * negative_slope)


@activation
def elu(input: Tensor, alpha: float = 1.0) -> Tensor:
    return where(wrapped(input._array > 0), input, below(input).expm1() * alpha)


@activation
def selu(input: Tensor) -> Tensor:
    return elu(input, 1.6732632423543772) * 1.0507009873554805


@activation
def celu(input: Tensor, alpha: float = 1.0) -> Tensor:
    return where(wrapped(input._array > 0), input, (below(input) / alpha).expm1() * alpha)


@activation
def silu(input: Tensor) -> Tensor:
    return input * sigmoid(input)


@activation
def mish(input: Tensor) -> Tensor:
    return input * softplus(input).tanh()


@activation
def threshold(input: Tensor, threshold: float, value: float) -> Tensor:
    return piecewise("Threshold", ~(input._array <= threshold), input, value)


@functional
@keeping(1)
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """``x`` times the normal distribution function at ``x``, or its approximation by tanh."""
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (input + 0.044715 * input * input * input)
        return 0.5 * input * (1 + inner.tanh())
    if approximate != "none":
        raise RuntimeError("approximate argument must be either none or tanh.")
    return input * 0.5 * (1 + called("erf", input * math.sqrt(0.5)))


@functional
@keeping(1)
def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    scaled = input * beta
    steep = wrapped(scaled._array > threshold)
    return where(steep, input, where(steep, 0, scaled).exp().log1p() / beta)


@functional
@keeping(1)
def logsigmoid(input: Tensor) -> Tensor:
    return elementwise(linear.log_sigmoid, input, name="LogSigmoidBackward0")


@functional
def softsign(input: Tensor) -> Tensor:
    return input / (1 + input.abs())


@functional
def tanhshrink(input: Tensor) -> Tensor:
    return input - input.tanh()


@functional
@keeping(1)
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    if lambd < 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {lambd}.")
    x = input._array
    below = piecewise("Softshrink", x < -lambd, input + lambd, input * 0)
    return piecewise("Softshrink", x > lambd, input - lambd, below)


@functional
@keeping(1)
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    return piecewise("Hardshrink", ~(np.abs(input._array) <= lambd), input, 0)


@functional
@keeping(2)
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """A slope for negative entries: one for all, or one for each channel."""
    if weight.numel() != 1 and input._array.ndim > 1:
        channels = input._array.shape[1]
        if weight.numel() != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{weight.numel()} and channel size = {channels}."
            )
        weight = weight.reshape([-1] + [1] * (input._array.ndim - 2))
    return where(wrapped(input._array > 0), input, input * weight)


@functional
def rrelu(
    input: Tensor,
    lower: float = 0.125,
    upper: float = 1 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    slope: Any = (lower + upper) / 2
    if training:
        drawn = generator.generator(None, library_of([input._array])).uniform(
            lower, upper, input._array.shape
        )
        slope = wrapped(drawn.astype(input._array.dtype))
    made = where(wrapped(input._array >= 0), input, input * slope)
    return in_place(input, lambda old: made) if inplace else made


@functional
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """One half times the sigmoid of the other."""
    n = input._array.shape[dim]
    if n % 2:
        raise RuntimeError(
            f"Halving dimension must be even, but dimension {dim % input._array.ndim} is size {n}"
        )
    first, gate = input.split(n // 2, dim)
    return first * sigmoid(gate)


def axis_for(dim: Any, input: Tensor) -> int:
    """Which axis is meant where none is named: the first of one or three, the second otherwise."""
    return dim if dim is not None else 0 if input._array.ndim in (0, 1, 3) else 1


def softmax_along(
    input: Tensor, dim: Any = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    return softmax(input, axis_for(dim, input), dtype)


def log_softmax_along(
    input: Tensor, dim: Any = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    return log_softmax(input, axis_for(dim, input), dtype)


@functional
def softmin(input: Tensor, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    return softmax(-input, axis_for(dim, input), dtype)


member("nn.functional", "softmax")(softmax_along)
member("nn.functional", "log_softmax")(log_softmax_along)


@functional
def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A softmax of the logits with Gumbel noise; ``hard`` gives its largest entry, with its gradient."""
    noise = (
        generator.generator(None, library_of([logits._array]))
        .gumbel(size=logits._array.shape)
        .astype(logits._array.dtype)
    )
    soft = softmax((logits + wrapped(noise)) / tau, dim)
    if not hard:
        return soft
    best = np.argmax(soft._array, dim, keepdims=True)
    one = np.zeros_like(soft._array)
    np.put_along_axis(one, best, 1, dim)
    return wrapped(one) - soft.detach() + soft


# -- dropout -------------------------------------------------------------------------------------------


def dropping(name: str, shape_of: Any) -> Any:
    """Entries, or whole channels, set to zero by chance; the others grow to keep the mean."""

    def apply(
        input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
    ) -> Tensor:
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")

        def dropped(x: Tensor) -> Tensor:
            if not training or p == 0:
                return x
            rng = generator.generator(None, library_of([x._array]))
            stays = rng.random(shape_of(x._array.shape)) >= p
            scale = 0.0 if p == 1 else 1 / (1 - p)
            return x * wrapped((stays * scale).astype(x._array.dtype))

        return in_place(input, dropped) if inplace else dropped(input)

    apply.__name__ = apply.__qualname__ = name
    return functional(apply)


dropout = dropping("dropout", lambda shape: shape)
for _name in ("feature_dropout", "dropout1d", "dropout2d", "dropout3d"):
    dropping(_name, lambda shape: shape[:2] + (1,) * (len(shape) - 2))
FUNCTIONS["dropout"] = dropout


@functional
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Any = None,
    enable_gqa: bool = False,
) -> Tensor:
    """The mean of the values, weighted by how well their keys fit each query."""
    if is_causal and attn_mask is not None:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
        )
    if enable_gqa:
        groups = query._array.shape[-3] // key._array.shape[-3]
        key, value = (x.repeat_interleave(groups, -3) for x in (key, value))
    factor = 1 / math.sqrt(query._array.shape[-1]) if scale is None else scale
    scores = matmul(query * factor, key.mT)
    if is_causal:
        seen = library_of([scores._array]).tri(*scores._array.shape[-2:]) > 0
        scores = where(wrapped(seen), scores, -math.inf)
    elif attn_mask is not None and attn_mask._array.dtype.kind == "b":
        scores = where(attn_mask, scores, -math.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    weights = softmax(scores, -1)
    if dropout_p:
        weights = dropout(weights, dropout_p)
    return matmul(weights, value)


for _made in (celu, selu, threshold, hardshrink, prelu):
    FUNCTIONS[_made.__name__] = _made
for _name in ("celu_", "selu_", "threshold_"):
    FUNCTIONS[_name] = SPACES["nn.functional"][_name]
Tensor.hardshrink, Tensor.prelu = hardshrink, prelu
