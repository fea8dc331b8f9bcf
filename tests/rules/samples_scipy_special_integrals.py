"""Calls of elliptic, exponential and hypergeometric functions and of orthogonal polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from retrograd.runtime.helpers.scipy import elliptic
from retrograd.runtime.helpers.scipy import special as helpers

from .sample import Sample
from .spread import spread

__all__ = ["SAMPLES"]

P, Q, R = (0.4, 3.0), (0.1, 0.85), (-1.6, 1.7)
INSIDE = (-0.9, 0.9)
WHOLE = np.array([3, 0, 1])
SAMPLES: dict[Any, list[Sample]] = {
    # elliptic
    special.ellipk: [*spread(Q), *spread((-2.0, 0.5))],
    special.ellipkm1: spread(Q),
    special.ellipe: [*spread(Q), *spread((-2.0, 0.5))],
    special.ellipkinc: [*spread(R, Q), *spread((3.0, 5.0), Q), *spread(np.pi / 2, Q)],
    special.ellipeinc: [*spread(R, Q), *spread((3.0, 5.0), Q), *spread(np.pi / 2, Q)],
    elliptic.ellipkinc_moment: [*spread(1, R, Q), *spread(2, (1.0, 4.0), Q)],
    elliptic.ellipeinc_moment: [*spread(1, R, Q), *spread(2, (1.0, 4.0), Q)],
    special.ellipj: spread(R, Q),
    special.agm: [*spread(P, P), *spread((-3.0, -1.0), (-2.0, -0.5))],
    special.elliprf: [*spread(P, P, P, complex=True), *spread(0.0, P, P)],
    special.elliprd: [*spread(P, P, P, complex=True), *spread(0.0, P, 1.0)],
    special.elliprc: spread(P, P, complex=True),
    special.elliprg: spread(P, P, P, complex=True),
    special.elliprj: spread(P, P, P, P),
    elliptic.elliprd_partial: [*spread(0, 0, 1, P, P, P, complex=True), *spread(1, 0, 1, P, P, P)],
    elliptic.elliprj_partial: [*spread(0, 0, 1, 1, P, P, P, P), *spread(1, 0, 0, 0, P, P, P, P)],
    # exponential integrals and others
    special.exp1: [*spread(P, complex=True), *spread(P)],
    special.expi: [*spread(P, complex=True, step=False), *spread((-2.0, -0.3))],
    special.expn: [*spread(2, P), *spread(WHOLE, P), *spread(0, P)],
    helpers.expn_below: [*spread(-1, P), *spread(WHOLE - 2, P)],
    special.sici: spread(P, complex=True, step=False),
    special.shichi: spread(P, complex=True, step=False),
    special.fresnel: [*spread(R, complex=True, step=False), *spread(R)],
    special.spence: spread(P, complex=True, step=False),
    helpers.log_quotient: [*spread(1, P, complex=True), *spread(0, (0.8, 1.2))],
    special.hyp0f1: [*spread(1.5, R, complex=True, step=False)],
    special.hyp1f1: spread(1.2, 2.3, R, complex=True, step=False),
    special.hyp2f1: spread(1.2, 0.7, 2.3, (-0.7, 0.7), complex=True, step=False),
    special.hyperu: spread(1.2, 0.7, P),
    special.lambertw: [*spread(P, complex=True), *spread((-0.3, 0.3)), *spread((-0.3, -0.1), -1)],
    special.wrightomega: [*spread(R, complex=True, step=False)],
    # polynomials
    **{
        f: [*spread(3, INSIDE), *spread(WHOLE, INSIDE)]
        for f in (
            special.eval_legendre, special.eval_chebyt, special.eval_chebyu, special.eval_chebyc,
            special.eval_chebys, special.eval_hermite, special.eval_hermitenorm, special.eval_laguerre,
        )
    },
    **{
        f: [*spread(3, (0.1, 0.9)), *spread(WHOLE, (0.1, 0.9))]
        for f in (special.eval_sh_legendre, special.eval_sh_chebyt, special.eval_sh_chebyu)
    },
    special.eval_genlaguerre: [*spread(3, 0.5, R), *spread(WHOLE, 0.5, R)],
    special.eval_gegenbauer: [*spread(3, 0.5, INSIDE), *spread(WHOLE, 0.5, INSIDE)],
    special.eval_jacobi: [*spread(3, 0.5, 0.7, INSIDE), *spread(WHOLE, 0.5, 0.7, INSIDE)],
    special.eval_sh_jacobi: spread(3, 2.5, 1.7, (0.1, 0.9)),
    special.lpmv: [*spread(1, 3, INSIDE), *spread(0, 0, INSIDE), *spread(2, 2.5, INSIDE)],
    special.sph_harm_y: [*spread(2, 1, P, R), *spread(3, -3, P, R), *spread(WHOLE, 1, P, R)],
}  # fmt: skip
