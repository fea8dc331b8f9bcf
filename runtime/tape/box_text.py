"""The text of a value that is being differentiated: to be printed, not to be read back as a number."""

from __future__ import annotations

import weakref
from typing import Any

from ..errors import TapeError

__all__ = ["Text"]

PASSED_ON = (
    "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace", "lower", "upper", "title",
    "zfill", "ljust", "rjust", "center", "expandtabs", "__getitem__", "__add__", "__mul__", "__format__",
)  # fmt: skip


class Text(str):
    """A text that remembers whose it is: ``float(str(x))`` would cut the derivative off."""

    __slots__ = ("_level",)
    _level: weakref.ref[Any]

    @classmethod
    def of(cls, text: str, level: weakref.ref[Any]) -> Text:
        made = cls(text)
        made._level = level
        return made

    def __str__(self) -> str:
        return self

    def __float__(self) -> float:
        level = self._level()
        if level is not None and not level.ended:
            error = TapeError(
                "the text of a value that is being differentiated is made a number again: that would cut "
                "off its derivative; use the value, or rg.stop_gradient if that is meant"
            )
            level.refused = level.refused or error  # whoever catches it
            raise error
        return float(str.__getitem__(self, slice(None)))

    def __reduce__(self) -> Any:
        return str, (str.__getitem__(self, slice(None)),)

    def split(self, *args: Any, **options: Any) -> list[str]:  # type: ignore[override]
        return [Text.of(part, self._level) for part in super().split(*args, **options)]


def passed_on(name: str) -> Any:
    """A method of strings whose result is part of the text."""
    plain = getattr(str, name)

    def method(self: Text, *args: Any) -> Any:
        made = plain(self, *args)
        return Text.of(made, self._level) if isinstance(made, str) else made

    method.__name__ = name
    return method


for _name in PASSED_ON:
    setattr(Text, _name, passed_on(_name))
