"""Distances: differentiated as programs."""

from scipy.spatial import distance

from ...replacements import scipy_distances
from .extras import programs

programs |= {
    getattr(distance, name): getattr(scipy_distances, name) for name in scipy_distances.__all__
}
