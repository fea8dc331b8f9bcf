"""Differentials of the multivariate normal and the Dirichlet distribution, and of kernel densities.

With ``w`` the deviations times the inverse covariance, a row for each point, the log density changes
by ``w (dmean - dx) + (w dcov w - tr(precision dcov)) / 2``.
"""

import numpy as np
from scipy import special, stats

from ....helpers import linear
from ....helpers.scipy import stats as extra
from ...book import constant, methods, rule

constant(extra.kernel_weights, extra.kernel_width)
methods(
    stats.gaussian_kde,
    evaluate=extra.kernel_density,
    pdf=extra.kernel_density,
    __call__=extra.kernel_density,
)


@rule(stats.multivariate_normal.logpdf)
def multivariate_normal_logpdf(z, x, mean=None, cov=1, allow_singular=False, *, dx, dmean, dcov):
    d = linear.dimension(mean, cov, allow_singular)
    precision = np.linalg.inv(linear.covariance(cov, d))
    w = (linear.points(x, d) - linear.center(mean, d)) @ precision
    return (
        linear.row_products(linear.stretch(linear.center(dmean, d), w) - linear.points(dx, d), w)
        + linear.row_products(w @ linear.covariance(dcov, d), w) / 2
        - linear.row_traces(linear.covariance(dcov, d), precision, w) / 2
    )


@rule(stats.multivariate_normal.pdf)
def multivariate_normal_pdf(z, x, mean=None, cov=1, allow_singular=False, *, dx, dmean, dcov):
    d = linear.dimension(mean, cov, allow_singular)
    precision = np.linalg.inv(linear.covariance(cov, d))
    w = (linear.points(x, d) - linear.center(mean, d)) @ precision
    return (
        z
        * linear.row_products(linear.stretch(linear.center(dmean, d), w) - linear.points(dx, d), w)
        + z / 2 * linear.row_products(w @ linear.covariance(dcov, d), w)
        - z / 2 * linear.row_traces(linear.covariance(dcov, d), precision, w)
    )


@rule(stats.dirichlet.logpdf)
def dirichlet_logpdf(z, x, alpha, *, dx, dalpha):
    rows = linear.simplex(x, np.size(alpha))
    change = special.digamma(np.sum(alpha)) - special.digamma(alpha)
    return linear.row_products(
        linear.simplex_change(dx, np.size(alpha)), (alpha - 1) / rows
    ) + linear.row_products(linear.stretch(dalpha, rows), np.log(rows) + change)


@rule(stats.dirichlet.pdf)
def dirichlet_pdf(z, x, alpha, *, dx, dalpha):
    rows = linear.simplex(x, np.size(alpha))
    change = special.digamma(np.sum(alpha)) - special.digamma(alpha)
    return z * linear.row_products(
        linear.simplex_change(dx, np.size(alpha)), (alpha - 1) / rows
    ) + z * linear.row_products(linear.stretch(dalpha, rows), np.log(rows) + change)


@rule(extra.kernel_density)
def kernel_density(z, points, dataset, bw_method=None, weights=None, *, dpoints, ddataset):
    x = linear.points(dataset.T, 1)
    p = linear.points(points.T, x.shape[1])
    w = extra.kernel_weights(weights, x.shape[0])
    c = x - np.sum(w * x, axis=0)
    s = extra.kernel_width(bw_method, w, x.shape[1]) * w * c
    precision = np.linalg.inv(s.T @ c)
    gap = p[:, None] - x
    v = gap @ precision
    height = np.sqrt(np.linalg.det(precision / (2 * np.pi)))
    k = height * np.exp(-np.sum(v * gap, axis=-1) / 2) * w.T
    kv = k[:, :, None] * v
    spread = linear.einsum("jid,jie->jde", kv, v) - z[:, None, None] * precision
    along = kv + linear.einsum("jde,ie->jid", spread, s)
    return linear.einsum("jid,id->j", along, linear.points(ddataset.T, 1)) - linear.einsum(
        "jid,jd->j", kv, linear.points(dpoints.T, x.shape[1])
    )
