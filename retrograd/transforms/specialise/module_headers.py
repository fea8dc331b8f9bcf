"""What a generated module says of itself: of what it is the derivative, for which arguments, and what runs on the tape."""

from __future__ import annotations

from typing import Any

from retrograd.compiler.ir.types import Type
from retrograd.runtime.cell_names import name_for_people
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.version import version

from .read_record import Record
from .steps import FORWARD, MANY, Step

__all__ = ["header", "show"]


def header(
    fn: Any,
    types: dict[str, Type],
    chain: tuple[Step, ...],
    source: Any,
    command: str = "",
    taped: list[Any] | None = None,
    record: Record | None = None,
) -> str:
    """The docstring of a generated module.

    ``command`` writes it anew from what ``record`` has digests of, ``taped`` are its taped calls.
    """
    names = list(own_signature(fn).parameters)
    first = "; then ".join(describe(step, names) for step in chain)
    place = name_for_people(source.file)
    if fn.__name__ == "<lambda>":  # its name says nothing
        place += f", line {source.line}"
    lines = [*wrapped(f"Derivative of `{fn.__name__}` in {place}: {first}.", quotes=3), ""]
    known = wrapped(f"For arguments {signature_text(types)}.") if types and not command else []
    if 0 < len(known) <= LONGEST:
        lines += [*known, ""]
    for name, _, why in taped or []:
        reason = f": {why}" if why else ""
        lines += wrapped(f"Needs the tape at run time for `{name}`{reason}.")
    lines += [""] if taped else []
    made_from = record.text(next(iter(record.functions))) if record else source.digest[:8]
    written = (
        f"Written by retrograd {version} (source {made_from}). Change the function, not this file"
    )
    lines += [*wrapped(f"{written}, then"), f"    {command}"] if command else wrapped(f"{written}.")
    return "\n".join(lines) + "\n"


LONGEST = 3  # lines about the kinds of arguments


def wrapped(text: str, quotes: int = 0) -> list[str]:
    """Lines of a docstring; the first of all has its quotes in front."""
    import textwrap

    return textwrap.wrap(text, 88 - quotes, break_long_words=False, break_on_hyphens=False)


def describe(step: Step, names: list[str]) -> str:
    if step.kind == "first":
        return "the first of two results"
    if step.kind == "vmap":
        return "a batch of examples"
    mode = "forward mode" if step.kind in FORWARD else "reverse mode"
    mode += ", many directions at once" if step.kind in MANY else ""
    wrt = [place.text(names) if place.at < len(names) else str(place.at) for place in step.wrt]
    listed = " and ".join([", ".join(wrt[:-1]), wrt[-1]]) if len(wrt) > 1 else "".join(wrt)
    beside = "; the second result is handed on" if step.aux else ""
    return f"{mode}, with respect to {listed}{beside}"


def signature_text(types: dict[str, Type]) -> str:
    parts = [f"{name}: {show(kind)}" for name, kind in types.items() if kind is not None]
    return ", ".join(parts)


SHORT = {"float64": "f8", "float32": "f4", "complex128": "c16", "complex64": "c8", "int64": "i8",
         "int32": "i4", "bool": "b1", "float16": "f2"}  # fmt: skip


def show(kind: Any, whole: bool = False) -> str:
    """A type as a signature writes it; ``whole``: objects with what they hold."""
    from retrograd.compiler.ir.types import Array, Given, Number, Tree

    if kind is None and whole:  # of a field of which nothing is known
        return "real"
    if isinstance(kind, Given):
        return shown_value(kind, whole)
    if isinstance(kind, Number):
        return {"b": "bool", "i": "int", "f": "float", "c": "complex"}[kind.kind]
    if isinstance(kind, Array):
        dtype = SHORT.get(kind.dtype or "", kind.dtype or "float")
        dtype = dtype if kind.library == "numpy" else f"cp {dtype}"
        if kind.dims is None:
            return f"{dtype}[...]"
        return (
            f"{dtype}[{', '.join('_' if n is None else str(n) for n in kind.dims)}]"
            if kind.dims
            else dtype
        )
    if isinstance(kind, Tree) and kind.known is not None:
        return repr(kind.known)
    if isinstance(kind, Tree) and kind.container == "dict":
        pairs = zip(kind.keys, kind.items, strict=True)
        shown = "{" + ", ".join(f"{k!r}: {show(i, whole)}" for k, i in pairs) + "}"
        return shown if kind.cls is None else f"{kind.cls.__name__}({shown})"
    if isinstance(kind, Tree) and kind.container in ("tuple", "list"):
        inner = ", ".join(show(i, whole) for i in kind.items)
        return f"({inner})" if kind.container == "tuple" else f"[{inner}]"
    name: str = getattr(getattr(kind, "cls", None), "__name__", "object")
    if not whole or not isinstance(kind, Tree):
        return name
    if kind.cls in (str, bytes, type(None)):
        return name.removesuffix("Type")
    pairs = zip(kind.keys, kind.items, strict=True)
    return f"{name}({', '.join(f'{k}: {show(i, whole)}' for k, i in pairs)})"


def shown_value(kind: Any, whole: bool) -> str:
    """A kind of which the value is known, or the class."""
    import enum

    import numpy as np

    from retrograd.compiler.ir.types import Array, Exactly, Number

    value = kind.value
    if isinstance(value, Exactly):
        known = value.cls.__name__
    elif isinstance(value, type):
        known = value.__name__
    elif isinstance(value, enum.Enum):
        known = f"{type(value).__name__}.{value.name}"
    elif isinstance(value, np.dtype):
        known = str(value)
    else:
        known = repr(value.item() if isinstance(value, np.generic) else value)
    if not isinstance(kind.type, (Array, Number)):
        return f"{type(value).__name__} = {known}"
    return f"{show(kind.type, whole)} = {known}"
