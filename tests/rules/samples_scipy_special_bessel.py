"""Calls of the Bessel functions and their relatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from retrograd.runtime.helpers.scipy import bessel as helpers

from .sample import Sample
from .spread import spread

__all__ = ["SAMPLES"]

P, R = (0.6, 4.0), (-2.0, 2.1)
WHOLE = np.array([2, 0, 1])
SAMPLES: dict[Any, list[Sample]] = {
    **{f: spread(R) for f in (special.j0, special.j1, special.i0, special.i1)},
    **{f: spread(P) for f in (special.y0, special.y1, special.k0, special.k1, special.k0e, special.k1e)},
    **{f: [*spread(P), *spread((-3.0, -0.4))] for f in (special.i0e, special.i1e)},
    **{
        f: [*spread(1.5, P, complex=True, step=False), *spread(WHOLE, P)]
        for f in (special.jv, special.yv, special.hankel1, special.hankel2, special.hankel1e, special.hankel2e)
    },
    **{f: [*spread(2, P), *spread(WHOLE, P), *spread(0, P)] for f in (special.yn, special.kn)},
    **{f: [*spread(1.5, P), *spread(WHOLE, P)] for f in (special.jve, special.yve)},
    **{
        f: [*spread(1.5, P, complex=True, step=False), *spread(P, P), *spread(R, P)]
        for f in (special.iv, special.kv, special.kve)
    },
    special.ive: [*spread(1.5, P), *spread(P, P), *spread(2, R)],
    helpers.ive_partial: [*spread(1, P, P), *spread(2, R, P), *spread(0, P, P)],
    helpers.kve_partial: [*spread(1, P, P), *spread(2, R, P), *spread(0, P, P)],
    **{
        f: [*spread(1.5, P), *spread(WHOLE, P, 2), *spread(1.5, P, complex=True, step=False)]
        for f in (special.jvp, special.yvp, special.ivp, special.kvp, special.h1vp, special.h2vp)
    },
    **{
        f: [*spread(2, P, complex=True, step=False), *spread(0, P), *spread(WHOLE, P), *spread(1, P, True)]
        for f in (special.spherical_jn, special.spherical_yn, special.spherical_in, special.spherical_kn)
    },
    helpers.spherical_partial: [
        *spread("jn", 1, 2, R, complex=True, step=False), *spread("yn", 2, 0, P), *spread("in", 1, WHOLE, R), *spread("kn", 2, 1, P),
    ],
    special.airy: spread(R, complex=True, step=False),
    special.wright_bessel: [*spread(0.5, 1.5, P), *spread(WHOLE, 2, P)],
    special.struve: [*spread(1, P), *spread(0.5, P)],
    special.modstruve: [*spread(1, P), *spread(0.5, P)],
    **{
        f: spread(P)
        for f in (
            special.ber, special.bei, special.ker, special.kei,
            special.berp, special.beip, special.kerp, special.keip,
        )
    },
}  # fmt: skip
