"""``retrograd.func``: derivatives of functions of tensors as functions, and `vmap`."""

import retrograd.runtime.eager.api  # noqa: F401  (tensors have all their methods)
from retrograd.runtime.eager.transforms.func import (
    functional_call,
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    vjp,
    vmap,
)
from retrograd.runtime.eager.transforms.linearize import linearize

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp", "vmap",
]  # fmt: skip
