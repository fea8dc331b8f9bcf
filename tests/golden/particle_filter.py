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
"""Derivative of `evidence` in particle_filter.py, line 7: reverse mode, with respect to
drift and sigma.

For arguments drift: float, sigma: float, particles: f8[particles_0], noise: f8[noise_0,
noise_1], ancestors: i8[ancestors_0, ancestors_1], observed: f8[observed_0].

Written by retrograd 0.1.0 (source 741b8528). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def evidence_grad(drift, sigma, particles, noise, ancestors, observed):
    # forward
    observed_length = len(observed)  # line 9
    tape = []
    for t in range(observed_length):  # line 9
        sin_particles = np.sin(particles)      # line 10
        particles_2 = particles + drift * sin_particles + sigma * noise[t]
        weights = np.exp(-0.5 * (observed[t] - particles_2) ** 2)  # line 11
        tape.append(
            (
                particles,
                sin_particles,
                particles_2,
                weights,
                np.add.reduce(weights) / weights.size,
            )
        )
        particles = particles_2[ancestors[t]]  # line 13
    # backward
    particles_bar = np.zeros(particles.shape)  # line 9
    sigma_bar = 0.0
    drift_bar = 0.0
    for t, (particles, sin_particles, particles_2, weights, mean_weights) in zip(
        reversed(range(observed_length)), reversed(tape)
    ):
        particles_bar_2 = np.zeros(particles_2.shape)  # line 13
        particles_bar_2 = rt.index_add(particles_bar_2, ancestors[t], particles_bar)
        sub_bar = (particles_2 - observed[t]) * (
            weights * (1.0 / mean_weights / weights.size)
        )                                              # line 11
        particles_bar = particles_bar_2 - sub_bar
        sigma_bar = sigma_bar + np.add.reduce(particles_bar * noise[t])  # line 10
        drift_bar = drift_bar + np.add.reduce(particles_bar * sin_particles)
        particles_bar = particles_bar + np.cos(particles) * (drift * particles_bar)
    drift_bar = float(drift_bar)
    sigma_bar = float(sigma_bar)
    return drift_bar, sigma_bar
