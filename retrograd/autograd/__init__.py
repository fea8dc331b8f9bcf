"""``retrograd.autograd``: backward, grad, custom functions, modes, hooks and the graph."""

from __future__ import annotations

import retrograd.runtime.eager.api  # noqa: F401  (tensors have all their methods)
from retrograd.autograd import (
    _functions,
    anomaly_mode,
    forward_ad,
    function,
    functional,
    grad_mode,
    graph,
    profiler,
    profiler_util,
)
from retrograd.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from retrograd.autograd.function import Function, NestedIOFunction
from retrograd.autograd.grad_mode import (
    _force_original_view_tracking,
    enable_grad,
    inference_mode,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)

# the name is the function here, and the module where it is imported from
from retrograd.autograd.gradcheck import gradcheck, gradgradcheck
from retrograd.autograd.variable import Variable
from retrograd.runtime.eager.graph.backward import backward, grad
from retrograd.runtime.eager.graph.engine import is_checkpoint_valid as _is_checkpoint_valid
from retrograd.runtime.eager.graph.grad_mode import is_view_replay_enabled
from retrograd.runtime.eager.graph.public_graph import (
    preserve_versions as _unsafe_preserve_version_counter,
)
from retrograd.runtime.eager.graph.saved_tensors import SavedTensor
from retrograd.runtime.eager.observe.profiler import is_profiling as _profiler_enabled

__all__ = [
    "Function", "NestedIOFunction", "SavedTensor", "Variable", "_force_original_view_tracking", "_functions", "_is_checkpoint_valid", "_profiler_enabled", "_unsafe_preserve_version_counter", "anomaly_mode", "backward", "detect_anomaly", "enable_grad",
    "forward_ad", "function", "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck", "graph", "inference_mode", "is_multithreading_enabled", "is_view_replay_enabled", "no_grad", "profiler", "profiler_util", "set_detect_anomaly",
    "set_grad_enabled", "set_multithreading_enabled",
]  # fmt: skip
