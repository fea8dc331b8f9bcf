"""``np.vectorize``: a loop over the elements, its arguments stretched to one shape."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Value
from ...ir.types import Array, Stack, Tree
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["Vectorizing"]


class Vectorizing:
    """Calls of vectorized functions."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def vectorized(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``np.vectorize(f)``: of its options, ``otypes`` of one kind is taken."""
        kind = kwargs.get("otypes", Const(None))
        names = {k for k, v in kwargs.items() if not (isinstance(v, Const) and not v.value)}
        if len(args) > 1 or names - {"otypes", "doc"}:
            self.refuse_vectorize(node)
        dtype = dtype_of(kind)
        if dtype is False:
            self.refuse_vectorize(node)
        return Pack(np.vectorize, [0, 1], [self.lowerer.closures.handed_on(args[0]), Const(dtype)])

    def refuse_vectorize(self, node: gast.AST) -> None:
        raise UnsupportedSyntax(
            "this option of np.vectorize is not supported", place=self.scope.place(node),
            fix="write the loop, or use array operations",
        )  # fmt: skip

    def call_vectorize_object(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """A vectorized function of the module."""
        signature, excluded, otypes, pyfunc = (
            self.scope.program.attribute(fn, name)
            for name in ("signature", "excluded", "otypes", "pyfunc")
        )
        self.scope.program.capture_entries(excluded)
        if signature is not None or excluded or otypes not in (None, "d"):
            self.refuse_vectorize(node)
        inner = Const(pyfunc, self.scope.program.name_of(pyfunc))
        dtype = None if otypes is None else "float64"
        return self.call_vectorized(
            Pack(np.vectorize, [0, 1], [inner, Const(dtype)]), args, kwargs, node
        )

    def call_vectorized(
        self, pack: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """``np.vectorize(f)(x, y)``: f of every element, the arguments stretched to one shape."""
        fn, dtype = pack.items
        named = {k: f"value_{len(args) + j}" for j, k in enumerate(kwargs)}
        values = [f"value_{k}" for k in range(len(args))]
        given = dict(zip([*values, *named.values()], [*args, *kwargs.values()], strict=True))
        same = {name: a for name, a in given.items() if is_object(a)}
        arrays = [self.lowerer.operations.operand(a) for n, a in given.items() if n not in same]
        if not arrays:
            self.refuse_vectorize(node)
        shapes = [self.lowerer.operations.apply(np.shape, (x,), {}) for x in arrays]
        shape = shapes[0]
        if len(arrays) > 1:
            shape = self.lowerer.operations.apply(np.broadcast_shapes, tuple(shapes), {})
            arrays = [
                self.lowerer.operations.apply(np.broadcast_to, (x, shape), {}) for x in arrays
            ]
        flat = [self.lowerer.operations.apply(np.ravel, (x,), {}) for x in arrays]
        call = ", ".join([*values, *(f"{k}={v}" for k, v in named.items())])
        target = ", ".join(name for name in given if name not in same)
        rows = (
            flat[0]
            if len(flat) == 1
            else self.lowerer.calls.call(Const(zip, "zip"), flat, {}, node)
        )
        text = f"made = []\nfor {target} in items:\n    made.append(f({call}))\n"
        made = self.lowerer.higher_order.run(text, {"f": fn, "items": rows, **same}, node)
        kind = type_of(self.lowerer.operations.operand(made))
        item = kind.item if isinstance(kind, Stack) else None
        if not (isinstance(item, Tree) and item.container == "tuple"):
            return self.shaped(made, shape, dtype.value, node)
        if dtype.value is not None or len(item.keys) < 2:
            self.refuse_vectorize(node)  # one kind for several results, a tuple of one
        parts = [
            self.lowerer.higher_order.run(
                f"part = []\nfor row in made:\n    part.append(row[{k}])\n",
                {"made": made},
                node,
                "part",
            )
            for k in item.keys
        ]
        return Pack(tuple, list(item.keys), [self.shaped(p, shape, None, node) for p in parts])

    def shaped(self, made: Node, shape: Any, dtype: Any, node: gast.AST) -> Value:
        """The array of one number for each element."""
        whole = self.array_of(self.lowerer.operations.operand(made), dtype, node)
        result: Value = self.lowerer.operations.apply(np.reshape, (whole, shape), {})
        return result

    def array_of(self, made: Any, dtype: Any, node: gast.AST) -> Value:
        """The array of the results: NumPy takes the dtype of the first for all of them."""
        kind = type_of(made)
        item = kind.item if isinstance(kind, Stack) else None
        certain = isinstance(item, Array) and item.dtype is not None
        if not certain and dtype is None:
            op = Apply(
                [Value(None)], self.scope.location(node), linear.check_kinds, (made,), effect=True
            )
            self.lowerer.operations.emit(op)
        options = {} if dtype is None else {"dtype": Const(float, "float")}
        result: Value = self.lowerer.operations.apply(np.array, (made,), options)
        return result


def is_object(node: Node) -> bool:
    """True of None, a function, an object of a class: every element gets the same."""
    kind = node.type if isinstance(node, Value) else None
    if isinstance(kind, Tree) and kind.cls is type(None):
        return True
    if not isinstance(node, Const):
        return False
    made = np.asarray(node.value)
    return made.dtype == object and made.shape == ()


def dtype_of(otypes: Node) -> Any:
    """The one dtype that ``otypes`` asks for: float64 or None; False for anything else."""
    found = otypes.items if isinstance(otypes, Pack) else [otypes]
    if len(found) != 1 or not isinstance(found[0], Const):
        return False
    value = found[0].value
    if value is None:
        return None
    try:
        return "float64" if np.dtype(value) == np.float64 else False
    except TypeError:
        return False
