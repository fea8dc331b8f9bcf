"""The tables below the panes of a page: what is kept, the values, calls, conventions, helpers."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .kept import evaluated, in_bytes

__all__ = ["tables"]


def tables(e: Any, found: Any, at: Mapping[int, str]) -> str:
    """``at``: the statements at lines of the function's own."""
    parts = [
        kept(e, at),
        values(e, at),
        calls(e, at),
        conventions(e, at),
        others(e),
        helpers(found),
    ]
    return "\n".join(filter(None, parts))


def kept(e: Any, at: Mapping[int, str]) -> str:
    if not e.values or e.refused:
        return ""
    stored = [k for k in e.kept if not k.recomputed]
    again = [k for k in e.kept if k.recomputed]
    sizes = e.asked.sizes
    bytes_of = {id(k): amount(k, sizes) for k in stored}
    most = max([n for n in bytes_of.values() if n], default=0)
    rows = [
        [code(k.name), to_line(k.line, at), code(k.type), size(k, bytes_of[id(k)]), bar(bytes_of[id(k)], most), text(k.why)]
        for k in stored
    ]  # fmt: skip
    heads = ["value", "line", "type", "size", "", "why"]
    foot = ["in all", "", "", text(e.total), "", ""]
    body = (
        table(heads, rows, foot)
        if rows
        else "<p>Nothing: the backward pass needs the arguments alone.</p>"
    )
    if again:
        listed = ", ".join(f"{code(k.name)} ({to_line(k.line, at)})" for k in again)
        body += f"<p>Computed again in place of being kept: {listed}.</p>"
    return section(
        "Kept for the backward pass", "What the forward pass hands on, the largest first.", body
    )


def amount(k: Any, sizes: Mapping[str, int]) -> int | None:
    """All its bytes, if they are known."""
    number = None if k.terms is None else evaluated(k.terms, sizes)
    times = 1 if not k.times else int(k.times) if k.times.isdigit() else sizes.get(k.times)
    return None if number is None or times is None else number * times


def size(k: Any, number: int | None) -> str:
    if number is not None:
        return f'<span title="{text(k.size)}">{in_bytes(number)}</span>'
    times = f" &times; {text(k.times)}" if k.times else ""
    return text(k.size.removesuffix(", once for each iteration")) + times


def bar(number: int | None, most: int) -> str:
    return (
        f'<span class="bar" style="width:{6 * number / most:.2f}rem"></span>'
        if number and most
        else ""
    )


def values(e: Any, at: Mapping[int, str]) -> str:
    if not e.values:
        return ""
    rows = [
        [
            code(v.name),
            to_line(v.line, at),
            code(v.type),
            "active" if v.active else "inactive",
            text(v.why),
        ]
        for v in e.values
    ]
    heads = ["value", "line", "type", "", "why"]
    active = sum(v.active for v in e.values)
    return folded("Values", f"{active} of {len(e.values)} carry a derivative", table(heads, rows))


def calls(e: Any, at: Mapping[int, str]) -> str:
    if not e.callees:
        return ""
    rows = [
        [code(c.name), f"line {c.line}" if c.line else "", text(c.how), text(c.why)]
        for c in e.callees
    ]
    return section("Calls", "", table(["function", "", "how", "why"], rows))


def conventions(e: Any, at: Mapping[int, str]) -> str:
    if not e.notes:
        return ""
    rows = [[code(n.name), to_line(n.line, at), text(n.text)] for n in e.notes]
    about = "What the derivative is where more than one answer would do."
    return section("Conventions", about, table(["operation", "line", "convention"], rows))


def others(e: Any) -> str:
    listed = [f"values that may share memory: {', '.join(a['values'])}" + (", written to" if a["written"] else "") for a in e.aliases]  # fmt: skip
    listed += (
        [f"a Jacobian takes a sweep for each direction: {e.one_by_one}"] if e.one_by_one else []
    )
    listed += [f"not checked when it is first computed: {line}" for line in e.unchecked]
    if not listed:
        return ""
    return folded(
        "Notes", "", "<ul>" + "".join(f"<li>{text(one)}</li>" for one in listed) + "</ul>"
    )


def helpers(found: Any) -> str:
    if not found.helpers:
        return ""
    listed = "".join(
        f'<dt id="rt-{name}">rt.{name}</dt><dd>{text(about.partition(">>>")[0].strip())}</dd>'
        for name, about in found.helpers.items()
    )
    return folded(
        "Helpers", f"{len(found.helpers)} of the runtime", f'<dl class="helpers">{listed}</dl>'
    )


# -- pieces -----------------------------------------------------------------------------------


def text(value: Any) -> str:
    return html.escape(str(value))


def code(value: Any) -> str:
    return f"<code>{text(value)}</code>"


def to_line(line: int, at: Mapping[int, str]) -> str:
    if not line:
        return ""
    key = at.get(line)
    return f'<a href="#panes" data-goto="{key}">line {line}</a>' if key else f"line {line}"


def section(title: str, about: str, body: str) -> str:
    said = f"<p>{text(about)}</p>" if about else ""
    return f'<section><h2>{text(title)}</h2>{said}<div class="scroll">{body}</div></section>'


def folded(title: str, about: str, body: str) -> str:
    small = f" <small>{text(about)}</small>" if about else ""
    return f'<details class="more"><summary>{text(title)}{small}</summary><div class="scroll">{body}</div></details>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], foot: Sequence[str] = ()) -> str:
    """Cells are HTML; columns under ``size`` are numbers."""
    kind = [' class="r"' if head == "size" else "" for head in heads]
    top = "".join(f'<th scope="col"{c}>{head}</th>' for head, c in zip(heads, kind, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{c}>{cell}</td>" for cell, c in zip(row, kind, strict=True)) + "</tr>"
        for row in rows
    )
    end = "".join(f"<td{c}>{cell}</td>" for cell, c in zip(foot, kind, strict=False))
    end = f"<tfoot><tr>{end}</tr></tfoot>" if foot else ""
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody>{end}</table>"
