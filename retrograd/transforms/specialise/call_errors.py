"""A call whose generated code raised: the function's own error, or ours.

It is the function's own if the function, called with copies of the arguments, raises it, too.
"""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import CUPY
from retrograd.runtime.errors import (
    AnswerChanged,
    CompileError,
    InternalError,
    RetrogradError,
    TapeError,
    UnsupportedOperation,
    UnsupportedSyntax,
)
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.tracebacks import cause_of

from .eager_fallback import eager, is_nothing, is_taped
from .float_exceptions import at_limits, in_numpy, no_finite, raised_by_floats
from .function_alone import alone
from .internal_errors import internal
from .tape_warnings import notice_of, told_apart, warn_once

__all__ = ["answered", "answered_sweep", "pulled_back"]

NOT_OURS = (TimeoutError, MemoryError, Warning, ArithmeticError, np.linalg.LinAlgError)
"""What a signal handler raises, the machine, a filter of warnings, or arithmetic that NumPy was told to refuse."""


LATE = (TapeError, UnsupportedOperation, UnsupportedSyntax)
"""What a call on the tape, or a helper, refuses when it sees what it is given."""


ONCE = (
    "call it again: the derivative is made anew, and asks when it runs "
    "(this call has done by now what a second run would do once more)"
)


def answered(
    chain: Any,
    args: Sequence[Any],
    error: Exception,
    anew: Callable[[], Any],
    on_tape: Callable[[], Any] | None = None,
) -> Any:
    """The answer to a call whose generated code raised: the function's own error, the tape, or ours.

    ``anew`` calls again, once the function counts as changed.
    """
    advise(error)
    ours = isinstance(error, InternalError)
    cause = cause_of(error) if ours else error
    made = found = None
    try:
        if (
            not ours
            and raised_by_floats(error)
            and not is_users(error)
            and not is_taped(list(args))
        ):
            return limited(chain, args, error)
        if isinstance(error, AnswerChanged) and chain.watch.answers:
            return without_answers(chain, args, error, anew)
        refused = isinstance(error, UnsupportedOperation) and with_respect_to_nothing(chain, args)
        if isinstance(error, LATE) and not refused and may_be_taped(chain, args, error):
            return as_a_whole(chain, args, error, on_tape)
        if isinstance(cause, NOT_OURS) or (
            isinstance(error, RetrogradError) and not (ours or refused)
        ):
            raise error
        if not ours and (is_taped(list(args)) or is_users(error)):
            raise error
        found = alone(chain, args)
        if found is None or isinstance(found.raised, type(cause)):
            raise cause if ours and found is not None and cause is not None else error
        if found.raised is not None:
            raise found.raised from None  # another of its errors came first: it fails in two places
        if found.untouched and with_respect_to_nothing(chain, args):
            return eager(chain)(*args)
        if refused:
            raise error
        made = error if ours else internal(chain, "running its derivative", error)
        if chain.fallback == "tape" and found.untouched:
            warn_once((told_apart(chain.fn), "door"), f"{made}; it runs on the eager tape instead")
            return on_tape() if on_tape is not None else eager(chain)(*args)
        raise made from cause
    finally:
        del error, cause, made, found  # this frame is in their tracebacks


def without_answers(
    chain: Any, args: Sequence[Any], error: AnswerChanged, anew: Callable[[], Any]
) -> Any:
    """The answer where a question has another answer than while compiling: of a text that asks when it runs.

    What the call has done by then would be done twice: the next one asks, and this one is refused.
    """
    acts = not error.repeats and does_more(chain, args)
    found = None if acts else alone(chain, args)
    try:
        draws = found is not None and found.drew and not error.repeats
        again = found is not None and found.raised is None and found.untouched and not draws
        if again or acts or draws:
            chain.watch.leave_questions()
        if found is not None and found.raised is not None and not error.repeats:
            raise found.raised from None  # there is no value that a derivative could be of
        if not again:
            error.fix = ONCE if acts or draws else error.fix
            raise error
        return anew()
    finally:
        del error, found


def does_more(chain: Any, args: Sequence[Any]) -> bool:
    """True if a call of the generated code does more than compute and print: it may change what others see."""
    drawn_from = (np.random.Generator, np.random.RandomState, np.random.BitGenerator)
    lasts = not chain.watch.effects.isdisjoint(("run", "write"))
    return lasts or any(isinstance(a, drawn_from) for a in args)


def may_be_taped(chain: Any, args: Sequence[Any], error: RetrogradError) -> bool:
    """Whether the tape may take a whole function, and has not refused it yet."""
    tried = isinstance(cause_of(error), TapeError)
    return chain.fallback == "tape" and bool(chain.steps) and not tried and not is_taped(list(args))


