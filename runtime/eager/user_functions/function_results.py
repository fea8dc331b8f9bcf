"""The results of a user's function: their history, their tangents, and what was kept for the way back."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from ..batches.crossings import edge_into
from ..functions.shaping import view_of_input
from ..graph.grad_mode import count_write, modes
from ..graph.node import shape_and_type
from ..graph.push_tangents import has_duals
from ..graph.saved_tensors import Saved
from ..graph.saving import INFERENCE
from ..graph.tangents import (
    apart,
    at_each_level,
    below,
    levels,
    like,
    put_tangent,
    remember_tangent,
    same_tangents,
    set_tangent,
    tangent_of,
)
from ..observe.anomaly_mode import anomaly, remember
from ..tensor.dtypes import is_differentiable
from ..tensor.tensor import Tensor, fresh, wrapped
from ..tensor.view_info import CUSTOM
from ..tensor.views import check_base, check_creation, rebase

__all__ = ["Kept", "finished"]

NO_VIEW = "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
SAME = "A custom Function is returning a view but the jvp is not returning a view of {} given grad input."
NO_TENSOR = (
    "Function's jvp returned a gradient at position {}, but  the corresponding forward output is not a differentiable "
    "Tensor.You should return None at that position instead."
)
NOT_IN_PLACE = (
    "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is modifying an "
    "input inplace, then the jvp function must modify the corresponding gradient inplace."
)


class Kept(NamedTuple):
    """A tensor that was saved: an input, with where its gradient goes, or one of the results."""

    saved: Saved
    tensor: Any
    output: int | None
    edge: Any


def finished(
    ctx: Any, args: tuple[Any, ...], result: Any, recording: bool, versions: dict[int, int]
) -> Any:
    """The results with their history, and what was kept made safe."""
    several = isinstance(result, tuple)
    results = list(result) if several else [result]
    check_dirty(ctx, args, results)
    made = []
    outputs: list[Any] = []
    inputs = {id(a): a for a in args if isinstance(a, Tensor)}
    for one in results:
        if not isinstance(one, Tensor):
            ctx.returned.append(None)
            made.append(one)
            continue
        ctx.returned.append(shape_and_type(one._array))
        ctx.without_slope.append(not carries_slope(ctx, one))
        outputs.append(shape_and_type(one._array))
        made.append(output_of(ctx, one, len(outputs) - 1, recording, inputs, len(results) > 1))
    ctx.outputs = tuple(outputs)
    if levels.current >= 0 and has_duals(args):
        at_each_level(push_through, ctx, args, made)
    if recording:
        if anomaly.enabled:
            remember(ctx)
        save(ctx, results, made, args)
    else:
        made = [without_history(one) if is_one_of(one, ctx.dirty_tensors) else one for one in made]
    return tuple(made) if several else made[0]


def is_one_of(one: Any, tensors: tuple[Any, ...]) -> bool:
    return any(one is tensor for tensor in tensors)


def without_history(dirty: Any) -> Any:
    """A tensor that was written to unrecorded, without its history."""
    return same_tangents(dirty.detach(), dirty) if dirty.requires_grad else dirty


def push_through(ctx: Any, args: tuple[Any, ...], made: list[Any]) -> None:
    """The tangents of the results at one level, by the user's jvp at the level below."""
    tangents = []
    own = [tangent_of(a) if isinstance(a, Tensor) else None for a in args]
    if all(t is None for t in own):
        return
    for a, t in zip(args, own, strict=True):
        if t is None and takes_zeros(ctx, a):
            t = wrapped(np.zeros_like(a._array))
        elif t is not None and is_one_of(a, ctx.dirty_tensors):
            with below():
                t = t.clone()  # the user's jvp writes to it
        tangents.append(t)
    ctx.saved = tuple(
        Kept(Saved(t._array, t._counter, t), t, None, None) for t in ctx.saved_for_forward
    )
    with below():
        found = ctx.apply_jvp(*tangents)
    found = found if isinstance(found, tuple) else (found,)
    if len(found) != len(made):
        raise RuntimeError(
            f"Function's jvp returned an invalid number of forward gradients (expected {len(made)} but got {len(found)})"
        )
    for position, (one, tangent) in enumerate(zip(made, found, strict=True)):
        if not carries_slope(ctx, one):
            if tangent is not None:
                raise RuntimeError(NO_TENSOR.format(position))
            continue
        receive(one, tangent, args, tangents, ctx.dirty_tensors)
        if tangent is not None and one._grad_fn is not None:
            remember_tangent(one._grad_fn, one._nr, tangent_of(one))


def takes_zeros(ctx: Any, argument: Any) -> bool:
    """True if the user's jvp gets zeros for an argument that has no tangent."""
    return (
        isinstance(argument, Tensor)
        and ctx.materialize_grads
        and is_differentiable(argument._array.dtype)
    )


