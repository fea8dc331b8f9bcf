"""Where a rule makes its arrays while it is evaluated: where those are that it is given."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .places import HOST, place_among, twin_at

__all__ = ["making"]


class Making(threading.local):
    """The place of the rule that is evaluated in this thread."""

    place = HOST

    @contextmanager
    def at(self, values: Any) -> Iterator[None]:
        """Arrays are made where these values are."""
        before, self.place = self.place, place_among(values)
        try:
            yield
        finally:
            self.place = before

    def twin(self, function: Any, *arguments: Any) -> Any:
        """The function that computes there."""
        return function if self.place is HOST else twin_at(self.place, function, *arguments)


making = Making()
