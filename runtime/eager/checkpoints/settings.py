"""What holds for every checkpoint of a part of a program: early stops, debugging, passes that share their second runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..stacks import carried

__all__ = ["GraphExecGroup", "set_checkpoint_debug_enabled", "set_checkpoint_early_stop", "settings"]  # fmt: skip


class Settings:
    """Of the whole process; None: what each checkpoint says."""

    early_stop: bool | None = None
    debug: bool | None = None


class Groups(threading.local):
    group: Any = None


settings = Settings()
groups = Groups()
carried.append(groups)


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Whether the second runs of the checkpoints that are made here end where the last value is found."""
    before, settings.early_stop = settings.early_stop, enable
    try:
        yield
    finally:
        settings.early_stop = before


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Whether the checkpoints that are made here note their operations, whatever their ``debug`` says."""
    before, settings.debug = settings.debug, enabled
    try:
        yield
    finally:
        settings.debug = before


class GraphExecGroup:
    """A context whose backward passes share the second runs: none may need a value that another one has used."""

    def __enter__(self) -> GraphExecGroup:
        if groups.group is not None:
            raise RuntimeError(
                f"GraphExecGroup contexts cannot be nested. Already inside group {groups.group}"
            )
        groups.group = self
        return self

    def __exit__(self, *error: object) -> None:
        groups.group = None

    @classmethod
    def _get_current_group(cls) -> GraphExecGroup | None:
        found: GraphExecGroup | None = groups.group
        return found
