"""Integrals of samples: differentiated as programs, which say how they depend on the places."""

from scipy import integrate

from ...replacements import scipy_integrals
from ...replacements import scipy_solvers as rt
from ..book import constant
from .extras import programs

programs |= {
    getattr(integrate, name): getattr(scipy_integrals, name) for name in scipy_integrals.__all__
}

constant(rt.quad_nodes, rt.ivp_grid)
