"""A function that calls itself: power by halving the exponent."""
# differentiate: power wrt x


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * x


def arguments():
    return 1.1, 13
