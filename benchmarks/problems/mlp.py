"""A perceptron with tanh and softmax cross-entropy: batch, inputs, two layers as wide, classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized
from retrograd import stop_gradient


def loss(w1, b1, w2, b2, w3, b3, x, y):  # type: ignore[no-untyped-def]
    h1 = np.tanh(x @ w1 + b1)
    h2 = np.tanh(h1 @ w2 + b2)
    z = h2 @ w3 + b3
    z = z - stop_gradient(np.max(z, axis=1, keepdims=True))
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.sum(y * log_p) / x.shape[0]


def arguments(seed: int, batch: int, inputs: int, width: int, classes: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    params: list[Any] = []
    for m, n in ((inputs, width), (width, width), (width, classes)):
        params += [rng.normal(size=(m, n)) / np.sqrt(m), 0.1 * rng.normal(size=n)]
    x = rng.normal(size=(batch, inputs))
    return (*params, x, np.eye(classes)[rng.integers(0, classes, batch)])


def hand_written(
    w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any, x: Any, y: Any
) -> tuple[Any, tuple[Any, ...]]:
    add = np.add.reduce
    h1 = np.tanh(x @ w1 + b1)
    h2 = np.tanh(h1 @ w2 + b2)
    z = h2 @ w3 + b3
    z = z - np.maximum.reduce(z, axis=1, keepdims=True)
    e = np.exp(z)
    s = add(e, axis=1, keepdims=True)
    value = -add(y * (z - np.log(s)), axis=None) / x.shape[0]
    log_p_bar = y * (-1 / x.shape[0])
    z_bar = log_p_bar - e * (add(log_p_bar, axis=1, keepdims=True) / s)
    a2_bar = (1 - h2 * h2) * (z_bar @ w3.T)
    a1_bar = (1 - h1 * h1) * (a2_bar @ w2.T)
    return value, (
        *(x.T @ a1_bar, add(a1_bar)),
        *(h1.T @ a2_bar, add(a2_bar)),
        *(h2.T @ z_bar, add(z_bar)),
    )


def hand_tuned(
    w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any, x: Any, y: Any
) -> tuple[Any, tuple[Any, ...]]:
    h1 = layer(x, w1, b1)
    h2 = layer(h1, w2, b2)
    z = h2.dot(w3)
    z += b3
    z -= np.maximum.reduce(z, 1, keepdims=True)
    e = np.exp(z)
    s = np.add.reduce(e, 1, keepdims=True)
    z -= np.log(s)
    value = -np.vdot(y, z) / x.shape[0]
    e /= s
    e -= y
    e /= x.shape[0]
    a2_bar = through_tanh(e.dot(w3.T), h2)
    a1_bar = through_tanh(a2_bar.dot(w2.T), h1)
    add = np.add.reduce
    return value, (
        *(x.T.dot(a1_bar), add(a1_bar)),
        *(h1.T.dot(a2_bar), add(a2_bar)),
        *(h2.T.dot(e), add(e)),
    )


def layer(x: Any, w: Any, b: Any) -> Any:
    h = x.dot(w)
    h += b
    return np.tanh(h, h)


def through_tanh(h_bar: Any, h: Any) -> Any:
    slope = h * h
    np.subtract(1, slope, slope)
    slope *= h_bar
    return slope


def in_autograd() -> Any:
    return over(peer("autograd.numpy"), loss)


def in_jax() -> Any:
    return over(peer("jax.numpy"), loss)


def in_torch() -> Any:
    torch = peer("torch")

    def loss(w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any, x: Any, y: Any) -> Any:
        h1 = torch.tanh(torch.addmm(b1, x, w1))
        h2 = torch.tanh(torch.addmm(b2, h1, w2))
        log_p = torch.log_softmax(torch.addmm(b3, h2, w3), dim=1)
        return -(y * log_p).sum() / x.shape[0]

    return loss


PROBLEMS = sized(
    Problem(
        name="mlp",
        function=loss,
        wrt=(0, 1, 2, 3, 4, 5),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
    ),
    tiny=(5, 4, 8, 3),
    small=(32, 32, 64, 10),
    large=(256, 784, 512, 10),
)
