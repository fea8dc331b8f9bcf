"""The level of reverse mode, which records what to pull back; and the pullback of a call that ran on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ..arrays.libraries import is_cupy
from ..errors import SignatureMismatch, TapeError
from ..helpers import linear
from ..objects.memory_layout import copy_as_it_lies, same_content
from ..objects.own_attributes import own_attribute
from ..objects.pytree import children, leaves, map_leaves, map_pairs, map_paths, part, with_items
from ..objects.watched_operations import watch
from ..rules.book import Rule
from ..traits.contractions import spelled
from ..traits.exact_zeros import chooses
from ..traits.lookup import traits_of
from .box import Box, Level, is_float, lowered, raw
from .boxed_functions import evaluate, spoken
from .dispatch import EXTRA, add, call, name_of
from .graph import Edge, Mark, Node, backward
from .rule_evaluation import (
    adjoint_of,
    checked,
    cotangent_of,
    defaults_of,
    evaluate_rule,
    is_mask,
    parameters,
    rebuilt,
    shapes_of,
    stand_in,
    zeros_like,
)
from .run_function import (
    check_unchanged,
    contents,
    frozen,
    known,
    leave,
    owned,
    run,
)
from .zero_tangent import Zero

__all__ = ["Pull", "Tape", "entered", "transposed"]

Wrt = tuple[int | str, ...]


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
        seen = watch()
        if seen is not None:
            edges = seen.recorded(name_of(op), own, z, edges)
        return self.boxed(name_of(op), edges, z)

    def boxed(self, name: str, edges: list[Edge], z: Any) -> Any:
        """The result in a box; where there are several, each float one in a box of its own."""
        if is_float(z):
            return Box(self, z, Mark(Node(name, edges)))
        if children(z) is None:
            return checked(name, z)
        node = Node(name, edges, partial(rebuilt, stand_in(z)))
        return map_paths(
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
        """The pulls of the cotangent of the result to one argument; they keep only what they read."""
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
        letters = letters_of(op, rule, own)
        if letters and cotangent in reads:

            def guarded(c: Any) -> Any:
                """Zeros of ``c`` win over what is not finite in factors that nothing else reaches."""
                others = {k: v for k, v in letters.items() if k != name and k in saved}
                wide = {
                    k: call(linear.reached, saved[k], saved[k], c, v) for k, v in others.items()
                }
                return evaluate(adjoint, **{cotangent: c}, **(saved | wide))

            return pull, guarded, chosen
        if not rule.stretches or cotangent not in reads:
            return pull, None, chosen
        like = stand_in(own[name])

        def careful(c: Any) -> Any:
            """Zeros of ``c`` win over infinite slopes, before what was stretched is summed."""
            part = pull(c)
            if not (is_cupy(raw(part)) or is_cupy(raw(c))) and not (  # on the device nobody asks
                np.any(np.isnan(raw(part))) and np.any(np.equal(raw(c), 0))
            ):
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
        if is_cupy(value):  # whether it was kept before would have to be waited for
            return value.copy()
        if type(value) is not np.ndarray or not value.flags.writeable:
            return value
        known = self.kept.get(id(value))
        if known is None or known[0] is not value or not same_content(known[1], value):
            known = self.kept[id(value)] = (value, copy_as_it_lies(value))
        return known[1]


def letters_of(op: Any, rule: Rule, own: dict[str, Any]) -> dict[str, str]:
    """The letters of the factors of a product that sums, each with the product's."""
    contracts = traits_of(op).contracts
    if contracts is None:
        return {}
    given = [k for k in rule.active if own.get(k) is not None]
    how = own.get("subscripts", own.get("axes"))
    found = spelled(contracts, [np.ndim(raw(own[k])) for k in given], how)
    if found is None:
        return {}
    return {k: f"{mine}->{found[1]}" for k, mine in zip(given, found[0], strict=False)}


def transposed(rule: Rule, name: str, z: Any, own: dict[str, Any], c: Any) -> Any:
    """The adjoint of a rule nothing was emitted for: its differential is linear, and is taped."""

    def differential(d: Any) -> Any:
        ds = {f"d{k}": d if k == name else Zero() for k in rule.active}
        dot = evaluate_rule(rule, z, own, ds)
        return call(linear.stretch, dot, stand_in(z)) if rule.broadcasts else dot

    start = zeros_like(own[name])
    return Pull(differential, (start,), {}, (0,))(c)


# -- pullbacks ------------------------------------------------------------------------------------


