"""Every rule of the book, found by itself: grammar, values, transposes, orders, kinds, shapes.

A test id is an operation and an aspect.  Of the expensive aspects a part of the samples is run;
``RETROGRAD_ALL=1`` runs them all.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import itertools
import operator
import os
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.analyses.activity import Activity
from retrograd.compiler.differentiate.rule_instance import bind_operands
from retrograd.compiler.ir.operations import Const
from retrograd.compiler.user_rules import rule_grammar
from retrograd.runtime.rules.book import book

from . import laws
from .harness import Case, apply, declared, name_of, samples
from .sample import Sample

EVERYTHING = "RETROGRAD_ALL" in os.environ
CHEAP, FEW, DEAR = (10**9,) * 3 if EVERYTHING else (10, 3, 1)
GAUGE = {np.linalg.eigh, np.linalg.svd} | declared(
    "GAUGE"
)  # complex vectors are defined up to a phase
NOT_HOLOMORPHIC = {
    np.absolute, np.real, np.imag, np.angle, np.conjugate, np.sign, np.vdot, np.vecdot,
    np.ndarray.real, np.ndarray.imag, np.ndarray.conj, np.ndarray.conjugate, np.linalg.vecdot,
    np.correlate, np.nan_to_num, np.cov, np.corrcoef,
    np.linalg.slogdet, np.linalg.eigh, np.linalg.eigvalsh, np.linalg.cholesky, np.linalg.svd,
    np.linalg.svdvals, np.linalg.qr, np.linalg.pinv, np.linalg.norm, np.var, np.std, np.ndarray.var,
    np.ndarray.std, builtins.abs, operator.abs,
    np.fft.fft, np.fft.ifft, np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn,  # complex of reals
    np.fft.irfft, np.fft.hfft, np.fft.irfft2, np.fft.irfftn, np.linalg.eig, np.linalg.eigvals, np.linalg.cond, np.linalg.lstsq,
    np.linalg.vector_norm, np.linalg.matrix_norm, np.polyfit, *([np.vecmat] if hasattr(np, "vecmat") else []),
} | declared("NOT_HOLOMORPHIC")  # fmt: skip

ORDERED = sorted(book.rules, key=name_of)
every = pytest.mark.parametrize("operation", ORDERED, ids=name_of)
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


@pytest.mark.parametrize("function", TEXTS, ids=where)
def test_grammar(function: Any) -> None:
    ds = {
        p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY
    }
    rule_grammar.check_statements(function, ds)
    rule_grammar.check_functions(function)


@pytest.mark.parametrize("function", DIFFERENTIALS, ids=where)
def test_linear(function: Any) -> None:
    ds = {
        p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY
    }
    rule_grammar.check_linear(function, ds)


@every
def test_parameters(operation: Any) -> None:
    """What a rule takes by name, its operation takes by that name."""
    try:
        real = inspect.signature(operation).parameters
    except (TypeError, ValueError):
        pytest.skip("a C function that tells no signature")
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in real.values()):
        return
    rule = book.rules[operation]
    parameters = list(inspect.signature(rule.differential).parameters.values())[1:]
    optional = [
        p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is not p.empty
    ]
    assert set(optional) <= set(real), f"{name_of(operation)} has no {set(optional) - set(real)}"


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


@every
def test_has_samples(operation: Any) -> None:
    assert any(Case.of(operation, s, True) for s in samples()[operation]), (
        "no sample is differentiated"
    )


# -- values -----------------------------------------------------------------------------


@every
@pytest.mark.parametrize("typed", [True, False], ids=["typed", "untyped"])
def test_first_order(operation: Any, typed: bool) -> None:
    for case, sample in cases(operation, typed, np.float64, CHEAP if typed else FEW):
        laws.check_case(case, 1, sample.smooth)


@every
@pytest.mark.parametrize("typed", [True, False], ids=["typed", "untyped"])
def test_second_order(operation: Any, typed: bool) -> None:
    for case, sample in cases(
        operation, typed, np.float64, DEAR if typed or EVERYTHING else 1, order2=True
    ):
        laws.check_case(case, 2, sample.smooth)


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


@pytest.mark.filterwarnings("ignore:logm result may be inaccurate")
@every
def test_float32(operation: Any) -> None:
    for typed in (True, False):
        for case, _ in cases(operation, typed, np.float32, FEW):
            laws.check_dtypes(case)


def is_public(operation: Any) -> bool:
    """Whether it is not one of our own helpers."""
    return "retrograd" not in str(getattr(operation, "__module__", ""))


PUBLIC = [op for op in ORDERED if is_public(op)]
HOLOMORPHIC = [
    op
    for op in PUBLIC
    if op not in NOT_HOLOMORPHIC
    and not book.rules[op].complex
    and any(s.complex and s.step for s in samples().get(op, ()))
]
COMPLEX = [op for op in ORDERED if any(s.complex for s in samples().get(op, ()))]


@pytest.mark.parametrize("operation", COMPLEX, ids=name_of)
def test_complex(operation: Any) -> None:
    for case, sample in cases(operation, True, np.complex128, CHEAP, complex=True):
        laws.check_case(case, 1, sample.smooth, gauge=operation in GAUGE)


@pytest.mark.parametrize("operation", HOLOMORPHIC, ids=name_of)
def test_complex_step(operation: Any) -> None:
    for case, _ in cases(operation, False, np.float64, 4, complex=True, smooth=True, step=True):
        laws.check_step(case)


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
