"""The hooks of a running backward: on the gradients of results, before a node runs, and after."""

from __future__ import annotations

from typing import Any

from ..batches.frames import is_outside, reopened
from ..sparse.sparse_tensor import of_array
from ..tensor.tensor import Tensor, type_text
from .node import GradFn

__all__ = ["posthooked", "prehooked", "tensor", "watched"]

Bars = list[Any]


def tensor(bar: Any) -> Any:
    """A gradient as hooks see it."""
    return bar if bar is None or isinstance(bar, Tensor) else of_array(bar)


def value(bar: Any, create: bool) -> Any:
    """The result of a hook, as it travels on."""
    return bar if bar is None or create else bar._array


def batches_of(node: GradFn, hooks: Any) -> reopened:
    """A context of the batches that the node was made in: what its hooks read of all examples has the gradient of all."""
    frames = getattr(hooks, "frames", ())
    return reopened(tuple(frame for frame in frames if not is_outside(node, frame)))


def watched(node: GradFn, bars: Bars, create: bool) -> Bars:
    """The hooks of the results, in the order of registration; then ``retain_grad``."""
    assert node.more is not None
    hooks = node.more.get("tensor_hooks", {})
    for k, of_output in hooks.items():
        if not of_output or k >= len(bars):
            continue
        bar = tensor(bars[k])
        with batches_of(node, of_output):
            for hook in list(of_output.values()):
                bar = replaced(hook, bar, hook(bar))
        bars[k] = value(bar, create)
    for k, ref in node.more.get("retained", {}).items():
        of_tensor = ref()
        if of_tensor is not None and bars[k] is not None:
            retain(of_tensor, tensor(bars[k]))
    return bars


def retain(of_tensor: Any, bar: Any) -> None:
    if of_tensor._grad is None:
        of_tensor._grad = bar.clone()
    else:
        of_tensor._grad = of_tensor._grad + bar


def replaced(hook: Any, old: Any, new: Any) -> Any:
    """The gradient after a hook: its result, if it returned one that fits."""
    name = getattr(hook, "__name__", type(hook).__name__)
    if new is None:
        return old
    if not isinstance(new, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(new).__name__}'")
    if old is None:
        raise RuntimeError(f"can't replace a None gradient with a non-None value (hook '{name}')")
    if new._array.dtype != old._array.dtype or type(new._array) is not type(old._array):
        raise RuntimeError(
            f"hook '{name}' has changed the type of value (was {type_text(old)} got {type_text(new)})"
        )
    if new._array.shape != old._array.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")
    return new


def prehooked(node: GradFn, bars: Bars, create: bool) -> Bars:
    assert node.more is not None
    hooks = node.more["prehooks"]
    with batches_of(node, hooks):
        for hook in list(hooks.values()):
            given = tuple(tensor(bar) for bar in bars)
            found = hook(given)
            if found is not None:
                found = of_hook(hook, found, len(given))
                bars = [value(bar, create) for bar in found]
    return bars


def posthooked(node: GradFn, found: tuple[Any, ...], bars: Bars, create: bool) -> tuple[Any, ...]:
    assert node.more is not None
    hooks = node.more["hooks"]
    with batches_of(node, hooks):
        for hook in list(hooks.values()):
            given = tuple(tensor(bar) for bar in found)
            changed = hook(given, tuple(tensor(bar) for bar in bars))
            if changed is not None:
                found = tuple(value(bar, create) for bar in of_hook(hook, changed, len(given)))
    return found


def of_hook(hook: Any, found: Any, count: int) -> tuple[Any, ...]:
    """The results of a node's hook, if they have the right form."""
    if not isinstance(found, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(found).__name__}'")
    if len(found) != count:
        name = getattr(hook, "__name__", type(hook).__name__)
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(found)}, but "
            f"expected {count})"
        )
    for bar in found:
        if bar is not None and not isinstance(bar, Tensor):
            raise TypeError(f"expected Variable, but hook returned '{type(bar).__name__}'")
    return found
