"""The numbers in an argument that is differentiated: which have a gradient, and what stands in the way of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.compiler.ir.argument_path import Place
from retrograd.compiler.ir.gradient_parts import (
    integers_among_floats,
    is_float_kind,
    is_registered,
    parts,
)
from retrograd.compiler.ir.types import Array, Tree, Type
from retrograd.runtime.errors import NotDifferentiable, UnsupportedOperation
from retrograd.runtime.objects.spoken_classes import a, array_of

from .argument_types import UNNAMED

__all__ = ["check_float", "has_gradient"]


def check_float(kind: Type, name: str, function: str) -> None:
    """Refuse a gradient with respect to what holds no float: it would be a silent zero.

    Fields that are texts, functions or integers have None for their gradient, if there are floats beside them;
    an integer among the floats of a list or tuple was meant for one.
    """
    found = list(parts(kind, name))
    for path, leaf in integers_among_floats(kind, name):
        raise no_gradient(function, path, leaf, name)
    for path, leaf in found:
        if leaf == UNNAMED:
            raise NotDifferentiable(
                f"{function}: `{path}` is a dict with a key that has no literal, as an Enum has none",
                fix="take texts or whole numbers for keys (`key.name`, `int(key)`), or leave it out of wrt",
            )
        refuse_holder(leaf, path, function)
    if found and not any(is_float_kind(leaf) for _, leaf in found):
        raise no_gradient(function, *found[0], name)


def has_gradient(kind: Type) -> bool:
    """True if nothing stands in the way of a gradient with respect to an argument of this kind."""
    if not any(
        getattr(leaf, "kind", None) in ("f", "c") or is_registered(leaf)
        for _, leaf in parts(kind, "")
    ):
        return False
    try:
        check_float(kind, "", "")
    except NotDifferentiable:
        return False
    return True


def no_gradient(function: str, path: str, leaf: Any, name: str) -> NotDifferentiable:
    number = getattr(leaf, "kind", None) in ("i", "b") or isinstance(leaf, Array)
    way = f"pass floats (np.asarray({name}, dtype=float)), or leave it out of wrt"
    return NotDifferentiable(
        f"{function}: `{path}` is {described(leaf)}, and has no gradient",
        fix=way if number else "pass a float or an array of floats, or leave it out of wrt",
    )


def refuse_parts_apart(types: dict[str, Type], places: Sequence[Place]) -> None:
    """Refuse to compile for a container whose parts are none of its attributes: nobody knows what reads them."""
    kinds = list(types.items())
    for place in places:
        name, kind = kinds[place.at] if place.at < len(kinds) else ("", None)
        for key in place.keys:
            kind = kind.item(key) if isinstance(kind, Tree) else None
        for path, leaf in parts(kind, name):
            if is_registered(leaf):
                raise UnsupportedOperation(
                    f"the items of `{path}`, a {leaf.cls.__name__}, are not attributes of it",
                    fix="let `flatten` return attributes, and `unflatten` keep them as they are",
                )


def described(leaf: Any) -> str:
    """What a leaf without a derivative is, in words."""
    kind = getattr(leaf, "kind", None)
    array = " array" if isinstance(leaf, Array) and leaf.dims else ""
    if kind in ("i", "b"):
        return f"an integer{array}" if kind == "i" else f"a boolean{array}"
    if isinstance(leaf, Array):
        return f"an array of dtype {leaf.dtype}, not of numbers"
    cls = getattr(leaf, "cls", None)
    return f"{'an object' if cls is None else a(cls)}, not a number"


# -- objects that hold numbers, and are no containers ---------------------------------------------


def refuse_holder(leaf: Any, path: str, function: str) -> None:
    """Refuse an object that holds numbers, and is no container of them: its derivative would be lost."""
    if not isinstance(leaf, Tree) or leaf.cls is None or leaf.known is not None:
        return
    if is_registered(leaf):
        return
    way = array_of(leaf.cls, path)
    if way is not None:
        raise NotDifferentiable(
            f"{function}: `{path}` is {a(leaf.cls)}, not an array of NumPy's",
            fix=f"pass {way}, or leave it out of wrt",
        )
    floats = [key for key, item in zip(leaf.keys, leaf.items, strict=True) if holds_float(item)]
    if floats or leaf.hides:
        if not leaf.cls.__dictoffset__ and "__slots__" not in vars(
            leaf.cls
        ):  # a set, a buffer, an iterator
            raise NotDifferentiable(
                f"{function}: `{path}` is {a(leaf.cls)}, which may hold numbers that no gradient shows",
                fix="pass a list, a tuple or an array of them, or leave it out of wrt",
            )
        name = leaf.cls.__name__
        part = f', or ask for a part of it: wrt="{path}.{floats[0]}"' if floats else ""
        raise NotDifferentiable(
            f"{function}: `{path}` is {a(leaf.cls)}, of which nobody has said that it is a container",
            fix=f"say it (rg.register_container({name})){part}",
        )


def holds_float(kind: Any) -> bool:
    if isinstance(kind, Tree):
        return any(map(holds_float, kind.items))
    return kind is not None and is_float_kind(kind)
