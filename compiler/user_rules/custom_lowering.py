"""Lowering of custom derivatives, beside the function they belong to."""

from __future__ import annotations

import inspect
from typing import Any

from retrograd.runtime.errors import CompileError, MutationError, RuleError, UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.user import finite_differences
from retrograd.runtime.user.custom_rules import CustomGradient, custom_of

from ..analyses.activity import may_carry
from ..analyses.effects import is_harmless
from ..analyses.shapes.infer import type_of
from ..analyses.visible_effects import of_function
from ..differentiate.rule_instance import operand_of
from ..ir.containers import LEAF, Pack, flatten, leaves, rebuild, structure_of
from ..ir.facts import Facts
from ..ir.operations import Apply, Block, Call, Const, Function, Value
from ..lowering.calls.callee_facts import bind, is_argument
from ..lowering.calls.closure_conversion import lift
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import Ref
from ..simplify.builder import Builder
from .custom_derivative import Custom, Hook, Rule

__all__ = ["SPECIAL", "custom_root", "customized"]

Node = Any


def custom_root(program: Any, fn: Any, params: dict[str, Node], source: Any) -> Function:
    """A function that only calls ``fn``, which has a derivative of its own."""
    callee = program.callee(fn, params)
    values = [v for node in params.values() for v in leaves(node)]
    results = [Value("result", callee.outward(kind)) for kind in callee.result_types()]
    call = Call(results, None, callee.function, tuple(values))
    body = Block(values, [call], list(results))
    return Function(fn.__name__, body, callee.result_tree(), source)


def customized(program: Any, fn: Any, source: Any, params: dict[str, Node]) -> Function:
    """``fn`` lowered, or called as it is where the compiler does not take it, with its rules."""
    custom = custom_of(fn)
    assert custom is not None
    try:
        function: Function = program.lower(fn, source, params)
    except CompileError:
        function = opaque(fn, params, source)
        function.facts.inline = True
    refuse_writes(fn.__name__, function)
    tags = {v: ("own", k) for k, v in enumerate(function.body.params)}
    z = rebuild_typed(function)
    tags |= {v: ("z", k) for k, v in enumerate(leaves(z))}
    arguments = list(spread(fn, params))
    made = Custom(fn.__name__)
    if custom.pull is not None:
        c = rebuild(z, lambda v: Value("c", v.type))
        tags |= {v: ("c", k) for k, v in enumerate(leaves(c))}
        made.pull = rule_of(program, custom.pull, [c, z, *arguments], tags)
        made.bars = cotangents(custom, made.pull, params, function)
    if custom.push is not None:
        dots = [rebuild(params[n], lambda v: dot_of(v, tags)) for n in custom.active]
        made.push = rule_of(program, custom.push, [z, *arguments, *dots], tags)
        check_tangent(custom, made.push, function)
    if custom.step is not None:
        measure(program, custom, made, params, function, tags)
    made.names = parameter_names(params)
    made.silent = frozenset(
        tags[v][1] for n in custom.constant for v in leaves(params[n]) if isinstance(v, Value)
    )
    function.facts.custom = made
    return function


def measure(
    program: Any,
    custom: CustomGradient,
    made: Custom,
    params: dict[str, Node],
    function: Function,
    tags: dict[Value, Any],
) -> None:
    """Both rules by finite differences: calls of the function itself at points nearby."""
    own = dict(zip(params, spread(custom.fn, params), strict=False))
    wrt = tuple(k for k, n in enumerate(own) if n in custom.active and carries(own[n]))
    names = [n for k, n in enumerate(own) if k in wrt]
    if function.tree != LEAF or any(not isinstance(own[n], Value) for n in names):
        raise RuleError(
            f"`{custom.fn.__name__}` takes or returns a container, and its derivative is measured: "
            "numbers and arrays only"
        )
    fn = Const(custom.fn, program.name_of(custom.fn))
    given = tuple(operand_of(node) for node in own.values())
    c = Value("c", type_of(function.body.yields[0]))
    dots = [dot_of(own[n], tags) for n in names]
    tags[c] = ("c", 0)
    values = [v for node in own.values() for v in leaves(node) if isinstance(v, Value)]
    pulls = [
        called_nearby(finite_differences.difference_pull, fn, given, c, (k,), custom) for k in wrt
    ]
    push = called_nearby(finite_differences.difference_push, fn, given, tuple(dots), wrt, custom)
    for name, moved, ops in (("pull", [c], pulls), ("push", dots, [push])):
        params_of = [*moved, *values]
        body = Block(params_of, list(ops), [op.result for op in ops])
        facts = Facts(inline=True)
        rule = Function(f"{custom.fn.__name__}_{name}", body, LEAF, None, facts=facts)
        setattr(made, name, Rule(rule, [tags[v] for v in params_of], LEAF, [None], False))
    numbers = {own[n]: k for k, n in enumerate(names)}
    made.bars = [numbers.get(v) for v in function.body.params]


