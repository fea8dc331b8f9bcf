"""Rotations: differentiated as programs, by a class that stands for SciPy's."""

from scipy.spatial import transform

from ...replacements import rotations
from ..programs import objects, programs

for name in ("from_rotvec", "from_quat", "from_euler", "from_matrix"):
    programs[getattr(transform.Rotation, name)] = getattr(rotations, name)


def turned(given):
    return rotations.Rotation, {"q": given.as_quat()}


objects[transform.Rotation] = turned
