"""Python text as lines of HTML, coloured by Python's own tokenizer."""

from __future__ import annotations

import builtins
import html
import io
import keyword
import tokenize
from collections.abc import Callable, Iterator

__all__ = ["STYLE", "coloured", "plain_block"]

STYLE = {
    "k": "keyword", "s": "string", "n": "number", "c": "comment", "d": "a name that is defined",
    "b": "a builtin",
}  # fmt: skip
BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_"))
STRINGS = {tokenize.STRING} | {
    getattr(tokenize, name)
    for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
    if hasattr(tokenize, name)
}
Name = Callable[[str, str], str | None]
"""HTML in place of a dotted name, given it and its line; None: nothing of its own."""


def coloured(text: str, name: Name | None = None) -> list[str]:
    """The lines of a text; what is no Python is escaped and has no colours.

    >>> coloured("x < 1  # so")
    ['x &lt; <span class="n">1</span>  <span class="c"># so</span>']
    """
    lines = text.split("\n")
    spans: dict[int, list[tuple[int, int, str]]] = {}
    for row, start, end, kind in tokens(text):
        spans.setdefault(row, []).append((start, end, kind))
    return [written(line, spans.get(row, []), name) for row, line in enumerate(lines, 1)]


def tokens(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Row, columns and kind of what has a colour, line by line."""
    before = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kind = kind_of(token, before)
            if token.type in (tokenize.NAME, tokenize.OP):
                before = token.string
            if kind:
                yield from pieces(token, kind)
    except (tokenize.TokenError, SyntaxError):
        return


def kind_of(token: tokenize.TokenInfo, before: str) -> str:
    if token.type == tokenize.COMMENT:
        return "c"
    if token.type in STRINGS:
        return "s"
    if token.type == tokenize.NUMBER:
        return "n"
    if token.type != tokenize.NAME:
        return ""
    if keyword.iskeyword(token.string):
        return "k"
    if before in ("def", "class"):
        return "d"
    return "b" if token.string in BUILTINS and before != "." else "v"


def pieces(token: tokenize.TokenInfo, kind: str) -> Iterator[tuple[int, int, int, str]]:
    (first, start), (last, end) = token.start, token.end
    for row in range(first, last + 1):
        yield row, start if row == first else 0, end if row == last else -1, kind


def written(line: str, spans: list[tuple[int, int, str]], name: Name | None) -> str:
    out, at = [], 0
    for start, end, kind in spans:
        end = len(line) if end < 0 else end
        if start < at:  # part of a dotted name that was written as one
            continue
        out.append(html.escape(line[at:start]))
        if kind == "v" and name is not None:
            end = end_of_dotted(line, end)
            own = name(line[start:end], line)
            if own is None:
                end = start + len(line[start:end].partition(".")[0])
                own = name(line[start:end], line)
            out.append(html.escape(line[start:end]) if own is None else own)
        else:
            shown = html.escape(line[start:end])
            out.append(f'<span class="{kind}">{shown}</span>' if kind in STYLE else shown)
        at = end
    out.append(html.escape(line[at:]))
    return "".join(out)


def end_of_dotted(line: str, end: int) -> int:
    """The end of ``rt.share`` behind its first name."""
    while end < len(line) and line[end] == "." and line[end + 1 : end + 2].isidentifier():
        end += 2
        while end < len(line) and (line[end].isalnum() or line[end] == "_"):
            end += 1
    return end


INLINE = {
    "k": "color:var(--jp-mirror-editor-keyword-color,#8559d6)",
    "s": "color:var(--jp-mirror-editor-string-color,#2a8050)",
    "n": "color:var(--jp-mirror-editor-number-color,#1a7f8a)",
    "c": "color:var(--jp-mirror-editor-comment-color,#74797f);font-style:italic",
    "d": "font-weight:600",
    "b": "color:var(--jp-mirror-editor-builtin-color,#1a7f8a)",
}
"""The notebook's own colours, else such as can be read on light and on dark."""


def plain_block(text: str, title: str = "") -> str:
    """A text by itself, for a notebook: its colours stand in it, and follow the page's scheme."""
    body = "\n".join(coloured(text.rstrip("\n")))
    for kind, style in INLINE.items():
        body = body.replace(f'<span class="{kind}">', f'<span style="{style}">')
    head = f'<div style="font:600 12px/1.6 system-ui,sans-serif">{html.escape(title)}</div>'
    block = (
        '<pre style="font:12.5px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;'
        'margin:0;padding:.6em .8em;overflow:auto;border-left:2px solid #8886;background:none">'
    )
    return f"<div>{head if title else ''}{block}<code>{body}</code></pre></div>"
