"""Calls of the gamma and beta functions, and of the distributions made of their incomplete forms."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from retrograd.runtime.helpers.scipy import cdf, noncentral
from retrograd.runtime.helpers.scipy import special as helpers

from .sample import Sample
from .spread import spread

__all__ = ["SAMPLES"]

P, Q = (0.4, 3.2), (0.1, 0.9)
NEGATIVE = (-1.8, -1.2)
COUNTS = np.array([1, 0, 2])
TRIALS = np.array(5)  # a Python number would be converted, which SciPy warns of
SAMPLES: dict[Any, list[Sample]] = {
    special.gamma: [*spread(P, complex=True), *spread(NEGATIVE)],
    special.gammaln: [*spread(P), *spread(NEGATIVE)],
    special.loggamma: spread(P, complex=True),
    special.rgamma: [*spread(P, complex=True), *spread((-3.2, 0.4))],
    helpers.rgamma_partial: [*spread(1, P, complex=True), *spread(2, (-2.3, 0.4))],
    special.digamma: [*spread(P, complex=True), *spread(NEGATIVE, complex=True)],
    special.polygamma: [*spread(0, P), *spread(2, P), *spread(COUNTS, P)],
    special.multigammaln: spread((2.3, 4.0), 3),
    helpers.multidigamma: [*spread(0, (2.3, 4.0), 3), *spread(1, (2.3, 4.0), 4)],
    special.beta: spread(P, P),
    special.betaln: spread(P, P),
    special.poch: spread(P, P),
    special.binom: [*spread((4.1, 5.4), (1.1, 2.7)), *spread((4.1, 5.4), 2)],
    special.comb: spread((4.1, 5.4), (1.1, 2.7)),
    special.perm: spread((4.1, 5.4), (1.1, 2.7)),
    special.factorial: spread(P),
    special.zeta: [*spread((1.5, 4.0)), *spread((1.5, 4.0), P), *spread((-2.8, 0.6), order2=False)],
    special.zetac: spread((1.5, 4.0)),
    helpers.zeta_partial: [*spread(1, (1.5, 4.0), P), *spread(0, (1.5, 4.0), None), *spread(1, (-2.8, -0.2), None)],
    # incomplete, in every argument
    special.gammainc: spread(P, P),
    special.gammaincc: spread(P, P),
    special.gammaincinv: spread(P, Q),
    special.gammainccinv: spread(P, Q),
    cdf.gammainc_partial: [s for i, j in ((1, 0), (0, 1), (1, 1), (0, 2)) for s in spread(i, j, P, P)],
    special.betainc: spread(P, P, Q),
    special.betaincc: spread(P, P, Q),
    special.betaincinv: spread(P, P, Q),
    special.betainccinv: spread(P, P, Q),
    special.btdtria: spread(Q, P, Q),
    special.btdtrib: spread(P, Q, Q),
    cdf.betainc_partial: [
        s for i, j, k in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)) for s in spread(i, j, k, P, P, Q)
    ],
    noncentral.mixed_gammainc: [s for i, j, k in ((1, 0, 0), (0, 1, 1)) for s in spread(i, j, k, P, P, P)],
    noncentral.mixed_betainc: [s for i, k in ((1, 0), (0, 1)) for s in spread(i, 0, k, 0, P, P, Q, P)],
    # distributions
    special.bdtr: [*spread(2, TRIALS, Q), *spread(COUNTS, TRIALS, Q)],
    special.bdtrc: [*spread(2, TRIALS, Q), *spread(COUNTS, TRIALS, Q)],
    special.bdtri: spread(2, TRIALS, Q),
    special.nbdtr: [*spread(2, TRIALS, Q), *spread(COUNTS, TRIALS, Q)],
    special.nbdtrc: spread(2, TRIALS, Q),
    special.nbdtri: spread(2, TRIALS, Q),
    special.pdtr: [*spread(2, P), *spread(COUNTS, P)],
    special.pdtrc: spread(2, P),
    special.pdtri: spread(2, Q),
    special.chdtr: spread(P, P),
    special.chdtrc: spread(P, P),
    special.chdtri: spread(P, Q),
    special.chdtriv: spread(Q, P),
    special.chndtr: spread(P, 2.5, P),
    special.gdtr: spread(P, P, P),
    special.gdtrc: spread(P, P, P),
    special.gdtrix: spread(P, P, Q),
    special.gdtria: spread(Q, P, P),
    special.gdtrib: spread(P, Q, P),
    special.fdtr: spread(P, P, P),
    special.fdtrc: spread(P, P, P),
    special.fdtri: spread(P, P, (0.2, 0.7)),
    special.stdtr: [*spread(P, P), *spread(P, (-2.0, 2.0))],
    special.stdtrit: spread(P, Q),
    special.stdtridf: spread((0.55, 0.7), (0.9, 1.4)),
    cdf.stdtr_partial: [s for i, j in ((1, 0), (0, 1), (1, 1)) for s in spread(i, j, P, (-2.0, 2.0))],
}  # fmt: skip
