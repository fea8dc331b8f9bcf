"""One recorded operation of the rule book: what it keeps, and how its adjoints are called.

The formulas are those of ``adjoints.py``, which the compiler derives from the rules.  On the way back
they get arrays; with ``create_graph`` they get boxes (those of the tape), whose operations come
back here as `EagerLevel.record` and make nodes in turn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...helpers import linear
from ...objects.pytree import at, map_operands, map_paths, remade
from ...rules import all_rules, rewrites  # noqa: F401  (registers every family)
from ...rules.book import Rule
from ...tape import rewrite_call
from ...tape.box import Box, Level, is_float, lowered, raw
from ...tape.boxed_functions import evaluate
from ...tape.dispatch import apply
from ...tape.reverse_level import transposed
from ...tape.rule_evaluation import adjoint_of, defaults_of, parameters
from ..observe.anomaly_mode import anomaly, remember
from ..observe.observers import seen, unseen, watch, watched_call
from ..tensor.shape_errors import said
from ..transforms.forward_ad import has_duals, push
from .grad_mode import modes
from .node import GradFn, edge_of, leads_on, shape_and_type
from .piecewise_slopes import STEPWISE, stepwise
from .reopened_tensors import boxed_again, counted, counter_of, result
from .saved_tensors import FREED, LASTING, Saved, SavedTensor
from .saving import Several, kept, pack, running
from .tangents import is_dual, levels

__all__ = ["EAGER", "OpNode", "call", "node_class", "recorded"]

TITLES = {
    "multiply": "Mul", "subtract": "Sub", "divide": "Div", "negative": "Neg", "power": "Pow",
    "absolute": "Abs", "matmul": "Mm", "concatenate": "Cat", "true_divide": "Div", "arcsin": "Asin",
    "arccos": "Acos", "arctan": "Atan", "arcsinh": "Asinh", "arccosh": "Acosh", "arctanh": "Atanh",
    "broadcast_to": "Expand", "getitem": "Index", "amax": "Max", "amin": "Min", "swapaxes": "Transpose",
}  # fmt: skip
SPECIAL = {("power", "y"): "exponent", ("matmul", "x2"): "mat2"}
NAMES = {
    "x": "self",
    "y": "other",
    "z": "result",
    "a": "self",
    "b": "other",
    "x1": "self",
    "x2": "mat2",
}


class Plan(NamedTuple):
    """What a node of one operation keeps (name, for its shape only), and the pulls that read it."""

    keep: tuple[tuple[str, bool], ...]
    pulls: dict[str, tuple[Any, tuple[int, ...]]]


@lru_cache(maxsize=4096)
def plan_of(rule: Rule, active: tuple[str, ...]) -> Plan:
    """Each argument's adjoint, and where in the kept values it finds what it reads (-1: the cotangent)."""
    reads: dict[str, bool] = {}
    found: dict[str, tuple[Any, tuple[str, ...]]] = {}
    cotangent = "c_bar" if "c" in rule.own else "c"
    for name in active:
        adjoint = adjoint_of(rule, name)
        names = ("z", *rule.own) if adjoint is None else parameters(adjoint)
        shapes = (
            ()
            if adjoint is None
            else adjoint.__globals__.get("SHAPES", {}).get(adjoint.__name__, ())
        )
        found[name] = adjoint, names
        for read in names:
            if read != cotangent or adjoint is None:
                reads[read] = reads.get(read, True) and read in shapes
    order = list(reads)
    pulls = {
        name: (
            adjoint,
            tuple(-1 if n == cotangent and adjoint is not None else order.index(n) for n in names),
        )
        for name, (adjoint, names) in found.items()
    }
    return Plan(tuple(reads.items()), pulls)


