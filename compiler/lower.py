"""Statements to structured SSA: names become values, exits become branches.

``return``, ``break`` and ``continue`` bind hidden names (``$result``, ``$stop``, ``$left``);
the statements after an ``if`` that may exit move into the branch that does not.
"""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedSyntax

from . import exits
from .carrying import Attempt, Plan
from .cells import Listed, Ref, Unsettled, cell_name
from .closures import bound_in
from .frames import Frames
from .infer import type_of
from .ir import UNDEFINED, Block, Const, Function, If, Loop, Value
from .iterables import Iteration
from .lower_expressions import Expressions
from .merging import Merge
from .source import as_definition
from .structure import Pack, leaves, rebuild
from .types import Tree

__all__ = ["Lowerer"]

Node = Any


class Lowerer(Frames, Expressions):
    """Lowers the body of one function; expressions are in the base class."""

    def function(
        self, name: str, params: dict[str, Node], doc: str = "", root: bool = False
    ) -> Function:
        """The whole function, its parameters bound to ``params`` (values or packs of them)."""
        body = self.enter()
        self.admit(params)
        self.env |= self.siblings()
        self.statements(exits.completed(self.tree.body))
        values, tree = self.results(root)
        body.params = [v for node in params.values() for v in leaves(node) if isinstance(v, Value)]
        body.yields = [self.checked(v, self.tree) for v in values]
        self.leave()
        made = Function(name, body, tree, self.source, doc=doc, captures=self.captures)
        if not root:
            made.facts["updates"], made.facts["doubtful"] = self.updates, self.doubtful
        return made

    def within(self, code: Any) -> None:
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
            if isinstance(statement, gast.If) and exits.may(statement):
                self.branch_that_exits(statement, rest)
                return
            getattr(self, f"do_{type(statement).__name__}", self.refuse)(statement)
            if isinstance(statement, (gast.For, gast.While)) and exits.may(statement):
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
            module = __import__(alias.name)
            bound = __import__(alias.name, fromlist=["_"]) if alias.asname else module
            self.env[alias.asname or alias.name.split(".")[0]] = Const(bound, alias.name)

    def do_ImportFrom(self, node: Any) -> None:
        module = __import__(node.module, fromlist=[a.name for a in node.names], level=node.level)
        for alias in node.names:
            self.env[alias.asname or alias.name] = Const(getattr(module, alias.name), alias.name)

    def do_FunctionDef(self, node: Any) -> None:
        if node.decorator_list:
            self.refuse(node)
        self.env[node.name] = self.local_function(node)

    def do_Assign(self, node: Any) -> None:
        value = self.anchored(self.expression(node.value))
        for target in node.targets:
            self.assign(target, value)

    def do_AnnAssign(self, node: Any) -> None:
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def do_AugAssign(self, node: Any) -> None:
        if not isinstance(node.target, gast.Name):
            return self.augmented_place(node)
        old = self.load(node.target.id, node)
        value = self.expression(node.value)
        self.env[node.target.id] = self.stored(self.augmented(node, old, value))
        self.name_value(self.env[node.target.id], node.target.id)

    def augmented_place(self, node: Any) -> None:
        """``d[k] += e`` and ``x.a += e``: the place is computed once."""
        target = node.target
        base = self.expression(target.value)
        if isinstance(target, gast.Attribute):
            old = self.attribute(base, target.attr, target)
            value = self.expression(node.value)
            return self.write_attribute(base, target, self.augmented(node, old, value))
        if not is_container(base):
            self.refuse_write(target)
        index = self.index(target.slice)
        if isinstance(base, Value):
            return self.write_item(base, target, Const(None), index)
        old = self.item(base, index, target)
        value = self.expression(node.value)
        self.write_item(base, target, self.augmented(node, old, value), index)

    def do_Return(self, node: Any) -> None:
        value = Const(None) if node.value is None else self.expression(node.value)
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
        parts = [self.operand(self.expression(e)) for e in (node.test, node.msg) if e is not None]
        self.emit_effect("assert", tuple(parts), node)

    # -- assignment ------------------------------------------------------------------

    def assign(self, target: Any, value: Node) -> None:
        match target:
            case gast.Name():
                self.env[target.id] = self.stored(value)
                self.name_value(value, target.id)
            case gast.Tuple() | gast.List():
                parts = self.unpack(value, len(target.elts), target)
                for element, part in zip(target.elts, parts, strict=True):
                    self.assign(element, part)
            case gast.Subscript() if is_container(base := self.expression(target.value)):
                self.write_item(base, target, value)
            case gast.Attribute():
                self.write_attribute(self.expression(target.value), target, value)
            case gast.Starred():
                self.refuse(target)
            case _:
                self.refuse_write(target)

    def name_value(self, node: Node, name: str) -> None:
        """Give a value the user's name, if it has none yet."""
        if isinstance(node, Pack) and node.kind is Listed:
            node = node.items[0]
        if isinstance(node, Value) and node.hint is None:
            node.hint = name

    # -- branches --------------------------------------------------------------------

    def do_If(self, node: Any) -> None:
        self.branch(node, node.body, node.orelse)

    def branch_that_exits(self, node: Any, rest: list[Any]) -> None:
        """``if c: return a`` and what follows: the rest moves into the branch that goes on."""
        if exits.always(node.body):
            self.branch(node, node.body, node.orelse + rest)
        elif exits.always(node.orelse):
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
        self.env["$left"] = Const(True)
        self.dead = True

    def branch(self, node: Any, body: list[Any], orelse: list[Any]) -> None:
        test = self.expression(node.test)
        if isinstance(test, (Const, Pack)) and not is_named(test):
            truth = bool(test.value) if isinstance(test, Const) else bool(test.items)
            return self.statements(body if truth else orelse)
        self.choose(test, lambda: self.statements(body), lambda: self.statements(orelse), node)

    def choose(self, test: Node, then: Any, orelse: Any, node: Any) -> None:
        """Lower two branches and merge the names they leave different."""
        before, loc = dict(self.env), self.location(node)
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
        op = If([], loc, self.operand(test), then_block, else_block)
        if then_raised or else_raised:
            return self.branch_that_raises(op, then_env, else_env, then_raised, else_raised)
        self.block.ops.append(op)
        self.env = self.merge(op, then_env, else_env)
        self.dead = then_dead and else_dead

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

    # -- loops -----------------------------------------------------------------------

    def do_For(self, node: Any) -> None:
        iterable = self.iterable(node.iter)
        if isinstance(iterable, Pack):
            return self.unroll(node, iterable)
        assert isinstance(iterable, Iteration)
        if iterable.bounds is None:
            iterable.measure(self)
        self.loop(node, iterable)

    def do_While(self, node: Any) -> None:
        self.loop(node, None)

    def unroll(self, node: Any, pack: Pack) -> None:
        """A loop over a container of known length: its iterations one after another."""
        if exits.may(node) or exits.loop_exits(node.body):
            raise UnsupportedSyntax(
                "leaving a loop over a literal container is not supported",
                place=self.place(node), fix="loop over an index, or over an array",
            )  # fmt: skip
        for item in list(pack.keys if pack.kind is dict else pack.items):
            self.assign(node.target, Const(item) if pack.kind is dict else item)
            self.statements(node.body)
        self.statements(node.orelse)

    def loop(self, node: Any, iterable: Iteration | None) -> None:
        outer = self.env
        carried = self.carried_names(node, outer)
        types = {
            n: [type_of(v) for v in leaves(outer[n]) if not isinstance(v, Ref)] for n in carried
        }
        plan = Plan(carried, types)
        patience = 4
        while True:
            self.env = dict(outer)
            back = self.checkpoint()
            try:
                attempt = self.attempt(node, iterable, plan)
            except Unsettled as found:
                back()
                self.env = outer
                plan.revise(found)
                continue
            patience -= 1
            if (attempt.types == plan.types and not attempt.reshaped) or not patience:
                break
            outer.update(attempt.reshaped)
            plan.types |= attempt.types
        self.finish_loop(node, attempt)

    def checkpoint(self) -> Any:
        """A function that undoes what an attempt left half done."""
        names = ("dead", "raised", "loop_depth", "inline_depth", "frame", "tree", "local_names", "node",
                 "python", "source", "statement_node")  # fmt: skip
        kept = {name: getattr(self, name) for name in names}
        blocks, ops = list(self.blocks), len(self.block.ops)

        def back() -> None:
            self.__dict__.update(kept)
            self.blocks[:] = blocks
            del self.block.ops[ops:]

        return back

    def carried_names(self, node: Any, outer: dict[str, Node]) -> list[str]:
        """The names a loop changes, hidden ones last; an unbound one only if it is read later."""
        assigned = exits.assigned(node)
        read = exits.read_outside(self.tree, node) | exits.read_in_head(node)
        for name in assigned:
            if name not in outer and name in read:
                outer[name] = UNDEFINED
        names = [n for n in assigned if n in outer and self.is_data(outer[n])]
        for name, default in exits.hidden_names(node, self.loop_depth):
            outer.setdefault(name, default)
            if name != "$stop":
                names.append(name)
        return names

    def is_data(self, node: Node) -> bool:
        found = list(leaves(node))
        if any(isinstance(v, Ref) for v in found):
            found = list(leaves(self.seen(node)))
        return all(isinstance(v, (Value, Const)) for v in found)

    def whole_of(self, node: Node, env: dict[str, Node]) -> Node:
        """A node with the content of its containers in some environment."""
        outer, self.env = self.env, env
        try:
            return self.seen(node)
        finally:
            self.env = outer

    def list_outer(self, plan: Plan, name: str, cell: int) -> None:
        """Make a list one value of run-time length, before the loop."""
        held = cell_name(cell)
        value = self.listed(self.seen(Ref(cell)))
        value.items[0].hint = self.cell_hint(held)
        self.env[held] = value
        for carried in plan.carried:
            if carried in (name, held):
                node = self.seen(self.env[carried]) if carried in plan.deep else self.env[carried]
                plan.types[carried] = [type_of(v) for v in leaves(node) if not isinstance(v, Ref)]

    def attempt(self, node: Any, iterable: Iteration | None, plan: Plan) -> Attempt:
        """Lower the body once, the carried values having the types of the plan."""
        loop = Loop([], self.location(node), [], Block())
        if iterable is not None:
            loop.bounds, loop.header = iterable.bounds, iterable
        index = [Value(iterable.hint, iterable.index_type)] if iterable is not None else []
        attempt = Attempt(self, loop, plan, node)
        attempt.enter()
        if iterable is None:
            loop.cond = self.lower_condition(node, attempt.params)
        loop.body = self.enter()
        self.loop_depth += 1
        self.env["$stop"] = self.env["$left"] = Const(False)
        if iterable is not None:
            self.assign(node.target, iterable.element(self, index[0]))
        self.statements(node.body)
        self.dead = self.raised = False
        self.loop_depth -= 1
        self.leave()
        loop.body.params = index + attempt.params
        attempt.close()
        return attempt

    def lower_condition(self, node: Any, params: list[Value]) -> Block:
        """The test of a ``while``, as a region over its own copies of the carried values."""
        saved = dict(self.env)
        copies = {p: Value(p.hint, p.type) for p in params}
        self.env = {
            name: rebuild(held, lambda v: copies.get(v, v) if isinstance(v, Value) else v)
            for name, held in self.env.items()
        }
        block = self.enter()
        block.yields = [self.operand(self.expression(node.test))]
        self.leave()
        block.params = list(copies.values())
        self.env = saved
        return block

    def finish_loop(self, node: Any, attempt: Attempt) -> None:
        self.block.ops.append(attempt.loop)
        attempt.leave()
        if node.orelse:
            self.loop_else(node, attempt)

    def loop_else(self, node: Any, attempt: Attempt) -> None:
        if not attempt.loop.stops:
            return self.statements(node.orelse)
        raise UnsupportedSyntax(
            "`else` on a loop that has `break` is not supported",
            place=self.place(node), fix="set a flag before `break` and test it after the loop",
        )  # fmt: skip

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
    "Global": ("`global`", "pass the value as an argument and return it"),
    "Nonlocal": ("`nonlocal`", "pass the value as an argument and return it"),
    "Try": ("`try`", "move it out of the differentiated function"),
    "With": ("`with`", "move it out of the differentiated function"),
    "Match": ("`match`", "write it as if/elif/else"),
    "Delete": ("`del`", "leave it out: values no longer used are dropped by themselves"),
    "ClassDef": ("a class in a function", "define it at module level"),
    "AsyncFor": ("`async for`", "write a plain loop"),
    "AsyncWith": ("`async with`", "write a plain block"),
    "AsyncFunctionDef": ("`async def`", "write a plain function"),
    "FunctionDef": ("a decorated inner function", "define it at module level"),
    "Starred": ("a starred target", "unpack with an explicit index or slice"),
}
