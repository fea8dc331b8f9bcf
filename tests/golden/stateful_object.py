"""Momentum kept on an object of the caller's: it is written to when all else is done."""
# differentiate: descend wrt x


class Optimizer:
    def __init__(self):
        self.rate = 0.1
        self.velocity = 0.0
        self.steps = 0

    def move(self, x, slope):
        self.velocity = 0.9 * self.velocity - self.rate * slope
        self.steps += 1
        return x + self.velocity


def descend(x, optimizer):
    for _ in range(3):
        x = optimizer.move(x, 2 * x)
    return x * x


def arguments():
    return 1.5, Optimizer()


# output
"""Derivative of `descend` in stateful_object.py: reverse mode, with respect to x.

For arguments x: float, optimizer: Optimizer.

Written by retrograd 0.2.0 (source b8d154ee). Change the function, not this file.
"""


def move_fwd(self_rate, self_velocity, self_steps, x, slope):
    velocity = 0.9 * self_velocity - self_rate * slope
    steps = self_steps + 1
    saved = (self_rate,)
    return velocity, steps, x + velocity, saved


def move_rev(saved, result, result_2):
    (self_rate,) = saved
    # `return x + self.velocity`
    velocity_bar = result + result_2
    # `self.velocity = 0.9 * self.velocity - self.rate * slope`
    slope_bar = -(self_rate * velocity_bar)
    self_velocity_bar = 0.9 * velocity_bar
    return self_velocity_bar, result_2, slope_bar


def descend_grad(x, optimizer):
    # forward
    rate = optimizer.rate
    velocity = optimizer.velocity
    steps = optimizer.steps
    tape = []
    for _ in range(3):
        velocity, steps, x, move_saved = move_fwd(rate, velocity, steps, x, 2 * x)
        tape.append(move_saved)
    # backward
    # `return x * x`
    x_bar = 2.0 * x
    velocity_bar = 0.0
    for move_saved in reversed(tape):
        # `x = optimizer.move(x, 2 * x)`
        velocity_bar, x_bar, mul_bar = move_rev(move_saved, velocity_bar, x_bar)
        x_bar += 2 * mul_bar
    optimizer.velocity = velocity
    optimizer.steps = steps
    return x_bar
