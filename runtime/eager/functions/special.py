"""Special functions: SciPy's, looked up when they are first called, with the rules of the book."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...rules.scipy import registry
from ..graph.record_call import elementwise, guarded
from ..tensor.registry import FUNCTIONS, function, member, method
from ..tensor.tensor import Tensor
from .pointwise import floated
from .pointwise_composed import xlogy

__all__ = ["from_scipy"]


def from_scipy(module: str, name: str) -> Any:
    """A function of SciPy, its rule registered."""
    try:
        found = getattr(import_module(f"scipy.{module}"), name)
    except ImportError:
        raise ImportError(
            f"this function is scipy.{module}.{name}, and SciPy is not installed: pip install scipy"
        ) from None
    registry.load()
    return found


def called(own: str, *args: Any) -> Any:
    prepared = [floated(a) if isinstance(a, Tensor) else a for a in args]
    return elementwise(from_scipy("special", own), *prepared)


ONE = {
    "erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "lgamma": "gammaln", "digamma": "digamma",
}  # fmt: skip
KEEPING = ("erfinv", "i1", "log_ndtr", "erfcx")  # what PyTorch keeps of them, our rules do not
SPACE_ONLY = {
    "entr": "entr", "ndtr": "ndtr", "ndtri": "ndtri", "log_ndtr": "log_ndtr", "i0e": "i0e", "i1": "i1",
    "i1e": "i1e", "bessel_j0": "j0", "bessel_j1": "j1", "bessel_y0": "y0", "bessel_y1": "y1", "erfcx": "erfcx",
    "modified_bessel_i0": "i0", "modified_bessel_i1": "i1", "modified_bessel_k0": "k0",
    "modified_bessel_k1": "k1", "scaled_modified_bessel_k0": "k0e", "scaled_modified_bessel_k1": "k1e",
}  # fmt: skip


def one(own: str, theirs: str) -> Any:
    def apply(self: Any) -> Any:
        made = called(theirs, self)
        return guarded(made, self if own == "erfinv" else made) if own in KEEPING else made

    apply.__name__ = apply.__qualname__ = own
    apply.__doc__ = f"``scipy.special.{theirs}``."
    return apply


for _own, _theirs in ONE.items():
    method(one(_own, _theirs), write=True)
for _own, _theirs in SPACE_ONLY.items():
    member("special")(one(_own, _theirs))
member("special")(method(one("i0", "i0"), write=True))


@method(write=True)
def igamma(self: Any, other: Any) -> Any:
    """The regularised lower incomplete gamma function."""
    return called("gammainc", self, other)


@method(write=True)
def igammac(self: Any, other: Any) -> Any:
    """The regularised upper incomplete gamma function."""
    return called("gammaincc", self, other)


@function
def polygamma(n: int, input: Any) -> Any:
    """The n-th derivative of the digamma function."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    made = called("polygamma", n, input) if n else called("digamma", input)
    return made.to(floated(input).dtype)  # SciPy gives double precision


Tensor.polygamma = lambda self, n: polygamma(n, self)


@member("special")
def zeta(self: Any, other: Any) -> Any:
    """The Hurwitz zeta function."""
    return called("zeta", self, other)


@member("special")
def xlog1py(input: Any, other: Any) -> Any:
    return xlogy(input, other + 1)


for _name, _old in {
    "erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "gammaln": "lgamma", "digamma": "digamma", "psi": "digamma",
    "polygamma": "polygamma", "gammainc": "igamma", "gammaincc": "igammac", "expit": "sigmoid",
    "logit": "logit", "logsumexp": "logsumexp", "softmax": "softmax", "log_softmax": "log_softmax",
    "exp2": "exp2", "expm1": "expm1", "log1p": "log1p", "sinc": "sinc", "round": "round", "xlogy": "xlogy",
    "multigammaln": "mvlgamma",
}.items():  # fmt: skip
    member("special", _name)(FUNCTIONS[_old])
