"""A sum that breaks off when its terms become small."""
# differentiate: series wrt x


def series(x, tolerance):
    total = 0.0
    term = 1.0
    for k in range(1, 100):
        total += term
        term = term * x / k
        if abs(term) < tolerance:
            break
    return total


def arguments():
    return 0.7, 1e-9
