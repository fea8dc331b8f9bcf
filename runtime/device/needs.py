"""What a helper needs of NumPy and SciPy that CuPy lacks, read from its code: for a text to refuse it by name."""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterator
from typing import Any

from ..objects.copied_functions import is_followed
from . import copied_helpers  # noqa: F401  (what stands for helpers is entered)
from .copies import stand_in
from .namespaces import LIBRARIES, Following, namespace_of

__all__ = ["lacking_in"]

OF_HOST = ("numpy.polynomial.Polynomial",)  # what helpers compute with before any value is there


@functools.cache
def lacking_in(helper: Any) -> str | None:
    """The first name of a library's, with its module, that a helper reads and the device has nothing for."""
    seen: set[Any] = set()
    return next(lacking_names(helper, seen), None)


def lacking_names(value: Any, seen: set[Any]) -> Iterator[str]:
    if not is_followed(value) or value in seen or stand_in(value) is not value:
        return
    seen.add(value)
    for code in codes(value.__code__):
        for root, *path in dotted(code):
            yield from lacking_along(value.__globals__.get(root), path, seen)
    for cell in value.__closure__ or ():
        yield from lacking_names(cell.cell_contents, seen)


def lacking_along(found: Any, path: list[str], seen: set[Any]) -> Iterator[str]:
    """What is missing on the way along attributes of a module."""
    for name in path:
        if not isinstance(found, types.ModuleType):
            break
        is_library = found.__name__.partition(".")[0] in LIBRARIES
        whole = f"{found.__name__}.{name}"
        if is_library and whole not in OF_HOST and not namespace_of(found).has(name):
            yield whole
            return
        found = getattr(found, name, None)
    standing = stand_in(found) if callable(found) else found
    if isinstance(standing, Following) and standing.device is None:
        yield standing.whole
    yield from lacking_names(found, seen)


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function, and of those that are written in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


def dotted(code: types.CodeType) -> Iterator[list[str]]:
    """The dotted names that a code reads, from a global one on."""
    path: list[str] = []
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_GLOBAL":
            if path:
                yield path
            path = [step.argval]
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and path:
            path.append(step.argval)
        elif path:
            yield path
            path = []
    if path:
        yield path
