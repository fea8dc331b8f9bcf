"""What generated derivatives call besides NumPy: the helpers of every family, in one place.

A helper is linear in its first argument; an argument named ``like`` is read only for its
structure, shape and dtype.
"""

from . import (
    linear_core,
    linear_creation,
    linear_curves,
    linear_elementwise,
    linear_fourier,
    linear_guarded,
    linear_indexing,
    linear_joining,
    linear_lists,
    linear_places,
    linear_polynomials,
    linear_reductions,
    linear_running,
    linear_shaping,
    linear_special,
    linear_trees,
    linear_writes,
)
from .linalg import linear_algebra, linear_eigen, linear_least, linear_norms, linear_triangular
from .linalg.linear_algebra import *  # noqa: F403
from .linalg.linear_eigen import *  # noqa: F403
from .linalg.linear_least import *  # noqa: F403
from .linalg.linear_norms import *  # noqa: F403
from .linalg.linear_triangular import *  # noqa: F403
from .linear_core import *  # noqa: F403
from .linear_creation import *  # noqa: F403
from .linear_curves import *  # noqa: F403
from .linear_elementwise import *  # noqa: F403
from .linear_fourier import *  # noqa: F403
from .linear_guarded import *  # noqa: F403
from .linear_indexing import *  # noqa: F403
from .linear_joining import *  # noqa: F403
from .linear_lists import *  # noqa: F403
from .linear_places import *  # noqa: F403
from .linear_polynomials import *  # noqa: F403
from .linear_protocols import *  # noqa: F403
from .linear_reductions import *  # noqa: F403
from .linear_running import *  # noqa: F403
from .linear_shaping import *  # noqa: F403
from .linear_special import *  # noqa: F403
from .linear_trees import *  # noqa: F403
from .linear_writes import *  # noqa: F403
from .statistics import linear_counts, linear_quantiles, linear_rows, linear_statistics
from .statistics.linear_counts import *  # noqa: F403
from .statistics.linear_quantiles import *  # noqa: F403
from .statistics.linear_rows import *  # noqa: F403
from .statistics.linear_statistics import *  # noqa: F403

__all__ = [
    *linear_algebra.__all__,
    *linear_core.__all__,
    *linear_creation.__all__,
    *linear_counts.__all__,
    *linear_curves.__all__,
    *linear_eigen.__all__,
    *linear_elementwise.__all__,
    *linear_fourier.__all__,
    *linear_guarded.__all__,
    *linear_indexing.__all__,
    *linear_joining.__all__,
    *linear_lists.__all__,
    *linear_places.__all__,
    *linear_polynomials.__all__,
    *linear_quantiles.__all__,
    *linear_least.__all__,
    *linear_norms.__all__,
    *linear_reductions.__all__,
    *linear_rows.__all__,
    *linear_running.__all__,
    *linear_shaping.__all__,
    *linear_special.__all__,
    *linear_statistics.__all__,
    *linear_trees.__all__,
    *linear_triangular.__all__,
    *linear_writes.__all__,
]
