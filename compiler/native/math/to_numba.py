"""Elementary functions as Python text for numba: the same algorithms as in C, with equal bounds.

The text is printed into a generated module, which imports numba; this module does not.  A function
is inlined by LLVM (``forceinline``), keeps its own flags of arithmetic and raises nothing, so that a
loop around it becomes vector code.  What Python has no name for is an intrinsic: a product and sum
rounded once, a choice without a branch, the bits of a number.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .source import (
    BOUNDS,
    BOUNDS_F,
    CALLED,
    PRIMITIVES,
    RANGES,
    called,
    closure,
    functions,
    horner,
    is_wide,
    of_libm,
)

__all__ = ["BOUNDS", "BOUNDS_F", "HEAD", "RANGES", "math_text"]

# What the text needs at the top of the module it is put into.
HEAD = """import math

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic
"""

INLINED = '@numba.njit(forceinline=True, error_model="numpy", fastmath={"contract"})'

LAYOUT = '''
class RgLayout:
    """The digits of a number that an intrinsic works on, and constants of its type."""

    def __init__(self, builder, real):
        self.builder, self.real = builder, real
        self.wide = isinstance(real, ir.DoubleType)
        self.digits = 52 if self.wide else 23
        self.bias = 1023 if self.wide else 127
        self.whole = ir.IntType(64 if self.wide else 32)
        self.root_half = 0x3FE6A09E667F3BCD if self.wide else 0x3F3504F3
        self.to_one = (self.bias << self.digits) - self.root_half

    def integer(self, value):
        return ir.Constant(self.whole, value)

    def number(self, value):
        return ir.Constant(self.real, float(value))

    def bits(self, x):
        return self.builder.bitcast(x, self.whole)

    def of_bits(self, u):
        return self.builder.bitcast(u, self.real)

'''

INTRINSIC = """
@intrinsic
def rg_{name}(typing, {arguments}):
    def code(context, builder, signature, arguments):
{code}
    return {result}, code

"""

OF_LLVM = """kind = arguments[0].type
signature = ir.FunctionType(kind, [kind] * len(arguments))
return builder.call(builder.module.declare_intrinsic("llvm.{name}", [kind], signature), arguments)"""

CODE = {
    "fma": "return builder.fma(*arguments)",
    "select": "return builder.select(*arguments)",
    "pow2": """of = RgLayout(builder, arguments[0].type)
shifted = builder.fadd(arguments[0], of.number(1.5 * 2.0**of.digits + of.bias))
return of.of_bits(builder.shl(of.bits(shifted), of.integer(of.digits)))""",
    "exponent": """of = RgLayout(builder, arguments[0].type)
biased = builder.lshr(builder.add(of.bits(arguments[0]), of.integer(of.to_one)), of.integer(of.digits))
whole = builder.or_(biased, of.integer((of.bias + of.digits) << of.digits))
return builder.fsub(of.of_bits(whole), of.number(2.0**of.digits + of.bias))""",
    "significand": """of = RgLayout(builder, arguments[0].type)
moved = builder.add(of.bits(arguments[0]), of.integer(of.to_one))
digits = builder.and_(moved, of.integer((1 << of.digits) - 1))
return of.of_bits(builder.add(digits, of.integer(of.root_half)))""",
    "high": """of = RgLayout(builder, arguments[0].type)
lower = (1 << (27 if of.wide else 12)) - 1
return of.of_bits(builder.and_(of.bits(arguments[0]), of.integer(~lower)))""",
    **{name: OF_LLVM.format(name=name) for name in ("rint", "floor", "fabs", "sqrt", "copysign")},
}
ARGUMENTS = {"fma": "abc", "select": "pab", "copysign": "ab"}

# What numba calls a function that is not in the module math of every Python.
NOT_IN_MATH = {"exp2": "np.exp2", "cbrt": "np.cbrt"}


def math_text(names: set[str], accuracy: str = "inline") -> str:
    """Python of the functions ``names`` and of what they need; with ``accuracy="libm"``, libm's.

    The text stands below ``HEAD``.
    """
    known, foreign = functions(accuracy), of_libm(accuracy)
    needed = closure(names, accuracy)
    own = {name: known[name] for name in needed if name not in foreign}
    lines = [f"{name} = {numba_name(foreign[name])}\n" for name in needed if name in foreign]
    used = {one for node in own.values() for one in called(node)} & set(CODE)
    if used - {"fma", "select"}:
        lines.append(LAYOUT)
    lines += [intrinsic(name) for name in CODE if name in used]
    lines += [function(node, is_wide(name)) for name, node in own.items()]
    return "".join(lines).lstrip("\n")


def numba_name(name: str) -> str:
    return NOT_IN_MATH.get(name, f"math.{name}")


def intrinsic(name: str) -> str:
    arguments = ", ".join(ARGUMENTS.get(name, "a"))
    code = "\n".join(f"        {line}" for line in CODE[name].splitlines())
    return INTRINSIC.format(name=name, arguments=arguments, code=code, result=f"a({arguments})")


def function(node: ast.FunctionDef, wide: bool) -> str:
    head = ", ".join(arg.arg for arg in node.args.args)
    lines = [line for statement in node.body for line in written(statement, wide)]
    return "\n".join(["", INLINED, f"def {node.name}({head}):", *lines, "", ""])


def written(statement: ast.stmt, wide: bool) -> Iterator[str]:
    match statement:
        case ast.Expr(ast.Constant(str(text))):
            yield f'    """{text}"""'
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name("poly"), [x, *coefficients])):
            texts = [expression(one, wide) for one in coefficients]
            for target, value in horner(name, expression(x, wide), texts, "rg_fma"):
                yield f"    {target} = {value}"
        case ast.Assign([ast.Name(name)], value):
            yield f"    {name} = {expression(value, wide)}"
        case ast.Return(ast.expr() as value):
            yield f"    return {expression(value, wide)}"
        case _:
            raise TypeError(ast.unparse(statement))


class Printed(ast.NodeTransformer):
    """Constants of the width, names of the intrinsics."""

    def __init__(self, wide: bool) -> None:
        self.wide = wide

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return node if self.wide else narrow(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in ("inf", "nan"):
            return node
        constant = ast.Attribute(ast.Name("np"), node.id)
        return constant if self.wide else narrow(constant)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Name)
        name, arguments = node.func.id, [self.visit(one) for one in node.args]
        if name in CALLED:
            return ast.Call(ast.Attribute(ast.Name("math"), CALLED[name]), arguments, [])
        if name in ("wide", "narrow"):
            kind = "float64" if name == "wide" else "float32"
            return ast.Call(ast.Attribute(ast.Name("np"), kind), arguments, [])
        return ast.Call(ast.Name(f"rg_{name}" if name in PRIMITIVES else name), arguments, [])


def narrow(node: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name("np"), "float32"), [node], [])


def expression(node: ast.expr, wide: bool) -> str:
    copy = ast.parse(ast.unparse(node), mode="eval").body
    return ast.unparse(Printed(wide).visit(copy))
