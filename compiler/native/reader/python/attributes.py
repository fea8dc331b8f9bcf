"""Attributes of arrays, numbers and of what stays."""

from __future__ import annotations

import ast
import functools
from typing import Any

import numpy as np

from ...loop_ir.ir import affine
from ...loop_ir.values import Constant, Items, Scalar, View, dtype_of, scalar
from ...refusal import Unsupported
from ..handlers import METHODS, complex_too, reads, reads_expression
from ..module_objects import is_fixed, known
from ..numpy.complex_numbers import check_taken, imaginary_part, is_complex, real_part
from ..numpy.shaping import swapaxes, transposed
from ..reader import Reader
from ..views import size_of
from .expressions import evaluate

__all__ = ["attribute_of"]


@reads_expression(ast.Attribute)
def attribute(r: Reader, node: ast.Attribute) -> Any:
    owner = evaluate(r, node.value)
    return attribute_of(r, owner, node.attr)


def attribute_of(r: Reader, owner: Any, attr: str) -> Any:
    if isinstance(owner, Constant) and owner.value is not None and is_fixed(owner.value):
        try:
            return known(getattr(owner.value, attr))
        except AttributeError:
            raise Unsupported(f"the attribute {attr}") from None
    if isinstance(owner, Items) and owner.kind == "SlogdetResult" and attr in ("sign", "logabsdet"):
        return owner.values[attr == "logabsdet"]
    if isinstance(owner, (View, Scalar)):
        if attr == "shape":
            return Items(tuple(Scalar(affine(n)) for n in owner.dims))
        if attr == "ndim":
            return scalar(len(owner.dims))
        if attr == "size":
            return Scalar(size_of(owner.dims))
        if attr == "dtype" and not (isinstance(owner, Scalar) and owner.weak):
            return Constant(dtype_of(owner.dtype))
        if attr == "T" and isinstance(owner, View):
            return transposed(r, owner)
        if attr == "mT" and isinstance(owner, View) and len(owner.dims) > 1:
            return swapaxes(r, owner, scalar(-1), scalar(-2))
        if attr == "real":
            return real_part(r, owner)
        if attr == "imag":
            return imaginary_part(r, owner)
        if attr in METHODS:
            if is_complex(owner):
                check_taken(METHODS[attr], [owner], {}, f"the method {attr}")
            return Constant(functools.partial(METHODS[attr], r, owner))
    raise Unsupported(f"the attribute `{attr}`")


@reads(np.shape)
@complex_too
def shape(r: Reader, x: Any) -> Any:
    return attribute_of(r, x, "shape")


@reads(np.size)
@complex_too
def size(r: Reader, x: Any) -> Any:
    return attribute_of(r, x, "size")


@reads(np.ndim)
@complex_too
def ndim(r: Reader, x: Any) -> Any:
    return attribute_of(r, x, "ndim")
