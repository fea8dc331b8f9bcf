"""Derivatives of functions of tensors: ``jacobian``, ``hessian``, ``vjp``, ``jvp``, ``vhp``, ``hvp``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ..functions.joining import stack
from ..graph.backward import grad
from ..graph.grad_mode import enable_grad, modes, no_grad
from ..tensor.tensor import Tensor, wrapped
from . import forward_ad
from .unit_vectors import basis, ends, in_chunks

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Tensors = tuple[Any, ...]


# -- arguments and results ------------------------------------------------------------------------


def as_tuple(value: Any, what: str, name: str) -> tuple[bool, Tensors]:
    """A flag for a tuple of tensors, and the value as one."""
    several = isinstance(value, tuple)
    values = value if several else (value,)
    if what == "outputs":
        what = "outputs of the user-provided function"
    for k, one in enumerate(values):
        if not isinstance(one, Tensor):
            which = f"value at index {k}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the {which} has type "
                f"{type(one)}."
            )
    return several, values


def prepared(inputs: Tensors, create_graph: bool, need_graph: bool = True) -> Tensors:
    """The inputs as tensors of their own, so that nothing of the caller's is touched."""
    made = []
    for x in inputs:
        if create_graph and x.requires_grad:
            made.append(x.view_as(x))
        elif create_graph:
            made.append(
                x.detach().clone() if not need_graph else x.clone().requires_grad_(need_graph)
            )
        else:
            made.append(x.detach().requires_grad_(need_graph))
    return tuple(made)


def finished(value: Any, create_graph: bool) -> Any:
    """The result, cut off from the graph unless that is asked for."""
    if isinstance(value, (tuple, list)):
        return tuple(finished(v, create_graph) for v in value)
    return value if create_graph else value.detach()


def one_or_tuple(values: Tensors, several: bool) -> Any:
    return values if several else values[0]


def zeros_like(x: Any) -> Any:
    return wrapped(np.zeros_like(x._array))


def checked_v(v: Any, like: Tensors, several: bool, name: str) -> Tensors:
    """The vector(s) that were given, if they fit."""
    _, vs = as_tuple(v, "v", name)
    if len(vs) != len(like):
        if several:
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(like)} but got {len(vs)}."
            )
        raise RuntimeError("The given v should contain a single Tensor.")
    for k, (mine, other) in enumerate(zip(vs, like, strict=True)):
        if mine.shape != other.shape:
            which = f"Entry {k} in " if several else ""
            raise RuntimeError(
                f"{which}v has invalid size: should be {other.shape} but got {mine.shape}."
            )
    return tuple(x if modes.grad and x.requires_grad else x.detach() for x in vs)


def check_requiring(values: Any, inputs: Tensors, what: str, strict: bool, name: str = "") -> None:
    """With ``strict``: what does not depend on the inputs is refused."""
    if not strict:
        return
    for k, value in enumerate(values):
        if what == "outputs" and not value.requires_grad:
            raise RuntimeError(
                f"Output {k} of the user-provided function does not require gradients. The outputs must be computed in "
                "a differentiable manner from the input when running in strict mode."
            )
        if value is None:
            raise RuntimeError(independent("back", k, 0))
        if what == "hessian" and not value.requires_grad:
            raise RuntimeError(
                f"While computing the hessian, found that the jacobian of the user-provided function with respect to "
                f"input {k} is independent of the input. This is not allowed in strict mode. You should ensure that "
                "your function is twice differentiable and that the jacobian depends on the inputs (this would be "
                "violated by a linear function for example)."
            )


def gradients(
    outputs: Any, inputs: Tensors, vs: Any, create_graph: bool, retain: bool | None = None
) -> list[Any]:
    """`grad` for outputs some of which may not require it."""
    pairs = [(o, v) for o, v in zip(outputs, vs, strict=True) if o is not None and o.requires_grad]
    if not pairs:
        return [None] * len(inputs)
    return list(
        grad(
            [o for o, _ in pairs],
            inputs,
            [v for _, v in pairs],
            allow_unused=True,
            create_graph=create_graph,
            retain_graph=retain,
        )
    )


