"""Adjoints of every operation, one function for each argument. Do not edit: `make rules` writes it.

``c`` is the cotangent of the result ``z`` (a sequence of them, where an operation has several
results); the other parameters are the operation's own.  A function takes what it reads and nothing
else, so its parameters are what must be kept; those in ``SHAPES`` are read for shape and dtype only.
"""

from __future__ import annotations


import numpy as np

from . import linear as rt

__all__ = ["ADJOINTS", "SHAPES"]


# --- scipy_special --------------------------------------------------------------------


def expit_x(c, z):
    return z * (1 - z) * c


# --- tables ----------------------------------------------------------------------------

ADJOINTS = {
    "scipy_special.expit": {"x": expit_x},
}

SHAPES = {
}
