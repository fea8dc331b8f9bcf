"""Mistakes that are put into the C of kernels, to see whether they are found: each a change of the text of a kernel."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["MISTAKES", "spoilt"]


class Mistake(NamedTuple):
    """``pattern`` becomes ``instead``, everywhere after the beginning of the kernel."""

    pattern: str
    instead: str


MISTAKES = {
    "loops go one too far": Mistake(r"(for \(int64_t (\w+) = \w+; \2 < [^;]+);", r"\1 + 1;"),
    "memory is too small": Mistake(r"RG_ROOM\((\w+), (\w+), (.+)\);", r"RG_ROOM(\1, \2, (\3) - 8);"),
    "arrays may be shorter": Mistake(r"if \(\w+_object->dims\[\d\] != \w+\) goto bail;", ""),
    "an index is not tested": Mistake(r"if \(RG_RARE\(\(\(\w+\[\w+\] < .*\)\) goto bail;", ""),
    "a number is shifted too far": Mistake(r"int64_t rg_fuel = ", r"int64_t rg_far = args != 0; rg_far <<= 63 + (nargs > 0); int64_t rg_fuel = "),
    "memory is read after it was given back": Mistake(r"\n    result = ", r"\n    { char *rg_gone = malloc(8); free(rg_gone); overflow += rg_gone[nargs > 0]; }\n    result = "),
}  # fmt: skip


MISTAKES["the process ends"] = Mistake(r"\n    int overflow = ", "\n    abort(); int overflow = ")


def spoilt(text: str, mistake: str) -> str:
    """The C of a kernel with a mistake in it."""
    if not mistake or "rg_entry(" not in text:
        return text
    at = text.index("rg_object *rg_entry(")
    pattern, instead = MISTAKES[mistake]
    return text[:at] + re.sub(pattern, instead, text[at:])
