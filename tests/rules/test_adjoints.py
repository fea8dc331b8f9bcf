"""``runtime/generated/adjoints*.py``: fresh, importable, right, and reading no more than they should."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.bookgen import adjoint_modules
from retrograd.compiler.differentiate.rule_instance import bind_operands
from retrograd.compiler.ir.operations import Value, map_operand, values_in
from retrograd.runtime.generated import adjoints, adjoints_plain, adjoints_real
from retrograd.runtime.helpers import linear
from retrograd.runtime.rules.argument_binding import bound
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.scipy import registry

from . import laws
from .harness import Case, Compiled, apply, draw_again, name_of, push, samples

MODULES: list[Any] = [adjoints]
if registry.loaded:
    from retrograd.runtime.generated import adjoints_scipy

    MODULES.append(adjoints_scipy)
TABLE: dict[str, dict[str, Any]] = {k: v for m in MODULES for k, v in m.ADJOINTS.items()}
OPERATIONS = [op for op in sorted(book.rules, key=name_of) if book.rules[op].key in TABLE]


def operations_in(table: dict[str, Any]) -> list[Any]:
    return [op for op in OPERATIONS if book.rules[op].key in table]


def test_fresh() -> None:
    assert adjoint_modules.TARGET.read_text(encoding="utf-8") == adjoint_modules.emit(), (
        "run `make rules`"
    )


def test_short_ones_are_fresh() -> None:
    texts = adjoint_modules.files()
    for path in (adjoint_modules.PLAIN, adjoint_modules.REAL):
        assert path.read_text(encoding="utf-8") == texts[path], "run `make rules`"


def test_check_tells_stale(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjoint_modules, "TARGET", tmp_path / "adjoints.py")
    monkeypatch.setattr(adjoint_modules, "SCIPY", tmp_path / "adjoints_scipy.py")
    assert adjoint_modules.main(["--check"]) == 1
    assert adjoint_modules.main([]) == 0
    assert adjoint_modules.main(["--check"]) == 0


def test_every_rule_is_there() -> None:
    missing = {
        (r.key, a)
        for r in book.rules.values()
        if r.differential.__module__.startswith("retrograd.runtime.")
        if not adjoint_modules.is_composed(r)
        for a in r.active
        if a not in TABLE.get(r.key, {})
        and r.differential.__module__.startswith("retrograd.")  # other tests register their own
    }
    of_extras = {(key, a) for key, a in missing if key.startswith("scipy.")}
    assert missing - of_extras == {
        ("numpy.arithmetic.extreme", "xs"), ("numpy.creation.arange", "limits"), ("numpy.grids.ix_", "args"),
        ("numpy.grids.broadcast_arrays", "args"),
    }  # fmt: skip
    assert of_extras <= {("scipy.structured_matrices.block_diag", "arrs")}


def test_shapes_are_parameters() -> None:
    for module in MODULES:
        for name, shapes in module.SHAPES.items():
            assert set(shapes) <= set(inspect.signature(getattr(module, name)).parameters)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128], ids=["real", "complex"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=name_of)
def test_agrees_with_tangents(operation: Any, dtype: Any) -> None:
    """``<c, dz> == sum <x_bar, dx>`` with the emitted functions, for a few samples."""
    wanted = np.dtype(dtype).kind == "c"
    chosen = [s for s in samples()[operation] if s.complex or not wanted][:4]
    for sample in chosen:
        case = Case.of(operation, sample, True, dtype)
        if case is not None:
            check(operation, case, sample, dtype)


@pytest.mark.parametrize("operation", operations_in(adjoints_real.ADJOINTS), ids=name_of)
def test_of_real_arrays(operation: Any) -> None:
    """So do those of real arrays with few options."""
    table = adjoints_real.ADJOINTS[book.rules[operation].key]
    options = set(book.rules[operation].own) - set(
        adjoint_modules.options_of(book.rules[operation])
    )
    tried = False
    for sample in samples()[operation]:
        case = Case.of(operation, sample, True, np.float64)
        if case is not None and is_short(operation, case, options):
            tried |= check(operation, case, sample, np.float64, table)
    assert tried or operation in UNTRIED


UNTRIED = {np.linalg.cond}  # that without `p` is another operation


def is_short(operation: Any, case: Case, left_out: set[str]) -> bool:
    """Whether a call gives no other options, and arrays of one real type."""
    op = case.call
    given = bound(book.rules[operation].differential, op.args, op.kwargs, 1, operation)
    types = {np.asarray(case.values[k]).dtype for k in case.wrt}
    return not left_out & given.keys() and types <= {np.dtype(np.float64)}


@pytest.mark.parametrize("operation", operations_in(adjoints_plain.ADJOINTS), ids=name_of)
def test_of_stretched_arrays(operation: Any) -> None:
    """And those of elementwise operations, summed over what was stretched."""
    pulls: Any = adjoints_plain.ADJOINTS[book.rules[operation].key]

    def summed(pull: Any, name: str) -> Any:
        reads = inspect.signature(pull).parameters

        def stretching(**given: Any) -> Any:
            return linear.unbroadcast(pull(**{k: given[k] for k in reads}), given[name])

        stretching.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY) for n in {*reads, name}]
        )
        return stretching

    table = {name: summed(pull, name) for name, pull in pulls.items()}
    for sample in samples()[operation]:
        case = Case.of(operation, sample, True, np.float64)
        if case is not None and is_short(operation, case, set()):
            check(operation, case, sample, np.float64, table)


def check(
    operation: Any, case: Case, sample: Any, dtype: Any, table: dict[str, Any] | None = None
) -> bool:
    """One call; False where not every part of the result carries a cotangent."""
    at = laws.Point(case.function, case.values, case.wrt)
    tangents = Compiled(push(at.function, at.wrt))(*at.values, *at.v)
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


@pytest.mark.parametrize(
    ("operation", "argument", "reads", "shapes"),
    [
        (np.add, "x", ("c", "x"), ("x",)),
        (np.multiply, "x", ("c", "x", "y"), ("x",)),
        (np.multiply, "y", ("c", "x", "y"), ("y",)),
        (np.divide, "y", ("c", "z", "y"), ()),
        (np.exp, "x", ("c", "z"), ()),
        (np.sin, "x", ("c", "x"), ()),
        (np.tanh, "x", ("c", "z"), ()),
        (np.sqrt, "x", ("c", "z"), ()),
        (np.negative, "x", ("c",), ()),
        (np.sum, "x", ("c", "x", "axis", "keepdims", "dtype", "where"), ("x",)),
        (np.reshape, "a", ("c", "a", "order"), ("a",)),
        (np.ndarray.T, "a", ("c",), ()),
        (np.matmul, "x1", ("c", "x1", "x2"), ("x1",)),
        (np.concatenate, "arrays", ("c", "arrays", "axis"), ("arrays",)),
        (np.log, "x", ("c", "x"), ()),
        (np.maximum, "x", ("c", "x", "y"), ()),
    ],
    ids=lambda v: name_of(v) if callable(v) or hasattr(v, "__objclass__") else str(v),
)
def test_what_is_kept(
    operation: Any, argument: str, reads: tuple[str, ...], shapes: tuple[str, ...]
) -> None:
    pull = TABLE[book.rules[operation].key][argument]
    assert tuple(inspect.signature(pull).parameters) == reads
    assert adjoints.SHAPES.get(pull.__name__, ()) == shapes
