"""A fit on a cluster: by `scipy.optimize.minimize`, and by steps that take some of the data each."""

import numpy as np
from distributed import Client, LocalCluster
from scipy.optimize import minimize

import retrograd as rg


def loss(w, x, y):
    """Of a logistic regression: a mean over rows."""
    return np.mean(np.log1p(np.exp(-y * (x @ w))))


class Draws:
    """A shard that is made where it is needed: of 5,000 draws, the numbers or the labels."""

    def __init__(self, seed, what):
        self.seed, self.what = seed, what

    def __call__(self):
        rng = np.random.default_rng(self.seed)
        x = rng.normal(size=(5_000, 4))
        y = np.where(rng.random(5_000) < 1 / (1 + np.exp(-x @ [1.0, -1.0, 0.5, 0.0])), 1.0, -1.0)
        return x if self.what == "x" else y


if __name__ == "__main__":
    x = [Draws(seed, "x") for seed in range(20)]
    y = [Draws(seed, "y") for seed in range(20)]
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        spread = rg.distributed
        vg = spread.value_and_grad(loss, client, "w", ("x", "y"), reduce="mean", keep=True)
        found = minimize(lambda w: vg(w, x, y), np.zeros(4), jac=True, method="L-BFGS-B")
        print("all of the data:", found.x.round(2), "after", found.nit, "iterations")

        rng, w = np.random.default_rng(0), np.zeros(4)
        for step in range(40):
            value, slope = vg.on(*rng.choice(20, size=3, replace=False))(w, x, y)
            w = w - 2.0 / (1 + 0.05 * step) * slope
        print("some of it each step:", w.round(1))
