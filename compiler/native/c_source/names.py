"""Names in C: those of the signature and the text, one for each variable that is seen at a place."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["INDICES", "plain", "taken_words"]

INDICES = ("i", "j", "k", "p", "q", "r", "s")
WORDS = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "main",
    "int32_t",
    "int64_t",
    "size_t",
    "ptrdiff_t",
    "bool",
    "true",
    "false",
    "complex",
    "I",
    "errno",
    "assert",
    "offsetof",
    "abs",
    "labs",
    "class",
    "new",
    "delete",
    "this",
    "NAN",
    "INFINITY",
    "HUGE_VAL",
]
LIBRARY = [
    "acos",
    "asin",
    "atan",
    "atan2",
    "acosh",
    "asinh",
    "atanh",
    "cos",
    "sin",
    "tan",
    "cosh",
    "sinh",
    "tanh",
    "exp",
    "exp2",
    "expm1",
    "frexp",
    "ilogb",
    "ldexp",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "modf",
    "scalbn",
    "scalbln",
    "cbrt",
    "fabs",
    "hypot",
    "pow",
    "sqrt",
    "erf",
    "erfc",
    "lgamma",
    "tgamma",
    "ceil",
    "floor",
    "nearbyint",
    "rint",
    "lrint",
    "llrint",
    "round",
    "lround",
    "llround",
    "trunc",
    "fmod",
    "remainder",
    "remquo",
    "copysign",
    "nan",
    "nextafter",
    "nexttoward",
    "fdim",
    "fmax",
    "fmin",
    "fma",
    "isnan",
    "isinf",
    "isfinite",
    "isnormal",
    "signbit",
    "fpclassify",
    "gamma",
    "j0",
    "j1",
    "jn",
    "y0",
    "y1",
    "yn",
    "index",
    "div",
    "printf",
]


def taken_words() -> set[str]:
    """Words that no variable is called by: C's, and the functions of its library."""
    return {*WORDS, *LIBRARY, *(f"{name}{end}" for name in LIBRARY for end in "fl")}


def plain(name: str) -> str:
    """A name in the letters of C.

    >>> plain("θ_bar"), plain("w")
    ('theta_bar', 'w')
    """
    letters = "".join(c if c.isascii() else spelled(c) for c in name)
    letters = re.sub(r"\W", "_", letters)
    return f"x{letters}" if letters[:1].isdigit() else letters


def spelled(letter: str) -> str:
    try:
        return unicodedata.name(letter).split()[-1].lower()
    except ValueError:
        return f"u{ord(letter):04x}"
