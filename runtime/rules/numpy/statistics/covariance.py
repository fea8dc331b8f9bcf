"""Rules of covariance and correlation."""

import numpy as np

from ....helpers import linear
from ...book import constant, rule, transpose

constant(linear.observation_shares, linear.observation_weights)


@rule(np.cov, memory="new", rank_0="array")
def cov(z, m, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dm):
    rows = linear.as_rows(m, rowvar)
    shares = linear.observation_shares(rows, fweights, aweights)
    weights = linear.observation_weights(rows, bias, ddof, fweights, aweights)
    weighed = weights * (rows - np.expand_dims(rows @ shares, 1))
    return linear.reshape_like(
        weighed @ np.conj(linear.as_rows(dm, rowvar)).T
        + linear.as_rows(dm, rowvar) @ np.conj(weighed).T,
        z,
    )


@rule(np.corrcoef, memory="new")
def corrcoef(z, x, rowvar=True, *, dx):
    rows = linear.as_rows(x, rowvar)
    apart = rows - np.mean(rows, axis=1, keepdims=True)
    length = np.sqrt(np.sum(np.real(np.conj(apart) * apart), axis=1, keepdims=True))
    unit = apart / length
    whole = unit @ np.conj(unit).T
    return linear.reshape_like(
        unit @ np.conj(linear.as_rows(dx, rowvar) / length).T
        + linear.as_rows(dx, rowvar) / length @ np.conj(unit).T
        - whole
        * linear.stretch(
            np.sum(
                np.real(np.conj(unit) * (linear.as_rows(dx, rowvar) / length)),
                axis=1,
                keepdims=True,
            ),
            whole,
        )
        - whole
        * linear.stretch(
            np.sum(
                np.real(np.conj(unit) * (linear.as_rows(dx, rowvar) / length)),
                axis=1,
                keepdims=True,
            ).T,
            whole,
        ),
        z,
    )


@rule(linear.as_rows)
def as_rows(z, c, rowvar=True, *, dc):
    return linear.as_rows(dc, rowvar)


@transpose(linear.as_rows, argument="c")
def _(c_bar, c, rowvar=True):
    return linear.from_rows(c_bar, c, rowvar)


@rule(linear.from_rows)
def from_rows(z, c, like, rowvar=True, *, dc):
    return linear.from_rows(dc, like, rowvar)


@transpose(linear.from_rows, argument="c")
def _(c_bar, c, like, rowvar=True):
    return linear.as_rows(linear.reshape_like(c_bar, like), rowvar)
