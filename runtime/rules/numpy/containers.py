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


# --- containers in containers, and dicts whose keys are known at run time ----------------

constant(linear.keys_of)


@rule(
    linear.put_at,
    linear.renewed_at,
    constant_in=("path",),
    keeps_length=True,
    gives="container",
    puts="item",
    inside=True,
    new_if="numbers",
)
def put_at(z, items, path, item, *, ditems, ditem):
    return linear.put_at(ditems, path, ditem)


@transpose(linear.put_at, linear.renewed_at, argument="items")
def _(c, items, path, item):
    return linear.cleared_at(c, path, items)


@transpose(linear.put_at, linear.renewed_at, argument="item")
def _(c, items, path, item):
    return linear.taken_at(c, path)


@rule(linear.cleared_at, constant_in=("path", "like"), gives="container", new_if="numbers")
def cleared_at(z, c, path, like, *, dc):
    return linear.cleared_at(dc, path, like)


@transpose(linear.cleared_at, argument="c")
def _(c_bar, c, path, like):
    return linear.cleared_at(c_bar, path, c)


@rule(linear.taken_at, constant_in=("path",), gives="container")
def taken_at(z, c, path, *, dc):
    return linear.taken_at(dc, path)


@transpose(linear.taken_at, argument="c")
def _(c_bar, c, path):
    return linear.put_at(linear.zeros_like(c), path, c_bar)


@rule(
    linear.increased_at,
    constant_in=("path",),
    keeps_length=True,
    gives="container",
    zeros="places",
    joint=True,
    new_if="numbers",
)
def increased_at(z, items, path, c, *, ditems, dc):
    return linear.increased_at(ditems, path, dc)


@transpose(linear.increased_at, argument="items")
def _(c_bar, items, path, c):
    return c_bar


@transpose(linear.increased_at, argument="c")
def _(c_bar, items, path, c):
    return linear.taken_at(c_bar, path)


traits(linear.put_at, linear.increased_at, writes="item")


@rule(linear.entered, constant_in=("key",), gives="container", puts="item", new_if="numbers")
def entered(z, items, key, item, *, ditems, ditem):
    return linear.entered(ditems, key, ditem)


@transpose(linear.entered, argument="items")
def _(c, items, key, item):
    return linear.like_keys(c, items, key)


@transpose(linear.entered, argument="item")
def _(c, items, key, item):
    return c[key]


@rule(linear.dropped, constant_in=("key",), gives="container", new_if="numbers")
def dropped(z, items, key, *, ditems):
    return linear.dropped(ditems, key)


@transpose(linear.dropped, argument="items")
def _(c, items, key):
    return linear.like_keys(c, items, key)


@rule(linear.like_keys, constant_in=("like", "key"), gives="container", new_if="numbers")
def like_keys(z, c, like, key, *, dc):
    return linear.like_keys(dc, like, key)


@transpose(linear.like_keys, argument="c")
def _(c_bar, c, like, key):
    return linear.like_keys(c_bar, c, key)


@rule(linear.shallow, gives="container", keeps_length=True, new_if="numbers")
def shallow(z, items, *, ditems):
    return linear.shallow(ditems)


@transpose(linear.shallow, argument="items")
def _(c, items):
    return linear.shallow(c)


@rule(linear.values_of, gives="container", new_if="numbers")
def values_of(z, items, *, ditems):
    return linear.values_of(ditems)


@transpose(linear.values_of, argument="items")
def _(c, items):
    return linear.with_keys(c, linear.keys_of(items))


@rule(linear.with_keys, constant_in=("keys",), gives="container", new_if="numbers")
def with_keys(z, items, keys, *, ditems):
    return linear.with_keys(ditems, keys)


@transpose(linear.with_keys, argument="items")
def _(c, items, keys):
    return linear.values_of(c)
