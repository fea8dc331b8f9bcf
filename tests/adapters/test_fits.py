"""lmfit and iminuit with exact derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

RNG = np.random.default_rng(0)
X = np.linspace(0.0, 10.0, 80)


def peak(x: Any, amplitude: Any, center: Any, sigma: Any) -> Any:
    return amplitude * np.exp(-((x - center) ** 2) / (2 * sigma**2))


def line(x: Any, slope: Any, start: Any) -> Any:
    return slope * x + start


def wave(x: Any, amplitude: Any, rate: Any) -> Any:
    return amplitude * np.exp(1j * rate * x)


# -- lmfit -------------------------------------------------------------------------------


def differences(model: Any, params: Any, data: Any, weights: Any, **kwargs: Any) -> Any:
    """The Jacobian of lmfit's residuals, by differences in what varies."""
    columns = []
    for name in [n for n, p in params.items() if p.vary and not p.expr]:
        sides = []
        for step in (1e-6, -1e-6):
            moved = params.copy()
            moved[name].value += step
            moved.update_constraints()
            sides.append(model._residual(moved, data, weights, **kwargs))
        columns.append((sides[0] - sides[1]) / 2e-6)
    found = np.stack(columns, axis=-1)
    if not np.iscomplexobj(found):
        return found
    return np.stack([found.real, found.imag], axis=1).reshape(-1, found.shape[-1])


def models(lmfit: Any) -> dict[str, tuple[Any, Any]]:
    one = lmfit.Model(peak)
    left, right = lmfit.Model(peak, prefix="a_"), lmfit.Model(peak, prefix="b_")
    slope = lmfit.Model(line, prefix="l_")
    built_in = lmfit.models.GaussianModel() + lmfit.models.LinearModel()
    tied = (left + right).make_params(
        a_amplitude=2.0, a_center=3.0, a_sigma=0.7, b_amplitude=1.0, b_center=6.0, b_sigma=1.0
    )
    tied["b_sigma"].expr = "a_sigma * sqrt(2.0)"
    tied["b_center"].expr = "a_center + b_sigma + 2"
    fixed = one.make_params(amplitude=2.0, center=3.0, sigma={"value": 0.7, "vary": False})
    sum_of = {"a_amplitude": 2.0, "a_center": 3.0, "a_sigma": 0.7, "l_slope": 0.1, "l_start": 0.5}
    return {
        "one": (one, one.make_params(amplitude=2.0, center=3.0, sigma=0.7)),
        "fixed": (one, fixed),
        "sum": (left + slope, (left + slope).make_params(**sum_of)),
        "difference": (left - slope, (left - slope).make_params(**sum_of)),
        "product": (left * slope, (left * slope).make_params(**sum_of)),
        "quotient": (left / slope, (left / slope).make_params(**sum_of)),
        "tied": (left + right, tied),
        "built in": (built_in, built_in.make_params(amplitude=2.0, center=3.0, sigma=0.7, slope=0.1, intercept=0.2)),
        "complex": (lmfit.Model(wave), lmfit.Model(wave).make_params(amplitude=2.0, rate=0.7)),
    }  # fmt: skip


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "name",
    ["one", "fixed", "sum", "difference", "product", "quotient", "tied", "built in", "complex"],
)
def test_the_jacobian_is_that_of_the_residuals(name: str, weighted: bool) -> None:
    lmfit = pytest.importorskip("lmfit")
    model, params = models(lmfit)[name]
    data = model.eval(params, x=X) + 0.1
    weights = RNG.uniform(0.5, 2.0, X.size) if weighted else None
    found = rg.lmfit.dfun(model)(params, data, weights, x=X)
    np.testing.assert_allclose(found, differences(model, params, data, weights, x=X), atol=1e-6)


@pytest.mark.parametrize("method", ["leastsq", "least_squares", "nelder"])
def test_fits_of_models(method: str) -> None:
    lmfit = pytest.importorskip("lmfit")
    model = lmfit.Model(peak) + lmfit.Model(line)
    data = peak(X, 2.0, 4.0, 0.8) + line(X, 0.1, 0.3) + 0.01 * RNG.normal(size=X.size)
    params = model.make_params(
        amplitude={"value": 1.0, "min": 0.0}, center=4.5, sigma={"value": 1.0, "min": 0.1, "max": 3.0},
        slope=0.0, start=0.0,
    )  # fmt: skip
    found = rg.lmfit.fit(model, data, params, x=X, method=method)
    alone = model.fit(data, params, x=X, method=method)
    for name, value in alone.best_values.items():
        assert found.best_values[name] == pytest.approx(value, rel=1e-3, abs=1e-4)
    if method != "nelder":
        assert found.nfev < alone.nfev
        np.testing.assert_allclose(found.covar, alone.covar, rtol=1e-2)


