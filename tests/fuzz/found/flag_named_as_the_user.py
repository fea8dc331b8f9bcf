"""The flag that ends a loop is read after the loop's variables have their next values: not one name for both."""

SCALE = 0.692


def main(factor, stop):
    for k in range(3):
        stop *= factor
        if SCALE**2 > 0.591:
            if SCALE:
                return stop
        else:
            print("value", k)
        factor += factor
    return 2.0


ARGS = (-1.144, 0.196)
WRT = (0, 1)
