"""A call of a closure: its cells are no part of a dictionary key."""


def make(c):
    def inner(u):
        return c * u * u

    return inner


scaled = make(0.8)


def main(x):
    return scaled(x) + scaled(2.0 * x)


ARGS = (0.7,)
WRT = (0,)