def filled(
    found: list[Any], inputs: Tensors, strict: bool, create_graph: bool, what: str, k: int = 0
) -> Tensors:
    """Zeros for what is independent; with ``strict`` that is an error."""
    made = []
    for j, (g, x) in enumerate(zip(found, inputs, strict=True)):
        if g is None and strict:
            raise RuntimeError(independent(what, j, k))
        if g is not None and strict and create_graph and not g.requires_grad:
            order = "hessian" if what in ("double_back", "hessian") else "jacobian"
            raise RuntimeError(
                f"The {order} of the user-provided function is independent of input {j}. This is not allowed in strict "
                "mode when create_graph=True."
            )
        made.append(zeros_like(x) if g is None else g)
    return tuple(made)


def independent(what: str, j: int, k: int) -> str:
    return {
        "jacobian": f"Output {k} of the user-provided function is independent of input {j}. This is not allowed in strict mode.",
        "back": f"The output of the user-provided function is independent of input {j}. This is not allowed in strict mode.",
        "back_trick": f"The gradient with respect to the input is independent of entry {j} in the grad_outputs when using "
        "the double backward trick to compute forward mode gradients. This is not allowed in strict mode.",
        "double_back": f"The jacobian of the user-provided function is independent of input {j}. This is not allowed in "
        "strict mode.",
        "hessian": f"The hessian of the user-provided function is independent of entry {j} in the grad_jacobian. This is "
        "not allowed in strict mode as it prevents from using the double backward trick to replace forward mode AD.",
    }[what]  # fmt: skip


# -- first order ----------------------------------------------------------------------------------


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs of ``func``, and ``v`` times its Jacobian."""
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "vjp")
        xs = prepared(given, create_graph)
        made = func(*xs)
        out_several, outputs = as_tuple(made, "outputs", "vjp")
        check_requiring(outputs, xs, "outputs", strict)
        if v is not None:
            vs: Any = checked_v(v, outputs, out_several, "vjp")
        elif len(outputs) != 1 or outputs[0].numel() != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single "
                "element."
            )
        else:
            vs = (None,)
    enabled = True if create_graph else modes.grad
    with switched(enabled):
        found = gradients(outputs, xs, vs, create_graph)
        result = filled(found, xs, strict, create_graph, "back")
    return one_or_tuple(finished(outputs, create_graph), out_several), one_or_tuple(
        finished(result, create_graph), several
    )


def switched(enabled: bool) -> Any:
    return enable_grad() if enabled else no_grad()


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs of ``func``, and its Jacobian times ``v``: by differentiating the way back again."""
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "jvp")
        xs = prepared(given, create_graph)
        vs = vector_for(v, xs, several, "jvp")
        made = func(*xs)
        out_several, outputs = as_tuple(made, "outputs", "jvp")
        check_requiring(outputs, xs, "outputs", strict)
        ghosts = tuple(zeros_like(o).requires_grad_() for o in outputs)
        back = filled(gradients(outputs, xs, ghosts, True), xs, strict, False, "back")
    if create_graph:
        with enable_grad():
            found = gradients(back, ghosts, vs, True)
            result = filled(found, outputs, strict, create_graph, "back_trick")
    else:
        result = filled(gradients(back, ghosts, vs, False), outputs, strict, False, "back_trick")
    return one_or_tuple(finished(outputs, create_graph), out_several), one_or_tuple(
        finished(result, create_graph), out_several
    )


HINT = (
    ' Hint: If your function has more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to '
    'use "reverse-mode".'
)


def check_strategy(strategy: str, hint: str) -> None:
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            f'Expected strategy to be either "forward-mode" or "reverse-mode".{hint}'
        )


