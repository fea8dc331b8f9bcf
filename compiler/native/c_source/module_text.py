"""The two files of a derivative: C99, and the header with what a caller has to know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.runtime.records import dataclass, field

from ..loop_ir.ir import (
    Affine,
    Buffer,
    For,
    Get,
    Kernel,
    Let,
    Lit,
    Op,
    Set,
    Store,
    Var,
    affine,
    exprs_of,
    subexpressions,
    walk,
)
from ..loop_ir.storage import elements
from ..refusal import Unsupported
from .bounds import Bounds
from .decided import without_decided
from .helpers import definition, helper_names
from .layout import ROOM, Layout
from .names import plain, taken_words
from .printer import Printer
from .reading import Read
from .routines import NAMES, NEEDS, TEXTS, routine
from .tidy import declared, simplified
from .unread import buffers_of, names_read
from .wrapping import wrapped

__all__ = ["Files", "files_of"]

WIDE = "int64_t"
WORK = {"work": "f8", "fwork": "f4", "iwork": "i8", "bwork": "b1"}


@dataclass
class Files:
    """``source`` and ``header``, and what a caller written in Python has to know of them."""

    name: str
    stem: str
    source: str = ""
    header: str = ""
    integer: str = WIDE
    parameters: list[tuple[str, str, str]] = field(default_factory=list)  # name, dtype, role
    results: dict[str, Any] = field(default_factory=dict)  # shapes, in the words of the signature
    sizes: list[str] = field(default_factory=list)
    workspaces: list[str] = field(default_factory=list)
    dims: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of the parameters
    rooms: dict[str, Any] = field(
        default_factory=dict
    )  # of workspaces: a number, or what its function takes
    taped: bool = False
    fails: bool = False


def files_of(read: Read, name: str, about: str, stem: str) -> Files:
    """The C of a function that was read; ``about``: what stands at the top of both files."""
    return Module(read, name, about, stem).files()


class Module:
    """A function and all that goes with it."""

    def __init__(self, read: Read, name: str, about: str, stem: str) -> None:
        self.read, self.name, self.about, self.stem = read, name, about.strip(), stem
        kernel = read.kernel
        if kernel.captured:
            hidden = [p.buffer for p in kernel.params[-len(kernel.captured) :]]
            self.constants = list(zip(hidden, kernel.captured, strict=True))
            for buffer, _ in self.constants:
                read.hints[buffer.name] = buffer.name.removeprefix("a_").removesuffix("_captured")
        else:
            self.constants = []
        bounds = Bounds(kernel)
        bounds.sizes = {v.name for v in read.parameters.sizes.values()}
        bounds.entry = bounds.sizes | {p.name for p in read.parameters.order if isinstance(p, Var)}
        without_decided(kernel.body, bounds)
        simplified(kernel.body, read.hints)
        name_tapes(kernel, read.hints)
        self.entry = {v.name for v in read.parameters.sizes.values()} | {ROOM.name}
        self.entry |= {p.name for p in read.parameters.order if isinstance(p, Var)}
        self.bounds = bounds
        bounds.entry = self.entry
        self.layout = Layout.of(kernel.body, self.bounds)
        self.integer = "int" if self.is_small(kernel) else WIDE
        check_products(kernel, {v.name for v in read.parameters.sizes.values()})
        taken = taken_words() | {name} | {f"{name}_{w}" for w in WORK} | helper_names()
        taken |= {f"{routine}{f}" for routine in NAMES for f in ("", "f")}
        self.printer = Printer(name.upper(), self.integer, self.layout, read.hints, taken)
        self.sizes = {v.name: dim for dim, v in read.parameters.sizes.items()}
        self.made = Files(name, stem, integer=self.integer, taped=self.layout.taped)

    def is_small(self, kernel: Kernel) -> bool:
        """True if every integer is known to be small."""
        given = self.read.parameters
        if given.sizes or self.layout.taped or any(p_dtype(p) == "i8" for p in given.order):
            return False
        if any(dtype_of_constant(b) == "i8" for b, _ in self.constants):
            return False
        for stmt in walk(kernel.body):
            if isinstance(stmt, For):
                ends = [self.bounds.most(stmt.hi), self.bounds.most(stmt.lo, -1)]
                if any(e is None or affine(e).terms or abs(e.const) > 2**30 for e in ends):
                    return False
            if isinstance(stmt, (Set, Let)) and stmt.var.dtype == "i8":
                end = self.bounds.most(stmt.var)
                if end is None or affine(end).terms or abs(end.const) > 2**30:
                    return False
        found = {id(b): b for s in walk(kernel.body) for b in buffers_of(s)}.values()
        return all((elements(b) or 0) < 2**30 for b in found)

    # -- text

    def files(self) -> Files:
        p, made = self.printer, self.made
        body = self.read.kernel.body
        parameters = list(self.parameters())
        declared(body, self.layout)
        lines = [*self.unused(body), *self.pieces(), *p.block(body)]
        made.fails = p.fails
        head = f"int {self.name}({', '.join(parameters)})"
        ending = ["", "    return 0;"]
        functions = [*self.helpers(), *self.sizes_function(), *self.data()]
        text = "\n".join([*wrapped(head), "{", *lines, *ending, "}"])
        made.source = "\n\n".join([self.top(), *functions, text]) + "\n"
        made.header = self.header(parameters)
        for workspace in made.workspaces:
            known = self.is_constant(workspace)
            made.rooms[workspace] = int(self.total(workspace)) if known else self.asked(workspace)
        return made

    def top(self) -> str:
        includes = ["<math.h>", *(["<stdint.h>"] if self.integer == WIDE else [])]
        lines = [f"#include {one}" for one in includes]
        return f"/*\n{self.about}\n*/\n\n" + "\n".join([f'#include "{self.stem}.h"', "", *lines])

    def parameters(self) -> Iterator[str]:
        """The declarations of the parameters; each gets its name."""
        p, given = self.printer, self.read.parameters
        for one in given.order:
            word = p.enter(one.name, self.word(given.names[one.name]))
            if isinstance(one, Var):
                yield f"{p.say.types[one.dtype]} {word}"
                self.made.parameters.append((word, one.dtype, given.names[one.name]))
            else:
                yield f"const {self.array_type(one)} *restrict {word}"
                self.made.parameters.append((word, one.dtype + "[]", given.names[one.name]))
                self.made.dims[word] = tuple(
                    str(n) if not affine(n).terms else given.names[next(iter(variables_of(n)))]
                    for n in one.dims
                )
        for var in given.sizes.values():
            yield f"{self.integer} {p.enter(var.name, self.word(given.names[var.name]))}"
            self.made.sizes.append(given.names[var.name])
        if self.layout.taped:
            yield f"{self.integer} {p.enter(ROOM.name, 'n_steps')}"
        for buffer in self.read.results:
            word = p.enter(buffer.name, plain(buffer.name.removeprefix("result_")))
            kind = p.stored[buffer.dtype] if buffer.dims else p.say.types[buffer.dtype]
            yield f"{kind} *restrict {word}"
            self.made.results[word] = (buffer.dtype, tuple(map(self.in_words, buffer.dims)))
        for workspace, dtype in WORK.items():
            if workspace in self.layout.pieces:
                self.made.workspaces.append(workspace)
                yield f"{p.stored[dtype]} *{p.enter(workspace, workspace)}"
        for buffer, _ in self.constants:
            p.named(buffer.name)

    def array_type(self, buffer: Buffer) -> str:
        return "int64_t" if buffer.dtype == "i8" else self.printer.stored[buffer.dtype]

    def word(self, name: str) -> str:
        word = plain(name)
        return f"{word}_" if word in taken_words() else word

    def in_words(self, e: Any) -> str:
        """A size in the words of the signature."""
        return self.printer.say.expression(e)

    def unused(self, body: list[Any]) -> Iterator[str]:
        """Parameters that the derivative does not need."""
        read = {n for s in walk(body) for n in names_read(s)}
        read |= {
            n
            for pieces in self.layout.pieces.values()
            for _, size in pieces[:-1]
            for n in variables_of(size)
        }
        memory = {b.name for s in walk(body) for b in buffers_of(s)}
        given = self.read.parameters
        for one in [*given.order, *given.sizes.values()]:
            if one.name not in read | memory:
                yield f"    (void){self.printer.names[one.name]};"

    def pieces(self) -> Iterator[str]:
        """The arrays of the workspace, one behind the other."""
        p = self.printer
        first = [size for pieces in self.layout.pieces.values() for _, size in pieces[:-1]]
        yield from self.counts({n for size in first for n in variables_of(size)})
        for workspace, pieces in self.layout.pieces.items():
            place = p.names[workspace]
            for k, (buffer, _) in enumerate(pieces):
                if k:
                    place = (
                        f"{p.names[pieces[k - 1][0].name]} + {p.say.expression(pieces[k - 1][1])}"
                    )
                word = p.named(buffer.name)
                yield from wrapped(f"    {p.stored[buffer.dtype]} *const {word} = {place};")
        if self.layout.pieces:
            yield ""

    def counts(self, needed: set[str]) -> Iterator[str]:
        """Names for parts of sizes."""
        p = self.printer
        for e, var in self.layout.named_in(needed):
            asked = [p.names[v.name] for v in variables_in(e)]
            wanted = f"most_{asked[0]}" if len(asked) == 1 else "most"
            word = p.names.get(var.name) or p.enter(var.name, wanted)
            yield f"    const {self.integer} {word} = {p.say.expression(e)};"

    def helpers(self) -> Iterator[str]:
        """The functions that are called, small ones first."""
        p = self.printer
        for name, dtype in sorted(p.say.used):
            text = definition(name, dtype, self.integer)
            if text is None:
                raise Unsupported(f"np.{name}, which the C library does not have")
            yield text
        wanted = {(need, d) for name, d in p.routines for need in NEEDS.get(name, ())} | p.routines
        order = [*TEXTS, *sorted({n for n, _ in wanted} - set(TEXTS))]
        for name, dtype in sorted(wanted, key=lambda one: (order.index(one[0]), one[1])):
            yield routine(name, dtype, self.integer)

    def data(self) -> Iterator[str]:
        """Arrays that the function reads and does not get: constants of its module."""
        p = self.printer
        for buffer, value in self.constants:
            say = [p.say.expression(literal(x, buffer.dtype)) for x in value.ravel().tolist()]
            rows = [", ".join(say[k : k + 6]) for k in range(0, len(say), 6)]
            inner = ",\n    ".join(rows)
            kind = self.array_type(buffer)
            yield f"static const {kind} {p.names[buffer.name]}[{max(len(say), 1)}] = {{\n    {inner}\n}};"

    # -- workspaces

    def sizes_function(self) -> Iterator[str]:
        for workspace in self.made.workspaces:
            if not self.is_constant(workspace):
                lines = self.counts(variables_of(self.layout.total(workspace)))
                text = "\n".join(
                    [
                        *lines,
                        *wrapped(
                            f"    return (size_t){self.printer.say.expression(self.layout.total(workspace), 11)};"
                        ),
                    ]
                )
                yield f"{self.size_head(workspace)}\n{{\n{text}\n}}"

    def asked(self, workspace: str) -> list[str]:
        """What the size of a workspace depends on."""
        wanted = variables_of(self.layout.total(workspace))
        for e, _ in self.layout.named_in(wanted):
            wanted |= variables_of(e)
        given = self.read.parameters
        order = [*given.order, *given.sizes.values(), ROOM]
        return [self.printer.names[one.name] for one in order if one.name in wanted]

    def is_constant(self, workspace: str) -> bool:
        return not affine(self.layout.total(workspace)).terms

    def total(self, workspace: str) -> str:
        return self.printer.say.expression(self.layout.total(workspace))

    def size_head(self, workspace: str) -> str:
        given = ", ".join(f"{self.integer} {name}" for name in self.asked(workspace))
        return f"size_t {self.name}_{workspace}({given})"

    # -- the header

    def header(self, parameters: list[str]) -> str:
        guard, upper = f"{self.name.upper()}_H", self.name.upper()
        lines = [f"/*\n{self.about}\n*/", "", f"#ifndef {guard}", f"#define {guard}", ""]
        includes = (
            ["<stddef.h>"] if any(not self.is_constant(w) for w in self.made.workspaces) else []
        )
        includes += ["<stdint.h>"] if any("int64_t" in one for one in parameters) else []
        lines += [f"#include {one}" for one in includes] + ([""] if includes else [])
        lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
        lines.append(f"#define {upper}_REFUSED 1 /* Python would raise, or sizes do not fit */")
        if self.layout.taped:
            lines.append(f"#define {upper}_FULL 2 /* more than n_steps iterations */")
        lines.append("")
        for workspace in self.made.workspaces:
            if self.is_constant(workspace):
                lines.append(f"#define {upper}_{workspace.upper()} {self.total(workspace)}")
            else:
                lines.append(f"{self.size_head(workspace)};")
        lines += [""] if self.made.workspaces else []
        plain_ones = [one.replace(" *restrict ", " *") for one in parameters]
        head = f"int {self.name}({', '.join(plain_ones)});"
        lines += [*self.described(), *wrapped(head), ""]
        return "\n".join(
            [*lines, "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {guard} */", ""]
        )

    def described(self) -> Iterator[str]:
        """What the parameters are."""
        given = self.read.parameters
        rows = [(w, given.kinds.get(name, {"f8": "float", "f4": "f4", "i8": "int", "b1": "bool"}[d[:2]]))
                for w, d, name in self.made.parameters]  # fmt: skip
        rows += [(one, "a size") for one in self.made.sizes]
        rows += [
            (
                self.printer.names.get(ROOM.name, ""),
                "how many iterations of its loops there is room for",
            )
        ] * self.layout.taped
        for word, (dtype, shape) in self.made.results.items():
            shown = f"{dtype}[{', '.join(shape)}]" if shape else dtype
            rows.append((word, f"{shown}, result"))
        for w in self.made.workspaces:
            size = (
                f"{self.name.upper()}_{w.upper()}"
                if self.is_constant(w)
                else f"{self.name}_{w}(...)"
            )
            rows.append(
                (
                    self.printer.names[w],
                    f"room for {size} elements, which hold nothing between calls",
                )
            )
        width = max((len(w) for w, _ in rows), default=0)
        yield "/*"
        yield from (f"  {word:<{width}}  {what}" for word, what in rows)
        yield ""
        yield "  Arrays lie by rows (C order) and do not overlap."
        upper = self.name.upper()
        codes = f"{upper}_REFUSED" + f" or {upper}_FULL" * self.layout.taped
        yield f"  Returns 0; or {codes}, and what is in the results then means nothing."
        yield "*/"


def literal(value: Any, dtype: str) -> Any:
    return affine(value) if dtype == "i8" else Lit(value, dtype)


def dtype_of_constant(buffer: Buffer) -> str:
    return buffer.dtype


def p_dtype(one: Any) -> str:
    return str(one.dtype)


def variables_of(e: Any) -> set[str]:
    return {s.name for s in subexpressions(e) if isinstance(s, Var)}


def variables_in(e: Any) -> list[Var]:
    return list(dict.fromkeys(s for s in subexpressions(e) if isinstance(s, Var)))


def name_tapes(kernel: Kernel, hints: dict[str, str]) -> None:
    """A list is called after what it keeps, and an item after that, too."""
    for stmt in walk(kernel.body):
        if not isinstance(stmt, Store) or not is_tape(stmt.buffer, hints):
            continue
        value = stmt.value
        named = (
            value.name
            if isinstance(value, Var)
            else value.buffer.name
            if isinstance(value, Get)
            else ""
        )
        hint = hints.get(named, named).removeprefix("a_")
        base = hint.removeprefix("v_") if hint.startswith("v_") or named.startswith("a_") else ""
        if not hints.get(stmt.buffer.name, "").startswith("tape"):
            hints[stmt.buffer.name] = f"tape_{base}" if base else "tape"
    for stmt in walk(kernel.body):
        if isinstance(stmt, Let) and isinstance(stmt.value, Get):
            of = hints.get(stmt.value.buffer.name, "")
            if of.startswith("tape_") and hints.get(stmt.var.name) == "s":
                hints[stmt.var.name] = f"{of.removeprefix('tape_')}_k"


def is_tape(buffer: Buffer, hints: dict[str, str]) -> bool:
    return (
        buffer.role == "arena"
        or hints.get(buffer.name) in ("rows", "tape")
        or hints.get(buffer.name, "").startswith("tape_")
    )


def check_products(kernel: Kernel, sizes: set[str]) -> None:
    """A product of three integers that are no sizes may be larger than the machine's."""
    for stmt in walk(kernel.body):
        for top in exprs_of(stmt):
            for e in subexpressions(top):
                if isinstance(e, Op) and e.name == "imul" and depth(e, sizes) > 2:
                    raise Unsupported("a product of several integers, which may be too large")


def depth(e: Any, sizes: set[str]) -> int:
    if isinstance(e, Affine):
        return max((depth(a, sizes) for a, _ in e.terms), default=0)
    if isinstance(e, Op) and e.name == "imul":
        return sum(depth(a, sizes) for a in e.args)
    return 0 if isinstance(e, Var) and e.name in sizes else 1
