"""A progress line for what takes longer than a second: what is done, and for how long by now.

It goes to ``stderr`` if that is a terminal, or below a notebook's cell, and is taken away when the work is done.
``RETROGRAD_QUIET=1`` leaves it out.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["PATIENCE", "Progress", "progress"]

PATIENCE = 1.0  # seconds
PERIOD = 0.25  # between two looks at the clock
_busy = threading.Lock()


class Progress:
    """The work under way; ``step`` says how far it is."""

    def __init__(self, what: str, show: Callable[[str], None] | None = None) -> None:
        self.what, self.show, self.begun = what, show, time.perf_counter()
        self.done = self.of = 0
        self.shown = False

    def step(self, done: int, of: int) -> None:
        """So many of all are done."""
        self.done, self.of = done, of

    def line(self) -> str:
        """
        >>> work = Progress("checking")
        >>> work.step(3, 12)
        >>> work.line()
        'retrograd: checking, 3 of 12, 0 s'
        """
        count = f", {self.done} of {self.of}" if self.of else ""
        return f"retrograd: {self.what}{count}, {time.perf_counter() - self.begun:.0f} s"

    def watch(self, over: threading.Event) -> None:
        """Show the line once it takes long, until the work is over."""
        assert self.show is not None
        wait = PATIENCE
        while not over.wait(wait):
            wait, self.shown = PERIOD, True
            try:
                self.show(self.line())
            except (OSError, ValueError):  # whoever read it is gone
                return


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Show that ``what`` is being done, if it takes long; the outermost speaks."""
    show = writer()
    if show is None or not _busy.acquire(blocking=False):
        yield Progress(what)
        return
    work, over = Progress(what, show), threading.Event()
    thread = threading.Thread(
        target=work.watch, args=(over,), daemon=True, name="retrograd-progress"
    )
    thread.start()
    try:
        yield work
    finally:
        over.set()
        thread.join()
        if work.shown:
            quietly(show, "")
        _busy.release()


def quietly(show: Callable[[str], None], text: str) -> None:
    with suppress(OSError, ValueError):
        show(text)


def writer() -> Callable[[str], None] | None:
    """How the line is shown, "" takes it away; None: it is not wanted."""
    if os.environ.get("RETROGRAD_QUIET", "") not in ("", "0"):
        return None
    try:
        if sys.stderr.isatty():
            return on_terminal
    except (AttributeError, ValueError):  # no stderr, or a closed one
        return None
    return below_cell()


def on_terminal(text: str) -> None:
    import shutil  # it brings compressors along

    width = shutil.get_terminal_size().columns - 1
    sys.stderr.write(f"\r\x1b[K{text[:width]}")
    sys.stderr.flush()


def below_cell() -> Callable[[str], None] | None:
    """An output of the notebook's cell, which is changed in place."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is None:
        return None
    shown: list[Any] = []

    def show(text: str) -> None:
        from importlib import import_module

        view = import_module("IPython.display")  # it is there, and no dependency
        content = view.HTML(f"<small>{text}</small>" if text else "")
        if shown:
            shown[0].update(content)
        else:
            shown.append(view.display(content, display_id=True))

    return show
