"""A double of CuPy that refuses what CuPy refuses: tests of the device run on it where there is no device.

``with installed() as cupy`` puts it where ``import cupy`` finds it; ``counted`` counts transfers, launches and
allocations, and inside ``no_transfers`` each transfer fails at its line.
"""

from .counters import Counts, Transfer, counted, no_transfers, uncounted
from .functions.calls import NotOnHost
from .modules import installed

__all__ = ["Counts", "NotOnHost", "Transfer", "counted", "installed", "no_transfers", "uncounted"]
