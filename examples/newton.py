"""The derivative of a while loop: Newton's iteration for Kepler's equation."""
# mypy: allow-untyped-defs, allow-untyped-calls

import math

import retrograd as rg


def anomaly(eccentricity, mean_anomaly):
    """The E of E - e sin E = M: where on its ellipse a planet is."""
    e = mean_anomaly
    step = 1.0
    while abs(step) > 1e-12:
        step = (e - eccentricity * math.sin(e) - mean_anomaly) / (1 - eccentricity * math.cos(e))
        e = e - step
    return e


def by_the_implicit_theorem(eccentricity, mean_anomaly):
    """dE/de and dE/dM from the equation itself."""
    e = anomaly(eccentricity, mean_anomaly)
    slope = 1 - eccentricity * math.cos(e)
    return math.sin(e) / slope, 1 / slope


def main():
    """Both derivatives, through the loop and by the implicit function theorem."""
    gradient = rg.grad(anomaly, wrt=("eccentricity", "mean_anomaly"))
    print("   e     M        E      dE/de    dE/dM   difference")
    for eccentricity in (0.0167, 0.2056, 0.6):
        for mean_anomaly in (0.5, 2.0):
            through = gradient(eccentricity, mean_anomaly)
            exact = by_the_implicit_theorem(eccentricity, mean_anomaly)
            worst = max(abs(a - b) for a, b in zip(through, exact, strict=True))
            e = anomaly(eccentricity, mean_anomaly)
            print(f"{eccentricity:.4f}  {mean_anomaly:.1f}  {e:.6f}", end="  ")
            print(f"{through[0]:.5f}  {through[1]:.5f}   {worst:.1e}")


if __name__ == "__main__":
    main()
