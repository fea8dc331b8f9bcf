"""Statements to structured SSA: names become values, exits become branches.

``return``, ``break`` and ``continue`` bind hidden names (``$result``, ``$stop``, ``$left``);
the statements after an ``if`` that may exit move into the branch that does not.
"""

from __future__ import annotations

import operator
import re
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import MutationError, UnsupportedSyntax

from . import exits
from .checkpoints import asked, not_unrolled
from .comprehensions import Comprehensions
from .desugar import spoken
from .guarded import Guards, Torn
from .infer import join, type_of
from .ir import UNDEFINED, Block, Const, Function, If, Loop, Value
from .iterables import Iteration
from .iterators import Iterators
from .lower_expressions import BINARY, Expressions
from .patterns import Patterns
from .sharing import Sharing
from .structure import Pack, flatten, leaves, rebuild, structure_of
from .targets import Targets, has_star
from .types import Array, Number, Stack, Tree
from .unrolled import Unrolled
from .versions import Lost, hidden, is_rank_0

__all__ = ["Lowerer"]

Node = Any
ATTEMPTS = 12  # at types, and at what shares memory, until a loop body agrees with itself


class Lowerer(Comprehensions, Guards, Patterns, Iterators, Targets, Unrolled, Expressions):
    """Lowers the body of one function; expressions are in the base class."""

    def function(self, name: str, params: dict[str, Node], doc: str = "") -> Function:
        """The whole function, its parameters bound to ``params`` (values or packs of them)."""
        self.env = dict(params)
        self.rank0.update(v for node in params.values() for v in leaves(node) if may_be_rank_0(v))
        body = self.enter()
        self.statements(exits.completed(self.tree.body))
        result = self.env.get("$result", Const(None))
        if isinstance(result, Conflict):
            raise self.returns_differ()
        values, tree = flatten(result)
        body.params = [v for node in params.values() for v in leaves(node) if isinstance(v, Value)]
        body.yields = [self.current(self.checked(v, self.tree)) for v in values]
        made = Function(name, body, tree, self.source, doc=doc, captures=self.captures)
        made.facts.update(self.summary(body.params, values))
        self.leave()
        return made

    def returns_differ(self) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"the `return`s of `{self.tree.name}` give different kinds of things",
            place=self.place(exits.last_return(self.tree)),
            fix="return one kind everywhere: a number or an array, or containers of one structure",
        )

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
            if isinstance(statement, exits.GUARDED) and exits.may(statement):
                self.unless_left(statement, rest)
                return
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
        value = self.expression(node.value)
        for target in node.targets:
            self.assign(target, value)

    def do_AnnAssign(self, node: Any) -> None:
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def do_AugAssign(self, node: Any) -> None:
        if isinstance(node.target, gast.Subscript):
            return self.augment_item(node)
        if not isinstance(node.target, gast.Name):
            self.refuse_write(node.target)
        if node.target.id in self.outside:
            self.refuse_outside(node.target)
        old = self.load(node.target.id, node)
        value = self.expression(node.value)
        self.env[node.target.id] = self.augmented(node, old, value)
        self.name_value(self.env[node.target.id], node.target.id)

    def assign_item(self, target: Any, value: Node) -> None:
        """``x[i] = value``: a container's item, or a part of an array."""
        base, steps = self.item_target(target)
        if isinstance(base, Pack):
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
        """``x.real = v`` of an array."""
        base = self.expression(target.value)
        kind = getattr(base, "type", None)
        if not (isinstance(base, Value) and isinstance(kind, Array) and kind.kind == "c"):
            self.refuse_write(target)
        outer, self.node = self.node, target
        step = ((Const(getattr(np.ndarray, target.attr)),),)
        self.write(base, step, self.value(value), target)
        self.node = outer

    def augment_item(self, node: Any) -> None:
        """``x[i] += value``, the subscript evaluated once."""
        target, fn = node.target, BINARY[type(node.op)]
        base, steps = self.item_target(target)
        if isinstance(base, Pack):
            index = self.index(target.slice)
            old = self.item(base, index, target)
            value = self.expression(node.value)
            if isinstance(old, Pack) or isinstance(value, Pack):
                self.refuse_write(target)
            new = self.augmented(node, old, value)
            return None if new is old else self.write_item(base, target, new)
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
        self.env["$result"] = value
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
            case gast.Name() if target.id in self.outside:
                self.refuse_outside(target)
            case gast.Name():
                self.env[target.id] = value
                self.name_value(value, target.id)
            case gast.Tuple() | gast.List():
                parts = (
                    self.unpack(value, len(target.elts), target)
                    if not has_star(target)
                    else self.spread_out(target, value)
                )
                for element, part in zip(target.elts, parts, strict=True):
                    self.assign(element, part)
            case gast.Subscript():
                self.assign_item(target, value)
            case gast.Attribute() if target.attr in ("real", "imag"):
                self.assign_attribute(target, value)
            case gast.Starred():
                self.assign(target.value, value)
            case _:
                self.refuse_write(target)

    def name_value(self, node: Node, name: str) -> None:
        """Give a value the user's name, if it has none yet."""
        if isinstance(node, Value) and node.hint is None:
            node.hint = spoken(name)

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
        self.env = self.merge(op, then_env, else_env, node)
        self.dead = then_dead and else_dead
        if then_dead != else_dead:  # what follows runs after one side only
            env = else_env if then_dead else then_env
            self.env |= self.survivors(op, before, env, then=else_dead)

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
        self, op: If, then_env: dict[str, Node], else_env: dict[str, Node], node: Any
    ) -> dict[str, Node]:
        merged = self.merge_versions(op, then_env, else_env)
        for name in [*then_env, *(n for n in else_env if n not in then_env)]:
            if hidden(name):
                continue
            default = Const(False) if name in ("$left", "$stop", "$returned") else UNDEFINED
            a, b = then_env.get(name, default), else_env.get(name, default)
            if a is b or same_constant(a, b) or self.same_place(a, b):
                merged[name] = a
            else:
                a, b = self.as_of(op.then, then_env, a), self.as_of(op.orelse, else_env, b)
                merged[name] = self.merge_node(op, name, a, b, node)
        return merged

    def merge_node(self, op: If, name: str, a: Node, b: Node, node: Any) -> Node:
        """One name that the two branches leave different: a result of the ``if`` per value."""
        if isinstance(a, Torn) or isinstance(b, Torn):
            return a if isinstance(a, Torn) else b
        lost = next((v for v in (*leaves(a), *leaves(b)) if isinstance(v, Lost)), None)
        if lost is not None:
            if name == "$result":
                raise self.unclear(lost, Value("the result"))
            return lost
        if any(is_unbound(side) for side in (a, b)) and not (name or "$").startswith("$"):
            return Conflict(name, unbound=True)
        if a is UNDEFINED or b is UNDEFINED:
            known = b if a is UNDEFINED else a
            if not all(isinstance(v, (Value, Const)) for v in leaves(known)):
                return UNDEFINED
            side = 0 if a is UNDEFINED else 1
            blank = rebuild(known, lambda v: UNDEFINED)
            a, b = (blank, known) if side == 0 else (known, blank)
            if known is UNDEFINED:
                return UNDEFINED
        flat_a, tree_a = flatten(a)
        flat_b, tree_b = flatten(b)
        if tree_a != tree_b or not all(isinstance(v, (Value, Const)) for v in flat_a + flat_b):
            return Conflict(name)
        joined = iter([self.join_leaf(op, name, x, y) for x, y in zip(flat_a, flat_b, strict=True)])
        return rebuild(a, lambda _: next(joined))

    def join_leaf(self, op: If, name: str, a: Any, b: Any) -> Any:
        if a is b or same_constant(a, b):
            return a
        result = Value(spoken(name) if name else None, join(type_of(a), type_of(b)), op.loc)
        result.hidden = name == "$result"
        self.join_places(op, result, a, b)
        op.then.yields.append(a)
        op.orelse.yields.append(b)
        op.results.append(result)
        return result

    # -- loops -----------------------------------------------------------------------

    def do_For(self, node: Any) -> None:
        source, snapshots = asked(self, node.iter)
        iterable = self.iterable(source)
        not_unrolled(self, node, snapshots, iterable)
        if isinstance(iterable, Pack):
            return self.unroll(node, iterable)
        assert isinstance(iterable, Iteration)
        if iterable.bounds is None:
            iterable.measure(self)
        self.loop(node, iterable, snapshots)

    def do_While(self, node: Any) -> None:
        self.loop(node, None, asked(self, node.test)[1])

    def loop(self, node: Any, iterable: Iteration | None, snapshots: int = 0) -> None:
        outer = dict(self.env)
        carried = self.carried_names(node, outer)
        inits = {name: self.now(outer[name]) for name in carried}
        types = {name: [type_of(v) for v in leaves(outer[name])] for name in carried}
        shared = Sharing(self.memory)
        for _ in range(ATTEMPTS):
            self.env = dict(outer)
            shared.restore()
            attempt = self.attempt(node, iterable, carried, types, inits, shared)
            written = self.written_memory(outer, carried, inits)
            if not (
                attempt.reshaped
                or attempt.lost
                or written
                or attempt.nearer
                or spelled(attempt.types) != spelled(types)
            ):
                break
            carried = [name for name in carried if name not in attempt.lost]
            outer.update(attempt.lost)
            outer.update(attempt.reshaped)
            inits.update(attempt.reshaped)
            carried += written
            types = attempt.types | {name: [inits[name].type] for name in written}
        attempt.loop.snapshots = snapshots
        self.finish_loop(node, attempt, carried, outer)

    def written_memory(
        self, outer: dict[str, Node], carried: list[str], inits: dict[str, Node]
    ) -> list[str]:
        """The memories that a loop must carry, as its body writes to them; the lost ones are lost."""
        found = []
        for name in self.changed_versions(outer, carried):
            held = self.env[name]
            before = outer.get(name, self.cells[name].first)
            if isinstance(held, Lost) or isinstance(before, Lost):
                outer[name] = held if isinstance(held, Lost) else before
            else:
                outer[name] = inits[name] = before
                found.append(name)
        return found

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
        return all(isinstance(v, (Value, Const)) for v in leaves(node))

    def attempt(
        self, node: Any, iterable: Iteration | None, carried: list[str], types: Any,
        inits: dict[str, Node], shared: Sharing,
    ) -> Attempt:  # fmt: skip
        """Lower the body once, the carried values having ``types``."""
        outer_stop, outer_left = self.env.get("$stop"), self.env.get("$left")
        loop = Loop([], self.location(node), [], Block())
        if iterable is not None:
            loop.bounds, loop.header = iterable.bounds, iterable
        index = [Value(iterable.hint, iterable.index_type)] if iterable is not None else []
        params = {name: self.parameters(inits[name], name, types[name]) for name in carried}
        shared.enter(self, carried, inits, params)
        self.env.update(params)
        if iterable is None:
            loop.cond = self.lower_condition(node, params)
        loop.body = self.enter()
        self.born.update((v, loop.body) for p in params.values() for v in leaves(p))
        self.loop_depth += 1
        self.env["$stop"] = self.env["$left"] = Const(False)
        if iterable is not None:
            self.assign(node.target, iterable.element(self, index[0]))
        self.statements(node.body)
        self.dead = self.raised = False
        self.loop_depth -= 1
        loop.body.params = index + [v for p in params.values() for v in leaves(p)]
        attempt = Attempt(loop, params, dict(self.env), inits)
        attempt.close(
            self, carried, types, node
        )  # in the body: it reads arrays as they are at its end
        self.leave()
        attempt.nearer = shared.leave(self, carried, attempt.ends)
        self.env["$stop"], self.env["$left"] = outer_stop, outer_left
        return attempt

    def parameters(self, init: Node, name: str, types: list[Any]) -> Node:
        kinds = iter(types)
        hint = self.cells[name].first.hint if hidden(name) else spoken(name)
        params = rebuild(init, lambda _: Value(hint, next(kinds)))
        for value in leaves(params):
            value.hidden = name == "$result"
        return params

    def lower_condition(self, node: Any, params: dict[str, Node]) -> Block:
        """The test of a ``while``, as a region over its own copies of the carried values."""
        saved = dict(self.env)
        copies = {n: rebuild(p, lambda v: Value(v.hint, v.type)) for n, p in params.items()}
        self.stand_in(params, copies)
        self.env.update(copies)
        block = self.enter()
        block.yields = [self.operand(self.expression(asked(self, node.test)[0]))]
        self.leave()
        block.params = [v for c in copies.values() for v in leaves(c)]
        self.env = saved
        return block

    def finish_loop(
        self, node: Any, attempt: Attempt, carried: list[str], outer: dict[str, Node]
    ) -> None:
        self.block.ops.append(attempt.loop)
        self.finished = attempt
        self.env = outer
        self.env.update(attempt.results(carried))
        attempt.settle(self, carried)

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


