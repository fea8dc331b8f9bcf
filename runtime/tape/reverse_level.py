"""The level of reverse mode, which records what to pull back; and how a rule is evaluated on boxes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..errors import TapeError
from ..helpers import linear, lists
from ..objects.homes import RUNTIME
from ..objects.memory_layout import copy_as_it_lies
from ..objects.own_attributes import own_attribute
from ..objects.pytree import LEAVES, children, map_paths, with_items
from ..rules.argument_binding import own_parameters
from ..rules.book import Rule
from ..rules.scipy import registry
from ..traits.exact_zeros import chooses
from . import operators  # noqa: F401  (the operators of boxes)
from .box import Box
from .boxed_functions import evaluate
from .dispatch import EXTRA, Level, apply, has_boxes, is_float, lowered, name_of, raw
from .graph import Edge, Mark, Node
from .zero_tangent import Zero

__all__ = ["Tape", "zeros_like"]

ADJOINTS_OF_EXTRA: dict[str, dict[str, Callable[..., Any]]] = {}
SMALL = 64


class Tape(Level):
    """Reverse mode: a mark says which node made the value."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[int, tuple[Any, Any]] = {}

    def record(self, op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any) -> Any:
        own = defaults_of(rule) | lowered(given, self)
        edges = [
            Edge(list(self.targets(given[name], ())), *self.pulls(op, rule, name, given, own, z))
            for name in active
        ]
        return self.boxed(name_of(op), edges, z)

    def boxed(self, name: str, edges: list[Edge], z: Any) -> Any:
        """The result in a box; where there are several, each float one in a box of its own."""
        if is_float(z):
            return Box(self, z, Mark(Node(name, edges)))
        if children(z) is None:
            return checked(name, z)
        node = Node(name, edges, partial(rebuilt, stand_in(z)))
        return by_path(
            lambda part, path: (
                Box(self, part, Mark(node, path)) if is_float(part) else checked(name, part)
            ),
            z,
        )

    def targets(self, value: Any, path: tuple[Any, ...]) -> Any:
        if type(value) is Box:
            if value._level is self and value._mark is not None:
                yield path, value._mark
        else:
            for key, item in children(value) or ():
                yield from self.targets(item, (*path, key))

    def pulls(
        self, op: Any, rule: Rule, name: str, given: dict[str, Any], own: dict[str, Any], z: Any
    ) -> tuple[Any, ...]:
        """What sends the cotangent of the result to one argument; it keeps what it reads only."""
        adjoint = adjoint_of(rule, name)
        if adjoint is None:
            values = {k: self.keep(v, given.get(k)) for k, v in own.items()}
            return (partial(transposed, rule, name, z, values),)
        reads, cotangent, shapes = parameters(adjoint), cotangent_of(rule), shapes_of(adjoint)
        saved: dict[str, Any] = {}
        for k in reads:
            if k == cotangent:
                continue
            value = z if k == "z" else own[k]
            saved[k] = stand_in(value) if k in shapes else self.keep(value, given.get(k))

        def pull(c: Any) -> Any:
            arrived = {cotangent: c} if cotangent in reads else {}
            return evaluate(adjoint, **arrived, **saved)

        masked = any(is_mask(own[k]) for k in rule.active if k != name)
        chosen = op in EXTRA or masked or chooses(adjoint, own)  # the tape's own are writes
        if not is_elementwise(op, rule) or cotangent not in reads:
            return pull, None, chosen
        like = stand_in(own[name])

        def careful(c: Any) -> Any:
            """Zeros of ``c`` win over infinite slopes, before what was stretched is summed."""
            part = pull(c)
            if not (np.any(np.isnan(raw(part))) and np.any(np.equal(raw(c), 0))):
                return part
            wide = dict(saved)
            if name in wide:
                wide[name] = call(linear.stretch, wide[name], stand_in(c))
            part = evaluate(adjoint, **{cotangent: c}, **wide)
            hole = np.equal(raw(c), 0) & np.isnan(raw(part))
            return call(linear.unbroadcast, call(np.where, hole, 0.0, part), like)

        return pull, careful, chosen

    def keep(self, value: Any, given: Any) -> Any:
        """A value to be read later: what the program could write to is copied."""
        if type(value) is Box:
            return value if type(given) is Box and given._level is self else value._snapshot()
        if type(given) is Box:
            return value
        inner = children(value)
        if inner is not None:
            found = dict(children(given) or ())
            return with_items(value, [self.keep(v, found.get(k)) for k, v in inner])
        if type(value) is not np.ndarray or not value.flags.writeable:
            return value
        known = self.kept.get(id(value))
        if known is None or known[0] is not value or not same_content(known[1], value):
            known = self.kept[id(value)] = (value, copy_as_it_lies(value))
        return known[1]


def is_elementwise(op: Any, rule: Rule) -> bool:
    return rule.broadcasts or (isinstance(op, np.ufunc) and op.signature is None)


def is_mask(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_)) or getattr(value, "dtype", None) == np.bool_


