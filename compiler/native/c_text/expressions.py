"""Scalar expressions of the loop IR in a language of C's family."""

from __future__ import annotations

import math
from typing import Any

from ..loop_ir.ir import Affine, Buffer, Get, Kernel, Lit, Op, Var, exprs_of, subexpressions, walk
from ..loop_ir.operation_traits import scalar_operation
from ..loop_ir.storage import TYPES

__all__ = ["Expressions", "call_name", "literal", "math_names"]


def math_names(kernel: Kernel) -> set[str]:
    """The functions of `to_c` that a kernel calls, with an ``f`` for float ones."""
    bodies = [kernel.body, *(function.body for function in kernel.functions)]
    return {
        call_name(e)
        for stmt in (s for body in bodies for s in walk(body))
        for top in exprs_of(stmt)
        for e in subexpressions(top)
        if isinstance(e, Op) and scalar_operation(e.name).inline and e.dtype != "c16"
    }


def call_name(e: Op) -> str:
    name = "pow" if e.name == "power" else e.name
    return f"rg_{name}{'f' if e.dtype == 'f4' else ''}"


def literal(e: Lit) -> str:
    if e.dtype == "c16":
        value = complex(e.value)
        return f"rg_complex({literal(Lit(value.real, 'f8'))}, {literal(Lit(value.imag, 'f8'))})"
    if e.dtype[0] != "f":
        return str(int(e.value))
    value = float(e.value)
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "(-INFINITY)"
    text = repr(value) + ("f" if e.dtype == "f4" else "")
    return f"({text})" if text[0] == "-" else text


class Expressions:
    """The text of an expression, as C; another language says otherwise what it has otherwise.

    >>> from ..loop_ir.ir import plus
    >>> Expressions().expression(plus(Var("n"), -1))
    '(n - 1)'
    """

    types = TYPES

    def expression(self, e: Any) -> str:
        if isinstance(e, Lit):
            return literal(e)
        if isinstance(e, Var):
            return self.variable(e)
        if isinstance(e, Affine):
            return self.affine(e)
        if isinstance(e, Get):
            return self.element(e.buffer, e.index)
        assert isinstance(e, Op)
        return self.operation(e)

    def variable(self, e: Var) -> str:
        return e.name

    def element(self, buffer: Buffer, index: tuple[Any, ...]) -> str:
        return f"{buffer.name}[{self.offset(buffer, index)}]"

    def affine(self, e: Affine) -> str:
        """A sum of multiples of atoms."""
        parts: list[str] = []
        for atom, k in e.terms:
            text = self.expression(atom)
            text = text if abs(k) == 1 else f"{abs(k)}*{text}"
            parts.append(f"- {text}" if k < 0 else f"+ {text}" if parts else text)
        if e.const or not parts:
            sign = "- " if e.const < 0 else "+ " if parts else ""
            parts.append(f"{sign}{abs(e.const)}")
        joined = " ".join(parts)
        return joined if len(parts) == 1 and joined[0] != "-" else f"({joined})"

    def offset(self, buffer: Buffer, index: tuple[Any, ...]) -> str:
        """Where an element stands, in C order."""
        if not index:
            return "0"
        text = self.expression(index[0])
        for i, n in zip(index[1:], buffer.dims[1:], strict=True):
            size, last = self.expression(n), self.expression(i)
            text = last if text == "0" else f"({text})*{size} + {last}"
        return text

    def operation(self, e: Op) -> str:
        args = [self.expression(a) for a in e.args]
        name = e.name
        if name == "imul":
            return self.integer_product(args)
        if name == "cast":
            return (
                f"({args[0]} != 0)" if e.dtype == "b1" else f"(({self.types[e.dtype]})({args[0]}))"
            )
        if name == "complex":
            return f"rg_complex({', '.join(args)})"
        if e.dtype == "c16" and name in ("multiply", "divide"):
            return f"rg_{name}_c16({', '.join(args)})"
        if scalar_operation(name).infix is not None:
            return self.infix(e, args)
        if name == "negative":
            return f"(-{args[0]})"
        if name == "logical_not":
            return f"(!{args[0]})"
        if name == "where":
            return f"({args[0]} ? {args[1]} : {args[2]})"
        return f"{self.function(e)}({', '.join(args)})"

    def integer_product(self, args: list[str]) -> str:
        return f"rg_imul({args[0]}, {args[1]}, &overflow)"

    def infix(self, e: Op, args: list[str]) -> str:
        name = e.name
        if e.dtype == "b1" and name in ("add", "multiply"):
            name = {"add": "logical_or", "multiply": "logical_and"}[name]
        if name == "divide" and e.args[0].dtype[0] != "f":
            args = [f"(double){a}" for a in args]
        return f"({args[0]} {scalar_operation(name).infix} {args[1]})"

    def function(self, e: Op) -> str:
        """The name of what computes an operation that has no operator."""
        if scalar_operation(e.name).inline and e.args[0].dtype != "c16":
            return call_name(e)
        return f"rg_{e.name}_{e.args[0].dtype}"

    def accumulated(self, name: str, op: str, value: Any) -> str:
        """A statement that adds a value to a variable, or multiplies it by it, ..."""
        if op == "add" or (op == "multiply" and value.dtype != "c16"):
            return f"{name} {'+' if op == 'add' else '*'}= {self.expression(value)};"
        return f"{name} = {self.function(Op(op, (value, value), value.dtype))}({name}, {self.expression(value)});"
