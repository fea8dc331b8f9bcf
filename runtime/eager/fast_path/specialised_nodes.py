"""Nodes of the commonest calls, and the programs that make and run them.

A `Form` is a kind of call: which operation, which of its inputs require grad or are no tensors, which
adjoints pull back.  For each form two short functions are written when it is first needed: one makes
the result and its node, one is the node's way back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from ...helpers import linear
from ...objects.pytree import at
from ...rules.book import Rule
from ..graph.node import accumulator, sequence, stand_in
from ..graph.piecewise_slopes import STEPWISE, stepwise
from ..graph.recorded_operation import OpNode, plan_of
from ..graph.saved_tensors import FREED, LASTING, Saved
from ..graph.saving import frozen
from ..observe.observers import seen, watch

__all__ = [
    "CONSTANT", "LISTS", "NUMBER", "OTHER", "REQUIRES", "Form", "ShortNode", "parameters_of", "recording",
    "shapes_of",
]  # fmt: skip

REQUIRES, CONSTANT, ARRAY, NUMBER, OTHER = "requires", "constant", "array", "number", "other"
LISTS = "lists"  # what has arrays or lists in it, which may be changed later
Pull = Callable[..., Any]


@dataclass(frozen=True)
class Form:
    """A kind of call.

    ``inputs``: the parameter of the rule that each gives, and what it is: a tensor that requires grad or
    does not, an array, a number, lists, something else, or a tuple of these for a list.  ``kind``: the type of the result.  ``pulls``: the
    adjoints of the inputs that require grad; what those in ``stretched`` give is summed to their shape.
    ``defaults``: what the call leaves out.
    """

    name: str
    rule: Rule
    inputs: tuple[tuple[str, Any], ...]
    kind: Any
    pulls: dict[str, Pull]
    stretched: frozenset[str] = frozenset()
    defaults: dict[str, Any] = field(default_factory=dict)

    @property
    def cotangent(self) -> str:
        return "c_bar" if "c" in self.rule.own else "c"

    def kept(self) -> dict[str, bool]:
        """What the adjoints read of this call, and whether only for its shape."""
        reads: dict[str, bool] = {}
        for name, pull in self.pulls.items():
            shapes = shapes_of(pull)
            for read in parameters_of(pull):
                if read != self.cotangent and (read == "z" or read in dict(self.inputs)):
                    reads[read] = reads.get(read, True) and read in shapes
            if name in self.stretched:
                reads.setdefault(name, True)
        if self.name == "DivBackward0" and "y" in self.pulls:
            reads["x"] = False  # not read, but torch does: it may not be written to
        return reads

    def places(self) -> frozenset[int]:
        """Where among what is kept there are arrays, with their versions."""
        states = dict(self.inputs)
        return frozenset(
            k
            for k, (name, shape_only) in enumerate(self.kept().items())
            if not shape_only and states.get(name) not in (NUMBER, OTHER, LISTS)
        )

    def frees(self) -> bool:
        """Whether it keeps more than shapes and options."""
        states = dict(self.inputs)
        return self.name not in LASTING and (
            bool(self.places())
            or any(
                not shape_only and name in self.rule.active and states.get(name) == NUMBER
                for name, shape_only in self.kept().items()
            )
        )

    def edges(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The inputs with an edge, in the order of the rule; those in a list with their place."""
        found: list[tuple[str, tuple[int, ...]]] = []
        states = dict(self.inputs)
        for name in self.rule.active:
            state = states.get(name, OTHER)
            if isinstance(state, tuple):
                found += [(name, (i,)) for i in range(len(state))]
            elif state not in (OTHER, LISTS):
                found.append((name, ()))
        return tuple(found)


def parameters_of(function: Any) -> tuple[str, ...]:
    return tuple(function.__code__.co_varnames[: function.__code__.co_argcount])


# -- the nodes -----------------------------------------------------------------------------


