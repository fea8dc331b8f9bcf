"""Operations are recorded: any call of the rule book on tensors, as the tape makes it on boxes."""

from __future__ import annotations

import sys
from typing import Any

from ...arrays.libraries import CUPY
from ...batching.batched_array import as_array
from ...errors import TapeError
from ...objects.pytree import map_operands, map_paths
from ...rules import all_rules, rewrites  # noqa: F401  (registers every family)
from ...rules.book import Rule
from ...tape.box import Box, is_float, lowered, raw
from ...tape.dispatch import apply, execute
from ...tape.rule_evaluation import defaults_of
from ..batches.crossings import edge_into
from ..observe.anomaly_mode import anomaly, remember
from ..observe.observers import unseen, watch, watched_call
from ..sparse.sparse_tensor import SparseTensor, sparse_call
from ..tensor.overrides import refuse_overrides
from ..tensor.shape_errors import said
from ..tensor.tensor import Tensor, of_node, wrapped
from ..tensor.transfers import at_one_place
from .boxes import EAGER, is_array, tensor
from .grad_mode import modes
from .node import leads_on, shape_and_type
from .operation_node import node_class
from .plan import plan_of
from .push_tangents import has_duals, push
from .saving import kept, pack, running
from .tangents import is_dual, levels

__all__ = ["call", "recorded"]


TITLES = {
    "multiply": "Mul", "subtract": "Sub", "divide": "Div", "negative": "Neg", "power": "Pow",
    "absolute": "Abs", "matmul": "Mm", "concatenate": "Cat", "true_divide": "Div", "arcsin": "Asin",
    "arccos": "Acos", "arctan": "Atan", "arcsinh": "Asinh", "arccosh": "Acosh", "arctanh": "Atanh",
    "broadcast_to": "Expand", "getitem": "Index", "amax": "Max", "amin": "Min", "swapaxes": "Transpose", "unreduce": "Expand",
}  # fmt: skip


def title(rule: Rule) -> str:
    name = TITLES.get(rule.name, rule.name.title().replace("_", ""))
    return f"{name}Backward0"


def recorded(
    op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any, name: str | None = None
) -> Any:
    """The result (tensors for its float parts) of an operation on boxes, with the node that made it."""
    own = defaults_of(rule) | lowered(given, EAGER)
    if watch.on:
        own, z = map_operands(unseen, own), map_operands(unseen, z)
    edges: list[Any] = []
    targets: list[tuple[str, tuple[Any, ...]]] = []
    for parameter in rule.active:
        if parameter in given and (parameter in active or is_array(own[parameter])):
            for path, box in boxes_by_path(given[parameter]):
                edges.append(None if box is None else edge_into(box._mark))
                targets.append((parameter, path))
    reached = {name for edge, (name, _) in zip(edges, targets, strict=True) if leads_on(edge)}
    alone = len(rule.active) == 1  # PyTorch keeps what such a formula reads, wherever it leads
    plan = plan_of(rule, tuple(name for name in active if alone or name in reached))
    several = isinstance(z, (tuple, list))
    parts = z if several else [z]
    if all(edge is None for edge in edges):  # tangents only
        return map_paths(lambda part, _: wrapped(as_array(part)) if is_float(part) else part, z)
    outputs = tuple(shape_and_type(as_array(p)) for p in parts)
    kind = node_class(name or running.name or title(rule))
    node = kind(rule, plan, tuple(edges), tuple(targets), (), outputs, several)
    if anomaly.enabled:
        remember(node)
    made = [of_node(as_array(p), node, k) if is_float(p) else p for k, p in enumerate(parts)]
    node.saved = tuple(
        kept(n, shape, rule.active, own, given, z, made, several) for n, shape in plan.keep
    )
    if modes.pack is not None:
        pack(node)
    return type(z)(made) if several and type(z) in (tuple, list) else (made if several else made[0])


def pushed_record(op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any) -> Any:
    """The same, with its tangents."""
    made = recorded(op, rule, given, active, z)
    if levels.current >= 0 and running.pushes:
        push(EAGER, op, (), {}, made, rule, given)
    return made


EAGER.recorder = pushed_record


def boxes_by_path(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """Each array of an argument: its box if it has one, and where it is."""
    if type(value) is Box:
        yield path, value
    elif isinstance(value, (tuple, list)):
        for k, item in enumerate(value):
            yield from boxes_by_path(item, (*path, k))
    elif is_array(value) or isinstance(value, (int, float, complex)):
        yield path, None


def call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None = None) -> Any:
    """``fn(*args, **kwargs)`` on tensors; it is recorded where one of them requires grad."""
    refuse_overrides(args)
    if CUPY in sys.modules:
        args, kwargs = at_one_place(args, kwargs) or (args, kwargs)
    if any(type(one) is SparseTensor for one in args):
        return sparse_call(fn, args, kwargs)
    try:
        if watch.on:
            return watched_call(pushed_call, fn, args, kwargs, name)
        return pushed_call(fn, args, kwargs, name)
    except ValueError as error:
        raise said(error, args) from None


def pushed_call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None) -> Any:
    """A call, its tangent pushed where an argument has one; of a call that is several operations, theirs are."""
    if levels.current < 0 or not has_duals((args, kwargs)):
        return recorded_call(fn, args, kwargs, name)
    if is_several(fn):
        try:
            return recorded_call(fn, args, kwargs, name)
        except TapeError as error:  # it was one after all, and its rule has no way forward
            raise NotImplementedError(str(error)) from error
    before, running.pushes = running.pushes, False
    try:
        made = recorded_call(fn, args, kwargs, name)
    finally:
        running.pushes = before
    push(EAGER, fn, args, kwargs, made)
    return made


def is_several(fn: Any) -> bool:
    """True if a call may be computed from others, whose rules say what is not in its own."""
    return rewrites.is_rewritten(fn)


def recorded_call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None) -> Any:
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
        z = execute(fn, map_operands(raw, args), map_operands(raw, kwargs))
        return map_paths(lambda part, _: wrapped(as_array(part)) if is_array(part) else part, z)
    before = running.name, running.counters, running.users
    running.name, running.counters, running.users = name, counters, True
    try:
        z = apply(fn, args, kwargs)
    finally:
        running.name, running.counters, running.users = before
    return map_paths(
        lambda part, _: tensor(part) if type(part) is Box or is_array(part) else part, z
    )
