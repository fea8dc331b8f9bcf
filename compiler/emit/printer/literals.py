"""Literals as parts of a line: constants, and f-strings with quotes their fields do not use."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

import astunparse  # type: ignore[import-untyped]

from . import strings
from .layout import Group, Parts, Text, flat

LONG_LITERAL = 30


class Literals(astunparse.Unparser):  # type: ignore[misc]
    """The constants and f-strings; the statement being written is `parts`."""

    def __init__(self) -> None:
        self.parts: Parts = []
        self.quotes: Sequence[str] | None = None  # what an f-string leaves to its inside
        self.any_quote = False  # Python 3.12: the inside may use every quote

    def write(self, text: str) -> None:
        self.parts.append(text)

    def collect(self, visit: Callable[..., None], *args: Any) -> Parts:
        """The output of `visit`, as separate parts."""
        outer, self.parts = self.parts, []
        visit(*args)
        inner, self.parts = self.parts, outer
        return inner

    def group(self, pair: str, items: list[Parts], **options: Any) -> None:
        self.parts.append(Group(pair[0], pair[1], items, **options))

    def _Constant(self, t: ast.Constant) -> None:
        self.constant(t.value, getattr(t, "kind", None) or "")

    def constant(self, value: object, prefix: str = "") -> None:
        if type(value) is str or type(value) is bytes:
            self.literal(value, prefix)
        elif value is None or type(value) is bool:
            self.write(repr(value))
        elif value is Ellipsis:
            self.write("...")
        elif type(value) is int or type(value) is float or type(value) is complex:
            self.write(strings.number(value))
        elif type(value) is tuple:
            items = [self.collect(self.constant, item) for item in value]
            self.group("()", items, always_comma=len(items) == 1, collection=True)
        elif type(value) is frozenset:
            items = [self.collect(self.constant, item) for item in sorted(value, key=repr)]
            self.write("frozenset(")
            if items:
                self.group("{}", items)
            self.write(")")
        else:
            raise TypeError(f"{type(value).__name__} {value!r} has no literal")

    def literal(self, value: str | bytes, prefix: str) -> None:
        if self.quotes is not None:
            self.write(prefix + strings.bare_literal(value, self.quotes))
            return
        if isinstance(value, str):
            text = strings.text_literal(value)
        else:
            prefix, text = "b", strings.bytes_literal(value)[1:]
        if len(text) < LONG_LITERAL or self.any_quote:
            self.write(prefix + text)
        else:
            self.parts.append(Text(prefix, text[0], strings.words(text[1:-1])))

    def _JoinedStr(self, t: ast.JoinedStr) -> None:
        """Adjacent literals, if some are marked `u`; else one f-string."""
        marked = [isinstance(v, ast.Constant) and v.kind == "u" for v in t.values]
        if not any(marked):
            self.fstring(t.values)
            return
        run: list[ast.expr] = []
        for value, alone in zip(t.values, marked, strict=True):
            if alone:
                self.parts += [*self.collect(self.fstring, run), " "] if run else []
                self.dispatch(value)
                self.write(" ")
                run = []
            else:
                run.append(value)
        self.fstring(run)

    def fstring(self, values: list[ast.expr]) -> None:
        """In the first quotes that its fields leave free."""
        if self.any_quote:
            quote = '"'
            pieces = self.pieces(values, quote)
        else:
            quote, pieces = self.free_quotes(values)
        if self.quotes is None and not self.any_quote and len(quote) == 1:
            self.parts.append(Text("f", quote, strings.glued(pieces)))
        else:
            self.write(f"f{quote}{''.join(pieces)}{quote}")

    def free_quotes(self, values: list[ast.expr]) -> tuple[str, list[str]]:
        outer = self.quotes
        try:
            for quote in self.ordered_quotes(values):
                self.quotes = [q for q in outer or strings.QUOTES if quote not in q]
                pieces = self.try_pieces(values, quote, nested=outer is not None)
                if pieces is not None:
                    return quote, pieces
        finally:
            self.quotes = outer
        return self.reused_quotes(values)

    def ordered_quotes(self, values: list[ast.expr]) -> Sequence[str]:
        if self.quotes is not None:
            return self.quotes
        constants = [v.value for v in values if isinstance(v, ast.Constant)]
        single = strings.favourite("".join(map(str, constants))) == "'"
        return ("'", '"', "'''", '"""') if single else strings.QUOTES

    def try_pieces(self, values: list[ast.expr], quote: str, nested: bool) -> list[str] | None:
        try:
            pieces = self.pieces(values, quote)
        except strings.CannotQuoteError:
            return None
        return None if nested and any("\\" in piece for piece in pieces) else pieces

    def reused_quotes(self, values: list[ast.expr]) -> tuple[str, list[str]]:
        if not strings.SAME_QUOTES_NEST or self.quotes is not None:
            raise strings.CannotQuoteError("this f-string needs Python 3.12 or later")
        self.any_quote = True
        try:
            return '"', self.pieces(values, '"')
        finally:
            self.any_quote = False

    def pieces(self, values: list[ast.expr], quote: str, spec: bool = False) -> list[str]:
        out: list[str] = []
        for value in values:
            if isinstance(value, ast.Constant):
                out += self.fixed(str(value.value), quote, spec)
            else:
                assert isinstance(value, ast.FormattedValue)
                out.append(self.replacement(value, quote))
        return out

    def fixed(self, value: str, quote: str, spec: bool) -> list[str]:
        body = strings.escaped(value, quote)
        if spec:
            return [body.replace("{", "\\x7b").replace("}", "\\x7d")]
        return strings.words(body.replace("{", "{{").replace("}", "}}"))

    def replacement(self, t: ast.FormattedValue, quote: str) -> str:
        """One field, `{value!r:spec}`."""
        text = flat(self.collect(self.field_value, t.value))
        if not self.any_quote and (quote in text or (len(quote) == 1 and "\n" in text)):
            raise strings.CannotQuoteError(f"a field of this f-string holds its quote {quote}")
        text = f"{{ {text}" if text.startswith("{") else f"{{{text}"
        if t.conversion != -1:
            text += f"!{chr(t.conversion)}"
        if t.format_spec:
            assert isinstance(t.format_spec, ast.JoinedStr)
            text += ":" + "".join(self.pieces(t.format_spec.values, quote, spec=True))
        return text + "}"

    def field_value(self, node: ast.expr) -> None:
        """A colon outside brackets would begin the format."""
        last = node
        while isinstance(last, ast.IfExp):
            last = last.orelse
        if isinstance(last, ast.Lambda):
            self.group("()", [self.collect(self.emit, node)])
        else:
            self.emit(node)

    def _FormattedValue(self, t: ast.FormattedValue) -> None:
        self.fstring([t])
