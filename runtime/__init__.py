"""What generated code and eager tensors run on: ``from retrograd import runtime as rt``."""

from .expects import expects
from .linear import *  # noqa: F403
from .linear import __all__ as linear_names

__all__ = ["expects", *linear_names]
