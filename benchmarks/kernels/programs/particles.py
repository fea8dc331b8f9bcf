"""Particles: masses by broadcasting and by loops over pairs, walkers, cells."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def acceleration(pos, mass, G, softening):
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    return np.hstack((ax, ay, az))


def energies(pos, vel, mass, G):
    kinetic = 0.5 * np.sum(mass * vel**2)
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2 + np.eye(len(pos)))
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    potential = G * np.sum(np.triu(-(mass * mass.T) * inv_r, 1))
    return kinetic, potential


def nbody(mass, pos, vel, steps, dt, G, softening):
    """Leapfrog; the energies of each step."""
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = acceleration(pos, mass, G, softening)
    kinetic = np.empty(steps + 1)
    potential = np.empty(steps + 1)
    kinetic[0], potential[0] = energies(pos, vel, mass, G)
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = acceleration(pos, mass, G, softening)
        vel += acc * dt / 2.0
        kinetic[i + 1], potential[i + 1] = energies(pos, vel, mass, G)
    return kinetic, potential


def nbody_loss(mass, pos, vel, steps):
    kinetic, potential = nbody(mass, pos, vel, steps, 0.01, 1.0, 0.1)
    return total(kinetic) + total(potential) + total(pos) + total(vel)


def nbody_arguments(rng, n, steps):
    return 20.0 * np.ones((n, 1)) / n, rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), steps


def lennard_jones(positions, box, cutoff):
    """Energy and forces of the pairs that are near, in a periodic box, pair by pair."""
    forces = np.zeros_like(positions)
    energy = 0.0
    for i in range(positions.shape[0]):
        for j in range(i + 1, positions.shape[0]):
            d = positions[i] - positions[j]
            d = d - box * np.round(d / box)
            r2 = np.dot(d, d)
            if r2 < cutoff * cutoff:
                s6 = 1.0 / r2**3
                energy += 4.0 * s6 * (s6 - 1.0)
                push = 24.0 * s6 * (2.0 * s6 - 1.0) / r2 * d
                forces[i] += push
                forces[j] -= push
    return energy, forces


def lennard_jones_loss(positions, box):
    energy, forces = lennard_jones(positions, box, 0.45 * box)
    return energy + total(forces)


def lennard_jones_arguments(rng, n):
    side = int(np.ceil(n ** (1 / 3)))
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)[:n]
    return 1.2 * grid + 0.1 * rng.normal(size=(n, 3)), 1.2 * side


def springs(pos, vel, ends, lengths, stiffness, steps, dt):
    """Masses and springs: forces gathered from both ends of each, added where they act."""
    for _ in range(steps):
        d = pos[ends[:, 1]] - pos[ends[:, 0]]
        r = np.sqrt(np.sum(d * d, axis=1))
        f = (stiffness * (r - lengths) / r)[:, None] * d
        force = np.zeros_like(pos)
        np.add.at(force, ends[:, 0], f)
        np.subtract.at(force, ends[:, 1], f)
        vel += dt * force
        vel *= 0.999
        pos += dt * vel


def springs_loss(pos, vel, ends, lengths, stiffness, steps):
    springs(pos, vel, ends, lengths, stiffness, steps, 0.01)
    return total(pos) + total(vel)


def springs_arguments(rng, n, steps):
    ends = np.stack([np.arange(2 * n) % n, (np.arange(2 * n) + 1 + np.arange(2 * n) // n) % n], 1)
    pos, vel = 3 * rng.normal(size=(n, 2)), rng.normal(size=(n, 2))
    return pos, vel, ends, rng.uniform(0.5, 1.5, 2 * n), rng.uniform(1.0, 2.0, 2 * n), steps


KERNELS = (
    Kernel(
        nbody_loss,
        nbody_arguments,
        wrt=(0, 1, 2),
        written=(1, 2),
        sizes=((4, 2), (16, 10), (80, 30)),
    ),
    Kernel(
        lennard_jones_loss,
        lennard_jones_arguments,
        wrt=(0, 1),
        sizes=((6,), (20,), (60,)),
        kinks=True,
    ),
    Kernel(
        springs_loss,
        springs_arguments,
        wrt=(0, 1, 3, 4),
        written=(0, 1),
        sizes=((5, 3), (40, 20), (1_000, 60)),
    ),
)