class OpNode(GradFn):
    """An operation with a rule: ``saved`` are the values its plan keeps, None once they are freed."""

    __slots__ = ("attributes", "saved")

    attributes: dict[str, Any] | None  # what else the call was given, where ``_saved_...`` shows it

    rule: Rule
    plan: Plan
    targets: tuple[tuple[str, tuple[Any, ...]], ...]
    saved: Any
    several: bool

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if all(bar is None for bar in bars):
            return (None,) * len(self.edges)
        if self.saved is None:
            raise RuntimeError(FREED)
        if self.more is not None:
            self.check_guards()
        values = [self.value(k) for k in range(len(self.saved))]
        c: Any = tuple(
            zeros(o) if b is None else b for b, o in zip(bars, self.outputs, strict=True)
        )
        if create:
            values = [self.boxed(k, v) for k, v in enumerate(values)]
            c = map_operands(boxed, c)
        if watch.on:
            values, c = map_operands(seen, (values, c))
        c = c if self.several else c[0]
        found = {name: self.pull(name, c, values) for name in self.plan.pulls}
        parts = [
            at(found[name], path) if edge is not None and name in found else None
            for edge, (name, path) in zip(self.edges, self.targets, strict=True)
        ]
        if not create:
            return tuple(parts)
        made = [None if part is None else tensor(part) for part in parts]
        return stepwise(self, made) if type(self).__name__ in STEPWISE else tuple(made)

    def pull(self, name: str, c: Any, values: list[Any]) -> Any:
        adjoint, reads = self.plan.pulls[name]
        if adjoint is None:
            own = dict(zip((n for n, _ in self.plan.keep), values, strict=True))
            return transposed(self.rule, name, own.pop("z"), own, c)
        return evaluate(adjoint, *[c if k < 0 else values[k] for k in reads])

    def value(self, k: int) -> Any:
        """A kept value, if nobody has written to it."""
        saved = self.saved[k]
        if type(saved) is Saved:
            saved.check(self.whence(k), self.seq)
            return saved.unpacked()
        if type(saved) is Several:
            return saved.opened(self.seq, self if self.plan.keep[k][0] == "z" else None)
        return saved

    def whence(self, k: int) -> Any:
        return self.whence_of(k, self.saved[k].source)

    def whence_of(self, k: int, source: Any) -> Any:
        """The node that made a kept value, and which of its results it is."""
        if source is not None:
            return (source._grad_fn, source._nr) if source._grad_fn is not None else (None, 0)
        return (self, 0) if self.plan.keep[k][0] == "z" else (None, 0)

    def boxed(self, k: int, value: Any) -> Any:
        """A kept value with its place in the graph, for derivatives of the derivative."""
        name, shape_only = self.plan.keep[k]
        if shape_only:
            return value
        saved = self.saved[k]
        if name == "z":
            if self.several:
                return remade(
                    value,
                    [
                        Box(EAGER, v, result(self, v, j)) if is_float(v) else v
                        for j, v in enumerate(value)
                    ],
                )
            return Box(EAGER, value, counted(result(self, np.asarray(value), 0), counter_of(saved)))
        for edge, (owner, path) in zip(self.edges, self.targets, strict=True):
            if owner == name:
                value = boxed_again(EAGER, value, saved, path, edge)
        return value

    def retype(self, k: int, kind: Any) -> None:
        """One of the results was put into memory of another type."""
        self.outputs = tuple(
            (shape, kind) if j == k else (shape, old) for j, (shape, old) in enumerate(self.outputs)
        )

    def release(self) -> None:
        """Let go of the arrays; a node that kept shapes only may run again."""
        if type(self).__name__ in LASTING:
            return
        if not self.plan.pulls and any(not s for _, s in plan_of(self.rule, self.rule.active).keep):
            self.saved = None  # it kept nothing since it leads nowhere, and still runs once only
        if self.more is not None and self.more.get("guards"):
            self.saved = None
            return
        numbers = (float, int, complex)
        pairs = zip(self.saved or (), self.plan.keep, strict=False)
        if any(
            not shape
            and (
                type(s) in (Saved, Several)
                or (type(s) in numbers and n in (*self.rule.active, "z"))
            )
            for s, (n, shape) in pairs
        ):
            self.saved = None

    # -- what users see of the saved values --------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            return self.shown(name.removeprefix("_saved_"))
        if name.startswith("_raw_saved_"):
            return self.handle(name.removeprefix("_raw_saved_"))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        names = [
            *(shown_name(self.rule, n) for n, shape in self.plan.keep if not shape),
            *(self.attributes or {}),
        ]
        return [
            *super().__dir__(),
            *(f"_saved_{n}" for n in names),
            *(f"_raw_saved_{n}" for n in names),
        ]

    def position(self, name: str) -> int | None:
        for k, (own, shape_only) in enumerate(self.plan.keep):
            if shown_name(self.rule, own) == name and not shape_only:
                return k
        return None

    def might_keep(self, name: str) -> bool:
        """Whether a node of this kind keeps a value of that name, though this one did not need it."""
        return any(shown_name(self.rule, own) == name for own in self.rule.active)

    def shown(self, name: str) -> Any:
        if self.attributes is not None and name in self.attributes:
            return self.attributes[name]
        k = self.position(name)
        if k is None and self.might_keep(name):
            return None
        if k is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '_saved_{name}'")
        if self.saved is None:
            raise RuntimeError(FREED)
        value = self.value(k)
        return tensor(self.boxed(k, value)) if is_array(value) else value

    def handle(self, name: str) -> SavedTensor:
        k = self.position(name)
        if k is None and self.might_keep(name):
            return SavedTensor(self, None, lambda: None)
        if k is None:
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '_raw_saved_{name}'"
            )
        saved = None if self.saved is None else self.saved[k]
        return SavedTensor(
            self,
            saved if type(saved) is Saved or saved is None else None,
            lambda: tensor(self.boxed(k, self.value(k))),
        )


