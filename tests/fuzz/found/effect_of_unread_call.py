"""A callee whose result nobody reads still prints, once and in order."""


def helper0(total):
    print("total", total)
    return total * 2.0


def main(x):
    helper0(x)
    y = helper0(x * x)
    print("y", x)
    return y + helper0(x)


ARGS = (0.061,)
WRT = (0,)
