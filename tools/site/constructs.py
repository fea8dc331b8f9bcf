"""The page of supported Python for the site: every construct can be folded, found and filtered.

On a code host the page is a table for each group and the programs below it.  Here each construct is one line
that opens: its state, what to write instead, the program, and what the compiler says to it.
"""

from __future__ import annotations

import html
import re

__all__ = ["folded"]

ROW = re.compile(r"^\| (.*?) \| (supported|on the tape|refused: `\w+`) \| (.*?) \|$", re.MULTILINE)
TABLE = re.compile(r"^\| construct \|.*?\n(?=\n)", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"^\*\*([^\n]*)\*\*\n\n((?:```.*?^```\n\n?)+)", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`]+)`")


def folded(text: str) -> str:
    """The page with its tables taken into the programs."""
    rows = {found[1]: (found[2], found[3]) for found in ROW.finditer(text)}
    return PROGRAM.sub(lambda found: details(found, rows), TABLE.sub("", text))


def details(found: re.Match[str], rows: dict[str, tuple[str, str]]) -> str:
    state, instead = rows[found[1]]
    kind = state.partition(":")[0]
    error = state.partition("`")[2].rstrip("`")
    mark = f'<span class="state">{kind}{f" ({error})" if error else ""}</span>'
    head = f'<details class="construct" data-state="{kind}"><summary>{inline(found[1])} {mark}</summary>'
    advice = f"Write instead: {instead}\n\n" if instead.strip() else ""
    return f"{head}\n\n{advice}{found[2].strip()}\n\n</details>\n\n"


def inline(text: str) -> str:
    """Markdown of one line as HTML: code and nothing else."""
    return CODE.sub(lambda found: f"<code>{found[1]}</code>", html.escape(text, quote=False))
