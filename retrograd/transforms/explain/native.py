"""The parts of a gradient's text that a compiled back end takes, line by line."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.errors import RetrogradError

from ..api import transformed

__all__ = ["Compiled", "share", "span", "with_native"]

ROUNDS = 12  # runs, each of which may find one more statement that is not taken
LONGEST = 48


@dataclasses.dataclass(frozen=True)
class Compiled:
    """Lines of the generated text: compiled by a back end, or NumPy, and why."""

    first: int
    last: int
    text: str
    how: str
    why: str = ""


def with_native(found: Any, chain: Any, places: tuple[Place, ...], single: bool, args: Any) -> Any:
    """An explanation, with what the back end takes of the gradient: it is run to see."""
    asked = chain.then("grad", places, single)
    gradient = transformed(asked, "")
    kernels = gradient.__native__  # type: ignore[attr-defined]
    try:
        for _ in range(ROUNDS):
            before = kernels.parts()
            gradient(*args)
            if kernels.parts() == before:
                break
    except RetrogradError as error:
        return dataclasses.replace(
            found, native=[Compiled(0, 0, "", "not run", str(error).partition("\n")[0])]
        )
    guarded = asked.text(asked.types(args)).count("\n")  # what `source` shows has a guard
    return dataclasses.replace(found, native=[*compiled_lines(kernels, guarded)])


def compiled_lines(kernels: Any, shown: int) -> Iterator[Compiled]:
    """``shown``: how many lines the text has where it is handed out."""
    lines = next(iter(kernels.made.values())).text.splitlines() if kernels.made else []
    shift = shown - len(lines)
    for part in kernels.parts():
        text = "" if part.compiled else lines[part.first - 1].partition("  #")[0].strip()
        text = text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
        how = "compiled" if part.compiled else "stays NumPy"
        first, last = (n + shift if n else 0 for n in (part.first, part.last))
        yield Compiled(first, last, text, how, part.why)


def share(parts: list[Compiled]) -> str:
    """A note if less than half of the lines that were looked at are compiled; nothing otherwise.

    >>> share([Compiled(1, 2, "", "compiled"), Compiled(3, 9, "", "stays NumPy", "np.sort")])
    'less than half is compiled: 2 of 9 lines; what stays NumPy, and why, is below'
    """
    taken = sum(c.last - c.first + 1 for c in parts if c.first and c.how == "compiled")
    left = sum(c.last - c.first + 1 for c in parts if c.how == "stays NumPy")
    whole = any(not c.first and c.how == "compiled" for c in parts)
    if whole or taken >= left:
        return ""
    return f"less than half is compiled: {taken} of {taken + left} lines; what stays NumPy, and why, is below"


def span(c: Compiled) -> str:
    """Its lines."""
    if not c.first:
        return "all of it" if c.how == "compiled" else ""
    return f"{c.first}" if c.first == c.last else f"{c.first}-{c.last}"
