"""Forward mode through a loop and a branch needs no tape."""
# differentiate: collatz_like wrt x
# mode: forward


def collatz_like(x, steps):
    for k in range(steps):
        if k % 2 == 0:
            x = 0.5 * x * x
        else:
            x = 3 * x + 1
    return x


def arguments():
    return 0.9, 4
