"""Values that a node keeps for the way back: checked for writes since, and packed where hooks ask for it."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ...device.places import is_far
from ..observe.anomaly_mode import anomaly
from ..tensor.tensor import Tensor, type_text_of, wrapped
from .grad_mode import modes
from .node import stand_in
from .tangents import tangents_of

__all__ = [
    "FREED",
    "LASTING",
    "Guard",
    "Saved",
    "SavedTensor",
    "are_hooks_allowed",
    "attribute_handle",
    "disable_saved_tensors_hooks",
    "save_on_cpu",
    "saved_tensor",
    "saved_tensors_hooks",
]

LASTING = {"ScaleBackward0"}  # a multiple keeps its factor only: it may run again
FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have "
    "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
    "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
    "you need to access saved tensors after calling backward."
)
MODIFIED = (
    "one of the variables needed for gradient computation has been modified by an inplace operation: [{what}]"
    "{whence} is at version {now}; expected version {then} instead. Hint: {hint}"
)
DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, "
    "please use out-of-place `.detach()` instead"
)
ENABLE = (
    "enable anomaly detection to find the operation that failed to compute its gradient, with "
    "retrograd.autograd.set_detect_anomaly(True, check_nan=False)."
)
ABOVE = (
    "the backtrace further above shows the operation that failed to compute its gradient. The variable in "
    "question was changed in there or anywhere later. Good luck!"
)


class Saved:
    """An array that a node reads on the way back.

    ``source`` is the tensor it belongs to, where that is an input; for a result it is None, and
    ``node`` and ``output`` say which.  ``counter`` is None where nobody can write to it.
    """

    __slots__ = ("array", "counter", "far", "hooks", "packed", "source", "tangents", "version")

    def __init__(self, array: Any, counter: Any, source: Any = None) -> None:
        self.array, self.counter, self.source = array, counter, source
        self.version = 0 if counter is None else counter[0]
        self.hooks: Any = None
        self.packed: Any = None
        self.tangents: dict[int, Any] = {}  # of what was packed
        self.far = False  # where it was

    def check(self, whence: Any, since: int) -> None:
        """Refuse if the array was written to since it was saved, or its tensor has lost its history.

        ``since``: the sequence number of the node that saved it.
        """
        if self.source is not None and is_detached(self.source, since):
            raise RuntimeError(DETACHED)
        self.check_version(whence)

    def check_version(self, whence: Any) -> None:
        if self.counter is not None and self.counter[0] != self.version:
            raise RuntimeError(modified(self.array, whence, self.counter[0], self.version))

    def pack(self, hooks: tuple[Any, ...], tensor: Any) -> None:
        """Give the tensor to a pack hook, and keep what it makes of it."""
        before = None if tensor._counter is None else tensor._counter[0]
        self.tangents = tangents_of(tensor)
        grad, modes.grad = modes.grad, False
        try:
            self.packed = hooks[0](tensor)
        finally:
            modes.grad = grad
        if before is not None and tensor._counter[0] != before:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
                "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
                "Please open an issue if you need to perform in-place operations on the input to a pack hook."
            )
        self.hooks, self.far = hooks[:2], is_far(tensor._array)
        self.array = self.source = self.counter = None

    def unpacked(self) -> Any:
        """The array, by the unpack hook if there is one."""
        if self.hooks is None:
            return self.array
        grad, modes.grad = modes.grad, False
        try:
            found = self.hooks[1](self.packed)
        finally:
            modes.grad = grad
        if not isinstance(found, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                f"{type(found).__name__}"
            )
        if is_far(found._array) is not self.far:
            raise RuntimeError(
                "Output of saved tensor unpack_hook is not on the device of what was packed: move it back there"
            )
        return found._array


def is_detached(tensor: Any, since: int) -> bool:
    """True if a tensor was detached in place after a node was made."""
    return tensor._more is not None and tensor._more.get("detached", -1) > since


def modified(array: Any, whence: Any, now: int, then: int) -> str:
    """The message on an array that was written to, and on where it came from."""
    node, output = whence
    return MODIFIED.format(
        what=f"{type_text_of(array.dtype)} {list(array.shape)}",
        whence=f", which is output {output} of {node.name()}," if node is not None else "",
        now=now,
        then=then,
        hint=ABOVE if anomaly.enabled else ENABLE,
    )


class Guard:
    """A tensor that may not be written to before the way back, though our formulas do not read it."""

    __slots__ = ("counter", "is_result", "like", "of", "since", "version", "whence")

    def __init__(self, tensor: Any, node: Any) -> None:
        self.counter, self.version = tensor._counter, tensor._counter[0]
        self.like, self.whence = stand_in(tensor._array), (tensor._grad_fn, tensor._nr)
        self.is_result, self.since = tensor._grad_fn is node, node.seq
        self.of = weakref.ref(tensor)

    def check(self) -> None:
        tensor = None if self.is_result else self.of()
        if tensor is not None and is_detached(tensor, self.since):
            raise RuntimeError(DETACHED)
        if self.counter[0] != self.version:
            raise RuntimeError(modified(self.like, self.whence, self.counter[0], self.version))


class SavedTensor:
    """The handle on a saved value that ``node._raw_saved_...`` gives."""

    node: Any
    saved: Saved | None
    tensor: Callable[[], Any]

    def __init__(self, *args: Any) -> None:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    @property
    def data(self) -> Any:
        """What is kept: what the pack hook made of it, the tensor itself, or a result without its history."""
        if self.saved is None or self.node.saved is None:
            return None
        if self.saved.hooks is not None:
            return self.saved.packed
        return wrapped(self.saved.array) if self.saved.source is None else self.saved.source

    @property
    def unpack_hook(self) -> Any:
        return None if self.saved is None or self.saved.hooks is None else self.saved.hooks[1]

    def register_hooks(self, *hooks: Any) -> None:
        """Pack the value now (the first hook); unpack it whenever it is read (the second)."""
        if len(hooks) != 2 or not all(map(callable, hooks)):
            kinds = ", ".join(type(hook).__name__ for hook in hooks)
            raise TypeError(
                "register_hooks(): incompatible function arguments. Expected a pack hook and an unpack hook, got: "
                f"({kinds})"
            )
        if self.node.saved is None:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of "
                "the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if "
                "you need to backward through the graph a second time or if you need to access saved variables "
                "after calling backward."
            )
        if self.saved is None:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor with value None is forbidden"
            )
        if self.saved.hooks is not None:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair "
                "of hooks is allowed at a time."
            )
        self.saved.pack(hooks, self.tensor())


class SavedAttribute(SavedTensor):
    """The handle on what a call was given beside what its adjoints read (indices, say): it is not packed."""

    given: Any

    @property
    def data(self) -> Any:
        return None if self.node.saved is None else self.given

    def register_hooks(self, *hooks: Any) -> None:
        if self.node.saved is not None and self.given is not None:
            raise RuntimeError(
                "retrograd does not call hooks for this value: its adjoints read a copy, which is not packed"
            )
        super().register_hooks(*hooks)


SavedAttribute.__name__ = SavedAttribute.__qualname__ = "SavedTensor"


def attribute_handle(node: Any, given: Any) -> SavedTensor:
    """A handle on a tensor that was given, or on None."""
    made = object.__new__(SavedAttribute)
    made.node, made.saved, made.given = node, None, given
    return made


def saved_tensor(node: Any, saved: Saved | None, tensor: Callable[[], Any]) -> SavedTensor:
    """A handle; ``tensor`` makes what the pack hook is given."""
    made = object.__new__(SavedTensor)
    made.node, made.saved, made.tensor = node, saved, tensor
    return made


# -- default hooks ------------------------------------------------------------------------


class saved_tensors_hooks:
    """A context in which every tensor saved for the way back is packed and unpacked by these hooks."""

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> Any:
        if modes.disabled is not None:
            raise RuntimeError(modes.disabled)
        modes.pack = self.pack_hook, self.unpack_hook, modes.pack
        return self

    def __exit__(self, *error: Any) -> None:
        if (
            modes.pack is not None
        ):  # the innermost goes, whose it is: contexts may be left in any order
            modes.pack = modes.pack[2]


def are_hooks_allowed() -> bool:
    """True unless `disable_saved_tensors_hooks` is in force."""
    return modes.disabled is None


class save_on_cpu(saved_tensors_hooks):
    """Saved tensors wait in the main memory; there they are what they are."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor: Any) -> Any:
            return tensor.device, tensor.cpu().detach()

        def unpack(packed: Any) -> Any:
            device, tensor = packed
            return tensor.to(device)

        super().__init__(pack, unpack)


class disable_saved_tensors_hooks:
    """A context in which saved-tensor hooks are refused with this message."""

    def __init__(self, error_message: str) -> None:
        self.message = error_message

    def __enter__(self) -> None:
        if modes.pack is not None:
            raise RuntimeError(self.message)
        self.before = modes.disabled
        modes.disabled = self.message

    def __exit__(self, *error: Any) -> None:
        modes.disabled = self.before

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with type(self)(self.message):
                return function(*args, **kwargs)

        return wrapped


def copied(array: Any) -> Any:
    return np.array(array, order="K")
