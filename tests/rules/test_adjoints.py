"""``runtime/adjoints.py``: fresh, importable, right, and reading no more than it should."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from retrograd.compiler import emit_rules
from retrograd.compiler.differentiate.templates import bind_operands
from retrograd.compiler.ir import Value, map_operand, values_in
from retrograd.runtime import adjoints
from retrograd.runtime.rules import extras
from retrograd.runtime.rules.book import book

from . import laws
from .harness import Case, Compiled, apply, draw_again, name_of, push, samples

MODULES: list[Any] = [adjoints]
if extras.loaded:
    from retrograd.runtime import adjoints_scipy

    MODULES.append(adjoints_scipy)
TABLE: dict[str, dict[str, Any]] = {k: v for m in MODULES for k, v in m.ADJOINTS.items()}
OPERATIONS = [
    op for op in sorted(book.rules, key=name_of) if emit_rules.key_of(book.rules[op]) in TABLE
]


def test_fresh() -> None:
    assert emit_rules.TARGET.read_text(encoding="utf-8") == emit_rules.emit(), "run `make rules`"


def test_check_tells_stale(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emit_rules, "TARGET", tmp_path / "adjoints.py")
    monkeypatch.setattr(emit_rules, "SCIPY", tmp_path / "adjoints_scipy.py")
    assert emit_rules.main(["--check"]) == 1
    assert emit_rules.main([]) == 0
    assert emit_rules.main(["--check"]) == 0


def test_every_rule_is_there() -> None:
    missing = {
        (emit_rules.key_of(r), a)
        for r in book.rules.values()
        if r.differential.__module__.startswith("retrograd.runtime.")
        if not emit_rules.is_composed(r)
        for a in r.active
        if a not in TABLE.get(emit_rules.key_of(r), {})
        and r.differential.__module__.startswith("retrograd.")  # other tests register their own
    }
    of_extras = {(key, a) for key, a in missing if key.startswith("scipy_")}
    assert missing - of_extras == {
        ("arithmetic.extreme", "xs"), ("creation.arange", "limits"), ("grids.ix_", "args"),
        ("grids.broadcast_arrays", "args"),
    }  # fmt: skip
    assert of_extras <= {("scipy_structured.block_diag", "arrs")}


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


def check(operation: Any, case: Case, sample: Any, dtype: Any) -> None:
    at = laws.Point(case.function, case.values, case.wrt)
    tangents = Compiled(push(at.function, at.wrt))(*at.values, *at.v)
    result = apply(operation, *draw_again(sample, dtype))
    if not matches(result, at.result):
        return
    c = like(result, iter(at.c))
    directions = dict(zip([case.function.body.params[k] for k in case.wrt], at.v, strict=True))
    values = dict(zip(case.function.body.params, case.values, strict=True))
    op = case.call
    rule = book.rules[operation]
    given = bind_operands(rule.differential, op.args, op.kwargs, 1, operation)
    own = {k: concrete(v, values) for k, v in given.items()}
    right = 0.0
    for name, pull in TABLE[emit_rules.key_of(rule)].items():
        if not any(v in directions for v in values_in(given[name])):
            continue
        bar = pull(*[given_to(p, c, result, own) for p in inspect.signature(pull).parameters])
        right += paired(bar, given[name], directions)
    left = laws.inner(at.c, tangents)
    assert abs(left - right) <= laws.tolerance(at) * 10 * (1 + abs(left)), f"{left} != {right}"


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
    pull = TABLE[emit_rules.key_of(book.rules[operation])][argument]
    assert tuple(inspect.signature(pull).parameters) == reads
    assert adjoints.SHAPES.get(pull.__name__, ()) == shapes