def called_nearby(called: Any, fn: Const, given: Any, more: Any, wrt: Any, custom: Any) -> Apply:
    """A cotangent or a tangent as one operation; nobody computes those that nobody reads."""
    args = (fn, given, more, Const(wrt), Const(custom.step))
    return Apply([Value(None)], None, called, args)


def carries(node: Node) -> bool:
    return isinstance(node, Pack) or (isinstance(node, Value) and may_carry(node.type))


def refuse_writes(name: str, function: Function) -> None:
    if any(isinstance(v, Ref) for v in leaves(function.tree)):
        raise UnsupportedSyntax(
            f"`{name}` has a derivative of its own, or is one, and returns one of its arguments",
            place=function.source.place(None) if function.source is not None else None,
            fix="return a copy: list(p), dict(p)",
        )
    if function.facts.writes or function.facts.unclear or function.facts.updates:
        raise MutationError(
            f"`{name}` has a derivative of its own, or is one, and writes to its arguments",
            place=function.source.place(None) if function.source is not None else None,
            fix="write to a copy (`.copy()`)",
        )


def rebuild_typed(function: Function) -> Node:
    """The results of a function as fresh values, in their containers."""
    kinds = iter([type_of(y) for y in function.body.yields])
    return rebuild(function.tree, lambda _: Value("z", next(kinds)))


def dot_of(v: Node, tags: dict[Value, Any]) -> Node:
    if not isinstance(v, Value):
        return Const(0.0)
    dot = Value(f"{v.hint}_dot", v.type)
    tags[dot] = ("d", tags[v][1])
    return dot


def spread(fn: Any, params: dict[str, Node]) -> Any:
    """The arguments of a call by position."""
    for name, parameter in inspect.signature(fn).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            yield from params[name].items
        else:
            yield params[name]


def parameter_names(params: dict[str, Node]) -> tuple[str, ...]:
    return tuple(n for n, p in params.items() for v in leaves(p) if isinstance(v, Value))


def opaque(fn: Any, params: dict[str, Node], source: Any, own: bool = False) -> Function:
    """A function that calls ``fn`` itself: for what is written in ways the compiler does not take.

    ``own``: it gets copies of its arguments, which it may write to.
    """
    values = [v for node in params.values() for v in leaves(node) if isinstance(v, Value)]
    result = Value("z")
    args = tuple(operand_of(node) for node in params.values())
    copies = [Apply([Value()], None, linear.copy, (a,)) for a in args if own]
    args = tuple(op.results[0] for op in copies) or args
    call = Apply([result], None, fn, args, {}, True)
    body = Block(values, [*copies, call], [result])
    facts = Facts(gives=[None], shows=[list(range(len(values)))], rank0=[True])
    return Function(f"call_{fn.__name__}", body, LEAF, source, facts=facts)


def rule_of(program: Any, fn: Any, nodes: list[Node], tags: dict[Value, Any]) -> Rule:
    """A vjp or jvp as a function of the program, and where each of its arguments comes from."""
    params = bind(fn, nodes, {})
    given = [v for p in params.values() for v in leaves(p)]
    try:
        callee = program.callee(fn, params)
        function, kinds = callee.function, [callee.outward(k) for k in callee.result_types()]
        sources = [tags.get(v, v) for v in given if is_argument(v)]
        made = Rule(function, sources, callee.result_tree(), kinds, True)
    except CompileError:
        function = opaque(fn, params, None, own=may_write(fn))
        sources = [tags[v] for v in given if isinstance(v, Value)]
        return Rule(function, sources, LEAF, [None], False)
    refuse_writes(fn.__name__, function)
    return made


def may_write(fn: Any) -> bool:
    """True if a function may write to its arguments, as far as its instructions tell."""
    return any(kind == "write" for kind, _ in of_function(fn))


def cotangents(
    custom: CustomGradient, rule: Rule, params: dict[str, Node], function: Function
) -> list[int | None]:
    """For each value among the arguments: which result of the vjp is its cotangent."""
    names = custom.active
    tree = rule.tree
    if not rule.compiled:
        unpack_opaque(rule, len(names), [params[n] for n in names], custom)
        tree = rule.tree
    parts = [tree] if len(names) == 1 else getattr(tree, "items", [])
    if len(parts) != len(names) or (len(names) > 1 and not isinstance(tree, Pack)):
        raise RuleError(
            f"{custom.pull.__name__}: a cotangent for each of {', '.join(names)} is to be "  # type: ignore[union-attr]
            "returned, as a tuple"
        )
    bars: dict[Value, int | None] = {}
    at = 0
    for name, part in zip(names, parts, strict=True):
        count = len(list(leaves(part)))
        own = list(leaves(params[name]))
        none = part == LEAF and is_none(rule.function.body.yields[at])
        if not none and structure_of(params[name]) != part:
            raise RuleError(
                f"{custom.pull.__name__}: the cotangent of `{name}` has another structure than `{name}`"  # type: ignore[union-attr]
            )
        for k, v in enumerate(own):
            if isinstance(v, Value):
                empty = none or is_none(rule.function.body.yields[at + k])
                bars[v] = None if empty else at + k
        at += count
    return [bars.get(v) for v in function.body.params]


