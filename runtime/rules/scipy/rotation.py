"""Rotations: differentiated as programs, by a class that stands for SciPy's."""

from scipy.spatial import transform

from ...replacements import rotations
from ..programs import programs

programs[transform.Rotation.from_rotvec] = rotations.from_rotvec
programs[transform.Rotation.from_quat] = rotations.from_quat
