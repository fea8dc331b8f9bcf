"""A regression that outliers do not move, as an estimator of scikit-learn's

An estimator is a class with `fit` and `predict`; what stands between is a loss and its gradient. This one has heavy tails: residuals
are taken to follow Student's t, whose width is fitted, too. Since scikit-learn sees an estimator like any other, it can be scaled,
searched and cross-validated.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import retrograd as rg


def loss(p, x, y, tails, ridge):
    """Minus the log likelihood of Student's t with ``tails`` degrees of freedom, and a penalty."""
    residual = (y - x @ p["coef"] - p["intercept"]) * np.exp(-p["log_width"])
    misfit = (tails + 1) / 2 * np.log1p(residual**2 / tails) + p["log_width"]
    return np.mean(misfit) + ridge * np.sum(p["coef"] ** 2)


class RobustRegression(RegressorMixin, BaseEstimator):
    def __init__(self, tails=3.0, ridge=1e-4):
        self.tails, self.ridge = tails, ridge

    def fit(self, X, y):
        start = {"coef": np.zeros(X.shape[1]), "intercept": np.median(y), "log_width": 0.0}
        found = rg.scipy.minimize(
            loss, start, args=(X, y, self.tails, self.ridge), method="trust-exact"
        )
        self.coef_, self.intercept_ = found.params["coef"], found.params["intercept"]
        return self

    def predict(self, X):
        return X @ self.coef_ + self.intercept_


def solve():
    rng = np.random.default_rng(2)
    x = rng.uniform(-2, 2, (80, 1))
    truth = lambda x: 1.0 + 2.0 * x - x**3  # noqa: E731
    y = truth(x[:, 0]) + 0.2 * rng.normal(size=80)
    y[rng.random(80) < 0.2] += 8.0
    features = PolynomialFeatures(3, include_bias=False)
    search = GridSearchCV(
        make_pipeline(features, RobustRegression()),
        {"robustregression__tails": [1.0, 3.0, 30.0]},
        scoring="neg_median_absolute_error",
    ).fit(x, y)
    plain = make_pipeline(features, LinearRegression()).fit(x, y)
    at = np.linspace(-2, 2, 100)[:, None]
    curves = {"robust": search.predict(at), "least squares": plain.predict(at)}
    return {
        "x": x,
        "y": y,
        "at": at,
        "truth": truth(at[:, 0]),
        "curves": curves,
        "best": search.best_params_,
    }


def draw(fig, found):
    ax = fig.subplots()
    ax.plot(found["x"], found["y"], "o", ms=3, color="C7")
    ax.plot(found["at"], found["truth"], "--", color="C7", label="truth")
    for name, curve in found["curves"].items():
        ax.plot(found["at"], curve, label=name)
    ax.legend()


if __name__ == "__main__":
    found = solve()
    for name, curve in found["curves"].items():
        print(name, np.sqrt(np.mean((curve - found["truth"]) ** 2)).round(3))
    print(found["best"])
