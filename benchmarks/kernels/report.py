"""Write the pages' tables of kernels from runs of them.

    python -m benchmarks.kernels --json kernels.json
    python -m benchmarks.kernels.report kernels.json [MORE.json ...]

Whatever page has the marks gets what belongs between them: geometric means by class, with the losses named, in the
README; every kernel in docs/performance.md.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from benchmarks.kernels.tables import in_full, losses, overall, summary

__all__ = ["PARTS", "main", "marked"]

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "performance.md"]
PARTS = {
    "kernels summary": lambda results: wrapped(f"{overall(results)} Behind: {losses(results)}."),
    "kernels by class": lambda results: (
        f"{summary(results)}\n\n" + wrapped(f"Behind: {losses(results)}.")
    ),
    "kernels": lambda results: f"{in_full(results)}\n",
}


def wrapped(sentence: str) -> str:
    return textwrap.fill(sentence, width=118, break_long_words=False, break_on_hyphens=False) + "\n"


def marked(text: str, results: dict[str, Any]) -> str:
    """A page with its parts written anew.

    >>> marked("no marks", {})
    'no marks'
    """
    for name, made in PARTS.items():
        part = re.compile(rf"(<!-- {name}:start -->\n).*?(<!-- {name}:end -->)", re.DOTALL)
        text = part.sub(lambda m, made=made: m[1] + made(results) + m[2], text)
    return text


def main(arguments: list[str] | None = None) -> int:
    results: dict[str, Any] = {}
    for name in sys.argv[1:] if arguments is None else arguments:
        results |= json.loads(Path(name).read_text(encoding="utf-8"))["kernels"]
    for page in PAGES:
        page.write_text(marked(page.read_text(encoding="utf-8"), results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
