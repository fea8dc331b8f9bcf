"""The runtime of generated code for CuPy arrays: ``from retrograd.runtime.device import on_cupy as rt``.

Nothing else stands here: a name of this module would hide the helper of that name.
"""

from .copied_helpers import named as __getattr__

__all__ = ["__getattr__"]
