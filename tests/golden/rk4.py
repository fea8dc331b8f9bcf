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


# output
"""Derivative of `final_prey` in rk4.py: reverse mode, with respect to prey, predators,
a and b.

For arguments prey: float, predators: float, a: float, b: float, h: float, steps: int.

Written by retrograd 0.2.0 (source 266a9311). Change the function, not this file.
"""


def final_prey_grad(prey, predators, a, b, h, steps):
    # forward
    ratio = h / 2
    ratio_2 = h / 6
    x = prey
    y = predators
    tape = []
    for _ in range(steps):
        x_y = x * y
        k1 = a * x - x_y
        l1 = x_y - b * y
        total = x + ratio * k1
        total_2 = y + ratio * l1
        product = total * total_2
        k2 = a * total - product
        l2 = product - b * total_2
        total_3 = x + ratio * k2
        total_4 = y + ratio * l2
        product_2 = total_3 * total_4
        k3 = a * total_3 - product_2
        l3 = product_2 - b * total_4
        total_5 = x + h * k3
        total_6 = y + h * l3
        tape.append((y, x, total, total_2, total_3, total_4, total_5, total_6))
        product_3 = total_5 * total_6
        k4 = a * total_5 - product_3
        l4 = product_3 - b * total_6
        x += ratio_2 * (k1 + 2 * k2 + 2 * k3 + k4)
        y += ratio_2 * (l1 + 2 * l2 + 2 * l3 + l4)
    # backward
    x_bar = 1.0
    y_bar = b_bar = a_bar = 0.0
    for y, x, total, total_2, total_3, total_4, total_5, total_6 in reversed(tape):
        # `y = y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)`
        add_bar = ratio_2 * y_bar
        l3_bar = 2 * add_bar
        # `x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)`
        add_bar_2 = ratio_2 * x_bar
        k3_bar = 2 * add_bar_2
        # `k4, l4 = velocity(x + h * k3, y + h * l3, a, b)`
        mul_bar = ratio_2 * (y_bar - x_bar)
        add_bar_3 = total_5 * mul_bar - b * add_bar
        add_bar_4 = mul_bar * total_6 + a * add_bar_2
        l3_bar_2 = l3_bar + h * add_bar_3
        k3_bar_2 = k3_bar + h * add_bar_4
        # `k3, l3 = velocity(x + h / 2 * k2, y + h / 2 * l2, a, b)`
        mul_bar_2 = l3_bar_2 - k3_bar_2
        add_bar_5 = total_3 * mul_bar_2 - b * l3_bar_2
        add_bar_6 = mul_bar_2 * total_4 + a * k3_bar_2
        l2_bar = l3_bar + ratio * add_bar_5
        k2_bar = k3_bar + ratio * add_bar_6
        # `k2, l2 = velocity(x + h / 2 * k1, y + h / 2 * l1, a, b)`
        b_bar = b_bar - add_bar * total_6 - l3_bar_2 * total_4 - l2_bar * total_2
        mul_bar_3 = l2_bar - k2_bar
        add_bar_7 = total * mul_bar_3 - b * l2_bar
        add_bar_8 = mul_bar_3 * total_2 + a * k2_bar
        a_bar = a_bar + add_bar_2 * total_5 + k3_bar_2 * total_3 + k2_bar * total
        l1_bar = add_bar + ratio * add_bar_7
        k1_bar = add_bar_2 + ratio * add_bar_8
        # `k1, l1 = velocity(x, y, a, b)`
        b_bar -= l1_bar * y
        mul_bar_4 = l1_bar - k1_bar
        y_bar = y_bar + add_bar_3 + add_bar_5 + add_bar_7 - b * l1_bar + x * mul_bar_4
        x_bar = x_bar + add_bar_4 + add_bar_6 + add_bar_8 + mul_bar_4 * y + a * k1_bar
        a_bar += k1_bar * x
    return x_bar, y_bar, a_bar, b_bar
