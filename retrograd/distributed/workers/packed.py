"""Values on their way: pickles that are opened where they are used, once for those that are used again."""

from __future__ import annotations

import pickle
import uuid
from typing import Any

import numpy as np

__all__ = ["Mapped", "Packed", "Stored", "dumped", "opened"]

KNOWN: dict[str, Any] = {}  # what was opened here, by name
MOST = 32


class Packed:
    """A pickle; one that has a name is opened once in a process: its functions are compiled once."""

    def __init__(self, data: bytes, name: str | None = None) -> None:
        self.data, self.name = data, name

    def load(self) -> Any:
        if self.name is None:
            return pickle.loads(self.bytes())
        if self.name not in KNOWN:
            KNOWN[self.name] = pickle.loads(self.bytes())
            for old in list(KNOWN)[:-MOST]:
                KNOWN.pop(old, None)
        return KNOWN[self.name]

    def bytes(self) -> bytes:
        return self.data


class Stored(Packed):
    """One in a file."""

    def __init__(self, file: str, name: str | None = None) -> None:
        super().__init__(b"", name)
        self.file = file

    def bytes(self) -> bytes:
        with open(self.file, "rb") as file:
            return file.read()


class Mapped(Stored):
    """An array in a file, of which a process has what it reads; what it writes is its own."""

    def load(self) -> Any:
        return np.load(self.file, mmap_mode="c").view(np.ndarray)


def opened(x: Any) -> Any:
    return x.load() if isinstance(x, Packed) else x


def dumped(value: Any) -> bytes:
    """A pickle, by value where cloudpickle is installed: the other process has no `__main__` of this one."""
    try:
        from cloudpickle import dumps
    except ImportError:
        return dumped_by_name(value)
    data: bytes = dumps(value, protocol=5)
    return data


def dumped_by_name(value: Any) -> bytes:
    try:
        return pickle.dumps(value, protocol=5)
    except (pickle.PicklingError, AttributeError) as error:
        error.add_note(
            "lambdas and functions of scripts go to other processes where cloudpickle is installed"
        )
        raise


def new_name() -> str:
    return uuid.uuid4().hex