class ShortNode(OpNode):
    """A node of such an operation.

    ``saved``: arrays as (array, counter, version, source), numbers and stand-ins as they are; where a
    value has hooks it is a list, and the value a `Saved`.  What is alike in all nodes of a form is in
    their class.
    """

    __slots__ = ("shape",)

    form: Form
    places: frozenset[int]
    frees = True
    several = False
    __init__ = object.__init__  # made without arguments, and filled by `record`

    @property
    def outputs(self) -> Any:  # type: ignore[override]
        return ((self.shape, self.kind),)

    def retype(self, k: int, kind: Any) -> None:
        made: Any = type(self)
        self.__class__ = retyped(made, kind)

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        c = bars[0]
        if c is None:
            return (None,) * len(self.edges)
        if self.saved is None:
            raise RuntimeError(FREED)
        if self.more is not None:
            self.check_guards()
        if not create and not watch.on:
            return self.brief(c, True)
        return self.in_full(c, create)

    def brief(self, c: Any, keep: bool) -> tuple[Any, ...]:
        """The gradients of the inputs; each class has a program for it."""
        raise NotImplementedError

    def carefully(self, c: Any, keep: bool) -> tuple[Any, ...]:
        """The same where a kept value has to be looked at first."""
        found = self.in_full(c, False)
        if not keep:
            self.release()
        return found

    def in_full(self, c: Any, create: bool) -> tuple[Any, ...]:
        """The adjoints with values that were checked; they may be recorded."""
        from ...tape.boxed_functions import evaluate
        from ..graph.recorded_operation import boxed, tensor

        if self.saved is None:
            raise RuntimeError(FREED)
        values: list[Any] = [self.value(k) for k in range(len(self.saved))]
        if create:
            values, c = [self.boxed(k, v) for k, v in enumerate(values)], boxed(c)
        if watch.on:
            values, c = [seen(v) for v in values], seen(c)
        named = dict(zip((n for n, _ in self.plan.keep), values, strict=True))
        named = {**self.form.defaults, **named, self.form.cotangent: c}
        whole: dict[str, Any] = {}
        for name, pull in self.form.pulls.items():
            whole[name] = evaluate(pull, *[named[n] for n in parameters_of(pull)])
            if name in self.form.stretched:
                whole[name] = evaluate(linear.unbroadcast, whole[name], named[name])
        found: list[Any] = []
        for edge, (name, path) in zip(self.edges, self.targets, strict=True):
            part = None if edge is None else at(whole[name], path)
            found.append(tensor(part) if create and part is not None else part)
        if create and self.form.name in STEPWISE:
            return stepwise(self, found)
        return tuple(found)

    def is_array(self, k: int) -> bool:
        """Whether what is kept there is an array that is no `Saved` (an option may be a tuple, too)."""
        return k in self.places and type(self.saved[k]) is tuple

    def value(self, k: int) -> Any:
        saved = self.saved[k]
        if self.is_array(k):
            if self.plan.keep[k][0] == "z" and saved[1][0] != saved[2] and self.is_quotient:
                return self.quotient()
            self.opened(k).check(self.whence(k), self.seq)
            return saved[0]
        return super().value(k)

    @property
    def is_quotient(self) -> bool:
        return self.form.name == "DivBackward0"

    def quotient(self) -> Any:
        """The result again: torch's formula does not read it, so it may be written to."""
        x, y = (next(k for k, (n, _) in enumerate(self.plan.keep) if n == own) for own in "xy")
        return np.true_divide(self.value(x), self.value(y))

    def opened(self, k: int) -> Any:
        """A kept value in the general form."""
        array, counter, version, source = self.saved[k]
        saved = Saved(array, counter, source)
        saved.version = version
        return saved

    def whence(self, k: int) -> Any:
        saved = self.saved[k]
        return self.whence_of(k, saved[3] if type(saved) is tuple else saved.source)

    def open(self, place: int | None = None) -> None:
        """A kept array in the general form (or all of them), for hooks."""
        self.saved = [
            self.opened(k) if place in (None, k) and self.is_array(k) else s
            for k, s in enumerate(self.saved)
        ]

    def handle(self, name: str) -> Any:
        k = self.position(name)
        if k is not None and self.saved is not None:
            self.open(k)
        return super().handle(name)

    def holds(self, k: int, array: Any, but: Any) -> bool:
        """Whether an array is kept there, and not that of the tensor ``but`` itself."""
        saved = self.saved[k]
        return self.is_array(k) and saved[0] is array and (but is None or saved[3] is not but)

    def keeps(self, array: Any, but: Any = None) -> bool:
        return any(self.holds(k, array, but) for k in range(len(self.saved)))

    def exchange(self, array: Any, copy: Any, counter: Any, but: Any = None) -> None:
        """Keep another array in the place of one."""
        kept = [
            (copy, counter, counter[0], s[3]) if self.holds(k, array, but) else s
            for k, s in enumerate(self.saved)
        ]
        self.saved = type(self.saved)(kept)

    def release(self) -> None:
        if self.frees or (self.more is not None and self.more.get("guards")):
            self.saved = None


# -- the programs ----------------------------------------------------------------------------


