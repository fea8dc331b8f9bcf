"""The runtime whose functions compute with some values: the host's, or that of the device."""

from __future__ import annotations

import sys
from typing import Any

from ..arrays.libraries import is_cupy
from ..objects.homes import RUNTIME
from ..objects.pytree import leaves
from . import on_cupy

__all__ = ["runtime_of"]


def runtime_of(tree: Any) -> Any:
    """`retrograd.runtime`, or what stands for it where an array of the tree is on the device."""
    return on_cupy if any(map(is_cupy, leaves(tree))) else sys.modules[RUNTIME.rstrip(".")]
