"""The texts of the rules, the operations that are constant, and the third order of a few.

What must hold of every operation is in ``test_operations.py``.
"""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.analyses.activity import Activity
from retrograd.compiler.differentiate.rule_instance import bind_operands
from retrograd.compiler.ir.operations import Const
from retrograd.compiler.user_rules import rule_grammar
from retrograd.runtime.rules.book import book

from . import laws
from .aspects.derivatives import is_public
from .harness import Case, apply, name_of, samples
from .sample import Sample

DIFFERENTIALS = sorted(
    {r.differential for r in book.rules.values()}, key=lambda f: (f.__module__, f.__name__)
)
TEXTS = [
    *DIFFERENTIALS,
    *dict.fromkeys(t.pull for t in book.transposes.values()),
    *dict.fromkeys(book.adjoints.values()),
]


def where(function: Any) -> str:
    if function.__code__.co_filename.startswith("<rule of "):
        return str(function.__name__)  # composed: it stands in no file
    return f"{function.__module__.rpartition('.')[2]}:{function.__code__.co_firstlineno}"


def cases(
    operation: Any, typed: bool, dtype: Any, limit: int, **fields: Any
) -> list[tuple[Case, Sample]]:
    """The cases of an operation's first samples with these fields."""
    chosen = [s for s in samples()[operation] if all(getattr(s, k) == v for k, v in fields.items())]
    made = [(Case.of(operation, s, typed, dtype), s) for s in chosen[:limit]]
    return [(case, s) for case, s in made if case is not None]


# -- the text of the rules --------------------------------------------------------------


def by_module(functions: list[Any]) -> list[Any]:
    """Parameters of a test: the functions of a module together, for rules are many and checks of texts short."""
    found: dict[str, list[Any]] = {}
    for function in functions:
        found.setdefault(function.__module__.rpartition(".rules.")[2], []).append(function)
    return [pytest.param(texts, id=module) for module, texts in found.items()]


def differentials_of(function: Any) -> set[str]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}


def refused(check: Callable[[Any], None], functions: list[Any]) -> dict[str, str]:
    """What is said of the functions that a check does not let through, by their places."""
    found = {}
    for function in functions:
        try:
            check(function)
        except Exception as error:
            found[where(function)] = f"{type(error).__name__}: {error}"
    return found


@pytest.mark.quick
@pytest.mark.parametrize("functions", by_module(TEXTS))
def test_grammar(functions: list[Any]) -> None:
    def check(function: Any) -> None:
        rule_grammar.check_statements(function, differentials_of(function))
        rule_grammar.check_functions(function)

    assert refused(check, functions) == {}


@pytest.mark.quick
@pytest.mark.parametrize("functions", by_module(DIFFERENTIALS))
def test_linear(functions: list[Any]) -> None:
    def check(function: Any) -> None:
        rule_grammar.check_linear(function, differentials_of(function))

    assert refused(check, functions) == {}


@pytest.mark.parametrize(
    ("operation", "args"),
    [
        (np.sum, (1.0, 0, "dtype")),
        (np.ndarray.sum, (1.0, 0, "dtype")),
        (np.add.reduce, (1.0, 0, "dtype")),
        (np.mean, (1.0, 0, "dtype")),
        (np.var, (1.0, 0, "dtype", None, 1)),
        (np.max, (1.0, 0, "out")),
        (np.take, (1.0, 0, 0, "out")),
        (np.clip, (1.0, 0, 1, "out")),
        (np.add, (1.0, 2.0, "out")),
    ],
    ids=lambda value: str(value) if isinstance(value, tuple) else name_of(value),
)
def test_positions_are_not_mistaken(operation: Any, args: tuple[Any, ...]) -> None:
    """The third argument of ``np.sum`` is dtype: it never becomes the rule's keepdims."""
    rule = book.rules[operation]
    with pytest.raises(TypeError):
        bind_operands(rule.differential, tuple(map(Const, args)), {}, 1, operation)


def test_first_argument_by_its_numpy_name() -> None:
    given = bind_operands(book.rules[np.sum].differential, (), {"a": Const(1.0)}, 1, np.sum)
    assert given["x"].value == 1.0


@pytest.mark.parametrize(
    "operation",
    [
        np.multiply,
        np.divide,
        np.exp,
        np.tanh,
        np.power,
        np.prod,
        np.linalg.inv,
        np.matmul,
        np.concatenate,
    ],
    ids=name_of,
)
def test_third_order(operation: Any) -> None:
    (case, sample), *_ = cases(operation, True, np.float64, 1)
    laws.check_case(case, 3, sample.smooth)


# -- constants --------------------------------------------------------------------------


def test_nothing_is_both() -> None:
    assert not book.constants & set(book.rules)


def test_transposes_are_of_rules() -> None:
    for operation, argument in book.transposes:
        assert argument in book.rules[operation].active, (operation, argument)


OTHER = {
    np.empty, np.empty_like, np.spacing, np.dtype, np.ndarray.tobytes, hash, id, repr, str, format,
}  # fmt: skip
CONSTANTS = [op for op in sorted(book.constants - OTHER, key=name_of) if is_public(op)]
X, Y = np.array([0.3, 1.7, -2.4]), np.array([0.9, -0.6, 2.2])
FREELY: list[Any] = [X, X.reshape(3, 1), 0.3, 1.7, 4, np.array([1, 5]), True]
CALLS = [args for n in (1, 2, 3) for args in itertools.product(FREELY, repeat=n)]


def floats_of(operation: Any, args: tuple[Any, ...], k: int, step: float) -> list[Any]:
    """The real and complex parts of the result, argument ``k`` being a little larger."""
    given = [*copy.deepcopy(args)]
    given[k] = given[k] + step * (
        1.0 + 0.1 * np.arange(np.size(args[k])).reshape(np.shape(args[k]))
    )
    made = apply(operation, tuple(given), {})
    parts = made if isinstance(made, (tuple, list)) else [made]
    return [np.asarray(p) for p in parts if getattr(np.asarray(p), "dtype", X).kind in "fc"]


def slides(operation: Any, args: tuple[Any, ...], k: int) -> bool:
    """Whether twice the step of an argument moves the result twice as far: it is no jump."""
    at, one, two = (floats_of(operation, args, k, step) for step in (1e-7, 2e-7, 3e-7))
    for a, b, c in zip(at, one, two, strict=True):
        near, far = np.abs(b - a), np.abs(c - a)
        if np.any((near > 1e-12) & (near < 1e-4) & (abs(far - 2 * near) < 0.1 * near)):
            return True
    return False


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operation", CONSTANTS, ids=name_of)
def test_constants_do_not_move(operation: Any) -> None:
    """Of all calls that can be made of some arrays and numbers: no argument moves the result."""
    for args in CALLS:
        for k, value in enumerate(args):
            if np.asarray(value).dtype.kind == "f":
                try:
                    moved = slides(operation, args, k)
                except Exception:
                    continue  # it takes other arguments
                assert not moved, f"argument {k} of {args} moves the result"


def test_activity_follows_constants() -> None:
    """``np.sign`` has a rule, but of a real argument it is constant."""
    ((real, _),) = cases(np.sign, True, np.float64, 1)
    assert not Activity(real.function, real.function.body.params).active
    ((turning, _),) = cases(np.sign, True, np.complex128, 1)
    assert Activity(turning.function, turning.function.body.params).active
