"""What `vmap` is asked for: which axis of each argument counts the examples, and what one example is then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import Parameter
from typing import Any, NamedTuple

import numpy as np

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.records import replace

from .containers import Pack
from .types import Array, Exactly, Given, Number, Numeric, Size, Stack, Tree, Type, is_text

__all__ = [
    "PERHAPS",
    "Axes",
    "Found",
    "Perhaps",
    "by_parameters",
    "frozen",
    "known_of_example",
    "of_one_example",
    "outs",
    "sizes_of",
    "spread_out",
    "without",
]  # fmt: skip


class Perhaps(int):
    """The axis of the examples of a parameter with a default, if what it is given has more axes than that."""

    rank = 0

    def above(self, rank: int) -> Perhaps:
        """The same of a default with so many axes."""
        made = Perhaps(self)
        made.rank = rank
        return made

    def __repr__(self) -> str:
        return f"perhaps {int(self)} above {self.rank}"


PERHAPS = Perhaps(0)


class Axes(NamedTuple):
    """For each parameter the axis of the examples: a number, None, or a container of these; and in the results."""

    ins: tuple[tuple[str, Any], ...]
    out: Any = 0
    asked: Any = 0  # as the user said it
    rest: int | None = None  # of parameters without a name beforehand: cotangents

    def of(self, name: str) -> Any:
        return dict(self.ins).get(name)


Sizes = list[
    tuple[str, int, Size]
]  # where a batch was found, along which axis, and how many examples there are


class Found(NamedTuple):
    """A batch of arguments whose kinds are known: the axes of the examples, and where they were found."""

    axes: Axes
    sizes: Sizes


def of_one_example(
    types: dict[str, Type], chain: Sequence[Any]
) -> tuple[dict[str, Type], list[Found]]:
    """The kinds of the arguments that the function itself is given, and the batches, as the steps come."""
    found: list[Found] = []
    for step in reversed(chain):
        if step.kind == "vmap":
            types, batch = dropped(types, step.batch)
            found.insert(0, batch)
    return types, found


def known_of_example(
    types: dict[str, Type], chain: Sequence[Any]
) -> tuple[dict[str, Type], list[Found]]:
    """The same, and what else is known of the arguments: which are numbers of NumPy's."""
    own, batches = of_one_example(types, chain)
    return {name: as_numbers(types[name], kind) for name, kind in own.items()}, batches


def as_numbers(whole: Type, one: Type) -> Type:
    """The type of one example, where that is an item of an array: a number of NumPy's then, and no array.

    >>> of_one = as_numbers(Array("f8", (None,), "f"), Array("f8", (), "f"))
    >>> of_one.value
    Exactly(cls=<class 'numpy.generic'>, sure=True)
    """
    if isinstance(one, Tree) and isinstance(whole, Tree):
        return replace(one, items=tuple(map(as_numbers, whole.items, one.items)))
    if isinstance(one, Array) and one.dims == () and whole != one:
        return Given(one, Exactly(np.generic, sure=True))
    return one


def dropped(types: dict[str, Type], axes: Axes) -> tuple[dict[str, Type], Found]:
    sizes: Sizes = []
    made = {name: without(kind, axes.of(name), name, sizes) for name, kind in types.items()}
    ins = tuple((name, settled(axis, types.get(name))) for name, axis in axes.ins)
    if not sizes and any(axis is not None for name, axis in axes.ins if name in types):
        raise SignatureMismatch("no argument of vmap has an axis of examples")
    return made, Found(axes._replace(ins=ins), sizes)


