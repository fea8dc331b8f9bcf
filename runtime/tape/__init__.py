"""Values differentiated while they run: boxes, levels that record, pullbacks.

Whatever is imported of it first, all of it is loaded: operators, NumPy's protocols and the user's own
derivatives enter themselves where boxes and followed functions look for them.
"""

from __future__ import annotations

from . import array_protocols, calls, custom_gradients, operators  # noqa: F401
from .library import searches  # noqa: F401
