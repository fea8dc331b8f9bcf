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

from . import scope as _scope  # noqa: F401  (it refuses imports of what is out of scope)
from .version import version as __version__

if TYPE_CHECKING:
    from retrograd.compiler.native.c.allocator_control import empty_cache as empty_cache
    from retrograd.compiler.native.thread_count import get_num_threads as get_num_threads
    from retrograd.compiler.native.thread_count import set_num_threads as set_num_threads
    from retrograd.runtime import errors
    from retrograd.runtime.checkpointing.marks import checkpoint as checkpoint
    from retrograd.runtime.checkpointing.marks import checkpointed as checkpointed
    from retrograd.runtime.errors import GradientMismatch as GradientMismatch
    from retrograd.runtime.errors import NonFiniteError as NonFiniteError
    from retrograd.runtime.errors import RetrogradError as RetrogradError
    from retrograd.runtime.helpers.linear import stop_gradient as stop_gradient
    from retrograd.runtime.objects.declared_containers import (
        register_container as register_container,
    )

    from .transforms.api import grad as grad
    from .transforms.api import jvp as jvp
    from .transforms.api import value_and_grad as value_and_grad
    from .transforms.api import vjp as vjp
    from .transforms.batches.vmap import vmap as vmap
    from .transforms.check.check_grads import check_grads as check_grads
    from .transforms.check.policy import get_check as get_check
    from .transforms.check.policy import set_check as set_check
    from .transforms.custom_gradient import custom_gradient as custom_gradient
    from .transforms.custom_gradient import finite_differences as finite_differences
    from .transforms.custom_gradient import on_gradient as on_gradient
    from .transforms.custom_rules import rule as rule
    from .transforms.decorator import differentiate as differentiate
    from .transforms.hvp import hvp as hvp
    from .transforms.implicit import Implicit as Implicit
    from .transforms.implicit import Unrolled as Unrolled
    from .transforms.implicit import argmin as argmin
    from .transforms.implicit import fixed_point as fixed_point
    from .transforms.implicit import linear_solve as linear_solve
    from .transforms.implicit import root as root
    from .transforms.jacobian.jacobian import hessian as hessian
    from .transforms.jacobian.jacobian import jacobian as jacobian
    from .transforms.linearize import linearize as linearize
    from .transforms.public.precompile import precompile as precompile
    from .transforms.specialise.fallback_policy import get_fallback as get_fallback
    from .transforms.specialise.fallback_policy import set_fallback as set_fallback

__all__ = [
    "GradientMismatch",
    "Implicit",
    "NonFiniteError",
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
    "get_fallback",
    "get_num_threads",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "linear_solve",
    "linearize",
    "on_gradient",
    "precompile",
    "register_container",
    "root",
    "rule",
    "set_check",
    "set_fallback",
    "set_num_threads",
    "stop_gradient",
    "value_and_grad",
    "vjp",
    "vmap",
]

HOMES = {
    "GradientMismatch": "retrograd.runtime.errors",
    "NonFiniteError": "retrograd.runtime.errors",
    "Implicit": "retrograd.transforms.implicit",
    "RetrogradError": "retrograd.runtime.errors",
    "Unrolled": "retrograd.transforms.implicit",
    "argmin": "retrograd.transforms.implicit",
    "check_grads": "retrograd.transforms.check.check_grads",
    "checkpoint": "retrograd.runtime.checkpointing.marks",
    "checkpointed": "retrograd.runtime.checkpointing.marks",
    "custom_gradient": "retrograd.transforms.custom_gradient",
    "finite_differences": "retrograd.transforms.custom_gradient",
    "differentiate": "retrograd.transforms.decorator",
    "empty_cache": "retrograd.compiler.native.c.allocator_control",
    "fixed_point": "retrograd.transforms.implicit",
    "get_check": "retrograd.transforms.check.policy",
    "get_fallback": "retrograd.transforms.specialise.fallback_policy",
    "get_num_threads": "retrograd.compiler.native.thread_count",
    "grad": "retrograd.transforms.api",
    "hessian": "retrograd.transforms.jacobian.jacobian",
    "hvp": "retrograd.transforms.hvp",
    "jacobian": "retrograd.transforms.jacobian.jacobian",
    "jvp": "retrograd.transforms.api",
    "linear_solve": "retrograd.transforms.implicit",
    "linearize": "retrograd.transforms.linearize",
    "on_gradient": "retrograd.transforms.custom_gradient",
    "precompile": "retrograd.transforms.public.precompile",
    "register_container": "retrograd.runtime.objects.declared_containers",
    "root": "retrograd.transforms.implicit",
    "rule": "retrograd.transforms.custom_rules",
    "set_check": "retrograd.transforms.check.policy",
    "set_fallback": "retrograd.transforms.specialise.fallback_policy",
    "set_num_threads": "retrograd.compiler.native.thread_count",
    "stop_gradient": "retrograd.runtime.helpers.linear",
    "value_and_grad": "retrograd.transforms.api",
    "vjp": "retrograd.transforms.api",
    "vmap": "retrograd.transforms.batches.vmap",
}

# Other libraries' words: each needs its library, and is imported when it is asked for.
ADAPTERS = ("iminuit", "jax", "lmfit", "pytensor", "scipy", "torch")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "errors":
        return import_module("retrograd.runtime.errors")
    if name in ("autograd", "distributed", "func"):
        return import_module(f"retrograd.{name}")
    if name in ADAPTERS:
        return import_module(f"retrograd.adapters.{name}")
    if name not in HOMES:
        found = import_module("retrograd.eager").named(name)
    else:
        found = getattr(import_module(HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
