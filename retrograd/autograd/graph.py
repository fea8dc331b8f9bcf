"""``retrograd.autograd.graph``: the recorded graph: nodes, edges, hooks on several tensors, saved tensors."""

from __future__ import annotations

from retrograd.runtime.eager.graph.public_graph import (
    GradientEdge,
    Node,
    _AllowMutationOnSavedContext,
    _Handle,
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    get_gradient_edge,
    increment_version,
    register_multi_grad_hook,
    save_on_cpu,
    saved_tensors_hooks,
)

__all__ = [
    "GradientEdge",
    "Node",
    "_AllowMutationOnSavedContext",
    "_Handle",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]
