"""A pendulum, swung up by a weak motor

The motor cannot lift the pendulum at once: it has to swing it up. The torques of 120 time steps are found by descending
the cost through the simulation, as model predictive control does in every cycle.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import minimize

import retrograd as rg

STEP, LIMIT = 0.05, 4.0


def swing(torques, damping=0.1):
    """Angle (from hanging) and speed at every step, by symplectic Euler steps."""
    path = np.zeros((torques.size + 1, 2))
    angle, speed = 0.0, 0.0
    for k in range(torques.size):
        speed += STEP * (torques[k] - damping * speed - 9.81 * np.sin(angle))
        angle += STEP * speed
        path[k + 1] = angle, speed
    return path


def cost(z):
    torques = LIMIT * np.tanh(z)
    path = swing(torques)
    end = (path[-1, 0] - np.pi) ** 2 + 0.1 * path[-1, 1] ** 2
    return 100 * end + STEP * np.sum(torques**2)


def solve():
    start = 0.3 * np.sin(3.0 * STEP * np.arange(120))
    found = minimize(
        rg.value_and_grad(cost), start, jac=True, method="L-BFGS-B", options={"maxiter": 150}
    )
    torques = LIMIT * np.tanh(found.x)
    return {"torques": torques, "path": swing(torques), "z": found.x}


def draw(fig, found):
    above, below = fig.subplots(2, 1, sharex=True)
    time = STEP * np.arange(len(found["path"]))
    above.plot(time, np.degrees(found["path"][:, 0]))
    above.axhline(180, ls="--", lw=1, color="C7")
    above.set(ylabel="angle (degrees)", title="the angle: 180 is upright")
    below.step(time[:-1], found["torques"], where="post", color="C1")
    below.axhline(LIMIT, ls="--", lw=1, color="C7")
    below.axhline(-LIMIT, ls="--", lw=1, color="C7")
    below.set(xlabel="time (s)", ylabel="torque (N m)", title="the motor, within its limits")


if __name__ == "__main__":
    end = solve()["path"][-1]
    print("angle", np.degrees(end[0]).round(1), "degrees, speed", end[1].round(3))
