"""Checkpoints: what nodes would keep of a call is forgotten, and computed again on the way back."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ..graph.grad_mode import modes
from ..graph.saved_tensors import saved_tensors_hooks
from .errors import SUPPRESSED, CheckpointError
from .frame import Frame
from .notes import Notes, told
from .reentrant import CheckpointFunction, Uncompared
from .settings import settings
from .steady_runs import random_state, random_state_of, steady

__all__ = ["checkpoint", "checkpoint_sequential", "noop_context_fn"]

CHECKS = ["default", "none"]
WHICH = (
    "retrograd.utils.checkpoint{of}: the use_reentrant parameter should be passed explicitly. {since} "
    "use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass "
    "use_reentrant=True. Refer to docs for more details on the differences between the two variants."
)
OF_ONE = WHICH.format(
    of="",
    since="Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception.",
)
OF_SEVERAL = WHICH.format(
    of=".checkpoint_sequential",
    since="In version 2.9 we will raise an exception if use_reentrant is not passed.",
)


def noop_context_fn() -> tuple[Any, Any]:
    """The contexts that both runs are in, if no others are given."""
    return nullcontext(), nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args, **kwargs)``, computed a second time when the gradient needs its values.

    With ``use_reentrant=True`` the call is one node; else its graph is recorded, without the arrays, and the
    second run ends where the last of them is found.
    """
    if use_reentrant is None:
        warnings.warn(OF_ONE, stacklevel=2)
        use_reentrant = True
    if not use_reentrant:
        options = context_fn, determinism_check, debug, early_stop, preserve_rng_state
        return recorded(function, args, kwargs, *options)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    kind = Uncompared if determinism_check == "none" else CheckpointFunction
    return kind.apply(function, preserve_rng_state, *args)


def recorded(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    context_fn: Callable[[], tuple[Any, Any]],
    determinism_check: str,
    debug: bool,
    early_stop: bool,
    preserve_rng_state: bool,
) -> Any:
    """The checkpoint whose graph is recorded."""
    notes = Notes(), Notes()
    tells = debug if settings.debug is None else settings.debug
    if tells and context_fn is not noop_context_fn:
        raise ValueError("debug=True is incompatible with non-default context_fn")
    if determinism_check not in CHECKS:
        raise ValueError(
            f"determinism_check should be one of {CHECKS}, but got {determinism_check}"
        )
    first, second = context_fn()
    state = random_state_of(preserve_rng_state)

    def run(*given: Any) -> None:
        with random_state(state), notes[1].taken() if tells else second:
            function(*given, **kwargs)

    if not modes.grad:
        return function(*args, **kwargs)
    stops = early_stop if settings.early_stop is None else settings.early_stop
    frame = Frame(run, args, kwargs, compares=determinism_check != "none", stops=stops)
    unpack = explaining(frame.unpack, *notes) if tells else frame.unpack
    hooks = saved_tensors_hooks(frame.pack, unpack)
    with hooks, steady(), notes[0].taken() if tells else first:
        made = function(*args, **kwargs)
        frame.complete = True
    if not frame.complete:
        raise RuntimeError(SUPPRESSED)
    return made


def explaining(unpack: Callable[[Any], Any], first: Notes, second: Notes) -> Callable[[Any], Any]:
    """Unpacks, and says what both runs did if they differ."""

    def unpacked(holder: Any) -> Any:
        try:
            return unpack(holder)
        except CheckpointError as error:
            raise CheckpointError(told(first, second, error)) from error

    return unpacked


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Functions one after the other, in that many checkpoints; the last one is not one."""
    if use_reentrant is None:
        warnings.warn(OF_SEVERAL, stacklevel=2)
        use_reentrant = True
    preserves = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    steps = list(functions)
    size = len(steps) // segments
    done = 0
    for start in range(0, size * (segments - 1), size):
        done = start + size
        run = several(steps[start:done])
        input = checkpoint(run, input, use_reentrant=use_reentrant, preserve_rng_state=preserves)
    return several(steps[done:])(input)


def several(steps: list[Any]) -> Callable[[Any], Any]:
    """Functions as one."""

    def run(value: Any) -> Any:
        for step in steps:
            value = step(value)
        return value

    return run