def spelled(types: dict[str, Any]) -> str:
    """Types up to the names of sizes nobody knows, which each attempt makes anew."""
    found: dict[str, str] = {}
    return re.sub(r"~\d+", lambda m: found.setdefault(m[0], f"~{len(found)}"), repr(types))


class Conflict:
    """A name whose two definitions cannot be one value, or are one only: an error if it is read."""

    def __init__(self, name: str, unbound: bool = False) -> None:
        self.name, self.unbound = name, unbound


def is_unbound(node: Node) -> bool:
    return node is UNDEFINED or (isinstance(node, Conflict) and node.unbound)


class Attempt:
    """One lowering of a loop body, with the names it carries."""

    def __init__(
        self, loop: Loop, params: dict[str, Node], env: dict[str, Node], inits: dict[str, Node]
    ) -> None:
        self.loop, self.params, self.env, self.inits = loop, params, env, inits
        self.types: dict[str, Any] = {}
        self.reshaped: dict[str, Node] = {}  # names unbound before the loop that hold containers
        self.ends: dict[str, Node] = {}  # what the names are at the end of an iteration
        self.lost: dict[str, Lost] = {}  # names whose array may have been written to
        self.nearer = False  # whether values turned out to share memory that were thought apart

    def close(self, lowerer: Lowerer, carried: list[str], types: dict[str, Any], node: Any) -> None:
        """Set what the body yields, and the types it would like to carry."""
        loop = self.loop
        for name in carried:
            value = self.ends[name] = self.env[name]
            if self.inits[name] is UNDEFINED and isinstance(value, Pack) and lowerer.is_data(value):
                self.reshaped[name] = rebuild(value, lambda _: UNDEFINED)
                self.types[name] = [type_of(y) for y in leaves(value)]
                continue
            if not lowerer.is_data(value) or structure_of(value) != structure_of(self.params[name]):
                raise self.changed(lowerer, name, node)
            yields = list(leaves(lowerer.now(value)))
            if any(isinstance(y, Lost) for y in yields):
                self.lost[name] = next(y for y in yields if isinstance(y, Lost))
                continue
            loop.inits += list(leaves(self.inits[name]))
            loop.body.yields += yields
            self.types[name] = [
                join(t, type_of(y)) for t, y in zip(types[name], yields, strict=True)
            ]
        stop = self.env["$stop"]
        if not (isinstance(stop, Const) and not stop.value):
            loop.stops = True
            loop.body.yields.append(stop)
        loop.results = [Value(v.hint, v.type, loop.loc) for v in loop.carried]
        for value, param in zip(loop.results, loop.carried, strict=True):
            value.hidden = param.hidden

    def changed(self, lowerer: Lowerer, name: str, node: Any) -> UnsupportedSyntax:
        if name == "$result":
            return lowerer.returns_differ()
        return UnsupportedSyntax(
            f"`{name}` changes its structure in this loop",
            place=lowerer.place(node),
            fix=f"give `{name}` the same containers before the loop and at its end",
        )

    def results(self, carried: list[str]) -> dict[str, Node]:
        values = iter(self.loop.results)
        after = {name: rebuild(self.params[name], lambda _: next(values)) for name in carried}
        if "$returned" in after and self.env["$returned"] is self.params["$returned"]:
            after |= {name: self.inits[name] for name in ("$returned", "$result")}  # never reached
        return after

    def settle(self, lowerer: Any, carried: list[str]) -> None:
        """What the results of the loop may share memory with: what the carried values did."""
        pairs = list(zip(self.loop.results, self.loop.carried, strict=False))
        lowerer.born.update((result, lowerer.block) for result, _ in pairs)
        at = 0
        for name in carried:
            for _ in leaves(self.params[name]):
                result, param = pairs[at]
                at += 1
                if hidden(name):
                    lowerer.stands_for(result, lowerer.cells[name])
                elif param in lowerer.places:
                    lowerer.memory.approach(result, lowerer.places[param].cell.near)
                    lowerer.place_of(result)
                lowerer.rank0.update([result] if param in lowerer.rank0 else [])


def may_be_rank_0(v: Any) -> bool:
    """Whether a parameter may be an array of rank 0."""
    return isinstance(v, Value) and is_rank_0(v)


def same_constant(a: Node, b: Node) -> bool:
    return isinstance(a, Const) and isinstance(b, Const) and a.key() == b.key()


def is_named(test: Node) -> bool:
    """A constant known by a name may change between calls: its branch stays a branch."""
    return isinstance(test, Const) and test.text is not None


REFUSED = {
    "Delete": ("`del` of an item or an attribute", "make a new container without it"),
    "ClassDef": ("a class in a function", "define it at module level"),
    "AsyncFor": ("`async for`", "write a plain loop"),
    "AsyncWith": ("`async with`", "write a plain block"),
    "AsyncFunctionDef": ("`async def`", "write a plain function"),
    "FunctionDef": ("a decorated inner function", "define it at module level"),
}
