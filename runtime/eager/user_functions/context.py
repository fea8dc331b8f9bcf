"""The context that a user's function is given: its node, beside which attributes may have any name."""

from __future__ import annotations

from typing import Any

__all__ = ["Context"]

SETTINGS = frozenset(
    {
        "_materialize_non_diff_grads", "dirty_tensors", "materialize_grads", "needs_input_grad", "non_differentiable",
        "saved_for_forward", "to_save",
    }
)  # fmt: skip


class Context:
    """A node as its function sees it.

    What the function notes (``ctx.outputs = ...``) is kept beside the node, and hides nothing that the node needs.
    """

    __slots__ = ("__dict__", "__weakref__", "_node")

    def __init__(self, node: Any) -> None:
        object.__setattr__(self, "_node", node)
        object.__setattr__(self, "__dict__", node._noted)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(self._node)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_node"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        node = self._node
        if name in SETTINGS or isinstance(getattr(type(node), name, None), property):
            setattr(node, name, value)
        else:
            self.__dict__[name] = value

    def __dir__(self) -> list[str]:
        return [*dir(self._node), *self.__dict__]

    def __repr__(self) -> str:
        return repr(self._node)
