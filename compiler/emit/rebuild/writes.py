"""Writes in place as statements: ``x[i] = v``, ``x[i] += v``, ``np.add.at(x, i, v)``."""

from __future__ import annotations

import ast
import operator
import types
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.container_origins import is_listed
from ...analyses.aliasing.memory_facts import may_repeat
from ...analyses.shapes.infer import type_of
from ...analyses.shapes.number_lists import is_scalar, type_at
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.types import Number
from ...ir.whole_numbers import wraps
from .expressions import ExpressionWriter, ast_operator

__all__ = ["WriteWriter"]


class WriteWriter(ExpressionWriter):
    """Writes the operations that change a part of an array."""

    def store(self, op: Apply, x: ast.expr) -> ast.stmt:
        """The statement that writes to ``x``."""
        _, path, value = op.args
        if op.fn is linear.increase and path and is_repeated(path[-1]):
            view = self.view(x, path[:-1])
            at = ast.Call(
                self.function(np.add.at, None),
                [view, self.argument(path[-1][1]), self.operand(value)],
                [],
            )
            return ast.Expr(at)
        part = self.part(x, path)
        if op.fn is linear.increase and not changes_itself(op):
            return ast.Assign([stored(self.part(x, path))], self.sum_with(part, op))
        if op.fn is linear.increase:
            kind, amount = self.signed(value)
            part = part if path else x
            return ast.AugAssign(stored(part), kind, self.operand(amount))
        augmented = self.augmented(part, value) if changes_itself(op) else None
        return augmented or ast.Assign([stored(part)], self.operand(value))

    def sum_with(self, part: ast.expr, op: Apply) -> ast.expr:
        """What stands at a place of a list, and what is added to it."""
        if not is_scalar(held_at(op.args[0], op.args[1])):
            return ast.Call(self.function(linear.add, None), [part, self.operand(op.args[2])], [])
        kind, amount = self.signed(op.args[2])
        return ast.BinOp(part, kind, self.operand(amount))

    def signed(self, value: Operand) -> tuple[ast.operator, Operand]:
        """``+= -v`` is ``-= v``."""
        inner = self.nesting.ops.get(value) if value in self.nesting.nested else None
        if isinstance(inner, Apply) and inner.fn is operator.neg and not wraps(inner):
            return ast.Sub(), inner.args[0]
        return ast.Add(), value

    def augmented(self, part: ast.expr, value: Operand) -> ast.stmt | None:
        """``x[i] = x[i] * v`` as ``x[i] *= v``."""
        inner = self.nesting.ops.get(value) if value in self.nesting.nested else None
        sign = traits_of(inner.fn).sign if isinstance(inner, Apply) else None
        found = ast_operator(sign) if sign is not None else None
        if not isinstance(found, ast.operator) or not isinstance(inner, Apply):
            return None
        assert isinstance(part, ast.Subscript)
        left = self.operand(inner.args[0])
        whole = is_all(part.slice)
        if ast.dump(left) not in (ast.dump(part), ast.dump(part.value) if whole else ""):
            return None
        assignable = whole and isinstance(part.value, (ast.Name, ast.Subscript))
        target = part.value if assignable else part
        return ast.AugAssign(stored(target), found, self.operand(inner.args[1]))

    def part(self, x: ast.expr, path: Any) -> ast.expr:
        """The target of a path, as an assignment target."""
        if path and path[-1][0].value is operator.getitem:
            view = self.view(x, path[:-1])
            return ast.Subscript(view, self.operand(path[-1][1]), ast.Load())
        return ast.Subscript(self.view(x, path), ast.Constant(...), ast.Load())

    def view(self, x: ast.expr, path: Any) -> ast.expr:
        for fn, *args in path:
            x = self.step(x, fn.value, args)
        return x

    def step(self, x: ast.expr, fn: Any, args: list[Operand]) -> ast.expr:
        if fn is operator.getitem:
            return ast.Subscript(x, self.operand(args[0]), ast.Load())
        if isinstance(fn, types.GetSetDescriptorType):
            return ast.Attribute(x, fn.__name__, ast.Load())
        written = [self.argument(a) for a in args]
        if isinstance(fn, types.MethodDescriptorType):
            return ast.Call(ast.Attribute(x, fn.__name__, ast.Load()), written, [])
        return ast.Call(self.function(fn, None), [x, *written], [])


def changes_itself(op: Apply) -> bool:
    """True if ``x[i] *= v`` changes ``x`` alone: it may change an array, or a list, that stands in a list."""
    x, path, _ = op.args
    return not is_listed(x) or isinstance(held_at(x, path), Number)


def held_at(x: Operand, path: Any) -> Any:
    """The type of what stands in a list where a path leads to."""
    return type_at(type_of(x), tuple(key for _, key in path))


def is_repeated(step: Any) -> bool:
    return step[0].value is operator.getitem and may_repeat(step[1])


def is_all(index: ast.expr) -> bool:
    return isinstance(index, ast.Constant) and index.value is Ellipsis


def stored(target: Any) -> Any:
    target.ctx = ast.Store()
    return target


_ = (Const, Value)
