"""Forms of calls that were met, and the programs that record them.

A `Form` is a kind of call: which operation, which of its inputs require grad or are no tensors, which
adjoints pull back.  For each form two short functions are written when it is first needed: one makes
the result and its node, one is the node's way back.  What they do is what `OpNode` does for any call,
with everything decided that is the same for all calls of the form.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from functools import cache
from typing import Any

from ...batching.batched_array import zeros_beside
from ...device.places import HOST, Place
from ...helpers import linear
from ...records import dataclass, field
from ...rules.book import Rule
from ...tape.rule_evaluation import cotangent_of, parameters
from ..graph.node import accumulator, sequence, stand_in
from ..graph.operation_node import OpNode
from ..graph.plan import Plan, pulls_of, reads_of
from ..graph.saved_tensors import FREED, LASTING
from ..graph.saving import frozen
from ..observe.observers import watch
from ..tensor.tensor import Tensor, of_node

__all__ = [
    "ARRAY", "CONSTANT", "LISTS", "NUMBER", "OTHER", "REQUIRES", "Calls", "Form", "PreparedNode", "recording",
]  # fmt: skip

REQUIRES, CONSTANT, ARRAY, NUMBER, OTHER = "requires", "constant", "array", "number", "other"
LISTS = "lists"  # what has arrays or lists in it, which may be changed later


@dataclass(frozen=True)
class Form:
    """A kind of call.

    ``inputs``: the parameter of the rule that each gives, and what it is: a tensor that requires grad or
    does not, an array, a number, lists, something else, or a tuple of these for a list.  ``kind``: the type of the result.  ``pulls``: the
    adjoints of the inputs that require grad; what those in ``stretched`` give is summed to their shape.
    ``defaults``: what the call leaves out.  ``several``: the results are a list or tuple.  ``place``: where the arrays are.
    """

    name: str
    rule: Rule
    inputs: tuple[tuple[str, Any], ...]
    kind: Any
    pulls: dict[str, Callable[..., Any]]
    stretched: frozenset[str] = frozenset()
    defaults: dict[str, Any] = field(default_factory=dict)
    several: bool = False
    place: Place = HOST

    def kept(self) -> dict[str, bool]:
        """The values of this call that the adjoints read, and whether only for their shape."""
        given = {"z", *dict(self.inputs)}
        found = reads_of(self.rule, self.pulls, self.stretched)
        reads = {name: shape_only for name, shape_only in found.items() if name in given}
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

    def missing(self) -> dict[str, Any]:
        """The defaults of what the adjoints read and the call left out."""
        kept = self.kept()
        found = reads_of(self.rule, self.pulls)
        return {name: self.defaults[name] for name in found if name not in kept}

    def plan(self) -> Plan:
        """The same as nodes read it."""
        keep, missing = self.kept(), self.missing()
        pulls = pulls_of(self.rule, self.pulls, (*keep, *missing), self.stretched)
        return Plan(tuple(keep.items()), pulls, self.places(), tuple(missing.values()))

    def frees(self) -> bool:
        """True if it keeps more than shapes and options."""
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


# -- the nodes -----------------------------------------------------------------------------


class PreparedNode(OpNode):
    """A node of a form: its class holds all that is alike in the nodes of the form, and their way back."""

    __slots__ = ("shape",)

    several = False
    __init__ = object.__init__  # made without arguments, and filled by `record`

    @property
    def outputs(self) -> Any:  # type: ignore[override]
        return ((self.shape, self.kind),)

    def retype(self, k: int, kind: Any) -> None:
        made: Any = type(self)
        self.__class__ = retyped(made, kind)


class NodeOfSeveral(PreparedNode):
    """The same for several results: their gradients have to be together, and so it is run as any other node is."""

    __slots__ = ()

    several = True
    together: Any  # its program

    @property
    def outputs(self) -> Any:  # type: ignore[override]
        return self.shape

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if create or self.more is not None or watch.on or all(bar is None for bar in bars):
            return super().run(bars, create)
        if self.saved is None:
            raise RuntimeError(FREED)
        pairs = zip(bars, self.shape, strict=True)
        one = next(bar for bar in bars if bar is not None)
        c = tuple([zeros_beside(one, *output) if bar is None else bar for bar, output in pairs])
        return self.together(c, True)  # type: ignore[no-any-return]

    def carefully(self, c: Any, keep: bool) -> tuple[Any, ...]:
        return self.in_full(list(c), False)

    def retype(self, k: int, kind: Any) -> None:
        self.shape = tuple((s, kind if j == k else old) for j, (s, old) in enumerate(self.shape))


class Calls:
    """An operation, and the programs that record it: for each kind of call one, made when it is first met."""

    __slots__ = ("place", "records")

    def __init__(self, place: Place) -> None:
        self.place = place
        self.records: dict[Any, Any] = {}

    def form(self, kind: Any) -> Form:
        raise NotImplementedError

    def record(self, kind: Any) -> Any:
        """The program of a kind of call."""
        found = self.records.get(kind)
        if found is None:
            found = self.records[kind] = recording(self.form(kind))
        return found


# -- the programs ----------------------------------------------------------------------------


ONE = [
    "made = new(Tensor)",
    "made._array, made._counter, made._grad_fn, made._nr, made._requires = z, counter, node, 0, True",
    "made._grad = made._view = made._more = made._accumulator = None",
    "return made",
]
SEVERAL = ["return type(z)([of_node(part, node, k) for k, part in enumerate(z)])"]


def recording(form: Form) -> Any:
    """The program ``record(z, *inputs, *arrays)`` that makes the result and its node."""
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
    start = ["node = Kind()", "node.seq = next(sequence)", "node.more = node.attributes = None"]
    shape = "z.shape"
    if form.several:
        shape = "tuple([(part.shape, part.dtype) for part in z])"
    start += [f"node.shape = {shape}"]
    end = [f"node.edges = {tupled(edges)}", f"node.saved = {tupled(items)}"]
    results = SEVERAL if form.several else ONE
    lines = [*start, "counter = [0]", *before, *end, *results]
    count = range(len(names))
    parameters = ["z", *(f"x{k}" for k in count), *(f"a{k}" for k in count)]
    scope = {
        "Kind": class_of(form),
        "Tensor": Tensor,
        "accumulator": accumulator,
        "frozen": frozen,
        "new": object.__new__,
        "of_node": of_node,
        "sequence": sequence,
        "stand_in": stand_in,
    }
    return program("record", form, parameters, lines, scope)


def class_of(form: Form) -> Any:
    """The class of the nodes of a form."""
    members = {
        "__module__": __name__,
        "__slots__": (),
        "together" if form.several else "brief": going_back(form),
        "kind": form.kind,
        "plan": form.plan(),
        "rule": form.rule,
        "targets": form.edges(),
    }
    return type(form.name, (NodeOfSeveral if form.several else PreparedNode,), members)


@cache
def retyped(made: Any, kind: Any) -> Any:
    """The class of nodes of which the result was put into memory of another type."""
    members = {"__module__": __name__, "__slots__": (), "kind": kind}
    return type(made.__name__, (made,), members)


def going_back(form: Form) -> Any:
    """The program ``brief(self, c, keep)``: the gradients of the inputs, if what was saved is unchanged."""
    states, missing = dict(form.inputs), form.missing()
    parts, checks, values = [], [], {cotangent_of(form.rule): "c"}
    for k, name in enumerate(form.kept()):
        values[name] = f"v{k}"
        if k not in form.places():
            parts.append(f"v{k}")
            continue
        parts.append(f"(v{k}, n{k}, m{k}, s{k})")
        checks.append(f"n{k}[0] != m{k}")
        if states.get(name) in (REQUIRES, CONSTANT):
            checks.append(f"s{k}._more is not None")
    twin = form.place.twin
    scope: dict[str, Any] = {"unbroadcast": twin(linear.unbroadcast)}
    calls, found = [], []
    for name, path in form.edges():
        if name not in form.pulls:
            found.append("None")
            continue
        if path:
            found.append(f"g_{name}[{path[0]}]")
        if path and path != (0,):
            continue
        pull = form.pulls[name]
        scope[f"pull_{name}"] = twin(pull)
        reads = parameters(pull)
        scope.update({f"default_{r}": missing[r] for r in reads if r in missing})
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
    return program("brief", form, ["self", "c", "keep"], lines, scope)


forms = itertools.count()


def tupled(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def program(
    name: str, of: Form, parameters: list[str], lines: list[str], scope: dict[str, Any]
) -> Any:
    """A function of these lines; debuggers and tracebacks show them."""
    body = "\n    ".join(lines)
    text = f"def {name}({', '.join(parameters)}):\n    {body}\n"
    file = f"<{name} of {of.name}, form {next(forms)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), scope)
    return scope[name]