def is_none(operand: Any) -> bool:
    return isinstance(operand, Const) and operand.value is None


def unpack_opaque(rule: Rule, n: int, nodes: list[Node], custom: CustomGradient) -> None:
    """Take the result of a vjp that is called as it is apart: one value for each argument."""
    if any(isinstance(node, Pack) for node in nodes):
        raise RuleError(
            f"{custom.pull.__name__}: the compiler does not take its text, so its arguments "  # type: ignore[union-attr]
            "may not be containers"
        )
    if n == 1:
        return
    body = rule.function.body
    b = Builder(body)
    body.yields = [b.getitem(body.yields[0], k) for k in range(n)]
    rule.tree = Pack(tuple, list(range(n)), [LEAF] * n)
    rule.function.tree = rule.tree


def check_tangent(custom: CustomGradient, rule: Rule, function: Function) -> None:
    if rule.compiled and rule.tree != function.tree:
        raise RuleError(
            f"{custom.push.__name__}: the tangent has another structure than the result"  # type: ignore[union-attr]
        )


# -- hooks -----------------------------------------------------------------------------


def lower_on_gradient(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any
) -> Node:
    """``rg.on_gradient(x, hook)``: a call of the identity, with the hook for its cotangent."""
    bound = inspect.signature(fn).bind(*args, **kwargs).arguments
    x, hook = bound["x"], bound["hook"]
    values, _ = flatten(x)
    inputs = [lowerer.versions.current(v) for v in values if isinstance(v, Value)]
    if not inputs:
        return x
    shown = rebuild(x, lambda v: Value(v.hint, v.type) if isinstance(v, Value) else v)
    own = [v for v in leaves(shown) if isinstance(v, Value)]
    function, free = lowered_hook(lowerer, hook, shown, own, node)
    rule = Hook(function, len(own), looks(function))
    if not rule.looks and len(function.body.yields) != len(own):
        raise UnsupportedSyntax(
            "this hook returns something of another structure than its argument",
            place=lowerer.scope.place(node), fix="return a cotangent of the same structure, or None",
        )  # fmt: skip
    params = [Value(v.hint, v.type) for v in [*inputs, *free]]
    body = Block(params, [], list(params[: len(inputs)]))
    callee = Function("on_gradient", body, LEAF, lowerer.scope.source)
    callee.facts.without_effects()
    callee.facts.custom, callee.facts.inline = rule, True
    results = [Value(None, v.type, lowerer.scope.location(node)) for v in inputs]
    lowerer.scope.block.ops.append(
        Call(list(results), lowerer.scope.location(node), callee, (*inputs, *free))
    )
    for result, v in zip(results, inputs, strict=True):
        lowerer.versions.made_in([result], lowerer.scope.block)
        if lowerer.versions.may_be_array(v):
            lowerer.versions.beside(result, [v])
    remaining = iter(results)
    return rebuild(x, lambda v: next(remaining) if isinstance(v, Value) else v)


def lowered_hook(
    lowerer: Lowerer, hook: Node, shown: Node, own: list[Value], node: Any
) -> tuple[Function, list[Value]]:
    """A hook as a function of the program, and what it reads around it."""
    try:
        lifted = lift(lowerer, hook, [shown], "hook", node)
    except CompileError:
        if not isinstance(hook, Const):
            raise
        return called_as_it_is(hook.value, own, lowerer.scope.source), []
    unknown = isinstance(hook, Const) and any(
        isinstance(op, Apply) and op.effect and op.fn is hook.value
        for op in lifted.function.body.ops
    )
    if unknown:
        return called_as_it_is(hook.value, own, lowerer.scope.source), []
    return lifted.function, lifted.free


def called_as_it_is(hook: Any, own: list[Value], source: Any) -> Function:
    """A hook that the compiler cannot look into: called when the derivative is computed."""
    params = [Value("c", v.type) for v in own]
    given = params[0] if len(params) == 1 else tuple(params)
    result = Value("c", own[0].type if len(own) == 1 else None)
    name = str(own_attribute(hook, "__name__", ""))
    text = name if name.isidentifier() else "hook"  # a lambda has no name
    if is_harmless(hook):
        call = Apply([result], None, hook, (given,), {}, True)
        return Function("hook", Block(params, [call], [Const(None)]), LEAF, source)
    call = Apply([result], None, linear.hooked, (given, Const(hook, text)), {}, True)
    body = Block(params, [call], [result])
    if len(own) > 1:
        b = Builder(body)
        body.yields = [b.getitem(result, k) for k in range(len(own))]
    return Function("hook", body, LEAF, source)


def looks(function: Function) -> bool:
    """True if a hook returns None: it looks at the cotangent, and leaves it as it is."""
    yields = function.body.yields
    return len(yields) == 1 and is_none(yields[0])


SPECIAL = {"on_gradient": lower_on_gradient}
