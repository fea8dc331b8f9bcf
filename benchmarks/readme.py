"""Write the speed table of the README from a run of the benchmarks.

python -m benchmarks.bench --json results.json
python -m benchmarks.readme results.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from benchmarks.bench import COLUMNS
from benchmarks.units import in_units

__all__ = ["main", "table"]

README = Path(__file__).resolve().parent.parent / "README.md"
MARKED = re.compile(r"(<!-- bench:start -->\n).*?(<!-- bench:end -->)", re.DOTALL)


def table(results: dict[str, Any]) -> str:
    """One row a problem: the time of value and gradient, and its ratio to each contender's."""
    shown = [c for c in COLUMNS if any(c in result["median"] for result in results.values())]
    head = " | ".join(["problem", "value and gradient", *[f"/ {c}" for c in shown]])
    lines = [f"| {head} |", "|---|" + "---:|" * (len(shown) + 1)]
    for name, result in results.items():
        medians = result["median"]
        ours = medians["retrograd"]
        ratios = [f"{ours / medians[c]:.3g}" if c in medians else "" for c in shown]
        lines.append(f"| {' | '.join([name, in_units(ours), *ratios])} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Replace what stands between the marks."""
    data = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    text = README.read_text(encoding="utf-8")
    made = table(data["problems"])
    README.write_text(MARKED.sub(lambda m: m[1] + made + m[2], text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
