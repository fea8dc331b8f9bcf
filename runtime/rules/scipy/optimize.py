"""Functions of ``scipy.optimize`` without a derivative; its solvers are lowered by ``compiler/user_rules/scipy_solvers.py``."""

from scipy import optimize

from ...replacements import solvers  # (what the compiler writes)
from ..book import constant

constant(optimize.linear_sum_assignment, solvers.root_counts, solvers.fmin_alone)
