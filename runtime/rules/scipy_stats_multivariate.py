"""Differentials of the multivariate normal and the Dirichlet distribution.

With ``w`` the deviations times the inverse covariance, a row for each point, the log density changes
by ``w (dmean - dx) + (w dcov w - tr(precision dcov)) / 2``.
"""

import numpy as np
from scipy import special, stats

from .. import linear
from .book import rule


@rule(stats.multivariate_normal.logpdf)
def multivariate_normal_logpdf(z, x, mean=None, cov=1, *, dx, dmean, dcov):
    d = linear.dimension(mean, cov)
    precision = np.linalg.inv(linear.covariance(cov, d))
    w = (linear.points(x, d) - linear.center(mean, d)) @ precision
    return (
        linear.row_products(linear.stretch(linear.center(dmean, d), w) - linear.points(dx, d), w)
        + linear.row_products(w @ linear.covariance(dcov, d), w) / 2
        - linear.row_traces(linear.covariance(dcov, d), precision, w) / 2
    )


@rule(stats.multivariate_normal.pdf)
def multivariate_normal_pdf(z, x, mean=None, cov=1, *, dx, dmean, dcov):
    d = linear.dimension(mean, cov)
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
