"""``hello``: a square, and its derivative."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import retrograd as rg

from ..function import Function


def square(x):
    return x * x


def arguments(given):
    return (float(given),)


FUNCTIONS = {
    "square": Function(lambda backend: square, arguments),
    "double": Function(lambda backend: rg.grad(square, backend=backend), arguments),
}
