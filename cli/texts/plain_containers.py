"""Containers in a text that stands alone, where the arguments are known to be plain: dicts, lists and tuples.

They take the place of functions of the runtime that know many more classes.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from retrograd.runtime.helpers.core import cast
from retrograd.runtime.user.argument_checks import ANY_ORDER
from retrograd.runtime.user.argument_forms import Form, form_of

__all__ = ["GUARDS", "PLAIN", "has_plain_only"]


def children(tree: Any) -> Any:
    """The keys and items of a dict, list or tuple; None of anything else."""
    if isinstance(tree, dict):
        return list(tree.items())
    return list(enumerate(tree)) if isinstance(tree, (list, tuple)) else None


def with_items(tree: Any, items: list[Any]) -> Any:
    """A container like ``tree`` around other items."""
    return dict(zip(tree, items, strict=True)) if isinstance(tree, dict) else type(tree)(items)


def part(tree: Any, key: Any) -> Any:
    """What a container holds under a key; None of None, and a zero of zeros."""
    return tree if tree is None or type(tree) is float else tree[key]


def map_tree(f: Any, tree: Any, *others: Any) -> Any:
    """Apply ``f`` to the leaves of nested containers."""
    if not isinstance(tree, (dict, list, tuple)):
        return f(tree, *others)
    if any(len(o) != len(tree) for o in others if o is not None and type(o) is not float):
        raise ValueError("containers of different lengths")
    keys = tree if isinstance(tree, dict) else range(len(tree))
    made = {k: map_tree(f, tree[k], *(part(o, k) for o in others)) for k in keys}
    return made if isinstance(tree, dict) else type(tree)(made.values())


def add(a: Any, b: Any) -> Any:
    """The sum of two cotangents of one value; ``None`` is zero; trees are added by leaf."""
    if a is None or b is None:
        return b if a is None else a
    return map_tree(add, a, b) if isinstance(a, (dict, list, tuple)) else a + b


def is_float(leaf: Any) -> Any:
    """True if a leaf can have a derivative: texts, None and whole numbers have none."""
    return isinstance(leaf, (float, complex)) or getattr(leaf, "dtype", np.dtype(int)).kind in "fc"


def zero_leaf(x: Any) -> Any:
    """The zero of a number or an array; None of what is neither."""
    if isinstance(x, np.ndarray):
        return np.zeros_like(x, dtype=x.dtype if x.dtype.kind in "fc" else np.float64)
    if isinstance(x, (float, complex, np.inexact)):
        return type(x)(0)
    return 0.0 if isinstance(x, (int, np.generic)) else None


def zeros_like(x: Any) -> Any:
    """The zero tangent or cotangent of ``x``, of the same structure."""
    return 0.0 if x is None else map_tree(zero_leaf, x)


def matched_leaf(x: Any, g: Any) -> Any:
    """The gradient of a leaf of a container: None where there can be none."""
    if not is_float(x):
        return None
    return zeros_like(x) if g is None else match(g, x)


def match(c: Any, like: Any) -> Any:
    """An owned gradient of the shape, dtype and container of ``like``."""
    if isinstance(like, (dict, list, tuple)):
        return map_tree(matched_leaf, like, c)
    if isinstance(like, (float, complex)):
        return float(np.real(c)) if isinstance(like, float) else complex(c)
    if not isinstance(like, (np.ndarray, np.generic)):
        return zeros_like(like)
    made = np.array(np.broadcast_to(cast(c, like), like.shape), dtype=like.dtype)
    return made if isinstance(like, np.ndarray) else made[()]


def is_kind(value: Any, dtypes: str, ranks: Any = None) -> bool:
    """True of numbers and arrays of these kinds and ranks, and, without ranks, of lists, tuples and dicts of them."""
    if type(value) is np.ndarray or isinstance(value, (np.generic, float, int, complex)):
        return np.asarray(value).dtype.kind in dtypes and (ranks is None or np.ndim(value) in ranks)
    if ranks is None and type(value) is dict:
        return all(type(k) is str and is_kind(v, dtypes) for k, v in value.items())
    if ranks is None and type(value) in (list, tuple):
        return all(is_kind(v, dtypes) for v in value)
    holds = hasattr(type(value), "__getitem__") or hasattr(type(value), "__dataclass_fields__")
    return ranks is None and dtypes != "f" and (isinstance(value, str) or not holds)


GUARDS = ("is_kind",)  # what a guard calls
SORTS = (
    "word",
    "ranked",
    "sequence",
    "python",
    "scalar",
    "array",
    "any rank",
    "container",
    "value",
)
MODULES = ("numpy", "math", "cmath", "operator", "retrograd")


def has_plain_only(text: str) -> bool:
    """True if all that a text computes with are numbers, arrays, and plain containers of them."""
    tree = ast.parse(text)
    kinds: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and not all(a.name in MODULES for a in node.names):
            return False
        if isinstance(node, ast.ImportFrom) and node.module not in MODULES:
            return False
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "rt.expects":
            kinds += [ast.literal_eval(a) for a in node.args]
    apart = (ANY_ORDER, "like ", " != ")  # a tangent is like what it is the tangent of
    own = [k for k in kinds if not any(word in k for word in apart)]
    return bool(kinds) and all(is_plain(form_of(k)) for k in own)


def is_plain(form: Form) -> bool:
    return form.sort in SORTS and all(is_plain(part) for _, part in form.parts)


PYTREE, CORE = "retrograd.runtime.objects.pytree", "retrograd.runtime.helpers.core"
PLAIN = {
    *((PYTREE, name) for name in ("children", "with_items", "part", "is_float")),
    *((CORE, name) for name in ("map_tree", "add", "zero_leaf", "zeros_like")),
    *(("retrograd.runtime.helpers.containers", name) for name in ("match", "matched_leaf")),
}
