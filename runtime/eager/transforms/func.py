"""Derivatives of functions as functions: ``grad``, ``vjp``, ``jvp``, ``jacrev``, ``jacfwd``, ``hessian``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...objects.pytree import map_operands
from ..graph.backward import grad as gradients
from ..graph.grad_mode import enable_grad, modes
from ..graph.node import AccumulateGrad, Nowhere, edge_of, leads_on, walk
from ..graph.tangents import at_each_level, below, levels, same_tangents, set_tangent, tangent_of
from ..tensor.tensor import Tensor, wrapped
from . import forward_ad
from .structures import (
    check_argnums,
    check_cotangents,
    check_inputs,
    check_outputs,
    check_real,
    check_tangents,
)
from .unit_vectors import basis, ends, in_chunks
from .vmap import tensors, vmap

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "vjp", "vmap",
]  # fmt: skip

Argnums = int | tuple[int, ...]


def grad(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """The gradient of a function of one value, with respect to some of its arguments.

    >>> import retrograd
    >>> grad(lambda x: x**3)(retrograd.tensor(2.0))
    tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found, made = both(*args, **kwargs)
        return (found, made[1]) if has_aux else found

    return gradient


def grad_and_value(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """The gradient and the value."""

    @functools.wraps(func)
    def both(*args: Any, **kwargs: Any) -> Any:
        outer = modes.grad
        with enable_grad():
            own = Inputs(args, argnums, outer)
            made = func(*own.args, **kwargs)
            output, aux = with_aux(made, has_aux)
            check_scalar(output)
            found = own.gradients([output], [None])
            value = own.cut(output)
            gradient = own.as_given([own.cut(g) for g in found])
            rest = map_operands(own.cut, aux)
        return gradient, ((value, rest) if has_aux else value)

    return both


def with_aux(made: Any, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return made, None
    if not isinstance(made, tuple) or len(made) != 2:
        raise RuntimeError(
            "grad_and_value(f)(*args): output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return made


def check_scalar(output: Any) -> None:
    if not isinstance(output, Tensor):
        raise RuntimeError(
            f"grad_and_value(f)(*args): Expected f(*args) to return a tensor, got {type(output)}"
        )
    if output.dim():
        raise RuntimeError(
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with "
            f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )


class Inputs:
    """The arguments to differentiate by: tensors of their own, so that nothing of the caller's is touched."""

    def __init__(self, args: tuple[Any, ...], argnums: Argnums, outer: bool) -> None:
        self.outer = outer  # whether what is around this is recorded
        numbers = argnums if isinstance(argnums, tuple) else (argnums,)
        check_argnums(numbers, args)
        chosen = {k % len(args) for k in numbers}
        self.args = tuple(
            map_operands(own_tensor, a) if k in chosen else a for k, a in enumerate(args)
        )
        picked = tuple(self.args[k] for k in numbers)
        check_inputs(picked)
        self.tree = picked if isinstance(argnums, tuple) else picked[0]
        self.tensors = tensors(self.tree)
        self.leaves = {id(x) for x in self.tensors if x.is_leaf}

    def gradients(self, outputs: list[Any], vs: list[Any]) -> list[Any]:
        """The gradients of all of them, zeros for what is not used."""
        pairs = [(o, v) for o, v in zip(outputs, vs, strict=True) if o.requires_grad]
        if not pairs:
            return [zeros_like(x) for x in self.tensors]
        roots = [o for o, _ in pairs]
        found = gradients(
            roots, self.tensors, [v for _, v in pairs], retain_graph=True, create_graph=self.is_asked_again(roots),
            allow_unused=True,
        )  # fmt: skip
        return [zeros_like(x) if g is None else g for g, x in zip(found, self.tensors, strict=True)]

    def is_asked_again(self, outputs: list[Any]) -> bool:
        """True if the gradients may have derivatives: by what is around this, or along a tangent."""
        if levels.current >= 0 or len(self.leaves) < len(self.tensors):
            return True
        return self.outer and any(
            map(self.is_of_others, walk([o.grad_fn for o in outputs if o.grad_fn is not None]))
        )

    def is_of_others(self, node: Any) -> bool:
        """True for the end of the graph at what is not ours."""
        if type(node) is Nowhere:
            return True
        return type(node) is AccumulateGrad and id(node.variable) not in self.leaves

    def as_given(self, found: list[Any]) -> Any:
        """Gradients in the form of the arguments."""
        left = iter(found)
        return map_operands(lambda leaf: next(left) if is_tensor(leaf) else leaf, self.tree)

    def cut(self, value: Any) -> Any:
        """A result without history, where all of that is ours."""
        if not is_tensor(value):
            return value
        if not self.outer or id(value) in self.leaves:
            return self.detached(value)
        if value.grad_fn is None:
            return value
        others = any(map(self.is_of_others, walk([value.grad_fn])))
        return value if others else self.detached(value)

    def detached(self, value: Any) -> Any:
        """Without history, but with the tangent."""
        made = value.detach()

        def set_cut() -> None:
            tangent = tangent_of(value)
            with below():
                tangent = None if tangent is None else self.cut(tangent)
            set_tangent(made, tangent)

        at_each_level(set_cut)
        return made


def is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def own_tensor(value: Any) -> Any:
    if not is_tensor(value):
        return value
    if leads_on(edge_of(value)):
        return value.view_as(value)
    return same_tangents(value.detach(), value).requires_grad_()


def zeros_like(x: Any) -> Any:
    return wrapped(np.zeros_like(x._array))


# -- products -------------------------------------------------------------------------------------


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value, and a function that gives vectors times the Jacobian."""
    outer = modes.grad
    with enable_grad():
        own = Inputs(primals, tuple(range(len(primals))), outer)
        output, aux = with_aux(func(*own.args), has_aux)
    check_outputs("vjp(f, *primals)", output)
    outputs = tensors(output)

    def pull(cotangents: Any, **_: Any) -> Any:
        check_cotangents(cotangents, output)
        with enable_grad():
            found = own.gradients(outputs, tensors(cotangents))
            made = own.as_given([own.cut(g) for g in found])
        return made

    value = map_operands(own.cut, output)
    return (value, pull, map_operands(own.cut, aux)) if has_aux else (value, pull)


def jvp(
    func: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], *, has_aux: bool = False
) -> Any:  # fmt: skip
    """The value, and the Jacobian times a vector."""
    check_tangents(primals, tangents)
    with forward_ad.inner_level():
        pairs = iter(tensors(tangents))
        duals = map_operands(
            lambda x: forward_ad.make_dual(x, next(pairs)) if is_tensor(x) else x, primals
        )
        output, aux = with_aux(func(*duals), has_aux)
        check_outputs("jvp(f, primals, tangents)", output)
        value = map_operands(primal, output)
        dots = map_operands(tangent, output)
        rest = map_operands(primal, aux)
    return (value, dots, rest) if has_aux else (value, dots)


def primal(value: Any) -> Any:
    return forward_ad.unpack_dual(value).primal if is_tensor(value) else value


def tangent(value: Any) -> Any:
    if not is_tensor(value):
        return value
    found = forward_ad.unpack_dual(value).tangent
    return zeros_like(value) if found is None else found


# -- Jacobians -------------------------------------------------------------------------------------


def jacrev(
    func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None
) -> Callable[..., Any]:  # fmt: skip
    """The Jacobian: one sweep back for the entries of the outputs, or for ``chunk_size`` of them at a time."""
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        outer = modes.grad
        with enable_grad():
            own = Inputs(args, argnums, outer)
            check_real("jacrev", "inputs", own.tensors)
            output, aux = with_aux(func(*own.args, **kwargs), has_aux)
            check_outputs("vjp(f, *primals)", output)
            outputs = tensors(output)
            check_real("jacrev", "outputs", outputs)
            columns = iter(rows_of(own, outputs, chunk_size))
            made = map_operands(
                lambda o: own.as_given(next(columns)) if is_tensor(o) else o, output
            )
            rest = map_operands(own.cut, aux)
        return (made, rest) if has_aux else made

    return jacobian


def rows_of(own: Inputs, outputs: list[Any], chunk_size: int | None) -> list[list[Any]]:
    """For each output its Jacobians by each tensor."""
    size = sum(o.numel() for o in outputs)

    def pulled(units: list[Any]) -> list[Any]:
        return own.gradients(outputs, units)

    found = in_chunks(basis(outputs), size, chunk_size, pulled)
    made: list[list[Any]] = []
    start = 0
    for o in outputs:
        parts = [g.narrow(0, start, o.numel()) for g in found]
        start += o.numel()
        made.append(
            [
                own.cut(p.reshape(*o.shape, *x.shape))
                for p, x in zip(parts, own.tensors, strict=True)
            ]
        )
    return made


def jacfwd(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error",
    chunk_size: int | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """The Jacobian: one push forward for the entries of the inputs, or for ``chunk_size`` of them at a time."""

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = argnums if isinstance(argnums, tuple) else (argnums,)
        check_argnums(numbers, args)
        primals = tuple(args[k] for k in numbers)
        last: Any = None

        def restricted(*chosen: Any) -> Any:
            given = list(args)
            for k, one in zip(numbers, chosen, strict=True):
                given[k] = one
            return func(*given, **kwargs)

        def pushed(units: list[Any]) -> list[Any]:
            nonlocal last
            left = iter(units)
            tangents = map_operands(lambda x: next(left) if is_tensor(x) else x, primals)
            last = jvp(restricted, primals, tangents, has_aux=has_aux)
            return tensors(last[1])

        flat = tensors(primals)
        check_inputs(primals)
        check_real("jacfwd", "inputs", flat)
        found = in_chunks(basis(flat), sum(x.numel() for x in flat), chunk_size, pushed, randomness)
        check_real("jacfwd", "outputs", tensors(last[0]))
        made = columns_of(found, last[0], primals, isinstance(argnums, tuple))
        return (made, last[2]) if has_aux else made

    return jacobian


def columns_of(found: list[Any], output: Any, primals: Any, several: bool) -> Any:
    """Pushed unit tangents as Jacobians, in the form of the outputs and then of the inputs."""
    pushed = iter(found)

    def of_output(o: Any) -> Any:
        if not is_tensor(o):
            return o
        whole, starts = next(pushed), iter(ends(tensors(primals)))

        def of_input(x: Any) -> Any:
            if not is_tensor(x):
                return x
            part = whole.narrow(0, next(starts), x.numel())
            return part.movedim(0, -1).reshape(*o.shape, *x.shape)

        made = map_operands(of_input, primals)
        return made if several else made[0]

    return map_operands(of_output, output)


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """The second derivatives: the Jacobian, forward, of the Jacobian, back."""
    return jacfwd(jacrev(func, argnums), argnums)


# -- modules ---------------------------------------------------------------------------------------


def functional_call(
    module: Any, parameters_and_buffers: Any, args: Any = None, kwargs: dict[str, Any] | None = None, **_: Any
) -> Any:  # fmt: skip
    """``module(*args)`` with other parameters: a dict of them by (dotted) names, or several dicts."""
    given = parameters_and_buffers
    values = (
        dict(given) if isinstance(given, dict) else {k: v for one in given for k, v in one.items()}
    )
    before = []
    try:
        for path, value in values.items():
            *owners, name = path.split(".")
            owner = functools.reduce(getattr, owners, module)
            before.append((owner, name, getattr(owner, name)))
            setattr(owner, name, value)
        inputs = () if args is None else args if isinstance(args, tuple) else (args,)
        return module(*inputs, **(kwargs or {}))
    finally:
        for owner, name, value in reversed(before):
            setattr(owner, name, value)
