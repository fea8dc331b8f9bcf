"""Nodes of the graph: what each holds, where its gradients go, and the hooks that watch them."""

from __future__ import annotations

import functools
import itertools
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...arrays.libraries import cupy, is_cupy
from ...batching.batched_array import zeros_beside
from ..sparse.sparse_tensor import of_array
from ..tensor.tensor import Tensor, unwrapped, wrapped
from .grad_mode import modes
from .leaf_accumulation import accumulate

__all__ = [
    "AccumulateGrad",
    "Edge",
    "GradFn",
    "Nowhere",
    "RemovableHandle",
    "ZeroSlope",
    "accumulator",
    "edge_of",
    "leads_on",
    "no_derivative",
    "peek",
    "sequence",
    "together",
    "zero_slope",
]

Edge = tuple["GradFn", int]
LAST = 2**64 - 1  # the sequence number of accumulators: they are run as soon as they can be

sequence = itertools.count()


def peek() -> int:
    """The sequence number the next node gets: what a counter prints is all that tells it without counting."""
    return int(repr(sequence)[len("count(") : -1])


class RemovableHandle:
    """Removes a hook; a context that removes it at its end."""

    numbers = itertools.count()

    def __init__(self, hooks: dict[int, Any]) -> None:
        self.id = next(self.numbers)
        self.hooks_dict_ref = weakref.ref(hooks)

    def remove(self) -> None:
        hooks = self.hooks_dict_ref()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


class Hooks(OrderedDict[int, Callable[..., Any]]):
    """Hooks in the order of their registration (a dict that can be weakly referred to).

    ``frames``: the batches that ran when the last of them was registered in one.
    """

    frames: tuple[Any, ...] = ()

    def add(self, hook: Callable[..., Any]) -> RemovableHandle:
        self.frames = modes.frames or self.frames
        handle = RemovableHandle(self)
        self[handle.id] = hook
        return handle


class GradFn:
    """One recorded operation.

    ``edges``: for each of its inputs the node the gradient goes to and which of its results it
    belongs to, None for a constant.  ``outputs``: shape and type of each of its results.  ``more``
    holds what few nodes have: hooks, metadata, the traceback of anomaly mode.
    """

    __slots__ = ("__weakref__", "edges", "more", "outputs", "seq")

    edges: tuple[Edge | None, ...]
    outputs: tuple[tuple[tuple[int, ...], Any], ...]
    more: dict[str, Any] | None
    kind: Any = None  # where it is known: the type of all results and gradients
    shape: Any  # there, too: that of the one result
    takes_sparse = False  # sparse gradients arrive as they are; elsewhere with all of their entries
    brief: Any = None  # where there is one: `run` and `release` for one gradient, as a program

    def __init__(self, edges: tuple[Edge | None, ...] = (), outputs: Any = ()) -> None:
        self.edges, self.outputs, self.more = edges, outputs, None
        self.seq = next(sequence)

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        """The gradients of the inputs, given those of the results (arrays, or tensors if ``create``)."""
        raise NotImplementedError

    def release(self) -> None:
        """Let go of what was saved."""

    # -- what users see ----------------------------------------------------------------

    def name(self) -> str:
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        return tuple(edge if leads_on(edge) else (None, 0) for edge in self.edges)  # type: ignore[misc]

    @property
    def metadata(self) -> dict[str, Any]:
        return self.kept("metadata", dict)  # type: ignore[no-any-return]

    @property
    def requires_grad(self) -> bool:
        return True

    def _sequence_nr(self) -> int:
        return int(self.seq)

    def _set_sequence_nr(self, number: int) -> None:
        self.seq = number

    @property
    def _input_metadata(self) -> list[Any]:
        return list(self.outputs)

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """``hook(grad_inputs, grad_outputs)`` after the node has run; it may return other gradients."""
        return self.kept("hooks", Hooks).add(hook)  # type: ignore[no-any-return]

    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """``hook(grad_outputs)`` before the node runs; it may return others."""
        return self.kept("prehooks", Hooks).add(hook)  # type: ignore[no-any-return]

    def _register_hook_dict(self, hooks: Any) -> None:
        self.kept("tensor_hooks", dict)[0] = hooks

    def __call__(self, *bars: Any) -> Any:
        if len(bars) != len(self.outputs):
            raise TypeError(f"expected {len(self.outputs)} arguments, got {len(bars)} instead")
        create = modes.grad
        given = [b if create or b is None else unwrapped(b) for b in bars]
        found = [
            b if b is None or isinstance(b, Tensor) else of_array(b)
            for b in self.run(given, create)
        ]
        return found[0] if len(found) == 1 else tuple(found)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {hex(id(self))}>"

    # -- what few nodes have -------------------------------------------------------------

    def check_guards(self) -> None:
        """Refuse if a tensor was written to that may not be."""
        for guard in (self.more or {}).get("guards", ()):
            guard.check()

    def kept(self, name: str, make: Callable[[], Any]) -> Any:
        """An entry of ``more``, made when it is first asked for."""
        if self.more is None:
            self.more = {}
        if name not in self.more:
            self.more[name] = make()
        return self.more[name]

    def tensor_hooks(self, output: int) -> Hooks:
        """The hooks on one of the results."""
        found: Hooks = self.kept("tensor_hooks", dict).setdefault(output, Hooks())
        return found


