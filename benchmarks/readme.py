"""Write the speed table of docs/performance.md, and its picture, from runs of the benchmarks.

python -m benchmarks.bench --sizes medium --json medium.json
python -m benchmarks.readme medium.json [MORE.json ...]

(One size in a run: a compiled function that has met several sizes has kernels for any size.)
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from benchmarks.bench import COLUMNS
from benchmarks.picture import picture
from benchmarks.units import in_units

__all__ = ["main", "table"]

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "speed.svg"
PAGES = [ROOT / "docs" / "performance.md", ROOT / "README.md"]  # wherever the marks stand
MARKED = re.compile(r"(<!-- bench:start -->\n).*?(<!-- bench:end -->)", re.DOTALL)


BACK_ENDS = {"retrograd": "NumPy text", "retrograd c": "C", "retrograd numba": "numba"}


def table(results: dict[str, Any]) -> str:
    """A row for each problem and back end: the time of value and gradient, and its ratio to each contender's."""
    shown = [c for c in COLUMNS if any(c in result["median"] for result in results.values())]
    head = " | ".join(["problem", "back end", "value and gradient", *[f"/ {c}" for c in shown]])
    lines = [f"| {head} |", "|---|---|" + "---:|" * (len(shown) + 1)]
    for name, result in results.items():
        medians = result["median"]
        for ours, kind in BACK_ENDS.items():
            if ours in medians:
                times = [medians[ours] / medians[c] if c in medians else None for c in shown]
                ratios = ["" if t is None else f"{t:.2g}" for t in times]
                cells = [name, kind, in_units(medians[ours]), *ratios]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Replace what stands between the marks, and the picture."""
    problems: dict[str, Any] = {}
    for name in arguments:
        problems |= json.loads(Path(name).read_text(encoding="utf-8"))["problems"]
    made = table(problems)
    PICTURE.write_text(picture(problems), encoding="utf-8")
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(MARKED.sub(lambda m: m[1] + made + m[2], text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
