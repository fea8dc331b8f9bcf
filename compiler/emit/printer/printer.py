"""The printer: a syntax tree as readable source, on a subclass of astunparse's Unparser.

The law of the text is `ast.dump(ast.parse(write(tree))) == ast.dump(tree)`. A statement may carry
`comments` (lines above it), `quoted` (code that it comes from), `notes` below that, `trailing` (a comment after it) and
`blank_before`. It is laid out as `black` and `ruff format` do, so that neither changes it.
"""

import ast
from collections.abc import Sequence
from typing import Any

from . import strings
from .expressions import ATOM, TEST, WALRUS, ast_arguments
from .layout import flat, lay_out, width_of
from .patterns import Patterns

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)


def write(tree: ast.AST, width: int = 88) -> str:
    """The source of a module, a statement or an expression.

    >>> print(write(ast.parse("h=(x[(1),2:n+1]*(y**-2))")), end="")
    h = x[1, 2 : n + 1] * y**-2
    """
    writer = Writer(width)
    if isinstance(tree, ast.stmt):
        writer.block([tree], tree)
    elif isinstance(tree, ast.expr):
        writer.fill()
        writer.soft(tree)
        writer.end_line()
    else:
        writer.dispatch(tree)
    return "".join(f"{line}\n" for line in writer.lines)


def width(tree: ast.expr) -> int:
    """The columns of an expression on one line.

    >>> width(ast.parse("f(x, axis=0)", mode="eval").body)
    12
    """
    writer = Writer(0)
    writer.fill()
    writer.emit(tree)
    return width_of(writer.parts)


def comment_lines(text: str) -> list[str]:
    return [f"# {line}".rstrip() for line in text.splitlines() or [""]]


def trailing_comment(node: ast.AST) -> str:
    words = " ".join(getattr(node, "trailing", "").split())
    return words and f"# {words}"


def quotation(text: str, room: int) -> str:
    """A comment that quotes a line of code, or as much of it as there is room for.

    >>> quotation("y = a * x + b", 40), quotation("y = a * x + b", 16)
    ('# `y = a * x + b`', '# `y = a * ...`')
    """
    text = text.partition("\n")[0]
    if len(text) + 4 > room:
        text = text[: max(room - 8, 1)].rpartition(" ")[0] + " ..."
    return f"# `{text}`"