class AccumulateGrad(GradFn):
    """The end of the graph at a leaf: what arrives is added to the ``.grad`` of its tensor."""

    __slots__ = ("variable",)

    takes_sparse = True

    def __init__(self, variable: Any) -> None:
        array = variable._array
        self.edges, self.more, self.seq = (), None, LAST
        self.outputs = ((array.shape, variable._grad_type(array)),)
        self.variable = variable

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if bars[0] is not None:
            accumulate(self.variable, bars[0], create)
        return ()


class ZeroSlope(GradFn):
    """A step function: nothing of the gradient goes on but zeros."""

    __slots__ = ()

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if bars[0] is None:
            return (None,) * len(self.edges)
        self.check_guards()
        zeros = zeros_beside(unwrapped(bars[0]), *self.outputs[0])
        return tuple(wrapped(zeros) if create else zeros for _ in self.edges)


@functools.cache
def zero_slope(name: str) -> type[ZeroSlope]:
    """The class of such nodes of a name."""
    return type(name, (ZeroSlope,), {"__slots__": ()})


class Together(GradFn):
    """The one node of several results that were recorded apart: each gradient goes on to its own."""

    __slots__ = ()

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        return tuple(bars)


@functools.cache
def together_class(name: str) -> type[Together]:
    return type(name, (Together,), {"__slots__": ()})


def together(name: str, *results: Any) -> tuple[Any, ...]:
    """Several results as those of one node of that name, where they are recorded."""
    if any(one._grad_fn is None for one in results):
        return results
    outputs = tuple(shape_and_type(one._array) for one in results)
    node = together_class(name)(tuple(edge_of(one) for one in results), outputs)
    for k, one in enumerate(results):
        one._grad_fn, one._nr = node, k
    return results


class NoDerivative(GradFn):
    """A function that PyTorch refuses to derive."""

    __slots__ = ()

    of: str

    def name(self) -> str:
        return "NotImplemented"

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        raise RuntimeError(f"derivative for aten::{self.of} is not implemented")


@functools.cache
def no_derivative(of: str) -> type[NoDerivative]:
    """The class of the nodes of such a function."""
    return type("NotImplemented", (NoDerivative,), {"__slots__": (), "of": of})


class Nowhere(GradFn):
    """The end at a view that was not recorded, of what requires grad: nothing goes on."""

    __slots__ = ()

    def __init__(self, view: Any) -> None:
        self.edges, self.more, self.seq = (), None, LAST
        self.outputs = (shape_and_type(view._array),)

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        return ()


def accumulator(leaf: Any) -> AccumulateGrad:
    """The one accumulator of a leaf, while anything refers to it."""
    found = None if leaf._accumulator is None else leaf._accumulator()
    if found is None:
        found = AccumulateGrad(leaf)
        hooks = leaf._more.get("hooks") if leaf._more else None
        if hooks is not None:
            found.kept("tensor_hooks", dict)[0] = hooks
        leaf._accumulator = weakref.ref(found)
    return found


def edge_of(tensor: Any) -> Edge | None:
    """Where the gradient of a tensor goes."""
    node = tensor.grad_fn if tensor._view is not None else tensor._grad_fn
    if node is not None:
        return node, tensor._nr
    if tensor._requires:
        return accumulator(tensor), 0
    return (Nowhere(tensor), 0) if tensor.requires_grad else None


def leads_on(edge: Edge | None) -> bool:
    """True if a gradient that goes there arrives anywhere."""
    return edge is not None and type(edge[0]) is not Nowhere


def walk(roots: list[GradFn]) -> Iterator[GradFn]:
    """Every node that can be reached."""
    seen, stack = set(roots), list(roots)
    while stack:
        node = stack.pop()
        yield node
        for edge in node.edges:
            if edge is not None and edge[0] not in seen:
                seen.add(edge[0])
                stack.append(edge[0])


def shape_and_type(array: Any) -> tuple[tuple[int, ...], Any]:
    return array.shape, array.dtype


STAND_INS: dict[Any, Any] = {}


def stand_in(array: Any) -> Any:
    """An array of the same shape and type that takes no memory: for what is read for its shape only."""
    if type(array) is not np.ndarray and is_cupy(array):
        return repeated_zero(array.shape, array.dtype, cupy())
    key = array.shape, array.dtype
    found = STAND_INS.get(key)
    if found is None:
        if len(STAND_INS) > 4096:
            STAND_INS.clear()
        zero = np.zeros(1, array.dtype)
        found = STAND_INS[key] = np.ndarray(*key, zero, 0, (0,) * array.ndim)
        found.setflags(write=False)
    return found


@functools.lru_cache(maxsize=4096)
def repeated_zero(shape: tuple[int, ...], dtype: Any, library: Any) -> Any:
    """The same on the device."""
    return library.broadcast_to(library.zeros((), dtype), shape)
