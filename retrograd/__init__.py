"""retrograd: gradients you can read.

::

    import numpy as np
    import retrograd as rg

    @rg.differentiate
    def loss(w, x, y):
        return np.mean((x @ w - y) ** 2)

    loss.grad(w, x, y)            # the gradient
    print(loss.source("grad"))    # the function that computes it

The compiler is imported when the first derivative is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .version import version as __version__

if TYPE_CHECKING:
    from retrograd.compiler.native.c.allocator_control import empty_cache as empty_cache
    from retrograd.compiler.native.thread_count import get_num_threads as get_num_threads
    from retrograd.compiler.native.thread_count import set_num_threads as set_num_threads
    from retrograd.runtime import errors
    from retrograd.runtime.checkpointing.marks import checkpoint as checkpoint
    from retrograd.runtime.checkpointing.marks import checkpointed as checkpointed
    from retrograd.runtime.errors import GradientMismatch as GradientMismatch
    from retrograd.runtime.errors import RetrogradError as RetrogradError
    from retrograd.runtime.helpers.linear import stop_gradient as stop_gradient

    from .birth.policy import get_check as get_check
    from .birth.policy import set_check as set_check
    from .checking import check_grads as check_grads
    from .custom import custom_gradient as custom_gradient
    from .custom import finite_differences as finite_differences
    from .custom import on_gradient as on_gradient
    from .differentiable import differentiate as differentiate
    from .implicit import Implicit as Implicit
    from .implicit import Unrolled as Unrolled
    from .implicit import argmin as argmin
    from .implicit import fixed_point as fixed_point
    from .implicit import linear_solve as linear_solve
    from .implicit import root as root
    from .jacobians import hessian as hessian
    from .jacobians import jacobian as jacobian
    from .linearized import linearize as linearize
    from .products import hvp as hvp
    from .rules import rule as rule
    from .transforms import grad as grad
    from .transforms import jvp as jvp
    from .transforms import value_and_grad as value_and_grad
    from .transforms import vjp as vjp

__all__ = [
    "GradientMismatch",
    "Implicit",
    "RetrogradError",
    "Unrolled",
    "__version__",
    "argmin",
    "check_grads",
    "checkpoint",
    "checkpointed",
    "custom_gradient",
    "differentiate",
    "empty_cache",
    "errors",
    "finite_differences",
    "fixed_point",
    "get_check",
    "get_num_threads",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "linear_solve",
    "linearize",
    "on_gradient",
    "root",
    "rule",
    "set_check",
    "set_num_threads",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]

HOMES = {
    "GradientMismatch": "retrograd.runtime.errors",
    "Implicit": "retrograd.implicit",
    "RetrogradError": "retrograd.runtime.errors",
    "Unrolled": "retrograd.implicit",
    "argmin": "retrograd.implicit",
    "check_grads": "retrograd.checking",
    "checkpoint": "retrograd.runtime.checkpointing.marks",
    "checkpointed": "retrograd.runtime.checkpointing.marks",
    "custom_gradient": "retrograd.custom",
    "finite_differences": "retrograd.custom",
    "differentiate": "retrograd.differentiable",
    "empty_cache": "retrograd.compiler.native.c.allocator_control",
    "fixed_point": "retrograd.implicit",
    "get_check": "retrograd.birth.policy",
    "get_num_threads": "retrograd.compiler.native.thread_count",
    "grad": "retrograd.transforms",
    "hessian": "retrograd.jacobians",
    "hvp": "retrograd.products",
    "jacobian": "retrograd.jacobians",
    "jvp": "retrograd.transforms",
    "linear_solve": "retrograd.implicit",
    "linearize": "retrograd.linearized",
    "on_gradient": "retrograd.custom",
    "root": "retrograd.implicit",
    "rule": "retrograd.rules",
    "set_check": "retrograd.birth.policy",
    "set_num_threads": "retrograd.compiler.native.thread_count",
    "stop_gradient": "retrograd.runtime.helpers.linear",
    "value_and_grad": "retrograd.transforms",
    "vjp": "retrograd.transforms",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "errors":
        return import_module("retrograd.runtime.errors")
    if name in ("autograd", "func"):
        return import_module(f"retrograd.{name}")
    if name not in HOMES:
        found = import_module("retrograd.eager").named(name)
    else:
        found = getattr(import_module(HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
