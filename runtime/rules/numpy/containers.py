"""Rules of the helpers on containers."""

from ...helpers import linear
from ..book import constant, rule, traits, transpose


@rule(linear.flipped, keeps_length=True)
def flipped(z, stack, *, dstack):
    return linear.flipped(dstack)


@transpose(linear.flipped, argument="stack")
def _(c, stack):
    return linear.flipped(c)


@rule(linear.fill_like, gives="container")
def fill_like(z, like, items, attributes=False, *, ditems):
    return linear.fill_like(like, ditems, attributes=attributes)


@transpose(linear.fill_like, argument="items")
def _(c, like, items, attributes=False):
    return linear.picked(c, items, attributes=attributes)


@rule(linear.picked, constant_in=("items",))
def picked(z, c, items, attributes=False, *, dc):
    return linear.picked(dc, items, attributes=attributes)


@transpose(linear.picked, argument="c")
def _(c_bar, c, items, attributes=False):
    return linear.fill_like(c, c_bar, attributes=attributes)


@rule(linear.match, memory="new", buffer="apart", gives="container", kind_of="like")
def match(z, c, like, *, dc):
    return linear.match(dc, like)


@transpose(linear.match, argument="c")
def _(c_bar, c, like):
    return linear.unmatch(c_bar, c)


@rule(
    linear.as_tangent,
    memory="new",
    buffer="apart",
    gives="container",
    kind_of="x",
    constant_in=("x",),
)
def as_tangent(z, dot, x, *, ddot):
    return linear.match(ddot, x)


@transpose(linear.as_tangent, argument="dot")
def _(c_bar, dot, x):
    return linear.unmatch(c_bar, dot)


@rule(linear.unmatch, memory="new", gives="container")
def unmatch(z, c, like, *, dc):
    return linear.unmatch(dc, like)


@transpose(linear.unmatch, argument="c")
def _(c_bar, c, like):
    return linear.match(c_bar, c)


constant(linear.check_scalar)
constant(linear.check_separate, linear.check_shared, linear.check_unshared)
constant(linear.stop_gradient)

traits(linear.stop_gradient, memory="view", keeps_order=True)
