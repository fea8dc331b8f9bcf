"""Shape functions of the guarded products and quotients: those of the plain operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .elementwise import as_type, float_joined, joined, of_operator
from .table import shape

shape(linear.mul0)(of_operator(np.multiply, joined))
shape(linear.div0)(of_operator(np.divide, float_joined))
shape(linear.on_support)(of_operator(np.multiply, float_joined))
shape(linear.hazard)(of_operator(np.divide, float_joined))


@shape(linear.reached)
def _(x: Any, of: Any, c: Any, letters: Any) -> Any:
    return as_type(x)
