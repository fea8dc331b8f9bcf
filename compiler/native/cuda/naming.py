"""Names in kernels and their module: those of the program, where they mean nothing else there."""

from __future__ import annotations

import keyword
import re

from ..loop_ir.ir import (
    Accumulate,
    Alloc,
    Buffer,
    For,
    Get,
    Kernel,
    Let,
    Set,
    Stmt,
    Store,
    Var,
    exprs_of,
    subexpressions,
    variables,
    walk,
)
from ..math.source import LIBM

__all__ = ["Inside", "Names"]

PREFIX = re.compile(r"^(a|v|n|sc)_(?=[A-Za-z])")
# Words of C++, of CUDA, of CuPy's kernels, and of the module that is printed.
TAKEN = set(
    [
        "alignas",
        "alignof",
        "and",
        "and_eq",
        "asm",
        "auto",
        "bitand",
        "bitor",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "constexpr",
        "continue",
        "decltype",
        "default",
        "delete",
        "do",
        "double",
        "dynamic_cast",
        "else",
        "enum",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "not",
        "not_eq",
        "nullptr",
        "operator",
        "or",
        "or_eq",
        "private",
        "protected",
        "public",
        "register",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "static_assert",
        "static_cast",
        "struct",
        "switch",
        "template",
        "this",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "wchar_t",
        "while",
        "xor",
        "xor_eq",
        "i",
        "n",
        "a",
        "b",
        "cp",
        "np",
        "math",
        "size",
        "complex",
        "min",
        "max",
        "abs",
        "exp",
        "log",
        "sin",
        "cos",
        "tan",
        "sqrt",
        "pow",
        "erf",
        "floor",
        "ceil",
        "fabs",
        "gamma",
        "y0",
        "y1",
        "j0",
        "j1",
        "yn",
        "jn",
        "NAN",
        "INFINITY",
        "value",
        "args",
        "out",
        "axis",
    ]
)

TAKEN |= {f"{name}{width}" for name in LIBM.split() for width in ("", "f")}


class Names:
    """The names of a kernel's variables and buffers in the module."""

    def __init__(self, kernel: Kernel, parameters: list[str], taken: set[str]) -> None:
        self.known: dict[str, str] = {}
        self.used = {*TAKEN, *taken, *keyword.kwlist}
        for name in [*parameters, *sorted(all_names(kernel))]:
            if name not in self.known:
                self.known[name] = self.fresh(name)

    def fresh(self, name: str) -> str:
        stem = PREFIX.sub(lambda found: "n_" if found[1] == "n" else "", name)
        made, k = stem, 2
        while made in self.used:
            made, k = f"{stem}_{k}", k + 1
        self.used.add(made)
        return made

    def of(self, what: Buffer | Var) -> str:
        return self.known.get(what.name, what.name)

    def before(self, var: Var) -> str:
        """The name of what a variable was before it is computed anew."""
        key = f"{var.name} before"
        if key not in self.known:
            self.known[key] = self.fresh(f"{var.name}_before")
        return self.known[key]

    def inside(self, stmts: list[Stmt], loops: list[Var]) -> Inside:
        """The names in a kernel."""
        read = {v.name for s in walk(stmts) for e in exprs_of(s) for v in variables(e)}
        own = {self.known.get(n, n) for n in bound(stmts) | read}
        return Inside(self.known, {self.of(v) for v in loops} | own)


class Inside(dict[str, str]):
    """Names in one kernel; ``begins``: what a variable is when the kernel begins."""

    def __init__(self, known: dict[str, str], own: set[str]) -> None:
        super().__init__(known)
        self.used = set(own) | TAKEN
        self.begins: dict[str, str] = {}

    def of(self, var: Var) -> str:
        return self.get(var.name, var.name)

    def free(self, name: str) -> str:
        """A name that nothing in the kernel has yet."""
        made, k = name, 2
        while made in self.used:
            made, k = f"{name}_{k}", k + 1
        self.used.add(made)
        return made

    @staticmethod
    def mentions(text: str, name: str) -> bool:
        return re.search(rf"\b{re.escape(name)}\b", text) is not None


def bound(stmts: list[Stmt]) -> set[str]:
    return {s.var.name for s in walk(stmts) if isinstance(s, (Let, Set, Accumulate, For))}


def all_names(kernel: Kernel) -> set[str]:
    found: set[str] = set()
    for stmt in walk(kernel.body):
        if isinstance(stmt, (Let, Set, Accumulate, For)):
            found.add(stmt.var.name)
        if isinstance(stmt, (Store, Alloc)):
            found.add(stmt.buffer.name)
        for top in exprs_of(stmt):
            for e in subexpressions(top):
                if isinstance(e, Get):
                    found.add(e.buffer.name)
            found |= {v.name for v in variables(top)}
    return found
