"""Particles are moved, weighed and (with the indices given) resampled."""
# differentiate: evidence wrt drift, sigma

import numpy as np


def evidence(drift, sigma, particles, noise, ancestors, observed):
    total = 0.0
    for t in range(len(observed)):
        particles = particles + drift * np.sin(particles) + sigma * noise[t]
        weights = np.exp(-0.5 * (observed[t] - particles) ** 2)
        total += np.log(np.mean(weights))
        particles = particles[ancestors[t]]
    return total


def arguments():
    rng = np.random.default_rng(13)
    noise, ancestors = rng.normal(size=(3, 5)), rng.integers(0, 5, size=(3, 5))
    return 0.3, 0.5, rng.normal(size=5), noise, ancestors, rng.normal(size=3)


# output
"""Derivative of `evidence` in particle_filter.py: reverse mode, with respect to drift
and sigma.

For arguments drift: float, sigma: float, particles: f8[particles_0], noise: f8[noise_0,
noise_1], ancestors: i8[ancestors_0, ancestors_1], observed: f8[observed_0].

Written by retrograd 0.2.0 (source 741b8528). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def evidence_grad(drift, sigma, particles, noise, ancestors, observed):
    # forward
    tape = []
    for t in range(len(observed)):
        particles_prev = particles
        sin_particles = np.sin(particles)
        particles = particles + drift * sin_particles + sigma * noise[t]
        weights = np.exp(-0.5 * (observed[t] - particles) ** 2)
        tape.append(
            (particles_prev, sin_particles, particles, weights, np.mean(weights))
        )
        particles = particles[ancestors[t]]
    # backward
    particles_bar = np.zeros(particles.shape)
    sigma_bar = drift_bar = 0.0
    for t, (particles_prev, sin_particles, particles, weights, mean_weights) in zip(
        reversed(range(len(observed))), reversed(tape)
    ):
        # `particles = particles[ancestors[t]]`
        particles_bar_2 = np.zeros(particles.shape)
        particles_bar_2 = rt.index_add(particles_bar_2, ancestors[t], particles_bar)
        # `weights = np.exp(-0.5 * (observed[t] - particles) ** 2)`
        mul_bar = weights * (1.0 / mean_weights / weights.size)
        particles_bar = particles_bar_2 - (particles - observed[t]) * mul_bar
        # `particles = particles + drift * np.sin(particles) + sigma * noise[t]`
        sigma_bar += np.sum(particles_bar * noise[t])
        drift_bar += np.sum(particles_bar * sin_particles)
        particles_bar = particles_bar + np.cos(particles_prev) * (drift * particles_bar)
    return float(drift_bar), float(sigma_bar)
