"""Recording on and off: modes of the running thread, as contexts, decorators and functions."""

from __future__ import annotations

import functools
import inspect
import threading
import warnings
from collections.abc import Callable
from typing import Any

from ..stacks import carried

__all__ = [
    "ask", "asked", "count_write", "enable_grad", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled",
    "is_multithreading_enabled", "is_view_replay_enabled", "modes", "no_grad", "set_grad_enabled", "set_multithreading_enabled",
]  # fmt: skip


class Asked:
    """``on``: how much is asked for beyond recording, in the whole process; all that most operations read.

    Threads in modes that are not the usual ones count, and whoever watches or checks every operation.
    """

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on = 0


asked = Asked()
guard = threading.Lock()


def ask(change: int) -> None:
    """Count one more, or one less."""
    with guard:
        asked.on += change


class Modes(threading.local):
    """``grad``: operations are recorded; ``inference``: results are not tracked at all.

    ``usual``: they are recorded, and nothing else is asked for.
    """

    grad = True
    inference = False
    multithreading = True
    view_replay = False
    pack: Any = None  # the innermost saved-tensor hooks: (pack, unpack, those around them)
    mutation: Any = None  # the context in which saved tensors may be written to
    steady = False  # what nodes keep depends on the operation only, not on the way it is computed
    on_write: Any = None  # is told of each tensor that is about to be written to
    disabled: str | None = None  # why saved-tensor hooks are not allowed
    tangents = True  # tensors have those of the open level
    frames: tuple[Any, ...] = ()  # the batches whose examples are being computed
    no_numbers: str | None = None  # why a tensor cannot be made a number
    usual = True

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "usual":  # it follows from the others
            return
        super().__setattr__(name, value)
        usual = bool(self.grad and not self.inference and self.pack is None and not self.frames)
        if usual is not self.usual:
            super().__setattr__("usual", usual)
            ask(-1 if usual else 1)


modes = Modes()
carried.append(modes)


def count_write(tensor: Any) -> None:
    """Count a write to a tensor, for all who have saved it."""
    if modes.on_write is not None:
        modes.on_write(tensor)
    if tensor._counter is not None:
        tensor._counter[0] += 1


def is_grad_enabled() -> bool:
    return modes.grad


def is_inference_mode_enabled() -> bool:
    return modes.inference


def is_view_replay_enabled() -> bool:
    return modes.view_replay


def is_multithreading_enabled() -> bool:
    return modes.multithreading


class Mode:
    """A context that is a decorator too; a generator is in it only while its body runs."""

    def clone(self) -> Any:
        return type(self)()

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, *error: Any) -> None:
        raise NotImplementedError

    def __call__(self, function: Any) -> Any:
        if inspect.isclass(function):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate "
                "functions or methods. To preserve the current behavior of class decoration, you can directly decorate "
                "the `__init__` method and nothing else.",
                FutureWarning, stacklevel=2,
            )  # fmt: skip
            return self.around(function)
        if inspect.isgeneratorfunction(function):
            return self.around_generator(function)
        return self.around(function)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function, updated=())
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return wrapped

    def around_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            try:
                with self.clone():
                    answer = generator.send(None)
                while True:
                    try:
                        request = yield answer
                    except GeneratorExit:
                        with self.clone():
                            generator.close()
                        raise
                    except BaseException as error:
                        with self.clone():
                            answer = generator.throw(error)
                    else:
                        with self.clone():
                            answer = generator.send(request)
            except StopIteration as end:
                return end.value

        return wrapped


class Bare(Mode):
    """A mode that may decorate without parentheses: ``@no_grad``."""

    def __new__(cls, function: Any = None) -> Any:
        if function is None:
            return super().__new__(cls)
        return cls()(function)


class no_grad(Bare):
    """Nothing is recorded.

    >>> with no_grad():
    ...     is_grad_enabled()
    False
    """

    def __enter__(self) -> None:
        self.before = modes.grad
        modes.grad = False

    def __exit__(self, *error: Any) -> None:
        modes.grad = self.before


class enable_grad(Bare):
    """Operations are recorded, inside `no_grad` too."""

    def __enter__(self) -> None:
        self.before = modes.grad
        modes.grad = True

    def __exit__(self, *error: Any) -> None:
        modes.grad = self.before


class set_grad_enabled(Mode):
    """Switches at once; as a context it switches back at its end."""

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self.before, self.mode = modes.grad, mode
        modes.grad = mode

    def __call__(self, function: Any) -> Any:
        modes.grad = self.before  # a decorator switches nothing now
        return super().__call__(function)

    def __enter__(self) -> None:
        modes.grad = self.mode

    def __exit__(self, *error: Any) -> None:
        modes.grad = self.before

    def clone(self) -> set_grad_enabled:
        return type(self)(self.mode)


class inference_mode(Mode):
    """Results are plain values: no versions, no views, never to be recorded."""

    def __new__(cls, mode: Any = True) -> Any:
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        self.before = modes.inference, modes.grad
        modes.inference, modes.grad = self.mode, not self.mode

    def __exit__(self, *error: Any) -> None:
        modes.inference, modes.grad = self.before

    def clone(self) -> inference_mode:
        return type(self)(self.mode)


class _force_original_view_tracking(Mode):
    """Kept for programs that ask; views whose base is written to are made anew, with and without."""

    def __init__(self, mode: bool) -> None:
        self.before, self.mode = modes.view_replay, mode
        modes.view_replay = mode

    def __enter__(self) -> None:
        modes.view_replay = self.mode

    def __exit__(self, *error: Any) -> None:
        modes.view_replay = self.before

    def clone(self) -> _force_original_view_tracking:
        return type(self)(self.mode)


class set_multithreading_enabled(Mode):
    """Kept for programs that ask; backward runs in the calling thread."""

    def __init__(self, mode: bool) -> None:
        self.before, self.mode = modes.multithreading, mode
        modes.multithreading = mode

    def __enter__(self) -> None:
        modes.multithreading = self.mode

    def __exit__(self, *error: Any) -> None:
        modes.multithreading = self.before

    def clone(self) -> set_multithreading_enabled:
        return type(self)(self.mode)
