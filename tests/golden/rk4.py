"""A Runge-Kutta integrator on scalars; its right-hand side is a helper called four times."""
# differentiate: final_prey wrt prey, predators, a, b
# sig: prey: float, predators: float, a: float, b: float, h: float, steps: int


def velocity(x, y, a, b):
    return a * x - x * y, x * y - b * y


def final_prey(prey, predators, a, b, h, steps):
    x, y = prey, predators
    for _ in range(steps):
        k1, l1 = velocity(x, y, a, b)
        k2, l2 = velocity(x + h / 2 * k1, y + h / 2 * l1, a, b)
        k3, l3 = velocity(x + h / 2 * k2, y + h / 2 * l2, a, b)
        k4, l4 = velocity(x + h * k3, y + h * l3, a, b)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        y = y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return x


def arguments():
    return 1.0, 0.5, 1.5, 1.0, 0.1, 10
