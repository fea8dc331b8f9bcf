"""Jacobians with respect to arrays and floats in double precision: what most of them are, without detours."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from retrograd.compiler.ir.argument_path import Place

from ..api import Chain, chain_value, pulled
from ..specialise.eager_fallback import is_taped
from .batched_products import ENTRIES, FLOAT64, NOTHING, Products, born, run, sizes, sought

__all__ = ["PlainJacobian"]


MOST = 512  # directions at once


class Found(NamedTuple):
    """The found parts of a Jacobian."""

    blocks: list[Any] | None = None
    value: Any = NOTHING


class PlainJacobian:
    """The Jacobian of a chain, a block for each argument; none if the general way is needed."""

    def __init__(self, chain: Chain, places: tuple[Place, ...], mode: str | None) -> None:
        self.chain, self.places, self.mode = chain, places, mode
        self.able = not any(place.keys for place in places)
        ordered = sorted(places, key=lambda place: place.at)
        self.order = [ordered.index(place) for place in places]
        self.ordered = tuple(ordered)
        self.few = 0  # rows of the last result that one pullback after the other gave
        self.units: dict[Any, Any] = {}  # the cotangents of results of some shapes

    def of(self, full: list[Any]) -> Found:
        """The blocks, and the value if it was computed on the way."""
        if not self.able:
            return Found()
        inputs = [full[place.at] for place in self.places]
        if not all(map(is_plain, inputs)) or is_taped(full, self.chain.fn):
            return Found()
        if self.few and self.few < sum(map(size, inputs)):
            return self.guessed(full, inputs)
        if self.mode == "forward":
            blocks = self.at_once(full, inputs)
            if blocks is not None:
                return Found(blocks)
        return self.decided(full, inputs, chain_value(self.chain, full))

    def guessed(self, full: list[Any], inputs: list[Any]) -> Found:
        """One row after the other, as it was last time; the pullback has the value, too."""
        value, pullback = pulled(self.chain, full, self.places)
        if is_plain(value) and size(value) == self.few:
            return Found(rows(value, pullback, inputs), value)
        self.few = 0
        return self.decided(full, inputs, value)

    def decided(self, full: list[Any], inputs: list[Any], value: Any) -> Found:
        return Found(self.blocks(full, inputs, value) if is_plain(value) else None, value)

    def blocks(self, full: list[Any], inputs: list[Any], value: Any) -> list[Any] | None:
        n, m = sum(map(size, inputs)), size(value)
        mode = self.mode or ("forward" if n <= m else "reverse")
        if not 0 < max(n, m) <= ENTRIES // max(min(n, m), 1):
            return None
        if mode == "forward" and self.mode is None:
            found = self.at_once(full, inputs)
            if found is not None and found[0].shape[:-1] == np.shape(value):
                return found
        if self.chain.backend != "numpy":
            return (self.columns if mode == "forward" else self.rows)(full, inputs, value)
        if mode == "forward":
            return None
        made = sought(self.chain, "pulls", self.places, full).loaded
        if made is None or m > made.few:
            return None
        self.few = m
        return rows(value, pulled(self.chain, full, self.places)[1], inputs)

    def at_once(self, full: list[Any], inputs: list[Any]) -> list[Any] | None:
        """By a text that knows that the directions are the unit vectors, where it multiplies by them."""
        if len(inputs) > 1 or np.ndim(inputs[0]) != 1 or not 0 < inputs[0].size <= MOST:
            return None
        swept = sought(self.chain, "pushes", self.places, full).loaded
        if swept is None or not multiplies_tangent(swept):
            return None
        made = sought(self.chain, "jacobian", self.places, full).loaded
        if made is None or made.taped:
            return None
        birth = born(self.chain, made, full)
        columns, n = run(made, self.chain, full, []), inputs[0].size
        if type(columns) is not np.ndarray or columns.dtype is not FLOAT64:
            return None
        if birth is not None:
            products = Products(self.chain, full, self.places)
            birth.columns(products, np.eye(n), columns.reshape(-1, n))
        shared = any(np.may_share_memory(columns, x) for x in full if type(x) is np.ndarray)
        return [columns.copy() if shared else np.ascontiguousarray(columns)]

    # -- compiled: all directions in one sweep -------------------------------------------------

    def columns(self, full: list[Any], inputs: list[Any], value: Any) -> list[Any] | None:
        made = sought(self.chain, "pushes", self.places, full).loaded
        if made is None:
            return None
        ends, birth = sizes(inputs), born(self.chain, made, full)
        eye = np.eye(ends[-1])
        dots = [
            eye[lo:hi].reshape(*np.shape(x), ends[-1])
            for x, (lo, hi) in zip(inputs, pairwise(ends), strict=True)
        ]
        tangent = run(made, self.chain, full, dots)
        if np.shape(tangent) != (*np.shape(value), ends[-1]):
            return None
        if birth is not None:
            products = Products(self.chain, full, self.places, value)
            birth.columns(products, eye, np.reshape(tangent, (size(value), ends[-1])))
        return [
            np.ascontiguousarray(tangent[..., lo:hi]).reshape(np.shape(value) + np.shape(x))[()]
            for x, (lo, hi) in zip(inputs, pairwise(ends), strict=True)
        ]

    def rows(self, full: list[Any], inputs: list[Any], value: Any) -> list[Any] | None:
        made = sought(self.chain, "pulls", self.ordered, full).loaded
        if made is None:
            return None
        shape, birth = np.shape(value), born(self.chain, made, full)
        bars = run(made, self.chain, full, [self.unit(shape)])
        if len(bars) != len(inputs):
            return None
        found = [turned(bars[k], shape, x) for k, x in zip(self.order, inputs, strict=True)]
        if any(block is None for block in found):
            return None
        if birth is not None:
            m, bars = math.prod(shape), [bars[k] for k in self.order]
            rows = [np.reshape(bar, (size(x), m)) for x, bar in zip(inputs, bars, strict=True)]
            products = Products(self.chain, full, self.places, value)
            birth.rows(products, np.eye(m), np.concatenate(rows))
        return found

    def unit(self, shape: tuple[int, ...]) -> Any:
        """A cotangent for each entry of a result."""
        if shape not in self.units:
            m = math.prod(shape)
            self.units = {shape: np.eye(m).reshape(*shape, m)}
        return self.units[shape]


def multiplies_tangent(made: Any) -> bool:
    """True if a text has a product of a matrix and the tangent it is given."""
    ((name, _),) = made.functions.items()
    if name not in made.multiplied:
        (definition,) = (d for d in ast.parse(made.text).body if getattr(d, "name", "") == name)
        tangent = definition.args.args[-1].arg
        made.multiplied[name] = any(
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.MatMult)
            and isinstance(node.right, ast.Name)
            and node.right.id == tangent
            for node in ast.walk(definition)
        )
    return bool(made.multiplied[name])


def turned(bar: Any, shape: tuple[int, ...], x: Any) -> Any:
    """The cotangents of an input, the last axis counting the entries of a result, as a block."""
    own = x.shape if type(x) is np.ndarray else ()
    if bar.shape != (*own, math.prod(shape)):
        return None
    if not own:
        return bar.reshape(shape)[()]
    if len(own) == len(shape) == 1:
        return bar.T.copy()
    flat = bar.reshape(math.prod(own), math.prod(shape))
    return np.ascontiguousarray(flat.T).reshape(shape + own)


def rows(value: Any, pullback: Any, inputs: Sequence[Any]) -> list[Any]:
    """The blocks, a pullback for each entry of the result."""
    shape = np.shape(value)
    if not shape:
        found = [pullback(1.0)]
    else:
        found = [pullback(e) for e in np.eye(value.size).reshape(value.size, *shape)]
    return [
        np.array([bars[k] for bars in found]).reshape(shape + np.shape(x))[()]
        for k, x in enumerate(inputs)
    ]


def is_plain(x: Any) -> bool:
    kind = type(x)
    return kind is float or (kind is np.ndarray and x.dtype is FLOAT64)


def size(x: Any) -> int:
    return x.size if type(x) is np.ndarray else 1
