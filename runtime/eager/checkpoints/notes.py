"""What ``debug=True`` notes of both runs: the operations in their order, and the lines that they came from."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..observe.observers import Happening, leave, watching

__all__ = ["Notes", "told"]

OURS = str(Path(__file__).resolve().parents[2]), contextlib.__file__
RULER = "+" + "-" * 78 + "+"
TEXT = """\
An error happened while unpacking tensors; dumping logs of latest computation
because you passed `debug=True` to `retrograd.utils.checkpoint.checkpoint()`.

{ruler}
|        1. Stack traces of the operators that ran in the original forward     |
{ruler}

{first_lines}
{ruler}
|        2. Stack traces of the operators that ran during recomputation        |
{ruler}

{second_lines}
{ruler}
|       3. Log of operators in the original forward and recomputation          |
{ruler}

Operations executed during the original forward:

{first}

Operations executed during recomputation:

{second}

{ruler}
 ERROR: Detected non-determinism while running activation checkpointing

 You are seeing this error because you passed `debug=True` to checkpoint and
 tensors to be saved during the original forward and differ between those saved
 during recomputation. This can happen if different operators were ran in the
 original forward and in the recomputation.

 {error}
"""


class Notes:
    """The operations of a run."""

    def __init__(self) -> None:
        self.operations: list[str] = []
        self.lines: list[list[str]] = []

    def begin(self, what: Happening) -> None:
        """An operation begins; detached copies are those of the checkpoint itself."""
        if what.name == "aten::detach":
            return
        shapes = ", ".join(shown(one) for one in what.inputs)
        self.operations.append(f"{what.name}({shapes})")
        frames = traceback.extract_stack()
        own = [f for f in frames if not str(Path(f.filename).resolve()).startswith(OURS)]
        self.lines.append([f"{f.filename}:{f.lineno}:{f.name}" for f in reversed(own)])

    def end(self, what: Happening) -> None:
        """It ends: that is not noted."""

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """The context in which they are noted, anew."""
        self.operations, self.lines = [], []
        watching(self)
        try:
            yield
        finally:
            leave(self)

    def told(self) -> str:
        """Each operation, and the lines that it came from."""
        n = len(self.operations)
        return "\n\n".join(
            "\n".join((f"{text}   ({k + 1} of {n})", *lines))
            for k, (text, lines) in enumerate(zip(self.operations, self.lines, strict=True))
        )


def shown(value: Any) -> str:
    """A tensor by its type and shape."""
    if not hasattr(value, "shape"):
        return repr(value)
    return f"{value.dtype}{list(value.shape)}"


def told(first: Notes, second: Notes, error: Exception) -> str:
    """Both runs as a text."""
    return TEXT.format(
        ruler=RULER,
        first_lines=first.told(),
        second_lines=second.told(),
        first="\n".join(first.operations),
        second="\n".join(second.operations),
        error=error,
    )
