"""Statements to structured SSA: names become values, exits become branches.

``return``, ``break`` and ``continue`` bind hidden names (``$result``, ``$stop``, ``$left``);
the statements after an ``if`` that may exit move into the branch that does not.
"""

from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import MutationError, UnsupportedSyntax

from ..frontend import exit_queries
from ..frontend.desugar import spoken
from ..frontend.source import as_definition
from ..ir.containers import Pack, leaves
from ..ir.operations import Const, Function, If, Value
from ..ir.types import Array, Number, Stack, Tree
from ..simplify import scipy
from .assignments import Targets, has_star
from .calls.arguments_and_results import Frames
from .calls.callee_facts import is_fixed
from .calls.closures import bound_in
from .control_flow.comprehensions import Comprehensions
from .control_flow.join import Merge
from .control_flow.loops import Loops
from .control_flow.match_statement import Patterns
from .control_flow.try_with import Guards
from .control_flow.unroll import Unrolled
from .expressions import BINARY, Expressions
from .iteration.itertools_calls import Iterators
from .iteration.mutation_during_iteration import is_iterator
from .library.random_draws import Drawing
from .memory.array_versions import is_rank_0
from .memory.container_identity import Listed

__all__ = ["Lowerer"]

Node = Any


class Lowerer(
    Frames,
    Loops,
    Comprehensions,
    Guards,
    Patterns,
    Iterators,
    Drawing,
    Targets,
    Unrolled,
    Expressions,
):
    """Lowers the body of one function; expressions are in the base class."""

    def function(
        self, name: str, params: dict[str, Node], doc: str = "", root: bool = False
    ) -> Function:
        """The whole function, its parameters bound to ``params`` (values or packs of them)."""
        body = self.enter()
        body.params = [v for node in params.values() for v in leaves(node) if isinstance(v, Value)]
        self.rank0.update(v for v in body.params if is_rank_0(v))
        self.is_root = root
        self.admit(params)
        self.env |= self.siblings()
        self.statements(exit_queries.completed(self.tree.body))
        values, tree = self.results(root)
        body.yields = [self.current(self.checked(v, self.tree)) for v in values]
        made = Function(name, body, tree, self.source, doc=doc, captures=self.captures)
        made.facts.update(self.summary(body.params, values))
        made.facts["updates"], made.facts["doubtful"] = self.updates, self.doubtful
        self.leave()
        self.flush()
        self.drop_sleeping(made)
        return made

    def enter_code(self, code: Any) -> None:
        """Lower an inner function, on its own, instead of the function around it."""
        self.code, self.tree = code, code.node
        self.local_names = set(bound_in(code.node))
        if not isinstance(code.node.body, list):
            self.tree = as_definition(code.node)

    def siblings(self) -> dict[str, Node]:
        """The inner functions that an inner function on its own may call, itself among them."""
        if self.code is None:
            return {}
        names = [n for n in self.env if not n.startswith("$") and n not in bound_in(self.code.node)]
        held = Pack(self.code, names, [self.seen(self.env[n]) for n in names])
        return self.sibling_closures(self.code, held)

    # -- statements ------------------------------------------------------------------

    def statements(self, body: list[Any]) -> None:
        for at, statement in enumerate(body):
            if self.dead:
                return
            self.statement_node = statement
            rest = body[at + 1 :]
            self.following = self.next_reader(rest)
            if isinstance(statement, gast.If) and exit_queries.may(statement):
                self.branch_that_exits(statement, rest)
                return
            getattr(self, f"do_{type(statement).__name__}", self.refuse)(statement)
            if isinstance(statement, exit_queries.GUARDED) and exit_queries.may(statement):
                self.unless_left(statement, rest)
                return
            if isinstance(statement, (gast.For, gast.While)) and exit_queries.may(statement):
                self.after_loop_that_returns(statement, rest)
                return

    def refuse(self, node: Any) -> None:
        name, fix = REFUSED.get(type(node).__name__, (type(node).__name__, ""))
        raise UnsupportedSyntax(f"{name} is not supported", place=self.place(node), fix=fix)

    def do_Pass(self, node: Any) -> None: ...

    def do_Expr(self, node: Any) -> None:
        if not isinstance(node.value, gast.Constant):
            self.expression(node.value)

    def do_Import(self, node: Any) -> None:
        for alias in node.names:
            found = self.imported(alias.name, node, ["_"] if alias.asname else [])
            self.env[alias.asname or alias.name.split(".")[0]] = Const(found, alias.name)

    def do_ImportFrom(self, node: Any) -> None:
        names = [a.name for a in node.names]
        module = self.imported(node.module or "", node, names, node.level)
        for alias in node.names:
            if not hasattr(module, alias.name):
                raise UnsupportedSyntax(
                    f"cannot import name `{alias.name}` from `{module.__name__}`",
                    place=self.place(node),
                )
            found = getattr(module, alias.name)
            if not is_fixed(module):
                self.note_attribute(module, alias.name, found, node)
            self.env[alias.asname or alias.name] = Const(found, alias.name)

    def imported(self, name: str, node: Any, names: list[str], level: int = 0) -> Any:
        """A module, as the function imports it; a relative name is relative to its own."""
        try:
            module = __import__(name, self.python.__globals__, None, names, level)
        except ImportError as error:
            raise UnsupportedSyntax(str(error), place=self.place(node)) from None
        scipy.enter()  # it may be the first to import a library
        return module

    def do_FunctionDef(self, node: Any) -> None:
        if node.decorator_list:
            self.refuse(node)
        self.env[node.name] = self.local_function(node)

    def do_Assign(self, node: Any) -> None:
        following = self.following
        value = self.expression(node.value)
        if is_iterator(value) and len(node.targets) == 1:
            return self.assign_iterator(node.targets[0], value, following)
        value = self.anchored(value)
        for target in node.targets:
            self.assign(target, value)

    def assign_iterator(self, target: Any, value: Node, following: Any) -> None:
        """``rows = zip(a, b)`` for the next statement, or ``p, q = zip(*rows)``."""
        if isinstance(target, gast.Name) and self.in_passing(target.id, following):
            self.env[target.id] = value
        elif isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, Pack):
            self.assign(target, self.anchored(Pack(list, list(value.keys), list(value.items))))
        else:
            self.assign(target, value)

    def do_AnnAssign(self, node: Any) -> None:
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def do_AugAssign(self, node: Any) -> None:
        if isinstance(node.target, gast.Subscript):
            return self.augment_item(node)
        if not isinstance(node.target, gast.Name):
            return self.augment_attribute(node)
        if node.target.id in self.outside:
            self.refuse_outside(node.target)
        old = self.load(node.target.id, node)
        value = self.expression(node.value)
        if not isinstance(old, Pack) or old.cell is None:
            self.note_bound(node.target.id)
        self.env[node.target.id] = self.stored(self.augmented(node, old, value))
        self.name_value(self.env[node.target.id], node.target.id)

    def assign_item(self, target: Any, value: Node) -> None:
        """``x[i] = value``: a container's item, or a part of an array."""
        base, steps = self.item_target(target)
        if not steps and is_container(base):
            return self.write_item(base, target, value)
        x = self.written(base, target)
        index = self.operand(self.index(target.slice))
        outer, self.node = self.node, target
        self.write(x, (*steps, (Const(operator.getitem), index)), self.value(value), target)
        self.node = outer

    def item_target(self, target: Any) -> tuple[Node, Any]:
        """What ``x[i] = v`` writes to, and the views in between (of ``x.flat``)."""
        if isinstance(target.value, gast.Attribute) and target.value.attr == "flat":
            base = self.expression(target.value.value)
            return base, self.flat(self.written(base, target), "flat")
        return self.expression(target.value), ()

    def assign_attribute(self, target: Any, value: Node) -> None:
        """``x.real = v`` of an array, ``p.a = v`` of an object."""
        base = self.expression(target.value)
        kind = getattr(base, "type", None)
        if not (isinstance(base, Value) and isinstance(kind, Array) and kind.kind == "c"):
            self.write_attribute(base, target, value)
            return
        if target.attr not in ("real", "imag"):
            self.refuse_write(target)
        outer, self.node = self.node, target
        step = ((Const(getattr(np.ndarray, target.attr)),),)
        self.write(base, step, self.value(value), target)
        self.node = outer

    def augment_item(self, node: Any) -> None:
        """``x[i] += value``, the subscript evaluated once."""
        target, fn = node.target, BINARY[type(node.op)]
        base, steps = self.item_target(target)
        if not steps and is_container(base):
            index = self.index(target.slice)
            return self.augment_entry(node, self.present(base), index)
        x = self.written(base, target)
        index = self.operand(self.index(target.slice))
        step = (Const(operator.getitem), index)
        before, calls = self.latest(x), any(isinstance(e, gast.Call) for e in gast.walk(node.value))
        old = self.apply(operator.getitem, (x, index), {}) if calls and not steps else None
        value = self.expression(node.value)
        outer, self.node = self.node, node
        if old is not None and self.latest(x) is not before:  # a call has written to it since
            new = self.apply(fn, (self.operand(old), self.value(value)), {})
            self.write(x, (*steps, step), new, node)
        else:
            self.augment_index(x, index, fn, self.value(value), node, steps)
        self.node = outer

    def augment_entry(self, node: Any, base: Node, index: Node) -> None:
        """``d[k] += e``; an array in a container is changed itself."""
        if isinstance(base, Value):
            return self.write_item(base, node.target, Const(None), index)
        old = self.item(base, index, node.target)
        value = self.expression(node.value)
        new, base = (
            self.augmented(node, old, value),
            self.seen(base),
        )  # a call may have bound it anew
        if new is not old or self.item(base, index, node.target) is not old or base.kind is tuple:
            self.write_item(base, node.target, new, index)

    def augment_attribute(self, node: Any) -> None:
        """``x.a += e``: the object is computed once."""
        base, target = self.expression(node.target.value), node.target
        if isinstance(base, Const):
            self.refuse_or_reopen(base, target.attr, target)
        if not is_container(base):
            self.refuse_write(target)
        old = self.attribute(base, target.attr, target)
        value = self.expression(node.value)
        new, base = self.augmented(node, old, value), self.seen(base)
        if new is not old or self.attribute(base, target.attr, target) is not old:
            self.write_attribute(base, target, new)

    def written(self, base: Node, target: Any) -> Value:
        """The array that is written to."""
        if isinstance(base, Const):
            name = f"`{base.text}`" if base.text else "a constant"
            raise MutationError(
                f"{name} is written to, and is not made in this function", place=self.place(target),
                fix="pass it as an argument, or write to a copy",
            )  # fmt: skip
        if not isinstance(base, Value) or isinstance(base.type, (Tree, Stack, Number)):
            self.refuse_write(target)
        return base  # type: ignore[no-any-return]

    def do_Return(self, node: Any) -> None:
        value = Const(None) if node.value is None else self.expression(node.value)
        self.check_kept(value, node)
        self.env["$result"] = self.stored(value)
        if self.loop_depth:
            self.env["$returned"] = self.env["$stop"] = Const(True)
        self.exit()

    def do_Break(self, node: Any) -> None:
        self.env["$stop"] = Const(True)
        self.exit()

    def do_Continue(self, node: Any) -> None:
        self.exit()

    def exit(self) -> None:
        self.env["$left"] = Const(True)
        self.dead = True

    def do_Raise(self, node: Any) -> None:
        raised = [self.operand(self.expression(e)) for e in (node.exc, node.cause) if e is not None]
        self.emit_effect("raise", tuple(raised), node)
        self.dead = self.raised = True

    def do_Assert(self, node: Any) -> None:
        parts = [self.operand(self.truth_of(self.expression(node.test), node))]
        parts += [] if node.msg is None else [self.operand(self.expression(node.msg))]
        self.emit_effect("assert", tuple(parts), node)

    # -- assignment ------------------------------------------------------------------

    def assign(self, target: Any, value: Node) -> None:
        match target:
            case gast.Name() if target.id in self.outside:
                self.refuse_outside(target)
            case gast.Name():
                self.note_bound(target.id)
                self.env[target.id] = self.stored(value)
                self.name_value(value, target.id)
            case gast.Tuple() | gast.List():
                value = self.present(value)  # a target before this one may have changed it
                parts = (
                    self.unpack(value, len(target.elts), target)
                    if not has_star(target)
                    else self.spread_out(target, value)
                )
                for element, part in zip(target.elts, parts, strict=True):
                    self.assign(element, part)
            case gast.Subscript():
                self.assign_item(target, value)
            case gast.Attribute():
                self.assign_attribute(target, value)
            case gast.Starred():
                self.assign(target.value, value)
            case _:
                self.refuse_write(target)

    def name_value(self, node: Node, name: str) -> None:
        """Give a value the user's name, if it has none yet."""
        if isinstance(node, Pack) and node.kind is Listed:
            node = node.items[0]
        if isinstance(node, Value) and node.hint is None:
            node.hint = spoken(name)

    # -- branches --------------------------------------------------------------------

    def do_If(self, node: Any) -> None:
        self.branch(node, node.body, node.orelse)

    def branch_that_exits(self, node: Any, rest: list[Any]) -> None:
        """``if c: return a`` and what follows: the rest moves into the branch that goes on."""
        if exit_queries.always(node.body):
            self.branch(node, node.body, node.orelse + rest)
        elif exit_queries.always(node.orelse):
            self.branch(node, node.body + rest, node.orelse)
        else:
            self.branch(node, node.body, node.orelse)
            self.unless_left(node, rest)

    def unless_left(self, node: Any, rest: list[Any]) -> None:
        """The statements after something that may have left this iteration or function."""
        left = self.env.get("$left", Const(False))
        if isinstance(left, Const):
            self.dead = self.dead or bool(left.value)
            self.statements(rest)
        elif rest:
            self.dead = False
            self.env["$left"] = Const(False)
            self.choose(left, lambda: self.leave_again(), lambda: self.statements(rest), node)

    def leave_again(self) -> None:
        self.rejoined()
        self.env["$left"] = Const(True)
        self.dead = True

    def branch(self, node: Any, body: list[Any], orelse: list[Any]) -> None:
        test = self.truth_of(self.expression(node.test), node)
        if isinstance(test, Const) and not is_named(test):
            return self.statements(body if test.value else orelse)
        self.choose(test, lambda: self.statements(body), lambda: self.statements(orelse), node)

    def choose(self, test: Node, then: Any, orelse: Any, node: Any) -> None:
        """Lower two branches and merge the names they leave different."""
        before, loc, cond = dict(self.env), self.location(node), self.operand(test)
        sides = []
        for side in (then, orelse):
            self.env = dict(before)
            block = self.enter()
            side()
            self.leave()
            sides.append((block, self.env, self.dead, self.raised))
            self.dead = self.raised = False
        (
            (then_block, then_env, then_dead, then_raised),
            (else_block, else_env, else_dead, else_raised),
        ) = sides
        op = If([], loc, cond, then_block, else_block)
        if then_raised or else_raised:
            return self.branch_that_raises(op, then_env, else_env, then_raised, else_raised)
        self.block.ops.append(op)
        self.env = merged = self.merge(op, then_env, else_env)
        self.dead = then_dead and else_dead
        if then_dead != else_dead:  # what follows runs after one side only
            env, gone = (else_env, then_env) if then_dead else (then_env, else_env)
            found = self.survivors(op, before, env, then=else_dead)
            self.env = merged | self.on_one_way(found, merged, gone)
        self.one_way_still(then_env, self.env)
        self.one_way_still(else_env, self.env)

    def branch_that_raises(self, op: If, then_env: Any, else_env: Any, t: bool, e: bool) -> None:
        """A branch that raises has no successor: what the other one does stands after the ``if``."""
        other = else_env if t else then_env
        going_on = op.orelse if t else op.then
        self.block.ops.append(op)
        self.block.ops += going_on.ops
        going_on.ops = []
        self.env = dict(other)
        self.dead = self.raised = t and e
        left = self.env.get("$left")
        self.dead = self.dead or (isinstance(left, Const) and bool(left.value))

    def merge(
        self, op: If, then_env: dict[str, Node], else_env: dict[str, Node]
    ) -> dict[str, Node]:
        return Merge(self, op, then_env, else_env).run()

    def after_loop_that_returns(self, node: Any, rest: list[Any]) -> None:
        """What follows a loop with ``return`` in it runs unless the loop returned."""
        returned = self.env.get("$returned", Const(False))
        if isinstance(returned, Const) and not returned.value:
            return self.statements(rest)
        if self.loop_depth == 0:
            self.env["$returned"] = Const(False)
        self.choose(returned, self.leave_function, lambda: self.statements(rest), node)

    def leave_function(self) -> None:
        if self.loop_depth:
            self.env["$stop"] = self.env["$returned"] = Const(True)
        self.exit()


def is_container(node: Node) -> bool:
    """Whether a subscript of this is an item of a list, a dict or an object of the user's."""
    return isinstance(node, Pack) or (isinstance(node, Value) and isinstance(node.type, Tree))


def is_named(test: Node) -> bool:
    """A constant known by a name may change between calls: its branch stays a branch."""
    return isinstance(test, Const) and test.text is not None


REFUSED = {
    "Delete": ("`del` of an attribute", "make a new container without it"),
    "ClassDef": ("a class in a function", "define it at module level"),
    "AsyncFor": ("`async for`", "write a plain loop"),
    "AsyncWith": ("`async with`", "write a plain block"),
    "AsyncFunctionDef": ("`async def`", "write a plain function"),
    "FunctionDef": ("a decorated inner function", "define it at module level"),
}
