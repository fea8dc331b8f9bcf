"""What is known of functions that have no rule of their own: they are rewritten, or never differentiated."""

import builtins
import operator

import numpy as np

from ...helpers import linear
from ...user import batched
from ..book import traits

traits(linear.write, linear.increase, writes="version", rank_0="either")
traits(batched.repeated, batched.match_each, batched.sum_each, memory="new")
traits(np.astype, rank_0="either")
traits(np.meshgrid, np.linalg.vecdot, memory="new")
traits(builtins.range, builtins.isinstance, memory="new")
traits(operator.length_hint, operator.countOf, operator.indexOf, memory="new")
