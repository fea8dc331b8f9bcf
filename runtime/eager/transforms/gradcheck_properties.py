"""What `gradcheck` asks besides the numbers: batches, and derivatives of what does not depend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...arrays.transfers import beside
from ..graph import engine, hooks
from ..graph.backward import grad
from ..graph.grad_mode import modes
from ..graph.node import edge_of
from ..random.generator import no_random_numbers
from ..tensor.tensor import Tensor, wrapped
from . import forward_ad

__all__ = [
    "GradcheckError",
    "batched_gradients",
    "check_batched_tangents",
    "check_undefined_tangents",
    "undefined_gradients",
]

NO_DRAWING = (
    "vmap: We do not yet support calling random operations inside of vmap. Please perform random operations "
    "outside of vmap as a workaround"
)
NO_NUMBERS = "Batching rule not implemented for aten::item. We could not generate a fallback."


class GradcheckError(RuntimeError):
    """A derivative that differs from the differences."""


def undefined_gradients(outputs: list[Any], xs: list[Any]) -> list[Any]:
    """The gradients when nothing arrives at the outputs' nodes."""
    edges = [edge_of(x) for x in xs]
    wanted = {edge: k for k, edge in enumerate(edges) if edge is not None}
    roots: Any = [(edge_of(o), None) for o in outputs]
    found = engine.run(roots, True, False, wanted, stores=False)
    return [hooks.tensor(found.get(k)) for k in range(len(xs))]


@contextmanager
def no_numbers() -> Iterator[None]:
    """A context in which no tensor can be made a number: each example of a batch has its own."""
    before, modes.no_numbers = modes.no_numbers, NO_NUMBERS
    try:
        yield
    finally:
        modes.no_numbers = before


def batched_gradients(output: Any, xs: list[Any], vs: Any) -> tuple[Any, ...]:
    """The gradients for several cotangents at once."""
    with no_random_numbers(NO_DRAWING), no_numbers():
        found: tuple[Any, ...] = grad(
            output, xs, vs, retain_graph=True, allow_unused=True, is_grads_batched=True
        )
    return found


# -- forward ---------------------------------------------------------------------------------------


def tangents(func: Callable[..., Any], inputs: tuple[Any, ...], ways: dict[int, Any]) -> list[Any]:
    """The tangents of the results, where these of the inputs are dual tensors with such tangents."""
    with forward_ad.dual_level():
        given = [
            forward_ad.make_dual(x.detach(), ways[k]) if ways.get(k) is not None
            else x.detach() if k in ways else x
            for k, x in enumerate(inputs)
        ]  # fmt: skip
        made = func(*given)
        results = made if isinstance(made, (tuple, list)) else (made,)
        return [forward_ad.unpack_dual(o).tangent for o in results if isinstance(o, Tensor)]


def drawn(x: Any, rng: Any) -> Any:
    """A random tangent."""
    made = rng.standard_normal(x._array.shape).astype(x._array.dtype)
    return wrapped(beside(x._array, made))


def check_undefined_tangents(
    func: Callable[..., Any], inputs: tuple[Any, ...], active: list[int]
) -> None:
    """An input without a tangent counts as one whose tangent is zero."""
    rng = np.random.default_rng(0)
    ways: dict[int, Any] = {k: drawn(inputs[k], rng) for k in active}
    for k in active:
        zero = wrapped(np.zeros_like(inputs[k]._array))
        with_zero = tangents(func, inputs, {**ways, k: zero})
        without = tangents(func, inputs, {**ways, k: None})
        for i, (a, b) in enumerate(zip(with_zero, without, strict=True)):
            if a is not None and b is not None and not np.allclose(a._array, b._array):
                raise GradcheckError(
                    f"Mismatch in tangent values for output with index: {i} when input: {inputs[k]} has an undefined "
                    f"tangent value.  Got: {a} but expected: {b}"
                )


def check_batched_tangents(
    func: Callable[..., Any], inputs: tuple[Any, ...], active: list[int]
) -> None:
    """Tangents of a batch give the same each time, without drawing at random."""
    rng = np.random.default_rng(0)
    for k in active:
        ways = [drawn(inputs[k], rng) for _ in range(2)]
        others = dict.fromkeys(active)
        expected = [tangents(func, inputs, {**others, k: way}) for way in ways]
        try:
            with no_random_numbers(NO_DRAWING):  # examples of a batch are run one after the other
                found = tangents(func, inputs, {**others, k: ways[-1]})
        except RuntimeError as error:
            raise GradcheckError(
                f"While computing batched gradients, got: {error}\n\ngradcheck failed while testing batched gradient "
                "computation for forward AD."
            ) from error
        for a, b in zip(expected[-1], found, strict=True):
            if (a is None) != (b is None) or (a is not None and not a.allclose(b)):
                raise GradcheckError(
                    f"gradcheck failed while testing batched gradient computation for forward AD: for input {k}, "
                    f"expected {a} but got {b}"
                )
