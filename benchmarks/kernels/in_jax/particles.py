"""Particles: pairs by broadcasting, whatever the NumPy text does."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def differences(pos):
    return pos[None, :, :] - pos[:, None, :]


def acceleration(pos, mass, G, softening):
    d = differences(pos)
    inv_r3 = (jnp.sum(d**2, axis=2) + softening**2) ** (-1.5)
    return G * jnp.einsum("ijk,ij,j->ik", d, inv_r3, mass[:, 0])


def energies(pos, vel, mass, G):
    r2 = jnp.sum(differences(pos) ** 2, axis=2) + jnp.eye(len(pos))
    potential = G * jnp.sum(jnp.triu(-(mass * mass.T) / jnp.sqrt(r2), 1))
    return 0.5 * jnp.sum(mass * vel**2) + potential


def nbody(mass, pos, vel, steps):
    dt, G, softening = 0.01, 1.0, 0.1
    vel = vel - jnp.mean(mass * vel, axis=0) / jnp.mean(mass)
    acc = acceleration(pos, mass, G, softening)

    def step(_, state):
        pos, vel, acc, energy = state
        vel = vel + acc * dt / 2.0
        pos = pos + vel * dt
        acc = acceleration(pos, mass, G, softening)
        vel = vel + acc * dt / 2.0
        return pos, vel, acc, energy + energies(pos, vel, mass, G)

    start = (pos, vel, acc, energies(pos, vel, mass, G))
    pos, vel, _, energy = lax.fori_loop(0, steps, step, start)
    return energy + jnp.sum(pos) + jnp.sum(vel)


def lennard_jones(positions, box):
    cutoff = 0.45 * box
    d = positions[:, None, :] - positions[None, :, :]
    d = d - box * jnp.round(d / box)
    n = len(positions)
    r2 = jnp.sum(d * d, axis=2) + jnp.eye(n)
    near = (r2 < cutoff * cutoff) & ~jnp.eye(n, dtype=bool)
    s6 = jnp.where(near, 1.0 / r2**3, 0.0)
    forces = jnp.sum((24.0 * s6 * (2.0 * s6 - 1.0) / r2)[:, :, None] * d, axis=1)
    return 0.5 * jnp.sum(4.0 * s6 * (s6 - 1.0)) + jnp.sum(forces)


def springs(pos, vel, ends, lengths, stiffness, steps):
    dt = 0.01

    def step(_, state):
        pos, vel = state
        d = pos[ends[:, 1]] - pos[ends[:, 0]]
        r = jnp.sqrt(jnp.sum(d * d, axis=1))
        f = (stiffness * (r - lengths) / r)[:, None] * d
        force = jnp.zeros_like(pos).at[ends[:, 0]].add(f).at[ends[:, 1]].add(-f)
        vel = (vel + dt * force) * 0.999
        return pos + dt * vel, vel

    pos, vel = lax.fori_loop(0, steps, step, (pos, vel))
    return jnp.sum(pos) + jnp.sum(vel)
