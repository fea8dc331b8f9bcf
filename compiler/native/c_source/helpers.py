"""Functions of numbers that C has no word for, as small static functions; and its words for the others."""

from __future__ import annotations

from ..c_text.scalar_functions import FLOATS, INTEGERS, defined

__all__ = ["CHOSEN", "LIBM", "called", "definition", "helper_names", "is_helper"]

# NumPy's name, and that of C's library.
LIBM = {
    "exp": "exp", "expm1": "expm1", "exp2": "exp2", "log": "log", "log1p": "log1p", "log2": "log2",
    "log10": "log10", "sqrt": "sqrt", "cbrt": "cbrt", "power": "pow", "hypot": "hypot", "sin": "sin", "cos": "cos",
    "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "erf": "erf",
    "erfc": "erfc", "absolute": "fabs", "fabs": "fabs", "floor": "floor", "ceil": "ceil", "rint": "rint",
    "trunc": "trunc", "copysign": "copysign", "fmax": "fmax", "fmin": "fmin",
}  # fmt: skip
MACROS = ("isnan", "isinf", "isfinite", "signbit")  # of C's library, for every type
OWN = {
    "logaddexp": (
        "x y",
        """/* log(exp(x) + exp(y)), without overflow */
    if (x == y) return x + ({T})0.693147180559945309;
    return x > y ? x + log1p{f}(exp{f}(y - x)) : y + log1p{f}(exp{f}(x - y));""",
    ),
    "sigmoid": ("x", "return 1 / (1 + exp{f}(-x));"),
}
CHOSEN = "chosen"  # a choice whose sides are read first
APART = (
    "#ifdef __GNUC__\n__attribute__((noinline))\n#endif\n"  # inline, reads become conditional again
)
NAMES = {
    "floor_divide": "floor_div",
    "remainder": "modulo",
    "absolute": "absolute_value",
    "wrap": "from_end",
}
SAID = {
    "chosen": "x or y, both read before: gcc 11 and 12 mix up the conditions of loads from short rows",
    "maximum": "the larger one; NaN if one is", "minimum": "the smaller one; NaN if one is",
    "remainder": "with the sign of b, as in Python", "floor_divide": "rounded down, as in Python",
    "wrap": "an index from the end, if it is negative", "sign": "-1, 0 or 1",
}  # fmt: skip


def helper_names() -> set[str]:
    """The words for functions that may be written out."""
    names = [(name, dtype) for name in [*OWN, *FLOATS] for dtype in ("f8", "f4")]
    names += [(name, "i8") for name in INTEGERS]
    names += [(CHOSEN, dtype) for dtype in ("f8", "f4", "i8")]
    return {called(name, dtype) for name, dtype in names if is_helper(name, dtype)}


def called(name: str, dtype: str) -> str:
    """The word for an operation on numbers of a dtype.

    >>> called("power", "f4"), called("maximum", "f8"), called("isnan", "f8")
    ('powf', 'maximum', 'isnan')
    """
    if name in MACROS and dtype[0] == "f":
        return name
    ending = {"f4": "f", "i8": "_int"}.get(dtype, "")
    if dtype[0] == "f" and name in LIBM:
        return LIBM[name] + ending
    return NAMES.get(name, name) + ending


def is_helper(name: str, dtype: str) -> bool:
    """True if a function has to be written out."""
    return dtype not in ("f8", "f4") or not (name in LIBM or name in MACROS)


def definition(name: str, dtype: str, integer: str) -> str | None:
    """The text of a function that is written out; None if there is none."""
    types = {"f8": "double", "f4": "float", "i8": integer}
    if name == CHOSEN and dtype in types:
        kind, head = types[dtype], f"{APART}static {types[dtype]} {called(name, dtype)}"
        return f"/* {SAID[name]} */\n{head}(int test, {kind} x, {kind} y)\n{{\n    return test ? x : y;\n}}"
    if name in OWN and dtype in ("f8", "f4"):
        parameters, body = OWN[name]
        kind, letter = types[dtype], "f" if dtype == "f4" else ""
        head = ", ".join(f"{kind} {one}" for one in parameters.split())
        inner = body.replace("{T}", kind).replace("{f}", letter)
        return f"static {kind} {called(name, dtype)}({head})\n{{\n    {inner}\n}}"
    if dtype not in types or name not in (FLOATS if dtype[0] == "f" else INTEGERS):
        return None
    text = defined(name, dtype, types, called(name, dtype), "static")
    if "\n" not in text:
        head, _, rest = text.partition(" { ")
        text = f"{head}\n{{\n    {rest.removesuffix(' }')}\n}}"
    return f"/* {SAID[name]} */\n{text}" if name in SAID else text
