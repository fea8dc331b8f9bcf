"""``retrograd cache``: the folder of generated modules."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

__all__ = ["add"]

ABOUT = "The modules that were generated so far, kept so that no process compiles them again."
EXAMPLES = """\
examples:
  retrograd cache                      the same as `retrograd cache list`
  retrograd cache list                 function, size, time since it was last used
  retrograd cache where                the folder (set RETROGRAD_CACHE to move it)
  retrograd cache prune --keep 50      drop what is unused for longest, down to 50 MiB
  retrograd cache clear                remove everything; it is filled again as needed
"""


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "cache", help="list, find, clear or prune the generated modules", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument(
        "action", nargs="?", choices=tuple(ACTIONS), default="list", help="default: list"
    )
    made.add_argument("--keep", metavar="MIB", type=megabytes, help="for prune: how much may stay")
    made.set_defaults(run=run)


def megabytes(text: str) -> int:
    value = float(text)
    if not 0 <= value < 2**40:
        raise argparse.ArgumentTypeError(f"{text} is not a number of MiB")
    return int(value * 2**20)


def run(options: argparse.Namespace) -> int:
    ACTIONS[options.action](options)
    return 0


def show(options: argparse.Namespace) -> None:
    from retrograd.compiler.cache import entries

    items = [item for item in entries.entries() if not item.function.endswith("_index")]
    rows = [(f"{item.module}:{item.function}", amount(item.size), ago(item.age)) for item in items]
    width = max([len(name) for name, _, _ in rows], default=0)
    for name, size, age in rows:
        print(f"{name:<{width}}  {size:>9}  {age:>10}")
    print(f"{len(rows)} modules, {amount(entries.size())}, in {entries.folder()}")


def where(options: argparse.Namespace) -> None:
    from retrograd.compiler.cache import entries

    print(entries.folder())


def clear(options: argparse.Namespace) -> None:
    from retrograd.compiler.cache import entries

    print(f"removed {entries.clear()} files from {entries.folder()}")


def prune(options: argparse.Namespace) -> None:
    from retrograd.compiler.cache import entries

    limit = entries.LIMIT if options.keep is None else options.keep
    print(
        f"removed {entries.prune(limit)} files, {amount(entries.size())} stay in {entries.folder()}"
    )


ACTIONS: dict[str, Callable[[argparse.Namespace], None]] = {
    "list": show,
    "where": where,
    "clear": clear,
    "prune": prune,
}


def amount(size: float) -> str:
    """A number of bytes for people.

    >>> amount(812), amount(3 * 2**20)
    ('812 B', '3.0 MiB')
    """
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def ago(seconds: float) -> str:
    """
    >>> ago(30), ago(7200), ago(200000)
    ('just now', '2 h ago', '2 d ago')
    """
    for unit, length in (("d", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= length:
            return f"{seconds // length:.0f} {unit} ago"
    return "just now"