def carries_slope(ctx: Any, one: Any) -> bool:
    return (
        isinstance(one, Tensor)
        and is_differentiable(one._array.dtype)
        and not is_one_of(one, ctx.non_differentiable)
    )


def receive(
    one: Any, tangent: Any, args: tuple[Any, ...], given: list[Any], dirty: tuple[Any, ...]
) -> None:
    """Give a result the tangent that the user's jvp has for it."""
    if is_one_of(one, dirty):
        own = next(t for a, t in zip(args, given, strict=True) if a is one)
        if tangent is not own or not tangent._counter[0]:
            raise RuntimeError(NOT_IN_PLACE)
        put_tangent(one, tangent)
        return
    if tangent is None:
        return
    for a, t in zip(args, given, strict=True):
        if t is not None and is_part(one, a):
            check_view(tangent, t)
            return
    with below():
        tangent = apart(like(tangent, one), [t for t in given if t is not None])
    set_tangent(one, tangent)


def is_part(one: Any, argument: Any) -> bool:
    """True if a result shows an input that has a tangent: its own is the same part of that."""
    return (
        one._view is not None
        and getattr(argument, "_counter", None) is one._counter
        and tangent_of(argument) is not None
    )


def check_view(tangent: Any, given: Any) -> None:
    """Refuse the tangent of a view that is no view of the tangent of what the view shows."""
    if tangent.is_inference():
        return
    if tangent._base is None or tangent is given:
        raise RuntimeError(NO_VIEW)
    if tangent._base is not (given if given._base is None else given._base):
        raise RuntimeError(SAME.format("the" if given._base is None else "the same base as the"))


def check_dirty(ctx: Any, args: tuple[Any, ...], results: list[Any]) -> None:
    for dirty in ctx.dirty_tensors:
        if not any(dirty is a for a in args):
            warnings.warn(
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated "
                "should be passed to ctx.mark_dirty().",
                stacklevel=4,
            )
        elif not any(dirty is r for r in results):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                "that are modified inplace must all be outputs of the Function."
            )


def output_of(
    ctx: Any, one: Any, k: int, recording: bool, inputs: dict[int, Any], several: bool
) -> Any:
    """One result as ``apply`` returns it."""
    carries = (
        recording
        and is_differentiable(one._array.dtype)
        and not is_one_of(one, ctx.non_differentiable)
    )
    if is_one_of(one, ctx.dirty_tensors):
        return dirty_output(ctx, one, k, recording, several)
    if id(one) in inputs:
        if one.requires_grad and not carries:
            return one.detach()
        one = view_of_input(fresh(one._array.view()), one)
    elif one._view is not None and (carries or id(one._view.base) in inputs):
        one._view.creation = CUSTOM
        one._view.version = one._counter[0]  # what `forward` wrote into it is of the past
    if carries:
        one._grad_fn, one._nr, one._requires = ctx, k, True
    elif recording:
        one._requires = False
    return one


def dirty_output(ctx: Any, one: Any, k: int, recording: bool, several: bool) -> Any:
    count_write(one)
    if recording:
        check_creation(one)
        check_base(one)
    is_leaf = recording and one.requires_grad and one.grad_fn is None
    if is_leaf:
        raise RuntimeError(
            "a leaf Variable that requires grad has been used in an in-place operation."
        )
    if recording and one._view is not None and several:
        raise RuntimeError(
            "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return "
            "more than one Tensor. This is not supported by the current autograd engine. You should either make sure "
            "the input is not a view (using .clone() for example) or make your Function only return one Tensor "
            "(potentially splitting it into two Functions: one doing the inplace that returns a single Tensor and a "
            "second one that does the other operations). You can ask on the forum https://discuss.pytorch.org/ if you "
            "need help to do this change."
        )
    if recording:
        one._grad = None
        rebase(one, ctx, k)
    return one


def save(ctx: Any, results: list[Any], made: list[Any], args: tuple[Any, ...]) -> None:
    """Keeps in the node what ``save_for_backward`` was given."""
    kept: list[Any] = []
    for n, tensor in enumerate(ctx.to_save or ()):
        if tensor is None:
            kept.append(None)
            continue
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {n} is of type {type(tensor).__name__}"
            )
        if tensor.is_inference():
            raise RuntimeError(INFERENCE)
        output = next(
            (
                ctx_output(ctx, results, r)
                for r in range(len(results))
                if made[r] is tensor or (results[r] is tensor and not is_one_of(tensor, args))
            ),
            None,
        )
        saved = Saved(tensor._array, tensor._counter, tensor if output is None else None)
        edge = edge_into(tensor) if output is None and tensor.requires_grad else None
        kept.append(Kept(saved, tensor if output is None else None, output, edge))
        if modes.pack is not None:
            saved.pack(modes.pack, tensor)
    ctx.saved = tuple(kept)
    ctx.to_save = None


def ctx_output(ctx: Any, results: list[Any], position: int) -> int:
    """Which of the tensors returned a result is."""
    return sum(kind is not None for kind in ctx.returned[:position])
