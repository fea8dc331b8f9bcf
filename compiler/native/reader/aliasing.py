"""Which memory may be written to: a copy of an argument, but nothing that somebody else holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..loop_ir.ir import Buffer, Var, affine, loads
from ..loop_ir.values import Scalar, View
from ..refusal import Unsupported, WrittenArgument
from .reader import Reader

__all__ = ["apart", "check_written", "copied_later", "hold_in", "keep", "let_go", "unwritten"]


def check_written(r: Reader, place: Any) -> None:
    """Refuse a write that somebody else would see."""
    if not isinstance(place, View) or place.buffer is None or place.place is None:
        raise Unsupported("a write to what is no array of the function's own")
    if place.buffer.role == "argument":
        if r.written is None or any(view.buffer is place.buffer for _, view in r.hidden):
            raise Unsupported("a write to an argument")
        raise WrittenArgument(place.buffer.name)
    if place.buffer.kept or any(place.buffer in held for _, held in r.held_in.values()):
        raise Unsupported("a write to an array that is kept")
    if r.device is not None:
        r.device.written(r, place.buffer)
    place.buffer.writes.append(tuple(id(loop) for loop in r.loops))


def apart(r: Reader, value: Any, buffer: Buffer | None, place: View | None) -> Any:
    """A value that is not read from where it is written to, unless element by element."""
    if isinstance(value, Scalar):
        return Scalar(r.named(value.expr), value.weak)
    if place is not None and place.place is not None and len(value.dims) <= len(place.dims):
        index = tuple(affine(Var(f"probe_{k}")) for k in range(len(place.dims)))
        saved, where = r.block, place.place(index)
        with r.into([]) as trial:
            read = r.spread(value, place.dims)(index)
        r.block = saved
        same = all(g.buffer is not buffer or g.index == where for g in loads(read))
        if same and not trial:
            return value
    return r.copied(value) if id(buffer) in r.reads(value) else value


def keep(r: Reader, value: View, key: int | None = None) -> None:
    """Somebody holds an array: a later write would be seen there.

    What is put into the list ``key`` is held until that list is copied, if it is.
    """
    if value.buffer is None:
        return
    here = {id(loop) for loop in r.loops}
    home, held = r.held_in.get(key, ((), None))
    for loops in value.buffer.writes:
        if set(loops) & here - set(value.buffer.home) - set(home):
            raise Unsupported("an array is kept in a loop that writes to it")
    if held is not None:
        held.append(value.buffer)
    else:
        value.buffer.kept = True


def hold_in(r: Reader, key: int) -> None:
    """A list is made; what is put in is held until it is copied, if the text copies it."""
    if key in r.copied_later:
        for buffer in r.held_in.get(key, ((), ()))[
            1
        ]:  # of another call, which has not been copied yet
            buffer.kept = True
        r.held_in[key] = tuple(id(loop) for loop in r.loops), []


def let_go(r: Reader, key: int) -> None:
    """A list has been copied."""
    if key in r.held_in:
        r.held_in[key][1].clear()


def copied_later(block: list[ast.stmt]) -> Iterator[int]:
    """The empty lists of a block that are appended to and then copied, and nothing else.

    ::

        tape = []
        for k in range(n):
            tape.append(x[k])
        tape = rt.copy(tape)
    """
    for k, stmt in enumerate(block):
        for inner in ("body", "orelse"):
            yield from copied_later(getattr(stmt, inner, []))
        if not (
            isinstance(stmt, ast.Assign)
            and isinstance(stmt.targets[0], ast.Name)
            and isinstance(stmt.value, ast.List)
            and not stmt.value.elts
        ):
            continue
        name = stmt.targets[0].id
        for later in block[k + 1 :]:
            if is_copy(later, name):
                yield id(stmt.value)
            if not only_appends(later, name) or ends_early(later):
                break


def is_copy(stmt: ast.stmt, name: str) -> bool:
    return ast.unparse(stmt) == f"{name} = rt.copy({name})"


def ends_early(stmt: ast.stmt) -> bool:
    """True if what follows a statement may not run."""
    loop = isinstance(stmt, (ast.For, ast.While))
    ways = (ast.Return,) if loop else (ast.Return, ast.Break, ast.Continue)
    return any(isinstance(n, ways) for n in ast.walk(stmt))


def only_appends(stmt: ast.stmt, name: str) -> bool:
    nodes = list(ast.walk(stmt))
    named = sum(isinstance(n, ast.Name) and n.id == name for n in nodes)
    appends = sum(
        isinstance(n, ast.Attribute)
        and n.attr == "append"
        and isinstance(n.value, ast.Name)
        and n.value.id == name
        for n in nodes
    )
    return named == appends


def unwritten(view: View) -> View:
    """An array in an arena, which nobody may write to."""
    assert view.buffer is not None
    view.buffer.kept = True
    return view