def settled(axis: Any, kind: Any) -> Any:
    """An axis of which is known whether it is there; of parts that agree, one for all of them."""
    if (
        not isinstance(axis, Perhaps)
        and not isinstance(axis, (dict, tuple, list))
        and not isinstance(kind, Tree)
    ):
        return axis
    if isinstance(kind, Tree) and kind.items:
        given = axis if isinstance(axis, dict) else dict.fromkeys(kind.keys, axis)
        if isinstance(axis, (tuple, list)):
            given = dict(zip(kind.keys, axis, strict=True))
        parts = [settled(given[k], i) for k, i in zip(kind.keys, kind.items, strict=True)]
        arrays = [p for p, i in zip(parts, kind.items, strict=True) if not is_text(i)]
        if all(p == arrays[0] for p in arrays[1:]):
            return arrays[0] if arrays else None
        return dict(zip(kind.keys, parts, strict=True)) if kind.container == "dict" else parts
    if isinstance(axis, Perhaps):
        known = isinstance(kind, Array) and kind.dims is not None and len(kind.dims) > axis.rank
        return int(axis) if known else None
    return axis


def sizes_of(sizes: Sizes) -> Iterator[tuple[str, str]]:
    """Pairs of names of sizes that have to be equal."""
    for _, _, size in sizes[1:]:
        if size != sizes[0][2] and size is not None and sizes[0][2] is not None:
            yield str(sizes[0][2]), str(size)


def without(kind: Any, axis: Any, path: str, sizes: Sizes) -> Any:
    """The kind of one example of an argument."""
    if axis is None:
        return kind
    if isinstance(kind, Given):
        return (
            kind if without(kind.type, axis, path, sizes) is kind.type else refuse(path, kind.type)
        )
    if isinstance(axis, (dict, tuple, list)):
        return of_parts(kind, axis, path, sizes)
    if isinstance(kind, Array):
        return of_array(kind, axis, path, sizes)
    if isinstance(axis, Perhaps) and isinstance(kind, (Number, Numeric)):
        return kind
    if is_text(kind) or (isinstance(kind, Tree) and not kind.items):
        return kind
    if isinstance(kind, Tree):
        items = [
            without(i, axis, spelled(path, kind, k), sizes)
            for k, i in zip(kind.keys, kind.items, strict=True)
        ]
        return replace(kind, items=tuple(items))
    if isinstance(kind, Stack):
        return replace(kind, item=without(kind.item, axis, f"{path}[0]", []))
    if isinstance(axis, Perhaps):
        return kind
    return refuse(path, kind)


def spelled(path: str, kind: Tree, key: Any) -> str:
    return f"{path}.{key}" if kind.container == "object" else f"{path}[{key!r}]"


def of_parts(kind: Any, axes: Any, path: str, sizes: Sizes) -> Any:
    if not isinstance(kind, Tree):
        raise SignatureMismatch(
            f"in_axes has parts for `{path}`, which has none: give one axis, or None"
        )
    given = axes if isinstance(axes, dict) else dict(zip(kind.keys, axes, strict=False))
    if set(given) != set(kind.keys) or (not isinstance(axes, dict) and len(axes) != len(kind.keys)):
        raise SignatureMismatch(
            f"in_axes of `{path}` has the parts {list(given)}, and the argument {list(kind.keys)}"
        )
    items = [
        without(i, given[k], spelled(path, kind, k), sizes)
        for k, i in zip(kind.keys, kind.items, strict=True)
    ]
    return replace(kind, items=tuple(items))


def of_array(kind: Array, axis: Any, path: str, sizes: Sizes) -> Any:
    if kind.dims is None:
        raise SignatureMismatch(
            f"vmap needs to know how many axes `{path}` has: give it by `sig`, or call it once"
        )
    if isinstance(axis, Perhaps):
        if len(kind.dims) <= axis.rank:
            return kind
        axis = int(axis)
    rank = len(kind.dims)
    if not -rank <= axis < rank:
        raise SignatureMismatch(
            f"in_axes is {axis} for `{path}`, which has {rank} axes"
            + ("; give None for what all examples share" if rank == 0 else "")
        )
    axis %= rank
    sizes.append((path, axis, kind.dims[axis]))
    return kind.with_dims((*kind.dims[:axis], *kind.dims[axis + 1 :]))


