"""``runtime/generated/adjoints*.py``: fresh, importable, and reading no more than they should."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.bookgen import adjoint_modules
from retrograd.runtime.generated import adjoints
from retrograd.runtime.rules.book import book

from .aspects.adjoint_modules import MODULES, TABLE
from .harness import name_of


@pytest.mark.slow
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
