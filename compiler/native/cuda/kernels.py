"""Kernels of CuPy's: parameters, body, and how each is called."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field

from ..loop_ir.ir import (
    Accumulate,
    Alloc,
    Buffer,
    For,
    Get,
    If,
    Let,
    Lit,
    Op,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    exprs_of,
    rewrite,
    subexpressions,
    variables,
    walk,
)  # fmt: skip
from ..loop_ir.storage import find_homes, undeclare
from ..refusal import Unsupported
from .device_text import TYPES, DeviceText
from .host_text import HostText
from .naming import Names
from .views import Dim, bare, covers, view

__all__ = ["KINDS", "Each", "Launch", "Reduction", "bound_in", "each", "reduction"]

KINDS = {"f8": "float64", "f4": "float32", "i8": "int64", "b1": "bool"}
REDUCED = {
    "add": ("a + b", "0"), "multiply": ("a * b", "1"),
    "maximum": ("np_maximum(a, b)", "-INFINITY"), "minimum": ("np_minimum(a, b)", "INFINITY"),
}  # fmt: skip


@dataclass
class Parameter:
    kind: str
    name: str
    given: str  # Python for the argument
    raw: bool = False
    number: bool = False  # of the host's

    def __str__(self) -> str:
        return f"{'raw ' * self.raw}{self.kind} {self.name}"


@dataclass
class Launch:
    """A kernel and its call; ``written``: the buffers that it writes all of (True) or some of."""

    definition: list[str]
    call: str
    written: dict[Buffer, bool] = field(default_factory=dict)


@dataclass
class Around:
    """What is known where a kernel is launched: ``known`` of the host, ``arrays``: variables as arrays of rank 0."""

    names: Names
    host: HostText
    known: set[str]
    equal: dict[Var, Any] = field(default_factory=dict)

    def sizes(self, buffer: Buffer) -> tuple[Any, ...]:
        """The sizes of a buffer, equal ones written alike."""
        return tuple(
            rewrite(n, lambda x: self.equal.get(x, x) if isinstance(x, Var) else x)
            for n in buffer.dims
        )


@dataclass
class Each:
    """A body that runs for every index of ``dims``; ``sent``: the variables that it hands on."""

    dims: list[Dim]
    body: list[Stmt]
    sent: list[Var] = field(default_factory=list)


@dataclass
class Reduction:
    """``op`` over ``value`` for all indices of ``dims`` but those of ``kept``, into ``out[index]`` or a variable."""

    dims: list[Dim]
    kept: list[Dim]
    op: str
    value: Any
    lets: list[Let]
    out: Buffer | Var
    index: tuple[Any, ...] = ()


def each(around: Around, name: str, wanted: Each) -> Launch:
    """An ``ElementwiseKernel``."""
    return ElementwiseText(around, name, wanted).launch()


def bound_in(stmts: list[Stmt]) -> set[str]:
    """The variables that statements give a value."""
    return {s.var.name for s in walk(stmts) if isinstance(s, (Let, Set, Accumulate, For))}


def free_variables(stmts: list[Stmt], dims: list[Dim], sent: list[Var]) -> list[Var]:
    """The variables that come from outside, in the order of their names; those that are only set do not."""
    own = {dim.var.name for dim in dims}
    found: dict[str, Var] = {}
    surely = outside(stmts, own, found)
    for var in sent:
        if var.name not in surely:
            found.setdefault(var.name, var)
    for buffer in buffers_in(stmts):
        for n in buffer.dims:
            for v in variables(n):
                if v.name not in own:
                    found.setdefault(v.name, v)
    return [found[n] for n in sorted(found)]


def outside(stmts: list[Stmt], own: set[str], found: dict[str, Var]) -> set[str]:
    """Enter the variables that are read before they have a value; ``own`` have one.  Those that have after."""
    own = set(own)
    for stmt in stmts:
        for e in exprs_of(stmt):
            for v in variables(e):
                if v.name not in own:
                    found.setdefault(v.name, v)
        if isinstance(stmt, (Let, Set)):
            own.add(stmt.var.name)
        elif isinstance(stmt, Accumulate) and stmt.var.name not in own:
            found.setdefault(stmt.var.name, stmt.var)
        elif isinstance(stmt, For):
            outside(stmt.body, own | {stmt.var.name}, found)
        elif isinstance(stmt, If):
            sides = [outside(side, own, found) for side in (stmt.then, stmt.orelse)]
            own |= set.intersection(*sides)
    return own


def buffers_in(stmts: list[Stmt]) -> list[Buffer]:
    """The buffers that statements use and did not make."""
    found: dict[int, Buffer] = {}
    for s in walk(stmts):
        if isinstance(s, Store):
            found.setdefault(id(s.buffer), s.buffer)
        for top in exprs_of(s):
            for e in subexpressions(top):
                if isinstance(e, Get):
                    found.setdefault(id(e.buffer), e.buffer)
    own = {id(s.buffer) for s in walk(stmts) if isinstance(s, Alloc)}
    return [b for k, b in found.items() if k not in own]


def accesses(stmts: list[Stmt], buffer: Buffer) -> list[tuple[tuple[Any, ...], bool]]:
    """The indices at which a buffer is read and written (True)."""
    found = []
    for s in walk(stmts):
        if isinstance(s, Store) and s.buffer is buffer:
            found.append((s.index, True))
        for top in exprs_of(s):
            found += [
                (e.index, False)
                for e in subexpressions(top)
                if isinstance(e, Get) and e.buffer is buffer
            ]
    return found


class ElementwiseText:
    """One ``ElementwiseKernel`` while it is printed."""

    def __init__(self, around: Around, name: str, wanted: Each) -> None:
        self.around, self.name, self.wanted = around, name, wanted
        self.dims, self.body = wanted.dims, wanted.body
        undeclare(self.body)
        self.ins: list[Parameter] = []
        self.outs: list[Parameter] = []
        self.places: dict[tuple[int, tuple[Any, ...] | None], str] = {}
        self.names = around.names.inside(self.body, [dim.var for dim in self.dims])
        self.written: dict[Buffer, bool] = {}
        self.text = DeviceText(self.names, self.place)

    def look(self, buffer: Buffer, index: tuple[Any, ...]) -> str | None:
        around = self.around
        known = around.known - bound_in(self.body)
        return view(
            around.sizes(buffer), index, self.dims, known, around.host, around.names.of(buffer)
        )

    def launch(self) -> Launch:
        buffers = buffers_in(self.body)
        plain = {id(b): self.is_plain(b) for b in buffers}
        spread = any(
            write and plain[id(b)] and covers(index, self.dims)
            for b in buffers
            for index, write in accesses(self.body, b)
        )
        self.all_raw = not spread and not (not self.dims and self.wanted.sent)
        for b in buffers:
            self.enter(b, plain[id(b)] and not self.all_raw)
        self.enter_variables()
        text = self.text
        lines = [*self.declared(), *text.block(self.body), *self.sent()]
        lines = [*self.indices(lines), *lines]
        whole = "\n".join(lines)
        self.ins = [
            one for one in self.ins if not one.number or self.names.mentions(whole, one.name)
        ]
        size = ""
        if self.all_raw:
            sizes = [self.around.host.expression(dim.size) for dim in self.dims]
            size = f"size={' * '.join(sizes) or '1'}"
        given = [one.given for one in [*self.ins, *self.outs]]
        definition = [
            f"{self.name} = cp.ElementwiseKernel(",
            f"    {quoted(', '.join(map(str, self.ins)))},",
            f"    {quoted(', '.join(map(str, self.outs)))},",
            *block_text(lines),
            f"    {quoted(self.name)},",
            *preamble_text(text.preamble()),
            ")",
        ]
        call = f"{self.name}({', '.join([*given, size] if size else given)})"
        return Launch(definition, call, self.written)

    def is_plain(self, buffer: Buffer) -> bool:
        """True if each access is that of a view, and all of one and the same, or apart, if there are writes."""
        found = accesses(self.body, buffer)
        looks = {self.look(buffer, index): index for index, _ in found}
        is_read = not any(write for _, write in found)
        return None not in looks and (is_read or are_apart(list(looks.values())))

    def enter(self, buffer: Buffer, plain: bool) -> None:
        """Parameters for a buffer."""
        found = accesses(self.body, buffer)
        is_written = any(write for _, write in found)
        entered: dict[str, str] = {}
        kind = KINDS[buffer.dtype]
        if is_written:
            self.written[buffer] = plain and self.whole(buffer, found)
        if not plain:
            name = self.names.free(self.around.names.of(buffer))
            self.places[id(buffer), None] = name
            into = self.outs if is_written else self.ins
            into.append(Parameter(kind, name, self.around.names.of(buffer), raw=True))
            return
        for index, _ in found:
            look = self.look(buffer, index)
            assert look is not None
            if look not in entered:
                entered[look] = self.names.free(self.around.names.of(buffer))
                into = self.outs if is_written else self.ins
                into.append(Parameter(kind, entered[look], look))
            self.places[id(buffer), index] = entered[look]

    def whole(self, buffer: Buffer, found: list[tuple[tuple[Any, ...], bool]]) -> bool:
        """True if a kernel writes every element, and reads none."""
        stores = [
            s for s in self.body if isinstance(s, Store) and s.buffer is buffer and s.op is None
        ]
        return (
            len(stores) == len(found)
            and self.look(buffer, found[0][0]) == self.around.names.of(buffer)
            and len(found[0][0]) == len(self.dims)
        )

    def place(self, buffer: Buffer, index: tuple[Any, ...]) -> str | None:
        name = self.places.get((id(buffer), index))
        if name is not None:
            return name
        name = self.places.get((id(buffer), None))
        if name is None:
            return None
        text = self.text
        return f"{name}[{bare(text.offset(buffer, index))}]"

    def enter_variables(self) -> None:
        own = bound_in(self.body)
        for var in free_variables(self.body, self.dims, self.wanted.sent):
            given = self.around.host.variable(var)
            if var.name in self.around.known:
                self.ins.append(Parameter(KINDS[var.dtype], self.names.of(var), given, number=True))
                continue
            name = self.names.free(f"{given}_in") if var.name in own else self.names.of(var)
            if var in self.wanted.sent:
                given = self.around.names.before(var)
            self.ins.append(Parameter(KINDS[var.dtype], name, given, raw=self.all_raw))
            if var.name in own:
                self.names.begins[var.name] = f"{name}[0]" if self.all_raw else name
            elif self.all_raw:
                self.names[var.name] = f"{name}[0]"

    def declared(self) -> list[str]:
        """The variables that are written more than once."""
        homes: dict[str, tuple[str, list[Stmt]]] = {}
        kept = {v.name for v in self.wanted.sent} | set(self.names.begins)
        find_homes(self.body, self.body, kept, homes)
        dtypes = {
            s.var.name: s.var.dtype for s in walk(self.body) if isinstance(s, (Set, Accumulate))
        }
        lines = []
        for name in sorted(homes):
            start = self.names.begins.get(name, "0")
            lines.append(f"{TYPES[dtypes[name]]} {self.names.get(name, name)} = {start};")
        return lines

    def sent(self) -> list[str]:
        lines = []
        for var in self.wanted.sent:
            name = self.names.free(f"{self.around.host.variable(var)}_out")
            self.outs.append(Parameter(KINDS[var.dtype], name, self.around.host.variable(var)))
            lines.append(f"{name} = {self.names.of(var)};")
        return lines

    def indices(self, lines: list[str]) -> list[str]:
        """Which index an iteration has, if the body asks."""
        text = "\n".join(lines)
        found: list[str] = []
        rest = "i"
        for k, dim in reversed(list(enumerate(self.dims))):
            name = self.names.of(dim.var)
            size = f"({DeviceText(self.names).expression(dim.size)})"
            whole = rest if k == 0 else f"{rest} % {size}"
            if self.names.mentions(text, name):
                found.append(f"const long long {name} = {whole};")
                self.enter_sizes(dim, k)
            rest = f"{rest} / {size}" if k else rest
        for k, dim in enumerate(self.dims):
            if any(f"({DeviceText(self.names).expression(dim.size)})" in line for line in found):
                self.enter_sizes(dim, k)
        return found

    def enter_sizes(self, dim: Dim, k: int) -> None:
        for v in variables(dim.size):
            if all(one.name != self.names.of(v) for one in self.ins):
                given = self.around.host.variable(v)
                self.ins.append(Parameter(KINDS[v.dtype], self.names.of(v), given, number=True))


def are_apart(indices: list[tuple[Any, ...]]) -> bool:
    """True if any two indices have another number in one place."""
    return all(
        any(
            not affine(i).terms and not affine(j).terms and affine(i) != affine(j)
            for i, j in zip(a, b, strict=True)
        )
        for k, a in enumerate(indices)
        for b in indices[:k]
    )


def quoted(text: str) -> str:
    return f'"{text}"'


def block_text(lines: list[str]) -> list[str]:
    return ['    """', *(f"    {line}" for line in lines), '    """,']


def preamble_text(text: str) -> list[str]:
    if not text:
        return []
    return [
        '    preamble="""',
        *(f"    {line}" if line[:1] != "#" else line for line in text.splitlines()),
        '    """,',
    ]


