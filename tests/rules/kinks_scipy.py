"""Kinks, poles and removable singularities of SciPy's functions."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from .kink import Kink, at

__all__ = ["KINKS"]

NAN, INF = np.nan, np.inf
FINITE = "an exact zero wins, in the quotient too"
KINKS = [
    Kink("expit(-800)", special.expit, (at(-800.0),), (0.0,)),
    Kink("softplus(800)", special.softplus, (at(800.0),), (1.0,)),
    Kink("logit(0)", special.logit, (at(0.0),), (INF,)),
    Kink("logsumexp(-inf,-inf)", special.logsumexp, (at([-INF, -INF]),), ([NAN, NAN],)),
    Kink("logsumexp(0,-inf)", special.logsumexp, (at([0.0, -INF]),), ([1.0, 0.0],)),
    Kink("xlogy(0,0)", special.xlogy, (at(0.0), at(0.0)), (0.0, 0.0), why=FINITE),
    Kink("xlogy(0,2)", special.xlogy, (at(0.0), at(2.0)), (math.log(2), 0.0)),
    Kink("xlogy(1,0)", special.xlogy, (at(1.0), at(0.0)), (-INF, INF)),
    Kink("xlog1py(0,-1)", special.xlog1py, (at(0.0), at(-1.0)), (0.0, 0.0), why=FINITE),
    Kink("entr(0)", special.entr, (at(0.0),), (INF,)),
    Kink("rel_entr(0,1)", special.rel_entr, (at(0.0), at(1.0)), (-INF, 0.0)),
    Kink("kl_div(0,1)", special.kl_div, (at(0.0), at(1.0)), (-INF, 1.0)),
    Kink("huber at its bound", special.huber, (at(0.5), at(0.5)), (0.0, 0.5)),
    Kink("erfinv(1)", special.erfinv, (at(1.0),), (INF,)),
    Kink("ndtri(0)", special.ndtri, (at(0.0),), (INF,)),
    Kink("log_ndtr(-1e6)", special.log_ndtr, (at(-1e6),), (1e6 + 1e-6,)),
    Kink("rgamma(0)", special.rgamma, (at(0.0),), (1.0,)),
    Kink("rgamma(-1)", special.rgamma, (at(-1.0),), (-1.0,)),
    Kink("comb(3,5)", special.comb, (at(3.0), at(5.0)), (0.0, 0.0)),
    Kink("factorial(-1)", special.factorial, (at(-1.0),), (0.0,)),
    Kink("gammainc(1,0)", special.gammainc, (at(1.0), at(0.0)), (0.0, 1.0)),
    Kink("betainc(2,1,1)", special.betainc, (at(2.0), at(1.0), at(1.0)), (0.0, 0.0, 2.0)),
    Kink("stdtr(1,0)", special.stdtr, (at(1.0), at(0.0)), (0.0, 1 / math.pi)),
    Kink("exprel(0)", special.exprel, (at(0.0),), (0.5,)),
    Kink("boxcox(2,0)", special.boxcox, (at(2.0), at(0.0)), (0.5, math.log(2) ** 2 / 2)),
    Kink("tklmbda outside", special.tklmbda, (at(2.0), at(1.0)), (0.0, 0.0)),
    Kink("diric(0)", special.diric, (at(0.0), 3), (0.0,)),
    Kink("spence(1)", special.spence, (at(1.0),), (-1.0,)),
    Kink("ellipk(0)", special.ellipk, (at(0.0),), (math.pi / 8,)),
    Kink("agm(1,1)", special.agm, (at(1.0), at(1.0)), (0.5, 0.5)),
    Kink("j1(0)", special.j1, (at(0.0),), (0.5,)),
    Kink("i0e(0)", special.i0e, (at(0.0),), (0.0,)),
    Kink("spherical_jn(1,0)", special.spherical_jn, (1, at(0.0)), (1 / 3,)),
]
