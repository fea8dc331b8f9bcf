"""Rotations: differentiated as programs, by a class that stands for SciPy's."""

from scipy.spatial import transform

from ...replacements import scipy_rotations
from .extras import programs

programs[transform.Rotation.from_rotvec] = scipy_rotations.from_rotvec
programs[transform.Rotation.from_quat] = scipy_rotations.from_quat
