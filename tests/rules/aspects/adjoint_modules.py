"""The functions of ``runtime/generated/adjoints*.py``: they agree with the tangents of every operation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.compiler.bookgen import adjoint_modules
from retrograd.compiler.differentiate.rule_instance import bind_operands
from retrograd.compiler.ir.operations import Value, map_operand, values_in
from retrograd.runtime.generated import adjoints, adjoints_plain, adjoints_real
from retrograd.runtime.helpers import linear
from retrograd.runtime.rules.argument_binding import bound
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.scipy import registry
from tests import scope

from .. import laws
from ..examination import Examination, aspect
from ..harness import Case, apply, draw_again

MODULES: list[Any] = [adjoints]
if registry.loaded:
    from retrograd.runtime.generated import adjoints_scipy

    MODULES.append(adjoints_scipy)
TABLE: dict[str, dict[str, Any]] = {k: v for m in MODULES for k, v in m.ADJOINTS.items()}
UNTRIED = {np.linalg.cond}  # that without `p` is another operation


@aspect()
def emitted_adjoints(op: Examination) -> None:
    """``<c, dz> == sum <x_bar, dx>`` with the emitted functions."""
    if not op.has_rule or book.rules[op.operation].key not in TABLE:
        return
    for dtype, fields in ((np.float64, {}), (np.complex128, {"complex": True})):
        op.each(
            lambda case, sample, d=dtype: check(op.operation, case, sample, d),
            True,
            dtype,
            **fields,
        )


@aspect()
def emitted_adjoints_of_real_arrays(op: Examination) -> None:
    """Those of real arrays with few options."""
    if not op.has_rule or book.rules[op.operation].key not in adjoints_real.ADJOINTS:
        return
    rule = book.rules[op.operation]
    options = set(rule.own) - set(adjoint_modules.options_of(rule))
    tried = short_calls(op, options, adjoints_real.ADJOINTS[rule.key])
    assert tried or op.operation in UNTRIED, "no sample is short"


@aspect()
def emitted_adjoints_of_stretched_arrays(op: Examination) -> None:
    """Those of elementwise operations, summed over what was stretched."""
    if op.has_rule and book.rules[op.operation].key in adjoints_plain.ADJOINTS:
        pulls: Any = adjoints_plain.ADJOINTS[book.rules[op.operation].key]
        short_calls(op, set(), {name: summed(pull, name) for name, pull in pulls.items()})


def short_calls(op: Examination, left_out: set[str], table: dict[str, Any]) -> bool:
    """Check the short calls among the samples, in a short run the first of them; was there one?"""
    tried = False
    for number, sample in enumerate(op.samples):
        with op.failing(f"sample {number}: {sample}"):
            case = op.case(number, True, np.float64)
            if case is not None and is_short(op.operation, case, left_out):
                tried |= check(op.operation, case, sample, np.float64, table)
        if tried and not scope.is_whole(op.name):
            break
    return tried


def summed(pull: Any, name: str) -> Callable[..., Any]:
    reads = inspect.signature(pull).parameters

    def stretching(**given: Any) -> Any:
        return linear.unbroadcast(pull(**{k: given[k] for k in reads}), given[name])

    stretching.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY) for n in {*reads, name}]
    )
    return stretching


def is_short(operation: Any, case: Case, left_out: set[str]) -> bool:
    """Whether a call gives no other options, and arrays of one real type."""
    op = case.call
    given = bound(book.rules[operation].differential, op.args, op.kwargs, 1, operation)
    types = {np.asarray(case.values[k]).dtype for k in case.wrt}
    return not left_out & given.keys() and types <= {np.dtype(np.float64)}


def check(
    operation: Any, case: Case, sample: Any, dtype: Any, table: dict[str, Any] | None = None
) -> bool:
    """One call; False where not every part of the result carries a cotangent."""
    at = laws.point(case)
    tangents = at.pushed(*at.values, *at.v)
    result = apply(operation, *draw_again(sample, dtype))
    if not matches(result, at.result):
        return False
    c = like(result, iter(at.c))
    directions = dict(zip([case.function.body.params[k] for k in case.wrt], at.v, strict=True))
    values = dict(zip(case.function.body.params, case.values, strict=True))
    op = case.call
    rule = book.rules[operation]
    given = bind_operands(rule.differential, op.args, op.kwargs, 1, operation)
    own = {k: concrete(v, values) for k, v in given.items()}
    right = 0.0
    for name, pull in (TABLE[rule.key] | (table or {})).items():
        if name not in given or not any(v in directions for v in values_in(given[name])):
            continue
        reads = inspect.signature(pull).parameters
        bar = pull(**{p: given_to(p, c, result, own) for p in reads})
        right += paired(bar, given[name], directions)
    left = laws.inner(at.c, tangents)
    assert abs(left - right) <= laws.tolerance(at) * 10 * (1 + abs(left)), f"{left} != {right}"
    return True


def given_to(parameter: str, c: Any, z: Any, own: dict[str, Any]) -> Any:
    if parameter == ("c_bar" if "c" in own else "c"):
        return c
    return z if parameter == "z" and "z" not in own else own[parameter]


def concrete(operand: Any, values: dict[Any, Any]) -> Any:
    return map_operand(operand, lambda v: values[v] if isinstance(v, Value) else v.value)


def matches(result: Any, parts: list[Any]) -> bool:
    """Whether every part of a result carries a cotangent."""
    return len(parts) == (len(result) if isinstance(result, (tuple, list)) else 1)


def like(result: Any, cs: Any) -> Any:
    if not isinstance(result, (tuple, list)):
        return next(cs)
    parts = [like(part, cs) for part in result]
    return tuple(parts) if isinstance(result, tuple) else parts


def paired(bar: Any, operand: Any, directions: dict[Any, Any]) -> float:
    """``<x_bar, dx>`` of an argument that may be a container."""
    if isinstance(operand, dict):
        return sum(paired(bar[k], o, directions) for k, o in operand.items())
    if isinstance(operand, (tuple, list)):
        return sum(paired(b, o, directions) for b, o in zip(bar, operand, strict=True))
    if operand not in directions:
        return 0.0
    assert np.shape(bar) == np.shape(directions[operand])
    return laws.inner([bar], [directions[operand]])