def as_a_whole(
    chain: Any, args: Sequence[Any], error: RetrogradError, on_tape: Callable[[], Any] | None
) -> Any:
    """The answer where generated code, or a call that runs on the tape alone, refuses what it is given.

    Perhaps the function as a whole can run on the tape.
    """
    found = alone(chain, args)
    try:
        if found is None or found.raised is not None or not found.untouched:
            raise error
        try:
            made = on_tape() if on_tape is not None else eager(chain)(*args)
        except RetrogradError:
            raise error from None
        chain.late = reason_of(error)
        warn_once(*notice_of(chain.fn, chain.late))
        return made
    finally:
        del error, found


def reason_of(error: RetrogradError) -> CompileError:
    if isinstance(error, CompileError):
        return error
    return CompileError(f"a call in it cannot run there alone ({error})")


def limited(chain: Any, args: Sequence[Any], error: Exception) -> Any:
    """The answer where Python's floats raised: the function's own error, or what NumPy's arithmetic gives."""
    found = alone(chain, args)
    try:
        if found is None or found.raised is not None:
            raise error
        made = chain.load(chain.types(args))
        if len(made.functions) > 1 or not made.text or not found.untouched:
            raise no_finite(chain, error) from error
        return at_limits(chain, made, with_bound(chain, args), error)
    finally:
        del error, found


def with_bound(chain: Any, args: Sequence[Any]) -> tuple[Any, ...]:
    return (*chain.bound, *args)


def with_respect_to_nothing(chain: Any, args: Sequence[Any]) -> bool:
    """True if all that is differentiated with respect to are arrays without entries."""
    last = chain.steps[-1]
    simple = len(chain.steps) == 1 and last.kind in ("value_and_grad", "grad", "jvp")
    return simple and not chain.bound and all(is_nothing(place.of(args)) for place in last.wrt)


def advise(error: BaseException) -> None:
    """Say beside an error of the device that its memory is full what can be done."""
    full = isinstance(error, MemoryError) and home_of(type(error)).partition(".")[0] == CUPY
    if full and not getattr(error, "__notes__", ()):
        error.add_note(OF_MEMORY)


OF_MEMORY = (
    "what to do: let fewer steps be kept (@rg.differentiate(checkpoint=...)), take smaller batches, or give back what "
    "is kept for later by cupy.get_default_memory_pool().free_all_blocks()"
)


def is_users(error: BaseException) -> bool:
    """True if an exception came by code of the user's, or of a ``raise`` or ``assert`` of it."""
    steps = list(traceback.walk_tb(error.__traceback__))
    if not all(is_ours(frame.f_globals) for frame, _ in steps):
        return True
    frame, number = steps[-1]
    line = linecache.getline(frame.f_code.co_filename, number, frame.f_globals)
    return "__generated__" in frame.f_globals and line.lstrip().startswith(("raise ", "assert "))


def is_ours(scope: dict[str, Any]) -> bool:
    package = str(scope.get("__name__", "")).partition(".")[0]
    generated = "__generated__" in scope or "miss__" in scope
    return generated or package in ("retrograd", "numpy", "scipy", "cupy", "cupyx")


def answered_sweep(chain: Any, made: Any, args: Sequence[Any], error: Exception) -> Any:
    """The answer to a sweep that raised where its function has a value, which was computed before."""
    advise(error)
    try:
        if isinstance(error, RetrogradError) or is_users(error):
            raise error
        if raised_by_floats(error):
            return at_limits(chain, made, args, error)
        if isinstance(error, NOT_OURS):
            raise error
        raise internal(chain, "running its sweep", error) from error
    finally:
        del error


def pulled_back(
    chain: Any, pull: Callable[..., Any], value: Any, made: Any = None
) -> Callable[[Any], Any]:
    """A pullback whose failure, for a cotangent that fits the value, is ours.

    Where Python's floats raise, the last function of ``made`` is taken in NumPy's arithmetic.
    """

    def run(cotangent: Any) -> Any:
        try:
            return pull(cotangent)
        except Exception as error:
            advise(error)
            if raised_by_floats(error) and not is_users(error):
                return at_limit(cotangent, error)
            ours = not isinstance(error, (RetrogradError, *NOT_OURS)) and not is_users(error)
            if ours and alike(value, cotangent) and not is_taped([value, cotangent]):
                raise internal(chain, "pulling a cotangent back", error) from error
            raise

    def at_limit(cotangent: Any, error: Exception) -> Any:
        try:
            *_, backward = in_numpy(made).values()
            with np.errstate(all="ignore"):
                return pull(cotangent, backward)
        except Exception:
            raise no_finite(chain, error) from error

    return run


def alike(value: Any, cotangent: Any) -> bool:
    from retrograd.runtime.objects.pytree import flatten

    try:
        (xs, tree), (cs, other) = flatten(value), flatten(cotangent)
    except Exception:
        return False
    return tree == other and all(np.shape(x) == np.shape(c) for x, c in zip(xs, cs, strict=True))
