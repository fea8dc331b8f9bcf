"""An explanation as one page of HTML that stands by itself: two panes, tables, no network.

The look is in ``page.css``, what hovering and keys do in ``page.js``; both are written into the page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from retrograd.runtime.cell_names import name_for_people
from retrograd.runtime.errors import CompileError, NotDifferentiable
from retrograd.version import version

from ..specialise.module_headers import describe, show
from .correspondence import Side, Sides, Statement, only_primal, sides
from .highlight import coloured
from .kept import in_bytes
from .page_tables import tables

__all__ = ["page"]

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
TITLES = {"primal": "Program", "derivative": "Derivative"}
KEYS = (
    ("j / k, arrows", "the next and the previous statement"),
    ("h / l, arrows", "to the counterpart in the other pane"),
    ("Enter, a click", "pin a statement, so that its counterparts stay lit"),
    ("Esc", "let go of it"),
    ("a", "shade what carries a derivative"),
    ("t", "the theme: as the system has it, light, dark"),
    ("?", "this list"),
)


def page(e: Any, kind: str = "grad", time: bool = False) -> str:
    """The page of an explanation."""
    found, kind, refused = both_sides(e, kind)
    times = timed(e, kind, found) if time and found.text else None
    writer = Writer(e, found, times)
    name = html.escape(e.function)
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}: derivative, retrograd</title>",
        f"<style>{style()}</style>",
        "</head>",
        "<body>",
        '<a class="skip" href="#panes">to the program</a>',
        heading(e, kind),
        facts(e, found, times),
        f'<div class="refusal" role="alert">{html.escape(refused)}</div>' if refused else "",
        LEGEND if found.derivative else "",
        '<main id="main">',
        f'<div class="panes" id="panes">{writer.pane("primal", found.primal)}',
        f"{writer.pane('derivative', found.derivative)}</div>",
        tables(e, found, writer.at),
        "</main>",
        f'<footer class="page">Written by retrograd {version}.</footer>',
        ENDING,
        f"<script>{asset('page.js')}</script>",
        "</body>",
        "</html>",
    ]
    return "\n".join(filter(None, parts)) + "\n"


def both_sides(e: Any, kind: str) -> tuple[Sides, str, str]:
    """The sides; the kind of derivative, a pullback where there is no gradient; why there is none at all."""
    asked = e.asked
    if asked.error is not None:
        return only_primal(asked.chain.fn, asked.error), kind, briefly(e.refused, asked.error)
    tried = (kind, "vjp") if kind == "grad" else (kind,)
    failed: CompileError | None = None
    for one in tried:
        try:
            return sides(asked.derivative(one), asked.types), one, ""
        except NotDifferentiable as error:  # a gradient of something that is no scalar
            failed = failed or error
        except CompileError as error:
            failed = error
            break
    return only_primal(asked.chain.fn, failed), kind, briefly("refused: ", failed)


def briefly(how: str, error: Any) -> str:
    """Why there is no derivative; where is shown at the line."""
    place = error.place
    where = f", in line {place.line} of {name_for_people(place.file)}" if place is not None else ""
    fix = f"\nWhat to do: {error.fix}." if error.fix else ""
    return f"{how.partition(':')[0].capitalize()}{where}: {error.reason}.{fix}"


def timed(e: Any, kind: str, found: Sides) -> Any:
    from .statement_times import run_times  # few ask for it

    return run_times(e.asked, kind, found)


@cache
def asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


@cache
def style() -> str:
    """The style sheet; its dark palette holds where the system or the reader asks for it."""
    text = asset("page.css")
    dark = re.search(r"@dark \{(.*?)\n\}", text, re.DOTALL)
    assert dark is not None
    rules = (
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{{dark[1]}\n}} }}\n"
        f":root[data-theme=dark] {{{dark[1]}\n}}"
    )
    return text.replace(dark[0], rules)


# -- the top ----------------------------------------------------------------------------------


def heading(e: Any, kind: str) -> str:
    asked = e.asked
    steps = asked.derivative(kind).steps
    names = list(asked.chain.full.parameters)
    words = "; then ".join(describe(step, names) for step in steps)
    where = f"{e.file}, line {e.line}"
    return (
        f'<header class="top"><h1><code>{html.escape(e.function)}</code> and its derivative</h1>'
        f"<p>{html.escape(where)}: {html.escape(words)}</p>"
        '<div class="tools"><button id="shade" aria-pressed="false">Shade</button>'
        '<button id="theme">Theme: auto</button>'
        '<button id="ask" aria-haspopup="dialog">Help <span aria-hidden="true">?</span></button></div></header>'
    )


def facts(e: Any, found: Sides, times: Any) -> str:
    asked = e.asked
    known = ", ".join(
        f"{name}: {show(kind)}" for name, kind in asked.types.items() if kind is not None
    )
    rows = [("arguments", known or "of any kind")]
    if asked.sizes:
        rows.append(("sizes", ", ".join(f"{name} = {n}" for name, n in asked.sizes.items())))
    if found.derivative:
        longest = sum(s.text.count("\n") + 1 for s in found.primal)
        emitted = sum(s.text.count("\n") + 1 for s in found.derivative)
        rows.append(("lines", f"{longest} of the program, {emitted} of the derivative"))
    if e.total:
        rows.append(("kept for the backward pass", e.total))
    if times is not None:
        rows += [("kept in this run", in_bytes(times.kept)), ("one run", times.words)]
    listed = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd></div>"
        for name, text in rows
    )
    return f'<dl class="facts">{listed}</dl>'


LEGEND = """\
<div class="legend" aria-label="colours">
<span style="--edge: color-mix(in srgb, var(--rust) 55%, transparent)">carries a derivative</span>
<span style="--edge: var(--line)">carries none</span>
<span style="--edge: var(--blue); --shade: var(--blue-lit)">computes the line</span>
<span style="--edge: var(--rust); --shade: var(--rust-lit)">derivative of the line</span>
</div>"""

ENDING = (
    '<div id="says" role="status" aria-live="polite"><span>Hover or focus a line to see its counterparts; '
    "click to pin; <kbd>?</kbd> for the keys.</span></div>\n"
    '<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2><dl>'
    + "".join(
        f"<dt>{', '.join(' / '.join(f'<kbd>{k}</kbd>' for k in part.split(' / ')) for part in keys.split(', '))}</dt>"
        f"<dd>{html.escape(text)}</dd>"
        for keys, text in KEYS
    )
    + '</dl><form method="dialog"><button>Close</button></form></dialog>'
)


# -- the panes --------------------------------------------------------------------------------


class Writer:
    """The lines of both panes, with what is known of them."""

    def __init__(self, e: Any, found: Sides, times: Any) -> None:
        self.e, self.found, self.times = e, found, times
        self.at: dict[int, str] = {}  # the statement at a line of the function's own
        root = found.primal[0] if found.primal else None
        for s in root.statements if root else ():
            self.at |= dict.fromkeys(range(s.first, s.last + 1), s.key)
        self.adjoint = {
            key
            for side in found.derivative
            for s in side.statements
            if s.role == "adjoint"
            for key in s.to
        }
        self.named: dict[str, list[Any]] = {}
        for one in e.values:
            self.named.setdefault(self.at.get(one.line, ""), []).append(one)
        self.active = {v.name.partition(".")[0] for v in e.values if v.active}
        self.kept: dict[str, list[Any]] = {}
        for one in e.kept:
            if one.size != "0 bytes" or one.recomputed:
                self.kept.setdefault(self.at.get(one.line, ""), []).append(one)
        error = e.asked.error
        self.place = error.place if error is not None else None
        self.reason = error

    def pane(self, which: str, listed: list[Side]) -> str:
        title = TITLES[which]
        small = (
            self.e.file
            if which == "primal"
            else "as it is written; the numbers are the text's lines"
        )
        body = "".join(self.function(which, side, k) for k, side in enumerate(listed))
        if which == "derivative":
            body += self.prologue()
            body = body or f'<p class="empty">{html.escape(self.without())}</p>'
        return (
            f'<div class="pane {which}" role="region" aria-label="{title}"><h2>{title} '
            f"<small>{html.escape(small)}</small></h2>{body}</div>"
        )

    def function(self, which: str, side: Side, k: int) -> str:
        about = side.doc.strip().partition("\n\n")[0].replace("\n", " ")
        here = self.place is not None and any(self.is_refused(side, s) for s in side.statements)
        where = (
            ""
            if which == "derivative" or side.file == self.found.primal[0].file
            else name_for_people(side.file)
        )
        in_place = (
            which == "primal"
            and k
            and self.found.derivative
            and not any(s.to for s in side.statements)
        )
        about = " · ".join(
            filter(None, [about, where, "written in place where it is called" if in_place else ""])
        )
        doc = f'<span class="doc">{html.escape(about)}</span>' if about else ""
        name = html.escape(side.name)
        return (
            f'<details class="fn"{" open" if not k or here else ""}><summary><code>{name}</code>{doc}</summary>'
            f'<div class="lines" role="listbox" aria-label="{name}, statements">'
            f"{''.join(self.lines(which, side, k))}</div></details>"
        )

    def lines(self, which: str, side: Side, k: int) -> Iterator[str]:
        shown = coloured(
            side.text, self.derivative_name if which == "derivative" else self.primal_name
        )
        starts = {s.first: s for s in side.statements}
        n, last, first = side.first, side.first + len(shown) - 1, True
        while n <= last:
            statement = starts.get(n)
            end = min(max(statement.last if statement else n, n), last)
            rows = [
                self.row(m, shown[m - side.first], which, statement, m == n)
                for m in range(n, end + 1)
            ]
            if statement is None:
                yield f'<div class="gap" role="presentation">{"".join(rows)}</div>'
            else:
                yield self.statement(which, side, statement, "".join(rows), first, root=not k)
                first = False
            n = end + 1

    def statement(
        self, which: str, side: Side, s: Statement, rows: str, first: bool, root: bool
    ) -> str:
        classes, said = ["st"], []
        if which == "primal":
            classes.append(self.activity(s, root))
            said = list(self.said(s)) if root else []
            if self.is_refused(side, s):
                classes.append("refused")
                rows += f'<div class="note">{html.escape(self.reason_of())}</div>'
        span = f"{s.first}" if s.first == s.last else f"{s.first}-{s.last}"
        notes = f' data-says="{html.escape("; ".join(said))}"' if said else ""
        return (
            f'<div class="{" ".join(classes)}" role="option" aria-selected="false" tabindex="{0 if first else -1}" '
            f'data-key="{s.key}" data-line="{span}" data-role="{s.role}" data-to="{" ".join(s.to)}"{notes}>{rows}</div>'
        )

    def row(self, n: int, shown: str, which: str, s: Statement | None, head: bool) -> str:
        mark = ""
        if which == "primal" and s is not None and head and s.key in self.kept:
            names = ", ".join(one.name for one in self.kept[s.key] if not one.recomputed)
            mark = (
                f'<span class="mark kept" title="kept: {html.escape(names)}">kept</span>'
                if names
                else ""
            )
        time = self.times.cell(n) if which == "derivative" and self.times is not None else ""
        return (
            f'<div class="row"><span class="no" aria-hidden="true">{n}</span>'
            f'<code class="src">{shown or " "}{mark}</code>{time}</div>'
        )

    def activity(self, s: Statement, root: bool) -> str:
        """Whether a line carries a derivative: by its values, else by what is derived from it."""
        named = self.named.get(s.key, []) if root else []
        if any(v.active for v in named) or s.key in self.adjoint:
            return "active"
        return "inactive" if named or s.to else "constant"

    def said(self, s: Statement) -> Iterator[str]:
        for v in self.named.get(s.key, []):
            yield f"{v.name} {'is active' if v.active else 'is inactive'} ({v.why})"
        for one in self.kept.get(s.key, []):
            yield f"{one.name} {'is computed again' if one.recomputed else f'is kept ({one.size})'}"

    def primal_name(self, name: str, line: str) -> str | None:
        if "." in name:
            return None
        shown = html.escape(name)
        return (
            f'<span class="a" title="carries a derivative">{shown}</span>'
            if name in self.active
            else shown
        )

    def derivative_name(self, name: str, line: str) -> str | None:
        root, _, helper = name.partition(".")
        if root != "rt" or helper not in self.found.helpers:
            return None if "." in name else html.escape(name)
        about = self.found.helpers[helper].partition("\n")[0]
        return f'<a href="#rt-{helper}" title="{html.escape(about)}">rt.{html.escape(helper)}</a>'

    def prologue(self) -> str:
        if not self.found.prologue:
            return ""
        rows = "".join(
            self.row(n, shown, "", None, False)
            for n, shown in enumerate(coloured(self.found.prologue), 1)
        )
        return (
            '<details class="fn"><summary>header and imports</summary>'
            f'<div class="lines"><div class="gap">{rows}</div></div></details>'
        )

    def is_refused(self, side: Side, s: Statement) -> bool:
        place = self.place
        return place is not None and place.file == side.file and s.first <= place.line <= s.last

    def without(self) -> str:
        if self.e.refused.startswith("runs on the tape"):
            return "The function runs on the eager tape as a whole, so no text is written."
        return "There is no derivative."

    def reason_of(self) -> str:
        error = self.reason
        assert error is not None
        return str(error.reason) + (f"\nwhat to do: {error.fix}" if error.fix else "")
