"""The elementary functions as parsed text: what a function needs, and which names there are.

A function is a straight line of assignments and one ``return``.  Its primitives, which a printer
has to know for both widths:

* ``fma rint floor fabs sqrt copysign``, as in C;
* ``select(condition, a, b)``, both sides computed;
* ``pow2(n)``: 2**n for an integral n whose power is a normal number;
* ``exponent(x)``, ``significand(x)``: x = m 2**e, 1/sqrt(2) <= m < sqrt(2), of a positive normal x;
* ``high(x)``: x without the lower half of its digits;
* ``poly(x, c0, c1, ...)``, only as a whole right side: ``horner``;
* ``wide(x)``, ``narrow(x)``: from ``float32`` and back;
* ``libm_sin libm_cos libm_tan``: the library's, called;
* the constants ``inf`` and ``nan``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache

from . import float32, float64, trigonometry

__all__ = [
    "BOUNDS", "BOUNDS_F", "CALLED", "LIBM", "PRIMITIVES", "RANGES", "called", "closure", "functions",
    "horner", "is_wide", "of_libm",
]  # fmt: skip

CALLED = {
    "libm_sin": "sin",
    "libm_cos": "cos",
    "libm_tan": "tan",
}  # no loop with them is vector code

PRIMITIVES = {
    "fma", "rint", "floor", "fabs", "sqrt", "copysign", "select", "pow2", "exponent", "significand",
    "high", "poly", "wide", "narrow", *CALLED,
}  # fmt: skip

BOUNDS: dict[str, float] = {**float64.BOUNDS, **trigonometry.BOUNDS}
ROUNDED = [name for name in BOUNDS if f"{name}f" not in float32.BOUNDS]  # by way of float64
BOUNDS_F: dict[str, float] = {**float32.BOUNDS, **{f"{name}f": 0.6 for name in ROUNDED}}

# The largest argument of what has one; beyond it, and there only, a number gives nan.
RANGES: dict[str, float] = {
    name: most for base, most in trigonometry.RANGES.items() for name in (base, f"{base}f")
}


# Of the library's functions, for the strict variant.
STRICT = """
def rg_logaddexp(x, y):
    m = select(x > y, x, y)
    return m + select(x == y, 0.6931471805599453, rg_log1p(rg_exp(-fabs(x - y))))

def rg_logaddexpf(x, y):
    m = select(x > y, x, y)
    return m + select(x == y, 0.6931471805599453, rg_log1pf(rg_expf(-fabs(x - y))))
"""


@cache
def functions(accuracy: str = "inline") -> dict[str, ast.FunctionDef]:
    """Every function by name, callees before callers."""
    if accuracy not in ("inline", "libm"):
        raise ValueError(f"accuracy is 'inline' or 'libm', not {accuracy!r}")
    wide = parsed(float64.TEXT) | parsed(trigonometry.TEXT)
    rounded = [by_double(wide[name]) for name in ROUNDED]
    every = wide | parsed(float32.TEXT) | parsed("\n".join(rounded))
    return every | parsed(STRICT) if accuracy == "libm" else every


def parsed(text: str) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def by_double(node: ast.FunctionDef) -> str:
    names = [argument.arg for argument in node.args.args]
    call = f"{node.name}({', '.join(f'wide({name})' for name in names)})"
    return f"def {node.name}f({', '.join(names)}):\n    return narrow({call})\n"


def called(node: ast.AST) -> set[str]:
    """The names that are called somewhere in ``node``."""
    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


def closure(names: Iterable[str], accuracy: str) -> list[str]:
    """The functions that ``names`` need, in the order of the text; those of libm need none."""
    known, foreign = functions(accuracy), of_libm(accuracy)
    needed: set[str] = set()
    waiting = sorted(names)
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        if name not in known:
            raise KeyError(f"no inline function is named {name!r}")
        needed.add(name)
        if name not in foreign:
            waiting += sorted(called(known[name]) - PRIMITIVES)
    return [name for name in known if name in needed]


def horner(name: str, x: str, coefficients: list[str], fma: str) -> Iterator[tuple[str, str]]:
    """The steps of a polynomial: Horner's rule for the even and the odd powers, two short chains.

    A target may be assigned again.
    """
    yield f"{name}_square", f"{x} * {x}"
    for part, row in (("even", coefficients[0::2]), ("odd", coefficients[1::2])):
        yield f"{name}_{part}", row[-1]
        for coefficient in reversed(row[:-1]):
            yield f"{name}_{part}", f"{fma}({name}_{part}, {name}_square, {coefficient})"
    yield name, f"{fma}({name}_odd, {x}, {name}_even)"


def is_wide(name: str) -> bool:
    """True if a function is one of ``float64``."""
    return name not in BOUNDS_F


LIBM = (
    "exp expm1 exp2 log log1p log2 log10 tanh sinh cosh sin cos tan pow erf erfc hypot cbrt"
    " atan asin acos atan2 asinh acosh atanh"
)
OUR_NAMES = {
    "atan": "arctan", "asin": "arcsin", "acos": "arccos", "atan2": "arctan2",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
}  # fmt: skip


def of_libm(accuracy: str) -> dict[str, str]:
    """The functions of libm for ours in the strict variant, without a suffix for the width."""
    if accuracy == "inline":
        return {}
    plain = {f"rg_{OUR_NAMES.get(name, name)}": name for name in LIBM.split()}
    bases = {name: base_of(name).removesuffix("_near") for name in functions()}
    return {name: plain[base] for name, base in bases.items() if base in plain}


def base_of(name: str) -> str:
    return name if is_wide(name) else name.removesuffix("f")
