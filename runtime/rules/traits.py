"""The record of an operation: what is known of it besides its derivative, declared beside its rule.

A fact is declared once, for the operation, with its rule or by ``traits`` in the same file::

    @rule(np.cumsum, memory="new")
    def cumsum(z, a, axis=None, *, da): ...

    traits(np.argsort, memory="new")

Nothing here knows the rule book or the compiler; ``traits_of`` (``traits/lookup.py``) is what they ask.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Literal

from ..errors import RuleError
from ..objects.own_attributes import own_attribute
from ..records import dataclass, field

__all__ = ["DECLARED", "TRAITS", "Traits", "about", "declare", "traits"]

Operation = Any


def fact(about: str) -> Any:
    """A field that is unknown unless it is declared."""
    return field(default=None, metadata={"about": about})


@dataclass(frozen=True)
class Traits:
    """The traits of one operation.  None: unknown, and whoever asks must expect the worst.

    Facts that depend on the arguments name a condition (``new_if="copied"``); what the condition means for
    a call is in one table of the compiler (``compiler/analyses/aliasing/memory_facts.py``).
    """

    # -- memory
    memory: Literal["new", "view", "either"] | None = fact(
        "new memory, a view of the first argument, or either"
    )
    new_if: str | None = fact("the condition under which the result is new memory")
    view_if: str | None = fact("the condition under which it is a view of the first argument")
    itself_if: str | None = fact(
        "the condition under which it is the first argument as it is, if that is shown at all"
    )
    view_of_second: Any = field(
        default=None,
        metadata={
            "about": "the operation of one array that it may be of its second argument, if the first one says so"
        },
    )
    rank_0: Literal["array", "kept", "either", "scalar"] | None = fact(
        "what it gives for rank 0: an array, an array for an array, NumPy's immutable scalar, or either"
    )
    read_only: bool | None = fact("NumPy refuses writes to its result")
    order: int | None = fact(
        "new arrays lie in C order, unless told otherwise behind so many arguments (-1: they do not)"
    )
    keeps_order: bool | None = fact("of what lies in C order it gives what lies in C order")
    axes: Literal["turned", "reordered"] | None = fact(
        "how a view changes the axes: the other way round, or in another order"
    )
    gives_back: bool | None = fact("it may give back what it was given, and record nothing")
    shows: Literal["first"] | None = fact("if it shows an argument at all, then the first one")
    # -- writes
    creates: bool | None = fact("programs call it for an array that they write to")
    looks: bool | None = fact("it reads its argument for the shape, or to keep it")
    buffer: Literal["named", "apart"] | None = fact(
        "two calls are two arrays: memory that is written to (and has a name in the text), or kept apart"
    )
    writes: Literal["version", "sum", "argument", "item"] | None = fact(
        "what it does to its first argument: gives its memory with other content, adds to it, changes it,"
        " or gives a list like it in which another number may stand (in place, in the end, if nobody reads the old one)"
    )

    augments: Any = field(
        default=None,
        metadata={
            "about": "the operation that it does in place: `operator.add` for `operator.iadd`"
        },
    )
    puts: Literal["item"] | None = fact("it puts its argument `item` into a container")
    inside: bool | None = fact("it writes to a container that is in its first argument")
    computes_in: Literal["either"] | None = fact(
        "with `out=` it computes partly in the type of that, partly in its own"
    )
    # -- entries
    of_floats: Literal["quiet", "arithmetic"] | None = fact(
        "of Python's floats it raises nothing, or an ArithmeticError at most"
    )
    elementwise: bool | None = fact("an entry of the result is of the entries in its place alone")
    reduces: Literal["sum", "mean", "product", "extreme", "spread", "norm"] | None = fact(
        "what it makes of the entries along axes"
    )
    along: bool | None = fact("it mixes the entries along an axis, which stays")
    moves: bool | None = fact("every entry of the result is one of the arguments, in another place")
    identity: Literal["copy", "cast", "packed"] | None = fact(
        "it gives the entries of its first argument in their places: copied, in another type, or of a list packed"
    )
    reads: Literal["part", "shape", "length", "structure", "like"] | None = fact(
        "all that it reads: a part, the shape, a number of the shape, shape and type; of `like` these alone"
    )
    gives: Literal["truth", "text", "container", "matrix", "number"] | None = fact(
        "True or False, text, perhaps a container as an argument is one, an array of another class, a number of Python's"
    )
    holds: Any = field(
        default=None,
        metadata={"about": "the numbers that are attributes of what it gives, and their kinds"},
    )
    joint: bool | None = fact(
        "linear in several arguments together, and rules call it with several differentials"
    )
    keeps_length: bool | None = fact("of a list it gives a list as long")
    of_nothing: bool | None = fact("of None it gives None, or a zero that can be added to")
    contracts: Literal["matmul", "dot", "inner", "outer", "tensordot", "einsum"] | None = fact(
        "a sum of products, whose axes are matched as in this"
    )
    of_matrices: bool | None = fact("a product of matrices, sparse ones too")
    dimensions: Any = field(
        default=None,
        metadata={
            "about": "the least and the most dimensions of its operands, in order: with others it raises"
        },
    )
    # -- values
    infinite: Literal["may", "no", "never", "by exponent", "by divisor"] | None = fact(
        "infinite for finite arguments: it may be, is not, is not for any arguments, or as an argument says"
    )
    exhausts: bool | None = fact(
        "takes all items of an iterator that it is given, whatever they are"
    )
    expects: Literal["nan", "nan in both"] | None = fact(
        "it passes over nan, or asks for it: programs that call it expect nan (`in both`: if both arguments are the same)"
    )
    zeros: Literal["choice", "places", "mask", "condition"] | None = fact(
        "the exact zeros that it puts: for what was not chosen, where nothing was put"
    )
    fills: Literal["all", "places"] | None = fact(
        "the exact zeros of its arguments that a sum fills"
    )
    total: bool | None = fact("Python never refuses a number: infinite results are returned")
    real: Literal["always", "kept"] | None = fact("real whatever the arguments are, or if they are")
    complex_part: Literal["real", "imaginary"] | None = fact(
        "the part of complex numbers that it gives"
    )
    for_complex: bool | None = fact("who calls it may mean complex numbers")
    constant_if_real: bool | None = fact("its derivative is zero for real arguments")
    kind_of: Literal["first", "like", "either"] | None = fact(
        "the result has the type of the first argument, of what it is made like (`like`, or the only one), or of either"
    )
    # -- cost, effects
    folds: Literal["values", "kinds"] | None = fact(
        "the compiler may compute it: where its arguments are known, or of their kinds (class, dtype, rank) alone"
    )
    unordered: bool | None = fact("it gives the same whatever the order of what it goes over")
    batched: Literal["as it is"] | None = fact("how it is called for many directions at once")
    batch: Literal["kind", "entries", "alone", "leading", "wide", "last", "all", "flat"] | None = (
        fact(
            "of a batch of examples: the same for all, element by element though it is no ufunc, one after the other, "
            "as a stack (of arrays that are stretched, or each have all examples), or along axes: those that are named, "
            "else all, or one row of all entries"
        )
    )
    quiet: bool | None = fact(
        "it raises nothing and warns of nothing that is finite: examples that do not need it may compute it"
    )
    effect: Literal["none", "speaks", "looks", "frame"] | None = fact(
        "it does nothing but compute, only speaks (prints, names), only looks at arrays and numbers (an object"
        " it may ask for more), or reads its caller's names"
    )
    answered: bool | None = fact("Python answers it, whatever the class of an operand says")
    # -- spelling
    sign: str | None = fact("the operator that Python has for it; `-x` and its like stand before")
    ufunc: Any = field(default=None, metadata={"about": "the ufunc that does the same to arrays"})
    spelled: str | None = fact("the form of NumPy's that a helper stands for in the text")
    called: str | None = fact("the function of NumPy's that a helper stands for in the text")


TRAITS = tuple(f.name for f in fields(Traits))
DECLARED: dict[Operation, dict[str, Any]] = {}  # the one table keyed by an operation
BY_NAME: dict[str, dict[str, Any]] = {}  # of each trait, by the names of operations: for texts
made: dict[Operation, Traits] = {}  # the records asked for by now


def declare(operations: tuple[Operation, ...], facts: dict[str, Any]) -> None:
    """Add facts to the record of each operation; None stands for one that is not installed."""
    installed = [operation for operation in operations if operation is not None]
    for name, value in facts.items():
        if name not in TRAITS:
            raise RuleError(f"there is no trait `{name}`; there are {', '.join(TRAITS)}")
        for operation in installed:
            if DECLARED.get(operation, {}).get(name, value) != value:
                raise RuleError(f"`{name}` of {operation!r} is declared twice, differently")
    for operation in installed:
        DECLARED.setdefault(operation, {}).update(facts)
        for name, value in facts.items():
            BY_NAME.setdefault(name, {})[own_attribute(operation, "__name__")] = value
        made.pop(operation, None)


def traits(*operations: Operation, **facts: Any) -> None:
    """Declare facts of operations, beside their rules."""
    declare(operations, facts)


def about() -> Iterator[tuple[str, str]]:
    """The name of each trait, and what it says."""
    for f in fields(Traits):
        yield f.name, f.metadata["about"]
