"""A while loop that runs until it has converged: Newton's iteration for a cube root."""
# differentiate: cube_root wrt a


def cube_root(a):
    x = a
    while abs(x * x * x - a) > 1e-12 * a:
        x = x - (x * x * x - a) / (3 * x * x)
    return x


def arguments():
    return (5.0,)
