"""Functions whose runs leave something behind: the state goes on by one run, and derivatives begin where it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from retrograd.compiler.analyses.visible_effects import LASTING
from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.errors import CompileError
from retrograd.runtime.objects.pytree import map_leaves

from .api import Chain, chain_value, pulled
from .check.argument_copies import CannotCopy, fresh
from .jacobian.batched_products import Products
from .specialise.dispatcher import ByKind
from .specialise.eager_fallback import is_taped

__all__ = ["CopiedRuns", "OneRun", "Traces", "products_of"]


class Left(NamedTuple):
    """The traces of runs: "write", in the arguments; "run", elsewhere; ``guards``: what this hangs on.

    ``age``: of a function that is not compiled, how often it had changed; ``made``: the text of one that is.
    """

    kinds: frozenset[str]
    guards: list[Any]
    age: int | None = None
    made: Any = None
    equal: tuple[Any, ...] = ()


class Traces(ByKind):
    """The traces that runs of a function leave, for each kind of arguments."""

    def __init__(self, chain: Chain) -> None:
        super().__init__(chain, self.of_kind)

    def left_by(self, full: list[Any]) -> frozenset[str]:
        return self.of_run(full).kinds

    def of_run(self, full: list[Any]) -> Left:
        found: Left = self.find(*full)
        if found.age is not None and found.age != self.chain.renew():
            self.forget()
            found = self.find(*full)
        return found

    def miss(self, *args: Any) -> Any:
        if is_taped(args, self.chain.fn):
            return Left(one_run_if(of_code(self.chain)), [])
        return super().miss(*args)

    def of_kind(self, types: dict[str, Any]) -> Left:
        """Of arguments of these types: known with the program, whose text is kept like any other."""
        chain = self.chain
        own = {name: types[name] for name in chain.full.parameters if name in types}
        try:
            made = chain.compiled(own, ())
        except CompileError:
            found = of_code(chain)
            kinds = found | {"write"} if chain.fallback == "tape" else one_run_if(found)
            return Left(kinds, [], chain.renew())
        found = frozenset(kind for kind, _ in made.reserved or ()) & LASTING
        return Left(one_run_if(found) if chain.bound else found, made.guards, made=made)


def of_code(chain: Chain) -> frozenset[str]:
    """Of a function that is not compiled: what its code may do."""
    from retrograd.compiler.analyses.visible_effects import of_function

    return frozenset(kind for kind, _ in of_function(chain.fn)) & LASTING


def one_run_if(kinds: frozenset[str]) -> frozenset[str]:
    """Replaces any kinds by a run: what is written to is not to be copied."""
    return frozenset({"run"}) if kinds else kinds


def products_of(
    chain: Chain, full: list[Any], places: Sequence[Place], left: frozenset[str]
) -> Products:
    """The Jacobian of a function whose runs leave traces; its value is computed once, with these arguments."""
    if "run" not in left:
        try:
            return CopiedRuns(chain, full, places)
        except CannotCopy:
            pass
    return OneRun(chain, full, places)


class CopiedRuns(Products):
    """Where arguments are written to: each run but the first has copies of what they were."""

    def __init__(self, chain: Chain, full: list[Any], places: Sequence[Place]) -> None:
        before = fresh(full)
        super().__init__(chain, before, places, chain_value(chain, full))

    def given(self) -> list[Any]:
        return fresh(self.full)

    def at(self, full: list[Any]) -> Products:
        return CopiedRuns(self.chain, full, self.places)


class OneRun(Products):
    """Where more is written to: all rows are those that the pullback of one run gives."""

    one_run = True

    def __init__(self, chain: Chain, full: list[Any], places: Sequence[Place]) -> None:
        before = [map_leaves(lambda x: x, x) for x in full]
        value, pullback = pulled(chain, full, tuple(places))
        super().__init__(chain, before, places, value)
        self.pullback = pullback

    def sweep(self, kind: str) -> None:
        """None: it would run the function once more."""

    def given(self) -> list[Any]:
        raise self.run_again()

    def at(self, full: list[Any]) -> Products:
        raise self.run_again()
