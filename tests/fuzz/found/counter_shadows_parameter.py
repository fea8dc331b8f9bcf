"""The counter of a loop with `break` took the name of the bound it counts to."""


def main(x, n):
    t = 0.0
    for _ in range(n):
        if t > 5.0:
            break
        t += x * x
    return t


ARGS = (0.7, 3)
WRT = (0,)
