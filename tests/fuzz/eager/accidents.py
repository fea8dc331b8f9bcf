"""Where PyTorch does what it does by accident: a random program is compared up to there (docs/eager.md names them).

`stops` looks at a statement before it is run, `ends` at what it made.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

__all__ = ["ends", "is_own_refusal", "overlaps", "stops", "tensors"]

Names = dict[str, Any]

NO_KERNEL = "does not support automatic differentiation for outputs with complex dtype"
# What PyTorch refuses by the layout of its results, or with a failure of its own.
REFUSALS = (
    "memory location",
    "INTERNAL ASSERT FAILED",
    "view size is not compatible",
    NO_KERNEL,
    "saved tensor hooks. Please",
    "indexing axis dim should be positive",
    "softmax_lastdim",
    "setStorage",
)
KEPT = re.compile("a second time|modified by an inplace operation")
PRODUCT = re.compile(
    r"cannot be multiplied|size mismatch, got input|of batch2 tensor|same dtype|inconsistent tensor size"
)


def is_own_refusal(statement: str, mine: str | None, other: str | None, names: Names) -> bool:
    """Whether one refuses for a reason of its own, or both do in other words."""
    if mine is None and "Trying to backward through the graph a second" in str(other):
        return "Both" in str(
            names.get("functions")
        )  # a node that is sent no gradient is not run here
    if other is not None and re.search(
        "not (implemented|supported) for complex|A view was created", str(mine)
    ):
        return True  # which of two errors comes first
    if names.get("kept otherwise") and other is None and "modified by an inplace" in str(mine):
        return True  # rules for batches are of other operations; what a checkpoint was given has changed
    if "kept(" in statement and other is None and "its base or another view" in str(mine):
        return True  # a checkpoint there does not ask what it is given
    if "numel: integer multiplication overflow" in str(other):  # of a size of -1
        return "(-1) isn't allowed" in str(mine)
    if "its base or another view" in str(other):  # which of two errors comes first
        return mine is not None
    if re.match("RuntimeError: (Subtraction|Negation)", str(other)) and re.search(
        "ward|grad", statement
    ):
        return True  # its formula is of truth values
    if re.search(r"autograd\.grad\((x\d+), \1,", statement) and "_will_engine_execute" in str(mine):
        return True  # a hook on several tensors, of which one is the root and asked for: it never sees it in PyTorch
    if "Recomputed values are others" in str(mine):
        return True  # PyTorch goes on with what was written to since
    if re.search(r"vmap\(|batched_rows\(", statement) and mine is not None and other is not None:
        return True  # whether a shape is that of the example or of the batch
    if mine is not None and "out of bounds" in mine and other == "IndexError":
        return True  # of one axis, or of several
    if other == "AssertionError" and "backward(" in statement:
        return True  # what PyTorch keeps of an operation, and may not be asked for outside of a context
    if mine is not None and (
        " @ " in statement
        or re.search(r"einsum|baddbmm|addmm|\.mv\(|\[\[0, 1\]\] = ", statement)
        or (PRODUCT.search(mine) and PRODUCT.search(str(other)))
    ):
        return True
    if all("an invalid gradient at index" in str(text) for text in (mine, other)):
        return True  # of which shape it is
    if KEPT.search(str(mine)) and KEPT.search(str(other)):
        return True  # which of the nodes was run first
    return str(other).startswith("NotImplementedError") or any(
        text in f"{mine}{other}" for text in REFUSALS
    )


def tensors(names: Names) -> list[tuple[str, Any]]:
    return [
        (n, x)
        for n, x in names.items()
        if re.fullmatch(r"x\d+", n) and hasattr(type(x), "requires_grad")
    ]


def overlaps(a: Any, b: Any) -> bool:
    """Whether two tensors show the same memory in different ways: the order of the writes would show."""
    one, other = ((x.data_ptr(), x.shape, x.stride()) for x in (a, b))
    return bool(a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr() and one != other)


# -- before a statement -------------------------------------------------------------------------


def stops(statement: str, names: Names) -> str:
    """Why a program cannot be compared from this statement on; empty if it can."""
    if writes_while_it_reads(statement, names):
        return "it is written while it is read"
    if is_singular(statement, names):
        return "an angle or a length of nothing: PyTorch's gradient is NaN, ours zero"
    if is_unchecked(statement, names):
        return "PyTorch does not look at an index where nothing is there to be read"
    if is_delicate_power(statement, names):
        return "a complex power of zero is NaN in PyTorch; one of a negative number shows rounding"
    if is_at_bound(statement, names):
        return "the slope of clamp at its bounds: one here, in newer PyTorch none, or a half"
    if re.search(r"vmap|hessian|jac|along|pushed|func", statement) and has_windows(
        statement, names
    ):
        return "tangents of windows that overlap: PyTorch's share their entries"
    if "batched_rows" in statement and any(x.retains_grad for _, x in tensors(names)):
        return (
            "what retains its gradient gets a whole batch of PyTorch, of which nothing can be asked"
        )
    if keeps_leaf_view_on_cpu(statement, names):
        return "PyTorch's second run gives another gradient, if it is of a view made in no_grad"
    if writes_to_columns(statement, names):
        return "a Jacobian made by columns may be written to; in PyTorch it is one of several views"
    if re.search(r"_is_view\(\)|detach_\(", statement) and names.get("inner"):
        return "results of `inner` are views in PyTorch"
    if re.search(r"median|kthvalue|mode\(", statement) and has_windows(statement, names):
        return "PyTorch sorts entries that share their memory where they are"
    pair = operands(re.search(r"(x\d+)\.fm(?:ax|in)\((x\d+)\)", statement), names)
    if pair is not None and meets(*pair):
        return (
            "the slope of fmax where both are equal: the first one's here, shared in newer PyTorch"
        )
    put = operands(re.search(r"(x\d+)\.put_?\(torch\.tensor\(\[0, -1\]\)", statement), names)
    if put is not None and put[0].numel() == 1:
        return "PyTorch has a gradient for an entry that was written over by another one"
    if fills_integers(statement, names):
        return "integers that are filled with what requires grad require it in PyTorch"
    note_overwritten(statement, names)
    infinite = not all(bool(x.detach().isfinite().all()) for _, x in tensors(names))
    if infinite and "along(" in statement:
        return "the tangent of a constant is zeros in PyTorch, and infinite times zero is NaN"
    if not re.search(r"backward\(|autograd\.grad\(", statement):
        return ""
    if names.get("overwritten"):
        return "a result was written to that a formula of a second derivative reads, here or there"
    if was_written_behind(names):
        return "what was kept was written to through .data: the formulas show"
    if names.get("reshaped"):
        return "a leaf, or what retains its gradient, was given another shape after it was used"
    if infinite:
        return "what becomes of infinite values on the way back is agreed on, not computed"
    if names.get("late") and "create_graph" in statement:
        return "what was kept of a leaf before it required grad"
    if asks_for_result(statement, names) or watches_result(names):
        return "what a formula reads, and of how many nodes an operation is made, shows"
    if hooked_among(statement, names):
        return "a gradient asked for among others is that before its hooks"
    return ""


def writes_while_it_reads(statement: str, names: Names) -> bool:
    """Whether entries are taken from the memory that they are written to, one after the other."""
    found = re.search(r"(x\d+)\.(masked_scatter_|put_|index_copy_|index_add_)\((.*)\)", statement)
    written = None if found is None else names.get(found[1])
    if found is None or not hasattr(written, "untyped_storage"):
        return False
    read = [names.get(x) for x in re.findall(r"x\d+", found[3])]
    return any(
        hasattr(x, "untyped_storage")
        and x.untyped_storage().data_ptr() == written.untyped_storage().data_ptr()
        for x in read
    )


def note_overwritten(statement: str, names: Names) -> None:
    """Note a write to what may be read, once derivatives are derived: operands or results, here or there."""
    found = re.search(r"(x\d+)(\.\w+_\(|\[.*\] \W?= | \W= )", statement)
    if found is not None and names.get("twice") and node_name(names.get(found[1])):
        names["overwritten"] = True


def operands(found: re.Match[str] | None, names: Names) -> list[Any] | None:
    """The tensors that a pattern found by name."""
    if found is None or not all(x in names for x in found.groups()):
        return None
    return [names[x].detach() for x in found.groups()]


def is_singular(statement: str, names: Names) -> bool:
    pair = operands(re.search(r"(?:hypot|atan2)\((x\d+), (x\d+)\)", statement), names)
    return pair is not None and all(bool((x == 0).any()) for x in pair)


def is_at_bound(statement: str, names: Names) -> bool:
    """Whether an entry is equal to a bound that it is held by."""
    found = re.search(r"(x\d+)\.clamp(?:_min)?_?\(([^()]*)\)", statement)
    if found is None or found[1] not in names:
        return False
    x = names[found[1]].detach()
    bounds = [float(n) for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", found[2])]
    bounds += [names[b].detach() for b in re.findall(r"x\d+", found[2]) if b in names]
    try:
        return any(bool((x == bound).any()) for bound in bounds)
    except RuntimeError:  # of shapes that do not fit
        return False


def meets(x: Any, y: Any) -> bool:
    """Whether entries that meet are equal."""
    try:
        return bool((x == y).any())
    except RuntimeError:  # of shapes that do not fit
        return False


def has_windows(statement: str, names: Names) -> bool:
    """Whether entries of a tensor that a statement names share their memory."""
    found = [names[x] for x in re.findall(r"x\d+", statement) if hasattr(names.get(x), "stride")]
    return any(
        x.numel() > 1 + sum((n - 1) * s for n, s in zip(x.shape, x.stride(), strict=True))
        for x in found
    )


def is_unchecked(statement: str, names: Names) -> bool:
    if not re.search(r"\[\[0, 1\]\]|vmap\(|jacrev\(|jacobian\(", statement):
        return False
    read = [names.get(x) for x in re.findall(r"x\d+", statement)]
    return any(hasattr(x, "requires_grad") and not x.numel() for x in read)


def is_delicate_power(statement: str, names: Names) -> bool:
    pair = operands(re.search(r"(x\d+)\.pow\((x\d+)\)", statement), names)
    if pair is None:
        return False
    if pair[0].is_complex() or pair[1].is_complex():
        return bool((pair[0] == 0).any())
    return bool((pair[0] < 0).any())


def keeps_leaf_view_on_cpu(statement: str, names: Names) -> bool:
    """Whether a checkpoint under `save_on_cpu` has an operand that is a view made without recording."""
    given = [names.get(x) for x in re.findall(r"x\d+", statement.partition("=")[2])]
    return "on_cpu(" in statement and any(
        is_leaf_of_gradients(x, views=True) and x._base is not None for x in given
    )


def writes_to_columns(statement: str, names: Names) -> bool:
    found = re.match(r"\s*(x\d+)[^=]*?(_\(|\] \W?= )", statement.split("\n")[-1])
    return found is not None and found[1] in names.get("columns", ())


def fills_integers(statement: str, names: Names) -> bool:
    """Whether a function that fills a row is given integers."""
    found = operands(re.search(r"stepped_row, (x\d+)", statement), names)
    return found is not None and not found[0].is_floating_point()


def was_written_behind(names: Names) -> bool:
    return bool(names.get("written")) or any(
        [version(x) for x in pair] != before for pair, before in names.get("shadows", ())
    )


# Results that a formula reads, and results of what is one operation in PyTorch, several in ours or the other way.
READ = re.compile(
    "Prod|Cumprod|Norm|Std|Logsumexp|Softmax|Logaddexp|Pow|Exp|Sqrt|Sigmoid|Tanh|Reciprocal|Hypot|Div|Amax|Amin"
)
MADE_OF = re.compile("Squeeze|Addcmul|Lerp|Logsumexp|Softmax|LogSoftmax|Clamp|.*Norm|Where")


def asks_for_result(statement: str, names: Names) -> bool:
    asked = re.search(r"autograd\.grad\(.*?, \[?(x\d+)|inputs=\[(x\d+)", statement)
    if "create_graph" in statement:
        names["twice"] = True
    if asked is None:
        return False
    node = node_name(names.get(asked[1] or asked[2]))
    if asked[2] and MADE_OF.match(node):
        return True
    return bool(names.get("twice")) and READ.search(node) is not None


def watches_result(names: Names) -> bool:
    """Whether the gradient of a result that its formula reads is seen, when derivatives are derived."""
    return bool(names.get("twice")) and any(
        (x.retains_grad or x._backward_hooks) and READ.search(node_name(x))
        for _, x in tensors(names)
    )


def node_name(x: Any) -> str:
    try:
        node = x.grad_fn
    except (AttributeError, RuntimeError):
        return ""
    return "" if node is None else str(node.name())


def hooked_among(statement: str, names: Names) -> bool:
    asked = re.search(r"\[(x\d+), (x\d+)\]", statement) if "grad(" in statement else None
    return asked is not None and any(names[x]._backward_hooks for x in asked.groups() if x in names)


# -- after it -----------------------------------------------------------------------------------


def ends(statement: str, names: Names) -> str:
    """Why a program cannot be compared further; empty if it can."""
    follow(statement, names)
    for name, value in tensors(names):
        if value.requires_grad and not (value.is_floating_point() or value.is_complex()):
            return f"{name} is of booleans or integers, and requires grad"
        size = np.abs(value.detach().numpy(force=True))
        if ((size > (1e2 if size.dtype == np.float32 else 1e9)) & np.isfinite(size)).any():
            return f"{name} is large: its rounding shows"
        if node_name(value) == "AsStridedBackward0" and value.grad_fn.next_functions[0][0] is None:
            return f"{name} is a view of a leaf that is a view: the gradient is lost"
    return ""


def follow(statement: str, names: Names) -> None:
    """Note what is done behind the back of the graph."""
    if ".data." in statement:
        names["written"] = True
    if re.search(r"requires_grad(_\(\)| = True)", statement):
        names["late"] = True
    if "Both." in statement:
        names["functions"] = "Both"
    if ".inner(" in statement:
        names["inner"] = True
    if re.search(r"vmap\(|kept\(", statement):
        names["kept otherwise"] = True
    columns = re.search(r"(x\d+) = torch\.(func\.(jacfwd|hessian)\(|.*forward-mode)", statement)
    if columns is not None:
        names.setdefault("columns", set()).add(columns[1])
    made = re.match(r"\s*(x\d+) = ", statement)
    if made is not None and names.get("columns", set()) & set(re.findall(r"x\d+", statement)):
        names["columns"].add(made[1])  # it may be a view
    shown = re.search(r"(x\d+) = (x\d+)\.data$", statement)
    if shown is not None and all(x in names for x in shown.groups()):
        pair = [names[x] for x in shown.groups()]
        names.setdefault("shadows", []).append((pair, [version(x) for x in pair]))
    shaped = re.search(r"(x\d+)\.(t_|transpose_|squeeze_|unsqueeze_)\(", statement)
    known = None if shaped is None else names.get(shaped[1])
    unrecorded = shaped is not None and "no_grad" in statement
    if unrecorded or is_leaf_of_gradients(known) or getattr(known, "retains_grad", False):
        names["reshaped"] = True


def is_leaf_of_gradients(x: Any, views: bool = False) -> bool:
    if not hasattr(x, "requires_grad") or not (views or x._base is None):
        return False
    try:
        return bool(x.requires_grad and x.is_leaf)
    except RuntimeError:  # a view that was made in no_grad, and whose base was written to
        return False


def version(x: Any) -> int:
    return int(x._version)
