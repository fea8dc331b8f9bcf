"""Values are NumPy's and SciPy's, after CuPy's own choice of kinds."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from . import counted
from .wheel.samples import BINARY, INTEGERS, UNARY

pytestmark = pytest.mark.cupy
HOST = np.array([0.3, 0.7, 1.5, 2.0])


@pytest.mark.parametrize("name", UNARY)
def test_ufuncs_of_one(cupy: Any, name: str) -> None:
    with np.errstate(all="ignore"):
        expected, found = getattr(np, name)(HOST), getattr(cupy, name)(cupy.array(HOST))
    for ours, theirs in zip(
        *(one if isinstance(one, tuple) else (one,) for one in (found, expected)), strict=True
    ):
        assert np.array_equal(ours.get(), theirs, equal_nan=True)


@pytest.mark.parametrize("name", BINARY + INTEGERS)
def test_ufuncs_of_two(cupy: Any, name: str) -> None:
    kind = "l" if name in INTEGERS else "d"
    left, right = (HOST * 4).astype(kind), HOST.astype(kind) + 1
    expected, found = (
        getattr(np, name)(left, right),
        getattr(cupy, name)(cupy.array(left), cupy.array(right)),
    )
    for ours, theirs in zip(
        *(one if isinstance(one, tuple) else (one,) for one in (found, expected)), strict=True
    ):
        assert np.array_equal(ours.get(), theirs)


@pytest.mark.parametrize(
    "protocol",
    [
        np.sum,
        np.cumsum,
        np.sort,
        np.argsort,
        np.unique,
        np.median,
        np.diff,
        np.outer,
        np.kron,
        np.fft.fft,
    ],
)
def test_numpys_functions_reach_the_double(cupy: Any, protocol: Any) -> None:
    both = protocol in (np.outer, np.kron)
    x = cupy.array(HOST)
    found = protocol(x, x) if both else protocol(x)
    assert isinstance(found, cupy.ndarray)
    assert np.allclose(found.get(), protocol(HOST, HOST) if both else protocol(HOST))


def test_integers_to_negative_powers(cupy: Any) -> None:
    base = cupy.array([-1, 1, 2, -1, 0])
    assert (base ** cupy.array([-1, -1, -1, -2, -1])).tolist() == [-1, 1, 0, 1, 0]


def test_no_warnings(cupy: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = cupy.array([0.0, -1.0])
        for made in (1 / x, np.log(x), x / x, np.sqrt(x), x // 0, cupy.mean(x[:0])):
            assert isinstance(made, cupy.ndarray)


@pytest.mark.parametrize(
    "name",
    "beta binomial chisquare exponential f gamma geometric gumbel laplace logistic lognormal normal pareto poisson power rayleigh "
    "standard_normal standard_gamma uniform vonmises wald weibull".split(),
)
def test_distributions_give_arrays_of_the_device(cupy: Any, name: str) -> None:
    args = {"beta": (1.0, 2.0), "binomial": (5, 0.5), "chisquare": (2.0,), "f": (2.0, 3.0), "gamma": (2.0,), "geometric": (0.5,),
            "pareto": (2.0,), "poisson": (2.0,), "power": (2.0,), "standard_gamma": (2.0,), "vonmises": (0.0, 1.0), "wald": (1.0, 1.0),
            "weibull": (2.0,)}.get(name, ())  # fmt: skip
    drawn = getattr(cupy.random, name)(*args, size=(2, 3))
    assert isinstance(drawn, cupy.ndarray) and drawn.shape == (2, 3)
    assert getattr(cupy.random, name)(*args).shape == ()


def test_random_integers_choices_and_permutations(cupy: Any) -> None:
    assert cupy.random.randint(0, 5, size=100).max().item() < 5
    assert cupy.random.default_rng(1).integers(0, 5, size=10, dtype="i").dtype == np.int32
    assert sorted(cupy.random.permutation(5).tolist()) == [0, 1, 2, 3, 4]
    assert cupy.random.choice(cupy.arange(3), 5).shape == (5,)
    x = cupy.arange(20)
    cupy.random.shuffle(x)
    assert sorted(x.tolist()) == list(range(20))
    with pytest.raises(TypeError):
        cupy.random.shuffle(np.arange(3))
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        cupy.random.normal(0, 1, 3, foo=1)


@pytest.mark.parametrize(
    "call",
    [
        "erf(x)",
        "gammaln(x)",
        "logsumexp(x)",
        "softmax(x)",
        "xlogy(x, x)",
        "expit(x)",
        "ndtr(x)",
        "beta(x, x)",
    ],
)
def test_special_functions(cupy: Any, call: str) -> None:
    host = pytest.importorskip("scipy.special")
    import cupyx.scipy.special as device

    found = eval(call, vars(device) | {"x": cupy.array(HOST)})
    assert np.allclose(found.get(), eval(call, vars(host) | {"x": HOST}), rtol=1e-12)


def test_other_modules_of_scipy(cupy: Any) -> None:
    pytest.importorskip("scipy")
    import cupyx.scipy.interpolate
    import cupyx.scipy.linalg
    import cupyx.scipy.ndimage
    import cupyx.scipy.signal

    x = cupy.array(np.arange(16.0).reshape(4, 4) + np.diag([5.0, 0.5, 5.0, 5.0]))
    for made in (
        cupyx.scipy.ndimage.gaussian_filter(x, 1.0), cupyx.scipy.signal.fftconvolve(x, x), cupyx.scipy.linalg.expm(x / 20),
        cupyx.scipy.linalg.lu_factor(x)[0], cupyx.scipy.interpolate.CubicSpline(x[1], x[0])(x[1, :2]),
    ):  # fmt: skip
        assert isinstance(made, cupy.ndarray)
    with pytest.raises(TypeError):
        cupyx.scipy.ndimage.gaussian_filter(np.ones((2, 2)), 1.0)


def test_each_function_is_one_launch(cupy: Any) -> None:
    x = cupy.ones((3, 4))
    with counted() as counts:
        (x @ x.T).sum()
        cupy.concatenate([x, x])
        cupy.linalg.inv(x @ x.T + cupy.eye(3))
        x.reshape(12)
    assert counts.launches == {
        "matmul": 2,
        "sum": 1,
        "concatenate": 1,
        "add": 1,
        "fill": 1,
        "getrf": 1,
    }
