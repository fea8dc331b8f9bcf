"""`reversed(range(n))` and `zip` with a range had no length."""


def main(x, n):
    t = 0.0
    for k in reversed(range(n)):
        t = t * x + k
    for k, j in zip(range(1, 9), range(n, 0, -1), strict=False):
        t += k * j * x
    return t


ARGS = (0.7, 3)
WRT = (0,)
