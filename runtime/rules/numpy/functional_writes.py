"""Rules of writing into an array as a function of what it held and of what is written.

The compiler spells the adjoints of ``write`` and ``increase`` with the views of the path; the
rules here say the same in one word each.
"""

from ...helpers import linear
from ..book import constant, rule, transpose

__all__: list[str] = []

constant(linear.last_places)


@rule(linear.last_written, constant_in=("index",), memory="new")
def last_written(z, x, index, *, dx):
    return linear.last_written(dx, index)


@transpose(linear.last_written, argument="x")
def _(c, x, index):
    return linear.scatter_last(c, x, index)


@rule(linear.scatter_last, constant_in=("index",), memory="new")
def scatter_last(z, c, like, index, *, dc):
    return linear.scatter_last(dc, like, index)


@transpose(linear.scatter_last, argument="c")
def _(c_bar, c, like, index):
    return linear.last_written(c_bar, index)