def is_docstring(node: ast.stmt) -> bool:
    """True if a statement is only a string."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


class Writer(Patterns):
    """The statements, each finished as one entry of `lines`."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.lines: list[str] = []
        self.header_comment = ""
        self._indent = 0

    # lines

    def fill(self, text: str = "") -> None:
        self.parts = [text] if text else []

    def end_line(self) -> None:
        self.lines.append(lay_out(self.parts, 4 * self._indent, self.width))

    def enter(self) -> None:
        """End the header of a block, with the comment of its statement."""
        self.write(":")
        self.end_line()
        if self.header_comment:
            self.attach(len(self.lines) - 1, self.header_comment)
            self.header_comment = ""
        self._indent += 1

    def attach(self, at: int, comment: str) -> None:
        """Put a comment after line `at`, or above it where it is too long."""
        line = self.lines[at]
        end = len(line) - line.rfind("\n") - 1
        if end + 2 + len(comment) <= self.width:
            self.lines[at] = f"{line}  {comment}"
        else:
            self.lines[at] = f"{' ' * (4 * self._indent)}{comment}\n{line}"

    def dispatch(self, tree: Any) -> None:
        if isinstance(tree, list):
            self.block(tree, None)
        else:
            getattr(self, f"_{type(tree).__name__}")(tree)

    # blocks

    def block(self, body: Sequence[ast.stmt], owner: ast.AST | None) -> None:
        previous: ast.stmt | None = None
        for node in body:
            self.lines += [""] * self.gap(previous, node, owner)
            self.comments_of(node)
            trailing = trailing_comment(node)
            if hasattr(node, "body") or isinstance(node, ast.Match):
                self.header_comment = trailing
                self.dispatch(node)
            else:
                self.dispatch(node)
                self.end_line()
                if trailing:
                    self.attach(len(self.lines) - 1, trailing)
            previous = node

    def comments_of(self, node: ast.AST) -> None:
        for comment in getattr(node, "comments", ()):
            self.lines += [" " * (4 * self._indent) + line for line in comment_lines(comment)]
        if quoted := getattr(node, "quoted", ""):
            self.lines.append(
                " " * (4 * self._indent) + quotation(quoted, self.width - 4 * self._indent)
            )

    def gap(self, previous: ast.stmt | None, node: ast.stmt, owner: ast.AST | None) -> int:
        """The blank lines between two statements of a block."""
        asked = int(getattr(node, "blank_before", False) and bool(self.lines))
        if previous is None:
            return asked
        if isinstance(node, DEFINITIONS) or isinstance(previous, DEFINITIONS):
            return 1 if self._indent else 2
        after_imports = isinstance(previous, IMPORTS) and not isinstance(node, IMPORTS)
        after_docstring = isinstance(owner, ast.Module | ast.ClassDef) and is_docstring(previous)
        return int(asked or after_imports or after_docstring)

    def body(self, head: str, body: list[ast.stmt]) -> None:
        """A block under a bare word, such as `else`."""
        if body:
            self.fill(head)
            self.suite(body)

    def suite(self, body: list[ast.stmt], owner: ast.AST | None = None) -> None:
        self.enter()
        self.block(body, owner)
        self.leave()

    def _Module(self, t: ast.Module) -> None:
        self.block(t.body, t)

    def _Interactive(self, t: ast.Interactive) -> None:
        self.block(t.body, None)

    def _Expression(self, t: ast.Expression) -> None:
        self.fill()
        self.soft(t.body)
        self.end_line()

    # simple statements

    def _Expr(self, t: ast.Expr) -> None:
        self.fill()
        if isinstance(t.value, ast.Constant) and isinstance(t.value.value, str):
            prefix = getattr(t.value, "kind", None) or ""
            self.write(prefix + strings.docstring(t.value.value, raw=not prefix))
        elif isinstance(t.value, ast.Tuple):
            self.emit(t.value)
        else:
            self.value(t.value)

    def _Assign(self, t: ast.Assign) -> None:
        self.fill()
        for target in t.targets:
            self.target(target)
            self.write(" = ")
        if isinstance(t.value, ast.Name):
            self.emit(t.value)
        else:
            self.value(t.value)

    def _AugAssign(self, t: ast.AugAssign) -> None:
        self.fill()
        self.emit(t.target)
        self.write(f" {self.binop[type(t.op).__name__]}= ")
        self.value(t.value)

    def _AnnAssign(self, t: ast.AnnAssign) -> None:
        self.fill()
        if isinstance(t.target, ast.Name) and not t.simple:
            self.write(f"({t.target.id})")
        else:
            self.emit(t.target)
        self.write(": ")
        self.soft(t.annotation)
        if t.value:
            self.write(" = ")
            self.value(t.value)

    def _Return(self, t: ast.Return) -> None:
        self.fill("return")
        if t.value:
            self.write(" ")
            self.value(t.value, TEST)

    def _Delete(self, t: ast.Delete) -> None:
        self.fill("del ")
        for i, target in enumerate(t.targets):
            self.write(", " if i else "")
            self.emit(target)

    def _Assert(self, t: ast.Assert) -> None:
        self.fill("assert ")
        self.soft(t.test)
        if t.msg:
            self.write(", ")
            self.soft(t.msg)

    def _Raise(self, t: ast.Raise) -> None:
        self.fill("raise")
        for word, node in ((" ", t.exc), (" from ", t.cause)):
            if node is not None:
                self.write(word)
                self.soft(node)

    def _ImportFrom(self, t: ast.ImportFrom) -> None:
        self.fill(f"from {'.' * (t.level or 0)}{t.module or ''} import ")
        if t.names[0].name == "*":
            self.write("*")
        else:
            self.brackets("()", t.names, TEST, soft=True, collection=True)

    def _TypeAlias(self, t: Any) -> None:
        self.fill("type ")
        self.emit(t.name)
        self.type_parameters(t.type_params)
        self.write(" = ")
        self.soft(t.value)

    # compound statements

    def _If(self, t: ast.If) -> None:
        node, word = t, "if "
        while True:
            self.fill(word)
            self.soft(node.test, WALRUS)
            self.suite(node.body)
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                break
            node, word = node.orelse[0], "elif "
            self.clause(node)
        self.body("else", node.orelse)

    def clause(self, node: ast.AST) -> None:
        """The comments of an `elif`, an `except` or a `case`."""
        self.comments_of(node)
        self.header_comment = trailing_comment(node)

    def _While(self, t: ast.While) -> None:
        self.fill("while ")
        self.soft(t.test, WALRUS)
        self.suite(t.body)
        self.body("else", t.orelse)

    def _For(self, t: ast.For | ast.AsyncFor) -> None:
        self.fill("async for " if isinstance(t, ast.AsyncFor) else "for ")
        self.target(t.target)
        self.write(" in ")
        room = self.width - 4 * self._indent - len("for  in zip(")
        if isinstance(t.iter, ast.Call) and len(ast.unparse(t.target)) > room:
            self.emit(t.iter)  # the target must be broken: a third bracket is not needed
        else:
            self.soft(t.iter)
        self.suite(t.body)
        self.body("else", t.orelse)

    _AsyncFor = _For

    def _With(self, t: ast.With | ast.AsyncWith) -> None:
        self.fill("async with " if isinstance(t, ast.AsyncWith) else "with ")
        only = t.items[0].context_expr if len(t.items) == 1 else None
        if isinstance(only, ast.Tuple) and not t.items[0].optional_vars:
            self.brackets("()", [only], TEST)  # without these it is two items
        else:
            self.brackets("()", t.items, TEST, soft=True)
        self.suite(t.body)

    _AsyncWith = _With

    def _withitem(self, t: ast.withitem) -> None:
        self.emit(t.context_expr)
        if t.optional_vars:
            self.write(" as ")
            self.emit(t.optional_vars, ATOM)

    def _Try(self, t: Any, star: str = "") -> None:
        self.body("try", t.body)
        for handler in t.handlers:
            self.handler(handler, star)
        self.body("else", t.orelse)
        self.body("finally", t.finalbody)

    def _TryStar(self, t: Any) -> None:
        self._Try(t, "*")

    def handler(self, t: ast.ExceptHandler, star: str) -> None:
        self.clause(t)
        self.fill(f"except{star}")
        if t.type:
            self.write(" ")
            self.soft(t.type)
        self.write(f" as {t.name}" if t.name else "")
        self.suite(t.body)

    def _Match(self, t: ast.Match) -> None:
        self.fill("match ")
        self.value(t.subject, TEST)
        self.enter()
        for case in t.cases:
            self.clause(case)
            self._match_case(case)
        self.leave()

    def _match_case(self, t: ast.match_case) -> None:
        self.fill("case ")
        self.soft(t.pattern)
        if t.guard:
            self.write(" if ")
            self.soft(t.guard, WALRUS)
        self.suite(t.body)

    # definitions

    def decorators(self, t: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        for decorator in t.decorator_list:
            self.fill("@")
            self.soft(decorator, WALRUS)
            self.end_line()

    def _FunctionDef(self, t: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.decorators(t)
        word = "async def" if isinstance(t, ast.AsyncFunctionDef) else "def"
        self.fill(f"{word} {t.name}")
        self.type_parameters(getattr(t, "type_params", ()))
        self.group("()", self.parameters(t.args))
        if t.returns is not None:
            self.write(" -> ")
            if ast_arguments(t.args):  # these are broken first
                self.write(flat(self.collect(self.emit, t.returns)))
            else:
                self.soft(t.returns)
        self.suite(t.body, t)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, t: ast.ClassDef) -> None:
        self.decorators(t)
        self.fill(f"class {t.name}")
        self.type_parameters(getattr(t, "type_params", ()))
        if t.bases or t.keywords:
            self.arguments(t.bases, t.keywords)
        self.suite(t.body, t)
