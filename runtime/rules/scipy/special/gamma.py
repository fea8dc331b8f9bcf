"""Differentials of the gamma and beta functions, and of what is built of them."""

from scipy import special

from ....helpers import linear
from ....helpers.scipy import special as helpers
from ...book import constant, rule, traits

constant(special.gammasgn)


@rule(special.gamma, domain=(0.3, 4.0))
def gamma(z, x, *, dx):
    return z * special.digamma(x) * dx


@rule(special.gammaln, special.loggamma, domain=(0.3, 4.0))
def gammaln(z, x, *, dx):
    return special.digamma(x) * dx


@rule(special.rgamma)
def rgamma(z, x, *, dx):
    return helpers.rgamma_partial(1, x) * dx


@rule(helpers.rgamma_partial, broadcasts=True)
def rgamma_partial(z, n, x, *, dx):
    return helpers.rgamma_partial(n + 1, x) * dx


@rule(special.digamma, domain=(0.3, 4.0))
def digamma(z, x, *, dx):
    return linear.polygamma(1, x) * dx


@rule(special.polygamma, broadcasts=True, domain=(0.3, 4.0))
def polygamma(z, n, x, *, dx):
    return special.polygamma(n + 1, x) * dx


@rule(special.multigammaln)
def multigammaln(z, a, d, *, da):
    return helpers.multidigamma(0, a, d) * da


@rule(helpers.multidigamma, broadcasts=True)
def multidigamma(z, n, a, d, *, da):
    return helpers.multidigamma(n + 1, a, d) * da


@rule(special.beta, broadcasts=True, domain=(0.3, 4.0))
def beta(z, a, b, *, da, db):
    psi = special.digamma(a + b)
    return z * (special.digamma(a) - psi) * da + z * (special.digamma(b) - psi) * db


@rule(special.betaln, broadcasts=True, domain=(0.3, 4.0))
def betaln(z, a, b, *, da, db):
    psi = special.digamma(a + b)
    return (special.digamma(a) - psi) * da + (special.digamma(b) - psi) * db


@rule(special.poch, broadcasts=True, domain=(0.3, 4.0))
def poch(z, a, m, *, da, dm):
    psi = special.digamma(a + m)
    return z * (psi - special.digamma(a)) * da + z * psi * dm


@rule(special.binom, broadcasts=True, domain=(0.3, 4.0))
def binom(z, n, k, *, dn, dk):
    psi = special.digamma(n - k + 1)
    return z * (special.digamma(n + 1) - psi) * dn + z * (psi - special.digamma(k + 1)) * dk


@rule(special.comb, broadcasts=True, domain=(0.3, 4.0))
def comb(z, n, k, *, dn, dk):
    psi = special.digamma(n - k + 1)
    by_n = linear.mul0(z, special.digamma(n + 1) - psi)  # it is 0 for k > n
    return by_n * dn + linear.mul0(z, psi - special.digamma(k + 1)) * dk


@rule(special.perm, broadcasts=True, domain=(0.3, 4.0))
def perm(z, n, k, *, dn, dk):
    psi = special.digamma(n - k + 1)
    by_n = linear.mul0(z, special.digamma(n + 1) - psi)  # it is 0 for k > n
    return by_n * dn + linear.mul0(z, psi) * dk


@rule(special.factorial)
def factorial(z, n, *, dn):
    return linear.mul0(z, special.digamma(n + 1)) * dn  # it is 0 for n < 0


# They may give back their argument, or what cannot be written to.


@rule(special.zeta, broadcasts=True, domain=(1.5, 4.0))
def zeta(z, x, q=None, *, dx, dq):
    return helpers.zeta_partial(1, x, q) * dx - x * special.zeta(x + 1, q) * dq


@rule(special.zetac, domain=(1.5, 4.0))
def zetac(z, x, *, dx):
    return helpers.zeta_partial(1, x, None) * dx


@rule(helpers.zeta_partial, broadcasts=True)
def zeta_partial(z, n, x, q, *, dx, dq):
    by_q = x * helpers.zeta_partial(n, x + 1, q) + n * helpers.zeta_partial(n - 1, x + 1, q)
    return helpers.zeta_partial(n + 1, x, q) * dx - by_q * dq


traits(special.factorial, special.factorial2, special.factorialk, memory="either")
