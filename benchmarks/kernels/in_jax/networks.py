"""Layers of networks by the operations that JAX has for them."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax


def softmax(x):
    return jnp.sum(jax.nn.softmax(x) ** 2)


def mlp(x, w1, b1, w2, b2, w3, b3):
    x = jax.nn.relu(x @ w1 + b1)
    x = jax.nn.relu(x @ w2 + b2)
    return jnp.sum(jax.nn.softmax(x @ w3 + b3) ** 2)


def conv2d(x, weights):
    layout = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, weights, (1, 1), "VALID", dimension_numbers=layout)


def conv2d_bias(x, weights, bias):
    return jnp.sum(conv2d(x, weights) + bias)


def maxpool2d(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def lenet5(x, conv1, conv1bias, conv2, conv2bias, fc1w, fc1b, fc2w, fc2b, fc3w, fc3b):
    x = maxpool2d(jax.nn.relu(conv2d(x, conv1) + conv1bias))
    x = maxpool2d(jax.nn.relu(conv2d(x, conv2) + conv2bias))
    x = jnp.reshape(x, (x.shape[0], -1))
    x = jax.nn.relu(x @ fc1w + fc1b)
    x = jax.nn.relu(x @ fc2w + fc2b)
    return jnp.sum(x @ fc3w + fc3b)


def batchnorm2d(x, eps=1e-5):
    mean = jnp.mean(x, axis=0, keepdims=True)
    std = jnp.std(x, axis=0, keepdims=True)
    return (x - mean) / jnp.sqrt(std + eps)


def resnet_basicblock(x, conv1, conv2, conv3):
    padded = jnp.pad(conv2d(x, conv1), ((0, 0), (1, 1), (1, 1), (0, 0)))
    y = jax.nn.relu(batchnorm2d(padded))
    y = jax.nn.relu(batchnorm2d(conv2d(y, conv2)))
    y = batchnorm2d(conv2d(y, conv3))
    return jnp.sum(jax.nn.relu(y + x))
