"""Calls of NumPy and SciPy that scientists write: ``python -m tests.sweeps.library_calls``.

Each is a function of two vectors, compiled (``strict=True``) and held against differences.  It prints those that are
refused, or are not what differences say, and how many are right.
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np

import retrograd as rg
from tests.written import written

__all__ = ["CALLS", "outcome"]

X = np.array([0.3, 1.7, 0.9, 2.2, 1.3])
Y = np.array([0.5, 1.1, 0.4, 1.9, 2.5])
PARTS = (
    "stats", "signal", "integrate", "interpolate", "linalg", "optimize", "special", "spatial.distance", "ndimage", "fft",
)  # fmt: skip
CALLS = """
stats.zscore(x)[0]
stats.gmean(x)
stats.hmean(x)
stats.pmean(x,2)
stats.trim_mean(x,0.1)
stats.iqr(x)
stats.skew(x)
stats.kurtosis(x)
stats.sem(x)
stats.variation(x)
stats.moment(x,3)
stats.pearsonr(x,y)[0]
stats.entropy(x)
stats.entropy(x,y)
stats.differential_entropy(x)
stats.linregress(x,y).slope
stats.ttest_ind(x,y).statistic
stats.ttest_1samp(x,0.2).statistic
stats.ttest_rel(x,y).statistic
stats.f_oneway(x,y).statistic
stats.chisquare(x,x.mean()*np.ones(5)).statistic
stats.bartlett(x,y).statistic
stats.levene(x,y).statistic
stats.jarque_bera(x).statistic
stats.normaltest(np.tile(x,4)).statistic
stats.wasserstein_distance(x,y)
stats.energy_distance(x,y)
stats.tmean(x)
stats.tvar(x)
stats.tstd(x)
stats.gstd(x)
stats.median_abs_deviation(x)
stats.zmap(x,y)[0]
stats.gzscore(x)[1]
stats.circmean(x)
stats.circvar(x)
stats.circstd(x)
stats.boxcox(x,0.3)[0]
stats.boxcox_llf(0.4,x)
stats.yeojohnson(x,0.3)[0]
stats.yeojohnson_llf(0.4,x)
stats.kstat(x,2)
stats.lmoment(x)[0]
stats.cumfreq(x).cumcount[0]
stats.percentileofscore(x,0.5)
stats.sigmaclip(x).clipped.sum()
stats.gaussian_kde(x).evaluate(y)[0]
stats.norm.logpdf(x,0.1,1.2).sum()
stats.multivariate_normal.logpdf(x,np.zeros(5),np.eye(5))
stats.t.logpdf(x,3.1).sum()
stats.gamma.cdf(x,2.2).sum()
stats.dirichlet.logpdf(x/x.sum(),np.ones(5)*2)
stats.wishart.logpdf(np.diag(x),6,np.eye(5))
stats.vonmises.logpdf(x,1.2).sum()
stats.norm(x[0],x[1]).logpdf(0.3)
stats.poisson.logpmf(3,x).sum()
stats.binom.logpmf(2,5,x/3).sum()
stats.skewnorm.pdf(x,2.).sum()
signal.detrend(x)[1]
signal.convolve(x,y)[2]
signal.fftconvolve(x,y)[2]
signal.correlate(x,y)[1]
signal.lfilter([1,2.],[1,.3],x)[2]
signal.filtfilt([.5,.5],[1.,.1],np.tile(x,4))[2]
signal.savgol_filter(x,3,1)[1]
signal.hilbert(x).imag[1]
signal.resample(x,8)[1]
signal.chirp(x,1.,2.,3.).sum()
signal.sawtooth(x).sum()
signal.gausspulse(x,5.).sum()
signal.square(x).sum()
signal.sweep_poly(x,np.poly1d([1.,2.])).sum()
signal.windows.exponential(5,None,x[0])[1]
signal.windows.gaussian(5,x[0])[1]
signal.windows.kaiser(5,x[0])[1]
signal.windows.tukey(5,x[0])[1]
signal.windows.general_hamming(5,x[0])[1]
signal.medfilt(x,3)[1]
signal.periodogram(x)[1][1]
signal.welch(x,nperseg=4)[1][1]
signal.sosfilt(np.array([[1.,2,1,1,.2,.1]]),x)[2]
signal.freqz(x,[1.,.2])[1][3].real
signal.upfirdn([1.,2.],x,2)[2]
signal.decimate(np.tile(x,10),2)[4]
signal.stft(x,nperseg=4)[2][1,1].real
signal.argrelmax(x)[0].sum()+x[0]
signal.unit_impulse(5)@x
signal.peak_prominences(x,[1])[0][0]
integrate.trapezoid(x)
integrate.simpson(x)
integrate.cumulative_trapezoid(x)[1]
integrate.cumulative_simpson(x)[1]
integrate.romb(x)
integrate.quad(lambda t: np.exp(-t*x[0]),0,1)[0]
integrate.dblquad(lambda s,t: s*t*x[0],0,1,0,1)[0]
integrate.fixed_quad(lambda t: np.exp(-t*x[0]),0,1)[0]
interpolate.CubicSpline(np.arange(5.),x)(1.5)
interpolate.interp1d(np.arange(5.),x)(1.5)
interpolate.PchipInterpolator(np.arange(5.),x)(1.5)
interpolate.Akima1DInterpolator(np.arange(5.),x)(1.5)
interpolate.UnivariateSpline(np.arange(5.),x)(1.5)
interpolate.make_interp_spline(np.arange(5.),x)(1.5)
interpolate.BSpline(np.arange(9.),x,3)(4.2)
interpolate.barycentric_interpolate(np.arange(5.),x,1.5)
interpolate.krogh_interpolate(np.arange(5.),x,1.5)
interpolate.lagrange(np.arange(5.),x)(1.5)
interpolate.RegularGridInterpolator((np.arange(5.),),x)([1.5])[0]
interpolate.griddata(np.arange(5.),x,1.5)
interpolate.RBFInterpolator(np.arange(5.)[:,None],x)(np.array([[1.5]]))[0]
interpolate.splev(1.5,interpolate.splrep(np.arange(5.),x))
linalg.expm(np.diag(x))[0,0]
linalg.solve_toeplitz(x,y)[0]
linalg.block_diag(x,y).sum()
linalg.sqrtm(np.diag(x))[0,0]
linalg.logm(np.diag(x))[0,0]
linalg.null_space(x[None])[0,0]
linalg.orth(np.diag(x))[0,0]
linalg.lstsq(np.diag(x),y)[0][0]
linalg.solve_banded((0,0),x[None],y)[0]
linalg.cho_solve(linalg.cho_factor(np.diag(x)),y)[0]
linalg.subspace_angles(np.eye(5)[:,:2],np.outer(x,y[:2]))[0]
linalg.hadamard(4)@x[:4]@np.ones(4)
linalg.convolution_matrix(x,3).sum()
linalg.circulant(x).sum()
np.vander(x).sum()
linalg.leslie(x,y[:4]).sum()
linalg.companion(x)[0,1]
optimize.rosen(x)
optimize.rosen_der(x).sum()
optimize.minimize(lambda v: np.sum((v-x)**2), np.zeros(5)).x[0]
optimize.curve_fit(lambda t,a: a*t, np.arange(5.), x)[0][0]
optimize.approx_fprime(x, lambda v: np.sum(v**2))[0]
distance.euclidean(x,y)
distance.sqeuclidean(x,y)
distance.cosine(x,y)
distance.cityblock(x,y)
distance.minkowski(x,y,3)
distance.mahalanobis(x,y,np.eye(5))
distance.braycurtis(x,y)
distance.canberra(x,y)
distance.chebyshev(x,y)
distance.correlation(x,y)
distance.jensenshannon(x,y)
distance.seuclidean(x,y,np.ones(5))
distance.cdist(x[:,None],y[:,None]).sum()
distance.pdist(x[:,None]).sum()
distance.squareform(distance.pdist(x[:,None])).sum()
ndimage.gaussian_filter(x,1.)[1]
ndimage.gaussian_filter1d(x,1.)[1]
ndimage.uniform_filter(x,3)[1]
ndimage.convolve(x,np.ones(3))[1]
ndimage.correlate1d(x,np.ones(3))[1]
ndimage.sobel(x)[1]
ndimage.laplace(x)[1]
ndimage.gaussian_laplace(x,1.)[1]
ndimage.gaussian_gradient_magnitude(x,1.)[1]
ndimage.median_filter(x,3)[1]
ndimage.maximum_filter(x,3)[1]
ndimage.shift(x,0.5,order=1)[2]
ndimage.zoom(x,2,order=1)[2]
ndimage.map_coordinates(x,[[1.5]],order=1)[0]
ndimage.rotate(np.outer(x,x),30.,order=1)[1,1]
ndimage.mean(x)
ndimage.sum(x)
ndimage.center_of_mass(x)[0]
ndimage.variance(x)
fft.dct(x)[1]
fft.rfft(x)[1].real
fft.idct(x)[1]
special.logsumexp(x)
special.softmax(x)[0]
special.log_softmax(x)[0]
special.gammaln(x).sum()
special.multigammaln(x[0]+3,2)
special.polygamma(1,x).sum()
special.jv(1,x).sum()
special.spherical_jn(1,x).sum()
special.comb(x[0]+5,2)
special.perm(x[0]+5,2)
special.factorial(x[0])
special.sph_harm_y(1,0,x[0],x[1]).real
special.eval_legendre(2,x).sum()
special.legendre(2)(x).sum()
special.zeta(x+2).sum()
special.lambertw(x).real.sum()
special.diric(x,5).sum()
np.sinc(x).sum()
special.huber(1.,x).sum()
special.rel_entr(x,y).sum()
special.xlogy(x,y).sum()
special.entr(x).sum()
special.ndtr(x).sum()
special.expit(x).sum()
special.betainc(2.,3.,x/4).sum()
np.cov(x,y)[0,1]
np.corrcoef(x,y)[0,1]
np.gradient(x)[1]
np.histogram(x,weights=x)[0][0]
np.polynomial.polynomial.polyval(x,[1.,2.]).sum()
np.polynomial.Polynomial(x)(0.3)
np.polynomial.chebyshev.chebval(x,[1.,2.]).sum()
np.polynomial.legendre.legval(0.3,x)
np.polynomial.polynomial.polyfit(np.arange(5.),x,1)[0]
np.polyfit(np.arange(5.),x,1)[0]
np.poly1d(x)(0.3)
np.roots(x)[0].real
np.unwrap(x)[1]
np.trapezoid(x)
np.apply_along_axis(lambda v: v*2,0,x).sum()
np.ma.masked_array(x,x>1).sum()
np.average(x,weights=y)
np.digitize(x,[1.])@x
np.select([x>1],[x],0).sum()
np.piecewise(x,[x>1],[lambda v: v*v, 0]).sum()
np.nanmedian(x)
np.ma.getmask(x).any()+x[0]
np.ma.filled(x,0.).sum()
np.fft.fftshift(x)[1]
np.interp(0.5,np.arange(5.),x)
np.linalg.multi_dot([np.diag(x),np.diag(y),x])[0]
np.linalg.cond(np.diag(x))
np.linalg.matrix_power(np.diag(x),3)[0,0]
np.linalg.tensorinv(np.diag(x).reshape(5,5),1)[0,0]
np.emath.sqrt(x).sum()
np.emath.logn(2,x).sum()
""".strip().splitlines()


def outcome(call: str) -> str:
    """``right``, what it is refused for, or how it differs."""
    parts: dict[str, Any] = {
        part.rpartition(".")[2]: importlib.import_module(f"scipy.{part}") for part in PARTS
    }
    f: Any = written(f"def f(x, y):\n    return {call}\n", **parts)
    try:
        steps = 1e-6 * np.eye(X.size)
        slopes = [(float(f(X + s, Y)) - float(f(X - s, Y))) / 2e-6 for s in steps]
    except Exception as error:
        return f"not taken: {type(error).__name__}"
    try:
        found = rg.grad(f, strict=True)(X, Y)
    except Exception as error:
        return f"refused: {type(error).__name__}: {str(error).splitlines()[0]}"
    return (
        "right" if np.allclose(found, slopes, rtol=1e-4, atol=1e-5) else "not what differences say"
    )


def main() -> None:
    warnings.simplefilter("ignore")
    rg.set_check(None)
    found = {call: outcome(call) for call in CALLS}
    for call, told in found.items():
        if told != "right":
            print(f"{call:<60} {told}")
    print(f"{sum(told == 'right' for told in found.values())} of {len(CALLS)} are right")


if __name__ == "__main__":
    main()
