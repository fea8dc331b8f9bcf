"""`rg.lmfit`: exact Jacobians for fits with lmfit, its models and its `minimize`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import lmfit
import numpy as np

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation

from .lmfit_expressions import dependent_slopes

__all__ = ["dfun", "fit", "minimize"]

TAKING = ("leastsq", "least_squares")  # methods of lmfit's that take a Jacobian of residuals

# The derivatives of models put together, by those of the left and the right one and their values.
RULES: dict[Any, Callable[[Any, Any, Any, Any], Any]] = {
    operator.add: lambda dl, dr, left, right: dl + dr,
    operator.sub: lambda dl, dr, left, right: dl - dr,
    operator.mul: lambda dl, dr, left, right: dl * right + left * dr,
    operator.truediv: lambda dl, dr, left, right: (dl - left / right * dr) / right,
}


def fit(model: Any, data: Any, params: Any = None, **options: Any) -> Any:
    """``model.fit(data, params, ...)`` with the exact Jacobian, where the method takes one.

    >>> def decay(t, a, rate):
    ...     return a * np.exp(-rate * t)
    >>> t = np.linspace(0.0, 3.0, 9)
    >>> model = lmfit.Model(decay)
    >>> found = fit(model, 2.0 * np.exp(-0.7 * t), model.make_params(a=1.0, rate=1.0), t=t)
    >>> round(found.best_values["rate"], 6)
    0.7
    """
    given = dict(options.pop("fit_kws", None) or {})
    if options.get("method", "leastsq") in TAKING:
        given.setdefault("Dfun", dfun(model))
    return model.fit(data, params, fit_kws=given, **options)


def dfun(model: Any) -> Callable[..., Any]:
    """The Jacobian of a model's residuals: for ``fit_kws={"Dfun": dfun(model)}``.

    Models that are sums, differences, products and quotients of models are taken apart, and parameters that are given
    by an expression count for those it names.
    """

    def jacobian(params: Any, data: Any = None, weights: Any = None, **kwargs: Any) -> Any:
        kwargs.pop("apply_bounds_transformation", None)
        columns = slopes(model, params, kwargs)
        size = np.broadcast_shapes(*(np.shape(c) for c in columns.values()), np.shape(data))
        found = total(params, {name: np.broadcast_to(c, size) for name, c in columns.items()}, size)
        return np.stack([weighted(-c, weights) for c in found], axis=-1)

    return jacobian


def weighted(column: Any, weights: Any) -> Any:
    """A column as lmfit has its residuals: flat, complex numbers as their two parts."""
    found = np.ravel(column if weights is None else column * weights)
    return found.view(float) if np.iscomplexobj(found) else found


def slopes(model: Any, params: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The derivatives of a model's values by the parameters that its functions have, by their names."""
    if not isinstance(model, lmfit.model.CompositeModel):
        return of_function(model, params, kwargs)
    if model.op not in RULES:
        raise UnsupportedOperation(
            f"models put together by `{getattr(model.op, '__name__', model.op)}`"
        )
    left, right = (m.eval(params, **kwargs) for m in (model.left, model.right))
    dl, dr = (slopes(m, params, kwargs) for m in (model.left, model.right))
    rule = RULES[model.op]
    return {name: rule(dl.get(name, 0.0), dr.get(name, 0.0), left, right) for name in {**dl, **dr}}


def of_function(model: Any, params: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    given = model.make_funcargs(params, kwargs)
    names = {model._strip_prefix(full): full for full in model.param_names if full in params}
    names = {short: full for short, full in names.items() if short in given}
    if not names:
        return {}
    given = {k: float(v) if k in names else v for k, v in given.items()}
    found = derivative(model.func, tuple(names))(**given)
    return dict(zip(names.values(), found, strict=True))


@functools.lru_cache(maxsize=256)
def derivative(f: Callable[..., Any], names: tuple[str, ...]) -> Callable[..., Any]:
    return rg.jacobian(f, names)


def total(params: Any, columns: dict[str, Any], size: tuple[int, ...]) -> list[Any]:
    """For each parameter that varies the derivative by it, through the expressions of others too."""
    varying = [name for name, p in params.items() if p.vary and not p.expr]
    through = dependent_slopes(params, [name for name in columns if params[name].expr], varying)
    found = []
    for name in varying:
        column = columns.get(name, np.zeros(size))
        for dependent, by in through.items():
            column = column + columns[dependent] * by[name]
        found.append(column)
    return found


def minimize(
    residual: Callable[..., Any],
    params: Any,
    method: str = "leastsq",
    args: tuple[Any, ...] = (),
    kws: dict[str, Any] | None = None,
    **options: Any,
) -> Any:
    """`lmfit.minimize` of ``residual(values, *args, **kws)`` with the exact Jacobian; ``values`` is a dict of numbers.

    >>> def residual(p, t, y):
    ...     return p["a"] * np.exp(-p["rate"] * t) - y
    >>> t = np.linspace(0.0, 3.0, 9)
    >>> params = lmfit.create_params(a=1.0, rate={"value": 1.0, "min": 0.0})
    >>> found = minimize(residual, params, args=(t, 2.0 * np.exp(-0.7 * t)))
    >>> round(found.params["rate"].value, 6)
    0.7
    """
    by_values = rg.jacobian(residual)

    def of_params(params: Any, *args: Any, **kwargs: Any) -> Any:
        kwargs.pop("apply_bounds_transformation", None)
        return residual(dict(params.valuesdict()), *args, **kwargs)

    def jacobian(params: Any, *args: Any, **kwargs: Any) -> Any:
        kwargs.pop("apply_bounds_transformation", None)
        values = {name: float(value) for name, value in params.valuesdict().items()}
        columns = by_values(values, *args, **kwargs)
        size = np.broadcast_shapes(*(np.shape(c) for c in columns.values()))
        return np.stack([weighted(c, None) for c in total(params, columns, size)], axis=-1)

    if method in TAKING:
        options.setdefault("Dfun", jacobian)
    return lmfit.minimize(of_params, params, method=method, args=args, kws=kws, **options)
