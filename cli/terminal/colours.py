"""Colour where a person reads: on a terminal, unless NO_COLOR is set or it can show none."""

from __future__ import annotations

import os
from typing import IO

__all__ = ["diff_in_colour", "has_colour", "in_colour", "python_in_colour"]

CODES = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36", "grey": "90", "bold": "1"}  # fmt: skip


def has_colour(stream: IO[str]) -> bool:
    """Whether to write in colour: FORCE_COLOR asks for it, NO_COLOR forbids it."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM", "") != "dumb"


def in_colour(text: str, colour: str, stream: IO[str]) -> str:
    return painted(text, colour) if has_colour(stream) else text


def painted(text: str, colour: str) -> str:
    return f"\033[{CODES[colour]}m{text}\033[0m"


def diff_in_colour(text: str) -> str:
    """A unified diff, lines that go in red and those that come in green."""
    return "".join(map(diff_line, text.splitlines(keepends=True)))


def diff_line(line: str) -> str:
    bare = line.rstrip("\n")
    end = line[len(bare) :]
    if bare.startswith(("---", "+++")):
        return painted(bare, "bold") + end
    colour = {"-": "red", "+": "green", "@": "cyan"}.get(bare[:1])
    return painted(bare, colour) + end if colour else line


def python_in_colour(text: str) -> str:
    """A Python text: keywords, texts and comments.

    >>> python_in_colour("return 1")
    '\\x1b[35mreturn\\x1b[0m 1'
    """
    import io
    import keyword
    import tokenize

    lines = text.splitlines(keepends=True)
    made = [list(line) for line in lines]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        colour = {tokenize.STRING: "green", tokenize.COMMENT: "grey"}.get(token.type)
        if token.type == tokenize.NAME and keyword.iskeyword(token.string):
            colour = "magenta"
        if colour is None:
            continue
        for row in range(token.start[0], token.end[0] + 1):
            line = lines[row - 1].rstrip("\n")
            first = token.start[1] if row == token.start[0] else 0
            last = token.end[1] if row == token.end[0] else len(line)
            if first < last:
                made[row - 1][first] = f"\033[{CODES[colour]}m{made[row - 1][first]}"
                made[row - 1][last - 1] += "\033[0m"
    return "".join("".join(line) for line in made)
