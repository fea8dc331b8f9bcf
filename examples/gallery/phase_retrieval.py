"""Phases that no detector sees

A detector counts photons: of the Fourier transform of an object it sees the magnitude, never the phase. With
four known masks before the object the phases can be found again, by descending a function of complex unknowns: their gradient
is `du + i dv` for `u + i v`, the direction of steepest ascent.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg


def misfit(z, masks, magnitudes):
    """How far the magnitudes are from what was seen, over all masks."""
    spectra = np.fft.fft2(masks * z, norm="ortho")
    return np.sum((np.abs(spectra) - magnitudes) ** 2) / 2


def scene(n=48):
    """A lens-shaped phase object: transparent, but bending the light."""
    y, x = np.mgrid[0:n, 0:n] / n - 0.5
    amplitude = 0.3 + 0.7 * (x**2 + y**2 < 0.17)
    return amplitude * np.exp(1j * (9 * (x**2 + y**2) + 1.2 * np.sin(14 * x) * (y > 0)))


def solve():
    rng = np.random.default_rng(6)
    truth = scene()
    masks = np.exp(2j * np.pi * rng.random((4, *truth.shape)))
    magnitudes = np.abs(np.fft.fft2(masks * truth, norm="ortho"))
    gradient = rg.value_and_grad(misfit)
    z, costs = np.full(truth.shape, 0.5 + 0.0j), []
    for _ in range(150):
        value, g = gradient(z, masks, magnitudes)
        costs.append(value)
        z = z - g / len(masks)
    turn = np.vdot(z, truth)
    return {"truth": truth, "z": z * turn / abs(turn), "costs": costs, "masks": masks}


def draw(fig, found):
    first, second, third = fig.subplots(1, 3)
    for axes, name, z in (first, "true phase", found["truth"]), (second, "found phase", found["z"]):
        axes.imshow(np.angle(z), cmap="twilight", vmin=-np.pi, vmax=np.pi, interpolation="none")
        axes.set(title=name, xticks=[], yticks=[])
    third.semilogy(found["costs"])
    third.set(xlabel="step", title="misfit")


if __name__ == "__main__":
    found = solve()
    error = np.linalg.norm(found["z"] - found["truth"]) / np.linalg.norm(found["truth"])
    print("misfit", f"{found['costs'][-1]:.1e}", "relative error", f"{error:.1e}")
