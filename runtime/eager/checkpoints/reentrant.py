"""The checkpoint with a backward pass inside of the pass: the call is one node, and nothing of it is recorded."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from ..graph.backward import backward
from ..graph.engine import is_checkpoint_valid
from ..graph.grad_mode import enable_grad, modes, no_grad
from ..tensor.tensor import Tensor
from ..user_functions.function import Function, ending
from .errors import OTHER_VALUES, CheckpointError
from .steady_runs import random_state, random_state_of, sum_of

__all__ = ["CheckpointFunction", "Uncompared", "check_backward_validity", "detach_variable"]

INCOMPATIBLE = (
    "When use_reentrant=True, retrograd.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
    "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() "
    "without passing the `inputs` argument."
)
TWICE = (
    "trying to differentiate twice a checkpoint with use_reentrant=True: its backward is not recorded. With "
    "use_reentrant=False it is"
)


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs as leaves of a graph of their own."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}"
        )
    return tuple(leaf_of(one) if isinstance(one, Tensor) else one for one in inputs)


def leaf_of(tensor: Any) -> Any:
    return tensor.detach().requires_grad_(tensor.requires_grad)


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn if no gradient can come through."""
    if not any(one.requires_grad for one in inputs if isinstance(one, Tensor)):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
        )


def tensors_of(outputs: Any) -> list[Any]:
    return [one for one in listed(outputs) if isinstance(one, Tensor)]


def listed(outputs: Any) -> tuple[Any, ...]:
    return outputs if isinstance(outputs, tuple) else (outputs,)


class CheckpointFunction(Function):
    """``apply(function, preserves the random state, *args)``."""

    compares = True  # results of the second run that are not those of the first are refused

    @staticmethod
    def forward(ctx: Any, run_function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.state = random_state_of(preserve_rng_state)
        ctx.inputs = [None if isinstance(a, Tensor) else a for a in args]
        ctx.tensor_indices = [k for k, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.save_for_backward(*(args[k] for k in ctx.tensor_indices))
        with no_grad():
            outputs = run_function(*args)
        ctx.sums = [sum_of(one) for one in tensors_of(outputs)] if ctx._forward_cls.compares else []
        return outputs

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        if not is_checkpoint_valid():
            raise RuntimeError(INCOMPATIBLE)
        inputs = list(ctx.inputs)
        for k, tensor in zip(ctx.tensor_indices, ctx.saved_tensors, strict=True):
            inputs[k] = tensor
        leaves: Any = detach_variable(tuple(inputs))
        with random_state(ctx.state), enable_grad():
            outputs = ctx.run_function(*leaves)
        if ctx._forward_cls.compares and ctx.sums != [sum_of(one) for one in tensors_of(outputs)]:
            raise CheckpointError(OTHER_VALUES.format(what="the results"))
        go_back(listed(outputs), args)
        grads = [getattr(one, "grad", None) if isinstance(one, Tensor) else None for one in leaves]
        if modes.grad:  # what is recorded ends here
            grads = list(ending(grads, [edge for edge in ctx.edges if edge is not None], TWICE))
        return (None, None, *grads)


def go_back(outputs: tuple[Any, ...], bars: tuple[Any, ...]) -> None:
    """The pass inside: from the results that have a history."""
    pairs = [
        (one, bar)
        for one, bar in zip(outputs, bars, strict=True)
        if isinstance(one, Tensor) and one.requires_grad
    ]
    if not pairs:
        raise RuntimeError(
            "none of output has requires_grad=True, this checkpoint() is not necessary"
        )
    with no_grad():
        backward([one for one, _ in pairs], [bar for _, bar in pairs])


class Uncompared(CheckpointFunction):
    """The same, with results that may be others in the second run."""

    compares = False
