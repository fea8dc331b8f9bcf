"""Second order added the adjoints of an early result on a path where there is none."""

import numpy as np


def main(stop, part, w=0.89):
    grad = max((w + 0.422 for j in range(2)))
    j = (2,)
    match len:
        case 1 | 2:
            pass
        case 2:
            pass
        case _:
            try:
                pass
            except ValueError as error:
                return np.linalg.norm(
                    np.diag(grad * np.linspace(-1.0, 1.446, 36).reshape((6, 6))) + 2.5 * np.ones(6)
                )
            else:
                pass
            finally:
                print("done")
    for yi, t in zip(j, j):
        if grad < -0.84:
            return np.hypot(w, yi)
    else:
        pass
    return 0.5


ARGS = (
    (np.array([-1.361, 1.017]).reshape((2, 1)), np.array([-0.808, -0.851, -0.19])),
    {
        "w": np.array([-1.293, -0.69]).reshape((1, 2)),
        "b": np.array([-0.431, -0.978, 1.478, -0.171, 0.302, 0.133]).reshape((3, 2)),
    },
    -0.979,
)
WRT = (0, 1, 2)
