"""Frozen distributions, ``stats.norm(loc, scale)``: a container of arguments that its methods are given.

``stats.norm(loc, scale).logpdf(x)`` is lowered as ``stats.norm.logpdf(x, loc=loc, scale=scale)``.
"""

from __future__ import annotations

import sys
import types
from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.records import dataclass
from retrograd.runtime.rules.argument_binding import own_parameters
from retrograd.runtime.rules.book import book

from ...ir.containers import Pack
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["Frozen", "freeze", "is_family", "method_of", "thawed"]


@dataclass(frozen=True)
class Frozen:
    """The kind of such a container; ``__name__`` is what messages call it."""

    family: Any
    count: int
    names: tuple[str, ...]

    @property
    def __name__(self) -> str:
        return self.family.__name__ if isinstance(self.family, type) else "frozen distribution"


def is_family(fn: Any) -> bool:
    """True if a call of ``fn`` makes an object whose methods have rules, as `gaussian_kde` does too."""
    if isinstance(fn, type):
        return fn in book.objects
    if not is_of_scipy(fn):
        return False
    return any(is_ruled(getattr(fn, name, None)) for name in ("logpdf", "logpmf"))


def is_of_scipy(value: Any) -> bool:
    """True if an object is one of SciPy's: no attribute of another is looked at."""
    return type(value).__module__.startswith("scipy.stats.")


def is_ruled(method: Any) -> bool:
    return isinstance(method, types.MethodType) and method in book


def thawed(lowerer: Lowerer, value: Any, name: str, node: gast.AST) -> Node | None:
    """A method of a distribution that was frozen outside: its arguments are constants."""
    if not is_of_scipy(value) or not hasattr(value, "dist"):
        return None
    about = str(value.dist.name)
    family = getattr(sys.modules["scipy.stats"], about, None)
    if type(family) is not type(value.dist) or not is_ruled(getattr(family, name, None)):
        return None

    def constant(argument: str, v: Any) -> Const:
        plain = type(v) in (int, float, bool)
        return Const(v) if plain else Const(v, lowerer.scope.program.text_for(argument, v))

    args = [constant(f"{about}_{k}", v) for k, v in enumerate(value.args)]
    kwargs = {k: constant(f"{about}_{k}", v) for k, v in value.kwds.items()}
    return method_of(lowerer, freeze(family, args, kwargs), name, node)


def freeze(family: Any, args: list[Node], kwargs: dict[str, Node]) -> Pack:
    items = [*args, *kwargs.values()]
    return Pack(Frozen(family, len(args), tuple(kwargs)), list(range(len(items))), items)


def method_of(lowerer: Lowerer, pack: Pack, name: str, node: gast.AST) -> Node:
    """The method of a frozen distribution: that of its family, given the arguments by their names."""
    kind: Frozen = pack.kind
    method = operation_of(kind.family, name)
    if method is None:
        raise UnsupportedOperation(
            f"`.{name}` of a {kind.__name__} has no rule", place=lowerer.scope.place(node),
            fix="call it outside of the function that is differentiated, or use the density, the "
            "distribution function or its inverse",
        )  # fmt: skip
    own = list(own_parameters(book.rules[method].differential, 1).parameters)[1:]
    if kind.count > len(own):
        raise UnsupportedOperation(
            f"argument {len(own) + 1} of a {kind.__name__} says nothing that `.{name}` has a rule for",
            place=lowerer.scope.place(node), fix="leave it out",
        )  # fmt: skip
    names = (*own[: kind.count], *kind.names)
    return lowerer.closures.applied(
        Const(method, name), [], dict(zip(names, pack.items, strict=True))
    )


def operation_of(family: Any, name: str) -> Any:
    """The operation of the book that a method is; None if it is none."""
    if isinstance(family, type):
        return book.objects[family].get(name)
    method = getattr(family, name, None)
    return method if is_ruled(method) else None