def test_minimize_of_lmfit() -> None:
    lmfit = pytest.importorskip("lmfit")

    def residual(p: Any, x: Any, y: Any, *, scale: Any = 1.0) -> Any:
        return (peak(x, p["a"], p["c"], p["s"]) - y) * scale

    data = peak(X, 2.0, 4.0, 0.8)
    params = lmfit.create_params(
        a=1.0, c=4.5, s={"value": 1.0, "min": 0.1}, width={"expr": "2 * s"}
    )
    found = rg.lmfit.minimize(residual, params, args=(X, data), kws={"scale": 2.0})
    assert [found.params[n].value for n in "acs"] == pytest.approx([2.0, 4.0, 0.8])
    assert found.params["width"].value == pytest.approx(1.6)


def test_what_lmfit_has_and_no_derivative_is_known_of() -> None:
    lmfit = pytest.importorskip("lmfit")
    model = lmfit.model.CompositeModel(lmfit.Model(peak), lmfit.Model(line), np.convolve)
    params = model.make_params(amplitude=2.0, center=3.0, sigma=0.7, slope=0.1, start=0.5)
    with pytest.raises(rg.errors.UnsupportedOperation, match="convolve"):
        rg.lmfit.dfun(model)(params, X, None, x=X)
    tied = lmfit.Model(peak).make_params(amplitude=2.0, center=3.0, sigma=0.7)
    tied._asteval.symtable["mine"] = lambda x: x
    tied["sigma"].expr = "mine(center)"
    with pytest.raises(rg.errors.UnsupportedOperation, match="mine"):
        rg.lmfit.dfun(lmfit.Model(peak))(tied, X, None, x=X)


# -- iminuit -----------------------------------------------------------------------------


def cost(a: Any, b: Any) -> Any:
    return (a - 1.0) ** 2 + 10.0 * (b - a**2) ** 2


def of_array(p: Any) -> Any:
    return cost(p[0], p[1])


@pytest.mark.parametrize("start", ["names", "places", "array"])
def test_minuit(start: str) -> None:
    pytest.importorskip("iminuit")
    if start == "names":
        m = rg.iminuit.minuit(cost, a=0.0, b=0.0)
    else:
        m = (
            rg.iminuit.minuit(cost, 0.0, 0.0)
            if start == "places"
            else rg.iminuit.minuit(of_array, np.zeros(2))
        )
    m.errordef = 1.0
    m.migrad().hesse()
    assert m.valid and m.ngrad > 0
    np.testing.assert_allclose(m.values, [1.0, 1.0], atol=1e-2)
    np.testing.assert_allclose(
        m.covariance, np.linalg.inv(rg.hessian(of_array)(np.array(m.values)) / 2), rtol=1e-2
    )


def test_cost_functions_of_iminuit() -> None:
    iminuit = pytest.importorskip("iminuit")
    from iminuit import cost as costs

    data = line(X, 0.4, 2.0) + 0.1 * RNG.normal(size=X.size)
    given = costs.LeastSquares(X, data, 0.1, line, grad=rg.iminuit.model_gradient(line))
    m = iminuit.Minuit(given, slope=0.0, start=0.0, grad=True).migrad()
    assert m.valid and m.ngrad > 0
    np.testing.assert_allclose(m.values, np.polyfit(X, data, 1), rtol=1e-4)


def test_decorated_functions_say_whether_minuit_can_use_their_gradients() -> None:
    """One by the first argument alone is none of Minuit's; it takes what is by all of them."""
    iminuit = pytest.importorskip("iminuit")
    first, both = rg.differentiate(cost), rg.differentiate(wrt=("a", "b"))(cost)
    array = rg.differentiate(of_array)
    assert [f.has_grad for f in (first, both, array)] == [False, True, True]
    assert not rg.differentiate(wrt=("b", "a"))(cost).has_grad  # in the order of the arguments
    for f, start in ((first, {"a": 0.0, "b": 0.0}), (both, {"a": 0.0, "b": 0.0}), (array, {})):
        m = iminuit.Minuit(f, *([] if start else [np.zeros(2)]), **start).migrad().hesse()
        assert m.valid
        assert (m.ngrad > 0) == f.has_grad
        np.testing.assert_allclose(m.values, [1.0, 1.0], atol=1e-2)
    with pytest.raises(ValueError, match="gradient enforced"):
        iminuit.Minuit(first, a=0.0, b=0.0, grad=True)