def refuse(path: str, kind: Any) -> Any:
    what = "a number" if isinstance(kind, (Number, Numeric)) else "no array"
    raise SignatureMismatch(
        f"`{path}` is {what}, and has no axis of examples; give None in in_axes for what all examples share"
    )


def outs(tree: Any, axis: Any) -> Iterator[Any]:
    """The axis of the examples in each number or array of a result."""
    if not isinstance(tree, Pack):
        yield axis
        return
    if isinstance(axis, (dict, tuple, list)):
        given = axis if isinstance(axis, dict) else dict(zip(tree.keys, axis, strict=False))
        if set(given) != set(tree.keys) or len(axis) != len(tree.keys):
            raise SignatureMismatch(
                f"out_axes has {len(axis)} parts, and the result {len(tree.keys)}"
            )
    else:
        given = dict.fromkeys(tree.keys, axis)
    for key, item in zip(tree.keys, tree.items, strict=True):
        yield from outs(item, given[key])


def spread_out(axes: Axes, function: Any) -> tuple[tuple[Any, ...], Any]:
    """The axes of the parameters of a function of the compiler, and of its results, one for each number or array."""
    known = dict(axes.ins)
    ins = tuple(known.get(name, axes.rest) for name in function.names)
    return ins, list(outs(function.tree, axes.out))


# -- what is asked for -----------------------------------------------------------------------------


class Parts(dict[Any, Any]):
    """Axes of the parts of a dict; they do not change."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


def frozen(axes: Any, word: str) -> Any:
    """Axes as they were asked for, and checked."""
    if axes is None or (type(axes) is not bool and isinstance(axes, int)):
        return axes
    if isinstance(axes, dict):
        return Parts({key: frozen(item, word) for key, item in axes.items()})
    if isinstance(axes, (tuple, list)):
        return tuple(frozen(item, word) for item in axes)
    raise SignatureMismatch(f"{word} is a number, None, or a tuple of these, not {axes!r}")


def by_parameters(name: str, params: Sequence[Parameter], asked: Any) -> dict[str, Any]:
    """For each parameter the axis that was asked for."""
    if isinstance(asked, Parts):
        own = [p.name for p in params]
        strange = [key for key in asked if key not in own]
        if strange:
            raise SignatureMismatch(
                f"in_axes names `{strange[0]}`, and {name} has {', '.join(own)}"
            )
        found = {p.name: asked.get(p.name) for p in params}
    else:
        left = list(asked) if isinstance(asked, tuple) else None
        found = {p.name: axis_of(p, asked, left) for p in params}
        if left:
            own = [p.name for p in params]
            raise SignatureMismatch(
                f"in_axes has {len(asked)} parts, and {name} takes fewer arguments: {', '.join(own)}"
            )
    if all(is_nothing(axis) for axis in found.values()):
        raise SignatureMismatch(f"in_axes leaves no argument of {name} with an axis of examples")
    return found


def axis_of(p: Parameter, asked: Any, left: list[Any] | None) -> Any:
    """The axis of one parameter; ``left``: those that are not spoken for."""
    if p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD):
        return 0 if p.default is p.empty else of_default(p.default, 0)
    if left is None:
        return asked if asked is None or p.default is p.empty else of_default(p.default, asked)
    if p.kind is p.VAR_POSITIONAL:
        rest = tuple(left)
        left.clear()
        return rest
    if left:
        return left.pop(0)
    if p.default is p.empty:
        raise SignatureMismatch(f"in_axes has no part for the argument `{p.name}`")
    return of_default(p.default, 0)


def of_default(default: Any, axis: int) -> Any:
    """The axis of a parameter that need not be given."""
    if isinstance(default, (dict, tuple, list)) or hasattr(default, "__dict__"):
        return None
    return Perhaps(axis).above(len(getattr(default, "shape", ())))


def is_nothing(axis: Any) -> bool:
    if isinstance(axis, dict):
        return all(map(is_nothing, axis.values()))
    return all(map(is_nothing, axis)) if isinstance(axis, tuple) else axis is None
