"""What an error says of a program: declined, or found wrong."""

from __future__ import annotations

from retrograd.runtime.errors import GradientMismatch, InternalError, RetrogradError

__all__ = ["is_refusal"]


def is_refusal(error: BaseException) -> bool:
    """Whether a program is declined; a crash of the compiler and a derivative found wrong are failures.

    >>> is_refusal(RetrogradError("no")), is_refusal(InternalError("a bug")), is_refusal(ValueError("theirs"))
    (True, False, False)
    """
    bugs = (InternalError, GradientMismatch)
    return isinstance(error, RetrogradError) and not isinstance(error, bugs)
