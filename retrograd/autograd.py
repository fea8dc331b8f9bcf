"""``retrograd.autograd``: backward, grad, custom functions, modes, hooks and the graph."""

from __future__ import annotations

import types
import warnings
from typing import Any

from retrograd.runtime.eager.api import Tensor
from retrograd.runtime.eager.graph import grad_mode
from retrograd.runtime.eager.graph import public_graph as graph
from retrograd.runtime.eager.graph.backward import backward, grad
from retrograd.runtime.eager.graph.grad_mode import (
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from retrograd.runtime.eager.observe import anomaly_mode, profiler, profiler_util
from retrograd.runtime.eager.observe.anomaly_mode import detect_anomaly, set_detect_anomaly
from retrograd.runtime.eager.transforms import forward_ad, functional
from retrograd.runtime.eager.transforms import gradcheck as checks
from retrograd.runtime.eager.user_functions import function
from retrograd.runtime.eager.user_functions.function import Function, NestedIOFunction

__all__ = [
    "Function", "NestedIOFunction", "Variable", "anomaly_mode", "backward", "detect_anomaly", "enable_grad",
    "forward_ad", "function", "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck", "graph", "inference_mode", "no_grad", "profiler", "profiler_util", "set_detect_anomaly",
    "set_grad_enabled", "set_multithreading_enabled",
]  # fmt: skip


gradgradcheck = checks.gradgradcheck


class CheckModule(types.ModuleType):
    """``autograd.gradcheck`` is the function, and the module of its error as well."""

    def __call__(self, *args: Any, **kwargs: Any) -> bool:
        return checks.gradcheck(*args, **kwargs)


gradcheck = CheckModule("gradcheck", checks.gradcheck.__doc__)
vars(gradcheck).update({name: getattr(checks, name) for name in checks.__all__})


class VariableMeta(type):
    """Every tensor is a variable."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=VariableMeta):
    """The old name of a tensor that may require grad."""

    def __new__(cls, data: Any = (), requires_grad: bool = False, volatile: Any = None) -> Any:
        if volatile is not None:
            warnings.warn(
                "volatile was removed and now has no effect. Use `with retrograd.no_grad():` instead.",
                stacklevel=2,
            )
        made = data.data if isinstance(data, Tensor) else Tensor(data)
        return made.requires_grad_(requires_grad) if requires_grad else made
