"""Where others are faster, read from the table of the benchmarks, for ``generated_docs``."""

from __future__ import annotations

from pathlib import Path

__all__ = ["losses"]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
PEERS = ("/ autograd", "/ jax.jit", "/ torch")
SLOWER = 1.05


def rows() -> list[dict[str, str]]:
    """The lines of the table, by the names of its columns."""
    table = PAGE.read_text(encoding="utf-8").partition("<!-- bench:start -->\n")[2]
    lines = table.partition("<!-- bench:end -->")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


def losses() -> str:
    """The ratios above 1, a line for each problem and back end."""
    lines = ["| problem | back end | times as long as |", "|---|---|---|"]
    for row in rows():
        slower = [
            f"{p[2:]} {float(row[p]):.3g}" for p in PEERS if row[p] and float(row[p]) > SLOWER
        ]
        if slower:
            lines.append(f"| {row['problem']} | {row['back end']} | {', '.join(slower)} |")
    return "\n".join(lines) if len(lines) > 2 else "None in this table."