def jacobian(
    func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The derivatives of every entry of the outputs by every entry of the inputs: ``J[i][j]``."""
    check_strategy(strategy, HINT)
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(
                'retrograd.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not '
                'supported together (yet). Please either set `create_graph=False` or `strategy="reverse-mode"`.'
            )
        return by_columns(func, inputs, strict, vectorize)
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "jacobian")
        xs = prepared(given, create_graph)
        made = func(*xs)
        out_several, outputs = as_tuple(made, "outputs", "jacobian")
        check_requiring(outputs, xs, "outputs", strict)
        if vectorize and strict:
            raise RuntimeError(
                "retrograd.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. "
                "Please either set `strict=False` or `vectorize=False`."
            )
        if vectorize and not outputs:
            raise AssertionError("Expected at least one tensor")
        if vectorize:
            rows = jacobians_of(outputs, xs, create_graph)
        else:
            rows = tuple(jacobian_of(o, xs, create_graph, strict, k) for k, o in enumerate(outputs))
    rows = finished(rows, create_graph)
    return paired(rows, out_several, several)


def paired(rows: Any, out_several: bool, several: bool) -> Any:
    made = tuple(one_or_tuple(row, several) for row in rows)
    return one_or_tuple(made, out_several)


def standard_basis(tensors: Tensors, tensor_numels: tuple[int, ...]) -> Tensors:
    """The rows of a unit matrix over the entries of all tensors, in columns for each of them."""
    library = library_of([one._array for one in tensors])
    whole, made, start = library.eye(sum(tensor_numels)), [], 0
    for one, n in zip(tensors, tensor_numels, strict=True):
        made.append(wrapped(whole[:, start : start + n].astype(one._array.dtype)))
        start += n
    return tuple(made)


def jacobians_of(outputs: Tensors, xs: Tensors, create_graph: bool) -> tuple[Tensors, ...]:
    """The Jacobians of all outputs: one sweep for the entries of all."""
    recorded = [k for k, o in enumerate(outputs) if o.requires_grad]

    def pulled(units: list[Any]) -> list[Any]:
        if not recorded:
            return [zeros_like(x) for x in xs]
        found = gradients(
            [outputs[k] for k in recorded],
            xs,
            [units[k] for k in recorded],
            create_graph,
            retain=True,
        )
        return list(filled(found, xs, False, create_graph, "jacobian", 0))

    found = in_chunks(basis(list(outputs)), sum(o.numel() for o in outputs), None, pulled)
    return tuple(
        tuple(
            whole.narrow(0, start, o.numel()).view(*o.shape, *x.shape)
            for whole, x in zip(found, xs, strict=True)
        )
        for o, start in zip(outputs, ends(list(outputs)), strict=True)
    )


def jacobian_of(output: Any, xs: Tensors, create_graph: bool, strict: bool, k: int) -> Tensors:
    """The Jacobians of one output: a sweep for each of its entries."""
    flat = output.reshape(-1)
    columns: list[list[Any]] = [[] for _ in xs]
    for j in range(output.numel()):
        found = (
            gradients([flat[j]], xs, [None], create_graph, retain=True)
            if output.requires_grad
            else [None] * len(xs)
        )
        for column, g in zip(
            columns, filled(found, xs, strict, create_graph, "jacobian", k), strict=True
        ):
            column.append(g)
    return tuple(
        stack(column).view(*output.shape, *x.shape) for column, x in zip(columns, xs, strict=True)
    )


def by_columns(func: Callable[..., Any], inputs: Any, strict: bool, vectorize: bool) -> Any:
    """The Jacobian by forward mode: a push for each entry of the inputs."""
    if strict:
        raise RuntimeError(
            'retrograd.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported '
            'together (yet). Please either set `strict=False` or `strategy="reverse-mode"`.'
        )
    several, given = as_tuple(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
        )
    if not given:
        raise AssertionError("Expected at least one tensor")
    out_several = False
    outputs: Tensors = ()

    def pushed(units: list[Any]) -> list[Any]:
        nonlocal out_several, outputs
        with forward_ad.dual_level():
            duals = tuple(
                forward_ad.make_dual(y.detach(), u) for y, u in zip(given, units, strict=True)
            )
            out_several, outputs = as_tuple(func(*duals), "outputs", "jacobian")
            parts = [forward_ad.unpack_dual(o) for o in outputs]
        return [zeros_like(p.primal) if p.tangent is None else p.tangent.detach() for p in parts]

    found = in_chunks(basis(list(given)), sum(x.numel() for x in given), None, pushed)
    starts = ends(list(given))
    rows = tuple(
        tuple(
            whole.narrow(0, start, x.numel()).movedim(0, -1).reshape(*o.shape, *x.shape)
            for x, start in zip(given, starts, strict=True)
        )
        for o, whole in zip(outputs, found, strict=True)
    )
    return paired(rows, out_several, several)


# -- second order -----------------------------------------------------------------------------------


def hessian(
    func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The second derivatives of a function of one value: ``H[i][j]``."""
    several, given = as_tuple(inputs, "inputs", "hessian")
    check_strategy(outer_jacobian_strategy, "")

    def scalar(*xs: Any) -> Any:
        made = func(*xs)
        out_several, outputs = as_tuple(made, "outputs", "hessian")
        check_requiring(outputs, xs, "outputs", strict)
        if out_several:
            raise RuntimeError("The function given to hessian should return a single Tensor")
        if outputs[0].numel() != 1:
            raise RuntimeError(
                "The Tensor returned by the function given to hessian should contain a single element"
            )
        return outputs[0].squeeze()

    def gradient(*xs: Any) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            xs = tuple(x.requires_grad_() if x.is_leaf else x for x in xs)
            return tuple(
                filled(gradients([scalar(*xs)], xs, [None], True), xs, False, True, "back")
            )
        found = jacobian(scalar, xs, create_graph=True)
        if strict:
            check_requiring(found, xs, "hessian", True)
        return found

    found = jacobian(gradient, given, create_graph, strict, vectorize, outer_jacobian_strategy)
    rows = tuple(found) if isinstance(found, tuple) else (found,)
    return one_or_tuple(tuple(one_or_tuple(row, several) for row in rows), several)


def scalar_and_gradient(
    func: Callable[..., Any], inputs: Any, create_graph: bool, strict: bool, name: str
) -> tuple[bool, Tensors, bool, Any, Tensors]:
    """The common start of both products with the Hessian."""
    several, given = as_tuple(inputs, "inputs", name)
    xs = prepared(given, create_graph)
    made = func(*xs)
    out_several, outputs = as_tuple(made, "outputs", name)
    check_requiring(outputs, xs, "outputs", strict)
    if out_several:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )
    back = gradients(outputs, xs, [None], True)
    if strict:
        check_requiring(back, xs, "hessian", True)
    return (
        several,
        xs,
        out_several,
        outputs,
        tuple(zeros_like(x) if g is None else g for g, x in zip(back, xs, strict=True)),
    )


