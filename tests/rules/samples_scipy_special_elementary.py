"""Calls of error functions and of the logistic, entropy-like and other elementary functions."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from retrograd.runtime.helpers.scipy import special as helpers

from .sample import A, Sample
from .spread import spread

__all__ = ["SAMPLES"]

R, P, Q = (-1.6, 1.7), (0.3, 2.2), (0.1, 0.9)
MASK = np.array([1.0, 0.5, 2.0])
POSITIVE = A((3,), lambda x: np.abs(x) + 0.2)
SAMPLES: dict[Any, list[Sample]] = {
    # error functions
    **{
        f: spread(R, complex=True)
        for f in (special.erf, special.erfc, special.erfi, special.dawsn, special.wofz, special.ndtr)
    },
    special.erfcx: [*spread(R, complex=True), *spread((8.0, 30.0))],
    special.log_ndtr: [*spread(R), *spread((-40.0, -12.0))],
    helpers.erfcx_partial: [*spread(1, R, complex=True), *spread(2, (5.0, 20.0))],
    helpers.dawsn_partial: [*spread(1, R, complex=True), *spread(2, (5.0, 20.0))],
    special.erfinv: spread((-0.9, 0.9)),
    special.erfcinv: spread((0.1, 1.9)),
    special.ndtri: spread(Q),
    special.ndtri_exp: spread((-3.0, -0.2)),
    special.nrdtrimn: spread(Q, P, R),
    special.nrdtrisd: spread(R, (0.6, 0.9), (2.0, 3.0)),
    special.voigt_profile: spread(R, P, P),
    special.owens_t: spread(R, R),
    # elementary
    **{
        f: spread(R)
        for f in (special.exp2, special.exp10, special.cosm1, special.exprel, special.expit)
    },
    **{f: spread(R) for f in (special.log_expit, special.softplus)},
    special.expm1: spread(R, complex=True),
    special.log1p: spread(P, complex=True),
    special.cbrt: spread(P),
    special.powm1: spread(P, R),
    special.sindg: spread((-90.0, 90.0)),
    special.cosdg: spread((-90.0, 90.0)),
    special.tandg: spread((-60.0, 60.0)),
    special.cotdg: spread((30.0, 80.0)),
    helpers.exprel_partial: [*spread(1, R), *spread(2, R), *spread(1, (-40.0, -33.0))],
    special.diric: [*spread(R, 3), *spread(R, 4)],
    helpers.diric_partial: [*spread(1, R, 5), *spread(2, R, 4)],
    special.logit: spread(Q),
    special.softmax: [
        Sample((A((2, 3)),)), Sample((A((2, 3)),), {"axis": 1}), Sample((A((2, 3)), 0)),
        Sample((A((2, 3, 2)),), {"axis": (0, 2)}),
    ],
    special.log_softmax: [
        Sample((A((2, 3)),)), Sample((A((2, 3)),), {"axis": -1}), Sample((A((2, 3)), 0)),
        Sample((A((2, 3, 2)),), {"axis": (0, 2)}),
    ],
    special.logsumexp: [
        Sample((A((2, 3)),)), Sample((A((2, 3)),), {"axis": 1, "keepdims": True}),
        Sample((A((2, 3)), 0)), Sample((A((2, 3, 2)),), {"axis": (0, 2)}),
        Sample((A((3,)),), {"b": POSITIVE}), Sample((A((2, 3)),), {"b": POSITIVE, "axis": 1}),
        Sample((A((2, 3)), 0, MASK)), Sample((A((2, 3)),), {"keepdims": True, "b": POSITIVE}),
        Sample((A((2, 3)),), {"axis": 1}, complex=True),
        Sample((A((2, 1)),), {"axis": 1, "b": A((1, 3), POSITIVE.make)}), Sample((A((3,)), 0, A((2, 3), POSITIVE.make))),
    ],
    special.xlogy: spread(R, P, complex=True),
    special.xlog1py: spread(R, P, complex=True),
    special.entr: spread(P),
    special.rel_entr: spread(P, P),
    special.kl_div: spread(P, P),
    special.huber: [*spread((0.2, 0.6), (0.7, 2.0)), *spread((0.9, 1.6), (-0.8, 0.8))],
    special.pseudo_huber: spread(P, R),
    special.boxcox: [*spread(P, R), *spread(P, (-1e-9, 1e-9), smooth=False), *spread(P, 0.0)],
    special.boxcox1p: spread(P, R),
    special.inv_boxcox: spread(Q, R),
    special.inv_boxcox1p: spread(Q, R),
    special.tklmbda: [*spread((-0.8, 0.8), (-0.7, 0.9)), *spread(R, 0.0), *spread((2.5, 4.0), (0.5, 2.0))],
}  # fmt: skip
