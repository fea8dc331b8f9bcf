"""Eight schools, sampled by the No-U-Turn Sampler

Rubin's eight schools: the effects of coaching, each with an error of its own, and how much schools differ, which nobody knows.
The posterior is a funnel, in which steps of one size get stuck. The No-U-Turn Sampler (Hoffman and Gelman, 2014) doubles a
trajectory until it turns back, finds its step in a warm-up, and needs nothing but the gradient.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg

EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def log_density(q, effects, errors):
    """Of the mean, the log of the spread, and the schools' effects in units of the spread."""
    mean, spread, units = q[0], np.exp(q[1]), q[2:]
    misfit = (effects - mean - spread * units) / errors
    prior = (mean / 5) ** 2 + np.sum(units**2) - 2 * q[1] + 2 * np.log1p((spread / 5) ** 2)
    return -0.5 * (np.sum(misfit**2) + prior)


def turns(left, right):
    span = right[0] - left[0]
    return min(span @ left[1], span @ right[1]) < 0


def tree(gradient, end, stride, depth, energy, rng):
    """2**depth steps: both ends, a point drawn from them, its weight, if it goes on, how many are accepted."""
    if depth == 0:
        q, p, slope = end
        p = p + stride / 2 * slope
        q = q + stride * p
        value, slope = gradient(q)
        p = p + stride / 2 * slope
        weight, new = value - p @ p / 2 - energy, (q, p, slope)
        return new, new, new, weight, weight > -1000, np.array([min(1.0, np.exp(weight)), 1.0])
    left, right, drawn, weight, going, accepted = tree(
        gradient, end, stride, depth - 1, energy, rng
    )
    if going:
        far = right if stride > 0 else left
        low, high, other, more, going, also = tree(gradient, far, stride, depth - 1, energy, rng)
        left, right = (left, high) if stride > 0 else (low, right)
        weight, accepted = np.logaddexp(weight, more), accepted + also
        drawn = other if np.log(rng.random()) < more - weight else drawn
        going = going and not turns(left, right)
    return left, right, drawn, weight, going, accepted


def sample(gradient, q, n, warm_up, rng, step=0.1, aim=0.9):
    """The chain; during the warm-up the step follows the acceptance that is aimed at (dual averaging)."""
    chain, middle, bias, smooth = np.empty((n, q.size)), np.log(10 * step), 0.0, 0.0
    for k in range(n + warm_up):
        (value, slope), p = gradient(q), rng.normal(size=q.size)
        energy, left = value - p @ p / 2, (q, p, slope)
        right, weight, depth, going = left, 0.0, 0, True
        while going and depth < 8:
            stride = rng.choice([-step, step])
            end = right if stride > 0 else left
            low, high, drawn, more, going, accepted = tree(
                gradient, end, stride, depth, energy, rng
            )
            left, right = (left, high) if stride > 0 else (low, right)
            if going and np.log(rng.random()) < more - weight:
                q = drawn[0]
            weight, depth = np.logaddexp(weight, more), depth + 1
            going = going and not turns(left, right)
        if k < warm_up:
            bias += (aim - accepted[0] / accepted[1] - bias) / (k + 10)
            log_step = middle - np.sqrt(k + 1) / 0.05 * bias
            smooth += (k + 1) ** -0.75 * (log_step - smooth)
            step = np.exp(log_step if k < warm_up - 1 else smooth)
        else:
            chain[k - warm_up] = q
    return chain, step


def solve():
    f, rng = rg.value_and_grad(log_density), np.random.default_rng(3)
    chain, step = sample(lambda q: f(q, EFFECTS, ERRORS), np.zeros(10), 900, 300, rng)
    schools = chain[:, :1] + np.exp(chain[:, 1:2]) * chain[:, 2:]
    return {"chain": chain, "step": step, "schools": schools}


def draw(fig, found):
    left, right = fig.subplots(1, 2)
    left.plot(found["schools"][:, 0], found["chain"][:, 1], ".", ms=2, color="C5", rasterized=True)
    left.set(xlabel="effect in the first school", ylabel="log of the spread", title="the funnel")
    right.errorbar(EFFECTS, range(8), xerr=ERRORS, fmt="o", color="C7", label="measured")
    right.plot(found["schools"].mean(axis=0), range(8), "*", ms=9, color="C1", label="pooled")
    right.set(xlabel="effect", ylabel="school", title="what is believed")
    right.legend()


if __name__ == "__main__":
    print("effects", solve()["schools"].mean(axis=0).round(1))
