"""Every augmented assignment, on scalars."""
# differentiate: mixed wrt x, y


def mixed(x, y):
    z = x
    z += y
    z *= x
    z -= y * y
    z /= 1 + x * x
    z **= 2
    return z


def arguments():
    return 1.7, 0.6
