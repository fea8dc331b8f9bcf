"""What a relative import inside a function finds."""


def squared(x):
    return x * x