class AnyOpNode(OpNode):
    """The node of any operation; it holds all of its plan itself."""

    __slots__ = ("plan", "rule", "several", "targets")

    def __init__(
        self,
        rule: Rule,
        plan: Plan,
        edges: Any,
        targets: Any,
        saved: Any,
        outputs: Any,
        several: bool,
    ) -> None:
        super().__init__(edges, outputs)
        self.attributes = None
        self.rule, self.plan, self.targets = rule, plan, targets
        self.saved, self.several = saved, several


def shown_name(rule: Rule, name: str) -> str:
    """What a kept value is called: as torch calls it."""
    return SPECIAL.get((rule.name, name)) or NAMES.get(name, name)


def zeros(output: Any) -> Any:
    return np.zeros(output[0], output[1])


def boxed(value: Any) -> Any:
    from ..tensor.tensor import Tensor

    if not isinstance(value, Tensor):
        return value
    needs = value._requires or value._grad_fn is not None or is_dual(value)
    return Box(EAGER, value._array, value) if needs else value._array


def tensor(part: Any) -> Any:
    """What an operation on boxes gave, as a tensor."""
    from ..tensor.tensor import wrapped

    if type(part) is Box:
        return part._mark if part._mark is not None else wrapped(np.asarray(raw(part)))
    return wrapped(np.asarray(part))


# -- recording ------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def node_class(name: str) -> type[AnyOpNode]:
    """The class of the nodes of that name."""
    return type(name, (AnyOpNode,), {"__slots__": (), "__module__": __name__})


def title(rule: Rule) -> str:
    name = TITLES.get(rule.name, rule.name.title().replace("_", ""))
    return f"{name}Backward0"


class EagerLevel(Level):
    """Operations on tensors: a box is marked with the tensor it stands for."""

    def record(self, op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any) -> Any:
        first = next(iter(given.values()), None)
        if op in (linear.unbroadcast, linear.stretch) and type(first) is Box and z is first._value:
            return first
        made = recorded(op, rule, given, active, z)
        if levels.current >= 0 and running.pushes:
            push(op, (), {}, made, rule, given)
        return map_paths(
            lambda part, path: Box(self, part, at(made, path)) if is_float(part) else part, z
        )

    def constant(self, z: Any) -> Any:
        return z


EAGER = EagerLevel()


