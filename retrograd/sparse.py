"""``retrograd.sparse``: sums and products of sparse tensors."""

from __future__ import annotations

from typing import Any

from retrograd.eager import member


def __getattr__(name: str) -> Any:
    return member("sparse", name)
