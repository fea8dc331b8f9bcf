"""What a shape function says is true: of every sample the type is held against the result."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.compiler.analyses.shapes.infer import infer
from retrograd.compiler.ir.lattice import as_type
from retrograd.compiler.ir.operations import Const, Value
from retrograd.compiler.ir.types import Array, Dim, Number, Tree

from ..examination import Examination, aspect
from ..harness import apply, draw_again
from ..sample import Sample


@aspect(ignoring=("logm result may be inaccurate",))
def type_of_the_result(op: Examination) -> None:
    """With sizes that are numbers, and sizes that have names."""
    for number, sample in op.chosen():
        for dtype in (np.float64, np.float32, np.complex128):
            if dtype is not np.complex128 or sample.complex:
                for named in (False, True):
                    words = "names" if named else "sizes"
                    with op.failing(f"sample {number}, {words}, {np.dtype(dtype)}: {sample}"):
                        check(op.operation, sample, dtype, named)


def check(operation: Any, sample: Sample, dtype: Any, named: bool) -> None:
    args, kwargs = draw_again(sample, dtype)
    operands = tuple(operand(a, named) for a in args)
    said = infer(operation, operands, {k: operand(v, named) for k, v in kwargs.items()})
    found = apply(operation, *draw_again(sample, dtype))  # it may write to its arguments
    assert_true(said, found)


def operand(value: Any, named: bool) -> Any:
    """An argument as the compiler sees it; ``named``: sizes above 1 have names instead."""
    if isinstance(value, (tuple, list)):
        return type(value)(operand(v, named) for v in value)
    if isinstance(value, (np.ndarray, np.generic)):
        dims = tuple(Dim(f"size {n}", True) if named and n > 1 else n for n in value.shape)
        return Value("x", Array(value.dtype.name, dims, value.dtype.kind))
    return Value("x", as_type(value)) if type(value) is float else Const(value)


def assert_true(said: Any, found: Any) -> None:
    if isinstance(said, Tree) and said.container in ("tuple", "list"):
        for key, item in zip(said.keys, said.items, strict=True):
            assert_true(item, found[key])
    elif isinstance(said, Number):
        assert np.ndim(found) == 0
    elif isinstance(said, Array):
        assert_dtype(said, found)
        if said.dims is not None:
            assert len(said.dims) == np.ndim(found), (said.dims, np.shape(found))
            assert all(map(is_size, said.dims, np.shape(found))), (said.dims, np.shape(found))


def assert_dtype(said: Array, found: Any) -> None:
    dtype = np.result_type(found)
    assert said.dtype in (None, dtype.name)
    may_be_complex = said.kind == "c" and said.dtype is None  # what np.linalg.eig gives
    assert said.kind in (None, dtype.kind) or may_be_complex, (said.kind, dtype)


def is_size(said: Any, n: int) -> bool:
    """Whether ``n`` may be what was said: a number, or a name that tells one."""
    if isinstance(said, Dim):
        word, _, size = said.name.partition(" ")
        return not (said.above_one and n == 1) and (
            word != "size" or not size.isdigit() or n == int(size)
        )
    return said is None or said == n
