"""The text of a kind taken apart: ``f8[n, d]``, ``(float, f8[n])``, ``{'w': f8[n], 'b': float}``."""

from __future__ import annotations

import ast
from typing import Any

__all__ = ["pieces", "taken_apart"]

OPENING = {"(": ")", "[": "]", "{": "}"}
CONTAINERS = {"(": "tuple", "[": "list", "{": "dict"}


def taken_apart(text: str) -> str | tuple[str, list[tuple[Any, Any]]]:
    """The text of one kind, or (container, [(key, kind), ...]); `ValueError` if it is neither.

    >>> taken_apart("{'w': f8[n, 2], 'b': (float, int)}")
    ('dict', [('w', 'f8[n, 2]'), ('b', ('tuple', [(0, 'float'), (1, 'int')]))])
    """
    text = text.strip()
    if text[:1] not in CONTAINERS:
        return text
    if text[-1:] != OPENING[text[0]]:
        raise ValueError(text)
    container, parts = CONTAINERS[text[0]], pieces(text[1:-1])
    if container != "dict":
        return container, [(k, taken_apart(part)) for k, part in enumerate(parts)]
    pairs = [pieces(part, ":") for part in parts]
    try:
        return container, [(ast.literal_eval(key), taken_apart(kind)) for key, kind in pairs]
    except SyntaxError:
        raise ValueError(text) from None


def pieces(text: str, separator: str = ",") -> list[str]:
    """The parts between separators that are in no brackets and no quotes.

    >>> pieces("x: f8[n, 3], k: int")
    ['x: f8[n, 3]', 'k: int']
    """
    found, depth, quote = [""], 0, ""
    for letter in text:
        if letter == separator and not depth and not quote:
            found.append("")
            continue
        if quote or letter in "'\"":
            quote = "" if letter == quote else quote or letter
        depth += 0 if quote else (letter in "([{") - (letter in ")]}")
        found[-1] += letter
    if depth or quote:
        raise ValueError(text)
    return [part.strip() for part in found if part.strip()]