class Pull:
    """The pullback of one call; as an argument of another it stands for the call's arguments."""

    def __init__(
        self,
        fn: Any,
        args: Any,
        kwargs: dict[str, Any],
        wrt: tuple[int | str, ...],
        again: bool = False,
        apart: bool = False,
    ) -> None:
        outer = [a for a in leaves([*args, *kwargs.values()]) if type(a) is Box]
        before = [contents(a) for a in outer]
        args = tuple(self.held(a, k in wrt) for k, a in enumerate(args))
        kwargs = {k: self.held(a, k in wrt) for k, a in kwargs.items()}
        self.fn, self.args, self.kwargs, self.wrt = fn, args, kwargs, wrt
        self.level = Tape()
        self.leaves: dict[int | str, Any] = {}
        entered, named = list(args), dict(kwargs)
        place: Any
        for key in wrt:
            place = entered if isinstance(key, int) else named
            place[key] = self.enter(place[key], spoken(fn, key))
            self.leaves[key] = opened(place[key])
        try:
            self.result = run(self.level, fn, entered, named, wrt, again)
            found = leave(self.level, self.result)
        finally:
            self.level.ended = True
        check_unchanged(outer, before)
        self.shares = apart and linear.overlap(raw_leaves(found), raw_leaves([args, kwargs]))
        self.value = map_leaves(owned, found)
        self.result = map_leaves(self.end, self.result)

    def held(self, x: Any, asked: bool) -> Any:
        """An argument that nobody else can write to any more."""
        return map_leaves(owned if asked else frozen, x)

    def enter(self, x: Any, name: str) -> Any:
        def box(leaf: Any, _: Any) -> Any:
            if not is_float(leaf):
                return known(leaf, name)
            return Box(self.level, leaf, Mark(Node(name)), given=name)

        return entered(box, x)

    def end(self, leaf: Any) -> Any:
        """The part of a result needed later: where it was made, and its kind."""
        if type(leaf) is Box and leaf._level is self.level:
            return End(leaf._mark, stand_in(leaf._value))
        return End(None, stand_in(leaf))

    def __call__(self, c: Any) -> Any:
        """The cotangents of the arguments in ``wrt``: one, or a tuple for several."""
        seeds = [(end.mark, cast(part, end.like)) for end, part in ends(self.result, c)]
        found = backward([(m, part) for m, part in seeds if m is not None], add)
        bars = tuple(
            map_leaves(lambda leaf: self.bar(leaf, found), self.leaves[key]) for key in self.wrt
        )
        return bars if len(bars) != 1 else bars[0]

    def bar(self, leaf: Any, found: dict[Node, Any]) -> Any:
        if type(leaf) is Box and leaf._level is self.level:
            mark = leaf._mark
            c = found.get(mark.node)
            return zeros_like(leaf._value) if c is None else plain(cast(c, leaf._value), leaf)
        return zeros_like(raw(leaf))

    # -- as a container of the call's arguments ---------------------------------------

    def tree(self) -> tuple[Any, ...]:
        return tuple(self.args[k] if isinstance(k, int) else self.kwargs[k] for k in self.wrt)

    def with_tree(self, tree: tuple[Any, ...]) -> Pull:
        """The pullback of the same call of other arguments."""
        args, kwargs = list(self.args), dict(self.kwargs)
        place: Any
        for key, x in zip(self.wrt, tree, strict=True):
            place = args if isinstance(key, int) else kwargs
            place[key] = x
        made = Pull(self.fn, tuple(args), kwargs, self.wrt, again=True)
        check_repeated(made, self)
        return made

    def __getitem__(self, key: int) -> Any:
        return self.tree()[key]

    def __len__(self) -> int:
        return len(self.wrt)


def raw_leaves(tree: Any) -> list[Any]:
    return [raw(leaf) for leaf in leaves(tree)]


def check_repeated(made: Pull, first: Pull) -> None:
    """A second run for a higher derivative must give what the first gave."""
    one, two = raw_leaves(made.value), raw_leaves(first.value)
    if len(one) != len(two) or not all(map(is_same, one, two)):
        name = own_attribute(first.fn, "__name__", first.fn)
        raise TapeError(
            f"`{name}` gives another result when it is called again (random numbers, or a state it "
            "changes), so it has no second derivative; pass what varies as an argument"
        )


def is_same(a: Any, b: Any) -> bool:
    if is_float(a) and is_float(b):
        return bool(np.array_equal(a, b, equal_nan=True))
    return type(a) is type(b)


def cast(c: Any, like: Any) -> Any:
    """A cotangent in the kind of what it is the cotangent of."""
    return call(linear.unbroadcast, c, like)


def plain(c: Any, leaf: Box) -> Any:
    """The derivative of a Python number as one."""
    if type(c) is Box or not isinstance(c, np.inexact):
        return c
    kind = type(leaf._value)
    if kind is complex:
        return complex(c)
    return float(c) if kind is float and isinstance(c, np.floating) else c


class End:
    """A leaf of the result of a taped call."""

    __slots__ = ("like", "mark")

    def __init__(self, mark: Any, like: Any) -> None:
        self.mark, self.like = mark, like


def ends(result: Any, c: Any) -> Iterator[tuple[End, Any]]:
    """The leaves of a result, each with its cotangent; None is zero."""
    if c is None:
        return
    if type(result) is End:
        if np.shape(raw(c)) != np.shape(raw(result.like)):
            raise SignatureMismatch(
                f"a cotangent of shape {np.shape(raw(c))} for a result of shape "
                f"{np.shape(raw(result.like))}"
            )
        yield result, c
    else:
        for key, item in children(result) or ():
            yield from ends(item, inside(c, key))


def inside(c: Any, key: Any) -> Any:
    """A part of a cotangent; what a dict leaves out is zero."""
    return c.get(key) if isinstance(c, dict) else part(c, key)


def entered(change: Callable[[Any, Any], Any], tree: Any, other: Any = None) -> Any:
    """The same, a pullback being rebuilt around the arguments of its call."""

    def enter(leaf: Any, dot: Any) -> Any:
        if type(leaf) is not Pull:
            return change(leaf, dot)
        return leaf.with_tree(tuple(map_pairs(enter, leaf.tree(), dot)))

    return map_pairs(enter, tree, other)


def opened(tree: Any) -> Any:
    """The tree with pullbacks replaced by the arguments of their calls."""
    return map_leaves(lambda leaf: opened(leaf.tree()) if type(leaf) is Pull else leaf, tree)