def recording(form: Form) -> Any:
    """The program ``record(z, *inputs, *arrays)`` that makes the result and its node."""
    from ..tensor.tensor import Tensor

    names = [n for n, _ in form.inputs]
    states, place = dict(form.inputs), {n: k for k, n in enumerate(names)}
    before, edges, items = [], [], []
    for name, path in form.edges():
        state, x = states[name], f"x{place[name]}"
        for i in path:
            state, x = state[i], f"{x}[{i}]"
        if state != REQUIRES:
            edges.append("None")
            continue
        y, f = f"y{len(edges)}", f"f{len(edges)}"
        before += [f"{y} = {x}", f"{f} = {y}._grad_fn"]
        edges.append(f"({f}, {y}._nr) if {f} is not None else (accumulator({y}), 0)")
    for name, shape_only in form.kept().items():
        k = place.get(name)
        if k is None:
            items.append("stand_in(z)" if shape_only else "(z, counter, 0, None)")
        elif states[name] in (NUMBER, OTHER):
            items.append(f"a{k}")
        elif states[name] == LISTS:
            items.append(f"frozen(a{k})")
        elif isinstance(states[name], tuple):
            items.append(f"[stand_in(a) for a in a{k}]")
        elif shape_only:
            items.append(f"stand_in(a{k})")
        elif states[name] == ARRAY:
            items.append(f"(a{k}.copy(), [0], 0, None)")
        else:
            before.append(f"n{k} = x{k}._counter")
            items.append(f"(a{k}, n{k}, n{k}[0], x{k})")
    lines = [
        "node = Kind()",
        "node.seq = next(sequence)",
        "node.more = node.attributes = None",
        "node.shape = z.shape",
        "counter = [0]",
        *before,
        f"node.edges = {tupled(edges)}",
        f"node.saved = {tupled(items)}",
        "made = new(Tensor)",
        "made._array, made._counter, made._grad_fn, made._nr, made._requires = z, counter, node, 0, True",
        "made._grad = made._view = made._more = made._accumulator = None",
        "return made",
    ]
    count = range(len(names))
    parameters = ["z", *(f"x{k}" for k in count), *(f"a{k}" for k in count)]
    scope = {
        "Kind": node_class(form),
        "Tensor": Tensor,
        "accumulator": accumulator,
        "frozen": frozen,
        "new": object.__new__,
        "sequence": sequence,
        "stand_in": stand_in,
    }
    return program("record", parameters, lines, scope)


def node_class(form: Form) -> Any:
    """The class of the nodes of a form."""
    plan = plan_of(form.rule, tuple(form.pulls))
    members = {
        "__module__": __name__,
        "__slots__": (),
        "brief": going_back(form),
        "form": form,
        "frees": form.frees(),
        "kind": form.kind,
        "places": form.places(),
        "plan": plan._replace(keep=tuple(form.kept().items())),
        "rule": form.rule,
        "targets": form.edges(),
    }
    return type(form.name, (ShortNode,), members)


@cache
def retyped(made: Any, kind: Any) -> Any:
    """The class of nodes of which the result was put into memory of another type."""
    members = {"__module__": __name__, "__slots__": (), "kind": kind}
    return type(made.__name__, (made,), members)


def going_back(form: Form) -> Any:
    """The program ``brief(self, c, keep)``: the gradients of the inputs, if what was saved is unchanged."""
    states = dict(form.inputs)
    parts, checks, values = [], [], {form.cotangent: "c"}
    for k, name in enumerate(form.kept()):
        values[name] = f"v{k}"
        if k not in form.places():
            parts.append(f"v{k}")
            continue
        parts.append(f"(v{k}, n{k}, m{k}, s{k})")
        checks.append(f"n{k}[0] != m{k}")
        if states.get(name) in (REQUIRES, CONSTANT):
            checks.append(f"s{k}._more is not None")
    scope: dict[str, Any] = {"unbroadcast": linear.unbroadcast}
    calls, found = [], []
    for name, path in form.edges():
        if name not in form.pulls:
            found.append("None")
            continue
        if path:
            found.append(f"g_{name}[{path[0]}]")
        if path and path != (0,):
            continue
        pull = scope[f"pull_{name}"] = form.pulls[name]
        reads = parameters_of(pull)
        scope.update({f"default_{r}": form.defaults[r] for r in reads if r not in values})
        call = f"pull_{name}({', '.join(values.get(r, f'default_{r}') for r in reads)})"
        if path:
            calls.append(f"g_{name} = {call}")
        else:
            found.append(f"unbroadcast({call}, {values[name]})" if name in form.stretched else call)
    lines = []
    if parts:
        careful = "return self.carefully(c, keep)"
        lines += ["saved = self.saved", f"if type(saved) is not tuple: {careful}"]
        lines += [f"{tupled(parts)} = saved"]
        lines += [f"if {' or '.join(checks)}: {careful}"] if checks else []
    if form.frees():
        lines += ["if not keep: self.saved = None"]
    lines += [*calls, f"return {tupled(found)}"]
    return program("brief", ["self", "c", "keep"], lines, scope)


def shapes_of(pull: Pull) -> tuple[str, ...]:
    """What an adjoint reads for its shape only."""
    table: Any = pull.__globals__.get("SHAPES", {})
    found: tuple[str, ...] = table.get(pull.__name__, ())
    return found


def tupled(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def program(name: str, parameters: list[str], lines: list[str], scope: dict[str, Any]) -> Any:
    body = "\n    ".join(lines)
    exec(f"def {name}({', '.join(parameters)}):\n    {body}\n", scope)
    return scope[name]
