"""The rule book: one differential per operation, and the transposes of the linear ones.

A rule is the total differential of an operation, as a textbook prints it::

    @rule(np.multiply, operator.mul, broadcasts=True)
    def multiply(z, x, y, *, dx, dy):
        return dx * y + x * dy

``z`` is the result, then come the operation's own parameters, then one keyword-only
``d<name>`` for each parameter that has a derivative.  The body may assign helpers that
mention no ``d``; its return is linear in them.  Everything else (forward mode, reverse
mode, the eager tape, second order) is derived from that text by the compiler.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..errors import RuleError
from ..objects.homes import RULES
from ..objects.own_attributes import home_of, own_attribute
from ..records import dataclass, field
from ..tracebacks import public
from .traits import declare, traits

__all__ = [
    "Rule",
    "Transpose",
    "adjoint",
    "book",
    "constant",
    "is_constant",
    "methods",
    "rule",
    "traits",
    "transpose",
]

Operation = Any


# What NumPy takes for whole numbers, or for a type: it refuses floats, or cuts them off as `int` does.
WHOLE = frozenset({
    "axes", "axis", "axis1", "axis2", "destination", "dtype", "indices_or_sections", "kth", "num", "repeats", "reps",
    "shape", "shift", "source",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Rule:
    """One differential: ``differential(z, *own, **d)``, and how tests sample its domain."""

    operation: Operation
    differential: Callable[..., Any]
    broadcasts: bool = False
    own: tuple[str, ...] = ()
    active: tuple[str, ...] = ()
    domain: Any = None
    constant_in: frozenset[str] = frozenset({"like"})
    complex: bool = False
    several: frozenset[str] = frozenset()
    unlisted: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.differential.__name__

    @property
    def stretches(self) -> bool:
        """True if it acts on entries, its arguments stretched to one shape: every ufunc on entries does."""
        operation = self.operation
        return self.broadcasts or (isinstance(operation, np.ufunc) and operation.signature is None)

    @property
    def family(self) -> str:
        """The module of the rule, below ``runtime/rules``: ``numpy.arithmetic``."""
        return self.differential.__module__.removeprefix(RULES)

    @property
    def key(self) -> str:
        return f"{self.family}.{self.name}"


@dataclass(frozen=True, eq=False)
class Transpose:
    """``pull(c, *own)``: the cotangent of argument ``argument`` of a linear operation."""

    operation: Operation
    argument: str
    pull: Callable[..., Any]


@dataclass
class Book:
    """Every rule, by operation: what the compiler and the tape look things up in."""

    rules: dict[Operation, Rule] = field(default_factory=dict)
    transposes: dict[tuple[Operation, str], Transpose] = field(default_factory=dict)
    adjoints: dict[Operation, Callable[..., Any]] = field(default_factory=dict)
    constants: set[Operation] = field(default_factory=set)
    objects: dict[Operation, dict[str, Operation]] = field(default_factory=dict)  # see `methods`

    def __contains__(self, operation: Operation) -> bool:
        try:
            return operation in self.rules
        except TypeError:
            return False


book = Book()


def rule(
    *operations: Operation,
    broadcasts: bool = False,
    domain: Any = None,
    constant_in: tuple[str, ...] = (),
    complex: bool = False,
    several: tuple[str, ...] = (),
    unlisted: tuple[str, ...] = (),
    **facts: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a differential for ``operations`` (several spellings; None: one that is not installed).

    ``broadcasts``: the operation is elementwise and stretches its arguments to a common
    shape.  ``domain``: what tests sample from, ``(low, high)`` or one per argument.
    ``constant_in``: parameters that only decide (`x` of `if_larger(c, x, y)`), so that nothing
    is lost if they carry a derivative; one named ``like`` always is.  ``complex``: the result is
    complex though the arguments are real.  ``several``: parameters that take a container of arrays,
    as ``*args`` always does; in others of NumPy's functions a list is an array, but for ``unlisted``
    ones, where the operation does something else with it.  ``facts``: what else is known of the
    operations (``memory="new"``), the fields of `Traits`.
    """

    @public
    def register(differential: Callable[..., Any]) -> Callable[..., Any]:
        own, active, star = read_signature(differential)
        silent = frozenset({"like", *constant_in})
        if any(map(is_numpy, operations)):
            silent |= WHOLE.intersection(own).difference(active)
        parts = frozenset({*several, *star})
        installed = [operation for operation in operations if operation is not None]
        for operation in installed:
            if operation in book.rules:
                raise RuleError(f"there is a rule for {operation!r} already")
        declare(operations, facts)
        for operation in installed:
            book.rules[operation] = Rule(
                operation, differential, broadcasts, own, active, domain, silent, complex, parts,
                frozenset(unlisted),
            )  # fmt: skip
        return differential

    return register


def is_numpy(operation: Operation) -> bool:
    """True of NumPy's own functions, and of the methods of its arrays."""
    home = home_of(operation)
    return (
        home.partition(".")[0] == "numpy" or own_attribute(operation, "__objclass__") is np.ndarray
    )


def transpose(*operations: Operation, argument: str) -> Callable[[Callable[..., Any]], Any]:
    """Register what pulls a cotangent back through a linear operation's ``argument``."""

    def register(pull: Callable[..., Any]) -> Callable[..., Any]:
        for operation in operations:
            book.transposes[operation, argument] = Transpose(operation, argument, pull)
        return pull

    return register


def adjoint(*operations: Operation) -> Callable[[Callable[..., Any]], Any]:
    """Register an adjoint written by hand, where the transpose is not the best one.

    ``pull(c, z, *own)`` returns the cotangents of the rule's differentiable arguments, in
    order: one value for one argument, a tuple for several.
    """

    def register(pull: Callable[..., Any]) -> Callable[..., Any]:
        for operation in operations:
            if operation not in book.rules:
                raise RuleError(f"@adjoint before @rule for {operation!r}")
            book.adjoints[operation] = pull
        return pull

    return register


def constant(*operations: Operation) -> None:
    """Declare operations whose result never carries a derivative; None stands for one that is not installed."""
    book.constants.update(operation for operation in operations if operation is not None)


def methods(cls: Operation, **operations: Operation) -> None:
    """Declare what the methods of a library's object are: of their arguments, then of the class's."""
    book.objects[cls] = operations


def is_constant(operation: Operation) -> bool:
    """True if ``operation`` was declared to have no derivative."""
    try:
        return operation in book.constants
    except TypeError:
        return False


def read_signature(
    differential: Callable[..., Any],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The operation's own parameters, those of them that carry a ``d``, and the one with a star.

    Read off the code object: `inspect.signature` of every rule takes a tenth of the compiler's import.
    """
    name, code = differential.__name__, differential.__code__
    n, k = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    star = names[n + k : n + k + 1] if code.co_flags & inspect.CO_VARARGS else ()
    own, ds = (*names[1:n], *star), names[n : n + k]
    if names[:1] != ("z",) or n == 0:
        first = names[0] if names else ""
        raise RuleError(f"rule {name}: the first parameter is `z`, the result, not `{first}`")
    check_differentials(name, own, ds)
    return own, tuple([d[1:] for d in ds]), star


def check_differentials(name: str, own: Iterable[str], ds: Iterable[str]) -> None:
    if not ds:
        raise RuleError(f"rule {name}: no differentials after `*`; use constant() if it has none")
    for d in ds:
        if d[:1] != "d" or d[1:] not in set(own):
            raise RuleError(f"rule {name}: `{d}` is not `d` + the name of one of {tuple(own)}")