def is_list_of(op: Any, value: Any) -> bool:
    """Whether an argument is the list that one of the helpers on lists changes."""
    return isinstance(value, list) and own_attribute(op, "__module__", "") == lists.__name__


by_path = map_paths


def checked(name: str, part: Any) -> Any:
    """A part of a result that carries no derivative: it must be something that can carry none."""
    if type(part) in LEAVES or isinstance(part, (np.ndarray, np.generic)) or type(part) is Box:
        return part
    raise TapeError(
        f"{name} gives a {type(part).__name__}, which may hold values being differentiated; the tape goes "
        "through numbers, arrays, tuples, lists, dicts and dataclasses of them"
    )


def rebuilt(like: Any, parts: dict[tuple[Any, ...], Any]) -> Any:
    """The cotangent of a container: what arrived at each place, and zeros."""
    return by_path(lambda z, path: parts[path] if path in parts else zeros_like(z), like)


def evaluate_rule(rule: Rule, z: Any, own: dict[str, Any], ds: dict[str, Any]) -> Any:
    """The differential of a rule; a parameter ``*xs`` takes its tuple apart."""
    args: list[Any] = [z]
    named: dict[str, Any] = {}
    for p in own_parameters(rule.differential, 1).parameters.values():
        if p.name not in own:
            continue
        if p.kind is p.VAR_POSITIONAL:
            args += own[p.name]
        elif p.kind is p.POSITIONAL_ONLY or len(args) == 1 + positional(rule).index(p.name):
            args.append(own[p.name])
        else:
            named[p.name] = own[p.name]
    return evaluate(rule.differential, *args, **named, **ds)


def positional(rule: Rule) -> list[str]:
    return list(own_parameters(rule.differential, 1).parameters)


@functools.lru_cache(maxsize=4096)
def defaults_of(rule: Rule) -> dict[str, Any]:
    """What the parameters of a rule are where the call does not say."""
    return {
        p.name: () if p.kind is p.VAR_POSITIONAL else p.default
        for p in own_parameters(rule.differential, 1).parameters.values()
        if p.kind is p.VAR_POSITIONAL or p.default is not p.empty
    }


@functools.lru_cache(maxsize=4096)
def adjoint_of(rule: Rule, name: str) -> Callable[..., Any] | None:
    """The emitted adjoint of one argument; the user's own rules have none."""
    differential = rule.differential
    if not differential.__module__.startswith(RUNTIME):
        return None
    key = rule.key
    from ..generated.adjoints import ADJOINTS  # 5,000 lines: most programs have nothing on the tape

    table: Any = ADJOINTS_OF_EXTRA.get(key) or ADJOINTS.get(key) or of_extra(key)
    found: Callable[..., Any] | None = table.get(name)
    return found


def of_extra(key: str) -> dict[str, Callable[..., Any]]:
    """The adjoints of a rule for SciPy."""
    if not registry.is_extra(key):
        return {}
    from ..generated import adjoints_scipy

    table: Any = adjoints_scipy.ADJOINTS
    found: dict[str, Callable[..., Any]] = table.get(key, {})
    return found


def parameters(function: Any) -> tuple[str, ...]:
    return tuple(function.__code__.co_varnames[: function.__code__.co_argcount])


def shapes_of(adjoint: Any) -> tuple[str, ...]:
    """What an emitted adjoint reads for its shape only."""
    table: Any = adjoint.__globals__.get("SHAPES", {})
    found: tuple[str, ...] = table.get(adjoint.__name__, ())
    return found


def cotangent_of(rule: Rule) -> str:
    """What the adjoints of a rule call the gradient of the result."""
    return "c_bar" if "c" in rule.own else "c"


def transposed(rule: Rule, name: str, z: Any, own: dict[str, Any], c: Any) -> Any:
    """The adjoint of a rule nothing was emitted for: its differential is linear, and is taped."""
    from .calls import taped

    def differential(d: Any) -> Any:
        ds = {f"d{k}": d if k == name else Zero() for k in rule.active}
        dot = evaluate_rule(rule, z, own, ds)
        return call(linear.stretch, dot, stand_in(z)) if rule.broadcasts else dot

    start = zeros_like(own[name])
    _, pull = taped(differential, start)
    return pull(c)


def zeros_like(x: Any) -> Any:
    return 0.0 if x is None else call(linear.zeros_like, x)


def call(fn: Any, *args: Any) -> Any:
    return apply(fn, args, {}) if has_boxes(args) else fn(*args)


def stand_in(value: Any) -> Any:
    """Something of the same structure, shape and dtype that holds no memory."""
    if type(value) is np.ndarray and value.size > SMALL:
        return np.broadcast_to(np.zeros((), value.dtype), value.shape)
    if type(value) is Box:
        return stand_in(raw(value))
    if children(value) is not None:
        return by_path(lambda part, _: stand_in(part), value)
    return value


def same_content(a: Any, b: Any) -> bool:
    return a.dtype == b.dtype and bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))
