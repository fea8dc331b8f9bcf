"""Names of scalar operations that several modules ask about."""

from __future__ import annotations

__all__ = ["FEW", "INLINE", "SMALL", "TINY"]

FEW = 4  # iterations of a loop that are written out

# Functions of the inline math: much faster in vectors than one by one.
INLINE = {
    "exp", "expm1", "exp2", "log", "log1p", "log2", "log10", "tanh", "sinh", "cosh", "sin", "cos",
    "tan", "power", "erf", "erfc", "logaddexp", "arctan", "arcsin", "arccos", "arctan2", "hypot",
    "cbrt", "sigmoid", "arcsinh", "arccosh", "arctanh", "sin_near", "cos_near", "tan_near",
}  # fmt: skip

SMALL = 32  # sizes that are taken as constants, the first time
TINY = 4  # a last axis that always is
