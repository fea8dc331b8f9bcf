"""The function of a module of kernels, as it is called."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.runtime.arrays.libraries import cupy
from retrograd.runtime.errors import InternalError

__all__ = ["entry_of", "require"]

PUT_OFF = "or leave `backend` out: the text for the device needs no compiler of its own"


def require() -> None:
    """An error that says what is missing, unless CuPy is there."""
    cupy()


def entry_of(
    text: str, name: str, fallback: Callable[..., Any], captured: Sequence[Any] = ()
) -> Callable[..., Any]:
    """What the kernels do not take goes to ``fallback``; ``captured``: arrays of the module."""
    run, refused = function_of(text, name), compile_errors()
    more = tuple(captured)

    def called(*args: Any) -> Any:
        try:
            found = run(*args, *more)
        except (ZeroDivisionError, OverflowError):  # of the host's numbers: the text says so
            found = NotImplemented
        except refused as error:
            raise InternalError(
                f"a kernel of `{name}` does not compile on this device: {error}", fix=PUT_OFF
            ) from error
        return fallback(*args) if found is NotImplemented else found

    called.__name__ = called.__qualname__ = name
    called.__source__ = text  # type: ignore[attr-defined]
    return called


def function_of(text: str, name: str) -> Callable[..., Any]:
    """The function of a module's text."""
    filename = f"<retrograd kernels of {name} {hash(text):x}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), scope)
    made: Callable[..., Any] = scope[name]
    return made


def compile_errors() -> tuple[type[Exception], ...]:
    """What CuPy raises where NVRTC refuses a kernel."""
    compiler = getattr(getattr(cupy(), "cuda", None), "compiler", None)
    found = getattr(compiler, "CompileException", None)
    return (found,) if found is not None else ()
