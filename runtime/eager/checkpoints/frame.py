"""A call that is recorded without its arrays: which it would keep is noted, and they are found by running it again.

In the place of each kept tensor the graph has a `Holder`.  A backward pass that asks for one runs the call
again, and what the second run keeps goes to the holders by its position.  Each is given away once in a pass, and a
pass has nothing of another one.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

from ..graph.engine import queue_callback, running_number
from ..graph.grad_mode import enable_grad, modes
from ..graph.node import edge_of
from ..graph.reopened_tensors import again
from ..graph.saved_tensors import Saved, saved_tensors_hooks
from ..tensor.numpy_protocols import tensors_in
from ..tensor.tensor import Tensor
from .errors import AGAIN, MORE, OTHER_NUMBER, OTHER_SHAPES, OTHER_VALUES, OVERLAP, CheckpointError
from .settings import GraphExecGroup
from .steady_runs import steady, sum_of

__all__ = ["Frame"]

USED: Any = None  # what a holder has in the place of a tensor that was given away


class _StopRecomputationError(Exception):
    """All that was asked for is found: the rest of the second run is not needed."""


class Holder:
    """Stands in the graph for a tensor; ``found``: what the second runs made of it, by pass."""

    __slots__ = ("__weakref__", "found")

    def __init__(self) -> None:
        self.found: dict[Any, Any] = {}


class Argument:
    """A tensor that the call was given, kept as the operations around it keep theirs: by their hooks, if any."""

    def __init__(self, tensor: Any) -> None:
        self.saved = Saved(tensor._array, tensor._counter, tensor)
        self.edge = edge_of(tensor) if tensor.requires_grad else None
        if modes.pack is not None:
            self.saved.pack(modes.pack, tensor)

    def tensor(self) -> Any:
        source = self.saved.source
        if source is None:
            return again(self.saved.unpacked(), self.saved, self.edge)
        self.saved.check_version((source._grad_fn, source._nr))
        return source


class Frame:
    """One call.

    What it reads beside its arguments (closures, objects, globals) nobody counts: the values that are kept
    must come out as they were, bit by bit, unless ``compares`` is False.
    """

    def __init__(
        self,
        run: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        compares: bool,
        stops: bool,
    ) -> None:
        self.run, self.compares, self.stops = run, compares, stops
        self.args = [Argument(a) if isinstance(a, Tensor) else a for a in args]
        inner = [a for a in args if not isinstance(a, Tensor)], kwargs
        self.inner = [Saved(t._array, t._counter, t) for t in tensors_in(inner)]
        self.holders: list[weakref.ref[Holder]] = []
        self.looks: list[Any] = []  # the shape and type of each, and the sum of its values
        self.passes: set[Any] = set()
        self.complete = False  # the function may go back a part of its own way before it has ended

    def pack(self, tensor: Any) -> Holder:
        holder = Holder()
        self.holders.append(weakref.ref(holder))
        self.looks.append(self.look(tensor))
        return holder

    def look(self, tensor: Any) -> Any:
        """What is compared of a tensor."""
        if not self.compares:
            return None
        kind = {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}
        return kind, sum_of(tensor)

    def unpack(self, holder: Holder) -> Any:
        number: Any = running_number()
        group = GraphExecGroup._get_current_group()
        if group is not None:
            number = group
        if number == -1:  # nobody goes back: the value is looked at
            return self.looked_at(holder)
        if number not in self.passes:
            Recomputation(self, number).start()
            self.passes.add(number)
            if group is None:
                queue_callback(functools.partial(self.forget, number))
        return self.given(holder, number)

    def looked_at(self, holder: Holder) -> Any:
        number = object()
        Recomputation(self, number).start()
        found = self.given(holder, number)
        self.forget(number)
        return found

    def forget(self, number: Any) -> None:
        """Lets go of what a pass that has ended did not ask for."""
        self.passes.discard(number)
        for reference in self.holders:
            holder = reference()
            if holder is not None:
                holder.found.pop(number, None)

    def given(self, holder: Holder, number: Any) -> Any:
        found = holder.found.get(number, USED)
        if found is USED:
            extra = OVERLAP if GraphExecGroup._get_current_group() is not None else ""
            raise CheckpointError(AGAIN.format(extra=extra))
        holder.found[number] = USED
        return found

    def arguments(self) -> list[Any]:
        for saved in self.inner:
            saved.check_version((saved.source._grad_fn, saved.source._nr))
        return [a.tensor() if isinstance(a, Argument) else a for a in self.args]


class Recomputation:
    """A second run of a call, for one backward pass."""

    def __init__(self, frame: Frame, number: Any) -> None:
        self.frame, self.number = frame, number
        self.looks: list[Any] = []
        self.goes_on = False  # past what the function had kept when it went back itself

    def start(self) -> None:
        args = self.frame.arguments()
        outer = modes.on_write

        def keep(tensor: Any) -> None:
            if outer is not None:
                outer(tensor)
            self.save(tensor)

        modes.on_write = keep
        try:
            with enable_grad(), steady(), saved_tensors_hooks(self.pack, lambda kept: kept):
                self.frame.run(*args)
        except _StopRecomputationError:
            pass
        finally:
            modes.on_write = outer
        self.check()

    def save(self, tensor: Any) -> None:
        """Keeps what the rest of the run is about to write to as it was."""
        for holder in self.frame.holders:
            one = self.found(holder)
            if one is not None and one._counter is tensor._counter:
                one._array, one._counter = one._array.copy(), [0]

    def found(self, reference: weakref.ref[Holder]) -> Any:
        holder = reference()
        return None if holder is None else holder.found.get(self.number)

    def pack(self, tensor: Any) -> Any:
        frame, k = self.frame, len(self.looks)
        kept = tensor.detach()
        if k >= len(frame.holders):
            if frame.complete:
                raise CheckpointError(MORE)
            self.goes_on = True
            return kept
        self.looks.append(frame.look(tensor))
        holder = frame.holders[k]()
        if holder is not None:  # the function may have gone back here, and freed it
            holder.found[self.number] = kept
        if frame.stops and k + 1 == len(frame.holders):
            raise _StopRecomputationError
        return kept

    def check(self) -> None:
        """Refuse if the values are not those of the first run."""
        first, second = len(self.frame.holders), len(self.looks)
        if first != second:
            raise CheckpointError(OTHER_NUMBER.format(first=first, second=second))
        pairs = [
            (k, *pair)
            for k, pair in enumerate(zip(self.frame.looks, self.looks, strict=True))
            if self.frame.holders[k]() is not None and pair[0] != pair[1]
        ]
        others = [(k, then[0], now[0]) for k, then, now in pairs if then[0] != now[0]]
        if others:
            each = "".join(
                f"tensor at position {k}:\nsaved metadata: {then}\nrecomputed metadata: {now}\n"
                for k, then, now in others
            )
            raise CheckpointError(OTHER_SHAPES.format(each=each))
        if pairs:
            raise CheckpointError(OTHER_VALUES.format(what=f"tensor at position {pairs[0][0]}"))
