"""The parts of the lowerer: the laws they keep, and some of them alone."""

from __future__ import annotations

import ast
import operator
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.frontend.source import source_of
from retrograd.compiler.ir.containers import Pack
from retrograd.compiler.ir.operations import UNDEFINED, Apply, Const, Value
from retrograd.compiler.ir.types import Array
from retrograd.compiler.lowering.calls.captured_names import Lending
from retrograd.compiler.lowering.control_flow.early_exit_join import Ways
from retrograd.compiler.lowering.lowerer import Lowerer
from retrograd.compiler.lowering.memory.array_versions import Versions
from retrograd.compiler.lowering.memory.container_identity import Cells
from retrograd.compiler.lowering.memory.handed_arrays import HandedArrays
from retrograd.compiler.lowering.memory.parted_arrays import Parted
from retrograd.compiler.lowering.nodes import Code, Ref
from retrograd.compiler.lowering.program import Program
from retrograd.compiler.lowering.scope import Scope
from retrograd.runtime.errors import MutationError

FOLDER = Path(__file__).resolve().parents[2] / "compiler" / "lowering"
TREES = {path: ast.parse(path.read_text()) for path in sorted(FOLDER.rglob("*.py"))}


def program(x: Any) -> Any:
    """Where the parts below stand: what it does is never lowered."""
    return x


# -- laws ------------------------------------------------------------------------------


def classes() -> Iterator[tuple[Path, ast.ClassDef]]:
    for path, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                yield path, node


def part_classes() -> dict[str, str]:
    """The parts of a lowerer by name, and the class of each."""
    lowerer = Lowerer(Program(), source_of(program), program)
    return {
        name: type(part).__name__
        for name, part in vars(lowerer).items()
        if getattr(part, "lowerer", None) is lowerer
    }


def test_parts_inherit_nothing() -> None:
    parts = set(part_classes().values())
    found = {node.name: node for _, node in classes() if node.name in parts and not is_offer(node)}
    assert set(found) == parts
    assert [name for name, node in found.items() if node.bases] == []


def is_offer(node: ast.ClassDef) -> bool:
    return [ast.unparse(base) for base in node.bases] == ["Protocol"]


def test_no_class_declares_what_another_adds() -> None:
    """``if TYPE_CHECKING:`` in a class says that some other class will bring an attribute."""
    stubs = [
        (path.name, node.name)
        for path, node in classes()
        for inner in node.body
        if isinstance(inner, ast.If) and "TYPE_CHECKING" in ast.unparse(inner.test)
    ]
    assert stubs == []


CHANGES = {
    "add", "append", "clear", "discard", "extend", "insert", "pop", "remove", "setdefault", "update",
}  # fmt: skip


def written(tree: ast.Module) -> Iterator[ast.Attribute]:
    """The attributes that are set, or whose content is changed."""
    for node in ast.walk(tree):
        found: Any = node
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            found = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found = node.func.value if node.func.attr in CHANGES else None
        elif not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            found = None
        if isinstance(found, ast.Attribute):
            yield found


def test_the_state_that_a_part_writes_is_its_own() -> None:
    """But for the names in the environment, which every part may bind, and the program's, which is theirs."""
    parts = {"scope", "lowerer", *part_classes()}
    foreign = [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path, tree in (TREES | user_rules()).items()
        for node in written(tree)
        if owner(node.value) in parts
        and not (node.attr == "env" and isinstance(node.ctx, ast.Load))
        and path.name != "lowerer.py"
    ]
    assert foreign == []


def owner(node: ast.expr) -> str | None:
    """The name of the part that an attribute is of; None where it is the object's own."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def test_what_a_part_offers_is_used_by_another() -> None:
    """A protocol says what others use of a part, and nothing more."""
    parts = part_classes()
    used = {
        (parts[str(owner(node.value))], node.attr)
        for tree in (TREES | user_rules()).values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and owner(node.value) in parts
    }
    offered = {
        (node.name, member_name(member))
        for path, node in classes()
        if is_offer(node) and path.parent.name == "interface" and node.name in parts.values()
        for member in node.body
        if isinstance(member, (ast.FunctionDef, ast.AnnAssign))
    }
    assert len(offered) > 100
    assert offered - used == set()


def user_rules() -> dict[Path, ast.Module]:
    return {p: ast.parse(p.read_text()) for p in (FOLDER.parent / "user_rules").glob("*.py")}


def member_name(member: ast.FunctionDef | ast.AnnAssign) -> str:
    return member.name if isinstance(member, ast.FunctionDef) else ast.unparse(member.target)


# -- parts alone -----------------------------------------------------------------------


class Recorder:
    """Operations that are only written down."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.versions: Any = None

    def apply(self, fn: Any, args: Any, kwargs: Any) -> Value:
        result = Value(None, Array("float64", (3,), "f"))
        op = Apply([result], None, fn, args, kwargs)
        self.versions.learn_place(op)
        return self.emit(op)

    def emit(self, op: Apply) -> Value:
        self.scope.block.ops.append(op)
        self.versions.born.update(dict.fromkeys(op.results, self.scope.block))
        return op.results[0]


