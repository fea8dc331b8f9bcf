"""The helpers that generated derivatives call besides NumPy, of every family, in one place.

A helper is linear in its first argument; an argument named ``like`` is read only for its
structure, shape and dtype.
"""

from .batches.examples import *  # noqa: F403
from .calls_that_look import *  # noqa: F403
from .containers import *  # noqa: F403
from .core import *  # noqa: F403
from .creation import *  # noqa: F403
from .cumulative import *  # noqa: F403
from .curves import *  # noqa: F403
from .element_positions import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .exact_zero import *  # noqa: F403
from .fft import *  # noqa: F403
from .functional_writes import *  # noqa: F403
from .indexing import *  # noqa: F403
from .item_writes import *  # noqa: F403
from .joining import *  # noqa: F403
from .linalg.eigen import *  # noqa: F403
from .linalg.least_squares import *  # noqa: F403
from .linalg.norms import *  # noqa: F403
from .linalg.products import *  # noqa: F403
from .linalg.triangular import *  # noqa: F403
from .lists import *  # noqa: F403
from .networks.layers import *  # noqa: F403
from .networks.windows import *  # noqa: F403
from .object_protocols import *  # noqa: F403
from .polynomials import *  # noqa: F403
from .reductions import *  # noqa: F403
from .shaping import *  # noqa: F403
from .special import *  # noqa: F403
from .statistics.counts import *  # noqa: F403
from .statistics.covariance import *  # noqa: F403
from .statistics.quantiles import *  # noqa: F403
from .statistics.row_statistics import *  # noqa: F403

__all__ = [name for name in globals() if not name.startswith("_")]
