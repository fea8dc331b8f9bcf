"""Elementary functions as C text: branch-free, so that a loop that calls them becomes vector code.

Made for ``-O3 -march=native -ffp-contract=fast -fno-math-errno -fno-trapping-math``; ``-ffast-math``
would break the reductions and the treatment of infinities.
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

__all__ = ["BOUNDS", "BOUNDS_F", "RANGES", "function", "math_text"]

IN_C = frozenset(["fma", "rint", "floor", "fabs", "sqrt", "copysign"])  # with a suffix for float

# The longer ones would be called otherwise, and no loop with a call becomes vector code.
INLINE = "static inline __attribute__((always_inline))"

# What C has no name for; {T} is the type, {U} an unsigned integer of its size.
TEXTS = {
    "bits": "{inline} {U} rg_bits{s}({T} x) {{ {U} u; __builtin_memcpy(&u, &x, sizeof u); return u; }}",
    "real": "{inline} {T} rg_real{s}({U} u) {{ {T} x; __builtin_memcpy(&x, &u, sizeof x); return x; }}",
    "pow2": "{inline} {T} rg_pow2{s}({T} n) {{ return rg_real{s}(rg_bits{s}(n + {shift}) << {digits}); }}",
    "exponent": (
        "{inline} {T} rg_exponent{s}({T} x) {{"
        " return rg_real{s}(((rg_bits{s}(x) + {to_one}) >> {digits}) | {whole}) - {unshift}; }}"
    ),
    "significand": (
        "{inline} {T} rg_significand{s}({T} x) {{"
        " return rg_real{s}(((rg_bits{s}(x) + {to_one}) & {fraction}) + {root_half}); }}"
    ),
    "high": "{inline} {T} rg_high{s}({T} x) {{ return rg_real{s}(rg_bits{s}(x) & {upper}); }}",
}
OF_DOUBLE = {
    "T": "double", "U": "uint64_t", "s": "", "digits": "52",
    "shift": "0x1.8p52 + 1023.0", "whole": "0x4330000000000000u", "unshift": "(0x1p52 + 1023.0)",
    "to_one": "0x00095f619980c433u", "root_half": "0x3fe6a09e667f3bcdu",
    "fraction": "0x000fffffffffffffu", "upper": "0xfffffffff8000000u",
}  # fmt: skip
OF_FLOAT = {
    "T": "float", "U": "uint32_t", "s": "f", "digits": "23",
    "shift": "0x1.8p23f + 127.0f", "whole": "0x4b000000u", "unshift": "(0x1p23f + 127.0f)",
    "to_one": "0x004afb0du", "root_half": "0x3f3504f3u",
    "fraction": "0x007fffffu", "upper": "0xfffff000u",
}  # fmt: skip


def math_text(names: set[str], accuracy: str = "inline") -> str:
    """C of the functions ``names`` and of what they need; with ``accuracy="libm"``, libm's.

    The text needs ``<stdint.h>``, and does not include it itself.
    """
    known, foreign = functions(accuracy), of_libm(accuracy)
    needed = closure(names, accuracy)
    own = {name: known[name] for name in needed if name not in foreign}
    lines = [
        f"#define {name} __builtin_{foreign[name]}{'' if is_wide(name) else 'f'}"
        for name in needed
        if name in foreign
    ]
    lines += [line for wide in (True, False) for line in primitives(own, wide)]
    lines += [function(node, is_wide(name)) for name, node in own.items()]
    return "\n".join([*lines, ""])


def primitives(own: dict[str, ast.FunctionDef], wide: bool) -> list[str]:
    used = {one for name, node in own.items() if is_wide(name) == wide for one in called(node)}
    if used & set(TEXTS):
        used |= {"bits", "real"}
    values = OF_DOUBLE if wide else OF_FLOAT
    return [text.format(inline=INLINE, **values) for name, text in TEXTS.items() if name in used]


def function(node: ast.FunctionDef, wide: bool, inline: str = INLINE) -> str:
    kind = "double" if wide else "float"
    head = ", ".join(f"{kind} {arg.arg}" for arg in node.args.args)
    lines = [line for statement in node.body for line in written(statement, kind)]
    return "\n".join([f"{inline} {kind} {node.name}({head}) {{", *lines, "}"])


def written(statement: ast.stmt, kind: str) -> Iterator[str]:
    match statement:
        case ast.Expr(ast.Constant(str(text))):
            yield f"    /* {text} */"
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name("poly"), [x, *coefficients])):
            texts = [expression(one, kind) for one in coefficients]
            fma = in_c("fma", "f" if kind == "float" else "")
            seen: set[str] = set()
            for target, value in horner(name, expression(x, kind), texts, fma):
                yield f"    {'' if target in seen else kind + ' '}{target} = {value};"
                seen.add(target)
        case ast.Assign([ast.Name(name)], value):
            of = "_Bool" if is_condition(value) else kind
            yield f"    const {of} {name} = {expression(value, kind)};"
        case ast.Return(ast.expr() as value):
            yield f"    return {expression(value, kind)};"
        case _:
            raise TypeError(ast.unparse(statement))


def is_condition(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor)
    )


OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==",
    ast.NotEq: "!=",
}  # fmt: skip


def expression(node: ast.expr, kind: str) -> str:
    suffix = "f" if kind == "float" else ""

    def of(inner: ast.expr) -> str:
        return expression(inner, kind)

    match node:
        case ast.Constant(float(value)):
            return f"{value!r}{suffix}"
        case ast.Name("inf"):
            return f"__builtin_inf{suffix}()"
        case ast.Name("nan"):
            return f'__builtin_nan{suffix}("")'
        case ast.Name(name):
            return name
        case ast.UnaryOp(ast.USub(), operand):
            return f"-{of(operand)}"
        case ast.BinOp(left, operator, right):
            return f"({of(left)} {OPERATORS[type(operator)]} {of(right)})"
        case ast.Compare(left, [operator], [right]):
            return f"({of(left)} {OPERATORS[type(operator)]} {of(right)})"
        case ast.Call(ast.Name("select"), [condition, one, other]):
            return f"({of(condition)} ? {of(one)} : {of(other)})"
        case ast.Call(ast.Name("wide" | "narrow" as name), [inner]):
            to, back = ("double", "float") if name == "wide" else ("float", "double")
            return f"({to})({expression(inner, back)})"
        case ast.Call(ast.Name(name), arguments):
            return f"{in_c(name, suffix)}({', '.join(map(of, arguments))})"
    raise TypeError(ast.unparse(node))


def in_c(name: str, suffix: str) -> str:
    if name in CALLED:
        return f"__builtin_{CALLED[name]}{suffix}"
    if name in IN_C:
        return f"__builtin_{name}{suffix}"
    return f"rg_{name}{suffix}" if name in PRIMITIVES else name
