"""A wave in a potential by split steps: Fourier transforms in a loop, complex phases, a real gradient."""
# differentiate: spread wrt v

import numpy as np


def spread(v, steps):
    x = np.linspace(0.0, 1.0, v.shape[0], endpoint=False)
    k = np.fft.fftfreq(v.shape[0], d=1 / v.shape[0])
    kinetic = np.exp(-0.001j * k**2)
    potential = np.exp(-0.1j * v)
    psi = np.exp(2j * np.pi * x)
    for _ in range(steps):
        psi = np.fft.ifft(kinetic * np.fft.fft(potential * psi))
    return np.sum(np.abs(psi) ** 4)


def arguments():
    return np.cos(np.arange(8.0)), 3


# output
"""Derivative of `spread` in split_step.py: reverse mode, with respect to v.

For arguments v: f8[v_0], steps: int.

Written by retrograd 0.2.0 (source ef677710). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def spread_grad(v, steps):
    # forward
    x = np.linspace(0.0, 1.0, v.shape[0], endpoint=False)
    k = np.fft.fftfreq(v.shape[0], d=1 / v.shape[0])
    kinetic = np.exp(-0.001j * k**2)
    potential = np.exp(-0.1j * v)
    psi = np.exp(2j * np.pi * x)
    tape = []
    for _ in range(steps):
        tape.append(psi)
        psi = np.fft.ifft(kinetic * np.fft.fft(potential * psi))
    # backward
    # `return np.sum(np.abs(psi) ** 4)`
    psi_bar = rt.sign(psi) * (4.0 * np.abs(psi) ** 3)
    potential_bar = np.zeros_like(potential)
    for psi in reversed(tape):
        # `psi = np.fft.ifft(kinetic * np.fft.fft(potential * psi))`
        fft_bar = np.conj(kinetic) * np.fft.fft(psi_bar, norm="forward")
        mul_bar = np.fft.ifft(fft_bar, norm="forward")
        psi_bar = np.conj(potential) * mul_bar
        potential_bar += mul_bar * np.conj(psi)
    # `potential = np.exp(-0.1j * v)`
    v_bar = rt.unbroadcast(0.1j * (np.conj(potential) * potential_bar), v)
    v_bar = rt.copy(v_bar)
    return v_bar
