"""The operations that pass over nan, or ask for it: a program that calls one expects missing data.

``tests/compiler/test_nan_in_data.py`` measures them.
"""

import cmath
import math
import operator

import numpy as np

from ..book import traits

# They pass over it.
traits(
    np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin, np.nanmedian,
    np.nanpercentile, np.nanquantile, np.nancumsum, np.nancumprod, np.nanargmax, np.nanargmin,
    np.nan_to_num, np.fmax, np.fmin, np.fmax.reduce, np.fmin.reduce, np.fmax.accumulate,
    np.fmin.accumulate, expects="nan",
)  # fmt: skip
# They ask for it.
traits(np.isnan, np.isfinite, math.isnan, math.isfinite, cmath.isnan, cmath.isfinite, expects="nan")
traits(operator.eq, operator.ne, np.equal, np.not_equal, expects="nan in both")