def vector_for(v: Any, xs: Tensors, several: bool, name: str) -> Any:
    if v is not None:
        return checked_v(v, xs, several, name)
    if len(xs) != 1 or xs[0].numel() != 1:
        raise RuntimeError(
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
            "element."
        )
    return (None,)


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The value of ``func``, and ``v`` times its Hessian."""
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "vhp")
        xs = prepared(given, create_graph)
        vs = vector_for(v, xs, several, "vhp")
        several, xs, _, outputs, back = scalar_and_gradient(
            func, one_or_tuple(given, several), create_graph, strict, "vhp"
        )
    with switched(True if create_graph else modes.grad):
        found = gradients(back, xs, vs, create_graph)
        result = filled(found, xs, strict, create_graph, "double_back")
    return finished(outputs[0], create_graph), one_or_tuple(finished(result, create_graph), several)


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The value of ``func``, and its Hessian times ``v``."""
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "hvp")
        prepared(given, create_graph)  # refuses what cannot require grad
        vs = vector_for(v, given, several, "hvp")
        several, xs, _, outputs, back = scalar_and_gradient(
            func, one_or_tuple(given, several), create_graph, strict, "hvp"
        )
        ghosts = tuple(zeros_like(x).requires_grad_() for x in xs)
        twice = filled(gradients(back, xs, ghosts, True), xs, strict, False, "double_back")
    with switched(True if create_graph else modes.grad):
        found = gradients(twice, ghosts, vs, create_graph)
        result = filled(found, xs, strict, create_graph, "hessian")
    return finished(outputs[0], create_graph), one_or_tuple(finished(result, create_graph), several)
