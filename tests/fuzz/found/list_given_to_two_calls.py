"""The adjoints of a list of unknown type, of two calls, are added item by item."""

def part(d):
    total = d[0] * d[1]
    for _ in range(2):
        total = total * d[0]
    return total

def main(d):
    return part(d) + part(d) * d[1]

ARGS = ([0.7, -1.332],)
WRT = (0,)
