"""Long lines of C, broken where the expression is least deep."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["wrapped"]

WIDTH = 100
SIGNS = (" + ", " - ", " * ", " / ", " && ", " || ", " ? ", " : ", " = ", ", ")
BEHIND = (", ", " = ")


def wrapped(line: str) -> Iterator[str]:
    """The lines of a statement.

    >>> long = "    x[i] = " + " + ".join(["a[i] * b[i]"] * 9) + ";"
    >>> [len(part) <= WIDTH for part in wrapped(long)], "".join(p.strip() + " " for p in wrapped(long)).strip() == long.strip()
    ([True, True], True)
    """
    indent = len(line) - len(line.lstrip())
    first = True
    while len(line) > WIDTH and not line.lstrip().startswith("//"):
        at = break_of(line, indent if first else indent + 4)
        if at is None:
            break
        yield line[:at].rstrip()
        line = " " * (indent + 4) + line[at:].lstrip()
        first = False
    yield line


def break_of(line: str, start: int) -> int | None:
    """Where a line is best broken: behind a sign that binds little, in as few brackets as possible, late."""
    best: tuple[int, int] | None = None
    depth = 0
    for k, letter in enumerate(line[: WIDTH - 1]):
        depth += 2 * (letter in "([{") - 2 * (letter in ")]}")
        sign = next((s for s in SIGNS if line.startswith(s, k)), None)
        if sign is None or k <= start + 4:
            continue
        end = k + len(sign) if sign in BEHIND else k + 1
        worth = depth + (sign in (" * ", " / ")) + 2 * (sign == " = ")
        if end <= WIDTH and (best is None or worth <= best[0]):
            best = worth, end
    return None if best is None else best[1]
