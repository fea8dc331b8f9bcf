"""Common subexpression and dead code elimination: the cleanup after every transformation.

>>> from tests.before_after import after
>>> after('''
... def f(x):
...     y = np.exp(x) + np.exp(x)
...     z = np.exp(x) + x
...     return y
... ''', "x: float", polish)
def f(x):
    exp_x = np.exp(x)
    y = exp_x + exp_x
    return y
"""

from __future__ import annotations

from ...ir.operations import Function
from .common_subexpressions import shared
from .dead_code import eliminate

__all__ = ["polish"]


def polish(function: Function) -> Function:
    """The passes after a transformation: share, drop."""
    eliminate(function)
    return eliminate(function) if shared(function) else function