class NotOfViews(Exception):
    """What is reduced has to be computed first."""


def reduction(around: Around, name: str, wanted: Reduction) -> Launch:
    """A ``ReductionKernel``; ``NotOfViews`` if it would need indices."""
    if wanted.op not in REDUCED:
        raise Unsupported(f"a reduction by {wanted.op}")
    stmts: list[Stmt] = [*wanted.lets, Set(Var("value", wanted.value.dtype), wanted.value)]
    names = around.names.inside(stmts, [dim.var for dim in wanted.dims])
    own = {dim.var for dim in wanted.dims}
    ins: list[Parameter] = []
    places: dict[tuple[int, tuple[Any, ...]], str] = {}
    covered: set[Var] = set()
    entered: dict[str, str] = {}
    known = around.known - bound_in(stmts)
    for buffer in buffers_in(stmts):
        for index, _ in accesses(stmts, buffer):
            look = view(
                around.sizes(buffer),
                index,
                wanted.dims,
                known,
                around.host,
                around.names.of(buffer),
            )
            if look is None:
                raise NotOfViews
            if look not in entered:
                entered[look] = names.free(around.names.of(buffer))
                ins.append(Parameter(KINDS[buffer.dtype], entered[look], look))
            places[id(buffer), index] = entered[look]
            covered |= {v for i in index for v in variables(affine(i))} & own
    if covered != own or uses_index(stmts, own):
        raise NotOfViews
    for var in free_variables(stmts, wanted.dims, []):
        if var not in own and used_in(stmts, var):
            ins.append(Parameter(KINDS[var.dtype], names.of(var), around.host.variable(var)))
    text = DeviceText(names, lambda buffer, index: places.get((id(buffer), index)))
    kind = TYPES[wanted.value.dtype]
    mapped = bare(text.expression(wanted.value))
    own_map: list[str] = []
    if wanted.lets:
        lines = [*text.block(list(wanted.lets)), f"return {mapped};"]
        head = ", ".join(f"{TYPES[code_of_kind(one.kind)]} {one.name}" for one in ins)
        own_map = [
            f"static __device__ inline {kind} {name}_map({head}) {{",
            *("    " + t for t in lines),
            "}",
        ]
        mapped = f"{name}_map({', '.join(one.name for one in ins)})"
    expr, identity = REDUCED[wanted.op]
    two = Op(wanted.op, (Lit(0.0, wanted.value.dtype),) * 2, wanted.value.dtype)
    if wanted.op in ("maximum", "minimum"):
        text.function(two)
        text.expression(Lit(float("inf"), "f8"))
    out = names.free(
        around.host.variable(wanted.out)
        if isinstance(wanted.out, Var)
        else around.names.of(wanted.out)
    )
    preamble = "\n".join(filter(None, [text.preamble(), *own_map]))
    definition = [
        f"{name} = cp.ReductionKernel(",
        f"    {quoted(', '.join(map(str, ins)))},",
        f"    {quoted(f'{KINDS[wanted.value.dtype]} {out}')},",
        f"    {quoted(mapped)},",
        f"    {quoted(expr)},",
        f"    {quoted(f'{out} = a')},",
        f"    {quoted(identity)},",
        f"    {quoted(name)},",
        *preamble_text(preamble),
        ")",
    ]
    given = [one.given for one in ins]
    if isinstance(wanted.out, Var):
        return Launch(
            definition, f"{around.host.variable(wanted.out)} = {name}({', '.join(given)})"
        )
    look = view(
        around.sizes(wanted.out),
        wanted.index,
        wanted.kept,
        around.known,
        around.host,
        around.names.of(wanted.out),
    )
    if look is None:
        raise NotOfViews
    axes = [k for k, dim in enumerate(wanted.dims) if dim not in wanted.kept]
    whole = look == around.names.of(wanted.out) and len(wanted.index) == len(wanted.kept)
    axis = f"axis=({', '.join(map(str, axes))},)"
    return Launch(definition, f"{name}({', '.join([*given, look, axis])})", {wanted.out: whole})


def used_in(stmts: list[Stmt], var: Var) -> bool:
    """True if a variable is read for its value, not only where something stands."""
    return any(outside_index(top, var) for s in walk(stmts) for top in exprs_of(s))


def outside_index(e: Any, var: Var) -> bool:
    if isinstance(e, Get):
        return False
    if e == var:
        return True
    if isinstance(e, Op):
        return any(outside_index(a, var) for a in e.args)
    return any(outside_index(atom, var) for atom, _ in e.terms) if hasattr(e, "terms") else False


def uses_index(stmts: list[Stmt], own: set[Var]) -> bool:
    return any(used_in(stmts, var) for var in own)


def code_of_kind(kind: str) -> str:
    return next(code for code, name in KINDS.items() if name == kind)
