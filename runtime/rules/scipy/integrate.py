"""Integrals of samples: differentiated as programs, which say how they depend on the places."""

from scipy import integrate

from ...replacements import integrals
from ...replacements import solvers as rt
from ..book import constant
from ..programs import programs

programs |= {getattr(integrate, name): getattr(integrals, name) for name in integrals.__all__}

constant(rt.quad_nodes, rt.quad_vec_nodes, rt.ivp_grid)