def recorded(
    op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any, name: str | None = None
) -> Any:
    """The result (tensors for its float parts) of an operation on boxes, with the node that made it."""
    from ..tensor.tensor import of_node, wrapped

    own = defaults_of(rule) | lowered(given, EAGER)
    if watch.on:
        own, z = map_operands(unseen, own), map_operands(unseen, z)
    edges: list[Any] = []
    targets: list[tuple[str, tuple[Any, ...]]] = []
    for parameter in rule.active:
        if parameter in given and (parameter in active or is_array(own[parameter])):
            for path, box in boxes_map_paths(given[parameter]):
                edges.append(None if box is None else edge_of(box._mark))
                targets.append((parameter, path))
    reached = {name for edge, (name, _) in zip(edges, targets, strict=True) if leads_on(edge)}
    alone = len(rule.active) == 1  # PyTorch keeps what such a formula reads, wherever it leads
    plan = plan_of(rule, tuple(name for name in active if alone or name in reached))
    several = isinstance(z, (tuple, list))
    parts = z if several else [z]
    if all(edge is None for edge in edges):  # tangents only
        return map_paths(lambda part, _: wrapped(np.asarray(part)) if is_float(part) else part, z)
    outputs = tuple(shape_and_type(np.asarray(p)) for p in parts)
    kind = node_class(name or running.name or title(rule))
    node = kind(rule, plan, tuple(edges), tuple(targets), (), outputs, several)
    if anomaly.enabled:
        remember(node)
    made = [of_node(np.asarray(p), node, k) if is_float(p) else p for k, p in enumerate(parts)]
    node.saved = tuple(
        kept(n, shape, rule.active, own, given, z, made, several) for n, shape in plan.keep
    )
    if modes.pack is not None:
        pack(node)
    return type(z)(made) if several and type(z) in (tuple, list) else (made if several else made[0])


def is_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic))


def boxes_map_paths(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """Each array of an argument: its box if it has one, and where it is."""
    if type(value) is Box:
        yield path, value
    elif isinstance(value, (tuple, list)):
        for k, item in enumerate(value):
            yield from boxes_map_paths(item, (*path, k))
    elif is_array(value) or isinstance(value, (int, float, complex)):
        yield path, None


def call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None = None) -> Any:
    """``fn(*args, **kwargs)`` on tensors; it is recorded where one of them requires grad."""
    try:
        if watch.on:
            return watched_call(pushed_call, fn, args, kwargs, name)
        return pushed_call(fn, args, kwargs, name)
    except ValueError as error:
        raise said(error, args) from None


def pushed_call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None) -> Any:
    """A call, its tangent pushed where an argument has one; of a call that is several operations, theirs are."""
    if levels.current < 0 or is_several(fn) or not has_duals((args, kwargs)):
        return recorded_call(fn, args, kwargs, name)
    before, running.pushes = running.pushes, False
    try:
        made = recorded_call(fn, args, kwargs, name)
    finally:
        running.pushes = before
    push(fn, args, kwargs, made)
    return made


def is_several(fn: Any) -> bool:
    """Whether a call may be computed from others, whose rules say what is not in its own."""
    outer = isinstance(getattr(fn, "__self__", None), np.ufunc) and fn.__name__ == "outer"
    return outer or fn in rewrites.FORMS or fn in rewrite_call.FORMS


def recorded_call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None) -> Any:
    from ..tensor.tensor import Tensor, wrapped

    needs = False
    counters: dict[int, Any] = {}

    def lower(leaf: Any) -> Any:
        nonlocal needs
        if not isinstance(leaf, Tensor):
            return leaf
        if (
            modes.grad
            and not modes.inference
            and leaf.requires_grad
            and leaf._array.dtype.kind in "fcV"
        ):
            needs = True
            return Box(EAGER, leaf._array, leaf)
        if is_dual(leaf):
            needs = needs or running.pushes
            return Box(EAGER, leaf._array, leaf)
        counters[id(leaf._array)] = "inference" if leaf.is_inference() else leaf._counter
        return leaf._array

    args = map_operands(lower, args)
    kwargs = map_operands(lower, kwargs)
    if not needs:
        z = fn(*map_operands(raw, args), **map_operands(raw, kwargs))
        return map_paths(lambda part, _: wrapped(np.asarray(part)) if is_array(part) else part, z)
    before = running.name, running.counters, running.users
    running.name, running.counters, running.users = name, counters, True
    try:
        z = apply(fn, args, kwargs)
    finally:
        running.name, running.counters, running.users = before
    return map_paths(
        lambda part, _: tensor(part) if type(part) is Box or is_array(part) else part, z
    )
