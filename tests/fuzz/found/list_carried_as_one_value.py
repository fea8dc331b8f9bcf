"""A list that a first loop carries item by item is one value in a second."""

class Box:
    def __init__(self, start):
        self.items = [start]

    def add(self, v):
        self.items.append(v)


def main(x, rows):
    box = Box(0.355)
    for row in [rows, rows]:
        box.add(x)
    k = 0
    while True:
        k += 1
        if k:
            break
        box.add(-0.6)
    return box.items[0] * x * rows[0]


ARGS = (0.923, [-0.588, -1.166])
WRT = (0, 1)
