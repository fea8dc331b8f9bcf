"""Chains as they are asked for: on which back end, how far optimised, and what may run on the tape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import SignatureMismatch

from .specialise.fallback_policy import strictly
from .specialise.kernels import check_backend
from .transformed_function import Chain, chain_of

__all__ = ["asked_of", "check_flag", "check_level", "check_wait", "compiled_by"]


def asked_of(f: Callable[..., Any], strict: bool | None, backend: str | None = None) -> Chain:
    """The chain of a function, with what ``strict`` says of the tape, and the back end."""
    chain = chain_of(f)
    if strict is None and backend is None:
        return chain

    def make() -> Chain:
        on = chain if strict is None else chain.changed(said=strictly(strict))
        return compiled_by(on, backend, None)

    made: Chain = chain.once(("asked", strict, backend), make)
    return made


def compiled_by(
    chain: Chain,
    backend: str | None,
    accuracy: str | None,
    optimize: int | None = None,
    wait: bool | None = None,
) -> Chain:
    """A chain whose functions are compiled; None leaves it as it was asked for."""
    if accuracy is not None and (
        not isinstance(accuracy, str) or accuracy not in ("inline", "libm")
    ):
        raise SignatureMismatch(f"accuracy is 'inline' or 'libm', not {accuracy!r}")
    changes: dict[str, Any] = {} if backend is None else {"backend": check_backend(backend)}
    changes |= {} if optimize is None else {"optimize": check_level(optimize)}
    changes |= {} if accuracy is None else {"accuracy": accuracy}
    changes |= (
        {} if wait is None else {"wait": check_wait(wait, changes.get("backend", chain.backend))}
    )
    return chain.changed(**changes)


def check_wait(wait: bool, backend: str) -> bool:
    """Whether calls wait for kernels; those of a device are made when they are launched."""
    if not check_flag(wait) and backend not in ("c", "numba"):
        raise SignatureMismatch(
            f'wait=False goes with backend="c" or "numba": with {backend!r} nothing is compiled beforehand'
        )
    return wait


def check_flag(wait: bool) -> bool:
    if not isinstance(wait, bool):
        raise SignatureMismatch(f"wait is True or False, not {wait!r}")
    return wait


def check_level(optimize: Any) -> int:
    if type(optimize) is not int or optimize not in (1, 2):
        raise SignatureMismatch(f"optimize is 1 or 2, not {optimize!r}")
    return optimize
