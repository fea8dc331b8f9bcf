"""Distances: differentiated as programs."""

from scipy.spatial import distance

from ...replacements import distances
from ..programs import programs

programs |= {getattr(distance, name): getattr(distances, name) for name in distances.__all__}
