"""Random programs on retrograd and on PyTorch: ``python -m tests.fuzz.eager --seed 0 --count 1000``."""

from .compare import Difference, difference, program, shrunk

__all__ = ["Difference", "difference", "program", "shrunk"]
