"""``retrograd.nn.functional``: activations, layers and losses as functions of tensors."""

from __future__ import annotations

from typing import Any

from retrograd.eager import member


def __getattr__(name: str) -> Any:
    return member("nn.functional", name)
