"""Containers of a module, which functions change."""

from __future__ import annotations

import array
import collections

import numpy as np

G = [1.0]
D = {"a": 1.0}
S = {1.0}
Q = collections.deque([1.0])
B = bytearray(b"\x01")
A = array.array("d", [1.0])
N = [[1.0]]
C = collections.Counter(a=1)
O = collections.OrderedDict(a=1.0)
BUFFER = np.ones(3)
VIEW = BUFFER[1:]
LOG: list[float] = []


def reset() -> None:
    """Every container as it was."""
    G[:], N[:], B[:] = [1.0], [[1.0]], b"\x01"
    A[:] = array.array("d", [1.0])
    for filled in (D, O):
        filled.clear()
        filled["a"] = 1.0
    C.clear()
    C.update(a=1)
    Q.clear()
    Q.append(1.0)
    S.clear()
    S.add(1.0)
    BUFFER[:] = 1.0
    LOG.clear()