class Unpresumed:
    """Nothing is presumed of the memory of values."""

    def __getattr__(self, name: str) -> Any:
        return lambda *args: False


@pytest.fixture
def hub() -> Any:
    """A lowerer of a scope, and of the parts that a test puts in."""
    scope = Scope(Program(), source_of(program), program)
    scope.enter()
    return types.SimpleNamespace(scope=scope, assumptions=Unpresumed())


@pytest.fixture
def versions(hub: Any) -> Versions:
    hub.operations = Recorder(hub.scope)
    hub.handed, hub.parted = HandedArrays(hub), Parted(hub)
    hub.versions = hub.operations.versions = Versions(hub)
    return hub.versions  # type: ignore[no-any-return]


def new(versions: Any, hint: str) -> Value:
    """An array that the function makes."""
    made: Value = versions.lowerer.operations.apply(np.zeros, (Const(3),), {})
    made.hint = hint
    return made


def test_a_write_is_a_version_that_every_view_sees(versions: Versions) -> None:
    x = new(versions, "x")
    first = slice(Const(0), Const(2), Const(None))
    head = versions.lowerer.operations.apply(operator.getitem, (x, first), {})
    versions.write(x, (), Const(1.0), None)
    now = versions.latest(x)
    assert now is not x
    assert now.hint == "x"
    again = versions.latest(head)
    assert again is not head
    assert versions.place_of(again).cell is versions.place_of(x).cell
    assert versions.scope.block.ops[-1].args[0] is now  # type: ignore[attr-defined]


def test_what_may_be_the_memory_written_to_is_lost(versions: Versions) -> None:
    x, y = new(versions, "x"), new(versions, "y")
    versions.beside(y, [x])
    versions.write(x, (), Const(1.0), None)
    with pytest.raises(MutationError, match="cannot tell whether `y` and `x` share memory"):
        versions.latest(y)


def test_two_names_of_a_container_see_one_write(hub: Any) -> None:
    hub.iterators = types.SimpleNamespace(refuse_iterator=lambda node, at: None)
    hub.items = types.SimpleNamespace(
        settled=lambda node: node, lose_shared=lambda cell: None, moved=lambda cell: None
    )
    cells = Cells(hub)
    xs = cells.stored(Pack(list, [0], [Const(1)]))
    assert isinstance(xs, Ref)
    hub.scope.env |= {"xs": xs, "ys": xs}
    cells.rewrite(cells.seen(xs), [0, 1], [Const(1), Const(2)], None)
    assert [item.value for item in cells.seen(hub.scope.env["ys"]).items] == [1, 2]
    assert cells.alive(hub.scope.env) == {xs.cell}
    assert [change.name for change in cells.noted] == [f"$cell {xs.cell}"]


def test_ways_that_join_forget_what_one_of_them_knew(hub: Any) -> None:
    ways, known = Ways(hub), Const(1)
    hub.scope.enter_loop()
    hub.scope.env["a"] = known
    ways.on_one_way({"a": known}, {"a": Const(2)}, {})
    assert hub.scope.env["a"] is known
    ways.rejoined()
    assert hub.scope.env["a"].value == 2
    ways.on_one_way({"b": known}, {"b": UNDEFINED}, {})
    hub.scope.env["b"] = known
    ways.rejoined()
    assert hub.scope.env["b"] is known  # that it may be unbound is noted elsewhere


def test_a_function_that_was_kept_may_not_see_its_name_bound_anew(hub: Any) -> None:
    lending, node = Lending(hub), source_of(program).tree
    closure = Pack(Code(node, None, program), ["k"], [Const(1)])
    lending.lend(hub.scope.frame, ["k"])
    lending.keep_lent(0, closure)
    lending.check_kept(closure, node)
    lending.note_bound("k")
    with pytest.raises(MutationError, match="`k` is bound anew"):
        lending.check_kept(closure, node)


def test_a_call_in_place_leaves_the_scope_as_it_was(hub: Any) -> None:
    scope = hub.scope
    before = dict(vars(scope))
    scope.end(raised=True)
    back = scope.checkpoint()
    outside = scope.enter_call(scope.tree, {"x": Const(1)}, {"x"})
    assert (scope.dead, scope.loop_depth, scope.inline_depth) == (False, 0, 1)
    assert list(scope.leave_call(outside)) == ["x"]
    assert scope.inline_depth == 0
    assert scope.env is before["env"]
    assert scope.dead
    scope.enter()
    scope.end(False, raised=False)
    back()
    assert scope.dead
    assert scope.raised
    assert scope.block is before["block"]
