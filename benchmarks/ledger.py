"""Speed per release: what was measured is kept in ledger.csv, so that a loss is seen.

    python -m benchmarks.ledger add 0.2.0 kernels.json [bench.json ...]
    python -m benchmarks.ledger slower [OLD NEW] [--than 1.15]

The numbers are times over the plain function's own. ``add`` takes the files that ``benchmarks.kernels`` and
``benchmarks.bench`` write with ``--json``, and replaces what the release had of the same problems. ``slower`` names
what takes longer in the newer of two releases (the last two, if none are named); its exit status is 1 if anything does.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.contenders import OURS
from benchmarks.units import in_words

__all__ = ["LEDGER", "Entry", "added", "main", "read", "rows_of", "slower", "write"]

LEDGER = Path(__file__).resolve().parent / "ledger.csv"
HEAD = ["release", "problem", "contender", "ratio"]


class Entry(NamedTuple):
    """Whose time, over the plain function's, for which problem, in which release."""

    release: str
    problem: str
    contender: str
    ratio: float


def read(path: Path = LEDGER) -> list[Entry]:
    with path.open(encoding="utf-8", newline="") as file:
        return [Entry(r, p, c, float(x)) for r, p, c, x in list(csv.reader(file))[1:]]


def write(entries: Iterable[Entry], path: Path = LEDGER) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(HEAD)
        lines.writerows((*e[:3], f"{e.ratio:.4g}") for e in entries)


def rows_of(release: str, report: dict[str, Any]) -> list[Entry]:
    """The entries of a report of ``benchmarks.bench`` or ``benchmarks.kernels``.

    >>> times = {"function": 2.0, "retrograd": 3.0}
    >>> rows_of("1.0", {"problems": {"heat": {"median": times}}})
    [Entry(release='1.0', problem='heat', contender='retrograd', ratio=1.5)]
    """
    results = report.get("problems", {}) | report.get("kernels", {})
    return [
        Entry(release, problem, contender, seconds / result["median"]["function"])
        for problem, result in results.items()
        if "function" in result["median"]
        for contender, seconds in result["median"].items()
        if contender != "function"
    ]


def added(entries: list[Entry], new: list[Entry]) -> list[Entry]:
    """The ledger with these rows, in place of those of the same release and problem."""
    replaced = {(e.release, e.problem) for e in new}
    return [e for e in entries if (e.release, e.problem) not in replaced] + new


def releases(entries: list[Entry]) -> list[str]:
    """In the order of their numbers.

    >>> releases([Entry(r, "p", "c", 1.0) for r in ("0.10.0", "0.2.0", "0.10.0")])
    ['0.2.0', '0.10.0']
    """
    return sorted({e.release for e in entries}, key=number)


def number(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))


def slower(entries: list[Entry], old: str, new: str, than: float = 1.15) -> list[str]:
    """What of ours takes that many times as long in ``new`` as in ``old``, the worst first; what is gone, too."""
    before = {(e.problem, e.contender): e.ratio for e in entries if e.release == old}
    after = {(e.problem, e.contender): e.ratio for e in entries if e.release == new}
    problems = {problem for problem, _ in after}
    mine = [key for key in before if key[1] in OURS and key[0] in problems]
    lost = [
        f"{problem}, {who}: no longer there" for problem, who in mine if (problem, who) not in after
    ]
    found = sorted(((after[key] / before[key], key) for key in mine if key in after), reverse=True)
    return lost + [
        f"{problem}, {who}: {in_words(times)} times as long "
        f"({in_words(before[problem, who])} to {in_words(after[problem, who])} of the function)"
        for times, (problem, who) in found
        if times > than
    ]


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ledger", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="append what was measured of a release")
    add.add_argument("release")
    add.add_argument("reports", nargs="+", type=Path)
    behind = commands.add_parser("slower", help="what takes longer than in an earlier release")
    behind.add_argument("releases", nargs="*", metavar="OLD NEW")
    behind.add_argument("--than", type=float, default=1.15)
    for command in (add, behind):
        command.add_argument("--ledger", type=Path, default=LEDGER)
    given = parser.parse_args(arguments)
    if given.command == "slower" and len(given.releases) not in (0, 2):
        parser.error("name two releases, or none")
    return given


def main(arguments: list[str] | None = None) -> int:
    given = options(arguments)
    entries = read(given.ledger) if given.ledger.exists() else []
    if given.command == "add":
        for report in given.reports:
            new = rows_of(given.release, json.loads(report.read_text(encoding="utf-8")))
            entries = added(entries, new)
            print(f"{report}: {len(new)} rows of {given.release}")
        write(entries, given.ledger)
        return 0
    two = given.releases or releases(entries)[-2:]
    if len(two) < 2:
        print("one release so far: nothing to compare it with")
        return 0
    found = slower(entries, *two, given.than)
    print("\n".join(found) or f"nothing takes longer in {two[1]} than in {two[0]}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
