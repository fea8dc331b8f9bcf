"""``retrograd._C``: what programs that look below the surface of torch ask for by these names."""

from __future__ import annotations

import weakref
from types import SimpleNamespace
from typing import Any

from retrograd.runtime.eager.graph import engine
from retrograd.runtime.eager.graph.grad_mode import (
    is_grad_enabled,
    is_inference_mode_enabled,
    is_multithreading_enabled,
)
from retrograd.runtime.eager.graph.node import AccumulateGrad
from retrograd.runtime.eager.graph.public_graph import set_versions
from retrograd.runtime.eager.graph.saved_tensors import SavedTensor, are_hooks_allowed
from retrograd.runtime.eager.user_functions.refusals import DelayedError, UndefinedGrad

__all__ = ["is_grad_enabled", "is_inference_mode_enabled"]


class _WeakTensorRef(weakref.ref[Any]):
    """A reference that does not keep a tensor alive."""

    __slots__ = ()

    def expired(self) -> bool:
        """True once the tensor is gone."""
        return self() is None


_autograd = SimpleNamespace(
    SavedTensor=SavedTensor,
    _get_current_graph_task_keep_graph=engine.keeps_graph,
    _saved_tensors_hooks_is_enabled=are_hooks_allowed,
    _unsafe_set_version_counter=set_versions,
)
_functions = SimpleNamespace(
    AccumulateGrad=AccumulateGrad, DelayedError=DelayedError, UndefinedGrad=UndefinedGrad
)
_is_multithreading_enabled = is_multithreading_enabled
_current_autograd_node = engine.running_node
_current_graph_task_id = engine.running_number
