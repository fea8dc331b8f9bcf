"""Tuple unpacking and a swap without a temporary."""
# differentiate: weave wrt a, b


def weave(a, b, steps):
    for _ in range(steps):
        a, b = b, a + 0.5 * a * b
    (c, d), e = (a, b), a * b
    c, d = d, c
    return c * c - d + e


def arguments():
    return 0.3, 0.7, 5
