"""The kinds of arguments of a committed derivative, taken apart: ``{'w': f8[n, d], 'b': float}``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import SignatureMismatch
from .known_objects import is_spelled
from .type_text import pieces, taken_apart

__all__ = ["DEVICE", "Form", "form_of"]

DEVICE = "cp "
KIND = re.compile(r"(\w+)(?:\[(.*)\])?")
OBJECT = re.compile(r"(\w+)\((.*)\)")  # Point(x: float, y: f8[n])
PYTHON = {"bool": bool, "int": int, "float": float, "complex": complex, "str": str, "bytes": bytes,
          "None": type(None)}  # fmt: skip
WORDS = ("floating", "real", "not integers")
SEQUENCE = "sequence of "
RANKED = re.compile(r"(floating|real|not integers) of rank (at most \d+|\d+(?: or \d+)*)")


class Form:
    """A kind: of which sort, what more it says, and its parts by their keys."""

    __slots__ = ("device", "of", "parts", "sort", "text")

    def __init__(
        self,
        sort: str,
        text: str,
        of: Any = None,
        parts: tuple[tuple[Any, Any], ...] = (),
        device: bool = False,
    ) -> None:
        self.sort, self.text, self.of, self.parts, self.device = sort, text, of, parts, device


def form_of(kind: str, names: Sequence[str] = ()) -> Form:
    """A kind taken apart; ``names`` are those of the parameters, for ``like x``.

    >>> form_of("f8[n, 3]").of
    (dtype('float64'), ('n', '3'))
    """
    if kind.startswith("like "):
        return Form("like", kind, list(names).index(kind.removeprefix("like ")))
    device, bare = kind.startswith(DEVICE), kind.removeprefix(DEVICE)
    if bare in PYTHON:
        return Form("python", kind, PYTHON[bare])
    if bare in WORDS:
        return Form("word", kind, bare, device=device)
    if bare.startswith(SEQUENCE):
        items = form_of(DEVICE * device + bare.removeprefix(SEQUENCE))
        return Form("sequence", kind, items, device=device)
    if (ranked := RANKED.fullmatch(bare)) is not None:
        return Form("ranked", kind, (ranked[1], ranks_of(ranked[2])), device=device)
    if is_spelled(bare):
        return Form("spelled", kind, bare)
    try:
        known = pieces(bare, "=")
    except ValueError:
        raise SignatureMismatch(f"cannot read the kind {kind!r}") from None
    if len(known) == 2:
        return Form("value", kind, tuple(known))
    return of_parts(bare) or of_array(kind, bare, device)


def ranks_of(words: str) -> frozenset[int]:
    """``1 or 2``, or ``at most 2``."""
    named = [int(rank) for rank in words.removeprefix("at most ").split(" or ")]
    return frozenset(range(named[0] + 1) if words.startswith("at most ") else named)


def of_parts(kind: str) -> Form | None:
    """A container, or an object of a class."""
    made = OBJECT.fullmatch(kind)
    inner = taken_apart(made[2]) if made is not None and made[2].startswith("{") else None
    if made is not None and isinstance(inner, tuple):
        return Form("mapping", kind, made[1], inner_forms(inner[1]))
    if made is not None:
        fields = [pieces(part, ":") for part in pieces(made[2])]
        return Form("object", kind, made[1], tuple((key, form_of(kind)) for key, kind in fields))
    apart = taken_apart(kind)
    if not isinstance(apart, tuple):
        return None
    return Form("container", kind, apart[0], inner_forms(apart[1]))


def inner_forms(pairs: list[tuple[Any, Any]]) -> tuple[tuple[Any, Form], ...]:
    return tuple((key, inner_form(kind)) for key, kind in pairs)


def inner_form(kind: Any) -> Form:
    if not isinstance(kind, tuple):
        return form_of(kind)
    name, pairs = kind
    parts = inner_forms(pairs)
    shown = [f"{key!r}: {p.text}" if name == "dict" else p.text for key, p in parts]
    ends = {"tuple": "()", "list": "[]", "dict": "{}"}[name]
    return Form("container", f"{ends[0]}{', '.join(shown)}{ends[1]}", name, parts)


def of_array(kind: str, bare: str, device: bool) -> Form:
    found = KIND.fullmatch(bare)
    if found is None:
        raise SignatureMismatch(f"cannot read the kind {kind!r}")
    dtype = np.dtype(found[1])
    if found[2] is None:
        return Form("scalar", kind, dtype, device=device)
    if found[2].strip() == "...":
        return Form("any rank", kind, dtype, device=device)
    dims = tuple(part.strip() for part in found[2].split(",") if part.strip())
    return Form("array", kind, (dtype, dims), device=device)
