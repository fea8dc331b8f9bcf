"""Chains as they are asked for: on which back end, how far optimised, and what may run on the tape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import SignatureMismatch

from .specialise.fallback_policy import strictly
from .specialise.kernels import check_backend
from .transformed_function import Chain, chain_of

__all__ = ["asked_of", "check_level", "compiled_by"]


def asked_of(f: Callable[..., Any], strict: bool | None) -> Chain:
    """The chain of a function, with what ``strict`` says of the tape."""
    chain = chain_of(f)
    if strict is None:
        return chain
    made: Chain = chain.once(("strict", strict), lambda: chain.changed(said=strictly(strict)))
    return made


def compiled_by(
    chain: Chain, backend: str | None, accuracy: str | None, optimize: int | None = None
) -> Chain:
    """A chain whose functions are compiled; None leaves it as it was asked for."""
    if accuracy is not None and (
        not isinstance(accuracy, str) or accuracy not in ("inline", "libm")
    ):
        raise SignatureMismatch(f"accuracy is 'inline' or 'libm', not {accuracy!r}")
    changes: dict[str, Any] = {} if backend is None else {"backend": check_backend(backend)}
    changes |= {} if optimize is None else {"optimize": check_level(optimize)}
    return chain.changed(**changes, **({"accuracy": accuracy} if accuracy else {}))


def check_level(optimize: Any) -> int:
    if type(optimize) is not int or optimize not in (1, 2):
        raise SignatureMismatch(f"optimize is 1 or 2, not {optimize!r}")
    return optimize
