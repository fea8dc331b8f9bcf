"""Predator and prey: parameters of a differential equation, fitted through its integrator."""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg

START, STEP = np.array([1.0, 1.0]), 0.1


def velocity(state, p):
    """Lotka-Volterra: prey grow and are eaten, predators eat and starve."""
    met = state[0] * state[1]
    return np.stack([p[0] * state[0] - p[1] * met, p[2] * met - p[3] * state[1]])


def advance(state, p, h):
    """One classical Runge-Kutta step."""
    k1 = velocity(state, p)
    k2 = velocity(state + h / 2 * k1, p)
    k3 = velocity(state + h / 2 * k2, p)
    k4 = velocity(state + h * k3, p)
    return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def loss(p, start, seen, h):
    """Mean squared distance between the orbit and what was seen of it."""
    state = start
    total = 0.0
    for k in range(seen.shape[0]):
        state = advance(state, p, h)
        total = total + np.sum((state - seen[k]) ** 2)
    return total / seen.shape[0]


def orbit(p, steps):
    """The states after each step."""
    states = [START]
    while len(states) <= steps:
        states.append(advance(states[-1], p, STEP))
    return np.stack(states[1:])


def main():
    """Adam, from a guess to the parameters the orbit was made with."""
    truth, p = np.array([1.5, 1.0, 1.0, 3.0]), np.array([1.2, 0.8, 1.2, 2.6])
    seen, m, v = orbit(truth, 40), np.zeros(4), np.zeros(4)
    value_and_grad = rg.value_and_grad(loss)
    for k in range(1, 302):
        value, g = value_and_grad(p, START, seen, STEP)
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
        p = p - 0.02 * (m / (1 - 0.9**k)) / (np.sqrt(v / (1 - 0.99**k)) + 1e-9)
        if k % 100 == 1:
            print(f"step {k - 1:3d}  loss {value:.6f}  p = {np.round(p, 3)}")
    print("made with p =", truth)


if __name__ == "__main__":
    main()
