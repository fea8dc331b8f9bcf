"""How much longer a text becomes when it stands alone: ``python -m tests.standalone_lengths [every nth golden]``."""

from __future__ import annotations

import statistics
import sys
from typing import Any

from retrograd.cli.specialised.arguments import argument_kinds
from retrograd.cli.standalone import standalone
from retrograd.cli.targets import NotFound
from retrograd.cli.texts.plain_containers import has_plain_only
from retrograd.cli.texts.short_guards import with_short_guard
from retrograd.runtime.errors import CompileError
from retrograd.transforms.api import Chain, chain_of, unwrap
from retrograd.transforms.signatures.signature_text import parse_signature
from retrograd.transforms.specialise.expected_arguments import written

from .golden_case import Case, cases
from .readable.table import Function, functions

__all__ = ["alone", "ratios"]

MOST = 1.3


def alone(case: Case) -> tuple[str | None, str]:
    """The gradient of a golden program as a committed file, and the same standing alone; None if it is refused."""
    described = case.header("sig")
    types: Any = parse_signature(described) if described else case.chain.types(case.arguments())
    return pair(
        case.derived(case.kind), types, f"retrograd grad {case.name}.py:{case.function.__name__}"
    )


def pair(chain: Chain, types: Any, command: str) -> tuple[str | None, str]:
    try:
        made = written(chain, types, unwrap, command)
        known = argument_kinds(made.definitions)
        text = standalone(with_short_guard(made.text), has_plain_only(made.text), known)
        return made.text, text
    except (CompileError, NotFound) as error:  # it is refused in this mode, or needs the tape
        return None, str(error)


def of_readable(function: Function, typed: bool) -> tuple[str | None, str]:
    """The same of one of the twenty functions that have a gradient by hand."""
    chain = chain_of(function.of)
    wrt = [function.wrt] if isinstance(function.wrt, str) else [*function.wrt]
    made = chain.then("grad", chain.positions(wrt)[0], isinstance(function.wrt, str))
    types = parse_signature(function.signature) if typed else dict.fromkeys(chain.parameters)
    return pair(made, types, "retrograd grad")


def ratios(step: int = 1) -> dict[str, list[tuple[str, int, int]]]:
    """By kind of program: the lines of each text, and of the text that stands alone."""
    twenty = list(functions())
    texts = {
        "golden programs": [(case.name, alone(case)) for case in list(cases())[::step]],
        "twenty functions": [(f.name, of_readable(f, True)) for f in twenty[::step]],
        "without types": [(f.name, of_readable(f, False)) for f in twenty[::step]],
    }
    return {
        kind: [(name, own.count("\n"), text.count("\n")) for name, (own, text) in found if own]
        for kind, found in texts.items()
    }


def main() -> None:
    for kind, rows in ratios(int(sys.argv[1]) if sys.argv[1:] else 1).items():
        for name, own, lines in sorted(rows, key=lambda row: row[2] / row[1]):
            print(f"{name:40} {own:4} {lines:5}  {lines / own:5.2f}")
        found = [lines / own for _, own, lines in rows]
        within = sum(r <= MOST for r in found)
        together = sum(row[2] for row in rows) / sum(row[1] for row in rows)
        print(
            f"{kind}: median {statistics.median(found):.2f}, {within} of {len(found)} within {MOST}, together {together:.2f}"
        )


if __name__ == "__main__":
    main()
