"""Checkpoints: what nodes would keep of a call is forgotten, and computed again on the way back."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from ..graph.grad_mode import enable_grad, modes
from ..graph.saved_tensors import Saved, saved_tensors_hooks
from ..random import generator
from ..tensor.numpy_protocols import tensors_in

__all__ = ["CheckpointError", "checkpoint", "checkpoint_sequential"]


class CheckpointError(RuntimeError):
    """The second run did not do what the first one did."""


@contextmanager
def steady() -> Iterator[None]:
    """Nodes keep the same in both runs, though the inputs may have hooks by then, or retain their gradients."""
    before, modes.steady = modes.steady, True
    try:
        yield
    finally:
        modes.steady = before


class Frame:
    """One call: how to run it again, and what the second run kept, by number.

    What it reads beside its arguments (closures, objects, globals) nobody counts: the values that are kept
    must come out as they were, bit by bit, unless ``compares`` is False.
    """

    def __init__(self, run: Callable[[], Any], state: Any, given: Any, compares: bool) -> None:
        self.run, self.state, self.compares = run, state, compares
        self.given = [Saved(t._array, t._counter, t) for t in tensors_in(given)]
        self.shapes: list[Any] = []
        self.sums: list[int] = []
        self.again: dict[int, Any] = {}
        self.complete = False  # the function may go back a part of its own way before it has ended

    def pack(self, tensor: Any) -> int:
        self.shapes.append((tensor.shape, tensor.dtype))
        self.sums.append(self.sum(tensor))
        return len(self.shapes) - 1

    def sum(self, tensor: Any) -> int:
        """A checksum of the values."""
        if not self.compares:
            return 0
        return zlib.crc32(np.ascontiguousarray(tensor._array).reshape(-1).view(np.uint8))

    def unpack(self, k: int) -> Any:
        if k not in self.again:
            self.rerun()
        return self.again.pop(k)

    def rerun(self) -> None:
        """Run the call again with the random numbers it had, and see what its nodes keep."""
        for saved in self.given:
            saved.check_version((saved.source._grad_fn, saved.source._nr))
        found: list[Any] = []
        sums: list[int] = []

        outer = modes.on_write

        def keep(tensor: Any) -> None:
            """Keeps what the rest of the run is about to write to as it was."""
            if outer is not None:
                outer(tensor)
            for one in found:
                if one._counter is tensor._counter:
                    one._array, one._counter = one._array.copy(), [0]

        def collect(tensor: Any) -> Any:
            found.append(tensor.detach())
            sums.append(self.sum(tensor))
            return tensor

        if self.state is not None:
            numbers = generator.generator().bit_generator
            now, numbers.state = numbers.state, self.state
        modes.on_write = keep
        try:
            with enable_grad(), steady(), saved_tensors_hooks(collect, lambda kept: kept):
                self.run()
        finally:
            modes.on_write = outer
            if self.state is not None:
                numbers.state = now
        if not self.complete:
            found, sums = found[: len(self.shapes)], sums[: len(self.shapes)]
        if len(found) != len(self.shapes):
            raise CheckpointError(
                "retrograd.utils.checkpoint: A different number of tensors was saved during the original forward "
                f"and recomputation.\nNumber of tensors saved during forward: {len(self.shapes)}\n"
                f"Number of tensors saved during recomputation: {len(found)}."
            )
        for k, (tensor, shape) in enumerate(zip(found, self.shapes, strict=True)):
            if (tensor.shape, tensor.dtype) != shape:
                raise CheckpointError(
                    "retrograd.utils.checkpoint: Recomputed values for the following tensors have different metadata "
                    f"than during the forward pass.\ntensor at position {k}:\nsaved metadata: {shape}\n"
                    f"recomputed metadata: {(tensor.shape, tensor.dtype)}"
                )
        changed = [
            k for k, pair in enumerate(zip(sums, self.sums, strict=True)) if len({*pair}) > 1
        ]
        if changed:
            raise CheckpointError(
                "retrograd.utils.checkpoint: Recomputed values are others than during the forward pass (tensor at "
                f"position {changed[0]}): something that the function reads beside its arguments was written to or "
                "bound anew since, or it is random. Pass it as an argument, or let it be until the way back. "
                'determinism_check="none" takes the new values.'
            )
        self.again = dict(enumerate(found))


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: Any = None,
    context_fn: Any = None,
    determinism_check: str = "default",
    debug: bool = False,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args, **kwargs)``, computed a second time when the gradient needs its values.

    Both values of ``use_reentrant`` do the same here: the graph of the call is recorded, without its arrays.
    """
    if determinism_check not in ("default", "none"):
        raise ValueError(
            f"determinism_check should be one of ['default', 'none'], got {determinism_check}"
        )
    first, second = (nullcontext(), nullcontext()) if context_fn is None else context_fn()

    def run() -> Any:
        with second:
            return function(*args, **kwargs)

    draws = preserve_rng_state and not generator.drawing.forbidden
    state = generator.generator().bit_generator.state if draws else None
    frame = Frame(run, state, (args, kwargs), determinism_check != "none")
    with steady(), saved_tensors_hooks(frame.pack, frame.unpack), first:
        made = function(*args, **kwargs)
    frame.complete = True
    return made


def checkpoint_sequential(functions: Any, segments: int, input: Any, **options: Any) -> Any:
    """Functions one after the other, in that many checkpoints; the last one is not one."""
    steps = list(functions)
    size = len(steps) // segments

    def several(some: list[Any]) -> Callable[[Any], Any]:
        def run(value: Any) -> Any:
            for step in some:
                value = step(value)
            return value

        return run

    for k in range(segments - 1):
        input = checkpoint(several(steps[k * size : (k + 1) * size]), input, **options)
    return several(steps[(segments - 1) * size :])(input)
