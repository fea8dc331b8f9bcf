"""``lse``: the logarithm of a sum of exponentials, with the maximum taken out."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..function import Function


def logsumexp(x):
    largest = np.max(x)
    return largest + np.log(np.sum(np.exp(x - largest)))


def arguments(given):
    return (np.array(given["x"]),)


FUNCTIONS = {
    "primal": Function(lambda backend: logsumexp, arguments),
    "gradient": Function(lambda backend: rg.grad(logsumexp, backend=backend), arguments),
}
