"""The negated difference in `-(y - y) * -y` is an adjoint as well, and keeps the sign of its zero."""


def main(x, y):
    y = y - x
    return -(y - y) * -y


ARGS = (-0.126, 1.379)
WRT = (0, 1)
