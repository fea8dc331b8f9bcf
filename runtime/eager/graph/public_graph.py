"""The graph as users see it: nodes, edges, hooks on several tensors, counters, saved values."""

from __future__ import annotations

import abc
import functools
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..tensor.tensor import Tensor, fresh
from . import engine
from .backward import GradientEdge, get_gradient_edge
from .grad_mode import count_write, modes
from .node import GradFn, Nowhere, RemovableHandle
from .running_tasks import running_tasks
from .saved_tensors import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge", "increment_version",
    "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]  # fmt: skip


class Node(abc.ABC):
    """The type of every ``grad_fn``."""

    @abc.abstractmethod
    def name(self) -> str:
        """The name of the operation's way back."""

    @property
    @abc.abstractmethod
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that the gradients of the inputs go to."""

    @abc.abstractmethod
    def metadata(self) -> dict[str, Any]:
        """A dict of the user's own."""

    @abc.abstractmethod
    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call ``fn(grad_inputs, grad_outputs)`` after the node."""

    @abc.abstractmethod
    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before the node."""

    @classmethod
    def __subclasshook__(cls, subclass: type, /) -> bool:
        return cls is Node and (subclass is Node or issubclass(subclass, GradFn))


def increment_version(tensor: Any) -> None:
    """Tell that a tensor's memory was written to by somebody else."""
    if not isinstance(tensor, (Tensor, Iterable)):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for one in [tensor] if isinstance(tensor, Tensor) else list(tensor):
        if not isinstance(one, Tensor):
            raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
        if not one.is_inference():
            count_write(one)


def set_versions(tensors: Sequence[Any], versions: Sequence[int]) -> None:
    """Have tensors count their writes from these numbers on: who does so vouches for what was saved of them."""
    for tensor, version in zip(tensors, versions, strict=True):
        if version < 0:
            raise RuntimeError(f"Cannot set a version_counter to a value below 0: {version}")
        tensor._counter[0] = version


class preserve_versions:
    """A context whose writes to these tensors are not counted."""

    def __init__(self, tensors: Any) -> None:
        self.tensors = (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)
        self.before = [tensor._version for tensor in self.tensors]

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        set_versions(self.tensors, self.before)


def node_of(tensor: Any) -> Any:
    if isinstance(tensor, GradientEdge):
        return tensor.node
    if not tensor.requires_grad:
        raise AssertionError("Expected gradient function to be set")
    node = get_gradient_edge(tensor).node
    if isinstance(node, Nowhere):
        raise AssertionError("Expected gradient function to be set")
    return node


class Handles:
    """The handles of one hook on several tensors."""

    def __init__(self, handles: Iterable[RemovableHandle]) -> None:
        self.handles = list(handles)

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> Handles:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


def register_multi_grad_hook(
    tensors: Sequence[Any], fn: Callable[..., Any], *, mode: str = "all"
) -> Handles:
    """Call ``fn`` once in each backward: with all gradients when the last is there, or with the first.

    Tensors that backward does not reach count as None.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        return on_any(tensors, fn)
    counts: dict[Any, int] = {}
    grads: dict[Any, list[Any]] = {}
    expected: dict[Any, int] = {}
    lock = threading.Lock()
    nodes = [node_of(t) for t in tensors]

    def hook(k: int, grad: Any) -> None:
        task = running_tasks()[-1]
        with lock:
            if task not in counts:
                counts[task], grads[task] = 0, [None] * len(tensors)
                expected[task] = sum(map(engine.will_execute, nodes))
            counts[task] += 1
            grads[task][k] = grad
            done = counts[task] == expected[task]
        if done:
            fn(grads.pop(task))
            del counts[task], expected[task]

    return Handles([t.register_hook(functools.partial(hook, k)) for k, t in enumerate(tensors)])


def on_any(tensors: Sequence[Any], fn: Callable[..., Any]) -> Handles:
    """Call ``fn(grad)`` with the first gradient of each backward."""
    seen: list[Any] = [None]
    lock = threading.Lock()

    def hook(grad: Any) -> None:
        task = running_tasks()[-1]
        with lock:
            ran, seen[0] = seen[0] is task, task
        if not ran:
            fn(grad)

    return Handles([t.register_hook(hook) for t in tensors if t.requires_grad])


# -- writing to saved tensors ------------------------------------------------------------------------


class _Handle:
    """A saved tensor once it is packed."""

    __slots__ = ("__weakref__",)


class _AllowMutationOnSavedContext:
    """Saved tensors by handle: the originals, and copies of those that were written to since."""

    def __init__(self) -> None:
        self.cloned: weakref.WeakKeyDictionary[_Handle, Any] = weakref.WeakKeyDictionary()
        self.original: weakref.WeakKeyDictionary[_Handle, Any] = weakref.WeakKeyDictionary()
        self.tid_to_weakhandle: weakref.WeakValueDictionary[Any, _Handle] = (
            weakref.WeakValueDictionary()
        )
        self.sid_to_tid: dict[int, set[Any]] = {}

    def clear(self) -> None:
        self.cloned.clear()
        self.original.clear()
        self.tid_to_weakhandle.clear()
        self.sid_to_tid.clear()

    def pack(self, tensor: Any) -> _Handle:
        memory = id(tensor._counter)
        array = tensor._array
        key = memory, tensor.data_ptr(), array.shape, array.strides, array.dtype, tensor._counter[0]
        handle = self.tid_to_weakhandle.get(key)
        if handle is None:
            handle = self.tid_to_weakhandle[key] = _Handle()
            self.original[handle] = detached(tensor)
            self.sid_to_tid.setdefault(memory, set()).add(key)
        return handle

    def unpack(self, handle: _Handle) -> Any:
        if handle in self.cloned:
            return self.cloned[handle]
        if handle not in self.original:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was "
                "originally recorded."
            )
        return self.original[handle]

    def before_write(self, tensor: Any) -> None:
        """Copy what was saved of this memory and not copied yet."""
        for key in self.sid_to_tid.get(id(tensor._counter), ()):
            handle = self.tid_to_weakhandle.get(key)
            if handle is not None and handle in self.original:
                self.cloned[handle] = detached(self.original.pop(handle), copy=True)


def detached(tensor: Any, copy: bool = False) -> Any:
    made = fresh(tensor._array.copy() if copy else tensor._array)
    if not copy:
        made._counter = tensor._counter
    return made


class allow_mutation_on_saved_tensors:
    """A context in which saved tensors may be written to: they are copied before."""

    def __enter__(self) -> _AllowMutationOnSavedContext:
        if modes.mutation is not None:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        self.context = modes.mutation = _AllowMutationOnSavedContext()
        self.hooks = saved_tensors_hooks(self.context.pack, self.context.unpack)
        self.hooks.__enter__()
        return self.context

    def __exit__(self, *error: Any) -> None:
        self.hooks.__exit__(*error)
        modes.mutation = None
        self.context.clear()
